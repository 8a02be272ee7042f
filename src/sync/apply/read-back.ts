import { same } from '../../model/digest.ts';
import type { Fields } from '../../model/fields.ts';
import { bodyFieldOf, isStatus, nameFieldOf } from '../../model/fields.ts';
import type { ListView } from '../../model/fingerprint.ts';
import { fingerprint } from '../../model/fingerprint.ts';
import type { Family, Key, Kind } from '../../model/key.ts';
import { KINDS, familyOf, keyIn, kindOf, langOf, idKey, isOriginal } from '../../model/key.ts';
import type { BaseRecord, KnownRecord, ListedRecord } from '../../model/record.ts';
import { observedIn, withoutNothing } from '../../plan/observed.ts';
import { changedFields, isAtOnce, learnHabits, lossesIn } from './learn-habits.ts';
import { sameAsBase } from '../../plan/compare.ts';
import { partlySelected } from '../../plan/selection.ts';
import type { Plan } from '../../plan/plan.ts';
import { habitName } from '../../plan/likeness.ts';
import { fileIsBase, reconcile, remoteIsBase, shownBy } from '../../plan/reconcile.ts';
import { RemoteError } from '../../remote/error.ts';
import { readMany } from '../../remote/read-many.ts';
import type { ReadOutcome, ReadWant } from '../../remote/read-many.ts';
import type { Applied } from './apply.ts';
import type { Lost, Result } from '../report.ts';
import type { Run } from '../run.ts';
import { learnLeftOut } from '../left-out.ts';
import { LOOKS_MS, looksAgain } from '../look-again.ts';
import { isMadeSlug } from '../made-slug.ts';
import { asListed } from '../side.ts';
import { ownerOf, readLang, waysOf } from '../run.ts';
import { lastEditedOf } from './dates.ts';
import { isMadeOther, withoutCopies, withStatusSent } from './send-again.ts';
import { notStoredWords, unstored } from './find-translation.ts';
import { NO_CHOICES } from '../../plan/policy.ts';

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
  ]);
}

/** The fingerprints that follow from what was sent and from the dates that the service named. */
function predictSeen(families: readonly Family[], run: Run): void {
  const views = new Map<Family, ListView>();
  for (const family of families) {
    const view = predictedView(family, run);
    if (view !== undefined) views.set(family, view);
  }
  for (const [family, view] of views) {
    setSeen(family, fingerprint(kindOf(family), view), run);
    run.views.set(family, view);
  }
  renameParents(new Set(families), run);
}

function predictedView(family: Family, run: Run): ListView | undefined {
  const kind = kindOf(family);
  const original = keyIn(family, run.desired.defaultLanguage);
  const fields = run.written.get(original);
  const before = run.input.views.get(family);
  const name = fields?.[nameFieldOf(kind)] ?? before?.name;
  const lastEdited = lastEditedOf(family, run);
  if (typeof name !== 'string' || (kind === 'article' && lastEdited === undefined)) return undefined;
  const translations = run.desired.languages.filter(
    (lang) => lang !== run.desired.defaultLanguage && run.written.has(keyIn(family, lang)),
  );
  const languages = [...(before?.languages ?? []), ...translations].filter(
    (lang) => !run.deleted.has(keyIn(family, lang)),
  );
  if (kind === 'article') {
    const status = fields?.['status'] ?? before?.status;
    return {
      name,
      languages,
      ...(lastEdited === undefined ? {} : { lastEdited }),
      ...(typeof status === 'string' ? { status } : {}),
    };
  }
  if (kind === 'tag') {
    const slug = fields?.['slug'] ?? before?.slug;
    return { name, languages, ...(typeof slug === 'string' ? { slug } : {}) };
  }
  const ordering = fields?.['priority'] ?? before?.ordering;
  const parentName = fields === undefined ? before?.parentName : parentNameOf(fields, run);
  return {
    name,
    languages,
    ...(typeof ordering === 'number' ? { ordering } : {}),
    ...(parentName === undefined ? {} : { parentName }),
  };
}

function parentNameOf(fields: Fields, run: Run): string | undefined {
  const id = fields['categoryParent'];
  return typeof id === 'string' ? nameOfCategory(id, run) : undefined;
}

function nameOfCategory(id: string, run: Run): string | undefined {
  const family = ownerOf('category', id, run);
  if (family === undefined) return undefined;
  const sent = run.written.get(keyIn(family, run.desired.defaultLanguage))?.['name'];
  return typeof sent === 'string' ? sent : run.input.views.get(family)?.name;
}

