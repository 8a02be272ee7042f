import { posix } from 'node:path';
import { bodyOf } from '../../../front-matter/front-matter.ts';
import { headingTitle } from '../heading-title.ts';
import { link, target } from '../parts/part-rule.ts';
import type { IncludeForm, IncludingPage } from './form.ts';

const REFERENCE =
  /(\{%-?[ \t]*content-ref[ \t]+url="([^"\n]*)"[^%\n]*%\}\s{0,20})\[(?:[^\]\n\\]|\\.)*\]\([^)\n]*\)/g;

/** `{% content-ref url="api.md" %}`: GitBook shows the page's title where the file has the page's name. */
export const CONTENT_REFERENCES: IncludeForm = {
  name: 'content-ref',
  *find(text, page) {
    for (const { 0: whole, 1: lead = '', 2: address = '', index } of text.matchAll(REFERENCE)) {
      const title = titleOf(page, address);
      if (title === undefined) continue;
      yield { start: index + lead.length, end: index + whole.length, text: link(title, address) };
    }
  },
};

/** The title in SUMMARY.md, else the page's first heading; undefined: no page of the book, or the address of a heading. */
function titleOf({ file, page }: IncludingPage, address: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|[#?]/i.test(address)) return undefined;
  const path = posix.normalize(posix.join(posix.dirname(file), address)).replace(/\/$/, '');
  const files = [path, `${path}.md`, posix.join(path, 'README.md')].filter((each) => /\.md$/i.test(each));
  for (const each of files) {
    const said = page.value?.(file, 'summary', [each]);
    if (typeof said === 'string') return said;
    const text = page.readText(each);
    if (text !== undefined) return headingTitle(bodyOf(text))?.title;
  }
  return undefined;
}

const TABLE = /<table\b[^>]*>(?:(?!<\/?table\b)[^])*<\/table>/g;
const HEAD_CELL = /<th\b([^>]*)>/g;
const ROW = /<tr\b[^>]*>((?:(?!<\/tr>)[^])*)<\/tr>/g;
const CELL = /<td\b[^>]*>((?:(?!<\/td>)[^])*)<\/td>/g;

/**
 * Tables of GitBook. A column with `data-hidden` is not shown. With `data-view="cards"` each row is a card: the column `data-card-target` says where it leads, and `data-card-cover` is its
 * picture (https://gitbook.com/docs/creating-content/blocks/cards).
 */
export const TABLES: IncludeForm = {
  name: 'table',
  *find(text, page) {
    if (!/\bdata-(?:hidden|view="cards")/.test(text)) return;
    for (const { 0: whole, index } of text.matchAll(TABLE)) {
      const [open = ''] = /^<table\b[^>]*>/.exec(whole) ?? [];
      const columns = [...whole.matchAll(HEAD_CELL)].map(([, attributes = '']) => attributes);
      const isCards = /\bdata-view="cards"/.test(open);
      if (!isCards && !columns.some(isHidden)) continue;
      const shown = isCards ? cards(whole, columns, page) : withoutHidden(whole, columns);
      yield { start: index, end: index + whole.length, text: shown };
    }
  },
};

function cards(table: string, columns: readonly string[], page: IncludingPage): string {
  return rowsOf(table)
    .map((cells) => {
      const valueOf = (pattern: RegExp) => cells[columns.findIndex((each) => pattern.test(each))] ?? '';
      const [, address] = ADDRESS.exec(valueOf(/\bdata-card-target(?![\w-])/)) ?? [];
      const [, cover] = ADDRESS.exec(valueOf(/\bdata-card-cover(?![\w-])/)) ?? [];
      const [title = '', ...rest] = cells.filter(
        (cell, at) => !isHidden(columns[at] ?? '') && cell.replaceAll(/&#x20;|\s/g, '') !== '',
      );
      const name = title === '' ? (titleOf(page, address ?? '') ?? '') : title;
      return [
        ...(cover === undefined ? [] : [`<p><img src="${cover}" alt=""></p>`]),
        ...(name === '' ? [] : [block(nameOf(name, address))]),
        ...rest.map(block),
      ].join('\n');
    })
    .filter((card) => card !== '')
    .join('\n');
}

const ADDRESS = /\b(?:href|src)="([^"]+)"/;

/** A card's title in bold, as a link where the card leads somewhere. */
function nameOf(title: string, address: string | undefined): string {
  const bare = title.replaceAll(/<(\/?)(?:h[1-6]|strong|b|p)\b[^>]*>/g, '').trim();
  if (BLOCK.test(bare)) return title;
  const isPlain = address === undefined || /<a\b/.test(bare);
  return `<strong>${isPlain ? bare : `<a href="${target(address).replaceAll(/^<|>$/g, '')}">${bare}</a>`}</strong>`;
}

const BLOCK = /^\s*<(?:ul|ol|p|h[1-6]|div|figure|blockquote|pre)\b/;

function block(cell: string): string {
  return BLOCK.test(cell) ? cell.trim() : `<p>${cell.trim()}</p>`;
}

function withoutHidden(table: string, columns: readonly string[]): string {
  return table.replaceAll(ROW, (row) => {
    let at = -1;
    return row.replaceAll(/<t([hd])\b[^>]*>(?:(?!<\/t\1>)[^])*<\/t\1>/g, (cell) => {
      at += 1;
      return isHidden(columns[at] ?? '') ? '' : cell;
    });
  });
}

function rowsOf(table: string): readonly (readonly string[])[] {
  return [...table.matchAll(ROW)]
    .map(([, row = '']) => [...row.matchAll(CELL)].map(([, cell = '']) => cell))
    .filter((cells) => cells.length > 0);
}

function isHidden(attributes: string): boolean {
  return /\bdata-hidden(?![\w-])/.test(attributes);
}
