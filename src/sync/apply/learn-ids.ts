import type { Family, Kind } from '../../model/key.ts';
import { KINDS, familyOf, kindOf } from '../../model/key.ts';
import type { Change } from '../../plan/plan.ts';
import { once } from '../../model/once.ts';
import type { DesiredRecord, KnownRecord, ListedRecord } from '../../model/record.ts';
import { differenceOf } from '../../model/compare/difference.ts';
import { lettersOf } from '../../model/html/letters.ts';
import type { FieldValue } from '../../model/fields.ts';
import { bodyFieldOf, fieldsOf, isNothing } from '../../model/fields.ts';
import { parseStamp } from '../../model/stamp.ts';
import { RemoteError } from '../../remote/error.ts';
import { readMany } from '../../remote/read-many.ts';
import { LATE_MS, lookAgainWords } from '../survey/pending.ts';
import type { Unnamed } from './write/create.ts';
import { kinIndex } from '../survey/kin.ts';
import { nameSent, enterFound } from './write/create.ts';
import type { Result } from '../report.ts';
import type { Run } from '../run.ts';
import { desiredOf, resultOf } from '../run.ts';
import { isCutOf } from '../made-slug.ts';
import { ownedNow } from './write/fields.ts';

export interface FoundIds {
  readonly results: readonly Result[];
  readonly open: readonly Unnamed[];
  /** Families whose record was read after this list: the fingerprint is good for exactly that content. */
  readonly verified: ReadonlyMap<Family, { readonly seen: string; readonly record: KnownRecord }>;
}

/**
 * Finds the ids of creates whose answers named none: one list a kind, new ids matched by name, confirmed by stamp or
 * slug. Nothing is ever sent again here; what is not found stays open.
 */
export async function learnIds(unnamed: readonly Unnamed[], run: Run): Promise<FoundIds> {
  const results: Result[] = [];
  const open: Unnamed[] = [];
  const verified = new Map<Family, { readonly seen: string; readonly record: KnownRecord }>();
  for (const kind of KINDS) {
    const ours = unnamed.filter(({ change }) => change.kind === kind);
    if (ours.length === 0) continue;
    const candidates = await newRecords(kind, ours, run).catch((error: unknown) => leave(kind, error, run));
    if (typeof candidates === 'string') {
      for (const one of ours) open.push({ ...one, notLookedUp: candidates });
      continue;
    }
    const pool = poolOf(candidates, ours, run);
    for (const one of ours) {
      const match = bestMatch(one, pool, run);
      if (match === undefined) {
        open.push(one);
      } else {
        for (const group of pool.groupsOf(match)) group.delete(match);
        results.push(await enterFound(one, match.record.id, run));
        const { item, record } = match;
        if (item !== undefined) verified.set(familyOf(one.change.key), { seen: item.seen, record });
      }
    }
  }
  return { results, open, verified };
}

/** Looking for ids is reading: when even that fails, the creates stay open and the run goes on to save what it knows. */
function leave(kind: Kind, error: unknown, run: Run): string {
  if (!(error instanceof RemoteError)) throw error;
  run.emit({ type: 'note', text: `the ids of new ${kind} records could not be looked up: ${error.message}` });
  return error.message;
}

interface Candidate {
  /** Absent where only a tag names it. */
  readonly item: ListedRecord | undefined;
  readonly record: KnownRecord;
}

/** So many new records of others are read, at most, in search of ours. */
const STRANGERS_MAX = 10;

/** Records that the list shows now, that nobody claims, and that bear one of our names or none. */
async function newRecords(kind: Kind, ours: readonly Unnamed[], run: Run): Promise<Candidate[]> {
  const names = new Set(ours.map(({ change }) => nameSent(change, run)));
  const claimed = new Set([...run.ids].filter(([family]) => kindOf(family) === kind).map(([, id]) => id));
  for (const { kind: other, id } of run.input.unmanaged) if (other === kind) claimed.add(id);
  const list = await run.remote.list(kind);
  // A row that shows no name may be any of ours.
  const items = list.items.filter(({ id, name }) => !claimed.has(id) && (names.has(name) || name === ''));
  const found = new Map<string, ListedRecord | undefined>(items.map((item) => [item.id, item]));
  // A service may list a name otherwise than it was sent: escaped, cut, in capitals. What is new is then looked at too.
  if (found.size < ours.length) {
    const others = list.items.filter(({ id }) => !claimed.has(id) && !found.has(id));
    for (const item of others.slice(0, ours.length + STRANGERS_MAX)) found.set(item.id, item);
  }
  // Fewer than were made: the list may be cut, and tags may name what it does not show.
  if (kind === 'article' && found.size < ours.length) {
    const listed = new Set(list.items.map(({ id }) => id));
    const { articleIds = [] } = await run.remote.list('tag');
    for (const id of articleIds) if (!listed.has(id) && !claimed.has(id)) found.set(id, undefined);
  }
  const reads = await readMany(
    run.remote,
    [...found.keys()].map((id) => ({ name: id, kind, id, lang: undefined })),
    run.policy.concurrencyMax,
  );
  return [...found].flatMap(([id, item]) => {
    const read = reads.get(id);
    return read?.state === 'found' && mayBeOurs(read.record, run) ? [{ item, record: read.record }] : [];
  });
}

