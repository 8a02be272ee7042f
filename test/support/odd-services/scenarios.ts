import type { SyncPolicy } from '../../../src/sync/report.ts';
import type { FileSketch } from '../desired.ts';
import type { Hand } from './hand.ts';

export type Files = Readonly<Record<string, FileSketch>>;

export type Step =
  | { readonly sync: Files; readonly policy?: Partial<SyncPolicy> }
  | { readonly edit: (hand: Hand) => Promise<void> }
  | { readonly forget: true };

/**
 * A file whose record can be told from every other in every state: title and text begin with `who`, which stays when all
 * else changes.
 */
export function file(who: string, fields: FileSketch['fields'] = {}, words = 'one'): FileSketch {
  return { fields: { title: who, ...fields }, body: `<p>${who} <b>${words}</b></p>` };
}

const GUIDE = { fields: { name: 'guide.en' } };
const START = { fields: { name: 'start.en', categoryParent: 'category/guide', priority: 2 } };
const INSTALL = { categories: ['category/guide/start'], tags: ['tag/cli'] };
const FRENCH = { categories: ['category/guide/start'], slug: 'installer' };
const UPGRADE = { categories: ['category/guide'] };

export const DOCS = {
  'category/guide@en': GUIDE,
  'category/guide/start@en': START,
  'category/guide@fr': { fields: { name: 'guide.fr', slug: 'le-guide' } },
  'tag/cli@en': { fields: { name: 'cli.en', description: 'The command' } },
  'tag/api@en': { fields: { name: 'api.en' } },
  'article/install@en': file('install.en', INSTALL),
  'article/install@fr': file('install.fr', FRENCH, 'été'),
  'article/upgrade@en': file('upgrade.en', UPGRADE),
} as const satisfies Files;

const TEXT = { ...DOCS, 'article/upgrade@en': file('upgrade.en', UPGRADE, 'two') };
const { 'article/upgrade@en': _, ...WITHOUT_UPGRADE } = DOCS;
const {
  'article/install@en': __,
  'article/install@fr': ___,
  'category/guide/start@en': ____,
  'tag/api@en': _____,
  ...PRUNED
} = DOCS;

function sixty(tags: readonly string[]): Files {
  const articles = Array.from({ length: 60 }, (_, index) => {
    const name = `a${String(index).padStart(2, '0')}`;
    return [`article/${name}@en`, file(`${name}.en`, { tags })] as const;
  });
  return { 'tag/all@en': { fields: { name: 'all.en' } }, ...Object.fromEntries(articles) };
}

