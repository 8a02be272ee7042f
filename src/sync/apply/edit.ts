import type { Intent, Overwritten } from '../../base/base.ts';
import { meaningDigest } from '../../model/difference.ts';
import { bodyFieldOf, fieldsOf, isNothing, nameFieldOf } from '../../model/fields.ts';
import type { KnownFields } from '../../model/fields.ts';
import type { Family } from '../../model/key.ts';
import { familyOf, keyIn, langOf, isOriginal } from '../../model/key.ts';
import type { BaseRecord, DesiredRecord, KnownRecord } from '../../model/record.ts';
import { seenAs } from '../../model/record.ts';
import type { Change } from '../../plan/plan.ts';
import { baseValuesOf } from '../../plan/compare.ts';
import { formedType } from '../../plan/likeness.ts';
import type { Decision, RemoteSide } from '../../plan/reconcile.ts';
import { reconcile, remoteIsBase } from '../../plan/reconcile.ts';
import { ruleOf } from '../../plan/selection.ts';
import { RemoteError } from '../../remote/error.ts';
import { isLongWait } from '../../remote/http/retry.ts';
import { readMany, stopsEverything } from '../../remote/read-many.ts';
import type { WriteOptions } from '../../remote/remote.ts';
import type { Result } from '../report.ts';
import type { Run } from '../run.ts';
import { READ_AGE_MAX_MS, READ_JUST_NOW_MS, conditionOf, desiredOf } from '../run.ts';
import { newOperation, readLang, resultOf, waysOf } from '../run.ts';
import { isSharedField } from '../../plan/shared-fields.ts';
import { readOriginal } from './check-original.ts';
import { checkedEcho } from './check-echo.ts';
import { noteWritten } from './dates.ts';
import { baseAfterWrite, echoOf, fieldsToCreate, fieldsToEdit, ownedNow, withoutOwned } from './fields.ts';
import { sendFiles } from './send-files.ts';
import { readListed } from '../survey/sides/denied.ts';
import { asListed, readRecord, sideOf } from '../side.ts';
import { afterOwnEdits } from '../own-edits.ts';

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

/** What the journal is told of one edit, however many tries it takes. */
interface Saying {
  /** What was said, while its end is not known. */
  readonly open: () => Intent | undefined;
  /** Durable before the first try leaves. */
  readonly intend: (intent: () => Intent, over: Overwritten | undefined) => Promise<void>;
  readonly end: (record: BaseRecord | undefined) => Promise<void>;
}

function sayOnce({ journal }: Run): Saying {
  let said: Intent | undefined;
  return {
    open: () => said,
    async intend(intent, over) {
      if (said !== undefined) return;
      const first = intent();
      await journal.intend(first, over);
      said = first;
    },
    async end(record) {
      if (said !== undefined) await journal.end(said.op, record);
      else if (record !== undefined) await journal.note(record);
      said = undefined;
    },
  };
}

