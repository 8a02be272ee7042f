import { basename } from 'node:path';
import { elementsOf, parseHtml, textOf } from '../../content/html-to-markdown/hast.ts';
import type { HastElement, HastParent } from '../../content/html-to-markdown/hast.ts';
import { htmlOf } from '../../content/html-to-markdown/serialise.ts';
import { digestOfText } from '../../model/digest.ts';
import { oneLine } from '../plain-text.ts';
import { unlessTooDeep } from '../unless-too-deep.ts';
import type { ConfluencePage } from './confluence-pages.ts';

/** A page of an export as HTML; undefined for the list of pages. */
export function exportedPage(path: string, html: string): ConfluencePage | undefined {
  if (/^index\.html?$/i.test(basename(path))) return undefined;
  return unlessTooDeep(() => pageIn(path, html), undefined) ?? { ...pageIn(path, ''), html };
}

function pageIn(path: string, html: string): ConfluencePage {
  const tree = parseHtml(html);
  const title = elementWith(tree, 'title-text');
  const content = elementWith(tree, 'main-content');
  const crumbs = elementWith(tree, 'breadcrumbs');
  const parents = (crumbs === undefined ? [] : linksIn(crumbs)).flatMap(({ href, text }) => {
    const id = pageIdIn(href);
    return id === undefined ? [] : [{ id, title: text }];
  });
  // "Space : Title"
  const name = oneLine(title === undefined ? '' : textOf(title)).replace(/^.*? : /, '');
  return {
    id: pageIdIn(basename(path)) ?? digestOfText(path).slice(0, 8),
    title:
      name === ''
        ? basename(path)
            .replace(/(?:_\d+)?\.html?$/i, '')
            .replaceAll('-', ' ')
        : name,
    status: 'current',
    parent: parents.at(-1)?.id,
    ancestors: parents,
    storage: '',
    html: content === undefined ? '' : htmlOf(content.children),
    labels: [],
    position: undefined,
    updated: undefined,
    author: undefined,
    isRestricted: false,
    base: undefined,
    paths: [],
    isNamedByFile: name === '',
    at: { file: path, where: 'file' },
  };
}

/** `Title_123.html`, `123.html` */
export function pageIdIn(name: string): string | undefined {
  return /(?:^|[_/])(\d+)\.html?(?:[?#].*)?$/i.exec(name)?.[1];
}

function elementWith(parent: HastParent, id: string): HastElement | undefined {
  for (const element of elementsOf(parent)) {
    const found = element.properties['id'] === id ? element : elementWith(element, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function linksIn(parent: HastParent): readonly { readonly href: string; readonly text: string }[] {
  return elementsOf(parent).flatMap((element) => {
    const { href } = element.properties;
    return typeof href === 'string' ? [{ href, text: oneLine(textOf(element)) }] : linksIn(element);
  });
}
