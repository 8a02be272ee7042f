import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NAMELESS } from '../../src/model/repository.ts';
import { desiredState } from '../support/desired.ts';
import type { FileSketch } from '../support/desired.ts';
import { knowledgeOf } from '../support/knowledge.ts';
import { createRig } from '../support/rig.ts';
import type { Rig } from '../support/rig.ts';

type Files = Readonly<Record<string, FileSketch>>;

const A: Files = {
  'category/guides@en': { fields: { name: 'Guides' }, body: '<p>All guides.</p>' },
  'article/overview@en': {
    fields: { title: 'Overview of A', slug: 'overview-a', categories: ['category/guides'] },
    body: '<p>A is a bank.</p>',
  },
  'article/overview@fr': { fields: { title: 'Vue de A', slug: 'vue-a' }, body: '<p>A est une banque.</p>' },
};

function ofB(slug: string): Files {
  return {
    'article/overview@en': { fields: { title: 'Overview of B', slug }, body: '<p>B is a river.</p>' },
    'article/overview@fr': { fields: { title: 'Vue de B', slug: 'vue-b' }, body: '<p>B est un fleuve.</p>' },
  };
}

let rig: Rig;
beforeEach(async () => {
  rig = await createRig();
});
afterEach(() => rig.close());

async function titles(): Promise<readonly string[]> {
  return (await knowledgeOf(rig.store))
    .filter(({ kind }) => kind === 'article')
    .map(({ name, slug, text }) => `${name} (${slug}): ${text}`)
    .sort();
}

const ALL_OF_A = ['Overview of A (overview-a): A is a bank.', 'Vue de A (vue-a): A est une banque.'];
const ALL_OF_B = ['Overview of B (overview-b): B is a river.', 'Vue de B (vue-b): B est un fleuve.'];

describe('two repositories on one knowledge base', () => {
  test('with a page of one path have a record each', async () => {
    rig.as('a');
    await rig.sync(desiredState(A));
    rig.as('b');
    const report = await rig.sync(desiredState(ofB('overview-b')));
    expect(report.summary).toMatchObject({ created: 2, updated: 0 });
    expect(await titles()).toEqual([...ALL_OF_A, ...ALL_OF_B].sort());
    expect(report.plan.unmanaged).toMatchObject([{ kind: 'category' }, { kind: 'article', by: 'a' }]);
  });

  test('never take turns, although neither has a state', async () => {
    for (let night = 0; night < 3; night += 1) {
      for (const [id, files] of [
        ['a', A],
        ['b', ofB('overview-b')],
      ] as const) {
        rig.as(`${id} night ${night}`);
        rig.repository = { configured: id, former: [], derived: [] };
        const { summary, plan } = await rig.sync(desiredState(files));
        expect([plan.conflicts, plan.blocked, night > 0 && summary.created + summary.updated > 0]).toEqual([
          [],
          [],
          false,
        ]);
      }
    }
    expect(await titles()).toEqual([...ALL_OF_A, ...ALL_OF_B].sort());
  });

  test('keep the record of the first where the second wants its slug, and the second is told whose it is', async () => {
    rig.as('a');
    await rig.sync(desiredState(A));
    rig.as('b');
    for (const policy of [{}, { adopt: 'local' as const, onConflict: 'local' as const, prune: true }]) {
      const { plan, results } = await rig.sync(desiredState(ofB('overview-a')), policy);
      expect(plan.blocked.map(({ key, reason }) => `${key} ${reason}`)).toEqual([
        'article/overview@en taken',
        'article/overview@fr taken',
      ]);
      expect(plan.blocked[0]?.message).toContain('belongs to another repository: its stamp names a;');
      expect(results).toEqual([]);
    }
    expect(await titles()).toEqual(ALL_OF_A);
  });

  test('may name one category, which only the first writes', async () => {
    rig.as('a');
    await rig.sync(desiredState(A));
    rig.as('b');
    const files: Files = {
      'category/guides@en': { fields: { name: 'Our guides' }, body: '<p>Ours.</p>' },
      'article/river@en': { fields: { title: 'River', categories: ['category/guides'] } },
    };
    const { plan, summary } = await rig.sync(desiredState(files));
    expect(plan.blocked).toMatchObject([{ key: 'category/guides@en', reason: 'taken' }]);
    expect(summary).toMatchObject({ created: 1, updated: 0 });
    const rows = await knowledgeOf(rig.store);
    expect(rows.filter(({ name }) => name === 'River').map(({ refs }) => refs)).toEqual([['Guides']]);
  });

  test('do not write or delete a record that the other has taken over, and make their own anew when asked', async () => {
    rig.as('a');
    await rig.sync(desiredState(A));
    rig.as('b');
    // As version 1 of the stamp let it happen.
    rig.repository = { configured: 'b', former: ['a'], derived: [] };
    await rig.sync(desiredState(ofB('overview-b')));
    expect(await titles()).toEqual(ALL_OF_B);
    rig.as('a');
    const told = await rig.sync(desiredState(A));
    expect(told.plan.conflicts).toMatchObject([{ key: 'article/overview@en', code: 'replaced' }]);
    const { 'article/overview@en': _, 'article/overview@fr': __, ...others } = A;
    await rig.sync(desiredState(others), { prune: true, onConflict: 'local', maxDelete: 100 });
    expect(await titles()).toEqual(ALL_OF_B);
    await rig.sync(desiredState(A), { onConflict: 'local' });
    await rig.sync(desiredState(A));
    expect(await titles()).toEqual([...ALL_OF_A, ...ALL_OF_B].sort());
  });

  test('that bear one id are one repository in two clones', async () => {
    rig.as('a');
    await rig.sync(desiredState(A));
    rig.forget();
    const { summary } = await rig.sync(desiredState(A));
    expect(summary).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
  });
});

