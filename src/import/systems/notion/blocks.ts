import {
  classesOf,
  elementsOf,
  isBlank,
  isBlock,
  textOf,
  type ElementContent,
  type HastElement,
} from '../../../content/html-to-markdown/hast.ts';
import { labelsFor } from '../../../content/labels.ts';

/** What a page of the export as HTML shows, without the frames that Notion's own style sheet needs. */
export function shownBlocks(body: HastElement, lang: string): ElementContent[] {
  const context: Context = { lang, linked: new Set() };
  collectPlaces(body, context.linked);
  return within(body, context);
}

interface Context {
  readonly lang: string;
  /** Ids that a link of the page leads to; every block has an id. */
  readonly linked: Set<string>;
}

function collectPlaces(node: HastElement, linked: Set<string>): void {
  for (const child of elementsOf(node)) {
    const place = /^#(.+)/.exec(child.properties['href'] ?? '')?.[1];
    if (place !== undefined) linked.add(place);
    // Its links are made of the headings themselves.
    if (!has(child, 'table_of_contents')) collectPlaces(child, linked);
  }
}

function within(node: HastElement, context: Context): ElementContent[] {
  return joinedLists(node.children.flatMap((child) => shown(child, context)));
}

/** Frames that show nothing of their own. */
const FRAMES = new Set(['column-list', 'column', 'indented', 'equation-container', 'code-wrap']);
const DROPPED = new Set(['script', 'style', 'link', 'meta']);

function shown(node: ElementContent, context: Context): readonly ElementContent[] {
  if (node.type !== 'element') return node.type === 'comment' ? [] : [node];
  const { tagName } = node;
  if (DROPPED.has(tagName) || has(node, 'table_of_contents') || has(node, 'icon')) return [];
  if (has(node, 'katex') || has(node, 'notion-text-equation-token')) return formula(node, '$');
  if (has(node, 'equation')) return paragraph(formula(node, '$$'));
  if (has(node, 'callout')) return [callout(node, context)];
  if (has(node, 'bookmark')) return [bookmark(node)];
  if (has(node, 'link-to-page') || has(node, 'source')) return paragraph(within(node, context));
  if (has(node, 'checkbox')) return [checkbox(has(node, 'checkbox-on'))];
  if (tagName === 'ul' && has(node, 'toggle'))
    return elementsOf(node).flatMap((item) => within(item, context));
  const inner = within(node, context);
  if (isFrame(node)) return inner;
  if (tagName === 'a' && isOwnPicture(node, inner)) return inner;
  return [{ ...node, properties: plainProperties(node, context), children: inner }];
}

/** Colours, blocks that only set a direction, and parts of an item that is ticked. */
function isFrame(node: HastElement): boolean {
  const { tagName, properties } = node;
  if (tagName === 'mark' || tagName === 'time') return true;
  if (tagName === 'div')
    return classesOf(node).some((name) => FRAMES.has(name)) || properties['style'] !== undefined;
  return tagName === 'span' && classesOf(node).some((name) => name.startsWith('to-do-children'));
}

/** A picture leads to its own file, which is nothing to read. */
function isOwnPicture(link: HastElement, inner: readonly ElementContent[]): boolean {
  const [picture, ...more] = inner.filter((child) => !isBlank(child));
  return (
    picture?.type === 'element' &&
    picture.tagName === 'img' &&
    more.length === 0 &&
    picture.properties['src'] === link.properties['href']
  );
}

/** Attributes that say something to a reader. */
const KEPT = [
  'href',
  'src',
  'alt',
  'title',
  'colSpan',
  'rowSpan',
  'start',
  'type',
  'checked',
  'disabled',
  'lang',
];

