import { resolve } from 'node:path';
import type { NewVersion } from '../../service/versions.ts';
import { CliError } from '../cli-error.ts';
import { withStore } from '../database.ts';
import { EXIT } from '../exit.ts';
import { JSON_FORMAT } from '../json.ts';
import { counted } from '../numbers.ts';
import { visible } from '../plain.ts';
import { screen as screenOf } from '../screen.ts';
import type { World } from '../world.ts';
import type { DatabaseFlags, VersionEditFlags } from './serve-flags.ts';
import { featureOf } from './serve-versions.ts';

/** `serve versions edit`: what is not named stays; features take the place of those that were there. */
export async function editVersionCommand(
  version: string,
  flags: VersionEditFlags,
  world: World,
): Promise<number> {
  const screen = screenOf(world, flags);
  const { name, active, released, feature } = flags;
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const { editVersion } = await import('../../service/version-edits.ts');
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
    const { removeVersion } = await import('../../service/version-edits.ts');
    if (!(await removeVersion({ store }, version))) throw noVersion(version);
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
  if (text === undefined) throw new CliError('usage', `there is no file \`${visible(file)}\``);
  const { versionsIn } = await import('../versions-file.ts');
  const listed: readonly NewVersion[] = versionsIn(text, file);
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const { importVersions } = await import('../../service/version-edits.ts');
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

function noVersion(version: string): CliError {
  return new CliError('usage', `there is no version \`${visible(version)}\``, {
    help: 'kbsync serve versions list',
  });
}
