import type { Spool } from '../../content/files/folder.ts';
import { digestOfText } from '../../model/digest.ts';
import type { DesiredFields, FieldValue, Fields } from '../../model/fields.ts';
import { bodyFieldOf, fieldsOf } from '../../model/fields.ts';
import { keyIn, idKey } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';
import type { BaseState, DesiredBody, DesiredRecord, DesiredState } from '../../model/record.ts';
import { recordPath } from '../../remote/wire/paths.ts';
import type { CarriedFiles } from './carried-files.ts';
import { carriedFields, circularCategories, uniqueSlugs } from './carried-fields.ts';
import type { Carried } from './carried-fields.ts';
import type { Names } from './name-records.ts';
import type { Source, SourceRecord } from './read-source.ts';
import { pageKey, pageOf, relinked } from './relink.ts';
import type { HelpCentre } from './relink.ts';
import { unreadPages, unseenNames } from './unseen.ts';
import type { UnseenNames } from './unseen.ts';
import { isUrl } from '../../text/url.ts';

export interface MigrationInput {
  readonly source: Source;
  readonly names: Names;
  /** What the last run left on the target. */
  readonly base: BaseState;
  /** Address of the source's API. */
  readonly sourceUrl: string;
  readonly from: HelpCentre;
  readonly to: HelpCentre;
  readonly defaultLanguage: string;
  /** Those that were asked for. */
  readonly languages: readonly string[] | undefined;
  readonly spool: Spool;
  readonly files: CarriedFiles;
}

/** A record of the source as the target shall have it. */
export interface Migrated {
  readonly key: Key;
  readonly record: SourceRecord;
  /** Every field but the body; references are families. */
  readonly fields: DesiredFields;
  readonly html: () => string;
  readonly page: { readonly from: string; readonly to: string };
}

export interface Migration {
  readonly desired: DesiredState;
  readonly records: readonly Migrated[];
  /** Values that the target does not take, and what they became: one sentence each. */
  readonly changes: readonly { readonly key: Key; readonly why: string }[];
  readonly links: {
    readonly moved: number;
    readonly left: readonly { readonly key: Key; readonly url: string }[];
  };
  /** Of earlier runs: they stay on the target as they are. */
  readonly unseen: UnseenNames;
}

/**
 * A source as desired state: the same records under their names, with links among them that lead to the target. White space
 * at the end of a body is left out, because a stamp is told from the body by it.
 */
export function migrationOf(input: MigrationInput): Migration {
  const { source, base, defaultLanguage, spool } = input;
  const carried = carriedRecords(input);
  const originals = new Map(
    carried.filter(({ record }) => record.lang === defaultLanguage).map((each) => [each.family, each]),
  );
  const pages = new Map<string, string>();
  const unseen = unseenNames(source, input.names);
  for (const page of [...carried.map((each) => each.page), ...unreadPages(unseen, input)])
    if (!pages.has(pageKey(page.from))) pages.set(pageKey(page.from), page.to);
  const left: { readonly key: Key; readonly url: string }[] = [];
  let moved = 0;
  const records = new Map<Key, DesiredRecord>();
  const migrated: Migrated[] = [];
  for (const { key, family, record, fields: own, page } of carried) {
    const relink = () => relinked(spool.get(record.body).trimEnd(), page, pages, input.files);
    // Read again when it is asked for: the bodies of a whole knowledge base are too much for memory.
    const html = (): string => relink().html;
    const text = relink();
    moved += text.moved;
    const pictures = picturesAt(page, record, input.files);
    const fields = { ...own, ...pictures.carried };
    for (const url of [...text.left, ...pictures.left]) left.push({ key, url });
    const shows = new Set([...text.files, ...pictures.files]);
    migrated.push({ key, record, fields, html, page });
    const isOriginal = record.lang === defaultLanguage;
    const known = base.records.get(key)?.sent ?? {};
    const original = originals.get(family)?.fields ?? {};
    const body = bodyOf(record, text.html, html);
    records.set(key, {
      key,
      kind: record.kind,
      family,
      lang: record.lang,
      isOriginal,
      fields: {
        ...(isOriginal ? fields : withoutIdleNulls(fields, { original, known })),
        ...(body === undefined ? { [bodyFieldOf(record.kind)]: '' } : {}),
      },
      initial: {},
      ...(body === undefined ? {} : { body }),
      ...(shows.size === 0 ? {} : { files: [...shows] }),
      at: { file: `${input.sourceUrl}${recordPath(record.kind, record.id)}`, line: 1, column: 1 },
      places: () => ({}),
    });
  }
  const languages = [...new Set(source.records.map(({ lang }) => lang))].sort();
  return {
    desired: {
      records,
      defaultLanguage,
      languages: [defaultLanguage, ...languages.filter((lang) => lang !== defaultLanguage)],
      files: new Map([...input.files.values()].map(({ digest, file }) => [digest, file])),
      fileCount: records.size,
      // What was asked for, not what was found: a language that comes or goes is no other scope.
      scopeDigest: digestOfText(JSON.stringify([input.sourceUrl, defaultLanguage, input.languages ?? 'all'])),
    },
    records: migrated,
    changes: carried.flatMap(({ key, changes }) => changes.map((why) => ({ key, why }))),
    links: { moved, left },
    unseen,
  };
}

