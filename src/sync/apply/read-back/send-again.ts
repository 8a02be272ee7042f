import pLimit from 'p-limit';
import { same } from '../../../model/digest.ts';
import { bodyFieldOf, nameFieldOf } from '../../../model/fields.ts';
import type { Fields } from '../../../model/fields.ts';
import type { Key } from '../../../model/key.ts';
import { familyOf, isOriginal, keyIn, langOf } from '../../../model/key.ts';
import type { KnownRecord } from '../../../model/record.ts';
import { splitStamp } from '../../../model/stamp.ts';
import { RemoteError } from '../../../remote/error.ts';
import { baseValuesOf } from '../../../plan/compare.ts';
import { readMany, stopsEverything } from '../../../remote/read-many.ts';
import type { ReadOutcome } from '../../../remote/read-many.ts';
import type { Result } from '../../report.ts';
import { sharesTexts } from '../../own-edits.ts';
import type { Run } from '../../run.ts';
import { conditionOf, READ_JUST_NOW_MS, readLang } from '../../run.ts';
import { changedFields, isAtOnce, learnHabits } from './learn-habits.ts';

const TRIES_MAX = 3;

/**
 * Some services make a translation as a copy of its original, whatever the edit that asks for it says; the next edit fills
 * it. So what was made in this run and shows its original word for word is sent once more. What stays a copy has failed, and
 * its base says so: the next run sends it. Returns what the records show then.
 */
export async function withoutCopies(
  reads: ReadonlyMap<Key, ReadOutcome>,
  results: Map<Key, Result>,
  run: Run,
): Promise<ReadonlyMap<Key, ReadOutcome>> {
  const now = new Map(reads);
  for (const [key, read] of reads) {
    const result = results.get(key);
    const original = reads.get(keyIn(familyOf(key), run.desired.defaultLanguage));
    const isMade = result?.action === 'create' && result.outcome === 'done' && !isOriginal(key, run.desired);
    if (!isMade || read.state !== 'found' || original?.state !== 'found') continue;
    if (!isCopy(read.record, original.record, run.written.get(key) ?? {})) continue;
    const { shown, why } = await filled(key, { copy: read.record, original: original.record }, run);
    now.set(key, shown);
    if (why === undefined) continue;
    rememberCopy(key, read.record, run);
    const message = `the service made it as a copy of its original and does not have its own text yet: ${why}; run again`;
    results.set(key, { ...result, outcome: 'failed', message, hasWritten: true });
  }
  return now;
}

function isCopy(shown: KnownRecord, original: KnownRecord, sent: Fields): boolean {
  const names = [nameFieldOf(shown.kind), bodyFieldOf(shown.kind)];
  const differs = (name: string): boolean => {
    const value = sent[name];
    if (value === undefined) return false;
    const ours = typeof value === 'string' ? splitStamp(value).body : value;
    return !same(ours, original.fields[name] ?? null);
  };
  return sharesTexts(shown, original) && names.some(differs);
}

/** `why`: it is still a copy. Many copies take their time, so each try stands on a read of its own. */
async function filled(
  key: Key,
  { copy, original }: { readonly copy: KnownRecord; readonly original: KnownRecord },
  run: Run,
): Promise<{ readonly shown: ReadOutcome; readonly why?: string }> {
  const fields = run.written.get(key) ?? {};
  const want = { name: key, kind: copy.kind, id: copy.id, lang: langOf(key) };
  let shown: ReadOutcome = { state: 'found', record: copy };
  let why = 'the run was stopped';
  for (let tries = 0; tries < TRIES_MAX && run.signal?.aborted !== true; tries += 1) {
    if (shown.state !== 'found' || !isCopy(shown.record, original, fields)) return { shown };
    const refusal = await sendOnce(key, shown.record, run);
    why = refusal?.message ?? 'it was sent again, and the service still shows the original';
    const isFinal = refusal?.code === 'rejected' || refusal?.code === 'forbidden';
    if (isFinal || (refusal !== undefined && stopsEverything(refusal))) break;
    shown = (await readMany(run.remote, [want], 1)).get(key) ?? shown;
  }
  const isStill = shown.state === 'found' && isCopy(shown.record, original, fields);
  return isStill ? { shown: { state: 'failed', why }, why } : { shown };
}

/** The file differs from this, so the next run sends it. */
function rememberCopy(key: Key, { kind, fields }: KnownRecord, run: Run): void {
  const record = run.records.get(key);
  if (record === undefined) return;
  const { input: _, forms: __, observed: ___, ...rest } = record;
  const shown = Object.entries(fields).filter(([name]) => name in record.sent);
  run.records.set(key, { ...rest, sent: { ...rest.sent, ...baseValuesOf(kind, Object.fromEntries(shown)) } });
}

