import { resolve } from 'node:path';
import type { Store } from '../service/store/store.ts';
import { CliError } from './cli-error.ts';
import { visible } from './plain.ts';
import type { World } from './world.ts';

export interface DatabaseOptions {
  readonly file: string;
  readonly defaultLanguage?: string;
  /** A missing file is an error: a misspelt name must not make a knowledge base without keys and articles. */
  readonly mustExist: boolean;
}

/** Opens the service's database, and closes it whatever happens. */
export async function withStore<T>(
  options: DatabaseOptions,
  world: World,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const file = resolve(world.cwd, options.file);
  if (options.mustExist && (await world.files.modifiedMs(file)) === undefined) {
    throw new CliError('usage', `there is no database \`${visible(options.file)}\``, {
      help: `kbsync serve --db ${visible(options.file)} makes one`,
    });
  }
  const { openSqlite } = await import('../service/store/sqlite.ts');
  const store = openSqlite({
    file,
    ...(options.defaultLanguage === undefined ? {} : { defaultLanguage: options.defaultLanguage }),
  });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
