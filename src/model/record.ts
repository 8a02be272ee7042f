import type { Digest } from './digest.ts';
import type { DesiredFields, Fields, FieldValue, KnownFields } from './fields.ts';
import type { Family, Key, Kind, Lang, RemoteId } from './key.ts';
import type { ListView } from './compare/fingerprint.ts';
import type { Habits } from './html/habits.ts';
import type { NamedRecords } from './named-records.ts';
import type { Place } from './problem.ts';
import type { Redirect } from './address/redirect.ts';
import type { Revision } from './revision.ts';

/**
 * One record as the files want it. References are families here (`category/getting-started`), because ids are the
 * remote's business; everything else is in canonical form.
 */
export interface DesiredRecord {
  readonly key: Key;
  readonly kind: Kind;
  readonly family: Family;
  readonly lang: Lang;
  /** True in the default language: only such records can be created; the others are edits with `lang`. */
  readonly isOriginal: boolean;
  /** Fields the author owns, without the body. */
  readonly fields: DesiredFields;
  /** Values a create sends for fields the author does not own (the derived excerpt, the default status). */
  readonly initial: Fields;
  /** Of a translation: what the file says of fields that the service keeps once for all languages of a record. */
  readonly unkept?: DesiredFields;
  readonly body?: DesiredBody;
  /** Digests of the state's files that it shows or links to. */
  readonly files?: readonly string[];
  /** What becomes of its status by itself, by a date in the file that has not come yet. */
  readonly scheduled?: Scheduled;
  /** Of a translation: the commit of the original that its file says it was made from, as 7 to 64 hexadecimal digits. */
  readonly sourceCommit?: string;
  /** Where the record is written; relative to the working directory, so a terminal can open it. */
  readonly at: Place;
  /** Where its fields are written, those that have a line of their own. */
  readonly places: () => Readonly<Record<string, Place>>;
}