/**
 * A translation that is listed as a record of its own may bear our name and slug too. The first original of all may be kept in another
 * language than ours (first-original.ts).
 */
function mayBeOurs({ lang, id, ownId }: KnownRecord, { desired, ids }: Run): boolean {
  return lang === desired.defaultLanguage || (ids.size === 0 && ownId === id);
}

/** Candidates by what proves them: of ten thousand, each is looked for among a few. */
interface Pool {
  readonly stamped: (change: Change) => readonly Candidate[];
  /** Without a stamp. */
  readonly slugged: (slug: string) => readonly Candidate[];
  /** Without a stamp. */
  readonly named: (name: string) => readonly Candidate[];
  /** Without a stamp: of names and slugs that may have been made of ours. */
  readonly kinOf: (desired: DesiredRecord) => readonly Candidate[];
  /** How many of ours were sent under this name. */
  readonly sentAs: (name: string) => number;
  readonly groupsOf: (candidate: Candidate) => readonly Set<Candidate>[];
}

/** The group of those that bear no stamp; no other group has such a name. */
const UNSTAMPED = 'unstamped';

function poolOf(candidates: readonly Candidate[], ours: readonly Unnamed[], run: Run): Pool {
  const groups = new Map<string, Set<Candidate>>();
  const namesOf = ({ item, record }: Candidate): readonly string[] => {
    const stamp = record.stamp === undefined ? undefined : parseStamp(record.stamp);
    if (stamp !== undefined && stamp.repository === run.repository.id) return [`stamp ${stamp.key}`];
    if (record.stamp !== undefined) return [];
    const { slug } = record.fields;
    return [
      UNSTAMPED,
      ...(typeof slug === 'string' ? [`slug ${slug}`] : []),
      ...(item === undefined ? [] : [`name ${item.name}`]),
    ];
  };
  for (const candidate of candidates) {
    for (const name of namesOf(candidate)) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, new Set([candidate]));
      else group.add(candidate);
    }
  }
  const sent = new Map<string, number>();
  for (const { change } of ours) {
    const name = nameSent(change, run);
    sent.set(name, (sent.get(name) ?? 0) + 1);
  }
  const inGroup = (name: string): readonly Candidate[] => [...(groups.get(name) ?? [])];
  const unstamped = groups.get(UNSTAMPED);
  const kin = once(() =>
    kinIndex([...(unstamped ?? [])].map((candidate) => ({ ...candidate.record, candidate }))),
  );
  return {
    stamped: ({ key }) => inGroup(`stamp ${key}`),
    slugged: (slug) => inGroup(`slug ${slug}`),
    named: (name) => inGroup(`name ${name}`),
    kinOf: (desired) =>
      kin()(desired).flatMap(({ candidate }) => (unstamped?.has(candidate) ? [candidate] : [])),
    sentAs: (name) => sent.get(name) ?? 0,
    groupsOf: (candidate) => namesOf(candidate).flatMap((name) => groups.get(name) ?? []),
  };
}

/**
 * The candidate with our stamp, else the only one with our slug, unless our stamp should be there: a record that
 * somebody else made meanwhile is not ours. A service that said yes may have stored another slug, so a new record of
 * our name is then enough where nothing else has that name. Two that fit are nobody's proof.
 */
