import type { Intent } from '../../base/base.ts';
import type { Family, Key, Kind, RemoteId } from '../../model/key.ts';
import { KINDS, familyOf, keyIn, kindOf, idKey, isOriginal } from '../../model/key.ts';
import type { Fields } from '../../model/fields.ts';
import { isList, nameFieldOf } from '../../model/fields.ts';
import type { BaseState, DesiredRecord, DesiredState, KnownRecord, Wait } from '../../model/record.ts';
import type { PlanInput } from '../../plan/plan-input.ts';
import type { ReadOutcome } from '../../remote/read-many.ts';
import { readMany } from '../../remote/read-many.ts';
import type { Remote, RemoteList } from '../../remote/remote.ts';
import { baseIds } from './consistent-base.ts';
import { readDenied } from './sides/denied.ts';
import { madeByLostCreates } from './lost-creates.ts';
import { formerSlugs, mayMatch, pair, strayKey, withSlugsOf } from './pairing.ts';
import { likelyPages } from './likely-pages.ts';
import { isSameWait, waitsOf } from './waits.ts';
import type { SyncPolicy } from '../report.ts';
import type { Repository } from '../../model/repository.ts';
import { otherOwner, parseStamp } from '../../model/stamp.ts';
import { groupedBy } from '../../text/grouped.ts';

export interface Adoption {
  readonly found: ReadonlyMap<Family, KnownRecord>;
  /** Records of other repositories that have the slug of a new file. */
  readonly taken: ReadonlyMap<Family, KnownRecord>;
  readonly ambiguous: ReadonlyMap<Family, readonly string[]>;
  /** Records that may be the page of a new file, under another slug. */
  readonly twins: ReadonlyMap<Family, KnownRecord>;
  /** Records that may be the pages of files as they were before an edit. */
  readonly editedTwins: ReadonlyMap<Family, KnownRecord>;
  readonly unmanaged: PlanInput['unmanaged'];
  /** Originals in another language than the files' that have a new file's stamp, or its slug and title. */
  readonly misplaced: readonly { readonly key: Key; readonly id: RemoteId }[];
  /** Candidates that could not be read. */
  readonly unread: readonly Unread[];
  /** Categories of the articles that were read; undefined if a listed article was not read. */
  readonly filedUnder: ReadonlySet<RemoteId> | undefined;
}

export interface Unread {
  readonly kind: Kind;
  readonly id: string;
  readonly why: string;
}

/** A record that no base record claims. */
interface Unclaimed {
  readonly kind: Kind;
  readonly id: string;
  /** Name and `seen` are unknown if no list shows the record. */
  readonly name?: string;
  readonly seen?: string;
  /** Only tag lists show it. */
  readonly slug?: string;
}

export interface AdoptionInput {
  readonly remote: Remote;
  readonly desired: DesiredState;
  readonly policy: SyncPolicy;
  readonly repository: Repository;
  readonly base: BaseState;
  /** Writes without an answer, under the keys of now. */
  readonly open: readonly Intent[];
  readonly lists: Readonly<Record<Kind, RemoteList>>;
  /** Articles that the list does not show and that tags, link manager or review dates name. */
  readonly hidden: readonly string[];
  /** Whether each listed article is read, known as somebody else's or not: see `filedUnder`. */
  readonly readsArticles: boolean;
  readonly sleep: (delayMs: number) => Promise<void>;
}

