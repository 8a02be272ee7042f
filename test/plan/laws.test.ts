import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { familyOf, kindOf, type Family, type Key } from '../../src/model/key.ts';
import { namedRecords } from '../../src/model/named-records.ts';
import { makePlan } from '../../src/plan/making/make-plan.ts';
import { inWaves, prerequisitesOf, slugsToFree } from '../../src/plan/making/order.ts';
import type { Change, Plan } from '../../src/plan/plan.ts';
import { ruleOf } from '../../src/plan/selection.ts';
import { desiredState } from '../support/desired.ts';
import { referencesOf } from '../../src/plan/compare.ts';
import { applied, inputFrom, inStep, keyFrom, shuffled, trees } from './support/plan-model.ts';
import type { Tree } from './support/plan-model.ts';

/** `KBSYNC_LAWS_RUNS` trees a law, from `KBSYNC_LAWS_SEED` on. */
const numRuns = Number(process.env['KBSYNC_LAWS_RUNS'] ?? 4000);
const seed = Number(process.env['KBSYNC_LAWS_SEED'] ?? 1);
const LONG_MS = 36_000_000;

function law(what: string, holds: (before: Tree, after: Tree) => void): void {
  test(`always: ${what}`, { timeout: LONG_MS }, () => {
    const { failed, counterexample, errorInstance } = fc.check(fc.property(trees, trees, holds), {
      numRuns,
      seed,
    });
    expect({ failed, counterexample, errorInstance }).toMatchObject({ failed: false });
  });
}

function isEmpty({ changes, conflicts, drift, kept, blocked, refusals }: Plan): boolean {
  return [changes, conflicts, drift, kept, blocked, refusals].every((list) => list.length === 0);
}

function must(claim: boolean, what: string): void {
  if (!claim) throw new Error(what);
}

