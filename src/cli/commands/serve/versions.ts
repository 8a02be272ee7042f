import { StoreError } from '../../../service/store/store.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import { withStore } from './database.ts';
import { EXIT } from '../../run/exit.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import type { World } from '../../world.ts';
import type { DatabaseFlags, VersionFlags, VersionEditFlags } from './command.ts';
import { resolve } from 'node:path';
import type { NewVersion } from '../../../service/versions/versions.ts';
import { counted } from '../../print/terminal/numbers.ts';

/** `serve versions add`: versions are no author's content; they come by command and not over the API. */
export async function addVersionCommand(version: string, flags: VersionFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  if (!/^\d+(\.\d+)*$/.test(version)) {
    throw new SetupError('usage', `\`${visible(version)}\` is not a dotted release number`, {
      help: 'like 2.4.0',
    });
  }
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const { addVersion } = await import('../../../service/versions/versions.ts');
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
      throw new SetupError('usage', `version ${version} is there already`, { cause });
    }
  });
}

/** `serve versions list`: newest first. */
export async function listVersionsCommand(flags: DatabaseFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const [{ versionList }, { createNewId }] = await Promise.all([
      import('../../../service/versions/versions.ts'),
      import('../../../service/ids.ts'),
    ]);
    const { clock } = world;
    const { knowledgeBase } = store;
    const rule = { defaultLanguage: knowledgeBase.defaultLanguage };
    const context = { knowledgeBase, rule, clock, newId: createNewId(clock) };
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

/** `serve versions edit`: what is not named stays; features take the place of those that were there. */
export async function editVersionCommand(
  version: string,
  flags: VersionEditFlags,
  world: World,
): Promise<number> {
  const screen = screenOf(world, flags);
  const { name, active, released, feature } = flags;
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const { editVersion } = await import('../../../service/versions/edits.ts');
    const isThere = await editVersion({ store, clock: world.clock }, version, {
      ...(name === undefined ? {} : { name }),
      ...(active === undefined ? {} : { active }),
      ...(released === undefined ? {} : { released }),
      ...(feature.length === 0 ? {} : { features: feature.map(featureOf) }),
    });
    if (!isThere) throw noVersion(version);
    if (screen.isJson) screen.document({ format: JSON_FORMAT, edited: version });
    else screen.answer(`edited ${visible(version)}`);
    return EXIT.done;
  });
}

/** `serve versions remove` */
export async function removeVersionCommand(
  version: string,
  flags: DatabaseFlags,
  world: World,
): Promise<number> {
  const screen = screenOf(world, flags);
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const { removeVersion } = await import('../../../service/versions/edits.ts');
    if (!(await removeVersion({ store, clock: world.clock }, version))) throw noVersion(version);
    if (screen.isJson) screen.document({ format: JSON_FORMAT, removed: version });
    else screen.answer(`removed ${visible(version)}`);
    return EXIT.done;
  });
}

/** `serve versions import`: adds and edits what a YAML file lists, all of it or nothing; the rest stays. */
export async function importVersionsCommand(
  file: string,
  flags: DatabaseFlags,
  world: World,
): Promise<number> {
  const screen = screenOf(world, flags);
  const text = await world.files.readText(resolve(world.cwd, file));
  if (text === undefined) throw new SetupError('usage', `there is no file \`${visible(file)}\``);
  const { versionsIn } = await import('./versions-file.ts');
  const listed: readonly NewVersion[] = versionsIn(text, file);
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const { importVersions } = await import('../../../service/versions/edits.ts');
    const done = await importVersions({ store, clock: world.clock }, listed);
    if (screen.isJson) screen.document({ format: JSON_FORMAT, ...done });
    else {
      screen.answer(
        `${counted(done.added.length, 'version')} added, ${done.edited.length} edited, ${done.unchanged.length} unchanged`,
      );
    }
    return EXIT.done;
  });
}

function noVersion(version: string): SetupError {
  return new SetupError('usage', `there is no version \`${visible(version)}\``, {
    help: 'kbsync serve versions list',
  });
}
