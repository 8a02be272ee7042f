import pLimit from 'p-limit';
import { parseHtml } from '../../content/html-to-markdown/hast.ts';
import { normalForm } from '../../content/html-to-markdown/normal-form.ts';
import { same } from '../../model/digest.ts';
import type { FieldValue, Fields } from '../../model/fields.ts';
import { bodyFieldOf, fieldsOf, isList, isNothing } from '../../model/fields.ts';
import { familyOf, kindOf, idKey } from '../../model/key.ts';
import type { Family, Key, Kind } from '../../model/key.ts';
import { sameAsBase, withIds } from '../../plan/compare.ts';
import type { Remote } from '../../remote/remote.ts';
import { readLists, readMany } from '../../remote/read-many.ts';
import type { ReadOutcome } from '../../remote/read-many.ts';
import { isRewriting } from '../../model/compare/difference.ts';
import { addAll } from '../../text/many.ts';
import type { Migrated, Migration } from './migration.ts';

/**
 * `missing` the target does not have it · `differs` it has other values · `unreadable` one side did not show it · `edited`
 * the source was edited after it was read: the next run copies the edit · `extra` somebody else made a record on the target
 * during this run · `new`, `gone` a record was made or deleted in the source after its lists were read.
 */
export type DifferenceCode = 'missing' | 'differs' | 'unreadable' | 'edited' | 'extra' | 'new' | 'gone';

export interface Difference {
  readonly code: DifferenceCode;
  /** Absent where the record is not part of the migration. */
  readonly key?: Key;
  readonly kind: Kind;
  readonly id: string;
  readonly fields: readonly string[];
  readonly why: string;
}

export interface Verification {
  /** Records that were read on the target. */
  readonly compared: number;
  readonly differences: readonly Difference[];
  /** Records whose HTML the target changes, and whose words and addresses it keeps. */
  readonly rewritten: readonly Key[];
  /** Slugs that the target changed. */
  readonly slugs: ReadonlyMap<Key, string>;
}

export interface VerifyOptions {
  readonly migration: Migration;
  readonly source: Remote;
  readonly target: Remote;
  /** Ids on the target, of what the run knows to be there. */
  readonly ids: ReadonlyMap<Family, string>;
  /** Records of the target that were there before and are not ours; by kind and id. */
  readonly strangers: ReadonlySet<string>;
  /** Rows of the source's lists when it was read. */
  readonly listed: ReadonlySet<string>;
  /** Something was written, so the source may have been edited meanwhile. */
  readonly isLate: boolean;
  readonly atOnce: number;
  readonly onRead: (done: number, total: number, failed: number) => void;
}

/** Reads both sides again and compares them record by record, field by field, the bodies as readers see them. */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const { migration, atOnce, onRead } = options;
  const { records } = migration;
  const limit = pLimit(atOnce);
  const differences: Difference[] = [];
  const rewritten: Key[] = [];
  const slugs = new Map<Key, string>();
  let done = 0;
  const verifyOne = async (migrated: Migrated): Promise<void> => {
    const [target, source] = await Promise.all([
      targetDifference(migrated, options),
      edited(migrated, options),
    ]);
    if (target.isRewritten) rewritten.push(migrated.key);
    if (target.slug !== undefined) slugs.set(migrated.key, target.slug);
    for (const difference of [target.difference, source])
      if (difference !== undefined) differences.push(difference);
    done += 1;
    onRead(done, records.length, differences.length);
  };
  await Promise.all(records.map((migrated) => limit(() => verifyOne(migrated))));
  addAll(differences, await strayRecords(options));
  const place = new Map(records.map(({ key }, index) => [key, index]));
  const order = ({ key }: Difference): number =>
    key === undefined ? records.length : (place.get(key) ?? records.length);
  return {
    compared: records.length,
    differences: differences.sort((a, b) => order(a) - order(b)),
    rewritten: rewritten.sort(),
    slugs,
  };
}

interface Compared {
  readonly difference?: Difference;
  readonly isRewritten: boolean;
  readonly slug?: string;
}

async function targetDifference(migrated: Migrated, options: VerifyOptions): Promise<Compared> {
  const { key, record, fields, html } = migrated;
  const { ids, target, migration } = options;
  const of = (code: DifferenceCode, names: readonly string[], why: string): Compared => ({
    difference: { code, key, kind: record.kind, id: record.id, fields: names, why },
    isRewritten: false,
  });
  const id = ids.get(familyOf(key));
  if (id === undefined) return of('missing', [], 'it was not made on the target');
  const lang = record.lang === migration.desired.defaultLanguage ? undefined : record.lang;
  const read = await readOne(target, record.kind, id, lang);
  if (read.state === 'absent') return of('missing', [], 'the target does not have it');
  if (read.state !== 'found') return of('unreadable', [], `the target does not show it: ${read.why}`);
  const expected = withIds(record.kind, fields, (family) => ids.get(family) ?? '');
  const shown = read.record.fields;
  const bodyName = bodyFieldOf(record.kind);
  const others = differing(record.kind, expected, shown);
  const body = bodyDifference(html(), String(shown[bodyName] ?? ''));
  const names = [...others, ...(body === 'differs' ? [bodyName] : [])];
  const slug = others.includes('slug') ? { slug: String(shown['slug']) } : {};
  if (names.length > 0) return { ...of('differs', names, wordsOf(others, expected, shown, body)), ...slug };
  return { isRewritten: body === 'rewritten' };
}