describe('the laws of a plan', () => {
  law('what the author says was moved is neither deleted nor made again, whatever else changed', (tree) => {
    const rename = (name: string): string => name.replace(/^article\/a/, 'article/moved/z');
    const after = Object.fromEntries(
      Object.entries(tree).map(([key, file]) =>
        rename(key) === key
          ? [key, file]
          : [
              rename(key),
              { fields: { ...file.fields, title: 'New', slug: `new-${key}` }, body: `<p>${key}</p>` },
            ],
      ),
    );
    const families = Object.keys(tree).map((key) => familyOf(keyFrom(key)));
    const moved = new Map(families.map((family) => [family, rename(family) as Family] as const));
    for (const family of families) if (rename(family) === family) moved.delete(family);
    const plan = makePlan(inputFrom(inStep(tree), after, moved));
    must(
      plan.changes.every(({ action }) => action === 'update'),
      JSON.stringify(plan.changes),
    );
    const articles = Object.keys(tree).filter((key) => key.startsWith('article/'));
    must(plan.changes.length === articles.length, 'each is updated');
    must(plan.conflicts.length + plan.blocked.length + plan.kept.length === 0, JSON.stringify(plan));
  });

  law('what is protected is never deleted, and keeps its slug', (before, after) => {
    const protects = namedRecords(['a1', 'article/a2@fr', 'category/c0', 'tag/*']);
    const input = inputFrom(inStep(before), after);
    const plan = makePlan({ ...input, desired: { ...input.desired, protects } });
    const isProtected = (key: Key): boolean =>
      ruleOf(key, { desired: { ...input.desired, protects }, moves: input.moves }) === 'protected';
    for (const { key, action, fields } of plan.changes.filter((each) => isProtected(each.key))) {
      must(action !== 'delete', `${key} is deleted`);
      const isNew = action === 'create' || fields.every(({ field }) => field !== 'slug');
      must(isNew, `${key} gets another slug`);
    }
    const isRefused = plan.refusals.some(({ code }) => code === 'protected');
    must(isRefused === plan.blocked.some(({ reason }) => reason === 'protected'), 'refused and blocked');
  });

  law('equal states need nothing', (tree) => {
    const plan = makePlan(inputFrom(inStep(tree), tree));
    must(isEmpty(plan), JSON.stringify(plan));
  });

  law('a plan that is carried out leaves nothing to do', (before, after) => {
    const state = applied(makePlan(inputFrom(inStep(before), after)), inStep(before), after);
    const plan = makePlan(inputFrom(state, after));
    must(isEmpty(plan), JSON.stringify(plan));
  });

  law('equal inputs in another order give the same plan', (before, after) => {
    const input = inputFrom(inStep(before), after);
    const plan = JSON.stringify(makePlan(input));
    must(JSON.stringify(makePlan(shuffled(input))) === plan, plan);
  });

  law('each change comes after everything it stands on', (before, after) => {
    const input = inputFrom(inStep(before), after);
    const { changes } = makePlan(input);
    const freed = slugsToFree(changes, input.desired);
    const waves = inWaves(changes, prerequisitesOf(changes, input.desired, freed));
    const waveOf = new Map(waves.flatMap((wave, index) => wave.map(({ key }) => [key, index] as const)));
    must(waveOf.size === changes.length, 'every change has its wave');
    const at = (change: Change): number => waveOf.get(change.key) ?? -1;
    for (const change of changes) {
      const record = input.desired.records.get(change.key);
      const below =
        record === undefined ? [] : [...referencesOf(record), ...(record.isOriginal ? [] : [record.family])];
      for (const other of changes) {
        const isBelow =
          below.includes(familyOf(other.key)) && other.isTranslation !== true && other.key !== change.key;
        const isNew = other.action === 'create';
        must(!(isBelow && isNew) || at(other) < at(change), `${change.key} before ${other.key}`);
        const isLater = change.action === 'delete' && other.action !== 'delete';
        must(!isLater || at(other) < at(change), `the delete of ${change.key} before ${other.key}`);
        const gives = other.fields.find(({ field }) => field === 'slug')?.before;
        const takes = change.action !== 'delete' && other.action === 'update' && gives === change.slug;
        const isSameSpace =
          other.kind === change.kind && other.lang === change.lang && other.key !== change.key;
        must(
          !(takes && isSameSpace) || freed.has(other.key) || at(other) < at(change),
          `${change.key} takes a slug of ${other.key}`,
        );
      }
    }
  });

  law('no step of a turned category tree closes a circle', (before, after) => {
    const input = inputFrom(inStep(before), after);
    const { changes } = makePlan(input);
    const waves = inWaves(
      changes,
      prerequisitesOf(changes, input.desired, slugsToFree(changes, input.desired)),
    );
    // By their ids: a category that was moved is still the same one.
    const { ids, categories } = inStep(before);
    const idBefore = (family: Family | undefined) => family && ids.get(family);
    const idNow = (family: Family | undefined) => family && (input.ids.get(family) ?? family);
    let parents = new Map(
      [...categories].map(([family, parent]) => [idBefore(family) ?? family, idBefore(parent)]),
    );
    for (const wave of waves) {
      // Changes of one wave may land in any order: forwards and backwards are checked.
      const moves = wave.filter(
        ({ kind, action, isTranslation }) =>
          kind === 'category' && action !== 'delete' && isTranslation !== true,
      );
      const start = parents;
      for (const order of [moves, moves.toReversed()]) {
        parents = new Map(start);
        for (const { key } of order) {
          const record = input.desired.records.get(key);
          const parent = record === undefined ? undefined : referencesOf(record)[0];
          parents.set(idNow(familyOf(key)) ?? key, idNow(parent));
          must(!hasCircle(parents), `${key} closes a circle`);
        }
      }
    }
  });

  test('a category that goes below one that stays waits for what is above to leave', () => {
    const named = (slug: string, categoryParent: string | null) => ({
      fields: { name: slug, slug, categoryParent },
      body: null,
    });
    const top = 'category/top';
    const before = {
      [`${top}@en`]: named('top', null),
      'category/mid@en': named('mid', top),
      'category/low@en': named('low', 'category/mid'),
    };
    const after = {
      ...before,
      'category/mid@en': named('mid', null),
      [`${top}@en`]: named('top', 'category/low'),
    };
    const input = inputFrom(inStep(before), after);
    const { changes } = makePlan(input);
    expect(
      inWaves(changes, prerequisitesOf(changes, input.desired)).map((wave) => wave.map(({ key }) => key)),
    ).toEqual([['category/mid@en'], [`${top}@en`]]);
  });

  law('children are deleted before their parents', (before, after) => {
    const input = inputFrom(inStep(before), after);
    const { changes } = makePlan(input);
    const order = changes
      .filter(({ action, kind }) => action === 'delete' && kind === 'category')
      .map(({ key }) => familyOf(key));
    const parents = inStep(before).categories;
    for (const [index, family] of order.entries()) {
      const parent = parents.get(family);
      must(
        parent === undefined || !order.slice(0, index).includes(parent),
        `${parent ?? ''} before ${family}`,
      );
    }
  });

  law('a file that only moved is never deleted or made anew', (tree) => {
    const moved = Object.fromEntries(
      Object.entries(tree).map(([key, file]) => [
        key.replace('article/', 'article/moved/'),
        { ...file, fields: { ...file.fields, slug: String(file.fields['slug']) } },
      ]),
    );
    const plan = makePlan(inputFrom(inStep(tree), moved));
    must(
      plan.changes.every(({ action }) => action === 'update'),
      JSON.stringify(plan.changes),
    );
  });
});

test('the trees of the laws hold every kind', () => {
  const kinds = fc
    .sample(trees, { numRuns: 200, seed: 1 })
    .flatMap((tree) => [...desiredState(tree).records.keys()].map(kindOf));
  expect([...new Set(kinds)].sort()).toEqual(['article', 'category', 'tag']);
});

function hasCircle(parents: ReadonlyMap<string, string | undefined>): boolean {
  for (const start of parents.keys()) {
    const seen = new Set<string>();
    for (let at: string | undefined = start; at !== undefined; at = parents.get(at)) {
      if (seen.has(at)) return true;
      seen.add(at);
    }
  }
  return false;
}