function bestMatch(one: Unnamed, pool: Pool, run: Run): Candidate | undefined {
  const { change, confirmed } = one;
  const stamped = pool.stamped(change);
  if (stamped.length > 0) return stamped.length === 1 ? stamped[0] : undefined;
  const name = nameSent(change, run);
  const ours = ({ record }: Candidate): boolean => hasOurText(record, one, run);
  const slugged = pool.slugged(change.slug).filter(ours);
  if (slugged.length > 0) return slugged.length === 1 && !lacksStamp(one, run) ? slugged[0] : undefined;
  const named = pool.named(name).filter(ours);
  const isOnly = named.length === 1 && pool.sentAs(name) === 1;
  if (!confirmed || lacksStamp(one, run)) return undefined;
  return isOnly ? named[0] : onlyKin(one, pool, run);
}

/**
 * The only new record with our text whose name and slug may have been made of ours, if none of ours was sent under that name. Without a
 * text it must be the name that was cut, in our place: see `isCutOf`.
 */
function onlyKin(one: Unnamed, pool: Pool, run: Run): Candidate | undefined {
  const desired = desiredOf(one.change, run);
  const isBare = isNothing(desired.body?.render() ?? null);
  const kin = pool
    .kinOf(desired)
    .filter(
      (candidate) =>
        pool.sentAs(candidate.item?.name ?? '') === 0 &&
        isNothing(candidate.record.fields[bodyFieldOf(desired.kind)] ?? null) === isBare &&
        (!isBare || isCut(one.change, candidate, run)) &&
        hasOurText(candidate.record, one, run),
    );
  return kin.length === 1 ? kin[0] : undefined;
}

function isCut(change: Change, { record }: Candidate, run: Run): boolean {
  const { categoryParent: ours } = ownedNow(desiredOf(change, run), run);
  const { categoryParent: place } = record.fields;
  const isInPlace = ours === undefined || place === undefined || ours === place;
  return isInPlace && isCutOf({ name: nameSent(change, run), slug: change.slug }, record);
}

/**
 * A record that somebody else made meanwhile may bear our name and slug, but not our text; a category's is its
 * description. If none was sent and nobody knows whether the create arrived, a text that is there is somebody else's; so is
 * the only text that is there, if ours was sent in another field.
 */
function hasOurText(record: KnownRecord, { change, confirmed }: Unnamed, run: Run): boolean {
  const { body, fields } = desiredOf(change, run);
  const ours = new Map<string, FieldValue>([['description', fields['description'] ?? null]]);
  if (body !== undefined) ours.set(body.field, body.render());
  const texts = [...ours].map(([name, text]) => ({ name, text, shown: record.fields[name] ?? null }));
  const sent = texts.filter(({ text }) => !isNothing(text));
  const isStrange = texts.some(
    ({ text, shown }) =>
      isNothing(text) && !isNothing(shown) && !sent.some((each) => hasSameLetters(each.text, shown)),
  );
  const isBare =
    sent.length > 0 && sent.every(({ name, shown }) => name in record.fields && isNothing(shown));
  if (isStrange && (!confirmed || isBare)) return false;
  return sent.every(({ name, text, shown }) => {
    const type = fieldsOf(record.kind).get(name)?.type;
    if (record.fields[name] === undefined || type === undefined) return true;
    if (differenceOf(type, text, shown, { origin: run.input.base.origin }) !== undefined) return true;
    return confirmed && hasSameLetters(text, shown);
  });
}

/** Signs may be others, in code too: quotes that a typographer made round. Nobody else has our letters at this moment. */
function hasSameLetters(ours: FieldValue, shown: FieldValue): boolean {
  const letters = lettersOf(ours);
  return letters !== '' && letters === lettersOf(shown);
}

/** Whether a record of ours would bear a stamp: one was sent, and the service is known to keep HTML. */
function lacksStamp({ change }: Unnamed, run: Run): boolean {
  const isSent = run.policy.stamp && desiredOf(change, run).body !== undefined;
  return isSent && run.remote.capabilities()['keeps-html'] === 'yes';
}

export function pendingResults(open: readonly Unnamed[], run: Run): readonly Result[] {
  return open.map((one) => resultOf(one.change, 'pending', whyPending(one, run)));
}

function whyPending({ why, confirmed, notLookedUp, intent }: Unnamed, { policy, clock }: Run): string {
  const then = lookAgainWords(intent.atMs + (policy.lateMs ?? LATE_MS) - clock.now());
  if (notLookedUp !== undefined)
    return `${confirmed ? 'confirmed by the service' : `sent once, no clear answer (${why})`}, and it could not be looked up: ${notLookedUp}; ${then}`;
  return confirmed
    ? `confirmed by the service but not listed yet (${why}); ${then}`
    : `sent once, no clear answer (${why}), so it may still arrive; ${then}`;
}
