import { readHtml } from '../../service/html.ts';
import { escaped } from '../html.ts';
import { createMemory } from './memory.ts';
import { sanitisedForPage } from './sanitise.ts';
import { type Element, elementsIn, textOf, treeOf } from './tree.ts';
import { type Heading, HEADINGS_MAX, headingsOf, writeTree } from './write-tree.ts';

/** A text as its page shows it but for the colours of its code, which may come later, and the words of the page's language. */
export interface BodyDraft {
  /** HTML; between each two pieces stands a block of code. */
  readonly pieces: readonly string[];
  readonly blocks: readonly CodeBlock[];
  readonly headings: readonly Heading[];
}

export interface CodeBlock {
  readonly text: string;
  readonly language: string;
  /** The block without colours, as HTML inside its `pre`. */
  readonly plain: string;
}

/** No browser shows more of them in good time, and each costs memory while the page is made. */
const ELEMENTS_MAX = 50_000;

/** An original stands on the pages of each language that has no translation, and its Markdown is asked for as well. */
const SAFE_CHARS_MAX = 4_000_000;
const known = createMemory<string>(SAFE_CHARS_MAX);

/** Sanitised. A text of which no page can be made in bounded time and memory is its words alone. */
export function safeHtml(html: string): string {
  const before = known.get(html);
  if (before !== undefined) return before;
  const { text, isTooDeep, elements } = readHtml(html);
  const safe = isTooDeep || elements > ELEMENTS_MAX ? `<p>${escaped(text)}</p>` : sanitisedForPage(html);
  known.set(html, safe, safe.length);
  return safe;
}

/**
 * Sanitised, with ids at headings and its code apart. Takes time in proportion to the text: one that is nested so deep that
 * this would not hold is shown as its words alone, and so is one of too many elements.
 */
export function bodyDraft(html: string): BodyDraft {
  const tree = treeOf(safeHtml(html));
  const headings = headingsOf(tree);
  const code = new Map<Element, number>();
  const found: { readonly text: string; readonly language: string; readonly element: Element }[] = [];
  for (const element of elementsIn(tree)) {
    const block = element.name === 'pre' ? codeBlock(element) : undefined;
    if (block === undefined) continue;
    code.set(element, found.length);
    found.push({ ...block, element });
  }
  const { pieces, plain } = writeTree(tree, { headings, code });
  return {
    pieces,
    blocks: found.map(({ text, language }, at) => ({ text, language, plain: plain[at] ?? '' })),
    headings: [...headings.values()].filter(({ text }) => text !== '').slice(0, HEADINGS_MAX),
  };
}

/** A block of nothing but text whose language is named; one with tags inside keeps them instead. */
export function codeBlock(pre: Element): { readonly text: string; readonly language: string } | undefined {
  const only = pre.children.filter((node) => typeof node !== 'string' || node.trim() !== '');
  const [code] = only;
  if (only.length !== 1 || code === undefined || typeof code === 'string' || code.name !== 'code')
    return undefined;
  const language = /(?:^|\s)language-(\S+)/.exec(code.attributes['class'] ?? '')?.[1];
  const isText = code.children.every((node) => typeof node === 'string');
  return language === undefined || !isText ? undefined : { text: textOf(code.children), language };
}
