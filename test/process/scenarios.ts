import type { Doc } from './knowledge.ts';

/** One thing that people do, again and again: what the files say in cycle `i`, and how it is synced. */
export interface Scenario {
  readonly name: string;
  readonly docsAt: (cycle: number) => readonly Doc[];
  readonly argv: readonly string[];
  /** The knowledge base is emptied and the state thrown away before every cycle. */
  readonly fromNothing?: boolean;
  /** The state is thrown away before every run. */
  readonly isClone?: boolean;
}

/** After so many cycles a scenario begins anew, so that what accumulates stays small. */
export const ROUND = 12;

const doc = (kind: Doc['kind'], path: string, lang: string, more: Partial<Doc> = {}): Doc => ({
  kind,
  path,
  lang,
  name: `${path} in ${lang}`,
  slug: path.slice(path.lastIndexOf('/') + 1),
  text: `About ${path}.`,
  ...more,
});

const article = (path: string, more: Partial<Doc> = {}): Doc => doc('article', path, more.lang ?? 'en', more);

const SHARED: readonly Doc[] = [doc('category', 'guide', 'en'), doc('tag', 'topic', 'en')];

const upTo = (cycle: number): readonly number[] => Array.from({ length: (cycle % ROUND) + 1 }, (_, i) => i);

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'first sync',
    fromNothing: true,
    argv: [],
    docsAt: () => [
      ...SHARED,
      article('a'),
      article('b'),
      article('c'),
      article('a', { lang: 'fr', slug: 'a-fr' }),
    ],
  },
  {
    name: 'mixed update',
    argv: [],
    docsAt: (cycle) => [
      doc('category', 'guide', 'en', { name: `Guide ${cycle}` }),
      doc('tag', 'topic', 'en', { text: `Topic ${cycle}.` }),
      article('a', { name: `A ${cycle}` }),
      article('b', { text: `Text ${cycle}.` }),
      article('c'),
      ...upTo(cycle).map((i) => article(`new-${i}`)),
    ],
  },
  {
    name: 'translations',
    argv: [],
    docsAt: (cycle) => [
      ...SHARED,
      article('a'),
      article('a', { lang: 'fr', slug: 'a-fr', name: `Titre ${cycle}` }),
      article('a', { lang: 'de', slug: 'a-de', text: `Text ${cycle}.` }),
      ...upTo(cycle).flatMap((i) => [
        article(`t-${i}`),
        article(`t-${i}`, { lang: 'fr', slug: `t-${i}-fr` }),
      ]),
    ],
  },
  {
    name: 'deletes',
    argv: ['--prune', '--yes', '--max-delete', '50'],
    docsAt: (cycle) => [
      ...SHARED,
      article('a'),
      article('b'),
      article('b', { lang: 'fr', slug: 'b-fr' }),
      ...(cycle % 2 === 0
        ? [
            doc('category', 'extra', 'en'),
            article('c'),
            article('d'),
            article('d', { lang: 'fr', slug: 'd-fr' }),
            doc('tag', 'spare', 'en'),
          ]
        : []),
    ],
  },
  {
    name: 'rename',
    argv: ['--prune', '--yes'],
    docsAt: (cycle) => [
      ...SHARED,
      cycle % 2 === 0
        ? article('a', { slug: 'a' })
        : article('moved/a', { slug: 'a', name: 'a in en', text: 'About a.' }),
      article('b', { slug: `b-${cycle % 3}` }),
      article('c', { slug: cycle % 2 === 0 ? 'c' : 'd' }),
      article('d', { slug: cycle % 2 === 0 ? 'd' : 'c' }),
    ],
  },
  {
    name: 'fresh clone',
    argv: [],
    isClone: true,
    docsAt: (cycle) => [
      ...SHARED,
      article('a', { name: `A ${cycle}` }),
      article('b', { text: `Text ${cycle}.` }),
      article('b', { lang: 'fr', slug: 'b-fr', text: `Texte ${cycle}.` }),
      ...upTo(cycle).map((i) => article(`new-${i}`)),
    ],
  },
];
