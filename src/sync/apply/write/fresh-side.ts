import type { Intent } from '../../../base/base.ts';
import { familyOf, keyIn } from '../../../model/key.ts';
import type { BaseRecord } from '../../../model/record.ts';
import type { Change } from '../../../plan/plan.ts';
import type { RemoteSide } from '../../../plan/sides.ts';
import { readMany } from '../../../remote/read-many.ts';
import type { WriteOptions } from '../../../remote/remote.ts';
import type { Run } from '../../run.ts';
import { READ_AGE_MAX_MS, READ_JUST_NOW_MS, conditionOf, readLang, waysOf } from '../../run.ts';
import { readListed } from '../../survey/sides/denied.ts';
import { asListed, readRecord, sideOf } from '../../side.ts';
import { afterOwnEdits } from '../../own-edits.ts';

export function plannedSide(change: Change, run: Run): RemoteSide {
  return run.input.remote.get(change.key) ?? { state: 'absent' };
}

export function isFresh(side: RemoteSide, run: Run): boolean {
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
export function condition(
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

export async function readAgain(
  change: Change,
  { id, before, intent }: Expected,
  run: Run,
): Promise<RemoteSide> {
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
