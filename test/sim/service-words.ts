import type { PlainRequest, PlainResponse } from '../../src/remote/http/exchange.ts';

/**
 * A deliberately naive knowledge base, written from the spec and from nothing of src/service: a second, independent
 * witness that is fast enough for a million runs. What the spec leaves open is a switch.
 */
export interface Personality {
  /** Whether it sends the headers by which our own service fills the gaps. */
  readonly headers: boolean;
  readonly slugs: 'refuse-doubles' | 'accept-doubles';
  readonly html: 'keep' | 'strip-comments';
  /** What becomes of translations when their original is deleted. */
  readonly originalDelete: 'refuse' | 'cascade';
  /** Whether the lists of categories and tags show that articles are in them. */
  readonly showsUse: boolean;
}

export type SimKind = 'article' | 'category' | 'tag';

export interface Row {
  readonly kind: SimKind;
  readonly id: string;
  /** null: an original. */
  readonly lang: string | null;
  readonly parent: string | null;
  /** Under the names of the request bodies; references as ids. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly version: number;
  readonly editedMs: number;
  /** Who made it, and who wrote this version. */
  readonly maker: string;
  readonly author: string;
}

export interface Written {
  readonly by: string;
  readonly action: 'create' | 'edit' | 'delete';
  readonly before: Row | undefined;
  readonly after: Row | undefined;
  readonly ifMatch: boolean;
  /** Taken along by the delete of its original. */
  readonly isCascade?: boolean;
}

export interface Look {
  readonly originalId: string;
  readonly lang: string;
  readonly row: Row | undefined;
}

export interface SimService {
  readonly rows: ReadonlyMap<string, Row>;
  /** Carries a request out, at once. */
  handle(request: PlainRequest, by: string): PlainResponse;
  translation(id: string, lang: string): Row | undefined;
  originals(kind: SimKind): readonly Row[];
}

export interface ServiceOptions {
  readonly personality: Personality;
  readonly now: () => number;
  /** Called after each write that was carried out. */
  readonly wrote: (written: Written) => void;
  /** Called for each row that a single read showed, or showed to be missing in a language. */
  readonly shown: (look: Look, by: string) => void;
  readonly listed: (kind: SimKind, by: string) => void;
}
