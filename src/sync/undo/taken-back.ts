import type { PastChange } from '../../base/history/history.ts';
import type { Fields } from '../../model/fields.ts';
import type { Key } from '../../model/key.ts';
import { isOriginal, kindOf, langOf } from '../../model/key.ts';
import type { Place } from '../../model/problem.ts';
import type { BaseRecord, BaseState, DesiredState } from '../../model/record.ts';
import { waysIn } from '../../plan/likeness.ts';
import { remoteIsBase } from '../../plan/field-standing.ts';
import { readMany } from '../../remote/read-many.ts';
import type { Remote } from '../../remote/remote.ts';
import type { TakenBack } from '../restore/restore.ts';

export interface UndoInput {
  readonly changes: readonly PastChange[];
  readonly state: BaseState;
  readonly files: Pick<DesiredState, 'defaultLanguage'>;
  readonly remote: Remote;
  /** What the run created is deleted; else an article becomes a draft. */
  readonly prune: boolean;
  /** Where the run is written, for messages. */
  readonly at: Place;
}

export interface Undoing {
  readonly edits: readonly TakenBack[];
  /** Records that stay as they are, and why. */
  readonly left: ReadonlyMap<Key, string>;
}

/** What records that a run created or changed said before, as far as the history knows it. It leaves out deleted records. */
export async function undoing(input: UndoInput): Promise<Undoing> {
  const edits: TakenBack[] = [];
  const left = new Map<Key, string>();
  for (const change of input.changes) {
    if (change.action === 'deleted') continue;
    const wanted = change.action === 'updated' ? changedBack(change, input) : await withdrawn(change, input);
    if (typeof wanted === 'string') left.set(change.key, wanted);
    else edits.push(wanted);
  }
  return { edits, left };
}

function changedBack(change: PastChange, input: UndoInput): TakenBack | string {
  const { key, id, before, after = {} } = change;
  if (before === undefined || id === undefined) return 'the service did not show what it said before';
  const fields = Object.fromEntries(
    Object.keys(after).flatMap((name) => {
      const value = before.fields[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const known = baseOf(change, id, input.state);
  const base: BaseRecord = { ...known, sent: { ...before.fields, ...known.sent, ...after } };
  return taking(key, { base, fields, isDelete: false, labels: before.labels }, change, input.at);
}

async function withdrawn(change: PastChange, input: UndoInput): Promise<TakenBack | string> {
  const { key, kind } = change;
  const id = change.id ?? input.state.records.get(key)?.id;
  if (id === undefined) return 'nobody knows whether it was created; the next sync looks';
  const known = baseOf(change, id, input.state);
  const base = { ...known, sent: { ...change.after, ...known.sent } };
  if (input.prune) return taking(key, { base, fields: {}, isDelete: true, labels: {} }, change, input.at);
  if (kind !== 'article') return `a ${kind} cannot be a draft; --prune deletes it`;
  const changed = await changedFields(base, input);
  if (typeof changed === 'string') return changed;
  if (changed.length > 0) return `${changed.join(', ')} changed since`;
  return taking(key, { base, fields: { status: 'draft' }, isDelete: false, labels: {} }, change, input.at);
}

/** The record as the run left it. If the state has the same values, it adds the form that the service gave them. */
function baseOf({ key, made }: PastChange, id: string, state: BaseState): BaseRecord {
  const known = state.records.get(key);
  const sent = made?.sent ?? {};
  const isSame = known !== undefined && JSON.stringify(known.sent) === JSON.stringify(sent);
  const { observed, forms } = isSame ? known : { observed: undefined, forms: made?.forms };
  return {
    key,
    id,
    ownership: 'created',
    sent,
    ...(observed === undefined ? {} : { observed }),
    ...(forms === undefined ? {} : { forms }),
  };
}

/** Fields of a record that no longer have the value with which it was created. */
async function changedFields(
  base: BaseRecord,
  { remote, files, state }: UndoInput,
): Promise<readonly string[] | string> {
  const { key, id, sent } = base;
  const lang = isOriginal(key, files) ? undefined : langOf(key);
  const read = (await readMany(remote, [{ name: key, kind: kindOf(key), id, lang }], 1)).get(key);
  if (read?.state === 'absent') return 'it is gone from the service';
  if (read?.state !== 'found') return `it could not be read: ${read?.why ?? 'no answer'}`;
  const { fields } = read.record;
  const ways = waysIn(state);
  return Object.keys(sent).filter(
    (name) =>
      name !== 'status' && fields[name] !== undefined && !remoteIsBase(name, base, fields[name], ways),
  );
}

function taking(
  key: Key,
  what: Pick<TakenBack, 'base' | 'isDelete' | 'labels'> & { readonly fields: Fields },
  { kind }: PastChange,
  at: Place,
): TakenBack {
  return { key, kind, id: what.base.id, ...what, at };
}
