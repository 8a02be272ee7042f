import { resolve } from 'node:path';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import { DATABASE_URL, databaseFlag, withStore } from './database.ts';
import { EXIT } from '../../run/exit.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { padTo, widthOf } from '../../print/terminal/text.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import type { World } from '../../world.ts';
import { momentOf } from '../../flags.ts';
import type { DatabaseFlags, KeyFlags } from './command.ts';

/** `serve keys create`: the key alone on stdout, so it can go straight into a secret store. */
export async function createKeyCommand(flags: KeyFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const name = flags.name.trim();
  if (name === '') throw new SetupError('usage', '--name is empty; it says what the key is for');
  const isNew =
    flags.db !== DATABASE_URL && (await world.files.modifiedMs(resolve(world.cwd, flags.db))) === undefined;
  return withStore({ file: flags.db, mustExist: false }, world, async (store) => {
    if (isNew) screen.talk(`made a new knowledge base in ${visible(flags.db)}; --db names another`);
    const { createKey } = await import('../../../service/keys/keys.ts');
    const { scope } = flags;
    const expiresAtMs = flags.expires === undefined ? undefined : momentOf('--expires', flags.expires);
    if (expiresAtMs !== undefined && expiresAtMs <= world.clock.now()) {
      throw new SetupError('usage', `--expires ${visible(flags.expires ?? '')} has passed`);
    }
    const { key, prefix } = await createKey({
      store,
      clock: world.clock,
      name,
      scope,
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    });
    if (screen.isJson) screen.document({ format: JSON_FORMAT, name, prefix, key });
    else screen.answer(key);
    screen.talk(`shown once; revoke it with kbsync serve keys revoke${databaseFlag(flags.db)} ${prefix}`);
    return EXIT.done;
  });
}

/** `serve keys list` */
export async function listKeysCommand(flags: DatabaseFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const { listKeys } = await import('../../../service/keys/keys.ts');
    const keys = await listKeys({ store });
    if (screen.isJson) {
      screen.document({ format: JSON_FORMAT, keys });
      return EXIT.done;
    }
    const width = Math.max(4, ...keys.map((key) => widthOf(visible(key.name))));
    for (const key of keys) {
      const end = [
        ...(key.lastUsedAt === undefined ? ['never used'] : [`used ${key.lastUsedAt}`]),
        ...(key.expiresAt === undefined ? [] : [`expires ${key.expiresAt}`]),
        ...(key.revokedAt === undefined ? [] : [`revoked ${key.revokedAt}`]),
      ].join('  ');
      screen.answer(
        `${key.prefix}  ${padTo(visible(key.name), width)}  ${key.scope}  made ${key.createdAt}  ${end}`,
      );
    }
    if (keys.length === 0) screen.talk('no keys yet');
    return EXIT.done;
  });
}

/** `serve keys revoke`: by prefix, or by name when one live key has it. */
export async function revokeKeyCommand(wanted: string, flags: DatabaseFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const { listKeys, revokeKey } = await import('../../../service/keys/keys.ts');
    const live = (await listKeys({ store })).filter((key) => key.revokedAt === undefined);
    const found = live.filter((key) => key.prefix === wanted || key.name === wanted);
    const [key] = found;
    if (key === undefined) {
      throw new SetupError('usage', `no live key is called \`${visible(wanted)}\``, {
        help: 'kbsync serve keys list',
      });
    }
    if (found.length > 1) {
      const prefixes = found.map((other) => other.prefix).join(', ');
      throw new SetupError(
        'usage',
        `${found.length} live keys are called \`${visible(wanted)}\`; name one of ${prefixes}`,
      );
    }
    await revokeKey({ store, clock: world.clock, prefix: key.prefix });
    if (screen.isJson) screen.document({ format: JSON_FORMAT, revoked: key.prefix, name: key.name });
    else screen.answer(`revoked ${key.prefix} (${visible(key.name)})`);
    return EXIT.done;
  });
}
