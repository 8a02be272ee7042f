import { bookBox } from './myst-exercises.ts';
import { posix } from 'node:path';
import { once } from '../../../../model/once.ts';
import { boxKind } from '../parts/boxes.ts';
import { link, markdownText, target } from '../parts/part-rule.ts';
import type { IncludeForm, Inclusion, IncludingPage, PartOfFile } from './form.ts';
import { mystInline, mystText, tocList } from './myst-inline.ts';
import { languageOf } from './parts.ts';
import { linesOf, type TextLine } from '../../../source-text.ts';

/**
 * MyST as Markdown that other families read: directives in fences and colons become containers, pictures and code; roles, targets and links by label what
 * they show. Rules from https://myst-parser.readthedocs.io and https://mystmd.org/guide.
 */
export const MYST: IncludeForm = {
  name: 'myst',
  isInCode: true,
  *find(text, page) {
    if (!MARKS.test(text)) return;
    yield* directives(text, page);
  },
};

const MARKS = /\{[A-Za-z][\w:.+-]*[ \t}=]|^\([^\s()]+\)=|^\+\+\+|^%|\]\(|<project:/m;
const FENCE =
  /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,}|:{3,})[ \t]*(?:\{[ \t]*([\w:.+-]+)((?:[ \t]+[^{}\n]*)?)\})?([^\n]*)$/;
/** Fences in which options stand behind the name; other such fences are code of a notebook (`{python echo=false}`). */
const MAY_HAVE_OPTIONS =
  /^(?:code|code-block|code-cell|math|figure|image|table|list-table|dropdown|admonition|include|literalinclude|card|grid|grid-item|tab-set|tab-item|div|aside|margin|prf:.*|exercise|solution)$/;
const OPTION = /^:([\w-]+):[ \t]*(.*)$/;

interface Open {
  readonly mark: string;
  /** What is written in place of the closing line; undefined: it stays. */
  readonly closing: string | undefined;
  /** Nothing inside is read. */
  readonly isCode: boolean;
}

function* directives(text: string, page: IncludingPage): Generator<Inclusion> {
  const lines = linesOf(text);
  const open: Open[] = [];
  let prose: TextLine[] = [];
  const flush = function* (): Generator<Inclusion> {
    const start = prose[0]?.start ?? 0;
    if (prose.length > 0) yield* mystInline(text.slice(start, prose.at(-1)?.end), start, page);
    prose = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined) break;
    const [, lead = '', mark = '', name, said = '', rest = ''] = directiveIn(line.text);
    const isCloser = mark !== '' && name === undefined && rest.trim() === '';
    const around = open.at(-1);
    if (around !== undefined && isCloser && closes(mark, around.mark)) {
      yield* flush();
      open.pop();
      if (around.closing !== undefined)
        yield { start: line.start + lead.length, end: line.end, text: around.closing };
      continue;
    }
    if (around?.isCode === true) continue;
    if (mark === '' || (isCloser && mark.startsWith(':')) || (mark.startsWith('`') && rest.includes('`'))) {
      if (line.text.trim() === '') yield* flush();
      else prose.push(line);
      continue;
    }
    yield* flush();
    if (name === undefined) {
      // A fence of code, or a container of somebody else's.
      if (!mark.startsWith(':')) open.push({ mark, closing: undefined, isCode: true });
      continue;
    }
    const options = optionsBelow(lines, at + 1, lead);
    const inside = once(() => insideOf(lines, options.next, mark));
    const directive = {
      name: name.toLowerCase(),
      argument: rest.trim(),
      options: new Map([...inlineOptions(said), ...options.values]),
      inside,
      mark,
    };
    const meant = meaning(directive, page);
    const start = line.start + lead.length;
    const optionsEnd = lines[options.next - 1]?.end ?? line.end;
    if ('whole' in meant) {
      const last = lines[inside().next] ?? lines.at(-1);
      yield { start, end: last?.end ?? text.length, ...meant.whole };
      at = inside().next;
      continue;
    }
    yield { start, end: optionsEnd, text: meant.opening };
    open.push({ mark, closing: meant.closing, isCode: meant.isCode === true });
    at = options.next - 1;
  }
  yield* flush();
}

function directiveIn(line: string): readonly (string | undefined)[] {
  const found = FENCE.exec(line);
  if (found === null) return [];
  const [whole, lead, mark = '', name = '', options = '', rest = ''] = found;
  const isCode =
    options.trim() !== '' &&
    !mark.startsWith(':') &&
    boxKind(name) === undefined &&
    !MAY_HAVE_OPTIONS.test(name);
  return isCode ? [whole, lead, mark, undefined, '', `{${name}${options}}${rest}`] : found;
}

