import { objectsIn, text } from '../../text/json-values.ts';
import { cardHtml } from './cards.ts';
import { escapedHtml } from '../../../text/escaped-html.ts';
import { isJsonObject, type JsonObject } from '../../../text/json-value.ts';

interface Made {
  readonly html: string;
  readonly notes: readonly string[];
}

const DEPTH_MAX = 50;

/** Lexical, the editor's tree since Ghost 5. */
export function lexicalHtml(document: JsonObject): Made {
  const notes: string[] = [];
  const root = isJsonObject(document['root']) ? document['root'] : {};
  return { html: childrenHtml(root, notes, 0), notes };
}

function childrenHtml(node: JsonObject, notes: string[], depth: number): string {
  if (depth > DEPTH_MAX) return '';
  return objectsIn(node['children'])
    .map((child) => nodeHtml(child, notes, depth + 1))
    .join('');
}

function nodeHtml(node: JsonObject, notes: string[], depth: number): string {
  const type = text(node['type']);
  const inner = (): string => childrenHtml(node, notes, depth);
  switch (type) {
    case 'paragraph':
      return `<p>${inner()}</p>`;
    case 'heading':
    case 'extended-heading': {
      const tag = /^h[1-6]$/.test(text(node['tag'])) ? text(node['tag']) : 'h2';
      return `<${tag}>${inner()}</${tag}>`;
    }
    case 'quote':
    case 'extended-quote':
    case 'aside':
      return `<blockquote>${inner()}</blockquote>`;
    case 'list': {
      const tag = node['listType'] === 'number' ? 'ol' : 'ul';
      return `<${tag}>${inner()}</${tag}>`;
    }
    case 'listitem':
      return `<li>${inner()}</li>`;
    case 'link':
    case 'autolink':
      return `<a href="${escapedHtml(text(node['url']))}">${inner()}</a>`;
    case 'linebreak':
      return '<br>';
    case 'text':
    case 'extended-text':
      return formatted(escapedHtml(text(node['text'])), Number(node['format']) || 0);
    default: {
      const made = cardHtml(type, node);
      if (made === undefined) notes.push(`kbsync does not know a part of it and leaves it out: ${type}`);
      return made ?? '';
    }
  }
}

/** Bit → element, the outermost last. */
const FORMATS = [
  [16, 'code'],
  [1, 'strong'],
  [2, 'em'],
  [4, 'del'],
  [32, 'sub'],
  [64, 'sup'],
] as const;

function formatted(html: string, format: number): string {
  return FORMATS.reduce(
    (inner, [bit, tag]) => ((format & bit) === 0 ? inner : `<${tag}>${inner}</${tag}>`),
    html,
  );
}
