import pLimit from 'p-limit';
import type { Spool } from '../../content/files/folder.ts';
import { fieldsOf, isList } from '../../model/fields.ts';
import { KINDS, idKey } from '../../model/key.ts';
import type { Kind } from '../../model/key.ts';
import { UNDETERMINED, hasLanguage, sameLanguage, sameTongue } from '../../model/language.ts';
import type { KnownRecord } from '../../model/record.ts';
import { readLists, readMany } from '../../remote/read-many.ts';
import type { Remote, RemoteList } from '../../remote/remote.ts';
import { fetched, inOrder, readOrWhy } from '../pull/reading/read-records.ts';
import { mayBeCut, showsDraft, unlistedArticles } from '../survey/completeness.ts';
import type { Fetched } from '../pull/reading/read-records.ts';

/** A record of the source in one language. */
export interface SourceRecord extends Fetched {
  /** Of the very record that was shown: a translation may have an id of its own, and be named by it. */
  readonly ownId: string;
  /** Somebody edits a copy of it, which is not read. */
  readonly hasOpenDraft: boolean;
}

export interface Source {
  readonly records: readonly SourceRecord[];
  /** Ids that the lists show, translations that are rows of their own among them. */
  readonly listed: ReadonlySet<string>;
  /** Lists that may be truncated. */
  readonly cut: readonly string[];
  /** Records that the source names and does not show. */
  readonly unread: readonly string[];
  /** The same by id: they exist, or nobody knows. */
  readonly unseen: readonly Unseen[];
  /** Signs that this is not the source that the user means. */
  readonly misread: readonly string[];
  /** The list of articles shows no draft, and nothing tells whether it would: a draft of the source may be missing. */
  readonly mayHideDrafts: boolean;
}

export interface Unseen {
  readonly kind: Kind;
  readonly id: string;
  /** Of a translation; undefined: the original. */
  readonly lang: string | undefined;
}

export interface SourceOptions {
  readonly remote: Remote;
  readonly spool: Spool;
  readonly defaultLanguage: string;
  /** Besides the originals, which are always read; undefined: all. */
  readonly languages: readonly string[] | undefined;
  readonly atOnce: number;
  readonly onRead: (done: number, total: number, failed: number) => void;
}

interface Want {
  readonly kind: Kind;
  readonly id: string;
  readonly lang: string;
  /** The list says that there is such a record; of an article that no list shows, nobody says in which languages it is. */
  readonly isListed: boolean;
  /** No row names it: the knowledge base has the language, so it may be there. */
  readonly isGuess?: true;
}

