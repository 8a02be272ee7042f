import type { Intent } from '../../../base/base.ts';
import { nameFieldOf } from '../../../model/fields.ts';
import { familyOf } from '../../../model/key.ts';
import type { RemoteId } from '../../../model/key.ts';
import type { Change } from '../../../plan/plan.ts';
import { RemoteError } from '../../../remote/error.ts';
import { isLongWait } from '../../../remote/http/retry.ts';
import { stopsEverything } from '../../../remote/read-many.ts';
import type { Result } from '../../report.ts';
import type { Run } from '../../run.ts';
import { desiredOf, enterId, newOperation, resultOf } from '../../run.ts';
import { noteWritten } from './dates.ts';
import { toldId } from './told-id.ts';
import { baseAfterWrite, fieldsToCreate, ownedNow, withoutOwned } from './fields.ts';
import { sentWords } from './journalled-edit.ts';
import { sendFiles } from './send-files.ts';
import { refusedSlugWords } from './slug-taken.ts';

/** A create that was sent and whose id is not known: the answer named none, or no clear answer came. */
export interface Unnamed {
  readonly change: Change;
  readonly intent: Intent;
  /** Whether the service said yes. */
  readonly confirmed: boolean;
  readonly why: string;
  /** The id that the answer named, and that no read has shown yet. */
  readonly told?: RemoteId;
  /** Why nobody could look for it. */
  readonly notLookedUp?: string;
}

/**
 * Creates an original. The intent is durable before the request leaves; the request is sent once. A clear no ends
 * the intent; anything else leaves it open until the record is found or proved not to be there.
 */
export async function createOriginal(change: Change, run: Run): Promise<Result | Unnamed> {
  const desired = desiredOf(change, run);
  // A service that names the id in its answer leaves nothing to look for by the text.
  const isNamed = run.remote.capabilities().location === 'yes';
  const owned = ownedNow(desired, run, isNamed ? 'last' : undefined);
  const notKept = await sendFiles(change, run);
  if (notKept !== undefined) return notKept;
  const fields = fieldsToCreate(desired, owned, run);
  const op = newOperation(run);
  const intent = { ...intentOf(op, change, run), ...sentWords(change.kind, { owned }, run) };
  await run.journal.intend(intent, { record: undefined, after: withoutOwned(fields, owned) });
  try {
    const created = await run.remote.create(change.kind, fields, { idempotencyKey: op });
    const unnamed = { change, intent, confirmed: true } as const;
    if (created.id === undefined) return { ...unnamed, why: 'the answer names no id' };
    const told = await toldId(created.id, change, run);
    if (told === 'wrong') return { ...unnamed, why: 'the id in the answer is that of another record' };
    if (told === 'unseen')
      return { ...unnamed, told: created.id, why: 'no record is shown under the id in the answer' };
    const record = baseAfterWrite(change, desired, owned, created.id, run);
    enterId(desired.family, created.id, run);
    noteWritten(run, record, fields, created);
    await run.journal.end(op, record);
    return resultOf(change, 'done', 'created', created.id);
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (stopsEverything(error)) run.stop = error.message;
    if (mayHaveArrived(error)) return { change, intent, confirmed: false, why: error.message };
    await run.journal.end(op, undefined);
    const outcome = error.code === 'aborted' || isLongWait(error) ? 'skipped' : 'failed';
    return resultOf(change, outcome, refusedSlugWords(change, error, run));
  }
}

/**
 * `aborted` is said only of a request that was not on its way: not begun yet, or waiting for another try after one that
 * never left or was refused with 429. A write that was on its way when the run was interrupted is `unclear`.
 */
function mayHaveArrived({ code }: RemoteError): boolean {
  return code === 'unclear' || code === 'not-understood';
}

function intentOf(op: string, change: Change, run: Run): Intent {
  return {
    op,
    action: 'create',
    key: change.key,
    name: change.name,
    slug: change.slug,
    atMs: run.clock.now(),
    ...(run.vouchedFor.has(change.key) ? { again: true } : {}),
  };
}

/** Enters a create whose record was found afterwards. */
export async function enterFound({ change, intent }: Unnamed, id: string, run: Run): Promise<Result> {
  const desired = desiredOf(change, run);
  const owned = ownedNow(desired, run);
  const record = baseAfterWrite(change, desired, owned, id, run);
  enterId(familyOf(change.key), id, run);
  noteWritten(run, record, fieldsToCreate(desired, owned, run), undefined);
  await run.journal.end(intent.op, record);
  return resultOf(change, 'done', 'created', id);
}

export function nameSent(change: Change, run: Run): string {
  const name = desiredOf(change, run).fields[nameFieldOf(change.kind)];
  return typeof name === 'string' ? name : change.name;
}
