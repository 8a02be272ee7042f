import { isDeepStrictEqual } from 'node:util';
import { AS_SHOWN, canonicalNodes } from './canonical-html.ts';
import { additionsTo, withoutAdditions } from './additions.ts';
import type { Addition } from './additions.ts';
import { parametersAdded } from './address.ts';
import type { Difference, Habit } from './habits.ts';
import { elementsIn, remainsOf, textOf } from './losses.ts';
import { ALL_REWRITINGS, NO_REWRITINGS, neededRewritings } from './rewritings.ts';
import type { Rewriting } from './rewritings.ts';
import type { Look } from './shape.ts';
import type { HtmlNode } from './tree.ts';
import { isParsable, parseHtml } from './tree.ts';
import { isUrl } from '../../text/url.ts';

export interface DifferenceOptions {
  /** See Look. */
  readonly origin?: string | undefined;
  /** Rewritings that this service was seen doing: tried first. */
  readonly likely?: ReadonlySet<Rewriting>;
  /** Only what this service was seen doing explains anything; undefined: whatever any service may do. */
  readonly within?: Habit | undefined;
}

export const NO_DIFFERENCE: Difference = { rewritings: [], losses: [] };

/**
 * What lies between the HTML that was sent and the HTML that is shown, if rewritings, losses and additions explain all of
 * it; undefined when they do not, so somebody or something has written other words, addresses, lists or tables.
 */
export function htmlDifference(
  sent: string,
  shown: string,
  { origin, likely = NO_REWRITINGS, within }: DifferenceOptions = {},
): Difference | undefined {
  if (sent === shown) return NO_DIFFERENCE;
  if (!isParsable(sent) || !isParsable(shown)) return undefined;
  const [ours, theirs] = [parseHtml(sent), parseHtml(shown)];
  const isAlike = (a: readonly HtmlNode[], look: Look): boolean =>
    canonicalNodes(a, look) === canonicalNodes(theirs, look);
  if (isAlike(ours, AS_SHOWN)) return NO_DIFFERENCE;
  const place = { origin, ...placeFrom(ours, theirs, origin) };
  if (within !== undefined) return differenceWithin(ours, theirs, place, within);
  const isAlikeWithout = (without: ReadonlySet<Rewriting>): boolean => isAlike(ours, { ...place, without });
  if (likely.size > 0 && isAlikeWithout(likely)) return { rewritings: [...likely], losses: [] };
  if (isAlikeWithout(ALL_REWRITINGS)) return { rewritings: neededRewritings(isAlikeWithout), losses: [] };
  const lossy = (without: ReadonlySet<Rewriting>): Difference | undefined =>
    lossyDifference(ours, theirs, { ...place, without });
  const before = likely.size > 0 ? lossy(likely) : undefined;
  if (before !== undefined) return { ...before, rewritings: [...likely] };
  const whole = lossy(ALL_REWRITINGS);
  return whole === undefined
    ? undefined
    : { ...whole, rewritings: neededRewritings((without) => isDeepStrictEqual(lossy(without), whole)) };
}

function differenceWithin(
  ours: readonly HtmlNode[],
  theirs: readonly HtmlNode[],
  place: Omit<Look, 'without'>,
  { rewritings, losses, additions }: Habit,
): Difference | undefined {
  const look: Look = { ...place, without: new Set(rewritings), parameters: parametersIn(additions) };
  const rest = withoutAdditions(theirs, additions);
  if (canonicalNodes(ours, look) === canonicalNodes(rest, look)) return { rewritings, losses: [], additions };
  if (losses.length === 0) return undefined;
  const found = lossyDifference(ours, rest, look);
  const isKnown = found?.additions === undefined && found?.losses.every((loss) => losses.includes(loss));
  return isKnown === true ? { rewritings, losses: found?.losses ?? [], additions } : undefined;
}

