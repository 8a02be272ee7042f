import { posix, resolve } from 'node:path';
import { isItem, itemAround, linesOf, markdownLabel, TITLE_KEYS, yamlScalar } from './list-items.ts';
import type { Line } from './list-items.ts';
import { pathFrom, spellingsOf, spotsOf } from './names.ts';

export interface NewEntry {
  /** A page that the navigation names. All paths count from the content folder. */
  readonly beside: string;
  readonly page: string;
  readonly title: string;
}

/**
 * The text of a navigation with an entry for a new page: the last one of the list that has the page beside it, written as that one is.
 * Every other byte stays. undefined: the page beside it is named twice, or in a form that says more than a title and a path.
 */
export function withEntry(
  text: string,
  { navigation, beside, page, title }: NewEntry & { readonly navigation: string },
): string | undefined {
  const folder = resolve('/', posix.dirname(navigation));
  const entry = {
    old: beside,
    now: page,
    oldHere: pathFrom(folder, resolve('/', beside)),
    nowHere: pathFrom(folder, resolve('/', page)),
  };
  for (const [name, next] of spellingsOf(entry)) {
    const [spot, ...more] = spotsOf(text, name, next);
    if (spot === undefined) continue;
    if (more.length > 0 || spotsOf(text, next, next).length > 0) return undefined;
    const place = { at: spot.at, end: spot.at + spot.length, path: spot.next, title };
    return /\.(?:ya?ml|md|markdown)$/i.test(navigation)
      ? afterLines(text, place)
      : afterElements(text, place);
  }
  return undefined;
}

interface Place {
  /** Where the path of the page beside it stands. */
  readonly at: number;
  readonly end: number;
  /** What is written for the new page. */
  readonly path: string;
  readonly title: string;
}

/** Lists of Markdown and YAML: an item is a marker and what is indented more. */
function afterLines(text: string, place: Place): string | undefined {
  const lines = linesOf(text);
  const around = itemAround(lines, place.at);
  if (around === undefined) return undefined;
  const { at, first, head } = around;
  const isPart = (line: Line): boolean => line.text.trim() === '' || line.indent > head.indent;
  const endOf = (from: number): number => {
    let end = from + 1;
    for (let next = lines[end]; next !== undefined && isPart(next); next = lines[end]) end += 1;
    while (lines[end - 1]?.text.trim() === '') end -= 1;
    return end;
  };
  const isMarkdown = /\]\(/.test(lines[at]?.text ?? '');
  const own = lines.slice(first, isMarkdown ? first + 1 : endOf(first)).map((line) => line.text);
  const item = isMarkdown ? markdownItem(own, place) : yamlItem(own, text.slice(place.at, place.end), place);
  if (item === undefined) return undefined;
  let last = endOf(first);
  for (;;) {
    let next = last;
    while (lines[next]?.text.trim() === '') next += 1;
    const sibling = lines[next];
    if (sibling === undefined || !isItem(sibling) || sibling.indent !== head.indent) break;
    last = endOf(next);
  }
  const after = lines[last];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const made = item.join(eol);
  if (after !== undefined) return `${text.slice(0, after.at)}${made}${eol}${text.slice(after.at)}`;
  return text.endsWith('\n') ? `${text}${made}${eol}` : `${text}${eol}${made}`;
}

function markdownItem([line = '']: readonly string[], { path, title }: Place): readonly string[] | undefined {
  const lead = /^(\s*[-*+]\s+)\[[^\]]*\]\([^()\s]*\)\s*$/.exec(line)?.[1];
  return lead === undefined ? undefined : [`${lead}[${markdownLabel(title)}](${path})`];
}

const PATH_KEYS = new Set(['href', 'file', 'path', 'link', 'url', 'page', 'doc']);

