import { decodeHTMLAttribute } from 'entities/decode';
import { blockMacro } from './macros.ts';
import type { Notes, StorageOptions } from './tree.ts';
import { child, elements, storageTree, textIn, type StorageNode } from './tree.ts';
import { escapedHtml } from '../../../text/escaped-html.ts';

export interface StorageHtml {
  readonly html: string;
  readonly summary: string | undefined;
  readonly notes: readonly string[];
}

/** Confluence's storage format as the HTML that it shows; macros without such HTML are left out and noted. */
export function storageHtml(xhtml: string, options: StorageOptions): StorageHtml {
  const notes: Notes = {
    options,
    said: new Set(),
    summary: undefined,
    inner: (node) =>
      node.children.map((each) => (typeof each === 'string' ? each : element(each, node, notes))).join(''),
  };
  const { root, isWhole } = storageTree(xhtml);
  if (!isWhole) notes.said.add('it is nested too deeply, so kbsync leaves out its end');
  const html = notes.inner(root);
  return { html, summary: notes.summary, notes: [...notes.said] };
}

const VOID = new Set(['br', 'hr', 'img', 'col', 'input']);

function element(node: StorageNode, parent: StorageNode, notes: Notes): string {
  const { name, attributes } = node;
  if (!name.includes(':')) {
    const written = Object.entries(attributes)
      .filter(([key, value]) => /^[a-z][a-z-]*$/i.test(key) && key !== 'local-id' && !isDefault(key, value))
      .map(([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`)
      .join('');
    // Widths of columns are all that these say.
    if (name === 'colgroup') return '';
    if ((name === 'ul' || name === 'ol') && isTight(node))
      return `<${name}${written}>${tightItems(node, notes)}</${name}>`;
    if (VOID.has(name)) return `<${name}${written}>`;
    if (name === 'time')
      return textIn(node).trim() === '' ? (attributes['datetime'] ?? '') : notes.inner(node);
    return /^[a-z][a-z0-9]*$/.test(name)
      ? `<${name}${written}>${notes.inner(node)}</${name}>`
      : notes.inner(node);
  }
  switch (name) {
    case 'ac:structured-macro':
    case 'ac:macro':
      return blockMacro(node, notes);
    case 'ac:image':
      return image(node, parent, notes);
    case 'ac:link':
      return link(node, notes);
    case 'ac:task-list':
      return `<ul>${elements(node)
        .map((task) => taskItem(task, notes))
        .join('')}</ul>`;
    case 'ac:emoticon':
      return emoji(attributes);
    case 'ac:adf-extension':
      return adf(node, notes);
    case 'ac:placeholder':
    case 'ac:parameter':
    case 'ac:adf-mark':
    case 'ac:adf-fragment-mark':
      return '';
    default:
      return notes.inner(node);
  }
}

/** The editor puts the text of every item into a paragraph: no item has more than that and lists below it. */
function isTight(list: StorageNode): boolean {
  return elements(list).every((item) => {
    const [first, ...rest] = elements(item);
    const isPlain = item.children.every((each) => typeof each !== 'string' || each.trim() === '');
    return (
      item.name === 'li' &&
      isPlain &&
      first?.name === 'p' &&
      rest.every(({ name }) => name === 'ul' || name === 'ol')
    );
  });
}

function tightItems(list: StorageNode, notes: Notes): string {
  return elements(list)
    .map((item) => {
      const [first, ...rest] = elements(item);
      const text = first === undefined ? '' : notes.inner(first);
      return `<li>${text}${rest.map((each) => element(each, item, notes)).join('')}</li>`;
    })
    .join('');
}

/** The editor writes `start="1"` at every list. */
function isDefault(name: string, value: string): boolean {
  return name === 'start' && value === '1';
}

function taskItem(task: StorageNode, notes: Notes): string {
  const status = child(task, 'ac:task-status');
  const body = child(task, 'ac:task-body');
  const isDone = status !== undefined && textIn(status).trim() === 'complete';
  const text = body === undefined ? '' : notes.inner(body);
  return `<li><input type="checkbox" disabled=""${isDone ? ' checked=""' : ''}> ${text}</li>`;
}

const INLINE_PARENTS = new Set(['p', 'a', 'strong', 'em', 'span', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

function image(node: StorageNode, parent: StorageNode, notes: Notes): string {
  const { attributes } = node;
  const url = child(node, 'ri:url')?.attributes['ri:value'];
  const file = child(node, 'ri:attachment')?.attributes['ri:filename'];
  const source = url ?? (file === undefined ? undefined : attachmentUrl(file, notes));
  const caption = child(node, 'ac:caption');
  if (source === undefined) return '';
  if (attributes['ac:width'] !== undefined || attributes['ac:height'] !== undefined) {
    notes.said.add('kbsync leaves out the sizes of its pictures');
  }
  const alt = attributes['ac:alt'] ?? attributes['ac:title'] ?? file ?? '';
  const picture = `<img src="${source}" alt="${alt.replaceAll('"', '&quot;')}">`;
  const isInline = INLINE_PARENTS.has(parent.name);
  if (caption === undefined || textIn(caption).trim() === '') return isInline ? picture : `<p>${picture}</p>`;
  if (isInline) return `${picture} ${textIn(caption).trim()}`;
  return `<figure>${picture}<figcaption>${notes.inner(caption).replaceAll(/<\/?p\b[^>]*>/g, '')}</figcaption></figure>`;
}

/** Without a known address the name stands alone, and a check reports that there is no such picture. */
function attachmentUrl(file: string, { options }: Notes): string {
  const name = decodeHTMLAttribute(file);
  return escapedHtml(options.attachment(name) ?? encodeURIComponent(name));
}

function link(node: StorageNode, notes: Notes): string {
  const page = child(node, 'ri:page') ?? child(node, 'ri:blog-post');
  const file = child(node, 'ri:attachment')?.attributes['ri:filename'];
  const rich = child(node, 'ac:link-body');
  const plain = child(node, 'ac:plain-text-link-body');
  const title = page?.attributes['ri:content-title'];
  const body = rich !== undefined ? notes.inner(rich) : plain !== undefined ? textIn(plain) : '';
  const shown = body.trim() === '' ? (title ?? file ?? '') : body;
  const anchor = node.attributes['ac:anchor'];
  const jump = anchor === undefined ? '' : `#${anchor}`;
  if (title !== undefined) {
    const address = notes.options.page(decodeHTMLAttribute(title), page?.attributes['ri:space-key']);
    if (address !== undefined) return `<a href="${escapedHtml(address)}${jump}">${shown}</a>`;
    notes.said.add(
      `kbsync does not know where the page "${decodeHTMLAttribute(title)}" is, so links to it are plain text now`,
    );
    return shown;
  }
  if (file !== undefined) {
    const address = notes.options.attachment(decodeHTMLAttribute(file));
    if (address !== undefined) return `<a href="${escapedHtml(address)}">${shown}</a>`;
    notes.said.add(
      `kbsync does not know where the file "${decodeHTMLAttribute(file)}" is, so links to it are plain text now; --site names the address of the old site`,
    );
    return shown;
  }
  if (child(node, 'ri:user') !== undefined) notes.said.add('kbsync leaves out the people that it names');
  return anchor === undefined ? shown : `<a href="${jump}">${shown === '' ? anchor : shown}</a>`;
}

/** Parts of the newer editor: what they hold, or else what older pages show instead. */
function adf(node: StorageNode, notes: Notes): string {
  const inner = child(node, 'ac:adf-node');
  if (inner === undefined) return notes.inner(child(node, 'ac:adf-fallback') ?? node);
  const content = child(inner, 'ac:adf-content');
  const fallback = child(node, 'ac:adf-fallback');
  const type = elements(inner).find(({ attributes }) => attributes['key'] === 'panel-type');
  if (inner.attributes['type'] === 'panel' && content !== undefined) {
    const kind = type === undefined ? 'info' : textIn(type).trim();
    const macro = {
      ...inner,
      attributes: { 'ac:name': ADF_PANELS[kind] ?? 'info' },
      children: [{ ...content, name: 'ac:rich-text-body' }],
    };
    return blockMacro(macro, notes);
  }
  return notes.inner(content ?? fallback ?? inner);
}

const ADF_PANELS: Readonly<Record<string, string>> = {
  info: 'info',
  note: 'info',
  success: 'tip',
  tip: 'tip',
  warning: 'note',
  error: 'warning',
};

const SIGNS: Readonly<Record<string, string>> = {
  smile: '🙂',
  sad: '🙁',
  cheeky: '😛',
  laugh: '😀',
  wink: '😉',
  'thumbs-up': '👍',
  'thumbs-down': '👎',
  information: 'ℹ️',
  tick: '✅',
  cross: '❌',
  warning: '⚠️',
  plus: '➕',
  minus: '➖',
  question: '❓',
  'light-on': '💡',
  'light-off': '💡',
  'yellow-star': '⭐',
  'red-star': '⭐',
  'green-star': '⭐',
  'blue-star': '⭐',
  heart: '❤️',
  'broken-heart': '💔',
};

/** The sign of a smiley or emoji: what it falls back to, else by its name, else its short name as it is written. */
export function emoji(attributes: Readonly<Record<string, string>>): string {
  const fallback = attributes['ac:emoji-fallback'] ?? '';
  if (fallback !== '' && !/^:.*:$/.test(fallback)) return fallback;
  const name = attributes['ac:name'] ?? '';
  const named = name === 'blue-star' && fallback !== '' ? undefined : SIGNS[name];
  return named ?? (fallback === '' ? (attributes['ac:emoji-shortname'] ?? '') : fallback);
}