async function tryToWrite(change: Change, run: Run, saying: Saying): Promise<Result> {
  const desired = desiredOf(change, run);
  const owned = ownedNow(desired, run);
  const id = run.ids.get(desired.family);
  if (id === undefined) return resultOf(change, 'skipped', 'its original was not created');
  const notKept = await sendFiles(change, run);
  if (notKept !== undefined) return notKept;
  const before = run.records.get(change.key) ?? run.input.stamped.get(change.key);
  let side: RemoteSide | undefined = plannedSide(change, run);
  let absentAtMs = run.startMs;
  let tries = 0;
  let late = 0;
  let lastError: RemoteError | undefined;
  while (tries < TRIES_MAX) {
    if (tries > 0) await run.clock.sleep(run.random() * 400 * 2 ** tries, run.signal);
    if (side === undefined || !isFresh(side, run)) {
      const sentAtMs = run.clock.now();
      side = await readAgain(change, { id, before, intent: saying.open() }, run);
      absentAtMs = late < LATE_STRICT ? sentAtMs : run.clock.now();
    }
    const base = baseAfterTries(before, saying.open(), side, run);
    const sides = { file: owned, base, remote: side, rule: ruleOf(change.key, run.input) };
    const decision = reconcile(sides, run.input.choices, waysOf(run));
    const end = endWithoutWrite(decision, { change, desired, owned, id }, run);
    if (end !== undefined) {
      if (end.outcome === 'done') await saying.end(run.records.get(change.key));
      // The read shows what became of our earlier try: not carried out, or overwritten since. If nothing could be read, that stays open.
      else if (decision.verdict !== 'unknown' && saying.open() !== undefined) {
        if (base !== undefined) run.records.set(change.key, base);
        await saying.end(base);
      }
      return end;
    }
    const shared = side.state === 'known' ? {} : await sharedValues(change, run);
    const begun = side.state === 'absent' ? await beginningOf(change, side.copy, run) : {};
    if (shared === undefined || begun === undefined)
      return resultOf(change, 'pending', 'its original could not be read before the write', id);
    const fields = fieldsFor(decision, side, { desired, owned, shared, begun }, run);
    if (fields === undefined)
      return resultOf(change, 'skipped', `cannot be written now: ${decision.verdict}`);
    try {
      const lang = langOf(change.key);
      await saying.intend(
        () => intentOf(change, id, owned, run),
        overwritten(decision, side, { owned, fields }),
      );
      const written = await run.remote.edit(
        change.kind,
        id,
        lang,
        fields,
        condition(side, { absentAtMs, isStrict: late < LATE_STRICT }, run),
      );
      const record = baseAfterWrite(change, desired, owned, id, run);
      noteWritten(run, record, fields, written);
      const echo = side.state === 'known' ? await checkedEcho(change, side.record, fields, run) : undefined;
      // Noted before the record: after a crash between the two, the file differs from its base, so the next run reads the record.
      if (decision.verdict === 'update' && decision.drift.length > 0)
        await dropFingerprint(desired.family, run);
      await saying.end(record);
      if (echo !== undefined) return resultOf(change, 'failed', echo, id);
      return resultOf(change, 'done', change.action === 'create' ? 'created' : 'updated', id);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      if (stopsEverything(error)) run.stop = error.message;
      const { code } = error;
      const isNo =
        code === 'rejected' || code === 'forbidden' || (code !== 'unclear' && stopsEverything(error));
      // A clear no, or never sent; an earlier try may still have been carried out.
      if (isNo && lastError === undefined) await saying.end(run.records.get(change.key));
      if (isLongWait(error) && code !== 'unclear') return resultOf(change, 'skipped', error.message, id);
      if (!mayTryAgain(error))
        return resultOf(change, code === 'aborted' ? 'pending' : 'failed', error.message, id);
      lastError = error;
      side = undefined;
      // Not sent, because its turn came too late: no try was made.
      const isLate = code === 'stale' && error.status === undefined && late < LATE_MAX;
      if (isLate) late += 1;
      else tries += 1;
    }
  }
  return outOfTries(change, lastError, id);
}

function intentOf(change: Change, id: string, owned: KnownFields, run: Run): Intent {
  const { key, kind, name, slug } = change;
  const isKept = run.remote.capabilities()['keeps-html'] === 'yes';
  const { origin } = run.input.base;
  const meanings = Object.entries(isKept ? {} : owned).flatMap(([field, value]) => {
    const type = formedType({ kind, name: field });
    const meaning = type === undefined ? undefined : meaningDigest(type, value, { origin });
    return meaning === undefined ? [] : [[field, meaning] as const];
  });
  return {
    op: newOperation(run),
    action: 'update',
    key,
    id,
    name,
    slug,
    atMs: run.clock.now(),
    sent: baseValuesOf(kind, owned),
    meanings: Object.fromEntries(meanings),
  };
}

