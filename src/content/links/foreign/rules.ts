import type { Corpus } from '../../corpus/corpus.ts';
import type { Foreign } from '../../presets/preset.ts';
import { mended, withAnchor } from '../anchors.ts';
import type { Neighbourhood } from '../guesses.ts';
import { AS_WRITTEN } from '../link.ts';
import type { LinkResolver } from '../link.ts';
import { crossReference, fileOf, knownTarget } from './found.ts';
import { linkedSite } from './indexes.ts';
import { unknownTarget } from './not-found.ts';
import { writtenLink } from './written-link.ts';

/** Addresses that mean no file: with a scheme, from the root, a query alone, nothing. */
export const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/|\\|\?|$)/i;
/** What a template or a program puts in before anybody sees the address. */
const TEMPLATE = /\{\{|\{%|<%|\$\{|%7B%7B/i;

/** Resolves links by the rules of the files' own system. */
export function foreignRules(
  corpus: Corpus,
  foreign: Foreign,
  neighbours: () => Neighbourhood,
): LinkResolver['resolve'] {
  const site = linkedSite(corpus, foreign, neighbours);
  return (from, written, isImage) => {
    // Docusaurus: an address that it must not look up.
    const url = written.replace(/^pathname:\/\//i, '');
    const isFromRoot = /^\/(?!\/)/.test(url);
    const referred = isImage ? undefined : crossReference(site, from, url);
    if (referred !== undefined) return referred;
    if (TEMPLATE.test(url) || (ELSEWHERE.test(url) && !isFromRoot && !/^\\(?!\\)/.test(url)))
      return { target: AS_WRITTEN };
    const link = writtenLink(site, from, url, isImage);
    if (link.path === '') return mended(withAnchor(AS_WRITTEN, from, link.anchor), from, link);
    const file = fileOf(site, link);
    return knownTarget(site, link, file) ?? unknownTarget(site, link, file);
  };
}
