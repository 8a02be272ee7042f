import { escaped } from '../html.ts';
import { isSafeTag, PAGE_ID, safeAttribute } from './sanitise.ts';
import { type Element, elementsIn, type Node, textOf } from './tree.ts';
import type { Words } from '../words/words.ts';

/** What the site says inside a text. */
export type BodyWords = Pick<Words, 'linkToHeading' | 'table' | 'done' | 'toDo'>;

/** Stands for a word: a text is written once for all languages. Texts and values are escaped, so nothing else looks like it. */
function markOf(word: keyof BodyWords): string {
  return `<!--word ${word}-->`;
}

/** A written text in the words of one language. */
export function inWords(text: string, words: BodyWords): string {
  // `markOf` alone writes such comments.
  return text.replaceAll(/<!--word (\w+)-->/g, (_, word) => escaped(words[word as keyof BodyWords]));
}

/** What a page can name; further headings have an id, but no link beside them and no line in the contents. */
export const HEADINGS_MAX = 2000;

export interface Heading {
  readonly level: number;
  readonly id: string;
  /** Empty: only for screen readers, no line of the contents. */
  readonly text: string;
}

export interface Writing {
  readonly headings: ReadonlyMap<Element, Heading>;
  /** `pre` elements whose inside may be coloured, numbered in the order of the text. */
  readonly code: ReadonlyMap<Element, number>;
}

/** Between each two pieces stands the inside of a numbered `pre`; `plain` has those. Words of the site are marks in both. */
export interface WrittenTree {
  readonly pieces: readonly string[];
  readonly plain: readonly string[];
}

const HEADING = /^h[1-6]$/;
const VOID = new Set(['br', 'hr', 'img', 'source', 'wbr', 'col', 'input']);

/**
 * The headings of a text and the ids they get: their own, else one made of their words. A page has one `h1`, its title, so those
 * that stand below no other are `h2`, and each level below follows without a gap, whichever levels the author chose.
 */
export function headingsOf(tree: readonly Node[]): ReadonlyMap<Element, Heading> {
  const elements = [...elementsIn(tree)];
  const levelOf = createLevels();
  const used = new Set(elements.flatMap(({ attributes }) => attributes['id'] ?? []));
  const taken = new Set<string>();
  const freeId = freeIds(used);
  const headings = new Map<Element, Heading>();
  for (const element of elements) {
    if (!HEADING.test(element.name)) continue;
    const text = textOf(element.children).replaceAll(/\s+/g, ' ').trim();
    const own = safeAttribute('id', element.attributes['id'] ?? '');
    const id = own !== undefined && !taken.has(own) ? own : freeId(text);
    taken.add(id);
    used.add(id);
    const isQuiet = (element.attributes['class'] ?? '').split(/\s+/).includes('sr-only');
    headings.set(element, {
      level: levelOf(Number(element.name.slice(1))),
      id,
      text: isQuiet ? '' : text,
    });
  }
  return headings;
}

function createLevels(): (given: number) => number {
  let above: readonly number[] = [];
  return (given) => {
    above = [...above.filter((level) => level < given), given];
    return Math.min(6, above.length + 1);
  };
}

/** As GitHub makes them: letters, digits, `_` and `-` stay, blanks become `-`; each once, with a number where needed. */
function freeIds(used: ReadonlySet<string>): (text: string) => string {
  const next = new Map<string, number>();
  return (text) => {
    const kept = text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '');
    const slug = kept.replaceAll(' ', '-');
    const wanted = slug === '' || slug.startsWith(PAGE_ID) ? `h-${slug}` : slug;
    let id = wanted;
    let count = next.get(wanted) ?? 1;
    for (; used.has(id); count += 1) id = `${wanted}-${count}`;
    next.set(wanted, count);
    return id;
  };
}

/** The tree as HTML, with what a page adds: links at headings, scrollable tables and code that the keyboard reaches. */
export function writeTree(tree: readonly Node[], writing: Writing): WrittenTree {
  const plain: string[] = [];
  const text = writer(writing, plain)(tree);
  return { pieces: text.split(MARK), plain };
}

/** Stands where the inside of a `pre` goes. Text is escaped and comments are gone, so nothing else looks like it. */
const MARK = '<!--code-->';