/** Finds existing records for files that have no base. Reads each candidate once, and again only if it changed. */
export async function findAdoptable(input: AdoptionInput): Promise<Adoption> {
  const { remote, desired, policy, repository, base } = input;
  const originals = newOriginals(desired, base);
  const unclaimed = unclaimedRecords(input);
  const wants = wantsOf(unclaimed, originals, input);
  const atOnce = policy.concurrencyMax;
  const toRead = wants.map(({ kind, id }) => ({ name: idKey(kind, id), kind, id, lang: undefined }));
  const first = await readMany(remote, toRead, atOnce);
  const listed = new Set(
    wants.filter(({ seen }) => seen !== undefined).map(({ kind, id }) => idKey(kind, id)),
  );
  const denied = toRead.filter(({ name }) => listed.has(name) && first.get(name)?.state === 'absent');
  const reads = new Map([...first, ...(await readDenied(denied, { remote, atOnce, sleep: input.sleep }))]);
  // A service may list translations as rows of their own: they belong to their originals and are nobody's to adopt.
  const translations = new Set<string>();
  const candidates: KnownRecord[] = [];
  const elsewhere: KnownRecord[] = [];
  const unread: Unread[] = [];
  const names = new Set(originals.map(({ kind, fields }) => nameKey(kind, fields[nameFieldOf(kind)])));
  for (const { kind, id, name } of wants) {
    const read = reads.get(idKey(kind, id));
    if (read?.state !== 'found') {
      // What this key may not read is none of ours, unless it bears the name of a file.
      const isHidden = read?.state === 'failed' && read.isForbidden === true;
      if (isHidden && name !== undefined && !names.has(nameKey(kind, name))) continue;
      const why = whyNot(read);
      if (why !== undefined) unread.push({ kind, id, why });
    } else if (read.record.lang === desired.defaultLanguage) candidates.push(read.record);
    else {
      translations.add(idKey(kind, id));
      if (read.record.ownId === read.record.id) elsewhere.push(read.record);
    }
  }
  const families = familiesOf(desired);
  const isOthers = ({ stamp }: KnownRecord) => otherOwner(stamp, repository) !== undefined;
  const own = candidates.filter((record) => !isOthers(record));
  const { found: paired, ambiguous, left: rest } = pair(originals, own, families, desired.moved);
  const homeless = originals.filter(({ family }) => !paired.has(family) && !ambiguous.has(family));
  const made = madeByLostCreates(homeless, rest, { open: input.open, base });
  const known = new Map([...paired, ...made]);
  const mine = new Set(made.values());
  const left = rest.filter((record) => !mine.has(record));
  const open = originals.filter(({ family }) => !known.has(family) && !ambiguous.has(family));
  const ids = baseIds(base, desired.defaultLanguage);
  const likely = likelyPages(open, left, base, (family) => ids.get(family));
  const { twins, edited: editedTwins } = likely;
  const found = new Map([...known, ...likely.found]);
  const taken = new Set([...found.values()].map(({ kind, id }) => idKey(kind, id)));
  return {
    found,
    taken: withSlugsOf(open, candidates.filter(isOthers)),
    ambiguous,
    twins,
    editedTwins,
    unmanaged: unmanagedRecords(
      unclaimed.filter(({ kind, id }) => !taken.has(idKey(kind, id))),
      {
        base,
        candidates,
        translations,
        families,
        repository,
        waits: waitsOf(new Map([...editedTwins, ...twins]), {
          candidates: left,
          families,
          homed: (family) => found.has(family),
          base,
        }),
        doubtful: new Set([...ambiguous.values()].flat()),
      },
    ),
    misplaced: misplacedIn(elsewhere, originals, repository),
    unread,
    filedUnder: filedUnder(unclaimed, reads),
  };
}

/** By their stamps, or where they have none by slug and title. */
function misplacedIn(
  elsewhere: readonly KnownRecord[],
  originals: readonly DesiredRecord[],
  { id: repository }: Repository,
): Adoption['misplaced'] {
  if (elsewhere.length === 0) return [];
  const markOf = ({ kind, fields }: { readonly kind: Kind; readonly fields: Fields }): string =>
    JSON.stringify([kind, fields['slug'], fields[nameFieldOf(kind)]]);
  const byKey = new Map<string, DesiredRecord>(originals.map((file) => [file.key, file]));
  const byMark = groupedBy(originals, (file) => [markOf(file)]);
  return elsewhere.flatMap((record) => {
    const stamp = record.stamp === undefined ? undefined : parseStamp(record.stamp);
    const file =
      stamp === undefined
        ? byMark.get(markOf(record))?.[0]
        : stamp.repository === repository
          ? byKey.get(stamp.key)
          : undefined;
    return file === undefined || file.kind !== record.kind ? [] : [{ key: file.key, id: record.id }];
  });
}

function filedUnder(
  unclaimed: readonly Unclaimed[],
  reads: ReadonlyMap<string, ReadOutcome>,
): ReadonlySet<RemoteId> | undefined {
  const categories = new Set<RemoteId>();
  for (const { kind, id } of unclaimed) {
    if (kind !== 'article') continue;
    const read = reads.get(idKey(kind, id));
    if (read?.state !== 'found') return undefined;
    const { categories: named = [] } = read.record.fields;
    if (isList(named)) for (const category of named) categories.add(category);
  }
  return categories;
}

function nameKey(kind: Kind, name: unknown): string {
  return `${kind} ${typeof name === 'string' ? name : ''}`;
}

/** The families of all files, also of files with errors, because their records are ours too. */
export function familiesOf({ records, withheld }: DesiredState): ReadonlySet<Family> {
  return new Set([...records.keys(), ...(withheld?.keys() ?? [])].map(familyOf));
}

/** Files in the default language that the base does not know in any language. */
export function newOriginals(desired: DesiredState, base: BaseState): readonly DesiredRecord[] {
  return [...desired.records.values()].filter(
    ({ key, isOriginal, family }) =>
      isOriginal &&
      !base.records.has(key) &&
      !desired.languages.some((lang) => base.records.has(keyIn(family, lang))),
  );
}

