import type { Key } from '../../../model/key.ts';
import { kindOf, langOf } from '../../../model/key.ts';
import type { KnownRecord } from '../../../model/record.ts';
import { frontOf, knownFront, withFront, withoutFront } from '../../../model/slug-front.ts';
import { shownBy } from '../../../plan/field-standing.ts';
import { readMany } from '../../../remote/read-many.ts';
import type { Result } from '../../report.ts';
import type { Run } from '../../run.ts';
import { readLang } from '../../run.ts';
import { isAtOnce } from './learn-habits.ts';
import { sendOnce } from './send-again.ts';

interface Shown {
  readonly key: Key;
  readonly record: KnownRecord;
}

/**
 * Some services show a path of their own in front of each slug: `help/install` for `install`. Such a slug sent back as it is shown
 * would grow with each edit, and the page's address with it. What stands in front is learnt here, and `Remote` leaves it out of
 * what it sends. A slug that grew before it was known, or that lost a front that the service no longer adds, is sent once more.
 */
export async function withSlugFronts(
  read: readonly Shown[],
  results: ReadonlyMap<Key, Result>,
  run: Run,
): Promise<{ readonly shown: readonly Shown[]; readonly resent: readonly Key[] }> {
  const now: Shown[] = [];
  const wrong: Shown[] = [];
  for (const each of read) {
    if (isWrongAndLearnt(each, results.get(each.key), run)) wrong.push(each);
    else now.push(each);
  }
  for (const each of wrong) now.push(await sentAgain(each, run));
  return { shown: now, resent: wrong.map(({ key }) => key) };
}

/** Learns from one record. Whether its slug is not what this run meant, because the front was not known, or is no more. */
function isWrongAndLearnt({ key, record }: Shown, result: Result | undefined, run: Run): boolean {
  const place = { kind: kindOf(key), lang: langOf(key) };
  const [meant, theirs] = [run.written.get(key)?.['slug'], record.fields['slug']];
  if (typeof meant !== 'string' || typeof theirs !== 'string' || theirs === meant) return false;
  const capabilities = run.remote.capabilities();
  const known = knownFront(capabilities, place.kind, place.lang);
  const sent = withoutFront(meant, known);
  if (sent !== meant) {
    if (theirs !== sent) return false;
    run.remote.learn(withFront(capabilities, place, undefined));
    return true;
  }
  const front = frontOf(sent, theirs);
  if (front === undefined || known === '' || front === known) return false;
  const hasGrown = meant.startsWith(front);
  const side = run.input.remote.get(key);
  const isNews = side === undefined || shownBy(side, 'slug') !== theirs;
  const isMade = result?.action === 'create' && !run.input.base.records.has(key);
  if (!hasGrown && !(isNews && (isMade || isAtOnce(key, record, run)))) return false;
  run.remote.learn(withFront(capabilities, place, known === undefined ? front : ''));
  return hasGrown && known === undefined;
}

async function sentAgain({ key, record }: Shown, run: Run): Promise<Shown> {
  if (run.signal?.aborted === true || run.stop !== undefined) return { key, record };
  await sendOnce(key, record, run);
  const want = { name: key, kind: record.kind, id: record.id, lang: readLang(key, run) };
  const read = (await readMany(run.remote, [want], 1)).get(key);
  return read?.state === 'found' ? { key, record: read.record } : { key, record };
}
