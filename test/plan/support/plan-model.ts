import * as fc from 'fast-check';
import { digestOfText } from '../../../src/model/digest.ts';
import type { FieldValue, Fields } from '../../../src/model/fields.ts';
import { bodyFieldOf } from '../../../src/model/fields.ts';
import type { Family, Key } from '../../../src/model/key.ts';
import { familyOf, keyOf, kindOf, langOf, parseKey } from '../../../src/model/key.ts';
import type { BaseRecord, DesiredState } from '../../../src/model/record.ts';
import { withIds } from '../../../src/plan/compare.ts';
import { findMoves } from '../../../src/plan/moves.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import type { PlanInput } from '../../../src/plan/plan-input.ts';
import type { RemoteSide } from '../../../src/plan/sides.ts';
import { desiredState } from '../../support/desired.ts';
import type { FileSketch } from '../../support/desired.ts';
import { baseRecord, emptyBase, emptyInput, knownRecord } from './plan-inputs.ts';

/** A folder of files; every reference names a category or tag that is there, and no parents form a circle. */
export type Tree = Readonly<
  Record<string, FileSketch & { readonly fields: Fields; readonly body: string | null }>
>;

export type Files = Readonly<Record<string, FileSketch>>;

/** A service and a base in sync: what each record holds, and where the categories hang. */
export interface ModelState {
  readonly records: ReadonlyMap<Key, Fields>;
  readonly ids: ReadonlyMap<Family, string>;
  readonly categories: ReadonlyMap<Family, Family | undefined>;
}

const CATEGORIES = 5;
const NAMES = 4;

export const trees: fc.Arbitrary<Tree> = fc
  .record({
    order: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 1 }),
    parents: fc.array(fc.nat(CATEGORIES), { minLength: CATEGORIES, maxLength: CATEGORIES }),
    slugs: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 }),
    texts: fc.array(fc.nat(3), { minLength: 12, maxLength: 12 }),
    tags: fc.subarray([0, 1, 2]),
    articles: fc.subarray([0, 1, 2, 3]),
    translated: fc.subarray([0, 1, 2, 3]),
    filed: fc.array(fc.subarray([0, 1, 2, 3, 4]), { minLength: NAMES, maxLength: NAMES }),
  })
  .map(({ order, parents, slugs, texts, tags, articles, translated, filed }) => {
    const files: Record<string, FileSketch & { readonly fields: Fields; readonly body: string | null }> = {};
    for (const [index, name] of order.entries()) {
      // A parent comes earlier in the order: no circle.
      const above = order[(parents[name] ?? 0) % (index + 1)];
      const parent: FieldValue = above === undefined || above === name ? null : `category/c${above}`;
      files[`category/c${name}@en`] = {
        fields: { name: `c${texts[name] ?? 0}`, slug: `s${slugs[name] ?? 0}`, categoryParent: parent },
        body: null,
      };
    }
    for (const name of tags)
      files[`tag/t${name}@en`] = {
        fields: { name: `t${texts[name] ?? 0}`, slug: `s${slugs[name] ?? 0}` },
        body: null,
      };
    for (const name of articles) {
      const categories = (filed[name] ?? [])
        .filter((each) => order.includes(each))
        .map((each) => `category/c${each}`);
      const fields = { title: `a${texts[name] ?? 0}`, slug: `s${slugs[name] ?? 0}`, categories };
      files[`article/a${name}@en`] = { fields, body: `<p>${name} ${texts[name + 4] ?? 0}</p>` };
      if (translated.includes(name))
        files[`article/a${name}@fr`] = { fields, body: `<p>${name} fr ${texts[name + 8] ?? 0}</p>` };
    }
    return files;
  });

/** The state that a sync of this tree leaves. */
export function inStep(tree: Files): ModelState {
  const desired = desiredState(tree);
  const families = [...new Set([...desired.records.keys()].map(familyOf))].sort();
  return stateOf(desired, new Map(families.map((family) => [family, `id-${family}`])));
}

