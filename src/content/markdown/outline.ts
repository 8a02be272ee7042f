import { addAll } from '../../text/many.ts';
import { COPIED_CHARS_MAX, entityCopies } from './entities.ts';
import type { HeadingIds } from './heading-id.ts';
import { LINE_LEVELS_MAX, levelsOpened, mayBeDeep } from './levels.ts';
import { swallowedWords, swallowerIn } from './losses.ts';
import { TABLE_CELLS_MAX, scanMarkdown, tableCells } from './markdown.ts';
import type { MarkdownExtensions } from './markdown.ts';
import { isPlain } from './plain.ts';
import { isOnlyComments, rawAnchors, rawReferences, rawTags, spotWithin } from './raw-html.ts';
import type { RawTag } from './raw-html.ts';
import { droppedAddress, droppedFrom, isOddAddress, sanitise } from './sanitise.ts';
import type { ProblemCase } from '../../model/problem.ts';
import { START } from '../source-text.ts';
import type { LocalProblem, Spot } from '../source-text.ts';

/** What a body offers to other files and what it takes from them. Spots count from the file's first line. */
export interface Outline {
  /** Ids that a link can jump to. */
  readonly anchors: readonly string[];
  readonly links: readonly OutlineLink[];
  /** Parts of another system are left that no rule knows: what they would show is not known either. */
  readonly hasUnknownParts?: true;
  /** Raw HTML or an odd address occurs, so the rendered HTML has to pass the sanitiser. */
  readonly needsSanitiser: boolean;
  /** See `isPlain`; then `anchors` are the ids of its headings. */
  readonly isPlain?: true;
}

export interface OutlineLink {
  readonly url: string;
  readonly isImage: boolean;
  readonly spot: Spot;
  /** No reader sees it: where it leads does not matter. */
  readonly isUnused?: true;
}

export interface OutlineOptions {
  readonly html: 'sanitize' | 'trust';
  readonly firstLine: number;
  /** Undefined: as GitHub makes them. */
  readonly headingIds?: HeadingIds;
  readonly extensions?: MarkdownExtensions | undefined;
  /** Where a spot of the body stood before another system's forms became our Markdown. */
  readonly sourceSpot?: (spot: Spot) => Spot;
  /** Addresses with a scheme that are names of pages: what becomes of them is known where all pages are. */
  readonly isName?: (url: string) => boolean;
}

export interface OutlineReading {
  readonly outline: Outline;
  /** See MarkdownScan. */
  readonly rendered: string;
  readonly problems: readonly LocalProblem[];
}

export function outlineOf(body: string, options: OutlineOptions): OutlineReading {
  const isMaybeDeep = mayBeDeep(body);
  const refusal =
    tooLarge('table cells', tableCells(body), TABLE_CELLS_MAX) ??
    tooLarge('levels in a line', isMaybeDeep ? levelsOpened(body) : 0, LINE_LEVELS_MAX) ??
    tooLarge(ENTITIES, entityCopies(body), COPIED_CHARS_MAX);
  if (refusal !== undefined) return { outline: NOTHING, rendered: '', problems: [refusal] };
  const inFile = (at: Spot): Spot => {
    const spot = options.sourceSpot?.(at) ?? at;
    return { line: spot.line + options.firstLine - 1, column: spot.column };
  };
  const scan = scanMarkdown(body, options.headingIds, options.extensions);
  const pieces = scan.html
    .filter(({ value }) => !isOnlyComments(value))
    .map(({ value, spot }) => ({ value, tags: rawTags(value), spot }));
  const links = scan.links.map((link) => ({ ...link, spot: inFile(link.spot) }));
  const odd = links.filter(({ url }) => isOddAddress(url));
  const problems: LocalProblem[] = [];
  if (options.html === 'sanitize') {
    for (const { url, spot } of odd)
      if (options.isName?.(url) !== true)
        problems.push({ code: 'html-dropped', ...droppedAddress(url), spot });
    addAll(problems, toldOnce(pieces.flatMap((piece) => htmlProblems(piece, inFile))));
    const swallower = swallowerIn(pieces.map(({ value }) => value));
    const at = swallower === undefined ? undefined : pieces[swallower.piece];
    const words = at === undefined ? 0 : swallowedWords(scan.rendered);
    if (swallower !== undefined && at !== undefined && words > 0) {
      const spot = inFile(spotWithin(at.value, swallower.offset, at.spot));
      problems.push({ code: 'html-swallows', name: swallower.name, words, spot });
    }
  }
  const needsSanitiser = options.html === 'sanitize' && (pieces.length > 0 || odd.length > 0);
  const isNested = isMaybeDeep || (body.includes('<') && MANY_TAGS.test(body));
  const limits = textLimits(scan.rendered, isNested);
  // What is left out is not sent: a picture within its address (`data:`) may be the whole of the size.
  const ofSent = needsSanitiser && limits.length > 0 ? textLimits(sanitise(scan.rendered), isNested) : limits;
  for (const each of ofSent) problems.push({ ...each, spot: inFile(START) });
  return {
    problems,
    rendered: scan.rendered,
    outline: {
      anchors: ownCopies([...scan.headingIds, ...pieces.flatMap(({ tags }) => rawAnchors(tags))]),
      links: [
        ...links,
        ...pieces
          .flatMap(({ value, tags, spot }) => rawReferences(value, tags, spot))
          .map((reference) => ({ ...reference, spot: inFile(reference.spot) })),
      ],
      needsSanitiser,
      ...(isPlain(scan, body) ? { isPlain: true as const } : {}),
    },
  };
}