/** The list shows each category's parent by name: a renamed parent changes the fingerprints of its children. */
function renameParents(written: ReadonlySet<Family>, run: Run): void {
  for (const [family, view] of run.input.views) {
    const key = keyIn(family, run.desired.defaultLanguage);
    const base = run.records.get(key);
    if (kindOf(family) !== 'category' || written.has(family)) continue;
    // An entry that was not trusted before is not trusted now.
    if (base?.seen === undefined || base.seen !== fingerprint('category', view)) continue;
    const parent = base.sent['categoryParent'];
    const parentName = typeof parent === 'string' ? nameOfCategory(parent, run) : undefined;
    if (parentName === undefined || parentName === view.parentName) continue;
    setSeen(family, fingerprint('category', { ...view, parentName }), run);
    run.views.set(family, { ...view, parentName });
  }
}

function setSeen(family: Family, seen: string | undefined, run: Run): void {
  if (seen === undefined) return;
  const key = keyIn(family, run.desired.defaultLanguage);
  const record = run.records.get(key);
  if (record !== undefined) run.records.set(key, { ...record, seen });
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
  // All languages of a family: its one fingerprint speaks for each of them.
  const rest = [...new Set([...run.written.keys(), ...run.records.keys()])].filter((key) =>
    families.has(familyOf(key)),
  );
  const listed = await listsOf(new Set(rest.map(kindOf)), run);
  const wants = rest.flatMap((key) => {
    const id = run.ids.get(familyOf(key));
    return id === undefined ? [] : [{ name: key, kind: kindOf(key), id, lang: readLang(key, run) }];
  });
  const found = await withoutOldValues(
    await readMany(run.remote, wants, run.policy.concurrencyMax),
    wants,
    run,
  );
  const isListed = (key: Key) => listed.has(`${kindOf(key)} ${run.ids.get(familyOf(key)) ?? ''}`);
  const whole = await withoutCopies(found, results, run);
  const { reads, sent } = await withStatusSent(whole, results, isListed, run);
  const doubtful = new Set<Family>([...unsteady, ...[...sent].map(familyOf)]);
  const check = (key: Key, record: KnownRecord) => {
    const { wrong, isEdited } = enterObserved(key, record, run);
    const result = results.get(key);
    if (wrong !== undefined || isEdited) doubtful.add(familyOf(key));
    if (wrong !== undefined && result !== undefined)
      results.set(key, { ...result, outcome: 'failed', message: wrong });
  };
  const shown = [
    ...[...fresh].map(([family, { record }]) => ({ key: originalOf(family), record })),
    ...[...reads].flatMap(([key, read]) => (read.state === 'found' ? [{ key, record: read.record }] : [])),
  ];
  for (const { key, record } of shown) learnHabits(key, record, run);
  const known = shown.map(({ key, record }) => ({
    key,
    sent: run.written.get(key) ?? {},
    shown: record.fields,
  }));
  learnLeftOut(known, run.remote, run.desired.defaultLanguage);
  for (const { key, record } of shown) check(key, record);
  // A translation that the service cannot show is known by what was sent, and by the language list.
  for (const [key, { state }] of reads)
    if (state !== 'found' && state !== 'unreadable') doubtful.add(familyOf(key));
  const made = [...reads].flatMap(([key, { state }]) => {
    const result = results.get(key);
    const isMade = result?.action === 'create' && result.outcome === 'done' && !isOriginal(key, run.desired);
    return state === 'absent' && isMade ? [result] : [];
  });
  for (const result of await unstored(made, run)) {
    run.records.delete(result.key);
    results.set(result.key, { ...result, outcome: 'failed', message: notStoredWords(result.lang) });
  }
  for (const [family, { seen }] of fresh) if (!doubtful.has(family)) setSeen(family, seen, run);
  for (const family of families) {
    const item = listed.get(`${kindOf(family)} ${run.ids.get(family) ?? ''}`);
    if (item !== undefined && !doubtful.has(family)) setSeen(family, item.seen, run);
  }
  return applied.results.map(({ key }) => results.get(key)).filter((result) => result !== undefined);
}

