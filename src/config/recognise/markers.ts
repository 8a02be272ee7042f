import type { PresetName } from '../../content/presets/names.ts';
import { HEXO_CONFIG, OTHER_CONFIG, WITHOUT_LAYOUT, ZOLA } from './without-layout.ts';
import type { WithoutLayout } from './without-layout.ts';

/** What shows that a generator publishes the pages here. */
export interface Marker {
  readonly preset: PresetName;
  /** Names in the folder that is looked at; a `/` ends a folder's. */
  readonly name: RegExp;
  /** Where the content lies then, from that folder, unless the settings say otherwise. */
  readonly content: string;
  /** Where else it may lie. */
  readonly elsewhere?: readonly string[];
  /** Files below a folder that is the marker, which hold the settings. */
  readonly settings?: RegExp;
  /** Of several names the one that counts; undefined: the shortest. */
  readonly first?: RegExp;
  /** What the marker's text says, where its name alone says too little. */
  readonly says?: RegExp;
  /** Files below the folder that say the same. */
  readonly orHas?: RegExp;
  /** What it does not say: another generator's settings of that name do. */
  readonly saysNot?: RegExp;
  readonly withoutLayout?: WithoutLayout;
}

export const MARKERS: readonly Marker[] = [
  { preset: 'docusaurus', name: /^docusaurus\.config\.[cm]?[jt]s$/, content: '.' },
  { preset: 'starlight', name: /^astro\.config\.[cm]?[jt]s$/, content: 'src/content/docs' },
  {
    preset: 'vitepress',
    name: /^\.vitepress\/$/,
    content: '.',
    settings: /^config(?:\/index)?\.[cm]?[jt]s$/,
  },
  {
    preset: 'mkdocs',
    name: /^(?:(?:mkdocs(?:[-.][\w-]+)?|properdocs)\.ya?ml|zensical\.toml)$/,
    content: 'docs',
    first: /^(?:zensical|properdocs)/,
  },
  {
    preset: 'hugo',
    name: /^(?:hugo\.(?:toml|ya?ml|json)|config\.toml)$/,
    content: 'content',
    saysNot: ZOLA,
  },
  {
    preset: 'hugo',
    name: /^config\.(?:ya?ml|json)$/,
    content: 'content',
    says: /^[ \t]*"?(?:baseURL|theme|languageCode|defaultContentLanguage|markup)"?\s*[:=]/im,
  },
  {
    preset: 'hugo',
    name: /^config\/$/,
    content: 'content',
    settings: /^_default\/(?:hugo|config)\.(?:toml|ya?ml|json)$/,
  },
  { preset: 'mdbook', name: /^book\.toml$/, content: '.' },
  { preset: 'gitbook', name: /^(?:\.gitbook\.ya?ml|SUMMARY\.md)$/, content: '.' },
  // HonKit, and GitBook before 2018.
  {
    preset: 'gitbook',
    name: /^book\.json$/,
    content: '.',
    says: /"(?:gitbook|structure|root|plugins|pluginsConfig)"\s*:/,
  },
  { preset: 'mintlify', name: /^(?:docs|mint)\.json$/, content: '.', says: /"navigation"\s*:/ },
  { preset: 'docfx', name: /^docfx\.json$/, content: '.' },
  { preset: 'fern', name: /^fern\.config\.json$/, content: '.' },
  { preset: 'fumadocs', name: /^source\.config\.[cm]?[jt]s$/, content: 'content/docs', says: /fumadocs-mdx/ },
  {
    preset: 'nextra',
    name: /^next\.config\.[cm]?[jt]s$/,
    content: 'content',
    elsewhere: ['src/content', 'pages', 'src/pages', 'app', 'src/app'],
    // Also in names: `nextraConfig`, `withNextra`.
    says: /nextra/i,
    // Behind a wrapper of another name.
    orHas: /^(?:src\/)?(?:content|pages|app)\/(?:.+\/)?_meta\.(?:[jt]sx?|json)$/,
  },
  { preset: 'vuepress', name: /^\.vuepress\/$/, content: '.', settings: /^config(?:\/index)?\.[cm]?[jt]s$/ },
  { preset: 'docsify', name: /^_sidebar\.md$/, content: '.' },
  { preset: 'docsify', name: /^index\.html$/, content: '.', says: /\$docsify\b/ },
  { preset: 'readme', name: /^_order\.ya?ml$/, content: '.' },
  { preset: 'wiki', name: /^(?:\.obsidian\/|_Sidebar\.md)$/, content: '.' },
  { preset: 'wiki', name: /^logseq\/$/, content: '.', settings: /^config\.edn$/ },
  // What Wiki.js writes into every page that it stores.
  { preset: 'wiki', name: /^home\.md$/, content: '.', says: /^dateCreated:/m },
  { preset: 'myst', name: /^myst\.ya?ml$/, content: '.' },
  {
    preset: 'myst',
    name: /^_toc\.ya?ml$/,
    content: '.',
    says: /^[ \t]*(?:format[ \t]*:[ \t]*jb-|root[ \t]*:|-[ \t]*(?:file|url)\s*:)/m,
  },
  {
    preset: 'myst',
    name: /^conf\.py$/,
    content: '.',
    says: /^[ \t]*(?:extensions[ \t]*\+?|html_theme[ \t]*)=/m,
  },
  {
    preset: 'vocs',
    name: /^vocs\.config\.[cm]?[jt]sx?$/,
    content: 'docs/pages',
    elsewhere: ['src/pages', 'pages'],
  },
  { preset: 'rspress', name: /^rspress\.config\.[cm]?[jt]s$/, content: 'docs', elsewhere: ['pages', 'src'] },
  // Rstack keeps the settings of all its tools in one file.
  {
    preset: 'rspress',
    name: /^rstack\.config\.[cm]?[jt]s$/,
    content: 'docs',
    elsewhere: ['pages', 'src'],
    says: /^define\.doc\(/m,
  },
  { preset: 'hexo', name: /^_config\.ya?ml$/, content: 'source', says: HEXO_CONFIG },
  { preset: 'nuxt', name: /^content\.config\.[cm]?[jt]s$/, content: 'content', says: /@nuxt\/content/ },
  {
    preset: 'nuxt',
    name: /^nuxt\.config\.[cm]?[jt]s$/,
    content: 'content',
    says: /@nuxt\/content|docus|undocs|shadcn-docs-nuxt/i,
  },
  // undocs is Nuxt Content with settings of its own (https://github.com/unjs/undocs).
  {
    preset: 'nuxt',
    name: /^\.config\/$/,
    content: '.',
    settings: /^docs\.(?:ya?ml|jsonc?|[cm]?[jt]s)$/,
    says: /undocs|^[ \t]*"?(?:shortDescription|themeColor|automd|github)"?[ \t]*:/m,
  },
  { preset: 'quarto', name: /^_quarto\.ya?ml$/, content: '.' },
  { preset: 'bookdown', name: /^_bookdown\.ya?ml$/, content: '.' },
  { preset: 'writerside', name: /^(?:writerside\.cfg|project\.ihp)$/, content: '.', first: /^writerside/ },
  { preset: 'retype', name: /^retype\.ya?ml$/, content: '.' },
  { preset: 'eleventy', name: /^(?:\.eleventy|eleventy\.config)\.[cm]?[jt]s$/, content: '.' },
  { preset: 'jekyll', name: /^_config\.ya?ml$/, content: '.', saysNot: OTHER_CONFIG },
  ...WITHOUT_LAYOUT.map((each): Marker => ({ ...each, withoutLayout: each })),
];