interface CarriedRecord extends Carried {
  readonly key: Key;
  readonly family: Family;
  readonly record: SourceRecord;
  readonly page: { readonly from: string; readonly to: string };
}

function carriedRecords(input: MigrationInput): readonly CarriedRecord[] {
  const { source, names, base, defaultLanguage, from, to } = input;
  const familyOf = new Map(names);
  for (const { kind, id, ownId } of source.records) {
    const family = names.get(idKey(kind, id));
    if (family !== undefined) familyOf.set(idKey(kind, ownId), family);
  }
  // A name is remembered for ever; its record may be gone. One that was only not shown keeps what refers to it.
  const unshown = source.unseen
    .filter(({ lang }) => lang === undefined)
    .map(({ kind, id }) => idKey(kind, id));
  const kept = unshown
    .flatMap((name) => names.get(name) ?? [])
    .filter((family) => base.records.has(keyIn(family, defaultLanguage)));
  const present = new Set([...source.records.map(({ kind, id }) => names.get(idKey(kind, id))), ...kept]);
  for (const [name, family] of familyOf) if (!present.has(family)) familyOf.delete(name);
  const carrying = {
    familyOf,
    unseen: new Set(unshown),
    freeSlug: uniqueSlugs(),
    circular: circularCategories(source.records, defaultLanguage),
  };
  return source.records.map((record) => {
    const { kind, id, lang } = record;
    const family = names.get(idKey(kind, id));
    if (family === undefined) throw new Error(`bug: ${kind} ${id} has no name`);
    const { fields, changes } = carriedFields(record, carrying);
    const page = {
      from: pageOf(from, kind, lang, String(record.fields['slug'] ?? '')),
      to: pageOf(to, kind, lang, String(fields['slug'])),
    };
    return { key: keyIn(family, lang), family, record, fields, changes, page };
  });
}

/** Banners, thumbnails and icons that the source itself serves. */
function picturesAt(
  page: { readonly from: string; readonly to: string },
  { kind, fields }: SourceRecord,
  files: CarriedFiles,
): {
  readonly left: readonly string[];
  /** Fields whose pictures come along, as the target has them. */
  readonly carried: Readonly<Record<string, string>>;
  readonly files: readonly string[];
} {
  const { host } = new URL(page.from);
  const left: string[] = [];
  const digests: string[] = [];
  const carried: Record<string, string> = {};
  for (const [name, { type }] of fieldsOf(kind)) {
    const value = fields[name];
    if (type !== 'url' || typeof value !== 'string' || !isUrl(value, page.from)) continue;
    const url = new URL(value, page.from);
    if (url.host !== host) continue;
    const found = files.get(url.pathname);
    if (found === undefined) {
      left.push(url.href);
      continue;
    }
    digests.push(found.digest);
    carried[name] = value.startsWith('/') ? found.address : new URL(found.address, page.to).href;
  }
  return { left, carried, files: digests };
}

/** An empty body is a value like any other: a stamp would make a text of it. An article has a body in any case. */
function bodyOf(record: SourceRecord, html: string, render: () => string): DesiredBody | undefined {
  if (html === '' && record.kind !== 'article') return undefined;
  return { field: bodyFieldOf(record.kind), inputDigest: digestOfText(html), render };
}

/**
 * A translation starts as a copy of its original, so an empty field must be cleared where the original has a value; and
 * where it has none there is nothing to clear, and not every service takes null.
 */
function withoutIdleNulls(
  fields: Fields,
  { original, known }: { readonly original: Fields; readonly known: Readonly<Record<string, unknown>> },
): Fields {
  const isIdle = (name: string, value: FieldValue): boolean =>
    value === null && (original[name] ?? null) === null && known[name] === undefined;
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isIdle(name, value)));
}
