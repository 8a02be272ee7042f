import {
  classesOf,
  elementsOf,
  parseHtml,
  textOf,
  type HastElement,
  type HastParent,
} from '../../../content/html-to-markdown/hast.ts';
import { htmlOf } from '../../../content/html-to-markdown/serialise.ts';
import { digestOfText } from '../../../model/digest.ts';
import { said } from '../../text/json-values.ts';
import { oneLine } from '../../text/plain-text.ts';
import { shownBlocks } from './blocks.ts';
import { idIn, nameIn, type NotionPage } from './page.ts';

/** A page of the export as HTML: title, properties and text have each an element; undefined: it is no such page. */
export function htmlPage(path: string, source: string, lang: string): NotionPage | undefined {
  const article = first(parseHtml(source), (node) => node.tagName === 'article' && is(node, 'page'));
  if (article === undefined) return undefined;
  const header = first(article, (node) => node.tagName === 'header') ?? article;
  const named = (name: string): HastElement | undefined => first(header, (node) => is(node, name));
  const words = (node: HastElement | undefined): string => oneLine(node === undefined ? '' : textOf(node));
  const stem = path.replace(/\.html$/i, '');
  const id = (article.properties['id'] ?? '').replaceAll('-', '').toLowerCase();
  const cover = named('page-cover-image')?.properties['src'] ?? '';
  const table = named('properties');
  const body = first(article, (node) => is(node, 'page-body'));
  return {
    path: stem,
    file: path,
    id: /^[0-9a-f]{32}$/.test(id) ? id : (idIn(path) ?? digestOfText(stem)),
    title: said(words(named('page-title'))) ?? nameIn(path),
    properties: new Map(table === undefined ? [] : rowsOf(table).map(property)),
    summary: said(words(named('page-description'))),
    bannerUrl: /^https?:\/\//i.test(cover) ? cover : undefined,
    html: body === undefined ? '' : htmlOf(shownBlocks(body, lang)),
  };
}

function property(row: HastElement): readonly [string, string] {
  const cells = elementsOf(row);
  const name = cells.find(({ tagName }) => tagName === 'th');
  const value = cells.find(({ tagName }) => tagName === 'td');
  const values = value === undefined ? [] : all(value, (node) => is(node, 'selected-value'));
  const box = value === undefined ? undefined : first(value, (node) => is(node, 'checkbox'));
  const text =
    values.length > 0
      ? values.map((each) => oneLine(textOf(each))).join(', ')
      : box === undefined
        ? oneLine(value === undefined ? '' : textOf(value))
        : is(box, 'checkbox-on')
          ? 'Yes'
          : 'No';
  return [oneLine(name === undefined ? '' : textOf(name)).toLowerCase(), text];
}

function rowsOf(table: HastElement): readonly HastElement[] {
  return all(table, ({ tagName }) => tagName === 'tr');
}

function is(node: HastElement, name: string): boolean {
  return classesOf(node).includes(name);
}

function all(parent: HastParent, fits: (node: HastElement) => boolean): readonly HastElement[] {
  return elementsOf(parent).flatMap((node) => (fits(node) ? [node] : all(node, fits)));
}

function first(parent: HastParent, fits: (node: HastElement) => boolean): HastElement | undefined {
  for (const node of elementsOf(parent)) {
    const found = fits(node) ? node : first(node, fits);
    if (found !== undefined) return found;
  }
  return undefined;
}