function lossyDifference(
  ours: readonly HtmlNode[],
  theirs: readonly HtmlNode[],
  look: Look,
): Difference | undefined {
  // Texts of elements that went stand beside their neighbours now, with or without a blank.
  const joined = (nodes: readonly HtmlNode[]): string => canonicalNodes(nodes, look).replaceAll(/ |<p>/g, '');
  const remains = remainsOf(ours, theirs);
  const { losses } = remains;
  const [rest, shown] = [joined(remains.sent), joined(remains.shown)];
  if (rest === shown && losses.length > 0) return { rewritings: [], losses };
  if (lacksSigns(shown, rest)) return { rewritings: [], losses: [...losses, 'signs'] };
  if (isCut(textOf(remains.shown), textOf(remains.sent)))
    return { rewritings: [], losses: [...losses, 'end'] };
  const parameters = [...new Set(addedParameters(ours, theirs))].sort();
  const named: Look = { ...look, parameters: new Set(parameters) };
  const isAlike = (nodes: readonly HtmlNode[]): boolean =>
    canonicalNodes(nodes, named) === canonicalNodes(remains.sent, named);
  const additions = isAlike(remains.shown) ? [] : additionsTo(remains.sent, remains.shown, isAlike);
  if (additions === undefined || parameters.length + additions.length === 0) return undefined;
  return { rewritings: [], losses, additions: [...parameters.map((name) => `?${name}`), ...additions] };
}

/** Of parameters that a service adds to addresses, `?name` is the addition. */
export function parametersIn(additions: readonly Addition[]): ReadonlySet<string> {
  return new Set(additions.filter((name) => name.startsWith('?')).map((name) => name.slice(1)));
}

function addedParameters(ours: readonly HtmlNode[], theirs: readonly HtmlNode[]): readonly string[] {
  const [sent, shown] = [addressesIn(ours), addressesIn(theirs)];
  if (sent.length !== shown.length) return [];
  return sent.flatMap((address, index) => parametersAdded(address, shown[index] ?? ''));
}

/** Whether a text is the start of another one, with or without the dots that say that more was there. */
export function isCut(start: string, whole: string): boolean {
  const cut = start.replace(/(?:…|\.\.\.)$/, '').trimEnd();
  return cut.length >= CUT_MIN && cut.length < whole.length && whole.startsWith(cut);
}

/** A text that was cut to fewer characters cannot be told from another one. */
const CUT_MIN = 20;

/** Whether a text is another one whose emoji and the like, beyond the first 65,536 characters, were not stored. */
export function lacksSigns(shown: string, whole: string): boolean {
  if (!SIGNS.test(whole)) return false;
  return LACKING.some((sign) => whole.replaceAll(ALL_SIGNS, sign) === shown);
}

/** Nothing, or a sign for each letter, each half of it in UTF-16, or each byte in UTF-8. */
const LACKING = ['', ...['?', '\uFFFD'].flatMap((sign) => [1, 2, 4].map((count) => sign.repeat(count)))];
const SIGNS = /[\u{10000}-\u{10FFFF}]/u;
const ALL_SIGNS = new RegExp(SIGNS, 'gu');

/** The page or site that the addresses shown are resolved against, where all of them, and more than one, say the same. */
function placeFrom(
  ours: readonly HtmlNode[],
  theirs: readonly HtmlNode[],
  origin: string | undefined,
): Pick<Look, 'page' | 'origin'> {
  const [sent, shown] = [addressesIn(ours), addressesIn(theirs)];
  const pairs = sent.flatMap((address, index) => {
    const at = shown[index] ?? '';
    const isResolved = address !== at && address !== '' && !isUrl(address) && isUrl(at);
    return isResolved ? [{ address, url: new URL(at) }] : [];
  });
  const origins = new Set(pairs.map(({ url }) => url.origin));
  const [found, ...others] = origins;
  if (sent.length !== shown.length || pairs.length < 2 || found === undefined || others.length > 0) return {};
  const relative = pairs.filter(({ address }) => !address.startsWith('/'));
  if (relative.length === 0) return { origin: found };
  const pages = new Set(relative.map(({ address, url }) => pageFrom(address, url)));
  const page = [...pages].find((each) => !each.endsWith('/')) ?? [...pages][0] ?? '';
  const isOne = [...pages].every((each) => each === page || each === page.replace(/[^/]*$/, ''));
  return isOne && (origin === undefined || origin === found || relative.length < pairs.length)
    ? { page, origin: found }
    : {};
}

/** Whole where the address is a place in the page, else its folder. */
function pageFrom(address: string, url: URL): string {
  const file = `${url.origin}${url.pathname}`;
  if (/^[#?]/.test(address)) return file;
  const path = new URL(address, 'http://page.invalid/').pathname.slice(1);
  return file.endsWith(`/${path}`) ? file.slice(0, file.length - path.length) : file;
}

function addressesIn(nodes: readonly HtmlNode[]): readonly string[] {
  return elementsIn(nodes).flatMap(({ attributes }) => attributes.get('href') ?? attributes.get('src') ?? []);
}
