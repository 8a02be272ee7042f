import { relative, resolve, sep } from 'node:path';
import type { DesiredRecord } from '../../../model/record.ts';
import { scopeOf } from '../../../content/files/scope.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import { shown, type Settings } from '../../../config/settings.ts';
import type { World } from '../../world.ts';

/** The file of a record, relative to the content folder. */
export function pathOf(record: DesiredRecord, { contentDir }: Settings, world: World): string {
  return relative(contentDir, resolve(world.cwd, record.at.file)).split(sep).join('/');
}

/** Paths as people type them: from the working directory, or from the content folder. */
export function pathFilter(
  paths: readonly string[],
  { contentDir, file: { include = [], exclude = [] } }: Settings,
  world: World,
): (file: string) => boolean {
  const wanted = paths.map((path) => {
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
  const isIn = scopeOf({ include, exclude });
  return (file) =>
    isIn(file) &&
    (wanted.length === 0 ||
      wanted.some(
        (path) => path === '' || file === path || file === `${path}.md` || file.startsWith(`${path}/`),
      ));
}
