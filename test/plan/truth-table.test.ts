import { expect, test } from 'vitest';
import { digestOf } from '../../src/model/digest.ts';
import type { FieldValue } from '../../src/model/fields.ts';
import { familyOf, keyOf } from '../../src/model/key.ts';
import type { DesiredRecord, KnownRecord } from '../../src/model/record.ts';
import { makePlan } from '../../src/plan/making/make-plan.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { PlanInput } from '../../src/plan/plan-input.ts';
import type { RemoteSide } from '../../src/plan/sides.ts';
import { desiredState } from '../support/desired.ts';
import type { FieldCase, Letter, OracleChoices, RecordCase } from './support/oracle.ts';
import { expected } from './support/oracle.ts';
import { baseRecord, emptyBase, emptyInput, knownRecord } from './support/plan-inputs.ts';

const key = keyOf('article', 'a', 'en');
const family = familyOf(key);

/** Three different values for each sort of field. */
const VALUES: Readonly<Record<string, Readonly<Record<'A' | 'B' | 'C', FieldValue>>>> = {
  title: { A: 'a', B: 'b', C: 'c' },
  content: { A: '<p>a</p>', B: '<p>b</p>', C: '' },
  excerpt: { A: 'x'.repeat(250), B: 'x'.repeat(249), C: '' },
  // 0 would be no statement: see `reconcile.test.ts`.
  ordering: { A: 2, B: 1, C: -1 },
  hideFromSearch: { A: false, B: true, C: null },
};

