import { anchorsIn } from '../../../content/html-to-markdown/own-addresses.ts';
import pLimit from 'p-limit';
import type { Spool, Spooled } from '../../../content/files/folder.ts';
import { bodyFieldOf, isStatus } from '../../../model/fields.ts';
import type { Fields } from '../../../model/fields.ts';
import { KINDS, idKey, keyIn, kindOf } from '../../../model/key.ts';
import { hasLanguage, sameTongue } from '../../../model/language.ts';
import { dateIn } from '../../../model/compare/fingerprint.ts';
import type { Family, Key, Kind } from '../../../model/key.ts';
import type { BaseState, BaseValue, KnownRecord, ListedRecord } from '../../../model/record.ts';
import { baseValueOf } from '../../../plan/compare.ts';
import { RemoteError } from '../../../remote/error.ts';
import { readLists, stopsEverything } from '../../../remote/read-many.ts';
import type { Remote, RemoteList } from '../../../remote/remote.ts';
import { mayBeCut, unlistedArticles } from '../../survey/completeness.ts';
import { baseIds } from '../../survey/consistent-base.ts';
import { NOTHING_SYNCED } from '../../../model/record.ts';

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
  /** Whether an earlier run was in sync with an article in the default language, or the user says that they are in it. */
  readonly isKnown: boolean;
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
  /** Kinds whose list may be cut: what it does not show may be there. */
  readonly cut: ReadonlySet<Kind>;
}

/** Three lists, then one read for each record and language that is wanted. Bodies go to the spool as they come. */
export async function readRecords(options: ReadOptions): Promise<Reading> {
  const { remote, defaultLanguage } = options;
  const lists = await readLists(remote);
  const other = options.isKnown ? undefined : otherOriginals(lists, defaultLanguage);
  if (other !== undefined) {
    const { lang, sign } = other;
    const why = `the originals of the service ${sign}, so nothing was pulled; write \`defaultLanguage: ${lang}\` into kbsync.yaml, or if they are in ${defaultLanguage}, pull once with --lang ${defaultLanguage}`;
    return { records: [], listed: [], incomplete: [why], cut: new Set(KINDS) };
  }
  const hidden = await unlistedArticles(remote, lists);
  const items = [
    ...KINDS.flatMap((kind) => lists[kind].items),
    ...hidden.map((id) => ({ kind: 'article' as const, id, languages: lists.article.languages ?? [] })),
  ];
  const wants = items.flatMap((item) =>
    options.languagesOf(item).map((lang) => ({ kind: item.kind, id: item.id, lang })),
  );
  const archived = new Set(
    lists.article.items
      .filter(({ view: { status = '' } }) => status !== '' && !isStatus(status))
      .map(({ kind, id }) => idKey(kind, id)),
  );
  const limit = pLimit(options.atOnce);
  const failures: string[] = [];
  const records: Fetched[] = [];
  /** Listed as records of their own, or named by tags: they come with their originals. */
  const translations = new Set<string>();
  let done = 0;
  const readOne = async ({ kind, id, lang }: (typeof wants)[number]): Promise<void> => {
    const asked = lang === defaultLanguage ? undefined : lang;
    const found = await readOrWhy(remote, { kind, id, lang: asked });
    done += 1;
    const isArchived = found === NOT_THERE && archived.has(idKey(kind, id));
    if (typeof found === 'string' && !isArchived) failures.push(`${kind} ${id} in ${lang}: ${found}`);
    else if (typeof found === 'object' && found.lang !== lang) translations.add(idKey(kind, id));
    else if (typeof found === 'object') records.push(fetched(found, options.spool));
    options.onRead(done, wants.length, failures.length);
  };
  await Promise.all(wants.map((want) => limit(() => readOne(want))));
  const cut = KINDS.filter((kind) => mayBeCut(lists[kind], remote));
  return {
    records: records.filter(({ kind, id }) => !translations.has(idKey(kind, id))).sort(inOrder),
    listed: KINDS.flatMap((kind) => lists[kind].items),
    incomplete: [...cut.map((kind) => cutList(kind, lists[kind])), ...failures.sort()],
    cut: new Set(cut),
  };
}

/**
 * The language of the service's originals, if it is not ours, and how that is known: the service says it, or the list of articles shows a
 * single language that no article is translated into, and ours is not it. Every page would get a file of a wrong language.
 */
