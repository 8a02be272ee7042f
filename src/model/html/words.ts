import { canonicalText } from './canonical-text.ts';
import { onlyLetters } from './letters.ts';
import { textOf } from './losses.ts';
import type { Rewriting } from './rewritings.ts';
import { isParsable, parseHtml, type HtmlNode } from './tree.ts';

const WITHOUT: ReadonlySet<Rewriting> = new Set(['entities', 'blanks', 'typography']);

/** Whether two HTML texts have the same words in the same order, whatever elements they stand in; false where they have none. */
export function hasSameWords(a: string, b: string): boolean {
  if (!isParsable(a) || !isParsable(b)) return false;
  const [ours, theirs] = [wordsOf(a), wordsOf(b)];
  return ours !== '' && ours === theirs;
}

/** Whether a text is how the words of an HTML text begin; an ellipsis at its end, or a part of a word, does not count. */
export function isBeginning(text: string, html: string): boolean {
  if (!isParsable(html)) return false;
  const words = withoutBlanks(text.trim().replace(/(?:…|\.{3}|\[…\])$/, ''));
  return words.length >= BEGINNING_MIN && wordsOf(html).startsWith(words);
}

/** Whether the letters and digits of a text stand in an HTML text without another between them, but for the marks of footnotes. */
export function standsIn(text: string, html: string): boolean {
  if (!isParsable(html)) return false;
  const lettersIn = (plain: string): string => onlyLetters(canonicalText(plain, { without: WITHOUT }));
  const letters = lettersIn(text);
  const nodes = parseHtml(html);
  return [nodes, withoutRaised(nodes)].some((each) => lettersIn(textOf(each)).includes(letters));
}

function withoutRaised(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  return nodes.flatMap((node): readonly HtmlNode[] => {
    if (typeof node === 'string') return [node];
    return node.name === 'sup' ? [] : [{ ...node, children: withoutRaised(node.children) }];
  });
}

/** Fewer signs may be the same by chance. */
const BEGINNING_MIN = 5;

/** Whether two plain texts differ in punctuation and blanks at most; false where they have nothing else. */
export function hasSameLetters(a: string, b: string): boolean {
  const [ours, theirs] = [a, b].map((text) => withoutBlanks(text).replaceAll(/\p{P}/gu, ''));
  return ours !== '' && ours === theirs;
}

function wordsOf(html: string): string {
  return withoutBlanks(textOf(parseHtml(html)));
}

function withoutBlanks(text: string): string {
  return canonicalText(text, { without: WITHOUT }).replaceAll(/\s+/g, '');
}
