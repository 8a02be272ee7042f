import { posix } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import type { LoadedContent } from '../../content/options.ts';
import { git } from '../../machine/git.ts';
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
import type { Plan } from '../../plan/plan.ts';

/** A record that the plan makes, and the one that it would leave without a file; git knows the file as renamed. */
export interface RenameProposal {
  readonly from: Family;
  readonly to: Family;
  /** What the file was called, and is called now, relative to the content folder. */
  readonly before: string;
  readonly after: string;
  /** For the list `moved` of kbsync.yaml. */
  readonly line: string;
}

interface Asked {
  readonly plan: Plan;
  readonly editing: LoadedContent['editing'];
  readonly settings: Pick<Settings, 'contentDir'>;
}

/**
 * Records that would be made anew although git knows their files under the names of records that lose theirs. Nothing is
 * asked of git where a plan makes nothing, or where no file is gone.
 */
export async function renameProposals(asked: Asked): Promise<readonly RenameProposal[]> {
  const { plan, editing, settings } = asked;
  const gone = goneFamilies(plan);
  const made = plan.changes.filter(
    ({ action, isTranslation }) => action === 'create' && isTranslation !== true,
  );
  if (gone.size === 0 || made.length === 0) return [];
  const renames = await renamesOf(settings.contentDir);
  if (renames.length === 0) return [];
  const proposals: RenameProposal[] = [];
  const taken = new Set<Family>();
  for (const { key } of made) {
    // A category that pages make by their folder has no file that was renamed.
    const after = editing?.().fileOf(key);
    if (after === undefined) continue;
    for (const before of formerNames(after, renames)) {
      const from = familiesAt(before, { key, after }, asked).find(
        (one) =>
          kindOf(one) === kindOf(key) &&
          gone.has(one) &&
          !taken.has(one) &&
          // What lost a translation alone has not moved.
          editing?.().fileOf(keyIn(one, langOf(key))) === undefined,
      );
      if (from === undefined) continue;
      taken.add(from);
      const to = familyOf(key);
      proposals.push({ from, to, before, after, line: `- { from: ${written(from)}, to: ${written(to)} }` });
      break;
    }
  }
  return proposals;
}

/** What the plan prints of them. */
export function renameLines(proposals: readonly RenameProposal[]): readonly string[] {
  if (proposals.length === 0) return [];
  return [
    'git knows these files as renamed. To keep their records, with their ids and old addresses, write into kbsync.yaml:',
    ...proposals.map(({ before, after }) => `  # ${visible(before)} is ${visible(after)} now`),
    '  moved:',
    ...proposals.map(({ line }) => `    ${visible(line)}`),
  ];
}

/** Records without a file: of this state, or by their stamp. */
function goneFamilies({ changes, kept, conflicts, unmanaged }: Plan): ReadonlySet<Family> {
  return new Set([
    ...changes.filter(({ action }) => action === 'delete').map(({ key }) => familyOf(key)),
    ...kept.filter(({ reason }) => reason !== 'protected').map(({ key }) => familyOf(key)),
    ...conflicts.filter(({ code }) => code === 'delete-modified').map(({ key }) => familyOf(key)),
    // A stamp holds the key as kbsync wrote it; one that is none matches nothing.
    ...unmanaged.flatMap(({ was, by }) =>
      was === undefined || by !== undefined ? [] : [familyOf(was as Key)],
    ),
  ]);
}

type Rename = readonly [from: string, to: string];

/** So many commits back; git compares the files of each. */
const COMMITS_MAX = 1000;

/** What git takes for renames below the folder, the oldest first, those that are not committed yet last. */
async function renamesOf(folder: string): Promise<readonly Rename[]> {
  const about = ['-M', '-l2000', '--diff-filter=R', '--name-status', '--relative', '--no-ext-diff', '-z'];
  const [committed, open] = await Promise.all([
    git(['log', '--format=', '-n', String(COMMITS_MAX), '--reverse', ...about, '--', '.'], folder),
    git(['diff', ...about, 'HEAD', '--', '.'], folder),
  ]);
  return [...renamesIn(committed), ...renamesIn(open)];
}

function renamesIn(printed = ''): readonly Rename[] {
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
  { editing }: Asked,
): readonly Family[] {
  const place = editing?.().presetWith([before]).place(before);
  const read = place?.role === 'document' ? [familyFrom(place.kind, place.path)] : [];
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

function written(family: Family): string {
  return /^[\w./-]+$/.test(family) ? family : JSON.stringify(family);
}
