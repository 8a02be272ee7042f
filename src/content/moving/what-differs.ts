import { posix } from 'node:path';
import { familyOf, pathOf } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';
import type { Problem } from '../../model/problem.ts';
import { same } from '../../model/digest.ts';
import type { DesiredFields } from '../../model/fields.ts';
import type { DesiredRecord } from '../../model/record.ts';
import type { Assembled } from '../assemble.ts';
import { isImplied } from '../corpus/corpus.ts';
import { humanName } from '../presets/pages/page-preset.ts';
import { OF_ORDER } from '../../model/fields.ts';
import { areInOrder, isPlace } from '../navigations/order.ts';
import { keyAfter } from './key-after.ts';
import type { NewNames } from './new-names.ts';

export interface Compared {
  readonly before: Assembled;
  readonly after: Assembled;
  readonly found: NewNames;
  readonly families: ReadonlyMap<Family, Family>;
  readonly mayBeKnown: (family: Family) => boolean;
}

/** What would be otherwise than before, besides names and addresses. */
export function differenceOf({ before, after, found, families, mayBeKnown }: Compared): string | undefined {
  const problem = newProblem(before.problems, after.problems, { before, found });
  if (problem !== undefined)
    return `after the move, ${problem.at.file}:${problem.at.line} would have a new problem (${problem.code})`;
  const [was, now] = [before.state, after.state];
  const extra = [...made({ before, after, families })].find((key) => !isNewFolder(key, { before, after }));
  if (extra !== undefined) return `the move would make a new record, ${extra}`;
  for (const [key, record] of was.records) {
    const there = now.records.get(keyAfter(key, families));
    if (there === undefined && isImpliedIn(before, key)) continue;
    if (there === undefined) return `after the move, no file would make ${keyAfter(key, families)}`;
    const isMoved = families.has(record.family);
    const isNamed = isMoved && isNamedByFile(before, key) && isNamedByFile(after, there.key);
    const ofItsPlace = isNamed
      ? new Set([...OF_ITS_PLACE, 'title', 'name'])
      : isMoved
        ? OF_ITS_PLACE
        : placesIn(record, there);
    const field = differingField(record, there, { families, ofItsPlace });
    if (field !== undefined)
      return `the move would change \`${field}\` of ${key}: besides links, something names a moved page, perhaps a navigation that kbsync does not write (sidebars.js); move the files by hand, correct the navigation, and name the old path in \`moved:\` of kbsync.yaml`;
    if (isMoved && mayBeKnown(record.family) && now.moved?.get(record.family) !== families.get(record.family))
      return `after the move, no file would say that ${key} has a new name`;
  }
  // The place that a page leaves is counted no more, and others move up.
  const stays = new Map([...was.records].filter(([, { family }]) => !families.has(family)));
  return areInOrder(stays, now.records) ? undefined : 'the move would change the order of other pages';
}

/** Records that would be there then and are not there now. */
export function made({
  before,
  after,
  families,
}: Pick<Compared, 'before' | 'after' | 'families'>): ReadonlySet<Key> {
  const wanted = new Set([...before.state.records.keys()].map((key) => keyAfter(key, families)));
  return new Set([...after.state.records.keys()].filter((key) => !wanted.has(key)));
}

/**
 * The category that a layout makes of a folder without a page of its own. It is the layout's rule if the folder is new; a folder
 * that had pages before and was no category is one because a navigation lost its page.
 */
function isNewFolder(key: Key, { before, after }: Pick<Compared, 'before' | 'after'>): boolean {
  const folder = `${pathOf(familyOf(key))}/`;
  return (
    isImpliedIn(after, key) &&
    !before.corpus.files.some((file) => !isImplied(file) && pathOf(familyOf(file.key)).startsWith(folder))
  );
}

function isImpliedIn({ corpus }: Assembled, key: Key): boolean {
  const file = corpus.byKey.get(key);
  return file !== undefined && isImplied(file);
}

function placesIn(was: DesiredRecord, now: DesiredRecord): ReadonlySet<string> {
  return new Set([...OF_ORDER].filter((name) => isPlace(name, was.fields[name], now.fields[name])));
}

/** What a folder and a file's name say of a record. */
const OF_ITS_PLACE: ReadonlySet<string> = new Set(['slug', 'categories', 'categoryParent', 'ordering']);

/** Wikis: the name of the file is the title of the page. */
function isNamedByFile({ corpus }: Assembled, key: Key): boolean {
  const { path, place } = corpus.byKey.get(key) ?? {};
  return path !== undefined && place?.title === humanName(posix.basename(path, posix.extname(path)));
}

function differingField(
  was: DesiredRecord,
  now: DesiredRecord,
  {
    families,
    ofItsPlace,
  }: { readonly families: ReadonlyMap<Family, Family>; readonly ofItsPlace: ReadonlySet<string> },
): string | undefined {
  const wanted = mapped(was.fields, families);
  return [...new Set([...Object.keys(wanted), ...Object.keys(now.fields)])].find((name) => {
    if (ofItsPlace.has(name)) return false;
    const [one, other] = [wanted[name], now.fields[name]];
    return one === undefined || other === undefined || !same(one, other);
  });
}

function newProblem(
  was: readonly Problem[],
  now: readonly Problem[],
  { before, found }: Pick<Compared, 'before' | 'found'>,
): Problem | undefined {
  const { shown } = before.corpus;
  const counts = new Map<string, number>();
  for (const { code, at } of was) {
    const path = at.file.startsWith(shown) ? at.file.slice(shown.length) : at.file;
    const name = `${code} ${shown}${found.files.get(path) ?? path}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return now.find(({ code, at }) => {
    const name = `${code} ${at.file}`;
    const left = (counts.get(name) ?? 0) - 1;
    counts.set(name, left);
    return left < 0;
  });
}

/** Fields that name records, with the names of then. */
export function mapped(fields: DesiredFields, families: ReadonlyMap<Family, Family>): DesiredFields {
  const one = (value: unknown): unknown =>
    // A value that is a family's name is one: fields hold no other text of that form.
    typeof value === 'string' ? (families.get(value as Family) ?? value) : value;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const now = Array.isArray(value)
        ? value.map(one).sort((a, b) => (String(a) < String(b) ? -1 : 1))
        : one(value);
      return [name, now as typeof value];
    }),
  );
}
