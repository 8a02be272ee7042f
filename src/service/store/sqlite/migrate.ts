import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { migrationSteps } from '../migrations.ts';
import type { Connection } from './connection.ts';
import { makeForOwner } from './file.ts';
import { type KnowledgeBase, StoreError } from '../store.ts';

/** `kbsy`: marks the file as ours, so a wrong path is refused instead of filled with tables. */
export const APPLICATION_ID = 0x6b627379;

/**
 * Brings the schema up to date. Each step is one transaction together with the version, so a process that dies leaves
 * the schema at the last whole step. A file with an older schema is copied first, to `FILE.schema-N`.
 * @throws StoreError `schema`
 */
export function migrateSqlite(connection: Connection, file: string): void {
  const steps = migrationSteps('sqlite');
  const before = inOneTransaction(connection, () => checkedVersion(connection, file, steps.length));
  if (before > 0 && before < steps.length && file !== ':memory:') keepCopy(connection, file, before);
  for (let version = before; version < steps.length;) {
    version = inOneTransaction(connection, () => {
      // Another process may have been here since.
      const found = checkedVersion(connection, file, steps.length);
      const step = steps[found];
      if (step === undefined) return found;
      for (const statement of step) connection.run(statement);
      connection.run(`pragma user_version = ${found + 1}`);
      connection.run(`pragma application_id = ${APPLICATION_ID}`);
      return found + 1;
    });
  }
}

function checkedVersion(connection: Connection, file: string, known: number): number {
  const found = Number(connection.get('pragma user_version')?.['user_version']);
  const mark = connection.get('pragma application_id')?.['application_id'];
  const tables = connection.get('select count(*) as n from sqlite_master')?.['n'];
  if (mark !== APPLICATION_ID && (mark !== 0 || tables !== 0)) {
    throw new StoreError('schema', `${file} is a SQLite database of another program; name a new file`);
  }
  if (found > known) {
    throw new StoreError(
      'schema',
      `${file} has schema ${found}; this kbsync knows schemas up to ${known}: use the newer kbsync`,
    );
  }
  return found;
}

/** Renamed into place, so a copy under the name is a whole one. */
function keepCopy(connection: Connection, file: string, version: number): void {
  const half = `${file}.schema-${version}.${process.pid}`;
  rmSync(half, { force: true });
  makeForOwner(half);
  connection.run('vacuum into ?', half);
  renameSync(half, `${file}.schema-${version}`);
}

/** One knowledge base for each file; opening a new file makes it. */
export function openSqliteBase(
  connection: Connection,
  file: string,
  wanted: string | undefined,
): KnowledgeBase {
  inOneTransaction(connection, () =>
    connection.run(
      'insert into sites (id, default_language, created_at) select ?, ?, ? where not exists (select 1 from sites)',
      randomUUID(),
      wanted ?? 'en',
      Date.now() * 1000,
    ),
  );
  const row = connection.get('select id, default_language from sites');
  if (row === undefined) throw new Error('bug: a store without its knowledge base');
  const made = String(row['default_language']);
  if (wanted !== undefined && wanted.toLowerCase() !== made.toLowerCase()) {
    throw new StoreError(
      'language',
      `${file} was made with default language ${made}, not ${wanted}; ` +
        `its originals would change their language: use ${made} or a new file`,
    );
  }
  return { id: String(row['id']), defaultLanguage: made };
}

function inOneTransaction<T>(connection: Connection, work: () => T): T {
  connection.run('begin immediate');
  try {
    const value = work();
    connection.run('commit');
    return value;
  } catch (error) {
    connection.rollBack();
    throw error;
  }
}
