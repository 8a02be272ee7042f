import { suggest } from '../suggest.ts';

/** The anchors of one page, by what a link may have meant. */
export interface AnchorIndex {
  readonly all: ReadonlySet<string>;
  /** The only one with the same letters, signs and case aside; undefined: none or several. */
  readonly withSameLetters: (id: string) => string | undefined;
  readonly mostLike: (id: string) => string | undefined;
}

/** Of a page with more of them, not each is compared with each wrong link: a reference may have thousands of both. */
const COMPARED_MAX = 100;
/** Letters in a row that more anchors share say nothing about one of them. */
const SHARED_MAX = 50;
const RUN = 3;

const INDEXES = new WeakMap<readonly string[], AnchorIndex>();

export function hasAnchor(anchors: readonly string[], id: string): boolean {
  return anchors.length > COMPARED_MAX ? anchorIndex(anchors).all.has(id) : anchors.includes(id);
}

export function anchorIndex(anchors: readonly string[]): AnchorIndex {
  let index = INDEXES.get(anchors);
  if (index === undefined) INDEXES.set(anchors, (index = indexOf(anchors)));
  return index;
}

function indexOf(anchors: readonly string[]): AnchorIndex {
  const all = new Set(anchors);
  let byLetters: ReadonlyMap<string, string | undefined> | undefined;
  let byRun: ReadonlyMap<string, readonly string[]> | undefined;
  return {
    all,
    withSameLetters: (id) => {
      const wanted = lettersOf(id);
      return wanted === '' ? undefined : (byLetters ??= lettersIn(anchors)).get(wanted);
    },
    mostLike: (id) => suggest(id, all.size > COMPARED_MAX ? sharing(id, (byRun ??= runsIn(all))) : anchors),
  };
}

function lettersIn(anchors: readonly string[]): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const anchor of anchors) {
    const letters = lettersOf(anchor);
    found.set(letters, found.has(letters) ? undefined : anchor);
  }
  return found;
}

/** GitBook puts `id-` before a number and writes `&` as `and`; signs and blanks are everybody's own. */
function lettersOf(id: string): string {
  return id
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^(?:id-|_)(?=\d)/, '')
    .replaceAll(/(?<![\p{L}\p{N}])and(?![\p{L}\p{N}])/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function runsIn(anchors: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const anchor of anchors) {
    for (const run of runsOf(anchor)) {
      const those = found.get(run);
      if (those === undefined) found.set(run, [anchor]);
      else if (those.length <= SHARED_MAX) those.push(anchor);
    }
  }
  return found;
}

/** Anchors that share a rare run of letters with an id, those that share most first. */
function sharing(id: string, byRun: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const shared = new Map<string, number>();
  for (const run of runsOf(id)) {
    const those = byRun.get(run) ?? [];
    if (those.length > SHARED_MAX) continue;
    for (const anchor of those) shared.set(anchor, (shared.get(anchor) ?? 0) + 1);
  }
  return [...shared]
    .sort(([, a], [, b]) => b - a)
    .slice(0, COMPARED_MAX / 4)
    .map(([anchor]) => anchor);
}

function runsOf(id: string): ReadonlySet<string> {
  const text = id.toLowerCase();
  const runs = new Set<string>();
  for (let at = 0; at + RUN <= text.length; at += 1) runs.add(text.slice(at, at + RUN));
  return runs;
}
