import type { Fields } from '../model/fields.ts';
import type { Family } from '../model/key.ts';
import { keyIn, langOf } from '../model/key.ts';
import type { DesiredRecord } from '../model/record.ts';
import type { Change } from '../plan/plan.ts';
import type { Decision, RemoteSide } from '../plan/reconcile.ts';
import { reconcile } from '../plan/reconcile.ts';
import { RemoteError } from '../remote/error.ts';
import { readMany, stopsEverything } from '../remote/read-state.ts';
import type { WriteOptions } from '../remote/remote.ts';
import type { Result } from './report.ts';
import type { Run } from './run.ts';
import {
  READ_AGE_MAX_MS,
  baseAfterWrite,
  conditionOf,
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
const LATE_MAX = 10;

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
  let absentAtMs = run.startMs;
  let late = 0;
  let lastError: RemoteError | undefined;
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    if (attempt > 1) await run.clock.sleep(run.random() * 200 * 2 ** attempt, run.signal);
    if (side === undefined || !isFresh(side, run)) {
      side = await readAgain(change, id, run);
      absentAtMs = run.clock.now();
    }
    const decision = reconcile({ file: owned, base, remote: side }, run.input.choices);
    const end = await endWithoutWrite(decision, { change, desired, owned, id }, run);
    if (end !== undefined) return end;
    const fields = fieldsFor(decision, side, desired, owned, run);
    if (fields === undefined)
      return resultOf(change, 'skipped', `cannot be written now: ${decision.verdict}`);
    try {
      const lang = langOf(change.key);
      const written = await run.remote.edit(change.kind, id, lang, fields, condition(side, absentAtMs, run));
      const record = baseAfterWrite(change, desired, owned, id, run);
      noteWritten(run, record, fields, written);
      // Before the record: a death between the two then leaves a file that differs from its base, which is read.
      if (decision.verdict === 'update' && decision.drift.length > 0) await noteDrift(desired.family, run);
      await run.journal.note(record);
      return resultOf(change, 'done', change.action === 'create' ? 'created' : 'updated', id);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      if (stopsEverything(error)) run.stop = error.message;
      if (!mayTryAgain(error))
        return resultOf(change, error.code === 'aborted' ? 'pending' : 'failed', error.message, id);
      lastError = error;
      side = undefined;
      // Not sent, because its turn came too late: no try was made.
      if (error.code === 'stale' && error.status === undefined && late < LATE_MAX) {
        late += 1;
        attempt -= 1;
      }
    }
  }
  return outOfTries(change, lastError, id);
}

function plannedSide(change: Change, run: Run): RemoteSide {
  return run.input.remote.get(change.key) ?? { state: 'absent' };
}

function isFresh(side: RemoteSide, run: Run): boolean {
  const refusesStale = run.remote.capabilities()['if-match'] === 'yes';
  if (side.state === 'absent') return refusesStale || run.clock.now() - run.startMs <= READ_AGE_MAX_MS;
  if (side.state !== 'known') return false;
  const { etag, readAtMs } = side.record;
  return (etag !== undefined && refusesStale) || run.clock.now() - readAtMs <= READ_AGE_MAX_MS;
}

/** What the service shall check itself: that nobody wrote since the read, or made a translation where none was. */
function condition(side: RemoteSide, absentAtMs: number, run: Run): WriteOptions {
  if (side.state === 'known') return conditionOf(side.record, run);
  if (run.remote.capabilities()['if-match'] === 'yes') return { ifNoneMatch: '*' };
  return { staleAtMs: absentAtMs + READ_AGE_MAX_MS };
}

async function readAgain(change: Change, id: string, run: Run): Promise<RemoteSide> {
  const planned = plannedSide(change, run);
  if (isBlind(change, planned, run)) return planned;
  const want = { name: 0, kind: change.kind, id, lang: readLang(change.key, run) };
  const read = (await readMany(run.remote, [want], 1)).get(0);
  if (read === undefined) return { state: 'unknown', why: 'it could not be read' };
  return read.state === 'unreadable' && isBlind(change, planned, run) ? planned : sideOf(read);
}

/**
 * Whether a translation is written without being read, because the service shows none: an edit with `lang` makes or
 * replaces it whole, so that it may be repeated, and the plan has decided that it may be written.
 */
function isBlind(change: Change, planned: RemoteSide, run: Run): boolean {
  return (
    change.isTranslation === true &&
    run.remote.capabilities()['read-lang'] === 'no' &&
    (planned.state === 'absent' || planned.state === 'base' || planned.state === 'unreadable')
  );
}

interface Target {
  readonly change: Change;
  readonly desired: DesiredRecord;
  readonly owned: Fields;
  readonly id: string;
}

/** The result, when the fresh read shows that nothing is to be written (any more). */
async function endWithoutWrite(
  decision: Decision,
  { change, desired, owned, id }: Target,
  run: Run,
): Promise<Result | undefined> {
  switch (decision.verdict) {
    case 'adopt':
    case 'unchanged': {
      const record = baseAfterWrite(change, desired, owned, id, run);
      run.records.set(change.key, record);
      run.written.set(change.key, owned);
      // An earlier try of ours may have arrived after all.
      await run.journal.note(record);
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
  if (decision.verdict === 'update' && !desired.isOriginal) return fieldsToCreate(desired, owned, run);
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

/**
 * No list need show this edit of somebody else's, and what the lists show is remembered with the original: from now on it
 * is not trusted, also when the run dies here.
 */
async function noteDrift(family: Family, run: Run): Promise<void> {
  run.drifted.add(family);
  const original = run.records.get(keyIn(family, run.desired.defaultLanguage));
  if (original === undefined) return;
  const { seen: _, ...unseen } = original;
  run.records.set(original.key, unseen);
  await run.journal.note(unseen);
}
