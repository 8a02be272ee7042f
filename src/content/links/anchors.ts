import { decoded } from '../../model/address/percent.ts';
import { isImplied } from '../corpus/corpus.ts';
import type { SourceFile } from '../corpus/corpus.ts';
import { anchorIndex, hasAnchor } from './anchor-index.ts';
import type { LinkTarget, ResolvedLink } from './link.ts';

interface Behind {
  readonly rest: string;
  readonly query: string;
  readonly anchor: string;
}

/** The heading may be there in the language that the link names, and not in the reader's. */
export function anchored(
  { rest, query, anchor }: Behind,
  found: SourceFile,
  literal: SourceFile | undefined,
): ResolvedLink {
  const id = decoded(anchor.slice(1));
  if (isTop(found, id)) return { target: { to: 'record', file: found, rest: query } };
  const here = withAnchor({ to: 'record', file: found, rest }, found, anchor);
  if (here.problem === undefined || literal === undefined || literal === found)
    return mended(here, found, { query, anchor });
  const there = withAnchor({ to: 'record', file: literal, rest }, literal, anchor);
  return there.problem === undefined ? there : mended(here, found, { query, anchor });
}

/** Makers of ids differ in signs and letter case: where one heading has the same letters, it is meant, whatever a part that nobody knows may have made. */
export function mended(
  link: ResolvedLink,
  file: SourceFile,
  { query, anchor }: Pick<Behind, 'query' | 'anchor'>,
): ResolvedLink {
  const { anchors = [], hasUnknownParts = false } = file.document.body?.outline ?? {};
  const id = decoded(anchor.slice(1));
  const isUnsure =
    hasUnknownParts && link.target?.to !== 'top' && !NO_HEADING.test(id) && !hasAnchor(anchors, id);
  if (link.problem?.code !== 'dead-anchor' && !isUnsure) return link;
  const same = anchorIndex(anchors).withSameLetters(id);
  if (same === undefined) return link;
  return { target: { to: 'record', file, rest: `${query}#${encodeURIComponent(same)}` } };
}

/** What browsers and GitHub make of an anchor without a heading. */
const NO_HEADING = /^(?:$|top$|:~:|user-content-)/;

/** The id of a heading that became the title, or that the title would have; Starlight calls its title `_top` on each page. */
function isTop({ document: { body } }: SourceFile, id: string): boolean {
  if (id === '_top' || (id !== '' && body?.titleId === id)) return true;
  return id !== '' && body?.topId === id && !hasAnchor(body.outline.anchors, id);
}

export function withAnchor(to: LinkTarget, target: SourceFile, anchor: string): ResolvedLink {
  const id = decoded(anchor.slice(1));
  if (isTop(target, id)) return { target: { to: 'top' } };
  if (NO_HEADING.test(id)) return { target: to };
  const { anchors = [], hasUnknownParts } = target.document.body?.outline ?? {};
  // A part that nobody knows may have made the heading; it is a problem of its own.
  if (hasUnknownParts === true || hasAnchor(anchors, id)) return { target: to };
  const suggestion = anchorIndex(anchors).mostLike(id);
  return {
    target: to,
    problem: {
      code: 'dead-anchor',
      anchor: id,
      target: isImplied(target) ? `the category \`${target.place.path}\`` : target.shown,
      ...(suggestion === undefined ? {} : { suggestion }),
    },
  };
}
