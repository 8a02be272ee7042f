import { posix } from 'node:path';
import type { ContentEditing, LoadedContent } from '../../content/options.ts';
import { runGit } from '../../machine/git.ts';
import {
  familyFrom,
  familyOf,
  keyIn,
  kindOf,
  langOf,
  pathOf,
  type Family,
  type Key,
} from '../../model/key.ts';
import { visible } from '../../model/visible.ts';
import type { Plan, Renamed } from '../../plan/plan.ts';
import { movedEntry, type OpenNames } from '../../plan/renamed.ts';

/**
 * New records whose files git knows under the names of records that lost theirs; of files whose past git cannot tell, those with the
 * title of one of them. Nothing is asked of git where no file is gone.
 */
export async function renamesIn(
  contentDir: string,
  { gone, made, sameTitles }: OpenNames,
  editing: LoadedContent['editing'],
): Promise<readonly Renamed[]> {
  if (editing === undefined) return [];
  const { renames, isKnown } = await gitPast(contentDir);
  const { fileOf, presetWith } = editing();
  const found: Renamed[] = [];
  const taken = new Set<Family>();
  for (const key of made) {
    // A category that pages make by their folder has no file that was renamed.
    const after = fileOf(key);
    if (after === undefined) continue;
    for (const before of formerNames(after, renames)) {
      const from = familiesAt(before, { key, after }, presetWith).find(
        (one) =>
          kindOf(one) === kindOf(key) &&
          gone.has(one) &&
          !taken.has(one) &&
          // What lost a translation alone has not moved.
          fileOf(keyIn(one, langOf(key))) === undefined,
      );
      if (from === undefined) continue;
      taken.add(from);
      found.push({ from, to: familyOf(key), before, after });
      break;
    }
  }
  const told = new Set(found.map(({ to }) => to));
  for (const key of made) {
    const to = familyOf(key);
    const [from, after] = [sameTitles.get(to), fileOf(key)];
    if (from === undefined || after === undefined || told.has(to) || taken.has(from) || isKnown(after))
      continue;
    found.push({ from, to, after });
  }
  return found;
}

/** The lines for kbsync.yaml, ready to be copied. The message of a single record has its own. */
export function renameLines({ blocked }: Pick<Plan, 'blocked'>): readonly string[] {
  const renamed = blocked.flatMap((each) => (each.renamed === undefined ? [] : [each.renamed]));
  if (renamed.length < 2) return [];
  return [
    'to keep the records of all files that were renamed, write into kbsync.yaml:',
    '  moved:',
    ...renamed.map((each) => `    - ${visible(movedEntry(each))}`),
  ];
}

type Rename = readonly [from: string, to: string];

/** So many commits back; git compares the files of each. */
const COMMITS_MAX = 1000;

interface Past {
  /** What git takes for renames, the oldest first, those that are not committed yet last. */
  readonly renames: readonly Rename[];
  /** Whether git would know a rename of this file: not in a shallow clone or without the texts of old commits, and not before the file is added. */
  readonly isKnown: (file: string) => boolean;
}

async function gitPast(folder: string): Promise<Past> {
  const about = ['-M', '-l2000', '--diff-filter=R', '--name-status', '--relative', '--no-ext-diff', '-z'];
  const [committed, open, shallow, tracked] = await Promise.all([
    quick(['log', '--format=', '-n', String(COMMITS_MAX), '--reverse', ...about, '--', '.'], folder),
    quick(['diff', ...about, 'HEAD', '--', '.'], folder),
    quick(['rev-parse', '--is-shallow-repository'], folder),
    quick(['ls-files', '-z', '--', '.'], folder),
  ]);
  const isWhole = committed !== undefined && shallow?.trim() === 'false';
  const files = new Set(isWhole ? tracked?.normalize('NFC').split('\0') : []);
  return {
    renames: [...printedRenames(committed), ...printedRenames(open)],
    isKnown: (file) => files.has(file),
  };
}

const GIT_MS_MAX = 30_000;

/** In a clone without the texts of old commits (`--filter=blob:none`), git would fetch them one by one. */
async function quick(args: readonly string[], cwd: string): Promise<string | undefined> {
  const { isOk, stdout } = await runGit(args, {
    cwd,
    env: { GIT_NO_LAZY_FETCH: '1' },
    timeoutMs: GIT_MS_MAX,
  });
  return isOk ? stdout : undefined;
}

function printedRenames(printed = ''): readonly Rename[] {
  const words = printed.split('\0').map((word) => word.replace(/^\n+/, ''));
  const renames: Rename[] = [];
  for (let at = 0; at + 2 < words.length; at += 1) {
    const [status = '', from = '', to = ''] = words.slice(at, at + 3);
    if (!/^R\d+$/.test(status)) continue;
    renames.push([from.normalize('NFC'), to.normalize('NFC')]);
    at += 2;
  }
  return renames;
}

/** What a file was called before, the latest name first. */
function formerNames(file: string, renames: readonly Rename[]): readonly string[] {
  const names: string[] = [];
  let now = file;
  for (const [from, to] of renames.toReversed()) {
    if (to !== now || from === file || names.includes(from)) continue;
    names.push(from);
    now = from;
  }
  return names;
}

/** The records that a file of this name may have been: as the layout reads it, or named as the renamed file is now. */
function familiesAt(
  before: string,
  { key, after }: { readonly key: Key; readonly after: string },
  presetWith: ContentEditing['presetWith'],
): readonly Family[] {
  const place = presetWith([before]).place(before);
  const read = place.role === 'document' ? [familyFrom(place.kind, place.path)] : [];
  const [stem, path] = [bare(after), pathOf(familyOf(key))];
  const head = stem.endsWith(path) ? stem.slice(0, stem.length - path.length) : undefined;
  const alike =
    head !== undefined && before.startsWith(head)
      ? [familyFrom(kindOf(key), bare(before).slice(head.length))]
      : [];
  return [...read, ...alike];
}

function bare(file: string): string {
  return file.slice(0, file.length - posix.extname(file).length);
}