function overwritten(
  decision: Decision,
  side: RemoteSide,
  { owned, fields }: { readonly owned: KnownFields; readonly fields: KnownFields },
): Overwritten | undefined {
  if (side.state === 'absent') {
    const begun = withoutOwned(fields, owned);
    return { record: side.copy, after: side.copy === undefined ? begun : { ...begun, ...owned } };
  }
  if (side.state !== 'known' || decision.verdict !== 'update') return undefined;
  const after = Object.entries(owned).filter(([name]) => decision.fields.includes(name));
  return { record: side.record, after: Object.fromEntries(after) };
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

function plannedSide(change: Change, run: Run): RemoteSide {
  return run.input.remote.get(change.key) ?? { state: 'absent' };
}

function isFresh(side: RemoteSide, run: Run): boolean {
  const refusesStale = run.remote.capabilities()['if-match'] === 'yes';
  if (side.state === 'absent' && side.copy === undefined)
    return refusesStale || run.clock.now() - run.startMs <= READ_AGE_MAX_MS;
  const record = readRecord(side);
  if (record === undefined) return false;
  const { etag, readAtMs, tookMs = 0 } = record;
  return (etag !== undefined && refusesStale) || run.clock.now() - readAtMs - tookMs <= READ_JUST_NOW_MS;
}

/**
 * What the service itself is to check: nobody has written since the read, or nobody has made this translation. The age of a read
 * counts from the moment when it was sent. If several were too old for that, it counts from the answer: the service is that slow.
 */
function condition(
  side: RemoteSide,
  { absentAtMs, isStrict }: { readonly absentAtMs: number; readonly isStrict: boolean },
  run: Run,
): WriteOptions {
  const record = readRecord(side);
  if (record !== undefined) return conditionOf(isStrict ? { ...record, tookMs: 0 } : record, run);
  if (run.remote.capabilities()['if-match'] === 'yes') return { ifNoneMatch: '*' };
  return { staleAtMs: absentAtMs + READ_AGE_MAX_MS };
}

interface Expected {
  readonly id: string;
  readonly before: BaseRecord | undefined;
  /** An earlier try of ours whose answer was lost: the service may show what it sent. */
  readonly intent: Intent | undefined;
}

async function readAgain(change: Change, { id, before, intent }: Expected, run: Run): Promise<RemoteSide> {
  const planned = plannedSide(change, run);
  if (isBlind(change, planned, run)) return planned;
  const want = { name: 0, kind: change.kind, id, lang: readLang(change.key, run) };
  const read =
    before === undefined ? (await readMany(run.remote, [want], 1)).get(0) : await readListed(want, run);
  const sent = intent === undefined ? [] : [intent];
  const base = read?.state === 'found' ? afterOwnEdits(before, sent, read.record, waysOf(run)) : before;
  const file = run.desired.records.get(change.key);
  const original = keyIn(familyOf(change.key), run.desired.defaultLanguage);
  const of = {
    repository: run.repository,
    base,
    file,
    isOriginal: change.key === original,
    original: {
      base: run.records.get(original),
      file: run.desired.records.get(original),
      ways: waysOf(run),
    },
  };
  if (read === undefined) return { state: 'unknown', why: 'it could not be read' };
  // Asked for a missing translation, the service shows another language, as it did for the plan.
  const isNone = change.isTranslation === true && base === undefined && planned.state === 'absent';
  const isUnshown = read.state === 'unreadable' && (isNone || isBlind(change, planned, run));
  return isUnshown ? planned : asListed(sideOf(read, of), planned);
}

/**
 * Whether a translation is written without being read, because the service shows none: an edit with `lang` makes or
 * replaces it whole, so it may be repeated, and the plan has decided that it may be written.
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
  readonly owned: KnownFields;
  readonly id: string;
}

/** The result, if the fresh read shows that there is nothing to write. */
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

interface Sending {
  readonly desired: DesiredRecord;
  readonly owned: KnownFields;
  /** What a translation has from its original. */
  readonly shared: KnownFields;
  /** What a new translation begins with. */
  readonly begun: KnownFields;
}

function fieldsFor(
  decision: Decision,
  side: RemoteSide,
  { desired, owned, shared, begun }: Sending,
  run: Run,
): KnownFields | undefined {
  if (decision.verdict === 'update' && side.state === 'known') {
    return fieldsToEdit(desired, owned, side.record, decision.fields, run);
  }
  // An original that is absent cannot be edited into being; a translation can.
  const isWhole = !desired.isOriginal && (decision.verdict === 'update' || decision.verdict === 'create');
  return isWhole ? { ...begun, ...fieldsToCreate(desired, owned, run), ...shared } : undefined;
}

/** The original's values of what the service keeps once for all languages; undefined: it could not be read. */
async function sharedValues(change: Change, run: Run): Promise<KnownFields | undefined> {
  const { kind, key } = change;
  const names = [...fieldsOf(kind).keys()].filter((name) =>
    isSharedField(kind, name, run.remote.capabilities()),
  );
  if (isOriginal(key, run.desired) || names.length === 0) return {};
  const original = await readOriginal(change, run);
  if (original === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(original.fields).filter(([name, value]) => names.includes(name) && value !== null),
  );
}

/**
 * A new translation is a copy of its original, says the API. A service that keeps a field once for all languages, and empties
 * what a write leaves out, would empty the original's: so what the original has and no file says is sent along. Undefined: the
 * original could not be read. Of a copy that is there, its own: an editor may have set what no file says.
 */
async function beginningOf(
  change: Change,
  copy: KnownRecord | undefined,
  run: Run,
): Promise<KnownFields | undefined> {
  const { kind, key } = change;
  const isSpared = copy === undefined && run.remote.capabilities()['edit-lang'] === 'yes';
  if (isOriginal(key, run.desired) || isSpared) return {};
  const original = keyIn(familyOf(key), run.desired.defaultLanguage);
  const side = run.input.remote.get(original);
  const isMadeNow = side === undefined || side.state === 'absent';
  const shown =
    copy ?? (side?.state === 'known' ? side.record : isMadeNow ? undefined : await readOriginal(change, run));
  if (shown === undefined && !isMadeNow) return undefined;
  const before = run.input.base.records.get(original);
  const isEdited = (name: string): boolean =>
    copy !== undefined && before !== undefined && !remoteIsBase(name, before, copy.fields[name]);
  const written = Object.entries(run.written.get(original) ?? {}).filter(([name]) => !isEdited(name));
  const fields: KnownFields = { ...shown?.fields, ...Object.fromEntries(written) };
  const own = new Set([nameFieldOf(kind), bodyFieldOf(kind), 'slug']);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined || own.has(name) || isNothing(value)
        ? []
        : [[name, echoOf(kind, name, value, run)]],
    ),
  );
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
