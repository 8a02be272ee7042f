import type { Fields } from '../model/fields.ts';
import { familyOf, langOf } from '../model/key.ts';
import type { DesiredRecord } from '../model/record.ts';
import type { Change } from '../plan/plan.ts';
import type { Decision, RemoteSide } from '../plan/reconcile.ts';
import { reconcile } from '../plan/reconcile.ts';
import { RemoteError } from '../remote/error.ts';
import { readMany, stopsEverything } from '../remote/read-state.ts';
import type { Result } from './report.ts';
import type { Run } from './run.ts';
import {
  baseAfterWrite,
  desiredOf,
  fieldsToCreate,
  fieldsToEdit,
  noteWritten,
  ownedNow,
  readLang,
  resultOf,
} from './run.ts';
import { sideOf } from './remote-side.ts';

const TRIES_MAX = 3;
/** A read older than this is repeated before the write, unless the service refuses stale writes itself. */
const READ_AGE_MAX_MS = 2000;

/**
 * Writes a record that has an id: an edit of an original, or an edit with `lang` that makes or changes a translation.
 * Every try decides anew from a read that is fresh, so that an edit that landed in between is never overwritten, and an
 * edit of ours that was carried out although its answer was lost is recognised.
 */
export async function writeEdit(change: Change, run: Run): Promise<Result> {
  const desired = desiredOf(change, run);
  const owned = ownedNow(desired, run);
  const id = run.ids.get(desired.family);
  if (id === undefined) return resultOf(change, 'skipped', 'its original was not created');
  const base = run.records.get(change.key) ?? run.input.stamped.get(change.key);
  let side: RemoteSide | undefined = plannedSide(change, run);
  let lastError: RemoteError | undefined;
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    if (attempt > 1) await run.clock.sleep(run.random() * 200 * 2 ** attempt, run.signal);
    side = side !== undefined && isFresh(side, run) ? side : await readAgain(change, id, run);
    const decision = reconcile({ file: owned, base, remote: side }, run.input.choices);
    const end = endWithoutWrite(decision, { change, desired, owned, id }, run);
    if (end !== undefined) return end;
    const fields = fieldsFor(decision, side, desired, owned, run);
    if (fields === undefined)
      return resultOf(change, 'skipped', `cannot be written now: ${decision.verdict}`);
    try {
      const etag = side.state === 'known' ? side.record.etag : undefined;
      const lang = langOf(change.key);
      const written = await run.remote.edit(
        change.kind,
        id,
        lang,
        fields,
        etag === undefined ? {} : { ifMatch: etag },
      );
      const record = baseAfterWrite(change, desired, owned, id, run);
      noteWritten(run, record, fields, written.lastEdited);
      await run.journal.note(record);
      return resultOf(change, 'done', change.action === 'create' ? 'created' : 'updated', id);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      if (stopsEverything(error)) run.stop = error.message;
      if (!mayTryAgain(error))
        return resultOf(change, error.code === 'aborted' ? 'pending' : 'failed', error.message, id);
      lastError = error;
      side = undefined;
    }
  }
  return outOfTries(change, lastError, id);
}

function plannedSide(change: Change, run: Run): RemoteSide {
  return run.input.remote.get(change.key) ?? { state: 'absent' };
}

function isFresh(side: RemoteSide, run: Run): boolean {
  if (side.state === 'absent') return true; // shown by the list or the read of this run; nothing of anybody's is there
  if (side.state !== 'known') return false;
  const { etag, readAtMs } = side.record;
  if (etag !== undefined && run.remote.capabilities()['if-match'] === 'yes') return true;
  return run.clock.now() - readAtMs <= READ_AGE_MAX_MS;
}

async function readAgain(change: Change, id: string, run: Run): Promise<RemoteSide> {
  const want = { name: 0, kind: change.kind, id, lang: readLang(change.key, run) };
  const read = (await readMany(run.remote, [want], 1)).get(0);
  return read === undefined ? { state: 'unknown', why: 'it could not be read' } : sideOf(read);
}

