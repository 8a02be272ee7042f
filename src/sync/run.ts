import type { Intent, Journal } from '../base/base.ts';
import type { Clock } from '../model/clock.ts';
import type { Emit } from '../model/event.ts';
import type { KnownFields } from '../model/fields.ts';
import type { Habits } from '../model/html/habits.ts';
import type { ListView } from '../model/compare/fingerprint.ts';
import type { Family, Key, Kind, Lang, RemoteId } from '../model/key.ts';
import { idKey, isOriginal, kindOf, langOf } from '../model/key.ts';
import type { BaseRecord, DesiredRecord, DesiredState, KnownRecord, ListedRecord } from '../model/record.ts';
import type { Change } from '../plan/plan.ts';
import type { Ways } from '../plan/likeness.ts';
import { withoutSharedFields } from '../plan/shared-fields.ts';
import type { PlanInput } from '../plan/plan-input.ts';
import type { Remote, WriteOptions, Written } from '../remote/remote.ts';
import type { Lost, Result, SyncPolicy } from './report.ts';
import type { Repository } from '../model/repository.ts';

/** Keeps the full pre-image of a record, durably, before it is deleted. */
export type SaveTrash = (key: Key, record: KnownRecord) => Promise<void>;

/** `kept`: the service had it. */
export type FileEnd =
  | { readonly outcome: 'kept' | 'sent'; readonly message?: undefined }
  | { readonly outcome: 'failed' | 'skipped'; readonly message: string };

/** A list in which each delete finds at once what it asks for. */
export interface DeleteList {
  readonly byId: ReadonlyMap<RemoteId, ListedRecord>;
  /** By the name of the category above. */
  readonly byParent: ReadonlyMap<string, readonly ListedRecord[]>;
}

/** Of an answer no more than this, because it is kept to the end of the run. */
export interface WriteDate {
  readonly lastEdited: Written['lastEdited'] | undefined;
  readonly previousEdited: Written['previousEdited'] | undefined;
}

/** `unseen`: no record is shown under it. */
export type ToldId = 'right' | 'wrong' | 'unseen';

/** Everything one run works with. The maps are the run's own: they end up as the new base. */
export interface Run {
  readonly remote: Remote;
  readonly journal: Journal;
  readonly desired: DesiredState;
  readonly input: PlanInput;
  readonly policy: SyncPolicy;
  readonly repository: Repository;
  readonly clock: Clock;
  readonly random: () => number;
  readonly emit: Emit;
  readonly signal: AbortSignal | undefined;
  /** When the service began to be read. */
  readonly startMs: number;
  readonly saveTrash: SaveTrash;
  readonly records: Map<Key, BaseRecord>;
  readonly ids: Map<Family, RemoteId>;
  /** The other way round, by `idKey`: see `enterId`. */
  readonly owners: Map<string, Family>;
  /** What the answer to each write of a family said of its date. */
  readonly dates: Map<Family, readonly WriteDate[]>;
  /** Records that were created or edited in this run: what the service made of them is read back where it may differ. */
  readonly written: Map<Key, KnownFields>;
  /** What became of each image or file that was asked for, by digest. */
  readonly files: Map<string, Promise<FileEnd>>;
  readonly deleted: Set<Key>;
  /** Fields of which a write in one language was seen leaving the other alone: `article.slug`. */
  readonly ownFields: Set<string>;
  /** What the lists show of each family, as far as this run knows it. */
  readonly views: Map<Family, ListView>;
  /** What the service was seen doing to what it was sent, before and in this run. */
  habits: Habits;
  /** Entries that it was seen putting into lists of a field by itself: `article.tags`. */
  readonly addedEntries: Map<string, ReadonlySet<string>>;
  /** Fields in whose place a read right after a write showed the same words in other markup: `article.content`. */
  readonly otherMarkups: Set<string>;
  /** What it did not keep, and no run before has told. */
  readonly lost: Lost[];
  /** When each record was written. */
  readonly writtenAtMs: Map<Key, number>;
  /** Families in which a write met edits of others and left them as they are. */
  readonly drifted: Set<Family>;
  /** The lists as they were when everything but categories, or tags, was deleted. */
  readonly deleteLists: Map<Kind, DeleteList>;
  /** Per kind, of originals and translations apart: whether a delete that the service confirmed removed the record. */
  readonly removals: Map<string, 'done' | 'dropped'>;
  /** Per kind: whether a read by the id in the answer to a create showed what was made. */
  readonly toldIds: Map<Kind, ToldId>;
  /** As the lists name them, once they were read for it. */
  serviceLanguages?: readonly Lang[];
  /** A confirmed create was looked for as long as lists may lag, and not found: later ones are not waited for. */
  isListLate: boolean;
  /** Creates of earlier runs that no list shows, and that are sent again because somebody vouches for the lists. */
  readonly vouchedFor: Set<Key>;
  /** Set when the next request would fail in the same way: nothing more is sent. */
  stop: string | undefined;
  /** Whether that is a setting, so another run stops there too. */
  needsSetting?: true;
  /** Intents of this run whose end is not known. */
  readonly open: Intent[];
}

