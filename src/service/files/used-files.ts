import type { Sql, Store } from '../store/store.ts';
import type { FileBytes } from './bytes.ts';
import { type FileRecord, findFile, listFiles } from './records.ts';

/** Where a record may name a file. */
const TEXTS: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['articles', ['content', 'seo_banner_url']],
  ['categories', ['long_description', 'description', 'thumbnail_url', 'icon_url']],
  ['tags', ['long_description', 'description']],
  ['changelog_features', ['image_url']],
];
const ADDRESS = /\/files\/([0-9a-f]{64})\//g;
const ROWS_AT_ONCE = 200;

/** Digests of all files that a record shows or links to, drafts too. */
async function usedFiles(store: Store): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const [table, columns] of TEXTS) {
    let after = '';
    for (;;) {
      const rows = await store.read((sql) => textsAfter(sql, { table, columns, after }));
      for (const { texts } of rows) for (const [, digest = ''] of texts.matchAll(ADDRESS)) used.add(digest);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
  }
  return used;
}

function textsAfter(
  sql: Sql,
  {
    table,
    columns,
    after,
  }: { readonly table: string; readonly columns: readonly string[]; readonly after: string },
): Promise<readonly { readonly id: string; readonly texts: string }[]> {
  const texts = columns.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `);
  return sql.all(
    `select id, ${texts} as texts from ${table} where id > ? order by id limit ${ROWS_AT_ONCE}`,
    after,
  );
}

/** Files that no record names, and that nobody sent or asked for since `beforeMicros`. */
export async function unusedFiles(store: Store, beforeMicros: number): Promise<readonly FileRecord[]> {
  // First the files, then the texts: an article that is written meanwhile is read.
  const files = (await store.read(listFiles)).filter(({ askedAt }) => askedAt < beforeMicros);
  const used = files.length === 0 ? new Set<string>() : await usedFiles(store);
  return files.filter(({ digest }) => !used.has(digest));
}

/** Takes files away that nobody has asked for since they were found unused; answers those that went. */
export async function removeFiles(
  store: Store,
  bytes: FileBytes,
  files: readonly FileRecord[],
): Promise<readonly FileRecord[]> {
  const gone: FileRecord[] = [];
  for (const file of files) {
    const count = await store.write((sql) =>
      sql.run('delete from files where digest = ? and asked_at = ?', file.digest, file.askedAt),
    );
    if (count === 0) continue;
    // Somebody may have sent it again meanwhile.
    if ((await store.read((sql) => findFile(sql, file.digest))) === undefined)
      await bytes.remove(file.digest);
    gone.push(file);
  }
  return gone;
}
