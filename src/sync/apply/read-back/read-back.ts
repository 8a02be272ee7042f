import type { Family, Key, Kind } from '../../../model/key.ts';
import { KINDS, familyOf, keyIn, kindOf, idKey, isOriginal } from '../../../model/key.ts';
import type { KnownRecord, ListedRecord } from '../../../model/record.ts';
import { learnAddedEntries } from './added-entries.ts';
import { learnHabits } from './learn-habits.ts';
import { recordsOutOfTheWay } from '../../../plan/making/trust-seen.ts';
import { partlySelected } from '../../../plan/selection.ts';
import type { Plan } from '../../../plan/plan.ts';
import { RemoteError } from '../../../remote/error.ts';
import { readMany } from '../../../remote/read-many.ts';
import type { ReadOutcome, ReadWant } from '../../../remote/read-many.ts';
import type { Applied } from '../apply.ts';
import type { Result } from '../../report.ts';
import type { Run } from '../../run.ts';
import { learnLeftOut } from '../../left-out.ts';
import { readLang } from '../../run.ts';
import { isMadeOther, withoutCopies, withStatusSent } from './send-again.ts';
import { notStoredWords, unstored } from '../write/find-translation.ts';
import { readDenied } from '../../survey/sides/denied.ts';
import { withSlugFronts } from './slug-fronts.ts';
import { predictSeen, setSeen } from './predicted-lists.ts';
import { withoutOldValues } from './old-values.ts';
import { isAsBase, enterObserved } from './enter-observed.ts';

/**
 * After the writes: finds out what the lists show now of each written family, so the next run can trust "unchanged".
 * A service that answers writes with the list's own date needs no request; for any other, one list a kind and then a
 * read of each written record, in this order: a fingerprint is only ever kept beside content that was read after it.
 */
export async function readBack(plan: Plan, applied: Applied, run: Run): Promise<readonly Result[]> {
  const families = new Set([...run.written.keys(), ...run.deleted].map(familyOf));
  const unsteady = new Set([...unsteadyFamilies(plan, applied.results, run), ...run.drifted]);
  if (families.size === 0) return applied.results;
  run.emit({ type: 'phase', phase: 'settle' });
  const capabilities = run.remote.capabilities();
  if (capabilities['last-edited'] === 'yes' && capabilities['keeps-html'] === 'yes') {
    const steady = [...families].filter((family) => !unsteady.has(family));
    predictSeen(steady, run);
    const fresh = onlyOriginalWritten(applied, run);
    for (const family of steady) {
      const read = fresh.get(family);
      const key = keyIn(family, run.desired.defaultLanguage);
      if (read !== undefined && isAsBase(key, read.record, run)) setSeen(family, read.seen, run);
    }
    return applied.results;
  }
  try {
    return await readWritten(applied, unsteady, run);
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    run.emit({
      type: 'note',
      text: `what was written could not be read back (${error.message}); the next run reads it`,
    });
    return applied.results;
  }
}

/** Families with a record that is not in sync or was left out of this run: their fingerprint must not hide it from the next run. */
function unsteadyFamilies(plan: Plan, results: readonly Result[], run: Run): ReadonlySet<Family> {
  return new Set([
    ...partlySelected(run.input),
    ...plan.conflicts.map(({ key }) => familyOf(key)),
    ...plan.drift.map(({ key }) => familyOf(key)),
    ...plan.blocked.filter(({ reason }) => reason !== 'shared').map(({ key }) => familyOf(key)),
    ...plan.kept.filter(({ reason }) => reason === 'unreadable').map(({ key }) => familyOf(key)),
    ...results.filter(({ outcome }) => outcome !== 'done').map(({ key }) => familyOf(key)),
    ...recordsOutOfTheWay(run.input)
      .filter((key) => !run.written.has(key))
      .map(familyOf),
  ]);
}

async function readWritten(
  applied: Applied,
  unsteady: ReadonlySet<Family>,
  run: Run,
): Promise<readonly Result[]> {
  const results = new Map(applied.results.map((result) => [result.key, result]));
  const originalOf = (family: Family): Key => keyIn(family, run.desired.defaultLanguage);
  const fresh = new Map(
    [...onlyOriginalWritten(applied, run)].filter(([family, { record }]) => {
      const key = originalOf(family);
      return !isMadeOther(key, record, results.get(key), run);
    }),
  );
  const families = new Set([...run.written.keys()].map(familyOf).filter((family) => !fresh.has(family)));
  const { reads, sent, listed } = await readFamilies(families, results, run);
  const readShown = [
    ...[...fresh].map(([family, { record }]) => ({ key: originalOf(family), record })),
    ...[...reads].flatMap(([key, read]) => (read.state === 'found' ? [{ key, record: read.record }] : [])),
  ];
  const { shown, resent } = await withSlugFronts(readShown, results, run);
  learnFrom(shown, run);
  const doubtful = new Set<Family>([...unsteady, ...[...sent, ...resent].map(familyOf)]);
  for (const { key, record } of shown) {
    const { wrong, isEdited } = enterObserved(key, record, run);
    const result = results.get(key);
    if (wrong !== undefined || isEdited) doubtful.add(familyOf(key));
    if (wrong !== undefined && result !== undefined)
      results.set(key, { ...result, outcome: 'failed', message: wrong, hasWritten: true });
  }
  // A translation that the service cannot show is known by what was sent, and by the language list.
  for (const [key, { state }] of reads)
    if (state !== 'found' && state !== 'unreadable') doubtful.add(familyOf(key));
  for (const result of await unstored(absentTranslations(reads, results, run), run)) {
    run.records.delete(result.key);
    results.set(result.key, { ...result, outcome: 'failed', message: notStoredWords(result.lang) });
  }
  for (const [family, { seen }] of fresh) if (!doubtful.has(family)) setSeen(family, seen, run);
  for (const family of families) {
    const item = listed.get(family);
    if (item !== undefined && !doubtful.has(family)) setSeen(family, item.seen, run);
  }
  return applied.results.map(({ key }) => results.get(key)).filter((result) => result !== undefined);
}