function plainProperties(node: HastElement, { linked }: Context): HastElement['properties'] {
  const kept = Object.entries(node.properties).filter(
    ([name, value]) => KEPT.includes(name) && !(node.tagName === 'ol' && String(value) === '1'),
  );
  const id = node.properties['id'];
  const language = classesOf(node).find((name) => /^language-\w/.test(name));
  // Notion's word for a text in no language has two parts, and only these.
  const isPlain = language === 'language-Plain';
  return {
    ...Object.fromEntries(kept),
    ...(typeof id === 'string' && linked.has(id) ? { id } : {}),
    ...(node.tagName === 'code' && language !== undefined && !isPlain
      ? { className: [language.toLowerCase()] }
      : {}),
  };
}

function callout(node: HastElement, context: Context): HastElement {
  const inner = within(node, context).filter((child) => !isBlank(child));
  const title = element('p', [{ type: 'text', value: labelsFor(context.lang).note }], ['admonition-title']);
  const text = inner.some(isBlock) ? withParagraphs(inner) : paragraph(inner);
  return element('div', [title, ...text], ['admonition', 'note']);
}

/** Text beside blocks as paragraphs. */
function withParagraphs(nodes: readonly ElementContent[]): readonly ElementContent[] {
  const made: ElementContent[] = [];
  let run: ElementContent[] = [];
  for (const node of nodes) {
    if (!isBlock(node)) {
      run.push(node);
      continue;
    }
    made.push(...paragraph(run), node);
    run = [];
  }
  return [...made, ...paragraph(run)];
}

/** A card that shows what another site says of itself: its address and title. */
function bookmark(node: HastElement): ElementContent {
  const href = node.properties['href'] ?? '';
  const title = words(node, 'bookmark-title') ?? href;
  return element('p', [
    { type: 'element', tagName: 'a', properties: { href }, children: [{ type: 'text', value: title }] },
  ]);
}

function words(node: HastElement, name: string): string | undefined {
  for (const child of elementsOf(node)) {
    const text = has(child, name) ? textOf(child).trim() : (words(child, name) ?? '');
    if (text !== '') return text;
  }
  return undefined;
}

/** The source of a formula, which stands beside its drawing. */
function formula(node: HastElement, sign: string): readonly ElementContent[] {
  const tex = annotation(node);
  return tex === undefined ? [] : [{ type: 'text', value: `${sign}${tex.trim()}${sign}` }];
}

function annotation(node: HastElement): string | undefined {
  for (const child of elementsOf(node)) {
    const found = child.tagName === 'annotation' ? textOf(child) : annotation(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function checkbox(isChecked: boolean): HastElement {
  const properties = { type: 'checkbox', disabled: true, ...(isChecked ? { checked: true } : {}) };
  return { type: 'element', tagName: 'input', properties, children: [] };
}

/** Each item is a list of its own; those that follow each other are one. */
function joinedLists(nodes: readonly ElementContent[]): ElementContent[] {
  const made: ElementContent[] = [];
  for (const node of nodes) {
    const last = made.at(-1);
    if (node.type === 'element' && last?.type === 'element' && continues(last, node)) {
      made[made.length - 1] = { ...last, children: [...last.children, ...node.children] };
    } else if (!(isBlank(node) && last?.type === 'element' && isList(last))) made.push(node);
  }
  return made;
}

function continues(last: HastElement, next: HastElement): boolean {
  if (!isList(last) || last.tagName !== next.tagName) return false;
  if (next.tagName === 'ul') return true;
  const start = Number(last.properties['start'] ?? 1);
  const expected = start + elementsOf(last).length;
  return next.properties['start'] === undefined || Number(next.properties['start']) === expected;
}

function isList({ tagName }: HastElement): boolean {
  return tagName === 'ul' || tagName === 'ol';
}

function paragraph(children: readonly ElementContent[]): readonly ElementContent[] {
  return children.every(isBlank) ? [] : [element('p', children)];
}

function element(
  tagName: string,
  children: readonly ElementContent[],
  className: readonly string[] = [],
): HastElement {
  const properties = className.length === 0 ? {} : { className: [...className] };
  return { type: 'element', tagName, properties, children: [...children] };
}

function has(node: HastElement, name: string): boolean {
  return classesOf(node).includes(name);
}
