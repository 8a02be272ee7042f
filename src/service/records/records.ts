import { audit } from './audit.ts';
import type { Context, WriteContext, WriteAnswer } from '../context.ts';
import { checkPreconditions, etagOf, etagOfMissing, type Preconditions } from './etag.ts';
import { type Kind, PATHS } from '../kind.ts';
import { checkLanguage, sameLanguage } from '../language.ts';
import { noteFormerSlug } from './former-slugs.ts';
import {
  checkSlug,
  deleteRow,
  editedAtOf,
  identityOf,
  insertRow,
  label,
  languagesOf,
  rowById,
  touch,
  translationOf,
  updateRow,
} from './rows.ts';
import { Refusal } from '../refusal.ts';
import type { RecordRow, RowOf } from '../store/rows.ts';
import type { Sql, Transaction } from '../store/store.ts';
import { together } from '../store/together.ts';
import { nowMicros } from '../time.ts';

/** What one kind of record adds to what all three share. `Body` is the edit body; a create body is one without `lang`. */
export interface RecordKind<K extends Kind, Body extends object> {
  readonly kind: K;
  /** Values of a new record before a body sets any. */
  readonly blank: Omit<RowOf[K], keyof RecordRow>;
  /** The row with the body's values; what the body leaves out stays, null clears. */
  readonly merged: (base: RowOf[K], body: Body) => RowOf[K];
  /** Refuses a row that the rules of the kind do not allow. Runs before anything is written. */
  readonly check: (sql: Transaction, row: RowOf[K], body: Body) => Promise<void>;
  /** Writes what belongs to the row in other tables. `copyOf` is the original if the row is a translation that did not exist. */
  readonly saved: (
    sql: Transaction,
    context: WriteContext,
    saved: { readonly row: RowOf[K]; readonly body: Body; readonly copyOf: string | undefined },
  ) => Promise<void>;
  /** What uses an original, in words; undefined: nothing does. */
  readonly usedBy: (sql: Sql, row: RowOf[K]) => Promise<string | undefined>;
}

/** A record as a request names it: by the id of an original or of a translation, with or without a language. */
export interface Found<K extends Kind> {
  readonly row: RowOf[K];
  readonly etag: string;
  /** True: the language has no record yet, and the row shows the copy of the original that an edit would make. */
  readonly newVersion: boolean;
}

/** @throws Refusal 404 for an unknown id, 400 for a language that is not taken here */
export async function findRecord<K extends Kind>(
  sql: Sql,
  context: Context,
  asked: { readonly kind: K; readonly id: string; readonly lang: string | undefined },
): Promise<Found<K>> {
  const { kind, id, lang } = asked;
  const row = await rowById(sql, kind, id);
  if (lang === undefined || sameLanguage(lang, row.language ?? context.rule.defaultLanguage)) {
    return { row, etag: etagOf(row.id, row.version), newVersion: false };
  }
  checkLanguage(context.rule, lang);
  const original = row.language_parent === null ? row : await rowById(sql, kind, row.language_parent);
  if (sameLanguage(lang, context.rule.defaultLanguage)) {
    return { row: original, etag: etagOf(original.id, original.version), newVersion: false };
  }
  const translation = await translationOf(sql, kind, original.id, lang);
  if (translation !== undefined) {
    return { row: translation, etag: etagOf(translation.id, translation.version), newVersion: false };
  }
  return {
    row: { ...original, language: lang, language_parent: original.id },
    etag: etagOfMissing(original.id, lang),
    newVersion: true,
  };
}

/** @throws Refusal 409 for a slug in use, and what the kind's check refuses */
export async function createRecord<K extends Kind, Body extends object>(
  sql: Transaction,
  context: WriteContext,
  kind: RecordKind<K, Body>,
  body: Body,
): Promise<WriteAnswer & { readonly row: RowOf[K] }> {
  const now = nowMicros(context.clock);
  const shared: RecordRow = {
    id: context.newId(),
    site_id: context.knowledgeBase.id,
    language: null,
    language_parent: null,
    version: 1,
    created_at: now,
    edited_at: now,
    created_by: context.userId,
    name: '',
    slug: '',
  };
  // RowOf[K] is RecordRow and the rest, which TypeScript cannot see through the type parameter.
  const row = kind.merged({ ...shared, ...kind.blank } as unknown as RowOf[K], body);
  await kind.check(sql, row, body);
  await checkSlug(sql, kind.kind, row);
  await together([
    insertRow(sql, kind.kind, row),
    kind.saved(sql, context, { row, body, copyOf: undefined }),
    audit(sql, context, { kind: kind.kind, before: undefined, after: row }),
  ]);
  return {
    row,
    id: row.id,
    etag: etagOf(row.id, row.version),
    message: `${label(kind.kind, row)} has been created.`,
  };
}