function otherOriginals(
  { article }: Readonly<Record<Kind, RemoteList>>,
  ours: string,
): { readonly lang: string; readonly sign: string } | undefined {
  const { items, languages: named = [], defaultLanguage: told } = article;
  if (items.length === 0) return undefined;
  if (told !== undefined) {
    if (sameTongue(told, ours)) return undefined;
    return {
      lang: told,
      sign: `are in ${told}, as the service says, and the default language here is ${ours}`,
    };
  }
  const translated = items.flatMap(({ languages }) => languages);
  const [lang, ...more] = named.filter((one) => !hasLanguage(translated, one));
  if (lang === undefined || more.length > 0 || sameTongue(lang, ours)) return undefined;
  const inOurs = items.filter(({ languages }) => hasLanguage(languages, ours)).length;
  if (inOurs === 0 && named.some((one) => sameTongue(one, ours))) return undefined;
  const reason =
    inOurs === 0
      ? `its list of articles names no ${ours}, the default language here`
      : `${inOurs} of its articles ${inOurs === 1 ? 'has' : 'have'} a translation in ${ours}, the default language here`;
  return { lang, sign: `seem to be in ${lang}, because ${reason}` };
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

/** No failure where the list has it under a status of the service's own: what was deleted is kept in an archive. */
const NOT_THERE = 'the list shows it, but reading it says that it does not exist';

/** The record, why it cannot be had, or undefined for a language that it does not have. */
export async function readOrWhy(
  remote: Remote,
  { kind, id, lang }: { readonly kind: Kind; readonly id: string; readonly lang: string | undefined },
): Promise<KnownRecord | string | undefined> {
  try {
    const read = await remote.read(kind, id, lang);
    if (read.state === 'found') return read.record;
    if (read.state === 'unreadable') return read.why;
    return lang === undefined ? NOT_THERE : undefined;
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
    anchors: new Set(anchorsIn(html).map(apart)),
    stamp: stamp === undefined ? undefined : apart(stamp),
  };
}

/** A copy: V8 keeps the whole text alive for what is cut out of it. */
function apart(part: string): string {
  return Buffer.from(part).toString();
}

function cutList(kind: Kind, list: RemoteList): string {
  const shown =
    list.more !== undefined
      ? `and the answer says that there is more (${list.more.why})`
      : list.total === undefined
        ? 'exactly a number at which services truncate lists'
        : `of ${list.total}`;
  return `the ${kind} list shows ${list.items.length} records, ${shown}; kbsync does not pull what the list does not show`;
}

interface WantedLanguages {
  /** undefined: all. */
  readonly languages?: readonly string[] | undefined;
}

interface Wanted {
  readonly defaultLanguage: string;
  readonly wanted: WantedLanguages;
  readonly records: BaseState['records'];
  /** A record whose name has to be known although nothing changed. */
  readonly isNeeded: (original: Key) => boolean;
  /** A record that need not be read. */
  readonly onUnread: (key: Key) => void;
}

/**
 * Nothing is read of records that the list shows as the base remembers them, where each language has its file. Of an article without
 * a date the list shows no edit of its text.
 */
export function languagesToRead({
  defaultLanguage,
  wanted,
  records,
  isNeeded,
  onUnread,
}: Wanted): ReadOptions['languagesOf'] {
  const families = new Map<string, Family>();
  for (const [family, id] of baseIds({ ...NOTHING_SYNCED, records }, defaultLanguage))
    families.set(idKey(kindOf(family), id), family);
  return ({ kind, id, seen, languages }) => {
    const all = [defaultLanguage, ...languages.filter((lang) => lang !== defaultLanguage)];
    const family = families.get(idKey(kind, id));
    if (
      family !== undefined &&
      seen !== undefined &&
      (kind !== 'article' || dateIn(seen) !== undefined) &&
      !isNeeded(keyIn(family, defaultLanguage)) &&
      records.get(keyIn(family, defaultLanguage))?.seen === seen &&
      all.every(
        (lang) =>
          (records.has(keyIn(family, lang)) || !isWantedLanguage(lang, wanted)) &&
          records.get(keyIn(family, lang))?.accepted === undefined,
      )
    ) {
      for (const lang of all) if (isWantedLanguage(lang, wanted)) onUnread(keyIn(family, lang));
      return [];
    }
    // An original names the folders and files of its translations.
    return all.filter((lang) => lang === defaultLanguage || isWantedLanguage(lang, wanted));
  };
}

export function isWantedLanguage(lang: string, { languages }: WantedLanguages): boolean {
  return languages === undefined || languages.includes(lang);
}
