import type { FieldValue } from '../../../model/fields.ts';
import { frontOf, knownFront } from '../../../model/slug-front.ts';
import { same } from '../../../model/digest.ts';
import { bodyFieldOf, nameFieldOf } from '../../../model/fields.ts';
import type { Key } from '../../../model/key.ts';
import { familyOf, keyIn, kindOf, langOf } from '../../../model/key.ts';
import type { BaseRecord, KnownRecord } from '../../../model/record.ts';
import { observedIn, withoutNothing } from '../../../plan/observed.ts';
import { changedFields, isAtOnce, lossesIn } from './learn-habits.ts';
import type { ChangedFields } from './learn-habits.ts';
import { sameAsBase } from '../../../plan/compare.ts';
import { habitName } from '../../../plan/likeness.ts';
import { reconcile } from '../../../plan/reconcile.ts';
import { fileIsBase, isShownAsPath, remoteIsBase, shownBy } from '../../../plan/field-standing.ts';
import type { Lost } from '../../report.ts';
import type { Run } from '../../run.ts';
import { isMadeSlug } from '../../made-slug.ts';
import { asListed } from '../../side.ts';
import { waysOf } from '../../run.ts';
import { NO_CHOICES } from '../../../plan/policy.ts';
import { showsOld } from './old-values.ts';

/** Of a record without a file, `delete` says that it is as the base says. */
export function isAsBase(key: Key, record: KnownRecord, run: Run): boolean {
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
export function enterObserved(
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
  const before = run.input.base.records.get(key) ?? run.input.stamped.get(key);
  const { made, foreign } = withoutKnownPath(changedFields(key, shown, run), shown, before);
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
      const wrong = `the service shows the original's slug ${JSON.stringify(theirs)} instead of ${JSON.stringify(ours)}: it keeps one slug for all languages; give both the same slug`;
      return { wrong, isEdited: false };
    }
    const added = addedFront(key, { ours, theirs }, run);
    if (added !== undefined) return { wrong: added, isEdited: false };
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

/**
 * The service puts this path in front of each slug. The page's address has it and the file's slug cannot have it, so links of
 * other files may be dead: that is no rewriting, and the author has to accept it.
 */
function addedFront(
  key: Key,
  { ours, theirs }: { readonly ours: FieldValue | undefined; readonly theirs: FieldValue | undefined },
  run: Run,
): string | undefined {
  if (typeof ours !== 'string' || typeof theirs !== 'string') return undefined;
  const front = frontOf(ours, theirs);
  const known = knownFront(run.remote.capabilities(), kindOf(key), langOf(key));
  if (front === undefined || front !== known) return undefined;
  return `the service stored the slug ${JSON.stringify(theirs)} instead of ${JSON.stringify(ours)}: it puts ${JSON.stringify(front)} in front of each slug; kbsync resolve ${key} --remote accepts that (links need the path in articleUrl)`;
}

/** The path that the service shows where it was sent this very slug before was told then. */
function withoutKnownPath(
  changed: ChangedFields,
  { fields: { slug: theirs } }: KnownRecord,
  before: BaseRecord | undefined,
): ChangedFields {
  const ours = changed.made['slug'] ?? changed.foreign['slug'];
  if (before === undefined || ours === undefined || theirs === undefined) return changed;
  if (!fileIsBase('slug', ours, before) || !isShownAsPath(theirs, before)) return changed;
  const [{ slug: _, ...made }, { slug: __, ...foreign }] = [changed.made, changed.foreign];
  return { made, foreign };
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
