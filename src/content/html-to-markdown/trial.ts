import { headingIds } from '../markdown/heading-id.ts';
import { labelsFor } from '../labels.ts';
import { renderedBody } from '../markdown/render.ts';
import { sanitise } from '../markdown/sanitise.ts';
import { numberOf, setNumber } from './context.ts';
import type { RawHtml } from './context.ts';
import { elementsOf, isBlank, isBlock, parseHtml, textOf } from './hast.ts';
import type { ElementContent, HastContent, HastElement, HastParent, HastRoot } from './hast.ts';
import type { HtmlToMarkdownOptions } from './options.ts';
import { markdownText } from './markdown-text.ts';
import { normalForm, withoutAddedIds } from './normal-form.ts';
import { htmlOf } from './serialise.ts';
import { mdastOf } from './to-mdast.ts';

interface Trial {
  readonly markdown: string;
  readonly raw: readonly RawHtml[];
  readonly isExact: boolean;
  /** Index of the first block that is not what it was; undefined when `isExact`. */
  readonly firstWrong: number | undefined;
}

/** Gives every element the number by which `forced` knows it. */
export function numberElements(tree: HastParent): void {
  let next = 0;
  const visit = (parent: HastParent): void => {
    for (const child of elementsOf(parent)) {
      setNumber(child, next);
      next += 1;
      visit(child);
    }
  };
  visit(tree);
}

/** Converts, renders the result and compares. */
function tryTree(tree: HastRoot, forced: ReadonlySet<number>, options: HtmlToMarkdownOptions): Trial {
  const raw: RawHtml[] = [];
  const links = new Map<string, string>();
  const rewrite = (url: string): string => {
    const written = options.link?.(url) ?? url;
    // Two addresses cannot become one: the second would not come back.
    if (written === url || (links.get(written) ?? url) !== url) return url;
    links.set(written, url);
    return written;
  };
  const conversion = {
    labels: labelsFor(options.lang),
    forced,
    rewrite,
    headingIds: idsToWrite(tree, forced),
    raw,
  };
  const markdown = markdownText(mdastOf(tree, conversion));
  const rendered = renderedBody(markdown, {
    links,
    html: options.html,
    needsSanitiser: options.html === 'sanitize',
    lang: options.lang,
  });
  // Nearly always the tree itself comes back, and need not be written and parsed to be compared.
  if (options.html !== 'sanitize' && isSame(parseHtml(rendered), tree))
    return { markdown, raw, isExact: true, firstWrong: undefined };
  const page = htmlOf(tree.children);
  const wanted = parseHtml(options.html === 'sanitize' ? sanitise(page) : page);
  const found = withoutAddedIds(parseHtml(rendered), wanted);
  const isExact = normalForm(found) === normalForm(wanted);
  return { markdown, raw, isExact, firstWrong: isExact ? undefined : firstDifference(found, wanted) };
}

function isSame(rendered: HastRoot, tree: HastRoot): boolean {
  return normalForm(withoutAddedIds(rendered, tree)) === normalForm(tree);
}

/** The Markdown in which as little stays HTML as is needed for the whole to come back as it was. */
export function bestTrial(tree: HastRoot, options: HtmlToMarkdownOptions): Trial {
  const first = tryTree(tree, new Set(), options);
  if (first.isExact) return first;
  const budget = { left: TRIALS_MAX };
  const small = new Set(
    elementsOf(tree).flatMap((block) => [...smallest(block, undefined, { options, budget })]),
  );
  const blocks = elementsOf(tree).map(numberOf);
  const forced = new Set(small);
  const smallTrial = tryTree(tree, forced, options);
  let trial = smallTrial;
  for (let round = 0; !trial.isExact && round < ROUNDS_MAX; round += 1) {
    // Blocks can be right by themselves and wrong side by side.
    const at = trial.firstWrong ?? 0;
    const next = [at, at - 1, at + 1]
      .map((index) => blocks[index])
      .find((number) => number !== undefined && !forced.has(number));
    if (next === undefined) break;
    forced.add(next);
    trial = tryTree(tree, forced, options);
  }
  if (trial.isExact) return trial;
  const whole = tryTree(tree, new Set(blocks), options);
  // What HTML does not give back either (the sanitiser moves things) may as well be read easily.
  return whole.isExact ? whole : smallTrial;
}

/** A text of thousands of odd elements must not take minutes; what is left is kept by whole blocks. */
const TRIALS_MAX = 400;
const ROUNDS_MAX = 40;

interface Search {
  readonly options: HtmlToMarkdownOptions;
  readonly budget: { left: number };
}

function smallest(node: HastElement, parent: HastElement | undefined, search: Search): ReadonlySet<number> {
  const none = new Set<number>();
  if (passes(node, parent, none, search)) return none;
  const inner = LEAVES.has(node.tagName)
    ? none
    : new Set(elementsOf(node).flatMap((child) => [...smallest(child, node, search)]));
  if (inner.size > 0 && passes(node, parent, inner, search)) return inner;
  return new Set([numberOf(node)]);
}

/** Their parts cannot stand alone in Markdown. */
const LEAVES = new Set([
  'table',
  'dl',
  'pre',
  'figure',
  'summary',
  'svg',
  'math',
  'picture',
  'video',
  'audio',
  'object',
  'ruby',
  'select',
]);

function passes(
  node: HastElement,
  parent: HastElement | undefined,
  forced: ReadonlySet<number>,
  { options, budget }: Search,
): boolean {
  if (budget.left <= 0) return false;
  budget.left -= 1;
  const alone: ElementContent = isBlock(node)
    ? node
    : { type: 'element', tagName: 'p', properties: {}, children: [node] };
  const inList: ElementContent =
    node.tagName === 'li' && parent !== undefined ? { ...parent, children: [node] } : alone;
  return tryTree({ type: 'root', children: [inList] }, forced, options).isExact;
}

/** Ids that a heading does not get by itself. */
function idsToWrite(tree: HastParent, forced: ReadonlySet<number>): ReadonlyMap<number, string> {
  const ids = new Map<number, string>();
  const before: (readonly [text: string, explicit?: string])[] = [];
  const automatic = (text: string): string => {
    const idOf = headingIds();
    for (const [earlier, explicit] of before) idOf(earlier, explicit);
    return idOf(text);
  };
  const visit = (parent: HastParent): void => {
    for (const child of elementsOf(parent)) {
      if (forced.has(numberOf(child))) continue;
      if (!/^h[1-6]$/.test(child.tagName)) {
        visit(child);
        continue;
      }
      const id = child.properties['id'];
      const text = textOf(child).replaceAll(/\s+/g, ' ');
      const isExplicit = typeof id === 'string' && id !== '' && automatic(text) !== id;
      if (isExplicit) ids.set(numberOf(child), id);
      before.push(isExplicit ? [text, id] : [text]);
    }
  };
  visit(tree);
  return ids;
}

function firstDifference(found: HastRoot, wanted: HastRoot): number {
  const ours = found.children.filter((child) => !isBlank(child));
  const theirs = wanted.children.filter((child) => !isBlank(child));
  const index = theirs.findIndex((child, at) => !sameNode(child, ours[at]));
  return index < 0 ? theirs.length - 1 : index;
}

function sameNode(a: HastContent, b: HastContent | undefined): boolean {
  if (b === undefined) return false;
  return normalForm({ type: 'root', children: [a] }) === normalForm({ type: 'root', children: [b] });
}
