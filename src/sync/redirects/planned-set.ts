import { MORE_SETS, REDIRECT_BYTES_MAX, REDIRECT_LINES_MAX } from '../../contract/redirects.ts';
import type { OldAddress } from '../../model/address/redirect.ts';
import type { Key } from '../../model/key.ts';
import type { Repository } from '../../model/repository.ts';
import { once } from '../../model/once.ts';
import type { DesiredState } from '../../model/record.ts';
import type { Plan, RedirectChanges } from '../../plan/plan.ts';
import { RemoteError } from '../../remote/error.ts';
import type { RunOptions } from '../options.ts';
import { bytesOf, inOrder, puts, tagWhile } from './set-lines.ts';
import { filesTag, wantedSet } from './wanted-set.ts';

/**
 * How the service's set of old addresses differs from what the files want; undefined: it does not, or the service keeps none. Reads
 * the set only if the lists tell another tag.
 */
export async function plannedSet(
  desired: DesiredState,
  plan: Plan,
  { remote, policy, repository, origin }: RunOptions,
): Promise<RedirectChanges | undefined> {
  const told = remote.redirectSets();
  const isWhole = (policy.only === undefined || policy.only.what === 'all') && policy.languages === undefined;
  if (origin === undefined || told === undefined || !isWhole || plan.refusals.length > 0) return undefined;
  const { lines, leftOut } = wantedSet(desired, origin);
  const id = setOf(repository, told);
  if (id === undefined) {
    return lines.length === 0
      ? undefined
      : { ...NOTHING, repository: undefined, tag: filesTag(lines, desired), lines, leftOut };
  }
  const former = repository.former.filter((name) => name !== id && told.has(name));
  const isListed = told.has(id) || told.has(MORE_SETS);
  // First what costs nothing: most repositories have no old addresses.
  if (former.length === 0 && lines.length === 0 && !isListed) return undefined;
  const ofFiles = filesTag(lines, desired);
  if (former.length === 0 && told.get(id) === ofFiles) return undefined;
  const names = [...former, ...(isListed ? [id] : [])];
  let sets: readonly (readonly OldAddress[])[];
  try {
    sets = await Promise.all(names.map((name) => remote.readRedirects(name)));
  } catch (error) {
    // The records do not depend on them.
    if (!(error instanceof RemoteError) || error.code === 'aborted') throw error;
    const unread = error.serviceMessage ?? error.message;
    return { ...NOTHING, repository: id, tag: ofFiles, lines: [], leftOut, unread };
  }
  const before = new Map(sets.flat().map((line) => [line.from, line]));
  const stays = staying(desired, plan);
  const unsent = new Set<string>([...plan.conflicts, ...plan.blocked].map(({ key }) => key));
  const wanted = new Map(lines.map((line) => [line.from, line]));
  const kept: OldAddress[] = [];
  const waiting: OldAddress[] = [];
  let bytes = lines.reduce((sum, line) => sum + bytesOf(line), 0);
  for (const line of before.values()) {
    const now = wanted.get(line.from);
    const isWaiting =
      now !== undefined && now.to !== line.to && now.key === line.key && unsent.has(line.key ?? '');
    if (!isWaiting && (now !== undefined || !stays(line))) continue;
    const more = bytesOf(line);
    if (bytes + more > REDIRECT_BYTES_MAX - HEAD_BYTES || wanted.size >= REDIRECT_LINES_MAX) continue;
    if (!puts(wanted, line)) continue;
    bytes += more;
    kept.push(line);
    if (isWaiting) waiting.push(line);
  }
  const tag = tagWhile(waiting, ofFiles);
  if (former.length === 0 && told.get(id) === tag) return undefined;
  const all = inOrder(wanted.values());
  // The set of another repository with the same lines and no word of its own is nothing to send for.
  if (all.length === 0 && before.size === 0) return undefined;
  return {
    repository: id,
    tag,
    lines: all,
    former,
    added: all.filter(({ from }) => !before.has(from)),
    changed: all.flatMap(({ from, to }) => {
      const old = before.get(from)?.to;
      return old === undefined || old === to ? [] : [{ from, to, before: old }];
    }),
    removed: [...before.values()].filter(({ from }) => !wanted.has(from)),
    kept,
    leftOut,
  };
}

/** Whose set it is: a fork and its original have one, under the name of who was there first. */
function setOf({ id, known, former }: Repository, told: ReadonlyMap<string, string>): string | undefined {
  if (id === undefined || told.has(id)) return id;
  return known.find((name) => told.has(name) && !former.includes(name)) ?? id;
}

/** Of the body around the lines: names, brackets and the tag. */
const HEAD_BYTES = 1_000;

const NOTHING = { former: [], added: [], changed: [], removed: [], kept: [] };

/** Whether a line stays that the files no longer have: its page is there without a file, or nobody knows what its file says. */
function staying(
  { records, withheld, releases, excluded }: DesiredState,
  { kept, conflicts, blocked, drift }: Plan,
): (line: OldAddress) => boolean {
  if (withheld !== undefined && withheld.size > 0) return () => true;
  const open = new Set<string>([...kept, ...conflicts, ...blocked, ...drift].map(({ key }) => key));
  // A plan of some records does not name those; to find them, all files are read.
  const unread = once((): ReadonlySet<string> => excluded?.() ?? new Set());
  return ({ key }) => {
    if (key === undefined || records.has(key as Key)) return false;
    return open.has(key) || releases?.has(key as Key) === true || unread().has(key);
  };
}