export interface Scheduled {
  readonly becomes: 'published' | 'draft';
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** The body is rendered only when somebody needs it: a run that finds nothing changed renders nothing. */
export interface DesiredBody {
  readonly field: 'content' | 'longDescription';
  /** Of everything the HTML depends on: source text, resolved links, renderer and its options (input-digest.ts). */
  readonly inputDigest: Digest;
  /** The HTML, without stamp. Same input digest, same HTML. `last`: nobody will ask again, so it need not be kept. */
  readonly render: (asked?: 'last') => string;
}

export interface DesiredState {
  readonly records: ReadonlyMap<Key, DesiredRecord>;
  readonly defaultLanguage: Lang;
  readonly languages: readonly Lang[];
  readonly fileCount: number;
  /** Digest of layout, filters and language list: when it differs from the base's, files may only *seem* to be gone. */
  readonly scopeDigest: Digest;
  /** From `sinceMs` until `untilMs` the same files want the same; then a date in one of them passes. */
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** The files are those of a site generator, so they say all of a page (removed-fields.ts). */
  readonly isWhole?: true;
  /** Images and files that records show at an address of the service, by digest. */
  readonly files?: ReadonlyMap<string, LocalFile>;
  /** Records whose files are there and excluded by the settings: their files are not gone. Reads all files again. */
  readonly excluded?: () => ReadonlySet<Key>;
  /** `protect:` they are not deleted or unpublished, and keep their slugs. */
  readonly protects?: NamedRecords;
  /** `released:` without a file they stay on the service, and are no longer ours. */
  readonly releases?: NamedRecords;
  /** What had another name before, as the files or kbsync.yaml say: by the old name. */
  readonly moved?: ReadonlyMap<Family, Family>;
  /** Old addresses of pages, as the files and kbsync.yaml say. */
  readonly redirects?: readonly Redirect[];
  /** The text that the file of a record sends if a pull has made it of one that the service shows. */
  readonly asPulled?: (record: DesiredRecord, shown: string) => string;
  /** Records that wait for the repair of a file with errors. What is published of them stays; nothing is deleted meanwhile. */
  readonly withheld?: ReadonlyMap<Key, Withheld>;
}

/** An image or another file of the repository. */
export interface LocalFile {
  /** From the content folder; of files with equal bytes the first. */
  readonly path: string;
  /** As its address ends. */
  readonly name: string;
  readonly bytes: number;
  /** Why no page can show it, if it is the settings' command that gives it an address; as a sentence without its subject. */
  readonly withoutAddress?: string;
  /** Undefined: its bytes are no longer those of the digest. */
  readonly read: () => Buffer | undefined | Promise<Buffer | undefined>;
}

export interface Withheld {
  /** Why, in one sentence without a full stop. */
  readonly message: string;
  /**
   * The same, of a category that is made without its text, because pages are in it. Such a record is among `records` too, and
   * all that may become of it is that it is created.
   */
  readonly withoutText?: string;
  readonly at: Place;
}

/** How a record came under our care. Only such records may ever be deleted by us. */
export type Ownership = 'created' | 'adopted';

/**
 * What the base remembers of a field: the value itself where it is short, else `{digest}`, so a state of 10,000
 * records stays a few megabytes and a conflict can still print most base values.
 */
export type BaseValue = FieldValue | { readonly digest: Digest };

export interface BaseRecord {
  readonly key: Key;
  /** The remote id; a translation carries the id of its original, because edits with `lang` address that. */
  readonly id: RemoteId;
  readonly ownership: Ownership;
  /** Owned fields as sent (or as found, when adopted), references as ids. */
  readonly sent: Readonly<Record<string, BaseValue>>;
  /** What the service showed afterwards, only where it differs from `sent` (a service that rewrites HTML). */
  readonly observed?: Readonly<Record<string, BaseValue>>;
  /** Fields of `observed` that are edits of the site that somebody let stand, not the service's own way of writing. */
  readonly accepted?: readonly string[];
  /**
   * The form (difference.ts) of bodies on a service that may rewrite them: of what was sent, until somebody has read it
   * back; then of what the service showed, where that differs.
   */
  readonly forms?: Readonly<Record<string, string>>;
  /** What the service did not keep of it (losses.ts), and the reader was told. */
  readonly lost?: readonly string[];
  /** The body's input digest at that time. */
  readonly input?: Digest;
  /** Of a translation: what its original said when it was sent last (see translation-marks). */
  readonly original?: Digest;
  /** The original's list fingerprint after our last write or read of it; absent: not confirmed, read before trusting. */
  readonly seen?: string;
}

/** The record with this fingerprint of its family; undefined: it is to be read before it is trusted. */
export function seenAs(record: BaseRecord, fingerprint: string | undefined): BaseRecord {
  const { seen: _, ...rest } = record;
  return fingerprint === undefined ? rest : { ...rest, seen: fingerprint };
}

/** Article ids and slugs we looked at and left alone, so looking for an adoptable record costs one read, once. */
export interface UnmanagedRecord {
  readonly kind: Kind;
  readonly id: RemoteId;
  readonly slug: string;
  readonly seen: string;
  /** It is a translation that the service lists as a record of its own. */
  readonly isTranslation?: true;
  /** The key in its stamp, which no file has: we wrote it once, for a file that was moved or deleted since. */
  readonly was?: string;
  /** The repository that its stamp names, where it is another one. */
  readonly by?: string;
  readonly waits?: Wait;
}

/** The file that waits for a record that may be its own, and the name that the record had when a run saw that. */
export interface Wait {
  readonly family: Family;
  readonly name: string;
}

export interface BaseState {
  /** `https://help.example.com`: a state is good for one knowledge base only. */
  readonly origin: string;
  readonly serial: number;
  /** The repository that it belongs to (repository.ts). */
  readonly repository?: string;
  /** The commit that the last run over files was made from. */
  readonly revision?: Revision;
  readonly scopeDigest?: Digest;
  readonly capabilities: Capabilities;
  /** What the service was seen doing to what it was sent. */
  readonly habits?: Habits;
  readonly records: ReadonlyMap<Key, BaseRecord>;
  readonly unmanaged: ReadonlyMap<string, UnmanagedRecord>;
  /**
   * Pages that a pull has put into files which no sync has seen yet, as these files said them: of one page several, the newest
   * last.
   */
  readonly pulled?: readonly BaseRecord[];
}

/** Before the first sync. */
export const NOTHING_SYNCED: BaseState = {
  origin: '',
  serial: 0,
  capabilities: {},
  records: new Map(),
  unmanaged: new Map(),
};

/**
 * What a service does where the spec says "not shown". Absent means unknown, and unknown takes the safe branch.
 * Learnt from the `KB-Capabilities` header of our own service, or by observation.
 */
export type Capability =
  | 'location' // a create answers with Location
  | 'if-match' // an edit with a stale If-Match is refused with 412
  | 'idempotency-key' // a create repeated with the same key is done once
  | 'read-lang' // a single read with ?lang= shows the translation
  | 'edit-lang' // an edit with lang leaves the original alone (proved by the canary, per language)
  | 'delete-lang' // a delete of a translation leaves the original alone
  | 'default-lang' // an edit of an original may name its language
  | 'keeps-texts' // titles, excerpts and descriptions come back as they were sent, not escaped
  | 'full-lists' // lists hold every record
  | 'draft-lists' // the article list shows drafts; `no`: it showed none where files were found again without a state
  | 'limit-cuts' // `limit` of the article list is where it is truncated; `no`: it was seen to follow the length
  | 'last-edited' // a write answers with the date the list will show
  | 'keeps-html' // HTML comes back byte for byte, comments included
  | 'hides-comments' // a comment in a text stays a comment; `no`: readers see it as text
  | 'redirects' // an address that a slug leaves leads to its record
  | 'files' // images and files of articles are kept there
  | 'list-etag'; // the ETag of a list moves with every write that the list shows

export type Capabilities = Readonly<Partial<Record<Capability, 'yes' | 'no'>>> & {
  /** Languages whose first write was checked against the original. */
  readonly languages?: readonly Lang[];
  /** Fields of which it was seen keeping one value for all languages of a record: `article.slug`. */
  readonly shared?: readonly string[];
  /** Fields that a single read leaves out where they are empty: `article.excerpt`. */
  readonly leavesOut?: readonly string[];
  /** What it shows in front of each slug that it is sent: `article@en help/` (slug-front.ts). */
  readonly slugFronts?: readonly string[];
};

/** A record as a single read shows it, decoded into body field names, references as ids. */
export interface KnownRecord {
  readonly kind: Kind;
  /** The id that edits address: the original's. */
  readonly id: RemoteId;
  /** The id of the very record that was shown; a translation may have one of its own, which a delete addresses. */
  readonly ownId: RemoteId;
  /** The language of what was shown. */
  readonly lang: Lang;
  /** Every field of the kind that the service shows, the body without its stamp. */
  readonly fields: KnownFields;
  /** The stamp's text as found, when the body ends in one. */
  readonly stamp?: string;
  /** Names behind ids, for people: category and tag id → label. */
  readonly labels: ReadonlyMap<string, string>;
  readonly etag?: string;
  /** Id of an open draft copy; an edit would be lost in it or overwrite it. */
  readonly openDraft?: string;
  /** When the read was sent, by the run's clock: an edit since is not in what it shows. */
  readonly readAtMs: number;
  /** How long the answer was under way; absent: no time. */
  readonly tookMs?: number;
}

/** An item of a list, reduced to what proves "unchanged since". */
export interface ListedRecord {
  readonly kind: Kind;
  readonly id: RemoteId;
  readonly name: string;
  /** Only tags show it. */
  readonly slug?: string;
  /** Languages of the translations, sorted. */
  readonly languages: readonly Lang[];
  /** What the list shows of it, and the fingerprint of that (fingerprint.ts). */
  readonly view: ListView;
  readonly seen: string;
}
