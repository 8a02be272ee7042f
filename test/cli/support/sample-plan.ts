import type { PlanContext } from '../../../src/cli/print/plan/context.ts';
import { paint } from '../../../src/cli/print/terminal/paint.ts';
import { glyphs } from '../../../src/cli/print/terminal/paint.ts';
import { digestOfText } from '../../../src/model/digest.ts';
import { keyOf, type Kind } from '../../../src/model/key.ts';
import type { Change, FieldChange, Plan } from '../../../src/plan/plan.ts';
import { EMPTY_PLAN } from '../../plan/support/empty-plan.ts';

export const NOTHING: Plan = {
  ...EMPTY_PLAN,
  unchanged: 205,
  labels: { t1: 'cli', t2: 'refund', c1: 'start' },
};

const LABELS: Readonly<Record<string, string>> = NOTHING.labels;

export function context(changes: Partial<PlanContext> = {}): PlanContext {
  return {
    content: 'docs',
    baseUrl: 'https://help.acme.test',
    fileCount: 214,
    languages: ['en', 'fr', 'de'],
    stateAgeMs: 2 * 3_600_000,
    warnings: [],
    isVerbose: false,
    setup: '',
    style: {
      paint: paint(false),
      glyphs: glyphs({ LANG: 'C.UTF-8' }),
      labelOf: (id) => LABELS[id] ?? id,
      widthMax: 32,
    },
    ...changes,
  };
}

export function change(
  action: Change['action'],
  kind: Kind,
  path: string,
  lang: string,
  fields: readonly FieldChange[] = [],
): Change {
  const slug = path.slice(path.lastIndexOf('/') + 1);
  return { action, kind, key: keyOf(kind, path, lang), lang, slug, name: slug, fields };
}

const body = { before: { digest: digestOfText('a') }, after: { digest: digestOfText('b') } };

/** One of everything that a plan can hold: mock-up (a) of the design. */
export const EVERYTHING: Plan = {
  ...NOTHING,
  changes: [
    change('create', 'tag', 'refund', 'en'),
    change('create', 'article', 'getting-started/sso', 'en', [{ field: 'status', after: 'draft' }]),
    change('update', 'category', 'billing', 'en', [{ field: 'priority', before: 2, after: 1 }]),
    change('update', 'article', 'billing/refunds', 'en', [
      { field: 'content', ...body, words: { added: 41, removed: 12 } },
      { field: 'tags', before: ['t1'], after: ['t1', 't2'] },
    ]),
    change('update', 'article', 'billing/invoices', 'en', [
      { field: 'slug', before: 'invoices', after: 'your-invoices' },
    ]),
    change('update', 'article', 'billing/overview', 'en', [
      { field: 'content', ...body, words: { added: 0, removed: 0 } },
    ]),
    change('update', 'article', 'billing/refunds', 'fr', [
      { field: 'excerpt', before: null, after: 'Un mois.' },
    ]),
    change('delete', 'article', 'legacy/telex', 'en'),
  ],
  conflicts: [
    {
      kind: 'article',
      key: keyOf('article', 'billing/refunds', 'de'),
      lang: 'de',
      code: 'both-changed',
      witness: 'state',
      fields: [
        {
          field: 'excerpt',
          base: 'Refunds take 10 days.',
          local: 'Refunds take 5 days.',
          remote: 'Refunds take a week.',
          at: { file: 'docs/de/articles/billing/refunds.md', line: 4, column: 10 },
        },
      ],
    },
    {
      kind: 'article',
      key: keyOf('article', 'billing/taxes', 'en'),
      lang: 'en',
      code: 'remote-deleted',
      witness: 'state',
      fields: [],
    },
  ],
  drift: [
    {
      kind: 'article',
      key: keyOf('article', 'api/limits', 'en'),
      lang: 'en',
      id: 'a9',
      fields: [{ field: 'title', base: 'API limits', remote: 'Rate limits' }],
    },
  ],
  unmanaged: [{ kind: 'article', id: 'x1', name: 'Made by hand' }],
  kept: [{ kind: 'article', key: keyOf('article', 'legacy/fax', 'en'), id: 'a7', reason: 'no-prune' }],
  blocked: [
    {
      key: keyOf('article', 'only/here', 'fr'),
      reason: 'original-missing',
      message: 'no en file for this translation',
    },
  ],
};
