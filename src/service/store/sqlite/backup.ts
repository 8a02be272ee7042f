import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { connectionTo, type NativeDatabase, storeErrorFrom } from './connection.ts';
import { APPLICATION_ID } from './migrate.ts';
import { makeForOwner } from './file.ts';
import { StoreError } from '../store.ts';

/**
 * Copies a database that may be in use into a new file: one state of it, whole, checked and on the disk before it has its
 * name. Writers go on meanwhile.
 * @throws StoreError `schema`, `busy`; the system's error (EEXIST, ENOSPC, …) when the copy cannot be made or is there already
 */
export function backupSqlite(file: string, to: string): void {
  const made = `${to}.${randomUUID()}.part`;
  try {
    withDatabase(file, (database) => {
      const connection = connectionTo(database);
      if (connection.get('pragma application_id')?.['application_id'] !== APPLICATION_ID) {
        throw new StoreError('schema', `${file} is not a database of kbsync`);
      }
      makeForOwner(made);
      connection.run('vacuum into ?', made);
    });
    withDatabase(made, (database) => {
      const found = connectionTo(database).get('pragma integrity_check(1)')?.['integrity_check'];
      if (found !== 'ok') throw new StoreError('schema', `the copy of ${file} is damaged: ${String(found)}`);
    });
    sync(made);
    // Unlike a rename, a link never takes the place of another file.
    linkSync(made, to);
    sync(dirname(to));
  } catch (error) {
    throw storeErrorFrom(error, file);
  } finally {
    removeIfThere(made);
  }
}

function withDatabase(file: string, use: (database: NativeDatabase) => void): void {
  const database: NativeDatabase = new DatabaseSync(file, { timeout: 5000 });
  try {
    use(database);
  } finally {
    database.close();
  }
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function removeIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
