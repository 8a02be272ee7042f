import { once } from '../../model/once.ts';
import type { Corpus, SourceFile } from '../corpus/corpus.ts';
import { withAnchor } from './anchors.ts';
import { ELSEWHERE, foreignRules } from './foreign/rules.ts';
import { hintFor, neighbourhood } from './guesses.ts';
import type { Neighbourhood } from './guesses.ts';
import { AS_WRITTEN, dead } from './link.ts';
import type { LinkResolver, ResolvedLink } from './link.ts';
import { findTarget, unreadAt } from './look-up.ts';
import { joined, parts } from './written-address.ts';

/** Links of our own layout name files; those of other systems' layouts follow the rules of their systems. */
export function linkResolver(corpus: Corpus): LinkResolver {
  const neighbours = once(() => neighbourhood(corpus));
  const { foreign } = corpus.preset;
  if (foreign !== undefined) return { resolve: foreignRules(corpus, foreign, neighbours) };
  return { resolve: (from, url, isImage) => resolveOwn(corpus, neighbours, { from, url, isImage }) };
}

function resolveOwn(
  corpus: Corpus,
  neighbours: () => Neighbourhood,
  { from, url, isImage }: { readonly from: SourceFile; readonly url: string; readonly isImage: boolean },
): ResolvedLink {
  if (ELSEWHERE.test(url))
    return { target: isImage && /^\/(?!\/)/.test(url) ? { to: 'public', url } : AS_WRITTEN };
  const { path, query, anchor } = parts(url);
  if (path === '') return withAnchor(AS_WRITTEN, from, anchor);
  const wanted = joined(from.path, path);
  if (wanted === undefined) return { target: AS_WRITTEN, problem: dead(url, isImage, true) };
  const rest = `${query}${anchor}`;
  const broken = isImage ? undefined : unreadAt(corpus, wanted);
  if (broken !== undefined) return { target: { to: 'unread', file: broken, rest } };
  const target = findTarget(corpus, from, wanted);
  if (target === undefined || (isImage && typeof target !== 'string')) {
    const hint = hintFor({ from, path: wanted, isImage }, neighbours());
    return { target: AS_WRITTEN, problem: { ...dead(url, isImage, false), ...hint } };
  }
  if (typeof target === 'string') return { target: { to: 'asset', path: target, rest } };
  return withAnchor({ to: 'record', file: target, rest }, target, anchor);
}
