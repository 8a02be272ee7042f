import pLimit from 'p-limit';
import type { Spool, Spooled } from '../../content/content-folder.ts';
import { bodyFieldOf } from '../../model/fields.ts';
import type { Fields } from '../../model/fields.ts';
import { KINDS } from '../../model/key.ts';
import type { Kind } from '../../model/key.ts';
import type { BaseValue, KnownRecord, ListedRecord } from '../../model/record.ts';
import { baseValueOf } from '../../plan/compare.ts';
import { RemoteError } from '../../remote/error.ts';
import { readLists, stopsEverything } from '../../remote/read-state.ts';
import type { Remote, RemoteList } from '../../remote/remote.ts';
import { isAtLimit } from '../completeness.ts';

/** A record in one language as the service showed it; the body lies in the spool. */
export interface Fetched {
  readonly kind: Kind;
  /** The original's. */
  readonly id: string;
  readonly lang: string;
  /** References as ids, without the body. */
  readonly fields: Fields;
  readonly body: Spooled;
  readonly bodyValue: BaseValue;
  /** Ids in the body that a link can jump to. */
  readonly anchors: ReadonlySet<string>;
  readonly stamp: string | undefined;
}

export interface ReadOptions {
  readonly remote: Remote;
  readonly spool: Spool;
  readonly defaultLanguage: string;
  readonly atOnce: number;
  /** Languages of a listed record that shall be read; none: it is not read. */
  readonly languagesOf: (item: {
    readonly kind: Kind;
    readonly id: string;
    readonly seen?: string;
    readonly languages: readonly string[];
  }) => readonly string[];
  readonly onRead: (done: number, total: number, failed: number) => void;
}

export interface Reading {
  readonly records: readonly Fetched[];
  readonly listed: readonly ListedRecord[];
  readonly incomplete: readonly string[];
}

/** Three lists, then one read for each record and language that is wanted. Bodies go to the spool as they come. */
export async function readRecords(options: ReadOptions): Promise<Reading> {
  const { remote, defaultLanguage } = options;
  const lists = await readLists(remote);
  const hidden = await hiddenArticles(remote, lists);
  const items = [
    ...KINDS.flatMap((kind) => lists[kind].items),
    ...hidden.map((id) => ({ kind: 'article' as const, id, languages: lists.article.languages ?? [] })),
  ];
  const wants = items.flatMap((item) =>
    options.languagesOf(item).map((lang) => ({ kind: item.kind, id: item.id, lang })),
  );
  const limit = pLimit(options.atOnce);
  const failures: string[] = [];
  const records: Fetched[] = [];
  let done = 0;
  const readOne = async ({ kind, id, lang }: (typeof wants)[number]): Promise<void> => {
    const asked = lang === defaultLanguage ? undefined : lang;
    const found = await readOrWhy(remote, { kind, id, lang: asked });
    done += 1;
    if (typeof found === 'string') failures.push(`${kind} ${id} in ${lang}: ${found}`);
    // A translation that the service lists as a record of its own belongs to its original.
    else if (found !== undefined && found.lang === lang) records.push(fetched(found, options.spool));
    options.onRead(done, wants.length, failures.length);
  };
  await Promise.all(wants.map((want) => limit(() => readOne(want))));
  return {
    records: records.sort(inOrder),
    listed: KINDS.flatMap((kind) => lists[kind].items),
    incomplete: [...KINDS.flatMap((kind) => cutList(kind, lists[kind], remote)), ...failures.sort()],
  };
}

/** Answers come in any order; what is made of them must not depend on it. */
export function inOrder(a: Fetched, b: Fetched): number {
  const kinds = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
  if (kinds !== 0) return kinds;
  return a.id === b.id ? compared(a.lang, b.lang) : compared(a.id, b.id);
}

function compared(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The record, why it cannot be had, or undefined for a language that it does not have. */
export async function readOrWhy(
  remote: Remote,
  { kind, id, lang }: { readonly kind: Kind; readonly id: string; readonly lang: string | undefined },
): Promise<KnownRecord | string | undefined> {
  try {
    const read = await remote.read(kind, id, lang);
    if (read.state === 'found') return read.record;
    if (read.state === 'unreadable') return read.why;
    return lang === undefined ? 'the list shows it and a single read says that it does not exist' : undefined;
  } catch (error) {
    if (!(error instanceof RemoteError) || stopsEverything(error)) throw error;
    return error.message;
  }
}

/** A record with its body in the spool. */
export function fetched({ kind, id, lang, fields, stamp }: KnownRecord, spool: Spool): Fetched {
  const bodyField = bodyFieldOf(kind);
  const { [bodyField]: body, ...others } = fields;
  const html = typeof body === 'string' ? body : '';
  return {
    kind,
    id,
    lang,
    fields: others,
    body: spool.put(html),
    bodyValue: baseValueOf(kind, bodyField, html),
    anchors: new Set(idsIn(html).map(apart)),
    stamp: stamp === undefined ? undefined : apart(stamp),
  };
}

/** A copy: V8 keeps the whole text alive for what is cut out of it. */
function apart(part: string): string {
  return Buffer.from(part).toString();
}

function idsIn(html: string): readonly string[] {
  return [...html.matchAll(/\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

/** Articles that the list does not show, and tags name; where it may be cut, the tools as well. */
export async function hiddenArticles(
  remote: Remote,
  lists: Readonly<Record<Kind, RemoteList>>,
): Promise<readonly string[]> {
  const listed = new Set(lists.article.items.map(({ id }) => id));
  const named = new Set(lists.tag.articleIds ?? []);
  if (mayBeCut(lists.article, remote)) {
    try {
      for (const id of await remote.sideArticleIds()) named.add(id);
    } catch (error) {
      if (!(error instanceof RemoteError) || stopsEverything(error)) throw error;
    }
  }
  return [...named].filter((id) => !listed.has(id)).sort();
}

export function mayBeCut(list: RemoteList, remote: Remote): boolean {
  if (list.total !== undefined) return list.total !== list.items.length;
  return remote.capabilities()['full-lists'] !== 'yes' && isAtLimit(list, list.limit);
}

function cutList(kind: Kind, list: RemoteList, remote: Remote): readonly string[] {
  if (!mayBeCut(list, remote)) return [];
  const shown = list.total === undefined ? 'exactly a limit at which lists may be cut' : `of ${list.total}`;
  return [
    `the ${kind} list shows ${list.items.length} records, ${shown}; what it does not show is not pulled`,
  ];
}
