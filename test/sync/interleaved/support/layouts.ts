import type { PresetName } from '../../../../src/content/presets/names.ts';
import type { Chance } from '../../../sim/random.ts';

/** How the pages of a world are written. */
export interface Layout {
  readonly preset: PresetName;
  readonly fields?: Readonly<Record<string, string>>;
  readonly page: (name: string, lang: string) => string;
  readonly head: (title: string) => string;
  readonly languages: readonly string[];
  /** Files besides the pages, and what they say of a page that comes, goes or gets another name. */
  readonly beside: (names: readonly string[]) => Readonly<Record<string, string>>;
}

const plainHead = (title: string): string => `---\ntitle: ${title}\ntags:\n  - cli\n---\n\n`;

export const LAYOUTS: readonly Layout[] = [
  {
    preset: 'kbsync',
    page: (name, lang) => `${lang}/articles/${name}.md`,
    head: (title) => `---\ntitle: ${title}\ncategories: [guide]\ntags: [cli]\n---\n\n`,
    languages: ['en', 'fr'],
    beside: () => ({
      'en/categories/guide.md': '---\nname: Guide\n---\n',
      'en/tags/cli.md': '---\nname: CLI\n---\n',
    }),
  },
  {
    preset: 'docusaurus',
    fields: { movedFrom: 'moved_from' },
    page: (name) => `docs/guide/${name}.md`,
    head: plainHead,
    languages: ['en'],
    // Without it, nothing says that pages stand in `docs` once the last one is deleted.
    beside: () => ({
      'docusaurus.config.js': "module.exports = { presets: [['classic', { docs: { path: 'docs' } }]] };\n",
    }),
  },
  {
    preset: 'hugo',
    fields: { movedFrom: 'moved_from' },
    page: (name, lang) => `guide/${name}${lang === 'en' ? '' : `.${lang}`}.md`,
    head: plainHead,
    languages: ['en', 'fr'],
    beside: () => ({ 'guide/_index.md': '---\ntitle: Guide\n---\n' }),
  },
  {
    preset: 'vitepress',
    page: (name) => `guide/${name}.md`,
    head: (title) => `# ${title}\n\n`,
    languages: ['en'],
    beside: () => ({}),
  },
  {
    preset: 'mdbook',
    page: (name) => `guide/${name}.md`,
    head: (title) => `# ${title}\n\n`,
    languages: ['en'],
    beside: (names) => ({
      'SUMMARY.md': `# Summary\n\n${names.map((name) => `- [${name}](guide/${name}.md)\n`).join('')}`,
    }),
  },
];

/** Half of the worlds are in our own layout: it says most. */
export function layoutOf(chance: Chance): Layout {
  const [own = never(), ...others] = LAYOUTS;
  return chance.happens(0.5) ? own : chance.oneOf(own, ...others);
}

function never(): never {
  throw new Error('test: there are layouts');
}
