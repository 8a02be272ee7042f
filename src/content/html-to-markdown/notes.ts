import type { AlertKind } from '../labels.ts';
import type { Conversion } from './context.ts';
import { classesOf, elementsOf, isBlank, isBlock, textOf } from './hast.ts';
import type { ElementContent, HastElement } from './hast.ts';
import type { HandleState, MdastContent } from './mdast.ts';

const KINDS: ReadonlySet<string> = new Set(['note', 'tip', 'important', 'warning', 'caution']);

/** `> [!NOTE]` for what it renders to; undefined for any other box. */
export function admonitionOf(
  state: HandleState,
  node: HastElement,
  { labels }: Conversion,
): MdastContent | undefined {
  const [first, kind, ...more] = classesOf(node);
  if (first !== 'admonition' || !isKind(kind) || more.length > 0) return undefined;
  if (Object.keys(node.properties).length > 1) return undefined;
  const [title, ...rest] = node.children.filter((child) => !isBlank(child));
  if (title?.type !== 'element' || title.tagName !== 'p' || textOf(title) !== labels[kind]) return undefined;
  if (classesOf(title).join(' ') !== 'admonition-title' || !rest.every((child) => isBlock(child)))
    return undefined;
  const children = state.toFlow(state.all({ ...node, children: rest }));
  const marker = { type: 'html', value: `[!${kind.toUpperCase()}]` } as const;
  const [head, ...others] = children;
  if (head?.type === 'paragraph') {
    const first = { ...head, children: [{ ...marker, value: `${marker.value}\n` }, ...head.children] };
    return { type: 'blockquote', children: [first, ...others] };
  }
  return { type: 'blockquote', children: [{ type: 'paragraph', children: [marker] }, ...children] };
}

function isKind(name: string | undefined): name is AlertKind {
  return name !== undefined && KINDS.has(name);
}

/** `[^1]` for the number it renders to. */
export function footnoteReference(node: HastElement): MdastContent | undefined {
  const [link, ...others] = node.children;
  if (node.tagName !== 'sup' || others.length > 0 || link?.type !== 'element') return undefined;
  if (link.properties['dataFootnoteRef'] === undefined) return undefined;
  const identifier = footnoteName(link.properties['href'], '#user-content-fn-');
  return identifier === undefined ? undefined : { type: 'footnoteReference', identifier, label: identifier };
}

/** `[^1]: …` for the section that rendering puts at the end of a page. */
export function footnoteSection(state: HandleState, node: HastElement): MdastContent[] | undefined {
  if (node.tagName !== 'section' || node.properties['dataFootnotes'] === undefined) return undefined;
  const list = elementsOf(node).find((child) => child.tagName === 'ol');
  const notes: MdastContent[] = [];
  for (const item of list === undefined ? [] : elementsOf(list)) {
    const identifier = footnoteName(item.properties['id'], 'user-content-fn-');
    if (identifier === undefined) return undefined;
    const children = state.toFlow(state.all(withoutBackLinks(item)));
    notes.push({ type: 'footnoteDefinition', identifier, label: identifier, children });
  }
  return notes;
}

function footnoteName(value: unknown, prefix: string): string | undefined {
  if (typeof value !== 'string' || !value.startsWith(prefix)) return undefined;
  const name = value.slice(prefix.length);
  return /^[^\s[\]\\^%]+$/.test(name) ? name : undefined;
}

function withoutBackLinks(node: HastElement): HastElement {
  const children: ElementContent[] = node.children
    .filter((child) => child.type !== 'element' || child.properties['dataFootnoteBackref'] === undefined)
    .map((child) => (child.type === 'element' ? withoutBackLinks(child) : child));
  const last = children.at(-1);
  if (children.length < node.children.length && last?.type === 'text') {
    children[children.length - 1] = { ...last, value: last.value.trimEnd() };
  }
  return { ...node, children };
}