/** A knowledge base, whole: three lists, then one read for each record and language. Reads only. */
export async function readSource(options: SourceOptions): Promise<Source> {
  const { remote, defaultLanguage, onRead } = options;
  const lists = await readLists(remote);
  const listed = new Set(KINDS.flatMap((kind) => lists[kind].items.map(({ id }) => idKey(kind, id))));
  const wants = wantsOf(lists, await unlistedArticles(remote, lists), options);
  const limit = pLimit(options.atOnce);
  const records: SourceRecord[] = [];
  const rows: KnownRecord[] = [];
  const unreadable: (Want & { readonly why: string })[] = [];
  const unseen: Unseen[] = [];
  const guesses: (Want & { readonly why: string })[] = [];
  let done = 0;
  const readOne = async (want: Want): Promise<void> => {
    const { kind, id, lang, isListed, isGuess } = want;
    const asked = lang === defaultLanguage ? undefined : lang;
    const found = await readOrWhy(remote, { kind, id, lang: asked });
    const leave = (why: string): void => {
      unreadable.push({ ...want, why });
      unseen.push({ kind, id, lang: asked });
    };
    done += 1;
    if (typeof found === 'string' && isGuess === true) guesses.push({ ...want, why: found });
    else if (typeof found === 'string') leave(found);
    else if (found?.lang === lang) records.push(sourceRecord(found, options.spool));
    else if (found !== undefined) rows.push({ ...found, fields: {} });
    else if (isListed) leave('the list shows it, but reading it says that it does not exist');
    onRead(done, wants.length, unreadable.length);
  };
  await Promise.all(wants.map((want) => limit(() => readOne(want))));
  // Tags may name a translation by its own id: what it does not show under that comes with its original.
  const translations = new Set(rows.map(({ kind, id }) => idKey(kind, id)));
  const unread = unreadable
    .filter(({ kind, id, lang }) => lang === defaultLanguage || !translations.has(idKey(kind, id)))
    .map(({ kind, id, lang, why }) => `${kind} ${id} in ${lang}: ${why}`);
  const originals = new Set(
    records.filter(({ lang }) => lang === defaultLanguage).map(({ kind, id }) => idKey(kind, id)),
  );
  // Who asks a row of its own for another language is shown its sibling, which comes with the original.
  const owned = records.filter(({ kind, id }) => originals.has(idKey(kind, id)));
  // A list with a row for each translation leaves none of its kind unnamed.
  const withRows = new Set(rows.flatMap(({ kind, id }) => (listed.has(idKey(kind, id)) ? [kind] : [])));
  const unseenLanguages = new Map(
    guesses.flatMap(({ kind, lang, why }) => (withRows.has(kind) ? [] : [[lang, why] as const])),
  );
  const references = await readReferences(owned, unseen, options);
  return {
    records: owned.sort(inOrder),
    listed,
    cut: KINDS.flatMap((kind) => cutList(kind, lists[kind], remote)),
    unread: [
      ...unread,
      ...[...unseenLanguages].map(([lang, why]) => `translations in ${lang} that no list names: ${why}`),
      ...lostRows(rows, owned, options),
      ...references.map(textOfUnread),
    ].sort(),
    unseen: [...unseen, ...references],
    misread: otherDefault(lists, defaultLanguage),
    mayHideDrafts:
      remote.capabilities()['full-lists'] !== 'yes' && lists.article.rows > 0 && !showsDraft(lists.article),
  };
}

function sourceRecord(record: KnownRecord, spool: Spool): SourceRecord {
  const hasOpenDraft = record.openDraft !== undefined;
  return { ...fetched(record, spool), ownId: record.ownId, hasOpenDraft };
}

function wantsOf(
  lists: Readonly<Record<Kind, RemoteList>>,
  hidden: readonly string[],
  { remote, defaultLanguage, languages }: SourceOptions,
): readonly Want[] {
  // Rows may leave out drafts, or name no translation at all: only a read of each says which there are.
  const isWhole = remote.capabilities()['full-lists'] === 'yes';
  const known = isWhole ? [] : languagesOf(lists);
  const wantsIn = (kind: Kind, id: string, others: readonly string[], isListed: boolean): readonly Want[] => {
    const chosen = others.filter(
      (lang) => !sameLanguage(lang, defaultLanguage) && (languages === undefined || languages.includes(lang)),
    );
    return [
      { kind, id, lang: defaultLanguage, isListed: true },
      ...chosen.map((lang) => ({ kind, id, lang, isListed })),
    ];
  };
  return [
    ...KINDS.flatMap((kind) =>
      lists[kind].items.flatMap((item) => [
        ...wantsIn(kind, item.id, item.languages, true),
        ...known
          .filter((lang) => !hasLanguage(item.languages, lang))
          .flatMap((lang) => wantsIn(kind, item.id, [lang], false).slice(1))
          .map((want) => ({ ...want, isGuess: true as const })),
      ]),
    ),
    ...hidden.flatMap((id) => wantsIn('article', id, lists.article.languages ?? [], false)),
  ];
}

/** Languages that the knowledge base names, for itself or for any record. */
function languagesOf(lists: Readonly<Record<Kind, RemoteList>>): readonly string[] {
  const named = KINDS.flatMap((kind) => [
    ...(lists[kind].languages ?? []),
    ...lists[kind].items.flatMap((item) => item.languages),
  ]);
  const known: string[] = [];
  for (const lang of named) if (!hasLanguage(known, lang)) known.push(lang);
  return known.filter((lang) => lang !== UNDETERMINED);
}