function stateOf(desired: DesiredState, ids: ReadonlyMap<Family, string>): ModelState {
  const records = new Map<Key, Fields>();
  const categories = new Map<Family, Family | undefined>();
  for (const { key, kind, fields, body, family, isOriginal } of desired.records.values()) {
    records.set(key, {
      ...withIds(kind, fields, (target) => ids.get(target) ?? ''),
      ...(body === undefined ? {} : { [bodyFieldOf(kind)]: body.render() }),
    });
    // The content reader put a family there, or null.
    if (kind === 'category' && isOriginal) categories.set(family, fields['categoryParent'] ?? undefined);
  }
  return { records, ids, categories };
}

/** What a plan of these files upon that state is made of; everything is read, and everything may be deleted. */
export function inputFrom(
  state: ModelState,
  tree: Files,
  told: DesiredState['moved'] = new Map(),
): PlanInput {
  const desired = { ...desiredState(tree, 'en'), moved: told };
  const base = emptyBase([...state.records].map(([key, fields]) => baseOf(key, fields, state)));
  const moved = findMoves(desired, base);
  const ids = new Map([...moved.base.records.values()].map(({ key, id }) => [familyOf(key), id] as const));
  const remote = new Map<Key, RemoteSide>();
  for (const record of moved.base.records.values()) {
    const fields = [...state.records].find(
      ([key]) => state.ids.get(familyOf(key)) === record.id && langOf(key) === langOf(record.key),
    )?.[1];
    if (fields !== undefined)
      remote.set(record.key, { state: 'known', record: knownRecord(kindOf(record.key), record.id, fields) });
  }
  return {
    ...emptyInput(desired),
    base: moved.base,
    moves: [],
    ids,
    remote,
    prune: true,
    maxDelete: 1000,
    allow: new Set(['vanished', 'empty-remote']),
  };
}

function baseOf(key: Key, fields: Fields, state: ModelState): BaseRecord {
  const record = baseRecord(key, kindOf(key), state.ids.get(familyOf(key)) ?? '', fields);
  const body = fields[bodyFieldOf(kindOf(key))];
  return typeof body === 'string' ? { ...record, input: digestOfText(body) } : record;
}

/** The plan carried out by a service that never fails: a record that is made gets an id of its own. */
export function applied(plan: Plan, state: ModelState, tree: Tree): ModelState {
  const ids = new Map(inputFrom(state, tree).ids);
  for (const { action, key } of plan.changes) {
    if (action === 'create') ids.set(familyOf(key), ids.get(familyOf(key)) ?? `new-${familyOf(key)}`);
  }
  const gone = new Set(plan.changes.filter(({ action }) => action === 'delete').map(({ key }) => key));
  const after = stateOf(desiredState(tree), ids);
  const left = [...state.records].filter(
    ([key]) => !gone.has(key) && !after.records.has(key) && plan.kept.some((each) => each.key === key),
  );
  return { ...after, records: new Map([...after.records, ...left]) };
}

/** The same input with every map in another order. */
export function shuffled(input: PlanInput): PlanInput {
  const turned = <K, V>(map: ReadonlyMap<K, V>): ReadonlyMap<K, V> => new Map([...map].toReversed());
  return {
    ...input,
    desired: { ...input.desired, records: turned(input.desired.records) },
    base: { ...input.base, records: turned(input.base.records) },
    ids: turned(input.ids),
    remote: turned(input.remote),
  };
}

/** What a plan is made of when the files were `before` at the last sync, are `after` now, and nobody else edited. */
export function lived(before: Files, after: Files, more: Partial<PlanInput> = {}): PlanInput {
  return { ...inputFrom(inStep(before), after), ...more };
}

/** The same input, in which the service shows other values of one record. */
export function edited(input: PlanInput, text: string, fields: Fields): PlanInput {
  const key = keyFrom(text);
  const side = input.remote.get(key);
  if (side?.state !== 'known') throw new Error(`the service does not show ${text}`);
  const record = { ...side.record, fields: { ...side.record.fields, ...fields } };
  return { ...input, remote: new Map(input.remote).set(key, { state: 'known', record }) };
}

/** The same input, in which the service shows this of one record. */
export function shown(input: PlanInput, text: string, side: RemoteSide): PlanInput {
  return { ...input, remote: new Map(input.remote).set(keyFrom(text), side) };
}

export function keyFrom(text: string): Key {
  const parts = parseKey(text);
  if (parts === undefined) throw new Error(`not a key: ${text}`);
  return keyOf(parts.kind, parts.path, parts.lang);
}