/** What the source has empty and the target shows in another way, or not at all, is empty there too. */
function differing(kind: Kind, expected: Fields, shown: Fields): readonly string[] {
  return [...fieldsOf(kind).keys()].filter((name) => {
    const [ours, theirs] = [expected[name], shown[name]];
    if (name === bodyFieldOf(kind) || ours === undefined) return false;
    if (theirs === undefined) return !isNothing(ours);
    return !same(ours, theirs) && !(isEmpty(ours) && isEmpty(theirs));
  });
}

function isEmpty(value: FieldValue): boolean {
  return value === '' || value === null || (isList(value) && value.length === 0);
}

function bodyDifference(ours: string, theirs: string): 'same' | 'rewritten' | 'differs' {
  if (ours === theirs.trimEnd() || normalForm(parseHtml(ours)) === normalForm(parseHtml(theirs)))
    return 'same';
  return isRewriting('html', ours, theirs) ? 'rewritten' : 'differs';
}

function wordsOf(names: readonly string[], expected: Fields, shown: Fields, body: string): string {
  const value = (side: FieldValue | undefined): string => {
    const text = JSON.stringify(side ?? null);
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
  };
  return [
    ...names.map((name) => `${name} source ${value(expected[name])}, target ${value(shown[name])}`),
    ...(body === 'differs' ? ['the text'] : []),
  ].join('; ');
}

/** Whether the source shows a record as it was read. */
async function edited({ key, record }: Migrated, options: VerifyOptions): Promise<Difference | undefined> {
  const { source, isLate, migration } = options;
  if (!isLate) return undefined;
  const { kind, id, lang } = record;
  const read = await readOne(source, kind, id, lang === migration.desired.defaultLanguage ? undefined : lang);
  const of = (code: DifferenceCode, fields: readonly string[], why: string): Difference => ({
    code,
    key,
    kind,
    id,
    fields,
    why,
  });
  if (read.state === 'absent') return of('gone', [], 'it was deleted on the source during this run');
  if (read.state !== 'found') return of('unreadable', [], `the source does not show it: ${read.why}`);
  const bodyName = bodyFieldOf(kind);
  const names = differing(kind, record.fields, read.record.fields);
  const isSameBody = sameAsBase(read.record.fields[bodyName] ?? '', record.bodyValue);
  const fields = [...names, ...(isSameBody ? [] : [bodyName])];
  return fields.length === 0
    ? undefined
    : of('edited', fields, 'it was edited on the source during this run');
}

/** Rows of the lists that belong to no record of the migration. */
async function strayRecords(options: VerifyOptions): Promise<readonly Difference[]> {
  const { target, source, ids, strangers, listed, isLate, atOnce, migration } = options;
  const ours = new Set([...ids].map(([family, id]) => idKey(kindOf(family), id)));
  const onTarget = await rowsOf(target);
  const extra = onTarget.filter(({ name }) => !ours.has(name) && !strangers.has(name));
  const fresh = isLate ? (await rowsOf(source)).filter(({ name }) => !listed.has(name)) : [];
  const originals = async (remote: Remote, rows: readonly Row[]): Promise<readonly Row[]> => {
    const wants = rows.map((row) => ({ name: row, kind: row.kind, id: row.id, lang: undefined }));
    const found = await readMany(remote, wants, atOnce);
    // A translation that is a row of its own has come with its original.
    const isOriginal = (read: ReadOutcome): boolean =>
      read.state === 'found' && read.record.lang === migration.desired.defaultLanguage;
    return [...found].flatMap(([row, read]) => (isOriginal(read) ? [row] : []));
  };
  return [
    ...(await originals(target, extra)).map(({ kind, id }) => ({
      code: 'extra' as const,
      kind,
      id,
      fields: [],
      why: `the target has a ${kind} ${id} that appeared during this run and is not from the source`,
    })),
    ...(await originals(source, fresh)).map(({ kind, id }) => ({
      code: 'new' as const,
      kind,
      id,
      fields: [],
      why: `the ${kind} ${id} appeared on the source during this run`,
    })),
  ];
}

interface Row {
  readonly name: string;
  readonly kind: Kind;
  readonly id: string;
}

async function rowsOf(remote: Remote): Promise<readonly Row[]> {
  const lists = await readLists(remote);
  return [...lists.category.items, ...lists.tag.items, ...lists.article.items].map(({ kind, id }) => ({
    name: idKey(kind, id),
    kind,
    id,
  }));
}

async function readOne(
  remote: Remote,
  kind: Kind,
  id: string,
  lang: string | undefined,
): Promise<ReadOutcome> {
  const read = (await readMany(remote, [{ name: 0, kind, id, lang }], 1)).get(0);
  return read ?? { state: 'failed', why: 'it was not read' };
}
