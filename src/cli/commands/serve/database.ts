import { resolve } from 'node:path';
import type { Store } from '../../../service/store/store.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import type { FileBytes } from '../../../service/files/bytes.ts';
import type { World } from '../../world.ts';

/** What `--db` is when it was not given and the environment names a PostgreSQL database; an address holds a password. */
export const DATABASE_URL = '$DATABASE_URL';
const FILE = 'kbsync.db';

/** `--db` where it is not given. */
export function defaultDatabase(world: World): string {
  return (world.env['DATABASE_URL'] ?? '') === '' ? FILE : DATABASE_URL;
}

/** ` --db kb.sqlite`, for a command to be copied; nothing where the environment names the database. */
export function databaseFlag(db: string): string {
  return db === DATABASE_URL ? '' : ` --db ${visible(db)}`;
}

export interface DatabaseOptions {
  readonly file: string;
  readonly defaultLanguage?: string;
  /** A missing file is an error: a misspelt name must not make a knowledge base without keys and articles. */
  readonly mustExist: boolean;
}

/** Opens the service's database, and closes it in the end. */
export async function withStore<T>(
  options: DatabaseOptions,
  world: World,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await opened(options, world);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Where images and files are: in the PostgreSQL database, or in the folder beside the SQLite file. */
export async function fileBytesOf(db: string, store: Store, world: World): Promise<FileBytes> {
  if (store.dialect === 'postgres') {
    const { filesInPostgres } = await import('../../../service/files/postgres.ts');
    return filesInPostgres(store);
  }
  const { filesOnDisk, folderBeside } = await import('../../../service/files/disk.ts');
  return filesOnDisk(folderBeside(resolve(world.cwd, db)));
}

async function opened(
  { file: db, mustExist, defaultLanguage }: DatabaseOptions,
  world: World,
): Promise<Store> {
  const language = defaultLanguage === undefined ? {} : { defaultLanguage };
  if (/^postgres(ql)?:/i.test(db)) {
    throw new SetupError('usage', '--db takes a file; every process of this machine can read a flag', {
      help: 'put the address of the PostgreSQL database into the environment: DATABASE_URL',
    });
  }
  if (db === DATABASE_URL) {
    const { openPostgres } = await import('../../../service/store/postgres/postgres.ts');
    return openPostgres({ url: world.env['DATABASE_URL'] ?? '', ...language });
  }
  const file = resolve(world.cwd, db);
  if (mustExist && (await world.files.modifiedMs(file)) === undefined) {
    throw new SetupError('usage', `there is no database \`${visible(db)}\``, {
      help: `kbsync serve --db ${visible(db)} makes one`,
    });
  }
  const { openSqlite } = await import('../../../service/store/sqlite/sqlite.ts');
  return openSqlite({ file, ...language });
}