function writer({ headings, code }: Writing, plain: string[]): (nodes: readonly Node[]) => string {
  const ids = new Set([...headings.values()].map(({ id }) => id));
  const inside = (nodes: readonly Node[]): string => nodes.map(written).join('');
  const written = (node: Node): string => {
    if (typeof node === 'string') return escaped(node);
    const { name, children } = node;
    if (!isSafeTag(name)) return inside(children);
    const heading = headings.get(node);
    if (heading !== undefined) return writtenHeading(heading, inside(children));
    const open = `<${name}${attributesOf(node, ids)}`;
    switch (name) {
      case 'pre':
        return `<div class="code" dir="ltr">${open} tabindex="0">${insideOf(node)}</pre></div>`;
      case 'table': {
        const caption = children.find((child) => typeof child !== 'string' && child.name === 'caption');
        const label = caption === undefined ? markOf('table') : escaped(textOf([caption]).trim());
        return `<div class="table" role="group" tabindex="0" aria-label="${label}">${open}>${inside(children)}</table></div>`;
      }
      case 'input':
        return taskMark(node);
      default:
        return VOID.has(name) ? `${open}>` : `${open}>${inside(children)}</${name}>`;
    }
  };
  const insideOf = (pre: Element): string => {
    const number = code.get(pre);
    if (number === undefined) return inside(pre.children);
    plain[number] = inside(pre.children);
    return MARK;
  };
  let linked = 0;
  const writtenHeading = ({ level, id, text }: Heading, content: string): string => {
    linked += 1;
    const label = `${markOf('linkToHeading')}: ${escaped(text)}`;
    const link =
      text === '' || linked > HEADINGS_MAX
        ? ''
        : ` <a class="anchor" href="#${escaped(encodeURIComponent(id))}" aria-label="${label}">#</a>`;
    const quiet = text === '' ? ' class="sr-only"' : '';
    return `<h${level} id="${escaped(id)}"${quiet}>${content}${link}</h${level}>`;
  };
  return inside;
}

/** From here, a wide table would squeeze a cell into a column of single words. */
const LONG_CELL_CHARS = 25;

function attributesOf(element: Element, ids: Set<string>): string {
  const { name, attributes } = element;
  let text = '';
  // A place in the text that editors wrote as a link: nobody could tell where it leads.
  const isPlace = name === 'a' && !isNamed(element);
  for (const [attribute, given] of Object.entries(withoutAlign(attributes))) {
    const value = safeAttribute(attribute, given);
    if (value === undefined || (isPlace && attribute === 'href')) continue;
    if (attribute === 'id') {
      if (ids.has(value)) continue;
      ids.add(value);
    }
    text += ` ${attribute}="${escaped(value)}"`;
  }
  if (name === 'img') {
    // Without one, a screen reader reads the address out.
    if (attributes['alt'] === undefined) text += ' alt=""';
    text += ' loading="lazy" decoding="async"';
  }
  if (name === 'a' && /^(?:https?:)?\/\//i.test(attributes['href'] ?? '')) text += ' rel="noopener"';
  if (name === 'td' && textOf(element.children).trim().length >= LONG_CELL_CHARS) text += ' data-long';
  if (name === 'div' && /\badmonition\b/.test(attributes['class'] ?? '')) text += ' role="note"';
  return text;
}

/** Whether a screen reader has something to say for an element. */
function isNamed({ attributes, children }: Element): boolean {
  const own = ['aria-label', 'title', 'alt'].some((name) => (attributes[name] ?? '').trim() !== '');
  return own || children.some((child) => (typeof child === 'string' ? child.trim() !== '' : isNamed(child)));
}

/** HTML has no `align` any more (15.2); columns of tables have a class instead. */
function withoutAlign({ align, ...others }: Element['attributes']): Element['attributes'] {
  const value = align === undefined ? undefined : safeAttribute('align', align);
  if (value === undefined) return others;
  return { ...others, class: `${others['class'] ?? ''} align-${value.toLowerCase()}`.trim() };
}

/** The box of a task list: a form's field would need a label, and nobody can tick it here. */
function taskMark({ attributes }: Element): string {
  if (attributes['type'] !== 'checkbox') return '';
  const isDone = attributes['checked'] !== undefined;
  const label = markOf(isDone ? 'done' : 'toDo');
  return `<span class="task${isDone ? ' done' : ''}" role="img" aria-label="${label}"></span>`;
}
