import { StoreError } from '../../service/store/store.ts';
import { CliError } from '../cli-error.ts';
import { withStore } from '../database.ts';
import { EXIT } from '../exit.ts';
import { JSON_FORMAT } from '../json.ts';
import { visible } from '../plain.ts';
import { screen as screenOf } from '../screen.ts';
import type { World } from '../world.ts';
import type { DatabaseFlags, VersionFlags } from './serve-flags.ts';

/** `serve versions add`: versions are no author's content, so they come by command and not over the API. */
export async function addVersionCommand(version: string, flags: VersionFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  if (!/^\d+(\.\d+)*$/.test(version)) {
    throw new CliError('usage', `\`${visible(version)}\` is not a dotted release number`, {
      help: 'like 2.4.0',
    });
  }
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const { addVersion } = await import('../../service/versions.ts');
    const added = {
      version,
      name: flags.name,
      releasedAtMs: world.clock.now(),
      active: flags.active,
      released: flags.released,
      features: flags.feature.map(featureOf),
    };
    try {
      const id = await addVersion({ store, clock: world.clock }, added);
      if (screen.isJson) screen.document({ format: JSON_FORMAT, id, version });
      else screen.answer(`added ${version} (${visible(flags.name)})`);
      return EXIT.done;
    } catch (cause) {
      if (!(cause instanceof StoreError && cause.code === 'unique')) throw cause;
      throw new CliError('usage', `version ${version} is there already`, { cause });
    }
  });
}

/** `serve versions list`: newest first. */
export async function listVersionsCommand(flags: DatabaseFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const [{ versionList }, { createNewId }] = await Promise.all([
      import('../../service/versions.ts'),
      import('../../service/ids.ts'),
    ]);
    const { clock } = world;
    const { site } = store;
    const rule = { defaultLanguage: site.defaultLanguage };
    const context = { site, rule, clock, newId: createNewId(clock) };
    const { body } = await store.read((sql) => versionList(sql, context, undefined));
    if (screen.isJson) {
      screen.document({ format: JSON_FORMAT, versions: body.data });
      return EXIT.done;
    }
    for (const version of body.data) {
      const marks = [
        ...(version.active_version ? ['active'] : []),
        version.released_version ? 'released' : 'not released',
      ];
      screen.answer(
        `${version.version}  ${visible(version.name)}  ${version.release_timestamp}  ${marks.join(', ')}`,
      );
    }
    if (body.data.length === 0) screen.talk('no versions yet');
    return EXIT.done;
  });
}

/** `name: description`, or the name alone. */
export function featureOf(text: string): { readonly name: string; readonly description?: string } {
  const colon = text.indexOf(': ');
  return colon === -1 ? { name: text } : { name: text.slice(0, colon), description: text.slice(colon + 2) };
}
