import { kbsyncPreset } from './layouts/kbsync.ts';
import type { PresetName } from './names.ts';
import type { PresetInput } from './pages/page-preset.ts';
import type { Preset } from './preset.ts';

/** A layout whose code is loaded: over the files that are there, it says what each of them is. */
export type Layout = (input: LayoutInput) => Preset;

/** Without `factOf`, pages are read whenever they are asked for. */
type LayoutInput = Omit<PresetInput, 'alias' | 'factOf'> & Partial<Pick<PresetInput, 'factOf'>>;

/** The layouts of other systems. A run loads the code of one; that of all takes longer than a run in which nothing changed. */
const FOREIGN: Readonly<
  Record<Exclude<PresetName, 'kbsync'>, () => Promise<(input: PresetInput) => Preset>>
> = {
  hugo: async () => (await import('./layouts/hugo.ts')).hugoPreset,
  docusaurus: async () => (await import('./layouts/docusaurus.ts')).docusaurusPreset,
  starlight: async () => (await import('./layouts/starlight.ts')).starlightPreset,
  mkdocs: async () => (await import('./layouts/mkdocs.ts')).mkdocsPreset,
  vitepress: async () => (await import('./layouts/vitepress.ts')).vitepressPreset,
  jekyll: async () => (await import('./layouts/jekyll.ts')).jekyllPreset,
  mdbook: async () => (await import('./layouts/mdbook.ts')).mdbookPreset,
  gitbook: async () => (await import('./layouts/gitbook.ts')).gitbookPreset,
  mintlify: async () => (await import('./layouts/mintlify.ts')).mintlifyPreset,
  docsify: async () => (await import('./layouts/docsify.ts')).docsifyPreset,
  vuepress: async () => (await import('./layouts/vuepress.ts')).vuepressPreset,
  docfx: async () => (await import('./layouts/docfx.ts')).docfxPreset,
  fern: async () => (await import('./layouts/fern.ts')).fernPreset,
  wiki: async () => (await import('./layouts/wiki.ts')).wikiPreset,
  nextra: async () => (await import('./layouts/nextra.ts')).nextraPreset,
  fumadocs: async () => (await import('./layouts/fumadocs.ts')).fumadocsPreset,
  readme: async () => (await import('./layouts/readme.ts')).readmePreset,
  myst: async () => (await import('./layouts/myst.ts')).mystPreset,
  vocs: async () => (await import('./layouts/scripted-sites/vocs.ts')).vocsPreset,
  rspress: async () => (await import('./layouts/scripted-sites/rspress.ts')).rspressPreset,
  nuxt: async () => (await import('./layouts/scripted-sites/nuxt.ts')).nuxtPreset,
  hexo: async () => (await import('./layouts/scripted-sites/hexo.ts')).hexoPreset,
  eleventy: async () => (await import('./layouts/scripted-sites/eleventy.ts')).eleventyPreset,
  quarto: async () => (await import('./layouts/pandoc/quarto.ts')).quartoPreset,
  bookdown: async () => (await import('./layouts/pandoc/bookdown.ts')).bookdownPreset,
  retype: async () => (await import('./layouts/tools/retype.ts')).retypePreset,
  writerside: async () => (await import('./layouts/tools/writerside.ts')).writersidePreset,
  plain: async () => (await import('./layouts/plain.ts')).plainPreset,
};

/** Loads the layout that the settings name. */
export async function loadLayout(name: PresetName): Promise<Layout> {
  if (name === 'kbsync') return ({ languages }) => kbsyncPreset(languages);
  const [{ aliasesIn }, preset] = await Promise.all([import('./settings/aliases.ts'), FOREIGN[name]()]);
  return (input) => preset({ factOf: factsIn(input), ...input, alias: aliasesIn(input) });
}

function factsIn({ readText }: Pick<PresetInput, 'readText'>): PresetInput['factOf'] {
  return (path, find) => {
    const text = readText(path);
    return text === undefined ? undefined : find(text);
  };
}