/** The source may say the language of its originals. And originals have no translation in their own language. */
function otherDefault(lists: Readonly<Record<Kind, RemoteList>>, defaultLanguage: string): readonly string[] {
  const told = lists.article.defaultLanguage;
  if (told !== undefined && !sameTongue(told, defaultLanguage)) {
    return [
      `it says that its originals are in ${told}, and not in ${defaultLanguage}; run again with --default-language ${told}`,
    ];
  }
  const count = KINDS.flatMap((kind) => lists[kind].items).filter(({ languages }) =>
    hasLanguage(languages, defaultLanguage),
  ).length;
  if (count === 0) return [];
  return [
    `the originals are not in ${defaultLanguage}: ${count} of them have a translation in it; --default-language says which language they are in`,
  ];
}

/** A service may list translations as rows of their own; each must have come with its original. */
function lostRows(
  rows: readonly KnownRecord[],
  records: readonly SourceRecord[],
  { languages }: SourceOptions,
): readonly string[] {
  const read = new Set(records.map(({ kind, ownId }) => idKey(kind, ownId)));
  const languagesRead = new Set(records.map(({ kind, id, lang }) => `${idKey(kind, id)} ${lang}`));
  // Some show such a row under the id of its original.
  const isRead = ({ kind, id, ownId, lang }: KnownRecord): boolean =>
    id === ownId ? read.has(idKey(kind, ownId)) : languagesRead.has(`${idKey(kind, ownId)} ${lang}`);
  return rows
    .filter(({ lang }) => languages === undefined || languages.includes(lang))
    .filter((row) => !isRead(row))
    .map(({ kind, id, lang }) => `${kind} ${id} in ${lang}: it is a translation, and no original shows it`);
}

interface UnreadReference extends Unseen {
  readonly why: string;
}

function textOfUnread({ kind, id, why }: UnreadReference): string {
  return `${kind} ${id}: ${why}`;
}

/** Records that others refer to and that were not read: gone, not shown, or proof that a list is cut. */
async function readReferences(
  records: readonly SourceRecord[],
  unseen: readonly Unseen[],
  { remote, defaultLanguage, atOnce }: SourceOptions,
): Promise<readonly UnreadReference[]> {
  const known = new Set([
    ...records.flatMap(({ kind, id, ownId }) => [idKey(kind, id), idKey(kind, ownId)]),
    ...unseen.map(({ kind, id }) => idKey(kind, id)),
  ]);
  const unknown = new Map<string, { readonly kind: Kind; readonly id: string }>();
  for (const record of records)
    for (const reference of referencesIn(record)) {
      const name = idKey(reference.kind, reference.id);
      if (!known.has(name)) unknown.set(name, reference);
    }
  const wants = [...unknown.values()].map((name) => ({ name, ...name, lang: undefined }));
  return [...(await readMany(remote, wants, atOnce))].flatMap(([reference, result]) => {
    const unread = (why: string): readonly UnreadReference[] => [{ ...reference, lang: undefined, why }];
    if (result.state === 'unreadable' || result.state === 'failed') return unread(result.why);
    const isHidden = result.state === 'found' && result.record.lang === defaultLanguage;
    // Else it is gone, or a translation that is left out of this run.
    return isHidden ? unread('it exists, but no list shows it') : [];
  });
}

/** What a record names by id. */
function referencesIn({
  kind,
  fields,
}: Pick<SourceRecord, 'kind' | 'fields'>): readonly { readonly kind: Kind; readonly id: string }[] {
  return [...fieldsOf(kind)].flatMap(([name, { of }]) => {
    const value = fields[name];
    if (of === undefined || value === undefined || value === null) return [];
    return (isList(value) ? value : [String(value)]).map((id) => ({ kind: of, id }));
  });
}

function cutList(kind: Kind, list: RemoteList, remote: Remote): readonly string[] {
  if (!mayBeCut(list, remote)) return [];
  if (list.more !== undefined)
    return [
      `the ${kind} list shows ${list.items.length} records, and the answer says that there is more (${list.more.why})`,
    ];
  return list.total === undefined
    ? [
        `the ${kind} list shows ${list.items.length} records, exactly a number at which services truncate lists`,
      ]
    : [`the ${kind} list shows ${list.items.length} of ${list.total} records`];
}
