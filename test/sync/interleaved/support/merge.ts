import { diffArrays } from 'diff';

/** The files of a commit, by path. */
export type Tree = ReadonlyMap<string, string>;

export interface Merged {
  readonly tree: Map<string, string>;
  /** Files that both sides changed at one place, with both texts. Paths are in them: a name may be what differs. */
  readonly conflicts: ReadonlyMap<string, readonly [ours: string, theirs: string]>;
  /** Texts of files that count as one renamed file, because they are alike: they may be of two pages. */
  readonly alike: readonly (readonly [before: string, after: string])[];
}

export type Side = 'ours' | 'theirs';

/** Lines that nobody has to merge by hand (`merge=union`). */
export const MOVES = 'moves.txt';

function unionOf(...texts: readonly (string | undefined)[]): string {
  return [...new Set(texts.flatMap((text) => (text ?? '').split('\n')))]
    .filter((line) => line !== '')
    .join('\n');
}

/**
 * As git merges two commits: file by file from their ancestor, files that were renamed too, and line by line. Where both
 * changed one place, somebody looks at it and takes one side.
 */
export function mergedTree(base: Tree, ours: Tree, theirs: Tree, side: Side): Merged {
  const tree = new Map<string, string>();
  const conflicts = new Map<string, readonly [string, string]>();
  const alike: (readonly [string, string])[] = [];
  const ourNames = renamesIn(base, ours);
  const theirNames = renamesIn(base, theirs);
  const done = new Set<string>();
  const settle = (
    path: string,
    was: string | undefined,
    our: string | undefined,
    their: string | undefined,
  ): void => {
    const put = (text: string | undefined): void => {
      if (text !== undefined) tree.set(path, text);
    };
    if (our === their || was === their) return put(our);
    if (was === our) return put(their);
    if (path === MOVES) return put(unionOf(our, their));
    const isText = was !== undefined && our !== undefined && their !== undefined;
    const merged = isText
      ? mergedText(was, our, their, side)
      : { text: side === 'ours' ? our : their, isClean: false };
    if (!merged.isClean) conflicts.set(path, [`${path} ${our ?? ''}`, `${path} ${their ?? ''}`]);
    put(merged.text);
  };
  for (const [path, was] of base) {
    const [our, their] = [ourNames.get(path) ?? path, theirNames.get(path) ?? path];
    for (const name of [path, our, their]) done.add(name);
    const [text, other] = [ours.get(our), theirs.get(their)];
    const isNamedTwice = our !== path && their !== path && our !== their;
    const name = isNamedTwice ? (side === 'ours' ? our : their) : our === path ? their : our;
    // One side renamed what the other deleted: git leaves it to a person even if the text is as it was.
    const isRenameDelete = (our !== path && other === undefined) || (their !== path && text === undefined);
    const chosen = side === 'ours' ? text : other;
    if (!isRenameDelete) settle(name, was, text, other);
    else if (chosen !== undefined) tree.set(name, chosen);
    if (isRenameDelete) conflicts.set(name, [`${our} ${text ?? ''}`, `${their} ${other ?? ''}`]);
    for (const [at, now] of [
      [our, text],
      [their, other],
    ] as const)
      if (at !== path && now !== undefined) alike.push([was, now]);
    if (isNamedTwice) conflicts.set(name, [`${our} ${text ?? ''}`, `${their} ${other ?? ''}`]);
  }
  for (const path of new Set([...ours.keys(), ...theirs.keys()]))
    if (!done.has(path)) settle(path, undefined, ours.get(path), theirs.get(path));
  return { tree, conflicts, alike };
}

/** Old path → new path, where at least half of the lines are the same. */
function renamesIn(base: Tree, now: Tree): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const fresh = [...now].filter(([path]) => !base.has(path));
  for (const [path, was] of base) {
    if (now.has(path)) continue;
    const lines = new Set(was.split('\n'));
    const shares = fresh
      .filter(([to]) => ![...names.values()].includes(to))
      .map(([to, text]) => {
        const own = text.split('\n');
        return [to, own.filter((line) => lines.has(line)).length / Math.max(own.length, lines.size)] as const;
      })
      .sort(([, a], [, b]) => b - a);
    const [best] = shares;
    if (best !== undefined && best[1] >= 0.5) names.set(path, best[0]);
  }
  return names;
}

interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

function hunksOf(was: readonly string[], now: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { start: number; end: number; lines: string[] } | undefined;
  for (const { added, removed, value } of diffArrays([...was], [...now])) {
    if (!added && !removed) {
      if (open !== undefined) hunks.push(open);
      open = undefined;
      at += value.length;
      continue;
    }
    open ??= { start: at, end: at, lines: [] };
    if (removed) {
      at += value.length;
      open.end = at;
    } else open.lines.push(...value);
  }
  return open === undefined ? hunks : [...hunks, open];
}

/** Not clean where both sides changed the same lines, or lines beside one another. */
function mergedText(
  was: string,
  ours: string,
  theirs: string,
  side: Side,
): { readonly text: string; readonly isClean: boolean } {
  const base = was.split('\n');
  const mine = hunksOf(base, ours.split('\n'));
  const yours = hunksOf(base, theirs.split('\n')).filter(
    (hunk) => !mine.some((own) => JSON.stringify(own) === JSON.stringify(hunk)),
  );
  const meets = (one: Hunk, others: readonly Hunk[]): boolean =>
    others.some(({ start, end }) => one.start <= end && start <= one.end);
  const kept = [
    ...mine.filter((hunk) => side === 'ours' || !meets(hunk, yours)),
    ...yours.filter((hunk) => side === 'theirs' || !meets(hunk, mine)),
  ];
  const lines = [...base];
  for (const { start, end, lines: next } of kept.sort((a, b) => b.start - a.start || b.end - a.end))
    lines.splice(start, end - start, ...next);
  return { text: lines.join('\n'), isClean: !mine.some((hunk) => meets(hunk, yours)) };
}
