import type { OldAddress } from '../model/address/redirect.ts';
import type { Capabilities, KnownRecord, ListedRecord } from '../model/record.ts';
import type { KnownFields } from '../model/fields.ts';
import type { Kind, Lang, RemoteId } from '../model/key.ts';
import type { ListTags } from './writing/list-steps.ts';

/** The seam to the world: tests hand the service's own app in here. No redirects, no retries, no cookies. */
export type Send = (request: Request) => Promise<Response>;

/** The knowledge base in the words of the model. Every method throws a RemoteError when the answer is not a clear yes. */
export interface Remote {
  /** One request. */
  list(kind: Kind): Promise<RemoteList>;
  /**
   * The same request; what is the list of `digest` to the byte is not parsed before it is asked for. With its `tag`, the service
   * may say that nothing changed: then there is no list, and whoever decides anything on it must ask again without the tag.
   */
  peek(kind: Kind, digest: string, tag?: string): Promise<PeekedList>;
  /**
   * One request; retried inside the retry budget, because a read is safe to repeat. `lang` undefined reads the original.
   * `absent` is proved: the service answered 404 for the id (and not for everything: see control probe), or
   * `newVersion: true` for a language. `unreadable`: the service ignored `lang`.
   */
  read(kind: Kind, id: RemoteId, lang?: Lang): Promise<ReadResult>;
  /**
   * In which language the service keeps an original that was made without one, if it shows that it is another one than the default
   * language here; undefined: it is that, or nothing tells. One request, and more where that one shows no such record.
   */
  originalLanguage(kind: Kind, id: RemoteId): Promise<Lang | undefined>;
  /** One request, sent exactly once in every case. `fields` is complete; references are ids. */
  create(kind: Kind, fields: KnownFields, options: WriteOptions): Promise<Created>;
  /** One request, sent exactly once here: repeating it needs a read in between, which is the caller's decision. */
  edit(kind: Kind, id: RemoteId, lang: Lang, fields: KnownFields, options: WriteOptions): Promise<Written>;
  /** One request, sent exactly once. */
  remove(kind: Kind, id: RemoteId, options: WriteOptions): Promise<Written>;
  /** Versions, links, review dates and insights, row by row as the service gives them (see wire/decode-tools). */
  tool(
    name: ToolName,
    query?: { readonly count?: number },
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Ids of articles that tags, the link manager and the review dates know: two requests, for lists that may be cut. */
  sideArticleIds(): Promise<ReadonlySet<RemoteId>>;
  /** Whether the service keeps the file with this SHA-256; `false` too where it keeps none at all. One request. */
  hasFile(digest: string): Promise<boolean>;
  /** One request, safe to repeat: equal bytes are one file. */
  storeFile(digest: string, name: string, bytes: Buffer): Promise<void>;
  /**
   * The tags of the sets of old addresses that the service keeps, by repository, as the lists of this run told them; with a key `*`
   * there are more. Undefined: it keeps none, or no list was read.
   */
  redirectSets(): ReadonlyMap<string, string> | undefined;
  /** One request. Empty: the repository has none. */
  readRedirects(repository: string): Promise<readonly OldAddress[]>;
  /** One request, safe to repeat. Replaces the set; answers which addresses another repository had before. */
  writeRedirects(
    repository: string,
    tag: string,
    redirects: readonly OldAddress[],
  ): Promise<readonly { readonly from: string; readonly by: string }[]>;
  /** The lists are those of these tags, and the writes from now on ask what became of them; undefined: nobody wants to know. */
  followLists(tags: ListTags | undefined): void;
  /**
   * The tags that the lists have after the writes of this run. Undefined: the service did not tell, or somebody else may have written
   * in between.
   */
  listTags(): ListTags | undefined;
  /** What has been learnt so far (headers, observation); starts with what the base knows. */
  capabilities(): Capabilities;
  learn(capability: Capabilities): void;
  /** What the article list said of an article at the last sync: when it was edited last. */
  learnDates(listed: (id: RemoteId) => string | undefined): void;
  /** Which ids the last sync knew as originals': a row of a list with one of them is nobody's translation. */
  learnOriginals(isOriginal: (kind: Kind, id: RemoteId) => boolean): void;
  /** Requests sent so far, retries included. */
  requests(): number;
}

/** Lists of the service's own. */
export type ToolName = 'versions' | 'links' | 'reviews' | 'search-misses' | 'feedback' | 'stale';

export interface WriteOptions {
  readonly ifMatch?: string;
  /** `*`: only where nothing is yet. */
  readonly ifNoneMatch?: '*';
  readonly idempotencyKey?: string;
  /** When the read that the write stands on is too old: later it is not sent, but fails as `stale`. */
  readonly staleAtMs?: number;
}

export interface PeekedList {
  /** Of the bytes of the list, and of what its headers say of its length. */
  readonly digest: string;
  /** The strong ETag of the list, where the service says that it moves with the list. */
  readonly tag?: string;
  /** Throws as `Remote.list` does. Undefined: the service says that it is the list of the tag, and sent nothing. */
  readonly list: (() => RemoteList) | undefined;
}

export interface RemoteList {
  /** Each record once. */
  readonly items: readonly ListedRecord[];
  /** When it was answered, by the service's clock if it tells that. */
  readonly answeredAtMs?: number;
  /** How many rows the answer held, those that came twice among them. */
  readonly rows: number;
  /** Article list only: the reported `limit`. */
  readonly limit?: number;
  /** From X-Total-Count; of a list that was read page by page to its end, how many rows that were. */
  readonly total?: number;
  /** The answer says that there is more, and kbsync could not read it. */
  readonly more?: More;
  /** Languages the service names, as far as it does (article and tag list). */
  readonly languages?: readonly Lang[];
  /** The language of the originals, if the service tells it. */
  readonly defaultLanguage?: Lang;
  /** Article list only: the name of the zone of its dates, as the service says. */
  readonly timezone?: string;
  /** Tag list only: article ids named in tag relationships. */
  readonly articleIds?: readonly RemoteId[];
}

/** That a list has more records than were read of it. */
export interface More {
  /** `has_more is true` */
  readonly why: string;
  /** A number of records may count others too, those in a bin for one: then somebody may vouch for the list. */
  readonly isCertain: boolean;
}

export type ReadResult =
  | { readonly state: 'found'; readonly record: KnownRecord }
  | { readonly state: 'absent' }
  | { readonly state: 'unreadable'; readonly why: string };

export interface Created extends Written {
  /** From Location, or from the body when a service puts it there. */
  readonly id?: RemoteId;
}

export interface Written {
  /** From KB-Last-Edited: what the list will show for the original. */
  readonly lastEdited?: string;
  /** From KB-Previous-Edited: what the list showed before this write. */
  readonly previousEdited?: string;
  readonly etag?: string;
}
