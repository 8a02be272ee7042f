import { htmlparser2 } from '../parsers.ts';
import { spotAt } from '../source-text.ts';
import type { Spot } from '../source-text.ts';

/** A tag in a piece of raw HTML, as browsers read it: names in lower case, entities resolved. */
export interface RawTag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Offset of its `<`. */
  readonly start: number;
  /** Offset behind its `>`. */
  readonly end: number;
}

/** Attributes that hold one address each, and the tags they matter on. */
const ADDRESS: Readonly<Record<string, string>> = {
  a: 'href',
  img: 'src',
  source: 'src',
  video: 'src',
  audio: 'src',
};

export function rawTags(html: string): readonly RawTag[] {
  const bare = /^<(\/?)([a-z][a-z0-9]*)>$/.exec(html);
  if (bare !== null) {
    return bare[1] === '/' ? [] : [{ name: bare[2] ?? '', attributes: {}, start: 0, end: html.length }];
  }
  const tags: RawTag[] = [];
  const { Parser } = htmlparser2();
  const parser = new Parser({
    onopentag: (name, attributes) => {
      tags.push({ name, attributes, start: parser.startIndex, end: parser.endIndex + 1 });
    },
  });
  parser.end(html);
  return tags;
}

/** Comments and nothing else: they never show, so leaving them out is no loss. */
export function isOnlyComments(html: string): boolean {
  return html.includes('<!--') && /^\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)+$/.test(html);
}

export interface RawReference {
  readonly url: string;
  readonly isImage: boolean;
  readonly spot: Spot;
}

/** Links and images among the tags of a piece of raw HTML; `spot` is that of the piece. */
export function rawReferences(html: string, tags: readonly RawTag[], spot: Spot): readonly RawReference[] {
  return tags.flatMap((tag) => {
    const url = addressOf(tag);
    return url === undefined
      ? []
      : [{ url, isImage: tag.name !== 'a', spot: spotWithin(html, tag.start, spot) }];
  });
}

/** Ids and names that links can jump to. */
export function rawAnchors(tags: readonly RawTag[]): readonly string[] {
  return tags.flatMap(({ name, attributes }) => [
    ...(attributes['id'] === undefined ? [] : [attributes['id']]),
    ...(name === 'a' && attributes['name'] !== undefined ? [attributes['name']] : []),
  ]);
}

/** The same HTML with other addresses; everything else stays as written. */
export function withAddresses(html: string, url: (url: string) => string): string {
  let out = '';
  let cursor = 0;
  for (const tag of rawTags(html)) {
    const address = addressOf(tag);
    if (address === undefined || tag.start < cursor) continue;
    const resolved = url(address);
    if (resolved === address) continue;
    const source = html.slice(tag.start, tag.end);
    out += html.slice(cursor, tag.start) + withAddress(source, ADDRESS[tag.name] ?? '', resolved);
    cursor = tag.end;
  }
  return out + html.slice(cursor);
}

export function spotWithin(html: string, offset: number, spot: Spot): Spot {
  const inside = spotAt(html, offset);
  return {
    line: spot.line + inside.line - 1,
    column: inside.line === 1 ? spot.column + inside.column - 1 : inside.column,
  };
}

function addressOf(tag: RawTag): string | undefined {
  const attribute = ADDRESS[tag.name];
  const value = attribute === undefined ? undefined : tag.attributes[attribute];
  return value?.trim();
}

function withAddress(tag: string, attribute: string, url: string): string {
  const escaped = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const pattern = new RegExp(`(\\s${attribute}\\s*=\\s*)(?:"[^"]*"|'[^']*'|[^\\s"'>]+)`, 'i');
  return tag.replace(pattern, (_, head: string) => `${head}"${escaped}"`);
}
