import type { Sql, SqlValue } from './store.ts';

/** In one statement. For each number of rows up to it there is one text, and both databases keep the texts compiled. */
const ROWS_MAX = 16;

/** Inserts rows in as few statements as may be: over PostgreSQL, each one is a way there and back. */
export async function insertRows(
  sql: Sql,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  const row = `(${columns.map(() => '?').join(', ')})`;
  for (const some of parts(rows)) {
    await sql.run(
      `insert into ${table} (${columns.join(', ')}) values ${some.map(() => row).join(', ')}`,
      ...some.flat(),
    );
  }
}

/** The rows with these ids, by id. */
export async function rowsByIds<Row extends { readonly id: string }>(
  sql: Sql,
  select: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>();
  for (const some of parts(ids)) {
    const rows = await sql.all<Row>(`${select} where id in (${some.map(() => '?').join(', ')})`, ...some);
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}

function parts<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / ROWS_MAX) }, (_, index) =>
    all.slice(index * ROWS_MAX, (index + 1) * ROWS_MAX),
  );
}
