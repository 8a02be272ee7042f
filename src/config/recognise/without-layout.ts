import type { PresetName } from '../../content/presets/names.ts';
import { isLanguageName } from '../../content/presets/pages/page-languages.ts';

/** A generator that kbsync knows by name and has no layout for. */
export interface WithoutLayout {
  readonly generator: string;
  /** How its pages are read instead. */
  readonly preset: PresetName;
  readonly name: RegExp;
  readonly says?: RegExp;
  readonly saysNot?: RegExp;
  readonly content: string;
  readonly elsewhere?: readonly string[];
  /** Its settings are programs and name folders as they like: the one with most pages counts. */
  readonly hasAnyFolder?: boolean;
  /** Globs of what it does not take for pages. */
  readonly exclude?: readonly string[];
  /** In its settings: a call with names of files and folders that are no pages. */
  readonly excludeAt?: RegExp;
  /** In its settings: the folder of the pages. */
  readonly contentAt?: RegExp;
  /** In its settings: the language of the pages. */
  readonly languageAt?: RegExp;
  /** In its settings: the address of the site. */
  readonly siteAt?: RegExp;
  /** Files beside the pages are published beside them. */
  readonly servesContent?: boolean;
}

/** Keys that `_config.yml` has in Hexo and Jupyter Book, but not in Jekyll. */
const HEXO = String.raw`source_dir|new_post_name|skip_render|post_asset_folder|archive_dir`;
const JUPYTER = String.raw`execute|sphinx|launch_buttons|only_build_toc_files`;
export const OTHER_CONFIG = new RegExp(`^(?:${HEXO}|${JUPYTER})\\s*:`, 'm');
export const HEXO_CONFIG = new RegExp(`^(?:${HEXO})\\s*:`, 'm');
/** Zola's required key. Hugo writes `baseURL`. */
export const ZOLA = /^[ \t]*base_url[ \t]*=/m;