/** A cache, or a copy that is behind, may show slug and status from before the write: that says nothing of what became of the new ones. */
async function withoutOldValues(
  reads: ReadonlyMap<Key, ReadOutcome>,
  wants: readonly ReadWant<Key>[],
  run: Run,
): Promise<ReadonlyMap<Key, ReadOutcome>> {
  const now = new Map(reads);
  const old = () =>
    wants.filter(({ name }) => {
      const read = now.get(name);
      return (
        read?.state === 'found' && OLD_LOOKED_FOR.some((field) => showsOld(field, name, read.record, run))
      );
    });
  const isNew = async (): Promise<boolean> => {
    for (const [key, read] of await readMany(run.remote, old(), run.policy.concurrencyMax))
      if (read.state === 'found') now.set(key, read);
    return old().length === 0;
  };
  if (old().length > 0)
    await looksAgain(isNew, { clock: run.clock, signal: run.signal, looksMs: OLD_LOOKS_MS });
  return now;
}

/** Most services that show it still keep it for good. */
const OLD_LOOKS_MS = LOOKS_MS.slice(0, 4);

const OLD_LOOKED_FOR = ['slug', 'status'] as const;

function showsOld(
  name: (typeof OLD_LOOKED_FOR)[number],
  key: Key,
  { fields }: KnownRecord,
  run: Run,
): boolean {
  const [ours, theirs] = [run.written.get(key)?.[name], fields[name]];
  if (ours === undefined || theirs === undefined || same(ours, theirs)) return false;
  // A word of the service's own may stand for what was sent.
  if (name === 'status' && !isStatus(theirs)) return false;
  const [side, base] = [run.input.remote.get(key), run.input.base.records.get(key)];
  const before = side?.state === 'known' ? side.record.fields[name] : base?.sent[name];
  return before !== undefined && sameAsBase(theirs, before);
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

/** Of a record without a file, `delete` says that it is as the base says. */
function isAsBase(key: Key, record: KnownRecord, run: Run): boolean {
  const base = run.records.get(key);
  const remote = asListed({ state: 'known', record }, run.input.remote.get(key));
  return (
    base !== undefined &&
    reconcile({ file: undefined, base, remote }, NO_CHOICES, waysOf(run)).verdict === 'delete'
  );
}

/**
 * Learns what the service made of a written record. A changed slug is a failure (`wrong`), not a rewriting. What the service
 * cannot have made of what was sent is somebody's edit made in the meantime (`isEdited`).
 */
function enterObserved(
  key: Key,
  shown: KnownRecord,
  run: Run,
): { readonly wrong?: string; readonly isEdited: boolean } {
  const base = run.records.get(key);
  if (base === undefined) return { isEdited: false };
  if (!run.written.has(key)) {
    learnShared(key, shown, run);
    return { isEdited: !isAsBase(key, shown, run) };
  }
  const { made, foreign } = changedFields(key, shown, run);
  const before = run.input.base.records.get(key) ?? run.input.stamped.get(key);
  if (before !== undefined && waitsInDraft(before, shown, Object.keys(foreign), run)) {
    // As it is for readers: the next run finds it published, or the draft still open.
    run.records.set(key, before);
    const wrong = `the service keeps the edit in a draft of the article (${shown.openDraft ?? ''}), and readers still see what was there before; publish the draft on the site`;
    return { wrong, isEdited: false };
  }
  if ('slug' in made || 'slug' in foreign) {
    const [ours, theirs] = [run.written.get(key)?.['slug'], shown.fields['slug']];
    // Then it was the service, and if it shows the slug that it made before: a delete or another slug of the file need not ask.
    const known = before?.observed?.['slug'];
    const isKept = known !== undefined && theirs !== undefined && sameAsBase(theirs, known);
    if (typeof theirs === 'string' && (isKept || isAtOnce(key, shown, run)) && isOwnSlug(theirs, key, run))
      run.records.set(key, { ...base, observed: { ...base.observed, slug: theirs } });
    if (typeof theirs === 'string' && isOriginalsSlug(theirs, key, run)) {
      const wrong = `the service shows the original's slug ${JSON.stringify(theirs)} instead of ${JSON.stringify(ours)}: it keeps one slug for all languages; give both files the same slug`;
      return { wrong, isEdited: false };
    }
    const wrong = showsOld('slug', key, shown, run)
      ? `the service still shows the slug ${JSON.stringify(theirs)} instead of ${JSON.stringify(ours)}: it changes slugs or keeps the first one, another record of language ${langOf(key)} has the new one, or a cache shows what was there before; the next run looks again`
      : `the service stored the slug ${JSON.stringify(theirs)} instead of ${JSON.stringify(ours)}: it changes slugs, or another record of language ${langOf(key)} has that one`;
    return { wrong, isEdited: false };
  }
  const status = wrongStatus(key, shown, foreign, run);
  if (status !== undefined) return { wrong: status, isEdited: false };
  const { observed, forms } = observedIn(kindOf(key), made, shown.fields, waysOf(run));
  const { forms: _, lost: known = [], ...rest } = base;
  const lost = [...new Set(lossesIn(key, { made, foreign }, shown, run))].sort();
  for (const loss of lost) if (!known.includes(loss)) run.lost.push(lostOf(key, loss));
  const body = bodyFieldOf(kindOf(key));
  run.records.set(key, {
    ...rest,
    ...(lost.length === 0 ? {} : { lost }),
    ...withoutNothing({
      observed: { ...base.observed, ...observed },
      forms: body in foreign ? base.forms : forms,
    }),
  });
  return { isEdited: Object.keys(foreign).length > 0 };
}

/** Whether an edit that was confirmed went into a copy: an open draft is there, and what was changed is as it was. */
function waitsInDraft(
  before: BaseRecord,
  { fields, openDraft }: KnownRecord,
  changed: readonly string[],
  run: Run,
): boolean {
  if (openDraft === undefined || changed.length === 0) return false;
  const planned = run.input.remote.get(before.key);
  return changed.every((name) => {
    const was = planned === undefined ? undefined : shownBy(planned, name);
    const isAsPlanned = was !== undefined && same(was, fields[name] ?? null);
    return isAsPlanned || remoteIsBase(name, before, fields[name], run.input.ways);
  });
}

/**
 * Readers see what the file takes from them, or do not see what it shows them: that is told, whoever did it. What was made
 * as a draft is told as lost.
 */
function wrongStatus(
  key: Key,
  { fields: { status: theirs } }: KnownRecord,
  foreign: Readonly<Record<string, unknown>>,
  run: Run,
): string | undefined {
  const ours = foreign['status'];
  if (ours === 'draft' && theirs === 'published')
    return 'it was sent as a draft, and the service shows it as published: readers may see it; take it off on the site';
  const isMade = !run.input.base.records.has(key);
  return ours === 'published' && theirs === 'draft' && !isMade
    ? 'it was sent as published, and the service shows it as a draft; publish it on the site'
    : undefined;
}

/** An editor may think of any other slug within a moment, but for the original's: services keep one for all languages. */
function isOwnSlug(slug: string, key: Key, run: Run): boolean {
  const sent = run.written.get(key);
  return (
    isOriginalsSlug(slug, key, run) ||
    isMadeSlug(slug, [sent?.['slug'], sent?.[nameFieldOf(kindOf(key))]], run.ids.get(familyOf(key)))
  );
}

function isOriginalsSlug(slug: string, key: Key, run: Run): boolean {
  const original = keyIn(familyOf(key), run.desired.defaultLanguage);
  const sent = run.written.get(original) ?? run.records.get(original)?.sent;
  return key !== original && sent?.['slug'] === slug;
}

/** A translation that nobody wrote and that shows what its original was given: the service keeps such a field once for both. */
function learnShared(key: Key, shown: KnownRecord, run: Run): void {
  const kind = kindOf(key);
  const original = keyIn(familyOf(key), run.desired.defaultLanguage);
  const [base, sent] = [run.records.get(key), run.written.get(original)];
  const [before, now] = [run.input.base.records.get(original), run.records.get(original)];
  if (key === original || base === undefined || sent === undefined || before === undefined) return;
  const shared = Object.entries(sent).filter(([name, value]) => {
    const theirs = shown.fields[name];
    const isText = name === nameFieldOf(kind) || name === bodyFieldOf(kind);
    if (isText || theirs === undefined || base.sent[name] === undefined) return false;
    // An edit carries drift along as it is shown: that says nothing of the translations.
    const isOfFile = now !== undefined && fileIsBase(name, value, now);
    const isNew = isOfFile && before.sent[name] !== undefined && !fileIsBase(name, value, before);
    return isNew && same(theirs, value) && !remoteIsBase(name, base, theirs, waysOf(run));
  });
  if (shared.length === 0) return;
  const names = shared.map(([name]) => name);
  run.remote.learn({ shared: names.map((name) => habitName({ kind, name })) });
  const text = `the service keeps one value of ${names.join(', ')} for all languages of a record: a translation shows its original's (seen at ${key})`;
  run.emit({ type: 'note', text });
}

function lostOf(key: Key, loss: string): Lost {
  const colon = loss.indexOf(':');
  return {
    kind: kindOf(key),
    key,
    lang: langOf(key),
    field: loss.slice(0, colon),
    what: loss.slice(colon + 1),
  };
}