/**
 * Edits the record in the language of `lang`; a translation that does not exist is made as a copy of the original with
 * the body's values. `lang` undefined edits the record that the id names.
 * @throws Refusal 404, 409, 412, 422
 */
export async function editRecord<K extends Kind, Body extends object>(
  sql: Transaction,
  context: WriteContext,
  kind: RecordKind<K, Body>,
  asked: {
    readonly id: string;
    readonly lang: string | undefined;
    readonly body: Body;
    readonly preconditions: Preconditions;
  },
): Promise<WriteAnswer & { readonly row: RowOf[K]; readonly editedAt: number; readonly beforeAt: number }> {
  const { id, lang, body, preconditions } = asked;
  if (lang !== undefined) checkLanguage(context.rule, lang);
  const named = await identityOf(sql, kind.kind, id);
  if (named.language !== null && lang !== undefined && !sameLanguage(lang, named.language)) {
    throw new Refusal(
      422,
      `${label(kind.kind, named)} (${id}) is the ${named.language} translation of ${named.language_parent}; ` +
        `to edit ${lang}, post to /api/v2/${PATHS[kind.kind]}/${named.language_parent}`,
    );
  }
  const originalId = named.language_parent ?? named.id;
  const beforeAt = await editedAtOf(sql, kind.kind, originalId);
  const editedAt = await touch(sql, kind.kind, originalId, nowMicros(context.clock));
  // Where writers run side by side, the translation may have gone while this one waited for the family.
  if (named.language_parent !== null) await identityOf(sql, kind.kind, id);
  const original = await rowById(sql, kind.kind, originalId);
  const wanted = lang ?? named.language ?? context.rule.defaultLanguage;
  const isOriginal = sameLanguage(wanted, context.rule.defaultLanguage);
  const current = isOriginal ? original : await translationOf(sql, kind.kind, originalId, wanted);
  checkPreconditions(preconditions, {
    what: `${label(kind.kind, original)} in ${wanted}`,
    etag: current ? etagOf(current.id, current.version) : etagOfMissing(originalId, wanted),
    exists: current !== undefined,
  });
  const base: RowOf[K] = current
    ? { ...current, version: current.version + 1, edited_at: editedAt }
    : {
        ...original,
        id: context.newId(),
        language: wanted,
        language_parent: originalId,
        version: 1,
        created_at: editedAt,
        edited_at: editedAt,
        created_by: context.userId,
      };
  const row = kind.merged(base, body);
  await kind.check(sql, row, body);
  await checkSlug(sql, kind.kind, row);
  await together([
    current ? updateRow(sql, kind.kind, row) : insertRow(sql, kind.kind, row),
    kind.saved(sql, context, { row, body, copyOf: current ? undefined : originalId }),
    audit(sql, context, { kind: kind.kind, before: current, after: row }),
  ]);
  if (current !== undefined) {
    await noteFormerSlug(sql, kind.kind, { before: current, after: row, leftAt: editedAt });
  }
  return {
    row,
    editedAt,
    beforeAt,
    etag: etagOf(row.id, row.version),
    message: `${label(kind.kind, row)} has been edited successfully.`,
  };
}

/**
 * Deletes exactly the record that the id names, and its own links.
 * @throws Refusal 404, 412, and 409 if translations, children or articles use it
 */
export async function removeRecord<K extends Kind, Body extends object>(
  sql: Transaction,
  context: WriteContext,
  kind: RecordKind<K, Body>,
  asked: { readonly id: string; readonly preconditions: Preconditions },
): Promise<WriteAnswer & { readonly editedAt: number | undefined; readonly beforeAt: number }> {
  const named = await identityOf(sql, kind.kind, asked.id);
  const originalId = named.language_parent ?? named.id;
  const beforeAt = await editedAtOf(sql, kind.kind, originalId);
  const editedAt = await touch(sql, kind.kind, originalId, nowMicros(context.clock));
  const row = await rowById(sql, kind.kind, asked.id);
  const what = label(kind.kind, row);
  checkPreconditions(asked.preconditions, { what, etag: etagOf(row.id, row.version), exists: true });
  if (row.language_parent === null) {
    const languages = await languagesOf(sql, kind.kind, row.id);
    if (languages.length > 0) {
      throw new Refusal(
        409,
        `${what} still has translations: ${languages.map(({ id, language }) => `${language} (${id})`).join(', ')}; delete them first`,
      );
    }
    const usedBy = await kind.usedBy(sql, row);
    if (usedBy !== undefined) throw new Refusal(409, `${what} is in use: ${usedBy}; take it out there first`);
  }
  await deleteRow(sql, kind.kind, row.id);
  await noteFormerSlug(sql, kind.kind, { before: row, after: undefined, leftAt: editedAt });
  await audit(sql, context, { kind: kind.kind, before: row, after: undefined });
  return {
    message: `${what} has been deleted.`,
    editedAt: row.language_parent === null ? undefined : editedAt,
    beforeAt,
  };
}
