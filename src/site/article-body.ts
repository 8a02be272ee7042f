import { createHash } from 'node:crypto';
import { createHighlighter, type Highlighter } from './highlight.ts';
import { type Html, trusted } from './html.ts';
import { sanitise } from './sanitise.ts';
import { type Element, elementsIn, type Node, textOf, treeOf } from './tree.ts';
import { type Heading, headingsOf, writeTree } from './write-tree.ts';
import type { Words } from './words/words.ts';

/** A text as its page shows it. */
export interface Body {
  readonly html: Html;
  readonly headings: readonly Heading[];
}

export interface Bodies {
  /** Sanitised, with ids at headings and highlighted code; the same text is made once while it is remembered. */
  readonly bodyOf: (html: string, words: Words) => Promise<Body>;
}

const REMEMBERED_CHARS_MAX = 16_000_000;

export function createBodies(highlighter: Highlighter = createHighlighter()): Bodies {
  const remembered = new Map<string, { readonly body: Body; readonly size: number }>();
  let size = 0;
  return {
    async bodyOf(html, words) {
      const key = createHash('sha256').update(`${words.copy}\n${html}`).digest('base64');
      const known = remembered.get(key);
      if (known !== undefined) {
        remembered.delete(key); // the one longest unused is at the front
        remembered.set(key, known);
        return known.body;
      }
      const made = await makeBody(html, words, highlighter);
      if (!remembered.has(key)) size += made.size;
      remembered.set(key, made);
      for (const [oldest, { size: freed }] of remembered) {
        if (size <= REMEMBERED_CHARS_MAX) break;
        remembered.delete(oldest);
        size -= freed;
      }
      return made.body;
    },
  };
}

async function makeBody(html: string, words: Words, highlighter: Highlighter) {
  const tree = treeOf(sanitise(html));
  const code = new Map<Element, string>();
  for (const element of elementsIn(tree)) {
    const block = element.name === 'pre' ? codeBlock(element) : undefined;
    if (block === undefined) continue;
    const shown = await highlighter.highlight(block.text, block.language);
    if (shown !== undefined) code.set(element, shown);
  }
  const headings = headingsOf(tree);
  const text = writeTree(tree, { headings, code, words });
  const contents = [...headings.values()].filter(({ text }) => text !== '');
  return { body: { html: trusted(text), headings: contents }, size: text.length + 200 };
}

/** A block of nothing but text whose language is named; one with tags inside keeps them instead. */
export function codeBlock(pre: Element): { readonly text: string; readonly language: string } | undefined {
  const only = pre.children.filter((node) => typeof node !== 'string' || node.trim() !== '');
  const [code] = only;
  if (only.length !== 1 || code === undefined || typeof code === 'string' || code.name !== 'code')
    return undefined;
  const language = /(?:^|\s)language-(\S+)/.exec(code.attributes['class'] ?? '')?.[1];
  const isText = code.children.every((node: Node) => typeof node === 'string');
  return language === undefined || !isText ? undefined : { text: textOf(code.children), language };
}