function values(fields: readonly (readonly [string, Letter])[]): Readonly<Record<string, FieldValue>> {
  return Object.fromEntries(
    fields.flatMap(([name, letter]) => {
      const value = letter === '-' ? undefined : VALUES[name]?.[letter];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function inputOf(row: RecordCase, names: readonly string[]): PlanInput {
  const side = (which: keyof FieldCase) =>
    values(row.fields.map((field, index) => [names[index] ?? '', field[which]] as const));
  const { content, ...fields } = side('file');
  const record: DesiredRecord | undefined = desiredState({ [key]: {} }).records.get(key);
  if (record === undefined) throw new Error('bug: a key gives a record');
  const body = typeof content === 'string' ? content : undefined;
  const { body: _, ...plain } = record;
  const file: DesiredRecord = {
    ...plain,
    fields,
    ...(body === undefined
      ? {}
      : { body: { field: 'content', inputDigest: digestOf(body), render: () => body } }),
  };
  const draft: Partial<KnownRecord> = row.hasOpenDraft ? { openDraft: '9' } : {};
  const sides: Readonly<Record<RecordCase['remote'], RemoteSide>> = {
    known: { state: 'known', record: knownRecord('article', '1', side('remote'), draft) },
    listed: { state: 'base' },
    absent: { state: 'absent' },
    taken: {
      state: 'taken',
      by: 'others',
      record: knownRecord('article', '1', { ...side('remote'), slug: 'theirs' }),
      isOnlyPlace: false,
    },
    unknown: { state: 'unknown', why: 'it was not read' },
    unreadable: { state: 'unreadable', why: 'it cannot be shown' },
  };
  const base = baseRecord(key, 'article', '1', side('base'), row.witness === 'stamp');
  const empty = emptyInput({ ...desiredState({}), records: new Map(row.hasFile ? [[key, file]] : []) });
  return {
    ...empty,
    base: emptyBase(row.witness === 'state' ? [base] : []),
    stamped: new Map(row.witness === 'stamp' ? [[key, base]] : []),
    ids: new Map(row.witness === 'none' && row.remote === 'absent' ? [] : [[family, '1']]),
    remote: new Map([[key, sides[row.remote]]]),
    choices: row.choices,
    prune: row.prune,
  };
}

/** What a plan says of its one record. */
function said(plan: Plan): string {
  const verdicts = [
    ...plan.changes.map(({ action }) => action),
    ...plan.conflicts.map(({ code }) => `conflict ${code}`),
    ...plan.blocked.map(({ reason }) => `blocked ${reason}`),
    ...plan.kept.map(({ reason }) => `kept ${reason}`),
  ];
  const words = [
    ...(verdicts.length === 0 && plan.drift.length > 0 ? ['drift'] : verdicts),
    ...plan.learnt.flatMap(({ how }) =>
      how === 'forgotten'
        ? ['forgotten']
        : how === 'acknowledged'
          ? ['acknowledged']
          : how === 'unmanaged'
            ? []
            : ['learnt'],
    ),
  ];
  return words.length === 0 ? (plan.unchanged > 0 ? 'unchanged' : 'nothing') : words.join(' and ');
}

function fieldCases(remotes: readonly Letter[]): readonly FieldCase[] {
  return (['A', 'B'] as const).flatMap((file) =>
    (['A', '-'] as const).flatMap((base) => remotes.map((remote) => ({ file, base, remote }))),
  );
}

const SHOWN = fieldCases(['A', 'B', 'C']);
const NOT_SHOWN = fieldCases(['-']);

const CHOICES: readonly OracleChoices[] = (['fail', 'local', 'remote'] as const).flatMap((onConflict) =>
  (['report', 'overwrite', 'acknowledge'] as const).flatMap((onDrift) =>
    (['fail', 'local', 'remote'] as const).map((adopt) => ({ onConflict, onDrift, adopt })),
  ),
);

function* cases(fieldSets: readonly (readonly FieldCase[])[]): Generator<RecordCase> {
  for (const remote of ['known', 'listed', 'absent', 'taken', 'unknown', 'unreadable'] as const)
    for (const witness of ['state', 'stamp', 'none'] as const)
      for (const hasOpenDraft of remote === 'known' ? [false, true] : [false])
        for (const fields of fieldSets) {
          const sides = { remote, witness, hasOpenDraft, fields };
          // Without a file only the conflict's choice is asked for; with one, deletes are off the table.
          for (const choices of CHOICES)
            yield { ...sides, choices, hasFile: true, prune: fields.length === 1 };
          for (const choices of CHOICES)
            for (const prune of choices.onDrift === 'report' && choices.adopt === 'fail' ? [false, true] : [])
              yield { ...sides, choices, hasFile: false, prune };
        }
}

const ONE_FIELD = [...SHOWN, ...NOT_SHOWN].map((one) => [one]);
const TWO_FIELDS = [...SHOWN, ...NOT_SHOWN].flatMap((one) => SHOWN.map((two) => [one, two]));

/** Which sorts of field stand for the first and the second. */
const SORTS = [
  { sorts: ['title', 'content'], fieldSets: [...ONE_FIELD, ...TWO_FIELDS] },
  { sorts: ['content'], fieldSets: ONE_FIELD },
  { sorts: ['excerpt'], fieldSets: ONE_FIELD },
  { sorts: ['ordering'], fieldSets: ONE_FIELD },
  { sorts: ['hideFromSearch'], fieldSets: ONE_FIELD },
] as const;

/** What no file says and only an editor can have set holds up a delete like any other edit. */
function wantedOf(row: RecordCase, [sort]: readonly string[]): string {
  const want = expected(row);
  const isSetBeside = row.fields.some(({ base, remote }) => base === '-' && remote === 'B');
  if (want !== 'delete' || sort !== 'hideFromSearch' || row.remote !== 'known' || !isSetBeside) return want;
  const { onConflict } = row.choices;
  return { fail: 'conflict delete-modified', local: 'delete', remote: 'forgotten' }[onConflict];
}

for (const { sorts, fieldSets } of SORTS) {
  test(`every case of file, base, remote, witness, draft, prune and choices is as the oracle says: ${sorts.join(' and ')}`, () => {
    const wrong: string[] = [];
    let count = 0;
    for (const row of cases(fieldSets)) {
      count += 1;
      const want = wantedOf(row, sorts);
      const got = said(makePlan(inputOf(row, sorts)));
      // What a stamp has proved, the state may learn on the way.
      const isLearnt = row.witness === 'stamp' && want === 'unchanged' && got === 'learnt';
      if (got !== want && !isLearnt && wrong.length < 20)
        wrong.push(`${JSON.stringify(row)}: ${got} instead of ${want}`);
    }
    expect(wrong).toEqual([]);
    expect(count).toBe(7 * 3 * fieldSets.length * (27 + 3 * 2));
  }, 180_000);
}
