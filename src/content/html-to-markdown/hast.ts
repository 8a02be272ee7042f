import type { fromParse5 } from 'hast-util-from-parse5';
import { hastFromParse5, parse5 } from '../parsers.ts';

export type HastRoot = Extract<ReturnType<typeof fromParse5>, { readonly type: 'root' }>;
export type HastContent = HastRoot['children'][number];
export type HastElement = Extract<HastContent, { readonly type: 'element' }>;
export type HastParent = HastRoot | HastElement;
export type ElementContent = HastElement['children'][number];

/** Without places in the text, which would be half of the tree. */
export function parseHtml(html: string): HastRoot {
  // A fragment is a root.
  return hastFromParse5().fromParse5(parse5().parseFragment(html, { scriptingEnabled: false })) as HastRoot;
}

export function elementsOf(parent: HastParent): readonly HastElement[] {
  const children: readonly HastContent[] = parent.children;
  return children.filter((child): child is HastElement => child.type === 'element');
}

export function textOf(node: HastContent): string {
  if (node.type === 'text') return plainBlanks(node.value);
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}

export function classesOf(node: HastElement): readonly string[] {
  const names = node.properties['className'];
  return Array.isArray(names) ? names.map(String) : [];
}

export function isBlank(node: HastContent): boolean {
  return node.type === 'comment' || (node.type === 'text' && /^[ \t\n\f\r]*$/.test(node.value));
}

/** Elements that stand between paragraphs; everything else runs in the text. */
export const BLOCKS: ReadonlySet<string> = new Set(
  `address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table caption colgroup col tbody
  td tfoot th thead tr ul`.split(/\s+/),
);

export function isBlock(node: HastContent): boolean {
  return node.type === 'element' && (BLOCKS.has(node.tagName) || node.tagName === RUN);
}

export function hasBlock(parent: HastParent): boolean {
  return parent.children.some((child) => child.type === 'element' && (isBlock(child) || hasBlock(child)));
}

/** What stands among words and is none of them: nobody sees it, or blocks stand in it, which no paragraph may hold. */
export function isApart(node: HastContent): boolean {
  return node.type === 'element' && (UNSEEN.has(node.tagName) || hasBlock(node));
}

const UNSEEN = new Set(['noscript', 'script', 'style', 'template']);

/** The name in our trees of text that stands between blocks and has no paragraph. */
export const RUN = 'kbsync-run';

export function runOf(children: ElementContent[]): HastElement {
  return { type: 'element', tagName: RUN, properties: {}, children };
}

/** Blanks as signs that no page has: the converter collapses blanks, and those in code are the author's. */
const BLANKS = [
  [' ', '\uFDD0'],
  ['\n', '\uFDD1'],
  ['\t', '\uFDD2'],
] as const;

export function guardBlanksInCode(parent: HastParent, isCode = false): void {
  for (const child of parent.children) {
    if (child.type === 'text' && isCode) {
      for (const [blank, sign] of BLANKS) child.value = child.value.replaceAll(blank, sign);
    } else if (child.type === 'element' && child.tagName !== 'pre') {
      guardBlanksInCode(child, isCode || child.tagName === 'code');
    }
  }
}

/** The same blanks in one line, as browsers show them: Markdown drops those at the start of a line. */
export function spacedBlanks(text: string): string {
  return text.replaceAll(/[\uFDD0-\uFDD2]/g, ' ');
}

export function plainBlanks(text: string): string {
  if (!/[\uFDD0-\uFDD2]/.test(text)) return text;
  return BLANKS.reduce((plain, [blank, sign]) => plain.replaceAll(sign, blank), text);
}