function yamlItem(
  lines: readonly string[],
  name: string,
  { path, title }: Place,
): readonly string[] | undefined {
  const made: string[] = [];
  let hasPath = false;
  for (const line of lines) {
    const [, lead, key, gap = '', value = ''] =
      /^(\s*(?:[-*+]\s+)?)(?:((?:"[^"]*"|'[^']*'|[^\s:#][^:#]*)):(\s+))?(\S.*?)\s*$/.exec(line) ?? [];
    if (lead === undefined) return undefined;
    const bare = value.replace(/^(["'])(.*)\1$/, '$2');
    if (bare === name) {
      if (hasPath) return undefined;
      hasPath = true;
      const said = value === bare ? path : `${value.slice(0, 1)}${path}${value.slice(0, 1)}`;
      const own = key === undefined ? '' : `${PATH_KEYS.has(key) ? key : yamlScalar(title)}:${gap}`;
      made.push(`${lead}${own}${said}`);
    } else if (key !== undefined && TITLE_KEYS.has(key))
      made.push(`${lead}${key}:${gap}${yamlScalar(title)}`);
    else return undefined;
  }
  return hasPath ? made : undefined;
}

/** Arrays of JSON and JavaScript. */
function afterElements(text: string, place: Place): string | undefined {
  const array = arrayAround(text, place.at);
  if (array === undefined) return undefined;
  const own = array.elements.find(({ at, end }) => at <= place.at && place.end <= end);
  const last = array.elements.at(-1);
  if (own === undefined || last === undefined) return undefined;
  const made = elementLike(text.slice(own.at, own.end), text.slice(place.at, place.end), place);
  if (made === undefined) return undefined;
  const before = array.elements.at(-2);
  const between = text.slice(before === undefined ? array.at + 1 : before.end, last.at);
  const gap = /\n[ \t]*$/.exec(between)?.[0] ?? ' ';
  const rest = /^\s*,/.exec(text.slice(last.end))?.[0];
  const end = last.end + (rest?.length ?? 0);
  const comma = rest === undefined ? ',' : '';
  const note = /^[ \t]*\/\/[^\n]*/.exec(text.slice(end))?.[0] ?? '';
  const tail = rest === undefined ? '' : ',';
  return `${text.slice(0, end)}${comma}${note}${gap}${made}${tail}${text.slice(end + note.length)}`;
}

interface Span {
  readonly at: number;
  readonly end: number;
}

const TOKEN =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[[\](){},]/g;

/** The innermost array that has this place, with its elements. */
function arrayAround(
  text: string,
  spot: number,
): { readonly at: number; readonly elements: readonly Span[] } | undefined {
  const open: { readonly at: number; readonly mark: string; readonly commas: number[] }[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if ('[({'.includes(token)) open.push({ at: index, mark: token, commas: [] });
    else if (token === ',') open.at(-1)?.commas.push(index);
    else if ('])}'.includes(token)) {
      const closed = open.pop();
      if (closed?.mark !== '[' || closed.at > spot || index < spot) continue;
      return { at: closed.at, elements: elementsIn(text, closed, index) };
    }
  }
  return undefined;
}

function elementsIn(
  text: string,
  { at, commas }: { readonly at: number; readonly commas: readonly number[] },
  end: number,
): readonly Span[] {
  const bounds = [at, ...commas, end];
  return bounds.slice(0, -1).flatMap((from, index): readonly Span[] => {
    const part = text.slice(from + 1, bounds[index + 1]);
    // A comment before an element is not part of it.
    const lead = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(part)?.[0].length ?? 0;
    const own = part.slice(lead).trimEnd();
    return own === '' ? [] : [{ at: from + 1 + lead, end: from + 1 + lead + own.length }];
  });
}

const TITLES = /^(?:text|title|label|name)$/;
const PATHS = /^(?:link|href|id|path|slug|page|file|url)$/;

/** A text, or an object of a title and a path. */
function elementLike(element: string, name: string, { path, title }: Place): string | undefined {
  const plain = /^(["'`])([^"'`\\]*)\1$/.exec(element);
  if (plain !== null) return plain[2] === name ? `${plain[1]}${path}${plain[1]}` : undefined;
  if (!element.startsWith('{') || !element.endsWith('}') || /[[\]()`]|\/\/|\/\*/.test(element))
    return undefined;
  let hasPath = false;
  let isUnknown = false;
  const made = element
    .slice(1, -1)
    .replaceAll(
      /(["']?)([\w$]+)\1(\s*:\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^,}]*)/g,
      (whole, quote: string, key: string, colon: string, value: string) => {
        const mark = value.slice(0, 1);
        const head = `${quote}${key}${quote}${colon}`;
        if (value.slice(1, -1) === name && PATHS.test(key)) {
          hasPath = true;
          return `${head}${mark}${path}${mark}`;
        }
        if (TITLES.test(key) && (mark === '"' || mark === "'")) return `${head}${quoted(title, mark)}`;
        isUnknown ||= !(key === 'type' && /^["'](?:doc|page)["']$/.test(value));
        return whole;
      },
    );
  return hasPath && !isUnknown ? `{${made}}` : undefined;
}

function quoted(title: string, mark: string): string {
  const json = JSON.stringify(title);
  return mark === '"' ? json : `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
