/**
 * A part of a reply as any service may send it: the names and types of the API text, each of which may be missing or
 * null. Our own service leaves nothing out (kbsync/contract says what it sends).
 */
export type AsSent<T> = T extends readonly (infer Item)[]
  ? readonly AsSent<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]?: AsSent<T[Name]> | null }
    : T;

/** A record, of which the client has looked at one thing: it has an id, and it is a text. */
export type RecordAsSent<T> = AsSent<Omit<T, 'id'>> & { readonly id: string };

/** The whole reply; `data` is the record, or the list of records. */
export type ReplyAsSent<Reply extends { readonly data: unknown }> = AsSent<Omit<Reply, 'data'>> & {
  readonly data: Reply['data'] extends readonly (infer Item)[]
    ? readonly RecordAsSent<Item>[]
    : RecordAsSent<Reply['data']>;
};
