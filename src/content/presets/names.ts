/** The layouts that can be read. */
export const PRESET_NAMES = [
  'kbsync',
  'hugo',
  'docusaurus',
  'starlight',
  'mkdocs',
  'vitepress',
  'jekyll',
  'mdbook',
  'gitbook',
  'mintlify',
  'docsify',
  'vuepress',
  'docfx',
  'fern',
  'wiki',
  'nextra',
  'fumadocs',
  'readme',
  'myst',
  'vocs',
  'rspress',
  'nuxt',
  'hexo',
  'eleventy',
  'quarto',
  'bookdown',
  'retype',
  'writerside',
  'plain',
] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** What people call them besides. */
const OTHER_NAMES = {
  astro: 'starlight',
  material: 'mkdocs',
  honkit: 'gitbook',
  obsidian: 'wiki',
  sphinx: 'myst',
  '11ty': 'eleventy',
} as const satisfies Record<string, PresetName>;

/** A name as a person may write it. */
export type PresetWord = PresetName | keyof typeof OTHER_NAMES;

export const PRESET_WORDS: readonly [PresetWord, ...PresetWord[]] = [
  ...PRESET_NAMES,
  // The keys of the table are its names; Object.keys types them as plain text.
  ...(Object.keys(OTHER_NAMES) as (keyof typeof OTHER_NAMES)[]),
];

export function presetNamed(word: PresetWord): PresetName {
  return word in OTHER_NAMES ? OTHER_NAMES[word as keyof typeof OTHER_NAMES] : (word as PresetName);
}