export interface SentAgain {
  /** What the records show then. */
  readonly reads: ReadonlyMap<Key, ReadOutcome>;
  /** Records that were sent once more: a list that was read before says nothing of them. */
  readonly sent: ReadonlySet<Key>;
}

/** Whether a record is shown as a draft that was made to be published, or the other way round: some services do so with whatever is created. */
export function isMadeOther(key: Key, shown: KnownRecord, result: Result | undefined, run: Run): boolean {
  const status = statusMade(key, result, run);
  return status !== undefined && isOpposite(status, shown);
}

/** The status with which this run made the record. */
function statusMade(key: Key, result: Result | undefined, run: Run): string | undefined {
  const status = run.written.get(key)?.['status'];
  const isMade = result?.action === 'create' && result.outcome === 'done';
  return isMade && typeof status === 'string' ? status : undefined;
}

/**
 * Sends what the service made a draft of once more, as an edit, which publishes it; and what it published of drafts, which takes that
 * back. What stays a draft is told. A page that was read long after it was made may be as an editor wants it: it is sent too if
 * the service is proved to make such pages and nobody has edited this one. A draft that no list shows is not sent: it is the
 * proof that the list leaves drafts out, without which a lost create would be sent again.
 */
export async function withStatusSent(
  reads: ReadonlyMap<Key, ReadOutcome>,
  results: ReadonlyMap<Key, Result>,
  isListed: (key: Key) => boolean,
  run: Run,
): Promise<SentAgain> {
  const now = new Map(reads);
  const sent = new Set<Key>();
  const made = [...reads].flatMap(([key, read]) => {
    const status = read.state === 'found' ? statusMade(key, results.get(key), run) : undefined;
    return read.state === 'found' && status !== undefined ? [{ key, record: read.record, status }] : [];
  });
  const isOther = ({ status, record }: (typeof made)[number]): boolean => isOpposite(status, record);
  const other = made.filter(isOther);
  const atOnce = other.filter(({ key, record }) => isAtOnce(key, record, run));
  for (const { key, record } of atOnce) learnHabits(key, record, run);
  const isProved = (status: string): boolean => {
    const each = made.filter((one) => one.status === status);
    return atOnce.some((one) => one.status === status) || (each.length >= PAGES_MIN && each.every(isOther));
  };
  const proved = new Set(['published', 'draft'].filter(isProved));
  const again = async ({ key, record, status }: (typeof made)[number]): Promise<void> => {
    if (run.signal?.aborted === true || run.stop !== undefined) return;
    const want = { name: key, kind: record.kind, id: record.id, lang: readLang(key, run) };
    const look = async (): Promise<KnownRecord | undefined> => {
      const after = (await readMany(run.remote, [want], 1)).get(key);
      if (after !== undefined) now.set(key, after);
      return after?.state === 'found' ? after.record : undefined;
    };
    const isNew = isAtOnce(key, record, run) && run.clock.now() - record.readAtMs <= READ_JUST_NOW_MS;
    const shown = isNew ? record : await look();
    if (shown === undefined || !isOpposite(status, shown)) return;
    if (!isAtOnce(key, shown, run) && !isAsSent(key, shown, run)) return;
    sent.add(key);
    await sendOnce(key, shown, run);
    await look();
  };
  const limit = pLimit(run.policy.concurrencyMax);
  const own = other.filter(({ key, status }) => proved.has(status) && (status === 'draft' || isListed(key)));
  await Promise.all(own.map((one) => limit(() => again(one))));
  for (const { key, record, status } of other) {
    const shown = now.get(key);
    if (status === 'published' && shown?.state === 'found' && isOpposite(status, shown.record))
      run.lost.push({ kind: record.kind, key, lang: langOf(key), field: 'status', what: 'draft' });
  }
  return { reads: now, sent };
}

/** So many pages, and each one of the other status: no editor changes all of them while a run makes them. */
const PAGES_MIN = 3;

function isOpposite(sent: string, { fields }: KnownRecord): boolean {
  return fields['status'] === (sent === 'draft' ? 'published' : 'draft');
}

/** Whether nobody has edited it since, but for its status. */
function isAsSent(key: Key, shown: KnownRecord, run: Run): boolean {
  return Object.keys(changedFields(key, shown, run).foreign).every((name) => name === 'status');
}

/** Sends what this run sent before, over what was read. Returns why that failed. */
export async function sendOnce(key: Key, record: KnownRecord, run: Run): Promise<RemoteError | undefined> {
  try {
    const fields = run.written.get(key) ?? {};
    await run.remote.edit(record.kind, record.id, langOf(key), fields, conditionOf(record, run));
    run.writtenAtMs.set(key, run.clock.now());
    return undefined;
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (stopsEverything(error)) run.stop = error.message;
    return error;
  }
}
