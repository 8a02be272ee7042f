import type { Intent } from '../../../base/base.ts';
import type { KnownFields } from '../../../model/fields.ts';
import type { Family } from '../../../model/key.ts';
import { nameFieldOf } from '../../../model/fields.ts';
import { keyIn, langOf } from '../../../model/key.ts';
import type { BaseRecord } from '../../../model/record.ts';
import { seenAs } from '../../../model/record.ts';
import type { Change } from '../../../plan/plan.ts';
import type { Decision } from '../../../plan/reconcile.ts';
import type { RemoteSide } from '../../../plan/sides.ts';
import { reconcile } from '../../../plan/reconcile.ts';
import { ruleOf } from '../../../plan/selection.ts';
import { RemoteError } from '../../../remote/error.ts';
import { isLongWait } from '../../../remote/http/retry.ts';
import { stopsEverything } from '../../../remote/read-many.ts';
import type { Result } from '../../report.ts';
import type { Run } from '../../run.ts';
import { desiredOf, resultOf, waysOf } from '../../run.ts';
import { checkedEcho } from './check-echo.ts';
import { noteWritten } from './dates.ts';
import { baseAfterWrite, ownedNow } from './fields.ts';
import { sendFiles } from './send-files.ts';
import { refusedSlugWords } from './slug-taken.ts';
import { isMadeSlug } from '../../made-slug.ts';
import { afterOwnEdits } from '../../own-edits.ts';
import type { Saying } from './journalled-edit.ts';
import { sayOnce, intentOf, overwritten } from './journalled-edit.ts';
import { plannedSide, isFresh, condition, readAgain } from './fresh-side.ts';
import { fieldsToSend } from './edited-fields.ts';
import type { Target } from './edited-fields.ts';
import type { Written } from '../../../remote/remote.ts';

const TRIES_MAX = 3;

const LATE_MAX = 10;

/** So often a read is repeated that was too old, counted from the moment when it was sent. */
const LATE_STRICT = 3;

/**
 * Writes a record that has an id: an edit of an original, or an edit with `lang` that makes or changes a translation.
 * Every try decides again from a read that is fresh, so an edit that landed in between is never overwritten, and an
 * edit of ours that was carried out although its answer was lost is recognised: by a later try, or by the next run.
 */
export async function writeEdit(change: Change, run: Run): Promise<Result> {
  const saying = sayOnce(run);
  try {
    return await tryToWrite(change, run, saying);
  } finally {
    const open = saying.open();
    if (open !== undefined) run.open.push(open);
  }
}

async function tryToWrite(change: Change, run: Run, saying: Saying): Promise<Result> {
  const desired = desiredOf(change, run);
  const id = run.ids.get(desired.family);
  if (id === undefined) return resultOf(change, 'skipped', 'its original was not created');
  const target = { change, desired, owned: ownedNow(desired, run), id };
  const notKept = await sendFiles(change, run);
  if (notKept !== undefined) return notKept;
  const before = run.records.get(change.key) ?? run.input.stamped.get(change.key);
  let side: RemoteSide | undefined = plannedSide(change, run);
  let absentAtMs = run.startMs;
  let tries = 0;
  let late = 0;
  let lastError: RemoteError | undefined;
  let mayBeDone = false;
  while (tries < TRIES_MAX) {
    if (tries > 0) await run.clock.sleep(run.random() * 400 * 2 ** tries, run.signal);
    const isStrict = late < LATE_STRICT;
    if (side === undefined || !isFresh(side, run)) {
      const sentAtMs = run.clock.now();
      side = await readAgain(change, { id, before, intent: saying.open() }, run);
      absentAtMs = isStrict ? sentAtMs : run.clock.now();
    }
    const base = baseAfterTries(before, saying.open(), side, run);
    const sides = { file: target.owned, base, remote: side, rule: ruleOf(change.key, run.input) };
    const decision = reconcile(sides, run.input.choices, waysOf(run));
    const isArrived = isOwnSlug(decision, side, { target, intent: saying.open() });
    const end = endWithoutWrite(
      isArrived ? { verdict: 'unchanged' } : decision,
      { target, base, sent: saying.sent() },
      run,
    );
    if (end !== undefined) {
      await endSaying(end, { decision, base }, saying, run);
      return end;
    }
    const fields = await fieldsToSend(decision, side, target, run);
    if ('outcome' in fields) return fields;
    const read = side;
    try {
      await saying.intend(
        () => intentOf(target, read, run),
        fields.sent,
        overwritten(decision, side, { owned: target.owned, fields: fields.sent }),
      );
      const under = condition(side, { absentAtMs, isStrict }, run);
      const lang = langOf(change.key);
      const written = await run.remote.edit(change.kind, id, lang, fields.sent, under);
      return await endOfWrite(target, { decision, side, fields: fields.sent, written }, saying, run);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      const failed = await endOfError(error, { target, mayBeDone }, saying, run);
      if (failed !== undefined) return failed;
      lastError = error;
      mayBeDone ||= !isClearNo(error);
      side = undefined;
      // Not sent, because its turn came too late: no try was made.
      const isLate = error.code === 'stale' && error.status === undefined && late < LATE_MAX;
      if (isLate) late += 1;
      else tries += 1;
    }
  }
  return outOfTries(change, lastError, id);
}

