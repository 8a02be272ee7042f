import type { ContentOptions } from '../options.ts';
import { mintlifyPreset } from './layouts/mintlify.ts';
import { docsifyPreset } from './layouts/docsify.ts';
import { vuepressPreset } from './layouts/vuepress.ts';
import { docfxPreset } from './layouts/docfx.ts';
import { fernPreset } from './layouts/fern.ts';
import { docusaurusPreset } from './layouts/docusaurus.ts';
import { gitbookPreset } from './layouts/gitbook.ts';
import { hugoPreset } from './layouts/hugo.ts';
import { jekyllPreset } from './layouts/jekyll.ts';
import { kbsyncPreset } from './layouts/kbsync.ts';
import { mdbookPreset } from './layouts/mdbook.ts';
import { mkdocsPreset } from './layouts/mkdocs.ts';
import type { PresetInput } from './pages/page-preset.ts';
import { wikiPreset } from './layouts/wiki.ts';
import { mystPreset } from './layouts/myst.ts';
import { nextraPreset } from './layouts/nextra.ts';
import { fumadocsPreset } from './layouts/fumadocs.ts';
import { readmePreset } from './layouts/readme.ts';
import { eleventyPreset } from './layouts/scripted-sites/eleventy.ts';
import { hexoPreset } from './layouts/scripted-sites/hexo.ts';
import { nuxtPreset } from './layouts/scripted-sites/nuxt.ts';
import { rspressPreset } from './layouts/scripted-sites/rspress.ts';
import { vocsPreset } from './layouts/scripted-sites/vocs.ts';
import { quartoPreset } from './layouts/pandoc/quarto.ts';
import { writersidePreset } from './layouts/tools/writerside.ts';
import { retypePreset } from './layouts/tools/retype.ts';
import { bookdownPreset } from './layouts/pandoc/bookdown.ts';
import { plainPreset } from './layouts/plain.ts';
import type { Preset } from './preset.ts';
import { aliasesIn } from './settings/aliases.ts';
import { starlightPreset } from './layouts/starlight.ts';
import { vitepressPreset } from './layouts/vitepress.ts';

/** The layout that the config names, over the files that are there. */
export function presetFor(
  options: Pick<ContentOptions, 'preset' | 'defaultLanguage' | 'languages'>,
  tree: Pick<PresetInput, 'paths' | 'readText'>,
): Preset {
  const { defaultLanguage, languages } = options;
  const input = { ...tree, defaultLanguage, languages, alias: aliasesIn(tree) };
  switch (options.preset) {
    case 'kbsync':
      return kbsyncPreset(languages);
    case 'hugo':
      return hugoPreset(input);
    case 'docusaurus':
      return docusaurusPreset(input);
    case 'starlight':
      return starlightPreset(input);
    case 'mkdocs':
      return mkdocsPreset(input);
    case 'vitepress':
      return vitepressPreset(input);
    case 'jekyll':
      return jekyllPreset(input);
    case 'mdbook':
      return mdbookPreset(input);
    case 'gitbook':
      return gitbookPreset(input);
    case 'mintlify':
      return mintlifyPreset(input);
    case 'docsify':
      return docsifyPreset(input);
    case 'vuepress':
      return vuepressPreset(input);
    case 'docfx':
      return docfxPreset(input);
    case 'fern':
      return fernPreset(input);
    case 'wiki':
      return wikiPreset(input);
    case 'nextra':
      return nextraPreset(input);
    case 'fumadocs':
      return fumadocsPreset(input);
    case 'readme':
      return readmePreset(input);
    case 'myst':
      return mystPreset(input);
    case 'vocs':
      return vocsPreset(input);
    case 'rspress':
      return rspressPreset(input);
    case 'nuxt':
      return nuxtPreset(input);
    case 'hexo':
      return hexoPreset(input);
    case 'eleventy':
      return eleventyPreset(input);
    case 'quarto':
      return quartoPreset(input);
    case 'bookdown':
      return bookdownPreset(input);
    case 'retype':
      return retypePreset(input);
    case 'writerside':
      return writersidePreset(input);
    case 'plain':
      return plainPreset(input);
  }
}