/** `:::{note .class #id icon=false} Title` of mystmd. */
function inlineOptions(written: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [, id, name, quoted, bare = ''] of written.matchAll(
    /(?:^|\s)(?:#([\w:.-]+)|([A-Za-z][\w-]*)=(?:"([^"]*)"|(\S+)))/g,
  ))
    if (id !== undefined) values.set('label', id);
    else if (name !== undefined) values.set(name, quoted ?? bare);
  return values;
}

function closes(mark: string, opening: string): boolean {
  return mark[0] === opening[0] && mark.length >= opening.length;
}

/** `:key: value` lines, or YAML between `---`, right below a directive's first line. */
function optionsBelow(lines: readonly TextLine[], from: number, lead: string) {
  const values = new Map<string, string>();
  const plain = (line: TextLine | undefined): string => line?.text.replace(/^[ \t>]*/, '') ?? '';
  let next = from;
  if (plain(lines[next]) === '---') {
    const end = lines.findIndex((line, index) => index > next && plain(line) === '---');
    if (end > 0 && end - next < OPTIONS_MAX) {
      for (const line of lines.slice(next + 1, end)) {
        const [, key = '', value = ''] = /^([\w-]+):[ \t]*(.*)$/.exec(plain(line)) ?? [];
        if (key !== '') values.set(key, unquoted(value));
      }
      return { values, next: end + 1 };
    }
  }
  for (; next < lines.length && next - from < OPTIONS_MAX; next += 1) {
    const [, key, value = ''] = OPTION.exec(plain(lines[next])) ?? [];
    if (key === undefined || (lines[next]?.text ?? '').length < lead.trimEnd().length) break;
    values.set(key, unquoted(value));
  }
  // The blank line between options and code is none of the code.
  if (values.size > 0 && lines[next]?.text.trim() === '') next += 1;
  return { values, next };
}

const OPTIONS_MAX = 100;

function unquoted(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/, '$2');
}

interface Inside {
  readonly text: string;
  /** The closing line, or the one behind the last. */
  readonly next: number;
}

/** What stands up to the line that closes a directive; directives of the same mark inside are passed over. */
function insideOf(lines: readonly TextLine[], from: number, mark: string): Inside {
  let depth = 0;
  let next = from;
  for (; next < lines.length; next += 1) {
    const [, , found = '', name, , rest = ''] = directiveIn(lines[next]?.text ?? '');
    if (found === '' || !closes(found, mark)) continue;
    if (name !== undefined && mark.startsWith(':')) depth += 1;
    else if (name === undefined && rest.trim() === '') {
      if (depth === 0) break;
      depth -= 1;
    }
  }
  return {
    text: lines
      .slice(from, next)
      .map((line) => line.text)
      .join('\n'),
    next,
  };
}

interface Directive {
  readonly name: string;
  readonly argument: string;
  readonly options: ReadonlyMap<string, string>;
  /** Looked for where it is wanted: a page may open directives without an end. */
  readonly inside: () => Inside;
  readonly mark: string;
}

type Meant =
  | { readonly opening: string; readonly closing: string | undefined; readonly isCode?: boolean }
  /** In place of all of it. */
  | { readonly whole: Omit<Inclusion, 'start' | 'end'> };

/** Around what stands between two directives: longer than marks inside. */
const PAIR = '::::::::';

/** Lists and settings that a site makes by itself. */
const SILENT = new Set(
  'contents tableofcontents index meta currentmodule highlight sectionauthor codeauthor default-role role'.split(
    ' ',
  ),
);
const CODE = new Set(
  'code code-block code-cell sourcecode prompt parsed-literal doctest testcode'.split(' '),
);
/** Fences that GitHub and its like know by their language. */
const DIAGRAMS: ReadonlyMap<string, string> = new Map(
  Object.entries({ mermaid: 'mermaid', math: 'math', graphviz: 'dot' }),
);
const VERSIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    versionadded: 'Added in version',
    versionchanged: 'Changed in version',
    deprecated: 'Deprecated since version',
    versionremoved: 'Removed in version',
  }),
);
/** Names of MyST → names that the containers of others have. */
const CONTAINERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'tab-set': 'tabs',
    tabs: 'tabs',
    'tab-item': 'tab',
    tab: 'tab',
    'group-tab': 'tab',
    grid: 'columns',
    'grid-item': 'column',
    'card-carousel': 'columns',
    div: 'columns',
    container: 'columns',
    glossary: 'columns',
    margin: 'columns',
    aside: 'columns',
    epigraph: 'columns',
    'rst-class': 'columns',
    centered: 'columns',
    card: 'card',
    'grid-item-card': 'card',
    dropdown: 'details',
    details: 'details',
    sidebar: 'note',
    topic: 'note',
  }),
);
/** Their argument is no title. */
const UNTITLED = new Set(['columns', 'column']);