/** What happens between a repository, an editor and a knowledge base. */
export const SCENARIOS = {
  'first-sync': [{ sync: DOCS }],
  'in-step': [{ sync: DOCS }, { sync: DOCS }],
  text: [{ sync: DOCS }, { sync: TEXT }],
  title: [
    { sync: DOCS },
    { sync: { ...DOCS, 'article/upgrade@en': file('upgrade.en', { ...UPGRADE, title: 'upgrade.en new' }) } },
  ],
  slug: [
    { sync: DOCS },
    { sync: { ...DOCS, 'article/upgrade@en': file('upgrade.en', { ...UPGRADE, slug: 'upgrading' }) } },
  ],
  relations: [
    { sync: DOCS },
    {
      sync: {
        ...DOCS,
        'article/upgrade@en': file('upgrade.en', {
          categories: ['category/guide/start'],
          tags: ['tag/api', 'tag/cli'],
        }),
      },
    },
  ],
  rename: [
    { sync: DOCS },
    { sync: { ...WITHOUT_UPGRADE, 'article/more/upgrade@en': DOCS['article/upgrade@en'] } },
  ],
  parent: [
    { sync: DOCS },
    {
      sync: {
        ...DOCS,
        'category/other@en': { fields: { name: 'other.en' } },
        'category/guide/start@en': { fields: { ...START.fields, categoryParent: 'category/other' } },
      },
    },
  ],
  prune: [{ sync: DOCS }, { sync: PRUNED, policy: { prune: true } }],
  'prune-in-use': [
    { sync: DOCS },
    { edit: (hand) => hand.create('visitor', ['start.en']) },
    { sync: PRUNED, policy: { prune: true } },
  ],
  'prune-with-translation': [
    { sync: DOCS },
    { edit: (hand) => hand.translate('upgrade.en', 'de') },
    { sync: WITHOUT_UPGRADE, policy: { prune: true } },
  ],
  'clone-equal': [{ sync: DOCS }, { forget: true }, { sync: DOCS }],
  'clone-own': [{ sync: DOCS }, { forget: true }, { sync: TEXT }],
  'clone-edited': [
    { sync: DOCS },
    { edit: (hand) => hand.edit('upgrade.en', 'en', { content: 'theirs' }) },
    { forget: true },
    { sync: TEXT },
  ],
  'clone-copied-stamp': [
    { sync: DOCS },
    { edit: (hand) => hand.copy('upgrade.en', 'upgrade-copy') },
    { forget: true },
    { sync: TEXT },
  ],
  drift: [
    { sync: DOCS },
    { edit: (hand) => hand.edit('upgrade.en', 'en', { content: 'theirs' }) },
    { sync: DOCS },
  ],
  conflict: [
    { sync: DOCS },
    { edit: (hand) => hand.edit('upgrade.en', 'en', { content: 'theirs' }) },
    { sync: TEXT },
  ],
  merge: [
    { sync: DOCS },
    { edit: (hand) => hand.edit('upgrade.en', 'en', { title: 'theirs' }) },
    { sync: TEXT },
  ],
  'translation-same-slug': [{ sync: { ...DOCS, 'article/upgrade@fr': file('upgrade.fr', UPGRADE) } }],
  'new-translation': [
    { sync: DOCS },
    { sync: { ...DOCS, 'article/upgrade@fr': file('upgrade.fr', { ...UPGRADE, slug: 'mise-a-jour' }) } },
  ],
  'translation-text': [
    { sync: DOCS },
    {
      sync: {
        ...DOCS,
        'article/install@fr': file('install.fr', FRENCH, 'hiver'),
      },
    },
  ],
  'translation-edited': [
    { sync: DOCS },
    { edit: (hand) => hand.edit('install.fr', 'fr', { content: 'theirs' }) },
    {
      sync: {
        ...DOCS,
        'article/install@fr': file('install.fr', FRENCH, 'hiver'),
      },
    },
  ],
  'slug-chain': [
    { sync: DOCS },
    {
      sync: {
        ...DOCS,
        'article/install@en': file('install.en', { ...INSTALL, slug: 'upgrade' }),
        'article/upgrade@en': file('upgrade.en', { ...UPGRADE, slug: 'upgrading' }),
      },
    },
  ],
  'slug-swap': [
    { sync: DOCS },
    {
      sync: {
        ...DOCS,
        'article/install@en': file('install.en', { ...INSTALL, slug: 'upgrade' }),
        'article/upgrade@en': file('upgrade.en', { ...UPGRADE, slug: 'install' }),
      },
    },
  ],
  publish: [
    { sync: { ...DOCS, 'article/upgrade@en': file('upgrade.en', { ...UPGRADE, status: 'draft' }) } },
    { sync: { ...DOCS, 'article/upgrade@en': file('upgrade.en', { ...UPGRADE, status: 'published' }) } },
  ],
  sixty: [{ sync: sixty([]) }, { sync: { ...sixty([]), 'article/a07@en': file('a07.en', {}, 'two') } }],
  'sixty-tagged-clone': [
    { sync: sixty(['tag/all']) },
    { forget: true },
    { sync: { ...sixty(['tag/all']), 'article/a07@en': file('a07.en', { tags: ['tag/all'] }, 'two') } },
  ],
} as const satisfies Readonly<Record<string, readonly Step[]>>;

export type Scenario = keyof typeof SCENARIOS;
