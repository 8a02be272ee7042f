import { text } from '../../text/json-values.ts';
import { cardHtml } from './cards.ts';
import { escapedHtml } from '../../../text/escaped-html.ts';
import { isJsonObject, type JsonObject } from '../../../text/json-value.ts';

interface Made {
  readonly html: string;
  readonly notes: readonly string[];
}

/** Mobiledoc 0.3: sections of markers, markups around them, cards for the rest. */
export function mobiledocHtml(document: JsonObject): Made {
  const notes: string[] = [];
  const html = listOf(document['sections']).map((section) => sectionHtml(listOf(section), document, notes));
  return { html: html.join('\n'), notes };
}

function sectionHtml(section: readonly unknown[], document: JsonObject, notes: string[]): string {
  const [type, second, third] = section;
  if (type === 1) return tagged(text(second), markersHtml(listOf(third), document));
  if (type === 2) return `<p><img src="${escapedHtml(text(second))}" alt=""></p>`;
  if (type === 3) {
    const items = listOf(third).map((item) => `<li>${markersHtml(listOf(item), document)}</li>`);
    return tagged(text(second), items.join(''));
  }
  const [name, card] = listOf(listOf(document['cards'])[Number(second)]);
  const made = type === 10 ? cardHtml(text(name), isJsonObject(card) ? card : {}) : undefined;
  if (made === undefined) notes.push(`kbsync does not know a part of it and leaves it out: ${text(name)}`);
  return made ?? '';
}

/** `[type, opened markups, closed markups, text or atom]` */
function markersHtml(markers: readonly unknown[], document: JsonObject): string {
  const open: string[] = [];
  let html = '';
  for (const marker of markers) {
    const [type, opened, closed, content] = listOf(marker);
    for (const index of listOf(opened)) {
      const [tag, attributes] = listOf(listOf(document['markups'])[Number(index)]);
      const name = /^[a-z]+[1-6]?$/i.test(text(tag)) ? text(tag).toLowerCase() : 'span';
      open.push(name);
      html += `<${name}${attributesHtml(listOf(attributes))}>`;
    }
    const atom = listOf(listOf(document['atoms'])[Number(content)]);
    html +=
      type === 0
        ? escapedHtml(text(content))
        : text(atom[0]) === 'soft-return'
          ? '<br>'
          : escapedHtml(text(atom[1]));
    for (let left = Number(closed) || 0; left > 0 && open.length > 0; left -= 1)
      html += `</${open.pop() ?? ''}>`;
  }
  while (open.length > 0) html += `</${open.pop() ?? ''}>`;
  return html;
}

function attributesHtml(pairs: readonly unknown[]): string {
  let html = '';
  for (let index = 0; index + 1 < pairs.length; index += 2) {
    const name = text(pairs[index]);
    if (/^[a-z-]+$/i.test(name)) html += ` ${name}="${escapedHtml(text(pairs[index + 1]))}"`;
  }
  return html;
}

function tagged(tag: string, inner: string): string {
  const name = /^(?:p|h[1-6]|blockquote|pull-quote|aside|ul|ol)$/.test(tag)
    ? tag.replace('pull-quote', 'blockquote')
    : 'p';
  return `<${name}>${inner}</${name}>`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