function meaning(directive: Directive, page: IncludingPage): Meant {
  const { name, argument, options, inside, mark } = directive;
  const own = name.replace(/^(?:sphinx|sd|std):/, '');
  const label = options.get('name') ?? options.get('label');
  const anchor = label === undefined ? '' : `<a id="${label.replaceAll(/[^\w:.-]/g, '')}"></a>\n\n`;
  const put = (text: string): Meant => ({ whole: { text: anchor + text } });
  const container = (as: string, title: string, attributes = ''): Meant => ({
    opening: `${anchor}${':'.repeat(Math.max(3, mark.length))}${as}${title === '' ? '' : `[${title.replaceAll(/[[\]]/g, '')}]`}${attributes}`,
    closing: ':'.repeat(Math.max(3, mark.length)),
  });
  if (SILENT.has(own)) return put('');
  if (own === 'toctree') return put(options.has('hidden') ? '' : tocList(inside().text, options, page));
  const book = bookBox(own, argument, {
    options,
    hidesSolutions: page.variable('solutions') === 'hidden',
  });
  if (book === 'hidden') return put('');
  if (book !== undefined) {
    const box = container(book.isFold ? 'details' : 'note', book.title);
    if (book.form === 'whole' || !('opening' in box)) return box;
    return put(book.form === 'end' ? PAIR : `${PAIR}${box.opening.slice(anchor.length).replace(/^:+/, '')}`);
  }
  if (CODE.has(own)) {
    const fence = mark.startsWith(':') ? '`'.repeat(Math.max(3, mark.length)) : mark;
    const caption = options.get('caption');
    // Behind a fence of backticks none may stand.
    const shown = caption === undefined ? '' : ` title="${caption.replaceAll('"', "'").replaceAll('`', '')}"`;
    return { opening: `${anchor}${fence}${codeLanguage(argument)}${shown}`, closing: fence, isCode: true };
  }
  const diagram = DIAGRAMS.get(own);
  if (diagram !== undefined) {
    const text = argument === '' ? inside().text : `${argument}\n${inside().text}`;
    return put(`${mark.replaceAll(':', '`')}${diagram}\n${text}\n${mark.replaceAll(':', '`')}`);
  }
  const since = VERSIONS.get(own);
  if (since !== undefined) {
    const [, version = '', text = ''] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
    const box = container('note', `${since} ${version}`);
    return 'opening' in box && text !== '' ? { ...box, opening: `${box.opening}\n${text}` } : box;
  }
  if (own === 'image' || own === 'figure') {
    const picture = `![${markdownText(options.get('alt') ?? '')}](${target(argument)})`;
    const address = options.get('target');
    const shown =
      address === undefined || !/^[a-z]+:|^[./]/i.test(address)
        ? picture
        : `[${picture}](${target(address)})`;
    return own === 'image' ? put(shown) : { opening: `${anchor}${shown}\n`, closing: '' };
  }
  if (own === 'include' || own === 'literalinclude') return { whole: included(directive, page) };
  if (own === 'raw') return put(/html/i.test(argument) ? inside().text : '');
  if (own === 'iframe') {
    const frame = `<iframe src="${argument.replaceAll('"', '%22')}"></iframe>`;
    return { opening: `${anchor}${frame}\n`, closing: '' };
  }
  if (own === 'rubric') return put(argument === '' ? '' : `**${argument}**`);
  if (own === 'button-link' || own === 'button-ref')
    return put(link(inside().text.trim() || argument, argument));
  if (own === 'list-table') {
    const table = listTable(inside().text, argument, Number(options.get('header-rows') ?? 0));
    if (table !== undefined) return put(mystText(table, page));
  }
  // A picture in Markdown with its caption; its argument is a target of links.
  if (own === 'figure-md') {
    const id = argument.replaceAll(/[^\w:.-]/g, '');
    return { opening: id === '' ? anchor : `<a id="${id}"></a>\n`, closing: '' };
  }
  if (own === 'table' || own === 'list-table')
    return { opening: `${anchor}${argument === '' ? '' : `**${argument}**\n`}`, closing: '' };
  const as = CONTAINERS.get(own);
  if (as !== undefined) {
    const address = options.get('link') ?? options.get('url');
    const type = options.get('link-type') ?? 'url';
    const href =
      address === undefined
        ? undefined
        : type === 'url'
          ? address
          : page.page.value?.(page.file, type, [address]);
    const attributes = typeof href === 'string' ? `{href="${href.replaceAll('"', '')}"}` : '';
    return container(as, UNTITLED.has(as) ? '' : argument, attributes);
  }
  if (own === 'admonition') {
    const classes = options.get('class') ?? '';
    if (/\b(?:dropdown|toggle)\b/.test(classes)) return container('details', argument);
    return container(classes.split(/\s+/).find((each) => boxKind(each) !== undefined) ?? 'note', argument);
  }
  if (BOXES.has(own)) {
    const isFold = /\b(?:dropdown|toggle)\b/.test(options.get('class') ?? '');
    const isTitle = page.variable('mystmd') !== undefined;
    const box = container(isFold ? 'details' : own === 'error' ? 'danger' : own, isTitle ? argument : '');
    if (isTitle) return box;
    // Sphinx reads it as the beginning of the text.
    return 'opening' in box && argument !== '' ? { ...box, opening: `${box.opening}\n${argument}` } : box;
  }
  // Said, and kept as it is written.
  const text = [argument, inside().text].filter((part) => part.trim() !== '').join('\n');
  // Longer than every fence inside.
  let longest = Math.max(3, mark.length);
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  const colons = ':'.repeat(Math.max(3, mark.length));
  return put(
    `${colons}${own.replaceAll(/[^\w-]/g, '-')}\n${text === '' ? '' : `${fence}\n${text}\n${fence}\n`}${colons}`,
  );
}