/** The read shows what became of our earlier try: not carried out, or overwritten since. If nothing could be read, that stays open. */
async function endSaying(
  end: Result,
  { decision, base }: { readonly decision: Decision; readonly base: BaseRecord | undefined },
  saying: Saying,
  run: Run,
): Promise<void> {
  if (end.outcome === 'done') return saying.end(run.records.get(end.key));
  if (decision.verdict === 'unknown' || saying.open() === undefined) return;
  if (base !== undefined) run.records.set(end.key, base);
  return saying.end(base);
}

interface Sent {
  readonly decision: Decision;
  readonly side: RemoteSide;
  readonly fields: KnownFields;
  readonly written: Written;
}

/** The service has said that it carried the edit out. */
async function endOfWrite(
  { change, desired, owned, id }: Target,
  { decision, side, fields, written }: Sent,
  saying: Saying,
  run: Run,
): Promise<Result> {
  const record = baseAfterWrite(change, desired, owned, id, run);
  noteWritten(run, record, fields, written);
  const echo = side.state === 'known' ? await checkedEcho(change, side.record, fields, run) : undefined;
  // Noted before the record: after a crash between the two, the file differs from its base, so the next run reads the record.
  if (decision.verdict === 'update' && decision.drift.length > 0) await dropFingerprint(desired.family, run);
  await saying.end(record);
  if (echo !== undefined) return resultOf(change, 'failed', echo, id);
  return resultOf(change, 'done', change.action === 'create' ? 'created' : 'updated', id);
}

/** The result, if another try would be of no use. `mayBeDone`: an earlier try may have been carried out. */
async function endOfError(
  error: RemoteError,
  { target: { change, id }, mayBeDone }: { readonly target: Target; readonly mayBeDone: boolean },
  saying: Saying,
  run: Run,
): Promise<Result | undefined> {
  const { code, message } = error;
  if (stopsEverything(error)) run.stop = message;
  const isNo = code === 'rejected' || code === 'forbidden' || (code !== 'unclear' && stopsEverything(error));
  if (isNo && !mayBeDone) await saying.end(run.records.get(change.key));
  if (isLongWait(error) && code !== 'unclear') return resultOf(change, 'skipped', message, id);
  if (mayTryAgain(error)) return undefined;
  if (code === 'aborted') return resultOf(change, 'pending', message, id);
  return resultOf(change, 'failed', refusedSlugWords(change, error, run), id);
}

function baseAfterTries(
  base: BaseRecord | undefined,
  intent: Intent | undefined,
  side: RemoteSide,
  run: Run,
): BaseRecord | undefined {
  if (intent === undefined || side.state !== 'known') return base;
  return afterOwnEdits(base, [intent], side.record, waysOf(run));
}

/** Whether an earlier try of ours was carried out, and the service made another slug of the one that was sent. */
function isOwnSlug(
  decision: Decision,
  side: RemoteSide,
  {
    target: { desired, owned, id },
    intent,
  }: { readonly target: Target; readonly intent: Intent | undefined },
): boolean {
  if (intent === undefined || side.state !== 'known' || decision.verdict !== 'drift') return false;
  const { slug } = side.record.fields;
  const isAlone = decision.drift.every((name) => name === 'slug');
  return (
    isAlone &&
    typeof slug === 'string' &&
    isMadeSlug(slug, [owned['slug'], owned[nameFieldOf(desired.kind)]], id)
  );
}

/** The result, if the fresh read shows that there is nothing to write. */
function endWithoutWrite(
  decision: Decision,
  {
    target: { change, desired, owned, id },
    base,
    sent,
  }: {
    readonly target: Target;
    readonly base: BaseRecord | undefined;
    readonly sent: KnownFields | undefined;
  },
  run: Run,
): Result | undefined {
  switch (decision.verdict) {
    case 'adopt':
    case 'unchanged': {
      const written = baseAfterWrite(change, desired, owned, id, run);
      const record = { ...(base?.observed === undefined ? {} : { observed: base.observed }), ...written };
      run.records.set(change.key, record);
      run.written.set(change.key, sent ?? owned);
      return resultOf(change, 'done', 'already matches the file', id);
    }
    case 'unknown':
      return resultOf(change, 'pending', `it could not be read before the write: ${decision.why}`, id);
    case 'conflict':
    case 'drift':
    case 'acknowledge':
    case 'delete':
    case 'keep':
    case 'protected':
    case 'forget':
    case 'nothing':
    case 'taken':
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

/** Never sent, or refused without a doubt. */
function isClearNo({ code, status }: RemoteError): boolean {
  return code === 'stale' || code === 'not-sent' || status === 429;
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
 * Somebody else's edit may be missing from the lists, and their fingerprint is kept with the original. So from now on the
 * fingerprint is not trusted, even if the run dies here.
 */
async function dropFingerprint(family: Family, run: Run): Promise<void> {
  run.drifted.add(family);
  const original = run.records.get(keyIn(family, run.desired.defaultLanguage));
  if (original === undefined) return;
  const unseen = seenAs(original, undefined);
  run.records.set(original.key, unseen);
  await run.journal.note(unseen);
}