interface ReadFamilies {
  readonly reads: ReadonlyMap<Key, ReadOutcome>;
  /** Records that were sent once more, because the service had made something else of them. */
  readonly sent: ReadonlySet<Key>;
  readonly listed: ReadonlyMap<Family, ListedRecord>;
}

/**
 * The lists first, then all languages of each family: its one fingerprint speaks for each of them. `results` learns what became
 * of the translations that were made as copies.
 */
async function readFamilies(
  families: ReadonlySet<Family>,
  results: Map<Key, Result>,
  run: Run,
): Promise<ReadFamilies> {
  const keys = [...new Set([...run.written.keys(), ...run.records.keys()])].filter((key) =>
    families.has(familyOf(key)),
  );
  const rows = await listsOf(new Set(keys.map(kindOf)), run);
  const listed = new Map(
    [...new Set(keys.map(familyOf))].flatMap((family) => {
      const row = rows.get(idKey(kindOf(family), run.ids.get(family) ?? ''));
      return row === undefined ? [] : [[family, row] as const];
    }),
  );
  const wants = keys.flatMap((key) => {
    const id = run.ids.get(familyOf(key));
    return id === undefined ? [] : [{ name: key, kind: kindOf(key), id, lang: readLang(key, run) }];
  });
  const found = await readMade(wants, results, run);
  const whole = await withoutCopies(await withoutOldValues(found, wants, run), results, run);
  const isListed = (key: Key): boolean => listed.has(familyOf(key));
  return { ...(await withStatusSent(whole, results, isListed, run)), listed };
}

/**
 * One read of each. What this run has made and the service denies is read again for as long as reads may lag: the next run would
 * say that somebody has deleted it.
 */
async function readMade(
  wants: readonly ReadWant<Key>[],
  results: ReadonlyMap<Key, Result>,
  run: Run,
): Promise<ReadonlyMap<Key, ReadOutcome>> {
  const { remote, clock, signal, policy } = run;
  const reads = await readMany(remote, wants, policy.concurrencyMax);
  const denied = wants.filter(({ name }) => {
    const { action, outcome } = results.get(name) ?? {};
    const isMade = action === 'create' && outcome === 'done' && isOriginal(name, run.desired);
    return isMade && reads.get(name)?.state === 'absent';
  });
  const sleep = (delayMs: number) => clock.sleep(delayMs, signal);
  return new Map([...reads, ...(await readDenied(denied, { remote, atOnce: policy.concurrencyMax, sleep }))]);
}

/** What the service does to what it is sent: of all records first, because one record's habits explain another. */
function learnFrom(shown: readonly { readonly key: Key; readonly record: KnownRecord }[], run: Run): void {
  learnAddedEntries(shown, run);
  for (const { key, record } of shown) learnHabits(key, record, run);
  const known = shown.map(({ key, record }) => ({
    key,
    sent: run.written.get(key) ?? {},
    shown: record.fields,
  }));
  learnLeftOut(known, run.remote, run.desired.defaultLanguage);
}

/** Translations that were made, says the service, and that it does not show. */
function absentTranslations(
  reads: ReadonlyMap<Key, ReadOutcome>,
  results: ReadonlyMap<Key, Result>,
  run: Run,
): readonly Result[] {
  return [...reads].flatMap(([key, { state }]) => {
    const result = results.get(key);
    const isMade = result?.action === 'create' && result.outcome === 'done' && !isOriginal(key, run.desired);
    return state === 'absent' && isMade ? [result] : [];
  });
}

/** Originals that were read after the list that named their id, and whose family was not written since. */
function onlyOriginalWritten(applied: Applied, run: Run): Applied['verified'] {
  const translated = new Set(
    [...run.written.keys()].filter((key) => !isOriginal(key, run.desired)).map(familyOf),
  );
  return new Map([...applied.verified].filter(([family]) => !translated.has(family)));
}

async function listsOf(kinds: ReadonlySet<Kind>, run: Run): Promise<ReadonlyMap<string, ListedRecord>> {
  const lists = await Promise.all(
    KINDS.filter((kind) => kinds.has(kind)).map((kind) => run.remote.list(kind)),
  );
  return new Map(
    lists.flatMap(({ items }) => items.map((item) => [idKey(item.kind, item.id), item] as const)),
  );
}