/** Markers and folders are those of each generator's documentation. */
export const WITHOUT_LAYOUT: readonly WithoutLayout[] = [
  {
    generator: 'Zola',
    preset: 'plain',
    name: /^(?:config|zola)\.toml$/,
    says: ZOLA,
    content: 'content',
    languageAt: /^[ \t]*default_language\s*=\s*["']([\w-]+)/m,
    siteAt: /^[ \t]*base_url\s*=\s*["'](https?:[^"'\s]+)/m,
    servesContent: true,
  },
  { generator: 'Quartz', preset: 'wiki', name: /^quartz\.config\.[cm]?[jt]s$/, content: 'content' },
  {
    generator: 'Gatsby',
    preset: 'plain',
    name: /^gatsby-config\.[cm]?[jt]s$/,
    content: 'docs',
    elsewhere: ['content', 'src/content', 'src/docs', 'src/pages'],
    hasAnyFolder: true,
  },
  // Its tags are read in plain Markdown.
  {
    generator: 'Markdoc',
    preset: 'plain',
    name: /^next\.config\.[cm]?[jt]s$/,
    says: /markdoc/i,
    content: 'pages',
    elsewhere: ['src/pages', 'app', 'src/app'],
  },
  {
    generator: 'Next.js',
    preset: 'nextra',
    name: /^next\.config\.[cm]?[jt]s$/,
    saysNot: /markdoc/i,
    content: 'src/app',
    elsewhere: ['app', 'src/pages', 'pages'],
  },
  // Pages that its own pages load (next-mdx-remote, Contentlayer): more than the few beside them.
  {
    generator: 'Next.js',
    preset: 'plain',
    name: /^next\.config\.[cm]?[jt]s$/,
    saysNot: /markdoc|nextra|fumadocs/i,
    content: 'content',
    elsewhere: ['src/content', 'docs'],
  },
  // Without Starlight; with it, the layout of that is taken.
  {
    generator: 'Astro',
    preset: 'plain',
    name: /^astro\.config\.[cm]?[jt]s$/,
    content: 'src/content',
    elsewhere: ['src/pages'],
  },
  {
    generator: 'Dumi',
    preset: 'plain',
    name: /^\.dumirc\.[jt]s$/,
    content: 'docs',
    // The first locale is the default one (https://d.umijs.org/guide/i18n).
    languageAt: /\blocales\s*:\s*\[\s*\{[^{}]{0,80}?\bid\s*:\s*['"]([\w-]+)/,
    contentAt: /\bdocDirs\s*:\s*\[\s*(?:\{[^{}]{0,200}?\bdir\s*:\s*)?['"]([\w./-]+)['"]/,
  },
  // Dumi 1 is set up in the settings of Umi.
  {
    generator: 'Dumi',
    preset: 'plain',
    name: /^\.umirc\.[jt]s$/,
    says: /\bmode\s*:\s*['"](?:site|doc)['"]/,
    content: 'docs',
  },
  {
    generator: 'SvelteKit',
    preset: 'plain',
    name: /^svelte\.config\.[cm]?[jt]s$/,
    says: /mdsvex|markdoc/,
    content: 'src/routes',
    elsewhere: ['src/content', 'content', 'src/docs', 'docs'],
    hasAnyFolder: true,
  },
  {
    generator: 'SolidStart',
    preset: 'plain',
    name: /^(?:app|vite)\.config\.[cm]?[jt]s$/,
    says: /@solidjs\/start/,
    content: 'src/routes',
  },
  {
    generator: 'Qwik',
    preset: 'plain',
    name: /^vite\.config\.[cm]?[jt]s$/,
    says: /qwik(?:City|Router)\(/,
    content: 'src/routes',
  },
  // https://github.com/slatedocs/slate/wiki/Configuring-Slate
  {
    generator: 'Slate',
    preset: 'plain',
    name: /^config\.rb$/,
    says: /unique_head|UniqueHeadCounter|redcarpet_header/,
    content: 'source',
  },
  { generator: 'Bridgetown', preset: 'plain', name: /^bridgetown\.config\.yml$/, content: 'src' },
  {
    generator: 'Pelican',
    preset: 'plain',
    name: /^pelicanconf\.py$/,
    content: 'content',
    contentAt: /^PATH[ \t]*=[ \t]*["']([\w./-]+)/m,
    languageAt: /^DEFAULT_LANG[ \t]*=[ \t]*["']([\w-]+)/m,
    siteAt: /^SITEURL[ \t]*=[ \t]*["'](https?:[^"'\s]+)/m,
  },
  // https://lume.land/docs/configuration/config-file/, https://lume.land/docs/configuration/ignore-files/
  {
    generator: 'Lume',
    preset: 'plain',
    name: /^_config\.[jt]s$/,
    says: /from\s+["'](?:lume\/|[^"'\n]*\/lume(?:@[^"'/]*)?\/)/,
    content: '.',
    contentAt: /\bsrc\s*:\s*["']([\w./-]+)["']/,
    siteAt: /\blocation\s*:\s*new\s+URL\(\s*["'](https?:[^"'\s]+)["']/,
    exclude: ['**/_*', '**/_*/**'],
    excludeAt: /\.ignore\(([^()]*)\)/g,
  },
  { generator: 'Antora', preset: 'plain', name: /^antora\.ya?ml$/, content: 'modules' },
];

/** What the settings of such a generator say about its pages. */
export function factsWithoutLayout(
  { contentAt, languageAt, siteAt, servesContent, exclude = [], excludeAt }: WithoutLayout,
  text: string,
) {
  const site = siteAt?.exec(text)?.[1];
  const language = languageAt
    ?.exec(text)?.[1]
    ?.replace(/^[A-Za-z]+/, (name) => name.toLowerCase())
    .replaceAll('_', '-');
  return {
    content: contentAt?.exec(text)?.[1],
    defaultLanguage: language !== undefined && isLanguageName(language) ? language : undefined,
    siteUrl: site === undefined || /^https?:/.test(site) ? site : `https://${site}`,
    ...(servesContent === undefined ? {} : { servesContent }),
    exclude: [...exclude, ...(excludeAt === undefined ? [] : namedIn(text, excludeAt))],
  };
}

/** Files and folders that calls name as literals, as globs from the content folder. */
function namedIn(text: string, calls: RegExp): readonly string[] {
  return [...text.matchAll(calls)].flatMap(([, given = '']) =>
    [...given.matchAll(/["']\/?([\w.@-][\w./@-]*?)\/?["']/g)].map(([, name = '']) =>
      /\.\w+$/.test(name) ? name : `${name}/**`,
    ),
  );
}