function unclaimedRecords({ base, lists, hidden }: AdoptionInput): readonly Unclaimed[] {
  const claimed = new Set([...base.records.values()].map(({ key, id }) => idKey(kindOf(key), id)));
  const all: readonly Unclaimed[] = [
    ...KINDS.flatMap((kind) => lists[kind].items),
    ...hidden.map((id) => ({ kind: 'article' as const, id })),
  ];
  return all.filter(({ kind, id }) => !claimed.has(idKey(kind, id)));
}

/** Records that may belong to a new file, and records whose name is that of a translation of ours. */
function wantsOf(
  unclaimed: readonly Unclaimed[],
  originals: readonly DesiredRecord[],
  { base, desired, readsArticles }: AdoptionInput,
): readonly Unclaimed[] {
  const slugs = slugsByKind(originals, desired.moved);
  const translationNames = new Set(
    [...base.records.values()]
      .filter(({ key }) => !isOriginal(key, desired))
      .map(({ key, sent }) => {
        const name = sent[nameFieldOf(kindOf(key))];
        return `${kindOf(key)} ${typeof name === 'string' ? name : ''}`;
      }),
  );
  return unclaimed.filter(({ kind, id, seen, slug, name }) => {
    const memo = base.unmanaged.get(idKey(kind, id));
    if (kind === 'article' && readsArticles) return true;
    if (memo?.isTranslation === true) return false;
    if (memo?.seen !== seen && translationNames.has(`${kind} ${name}`)) return true;
    const wanted = slugs.get(kind);
    if (wanted === undefined) return false;
    // Files that came since may be what it was, or its text under another name; a file that waits may still be its own.
    if (memo?.was !== undefined || memo?.waits !== undefined) return true;
    // No list shows a category's slug, nor that it was edited: it may be the one that a new file says.
    if (kind === 'category') return true;
    // A list that shows slugs does not show stamps: a file whose slug changed is known by its stamp alone.
    return (slug !== undefined && wanted.has(slug)) || mayMatch(memo, seen, wanted);
  });
}

/** Why a candidate is not known, if so; undefined where it is provably nothing. */
function whyNot(read: ReadOutcome | undefined): string | undefined {
  return read?.state === 'failed' || read?.state === 'unreadable' ? read.why : undefined;
}

function unmanagedRecords(
  left: readonly Unclaimed[],
  {
    base,
    candidates,
    translations,
    families,
    doubtful,
    waits,
    repository,
  }: {
    readonly base: BaseState;
    readonly candidates: readonly KnownRecord[];
    readonly translations: ReadonlySet<string>;
    readonly families: ReadonlySet<Family>;
    readonly doubtful: ReadonlySet<string>;
    readonly waits: ReadonlyMap<string, Wait>;
    readonly repository: Repository;
  },
): PlanInput['unmanaged'] {
  const records = new Map(candidates.map((record) => [idKey(record.kind, record.id), record]));
  return left.map(({ kind, id, name, seen = '', slug }) => {
    const record = records.get(idKey(kind, id));
    const memo = base.unmanaged.get(idKey(kind, id));
    const isTranslation = translations.has(idKey(kind, id)) || memo?.isTranslation === true;
    const read = record?.fields['slug'];
    const by = record === undefined ? memo?.by : otherOwner(record.stamp, repository);
    const was = record === undefined ? memo?.was : strayKey(record, families);
    const wait = record === undefined ? memo?.waits : waits.get(idKey(kind, id));
    const isNews = memo?.seen !== seen || !isSameWait(memo.waits, wait);
    return {
      kind,
      id,
      name: name ?? String(record?.fields[nameFieldOf(kind)] ?? ''),
      seen,
      slug: typeof read === 'string' ? read : (slug ?? memo?.slug ?? ''),
      // A record that may be ours is looked at again by every run until it is clear.
      isNew: (record !== undefined || isTranslation) && isNews && !doubtful.has(id),
      ...(isTranslation ? { isTranslation } : {}),
      ...(was === undefined || by !== undefined ? {} : { was }),
      ...(by === undefined ? {} : { by }),
      ...(wait === undefined ? {} : { waits: wait }),
    };
  });
}

/** Those that files have, and those that they had under an earlier name. */
function slugsByKind(
  originals: readonly DesiredRecord[],
  moved: DesiredState['moved'] = new Map(),
): ReadonlyMap<Kind, ReadonlySet<string>> {
  const slugs = new Map<Kind, Set<string>>();
  const former = formerSlugs(moved);
  for (const { kind, family, fields } of originals) {
    const known = slugs.get(kind) ?? new Set();
    if (typeof fields['slug'] === 'string') known.add(fields['slug']);
    for (const slug of former.get(family) ?? []) known.add(slug);
    slugs.set(kind, known);
  }
  return slugs;
}
