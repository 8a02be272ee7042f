import { join, relative, sep } from 'node:path';
import { SetupError } from '../../config/setup-error.ts';
import { shown, type Settings } from '../../config/settings.ts';
import { didYouMean } from '../../content/suggest.ts';
import { git, startOf } from '../../machine/git.ts';
import type { BaseState, DesiredState } from '../../model/record.ts';
import { visible } from '../../model/visible.ts';
import { choiceOf, type Choice, type Wanted } from '../../sync/choice.ts';
import type { AboutFlags } from '../flags.ts';
import type { World } from '../world.ts';
import type { FilesRead } from './read-files.ts';

/** What the flags say the run is about; undefined: all. @throws SetupError */
export async function wantedBy(
  { only = [], exclude = [], changedSince }: Partial<AboutFlags>,
  settings: Settings,
  world: World,
): Promise<Wanted | undefined> {
  if (only.length + exclude.length === 0 && changedSince === undefined) return undefined;
  const folder = shown(settings.contentDir, world).split(sep).join('/');
  return {
    only: only.length === 0 ? undefined : only,
    exclude,
    changed: changedSince === undefined ? undefined : await changedFiles(changedSince, settings, world),
    folder: folder === '.' ? '' : `${folder}/`,
  };
}

/** @throws SetupError for a word that fits nothing */
export function chosenFrom(wanted: Wanted, desired: DesiredState, base: Pick<BaseState, 'records'>): Choice {
  const choice = choiceOf(wanted, { desired, base });
  const [unknown] = choice.unmatched;
  if (unknown === undefined) return choice;
  const known = [...desired.records.values()].flatMap(({ key, at }) => [key, at.file]);
  throw new SetupError('usage', `no record fits \`${visible(unknown)}\`${didYouMean(unknown, known)}`, {
    help: 'name a key (article/billing/refunds@de), a path (billing/refunds), a file or a glob in quotes ("billing/**")',
  });
}

/**
 * The findings that concern a choice: those of its files, and those of files that make no record now, because nobody
 * knows whose they are.
 */
export function narrowed(read: FilesRead, wanted: Wanted): FilesRead {
  const { state } = read.content;
  const { keys } = choiceOf(wanted, { desired: state, base: { records: new Map() } });
  const files = new Map([...state.records.values()].map(({ key, at }) => [at.file, keys.has(key)]));
  const findings = read.findings.filter(({ at }) => files.get(at.file) !== false);
  return { ...read, findings };
}

/** Files that differ from where this branch left a commit, and new ones, relative to the working directory. @throws SetupError */
export async function changedFiles(
  ref: string,
  { contentDir }: Settings,
  world: World,
): Promise<ReadonlySet<string>> {
  const { top, fork } = await startOf(ref, contentDir);
  if (top === undefined) {
    throw new SetupError('usage', '--changed-since: the content folder is in no git repository', {
      help: 'leave the flag out; --only names records by their paths',
    });
  }
  if (fork === undefined) {
    throw new SetupError('usage', `--changed-since: git knows no \`${visible(ref)}\``, {
      help: 'in CI, fetch it first: git fetch origin main (GitHub: fetch-depth: 0)',
    });
  }
  const changed = await git(['diff', '--name-only', '-z', '--no-renames', fork, '--'], top);
  const added = await git(['ls-files', '--others', '--exclude-standard', '-z'], top);
  const paths = `${changed ?? ''}${added ?? ''}`.split('\0').filter((path) => path !== '');
  return new Set(
    paths.map((path) => relative(world.cwd, join(top, path)).split(sep).join('/').normalize('NFC')),
  );
}
