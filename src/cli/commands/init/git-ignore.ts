import { dirname, join, resolve } from 'node:path';
import { git } from '../../../machine/git.ts';
import { OWN_FOLDER } from '../../../model/own-folder.ts';
import type { World } from '../../world.ts';

/**
 * Lets git ignore the folder of states beside the settings: a state is one machine's memory, and a committed one is out of date after the
 * next run of CI. Returns whether it wrote the line; outside of a repository, and where git ignores the folder, nothing is written.
 */
export async function letGitIgnore(settings: string, { cwd, files }: World): Promise<boolean> {
  const folder = dirname(resolve(cwd, settings));
  if ((await git(['rev-parse', '--is-inside-work-tree'], folder))?.trim() !== 'true') return false;
  const isIgnored = await git(['check-ignore', join(OWN_FOLDER, 'state.json')], folder);
  if (isIgnored !== undefined) return false;
  const file = join(folder, '.gitignore');
  const before = (await files.readText(file)) ?? '';
  const eol = before.includes('\r\n') ? '\r\n' : '\n';
  const gap = before === '' || before.endsWith('\n') ? '' : eol;
  await files.appendText(file, `${gap}${OWN_FOLDER}/${eol}`);
  return true;
}