/** What would take the parser, or whoever reads the page, without an end. */
function tooLarge(
  unit: 'table cells' | 'levels in a line' | typeof ENTITIES,
  size: number,
  sizeMax: number,
): LocalProblem | undefined {
  return size > sizeMax ? { code: 'too-large', unit, size, sizeMax, spot: START } : undefined;
}

const ENTITIES = 'characters in front of entities like `&amp;` in long paragraphs';

const NOTHING: Outline = { anchors: [], links: [], needsSanitiser: true };

/** Strings that do not keep the text alive that they were cut out of. */
function ownCopies(ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? ids : ids.join('\n').split('\n');
}

interface Piece {
  readonly value: string;
  readonly tags: readonly RawTag[];
  /** In the body. */
  readonly spot: Spot;
}

type DroppedHtml = Extract<LocalProblem, { readonly code: 'html-dropped' }>;

function htmlProblems({ value, tags, spot }: Piece, inFile: (spot: Spot) => Spot): readonly DroppedHtml[] {
  return droppedFrom(tags).map(({ what, reason, offset }) => ({
    code: 'html-dropped',
    what,
    reason,
    spot: inFile(spotWithin(value, offset, spot)),
  }));
}

/** Of kbsync's own service; the API's description names none. */
const HTML_BYTES_MAX = 2 * 1024 * 1024;
const LEVELS_MAX = 256;
/** Tags without an end between them. */
const MANY_TAGS = /(?:<[a-z][^<>]{0,300}>\s{0,300}){200}/i;
const TAG = /<(\/?)([a-z][a-z0-9-]*)[^<>]*>/gi;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/** `isNested`: only then its levels are counted. */
function textLimits(html: string, isNested: boolean): readonly ProblemCase[] {
  const found: ProblemCase[] = [];
  const bytes = html.length > HTML_BYTES_MAX / 4 ? Buffer.byteLength(html) : 0;
  if (bytes > HTML_BYTES_MAX)
    found.push({
      code: 'beyond-limit',
      subject: 'text',
      unit: 'bytes',
      count: bytes,
      countMax: HTML_BYTES_MAX,
    });
  if (!isNested) return found;
  let depth = 0;
  let deepest = 0;
  for (const [, end, name = ''] of html.matchAll(TAG)) {
    if (VOID.test(name)) continue;
    depth = end === '/' ? Math.max(0, depth - 1) : depth + 1;
    deepest = Math.max(deepest, depth);
  }
  if (deepest > LEVELS_MAX)
    found.push({
      code: 'beyond-limit',
      subject: 'text',
      unit: 'levels',
      count: deepest,
      countMax: LEVELS_MAX,
    });
  return found;
}

/** What a shortcode or another file puts in has one place for its author, so the same finding there is one. */
function toldOnce(problems: readonly DroppedHtml[]): readonly DroppedHtml[] {
  const told = new Map(
    problems.map((problem) => {
      const { line, column } = problem.spot;
      return [`${line}:${column} ${problem.what} ${problem.reason}`, problem];
    }),
  );
  return [...told.values()];
}