/** A write whose turn comes later than this after its read is not sent, unless the service refuses stale writes itself. */
export const READ_AGE_MAX_MS = 2000;

/** An older read is repeated just before the write: of a plan with many changes, every one. */
export const READ_JUST_NOW_MS = READ_AGE_MAX_MS / 20;

/** The record that has this id from now on. */
export function enterId(family: Family, id: RemoteId, { ids, owners }: Run): void {
  ids.set(family, id);
  owners.set(idKey(kindOf(family), id), family);
}

/** Which record has this id; undefined: none that is known. */
export function ownerOf(kind: Kind, id: RemoteId, { ids, owners }: Run): Family | undefined {
  const family = owners.get(idKey(kind, id));
  return family !== undefined && ids.get(family) === id ? family : undefined;
}

/** Under which condition a write may follow a read: the service's own check, else that the read is fresh. */
export function conditionOf({ etag, readAtMs, tookMs = 0 }: KnownRecord, run: Run): WriteOptions {
  const ifMatch = run.remote.capabilities()['if-match'];
  if (etag !== undefined && ifMatch === 'yes') return { ifMatch: etag };
  const staleAtMs = readAtMs + tookMs + READ_AGE_MAX_MS;
  return etag === undefined || ifMatch === 'no' ? { staleAtMs } : { ifMatch: etag, staleAtMs };
}

/** Without what the service was seen keeping once for all languages, in this run too. */
export function desiredOf(change: Change, run: Run): DesiredRecord {
  const desired = run.desired.records.get(change.key);
  if (desired === undefined) throw new Error(`bug: ${change.action} of ${change.key} without a file`);
  return withoutSharedFields(desired, run.remote.capabilities());
}

/** How the service shows what it is sent, as far as this run knows. */
export function waysOf({ habits, input }: Run): Ways {
  return { habits, origin: input.ways.origin };
}

export function resultOf(change: Change, outcome: Result['outcome'], message: string, id?: string): Result {
  const { key, kind, lang, action } = change;
  return { key, kind, lang, action, outcome, message, ...(id === undefined ? {} : { id }) };
}

/** The language of a read: undefined reads the original. */
export function readLang(key: Key, run: Run): Lang | undefined {
  return isOriginal(key, run.desired) ? undefined : langOf(key);
}

/** Why nothing more is sent in this run; undefined: it goes on. */
export function stopWords({ stop }: Run): string | undefined {
  return stop === undefined ? undefined : `not sent, because ${stop}`;
}

/** An id for one operation, unlike any other of this or another run. */
export function newOperation(run: Run): string {
  const part = () =>
    Math.floor(run.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return `${run.clock.now().toString(16)}-${part()}${part()}`;
}