interface Target {
  readonly change: Change;
  readonly desired: DesiredRecord;
  readonly owned: Fields;
  readonly id: string;
}

/** The result, when the fresh read shows that nothing is to be written (any more). */
function endWithoutWrite(
  decision: Decision,
  { change, desired, owned, id }: Target,
  run: Run,
): Result | undefined {
  switch (decision.verdict) {
    case 'adopt':
    case 'unchanged': {
      const record = baseAfterWrite(change, desired, owned, id, run);
      run.records.set(change.key, record);
      run.written.set(change.key, owned);
      return resultOf(change, 'done', 'already as the file says', id);
    }
    case 'unknown':
      return resultOf(change, 'pending', `it could not be read before the write: ${decision.why}`, id);
    case 'conflict':
    case 'drift':
    case 'acknowledge':
    case 'delete':
    case 'forget':
    case 'nothing':
      return resultOf(
        change,
        'skipped',
        'it was edited on the service during this run; the next run shows the difference',
        id,
      );
    case 'create':
    case 'update':
      return undefined;
  }
}

function fieldsFor(
  decision: Decision,
  side: RemoteSide,
  desired: DesiredRecord,
  owned: Fields,
  run: Run,
): Fields | undefined {
  if (decision.verdict === 'update' && side.state === 'known') {
    return fieldsToEdit(desired, owned, side.record, decision.fields, run);
  }
  // An original that is absent cannot be edited into being; a translation can.
  return decision.verdict === 'create' && !desired.isOriginal
    ? fieldsToCreate(desired, owned, run)
    : undefined;
}

function mayTryAgain({ code }: RemoteError): boolean {
  return (
    code === 'stale' ||
    code === 'unclear' ||
    code === 'not-understood' ||
    code === 'throttled' ||
    code === 'not-sent'
  );
}

function outOfTries(change: Change, error: RemoteError | undefined, id: string): Result {
  const message = `${error?.message ?? 'no answer'} (${TRIES_MAX} tries)`;
  return resultOf(
    change,
    error?.code === 'unclear' || error?.code === 'not-understood' ? 'pending' : 'failed',
    message,
    id,
  );
}

/** Whether a write of another language left its original as it was; restores it if not. */
export async function checkedAgainstOriginal(
  change: Change,
  run: Run,
  write: () => Promise<Result>,
): Promise<Result> {
  const family = familyOf(change.key);
  const id = run.ids.get(family);
  if (id === undefined) return resultOf(change, 'skipped', 'its original was not created');
  const want = { name: 0, kind: change.kind, id, lang: undefined };
  const before = (await readMany(run.remote, [want], 1)).get(0);
  if (before?.state !== 'found')
    return resultOf(
      change,
      'failed',
      'its original could not be read before the first write in this language',
      id,
    );
  const result = await write();
  const after = (await readMany(run.remote, [want], 1)).get(0);
  const lang = langOf(change.key);
  if (after?.state !== 'found')
    return resultOf(change, 'pending', 'its original could not be read after the write', id);
  const changed = Object.entries(before.record.fields).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(after.record.fields[name]),
  );
  if (changed.length === 0) {
    if (result.outcome === 'done')
      run.remote.learn({ languages: [...(run.remote.capabilities().languages ?? []), lang] });
    return result;
  }
  run.remote.learn({ 'edit-lang': 'no' });
  run.records.delete(change.key);
  run.written.delete(change.key);
  const { fields, stamp } = before.record;
  const body = change.kind === 'article' ? 'content' : 'longDescription';
  const text = fields[body];
  const shown = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const restored =
    stamp === undefined || typeof text !== 'string' ? shown : { ...shown, [body]: `${text}\n${stamp}` };
  await run.remote.edit(change.kind, id, run.desired.defaultLanguage, restored, {});
  return resultOf(
    change,
    'failed',
    `the service ignored \`lang\` and changed the original (${changed.map(([name]) => name).join(', ')}); the original was put back, and no translation is sent to this service`,
    id,
  );
}