const BOXES = new Set(
  'note tip hint important warning caution attention danger error seealso todo'.split(' '),
);

function codeLanguage(argument: string): string {
  const [word = ''] = argument.split(/\s+/);
  return /^(?:ipython3?|python3)$/.test(word) ? 'python' : word.replaceAll(/[^\w+#.-]/g, '');
}

/** Files count from the page, with `/` in front from the content folder. */
function included(
  { name, argument, options }: Directive,
  { file }: IncludingPage,
): Omit<Inclusion, 'start' | 'end'> {
  const path = argument.startsWith('/')
    ? posix.normalize(argument.slice(1))
    : posix.join(posix.dirname(file), argument);
  const isCode = name.endsWith('literalinclude') || options.has('literal') || options.has('code');
  const language = options.get('language') ?? options.get('code') ?? languageOf(argument);
  return {
    files: [path],
    part: (text) => partBy(options, text),
    ...(isCode ? { code: codeLanguage(language === '' ? languageOf(argument) : language) } : {}),
    ...(options.has('relative-docs') || options.has('relative-images') ? { isRebased: true } : {}),
  };
}

function partBy(options: ReadonlyMap<string, string>, whole: string): PartOfFile {
  let text = whole;
  for (const key of ['start-after', 'start-at', 'end-before', 'end-at']) {
    const mark = options.get(key);
    if (mark === undefined || mark === '') continue;
    const found = text.indexOf(mark);
    if (found < 0) return { missing: `it has no text \`${mark}\`` };
    if (key === 'start-after') text = text.slice(found + mark.length);
    else if (key === 'start-at') text = text.slice(text.lastIndexOf('\n', found) + 1);
    else if (key === 'end-before') text = text.slice(0, found);
    else text = text.slice(0, found + mark.length);
  }
  const lines = text.split('\n');
  const wanted = options.get('lines');
  if (wanted !== undefined) {
    const picked = wanted.split(',').flatMap((range) => {
      const [, from = '', dash, to = ''] = /^(\d*)\s*(?:(-)\s*)?(\d*)$/.exec(range.trim()) ?? [];
      const first = from === '' ? 1 : Number(from);
      return lines.slice(first - 1, dash === undefined ? first : to === '' ? undefined : Number(to));
    });
    return { text: picked.join('\n') };
  }
  const from = options.get('start-line');
  const to = options.get('end-line');
  return from === undefined && to === undefined
    ? { text }
    : { text: lines.slice(Number(from ?? 0), to === undefined ? undefined : Number(to)).join('\n') };
}

/** `* - a` rows with `  - b` cells as a table; undefined where a cell is more than a paragraph. */
function listTable(text: string, title: string, headers: number): string | undefined {
  const rows: string[][] = [];
  for (const line of text.split('\n')) {
    const row = /^[ \t]*[*-][ \t]+[-*](?:[ \t]+(.*))?$/.exec(line);
    const cell = /^[ \t]+[-*](?:[ \t]+(.*))?$/.exec(line);
    const last = rows.at(-1);
    if (row !== null) rows.push([row[1] ?? '']);
    else if (cell !== null && last !== undefined) last.push(cell[1] ?? '');
    else if (/^[ \t]*$/.test(line)) continue;
    else if (last !== undefined && /^[ \t]+[^\s`:|]/.test(line)) last[last.length - 1] += ` ${line.trim()}`;
    else return undefined;
  }
  const columns = Math.max(0, ...rows.map((row) => row.length));
  if (columns === 0 || rows.length === 0) return undefined;
  const shown = (row: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_, index) => (row[index] ?? '').replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  const [first = [], ...others] = headers > 0 ? rows : [[], ...rows];
  const table = [
    shown(first),
    shown(Array.from({ length: columns }, () => '---')),
    ...others.map(shown),
  ].join('\n');
  return title === '' ? table : `**${title}**\n\n${table}`;
}