describe('a stamp without a repository', () => {
  beforeEach(async () => {
    rig.as('of before');
    rig.repository = NAMELESS;
    await rig.sync(desiredState(A));
  });

  test('is the own one where title and slug are the file’s', async () => {
    rig.as('a');
    const files = {
      ...A,
      'article/overview@en': { ...A['article/overview@en'], body: '<p>A is the bank.</p>' },
    };
    const { plan, summary } = await rig.sync(desiredState(files));
    expect([plan.conflicts, summary.updated]).toEqual([[], 1]);
  });

  test('beside another title or slug is a conflict', async () => {
    rig.as('b');
    const { plan, results } = await rig.sync(desiredState(ofB('overview-b')));
    expect(plan.conflicts).toMatchObject([
      { key: 'article/overview@en', code: 'both-new', witness: 'none' },
      { key: 'article/overview@fr', code: 'both-new', witness: 'none' },
    ]);
    expect(results).toEqual([]);
    expect(await titles()).toEqual(ALL_OF_A);
  });

  test('and a state of before go over to the repository’s id without a conflict', async () => {
    rig.as('of before');
    rig.repository = { configured: 'a', former: [], derived: ['git-1'] };
    const renamed = {
      ...A,
      'article/overview@en': {
        fields: { title: 'What A is', slug: 'what-a-is', categories: ['category/guides'] },
        body: '<p>A is the bank.</p>',
      },
    };
    const { plan, summary } = await rig.sync(desiredState(renamed));
    expect([plan.conflicts, plan.blocked, summary.updated]).toEqual([[], [], 1]);
    rig.forget();
    expect((await rig.sync(desiredState(renamed))).summary).toMatchObject({ updated: 0, unchanged: 3 });
  });
});

describe('the id of a repository', () => {
  test('that git’s remote gives is kept by the state, and is known again beside one that is given later', async () => {
    rig.as('clone');
    rig.repository = { former: [], derived: ['git-1'] };
    await rig.sync(desiredState(A));
    rig.repository = { configured: 'acme', former: [], derived: ['git-1'] };
    rig.forget();
    const { summary } = await rig.sync(desiredState(A));
    expect(summary).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
  });

  test('of a state that was copied from another repository stops the run before its first request', async () => {
    rig.as('a');
    await rig.sync(desiredState(A));
    rig.repository = { configured: 'b', former: [], derived: [] };
    const sent = rig.sent.length;
    await expect(rig.sync(desiredState(A))).rejects.toMatchObject({
      code: 'other-repository',
      message: expect.stringContaining('`formerIds: [a]`'),
    });
    expect(rig.sent.length).toBe(sent);
  });

  test('may change when the former one is named', async () => {
    rig.as('a');
    await rig.sync(desiredState(A));
    rig.repository = { configured: 'b', former: ['a'], derived: [] };
    expect((await rig.sync(desiredState(A))).summary.unchanged).toBe(3);
    rig.forget();
    expect((await rig.sync(desiredState(A))).summary.unchanged).toBe(3);
  });
});
