import type { Kind } from '../kind.ts';
import { Refusal } from '../refusal.ts';
import { columnsOf, type RecordRow, type RowOf, TABLES } from '../store/rows.ts';
import type { Sql, SqlValue } from '../store/store.ts';

export type Identity = Pick<RecordRow, 'id' | 'name' | 'language' | 'language_parent'>;

/** `Article "Install"` */
export function label(kind: Kind, row: { readonly name: string }): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} "${row.name}"`;
}

export async function rowById<K extends Kind>(sql: Sql, kind: K, id: string): Promise<RowOf[K]> {
  checkId(kind, id);
  const row = await sql.get<RowOf[K]>(STATEMENTS[kind].byId, id);
  if (row === undefined) throw unknownId(kind, id);
  return row;
}

/** Which record an id names, without its texts. */
export async function identityOf(sql: Sql, kind: Kind, id: string): Promise<Identity> {
  checkId(kind, id);
  const row = await sql.get<Identity>(STATEMENTS[kind].identity, id);
  if (row === undefined) throw unknownId(kind, id);
  return row;
}

export function translationOf<K extends Kind>(
  sql: Sql,
  kind: K,
  originalId: string,
  lang: string,
): Promise<RowOf[K] | undefined> {
  return sql.get<RowOf[K]>(STATEMENTS[kind].translation, originalId, lang.toLowerCase());
}

export function languagesOf(sql: Sql, kind: Kind, originalId: string) {
  return sql.all<{ readonly id: string; readonly language: string }>(
    `select id, language from ${TABLES[kind].name} where language_parent = ? order by lower(language)`,
    originalId,
  );
}

/**
 * Moves the original's date on: it is what the list shows, so it moves with every language. Comes first in each edit,
 * because the update also keeps two writers of one family apart in a database that lets them run side by side.
 */
export async function touch(sql: Sql, kind: Kind, originalId: string, micros: number): Promise<number> {
  const row = await sql.get<{ readonly edited_at: number }>(
    STATEMENTS[kind].touch,
    micros,
    micros,
    originalId,
  );
  if (row === undefined) throw unknownId(kind, originalId);
  return row.edited_at;
}

/** The date that the list shows of an original; no other write moves it until this transaction ends. */
export async function editedAtOf(sql: Sql, kind: Kind, originalId: string): Promise<number> {
  const lock = sql.dialect === 'postgres' ? ' for no key update' : '';
  const row = await sql.get<{ readonly edited_at: number }>(STATEMENTS[kind].date + lock, originalId);
  if (row === undefined) throw unknownId(kind, originalId);
  return row.edited_at;
}

/** An accented letter is one character or two, and people see no difference: neither form may be somebody else's. */
export async function checkSlug(sql: Sql, kind: Kind, row: RecordRow): Promise<void> {
  for (const slug of new Set([row.slug, row.slug.normalize('NFC'), row.slug.normalize('NFD')])) {
    const holder = await sql.get<{ readonly id: string; readonly name: string }>(
      STATEMENTS[kind].bySlug,
      row.site_id,
      slug,
      (row.language ?? '').toLowerCase(),
      row.id,
    );
    if (holder === undefined) continue;
    const where = row.language === null ? '' : ` in ${row.language}`;
    throw new Refusal(
      409,
      `slug: ${JSON.stringify(row.slug)} is the slug of ${label(kind, holder)} (${holder.id})${where} already`,
    );
  }
}

export async function insertRow<K extends Kind>(sql: Sql, kind: K, row: RowOf[K]): Promise<void> {
  await sql.run(STATEMENTS[kind].insert, ...valuesOf(kind, row));
}

export async function updateRow<K extends Kind>(sql: Sql, kind: K, row: RowOf[K]): Promise<void> {
  await sql.run(STATEMENTS[kind].update, ...valuesOf(kind, row), row.id);
}

export async function deleteRow(sql: Sql, kind: Kind, id: string): Promise<void> {
  await sql.run(`delete from ${TABLES[kind].name} where id = ?`, id);
}

export interface User {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly language: string | null;
}

const NAMED_MAX = 5;

/** `category "Setup" (018f…), article "Install" (018f…, fr) and 12 more`, or undefined when there is none. */
export function usersOf(groups: readonly (readonly User[])[]): string | undefined {
  const all = groups.flat();
  if (all.length === 0) return undefined;
  const named = all
    .slice(0, NAMED_MAX)
    .map(
      ({ kind, id, name, language }) =>
        `${kind} "${name}" (${language === null ? id : `${id}, ${language}`})`,
    );
  const more = all.length > NAMED_MAX ? ` and ${all.length - NAMED_MAX} more` : '';
  return `${named.join(', ')}${more}`;
}

/** PostgreSQL takes no text with NUL, not even to look for it. */
function checkId(kind: Kind, id: string): void {
  if (id.includes('\0')) throw unknownId(kind, id);
}

function unknownId(kind: Kind, id: string): Refusal {
  return new Refusal(404, `no ${kind} has the id ${JSON.stringify(id)}`);
}

function valuesOf<K extends Kind>(kind: K, row: RowOf[K]): readonly SqlValue[] {
  return columnsOf(kind, row).map(([, value]) => value ?? null);
}

/** The statements of each kind, made once, so the store can keep them compiled. */
const STATEMENTS = {
  article: statementsOf('article'),
  category: statementsOf('category'),
  tag: statementsOf('tag'),
};

function statementsOf(kind: Kind) {
  const { name, columns } = TABLES[kind];
  const list = columns.join(', ');
  return {
    identity: `select id, name, language, language_parent from ${name} where id = ?`,
    date: `select edited_at from ${name} where id = ?`,
    byId: `select ${list} from ${name} where id = ?`,
    translation: `select ${list} from ${name} where language_parent = ? and lower(language) = ?`,
    bySlug: `select id, name from ${name}
      where site_id = ? and slug = ? and lower(coalesce(language, '')) = ? and id <> ?`,
    touch: `update ${name} set edited_at = case when edited_at >= ? then edited_at + 1 else ? end
      where id = ? returning edited_at`,
    insert: `insert into ${name} (${list}) values (${columns.map(() => '?').join(', ')})`,
    update: `update ${name} set ${columns.map((column) => `${column} = ?`).join(', ')} where id = ?`,
  };
}
