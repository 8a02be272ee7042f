import { relative, resolve, sep } from 'node:path';
import { keyOf, parseKey } from '../../../model/key.ts';
import type { DesiredRecord, DesiredState } from '../../../model/record.ts';
import { scopeOf } from '../../../content/files/scope.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { git } from '../../../machine/git.ts';
import { visible } from '../../../model/visible.ts';
import { shown, type Settings } from '../../../config/settings.ts';
import type { World } from '../../world.ts';

/** The file of a record, relative to the content folder. */
export function pathOf(record: DesiredRecord, { contentDir }: Settings, world: World): string {
  return relative(contentDir, resolve(world.cwd, record.at.file)).split(sep).join('/');
}

/** The same with the file of a record instead of its key, which is what plan and sync print beside an edit of the site. */
export function filesOfKeys(
  names: readonly string[],
  { records }: Pick<DesiredState, 'records'>,
  world: World,
): readonly string[] {
  return names.map((name) => {
    const parts = parseKey(name);
    const record = parts === undefined ? undefined : records.get(keyOf(parts.kind, parts.path, parts.lang));
    return record === undefined ? name : resolve(world.cwd, record.at.file);
  });
}

/** Paths as people type them: from the working directory, or from the content folder. */
export function pathFilter(
  paths: readonly string[],
  settings: Settings,
  world: World,
): (file: string) => boolean {
  const wanted = insideOf(paths, settings, world);
  const { include = [], exclude = [] } = settings.file;
  const isIn = scopeOf({ include, exclude });
  return (file) =>
    isIn(file) &&
    (wanted.length === 0 ||
      wanted.some(
        (path) => path === '' || file === path || file === `${path}.md` || file.startsWith(`${path}/`),
      ));
}

/** Files that are named themselves, not only by a folder. */
export function namedFiles(paths: readonly string[], settings: Settings, world: World): ReadonlySet<string> {
  return new Set(insideOf(paths, settings, world).flatMap((path) => [path, `${path}.md`]));
}

/** The paths, relative to the content folder. */
function insideOf(paths: readonly string[], { contentDir }: Settings, world: World): readonly string[] {
  return paths.map((path) => {
    const below = relative(contentDir, resolve(world.cwd, path)).split(sep).join('/');
    const inside = below.startsWith('..')
      ? relative(contentDir, resolve(contentDir, path)).split(sep).join('/')
      : below;
    if (!inside.startsWith('..')) return inside;
    throw new SetupError(
      'usage',
      `\`${visible(path)}\` lies outside the content folder ${shown(contentDir, world)}`,
    );
  });
}

/** Those of the files, relative to the folder, that some commit on the way to HEAD had. None where there is no history. */
export async function formerFiles(files: readonly string[], folder: string): Promise<ReadonlySet<string>> {
  const named = files.length > PATHSPECS_MAX ? ['.'] : files;
  const args = ['--literal-pathspecs', 'log', '--format=', '--name-only', '--no-renames', '--relative', '-z'];
  const names = await git([...args, '--', ...named], folder);
  const former = new Set((names ?? '').split('\0').map((name) => name.trim().normalize('NFC')));
  return new Set(files.filter((file) => former.has(file.normalize('NFC'))));
}

/** A command line has an end. */
const PATHSPECS_MAX = 200;
