import { posix } from 'node:path';
import { decodeHTMLStrict } from 'entities/decode';
import { escapedHtml } from '../../../../text/escaped-html.ts';
import { codeIn, inRanges } from '../code-ranges.ts';
import { editedText } from '../edits.ts';
import { writtenTags } from '../families/jsx-tags.ts';
import { blockStart } from '../families/tags/writerside.ts';
import type { WrittenTag } from '../families/jsx-tags.ts';
import { markdownText } from '../parts/part-rule.ts';
import { tagArguments } from '../tag.ts';
import { fenced } from '../tokens.ts';
import type { IncludeForm, IncludingPage, Inclusion, PartOfFile } from './form.ts';
import { languageOf } from './parts.ts';
import { linesOf } from './retype.ts';
import { withoutComments } from '../../../../text/spans.ts';

/**
 * Writerside: `<include from="lib.topic" element-id="x"/>` is an element of another topic with the variables that it is given, `%name%` a variable of the page, of the include or of v.list, a block of code
 * with `src` the lines or symbols of a file, a link without a text the title of its target (https://www.jetbrains.com/help/writerside/content-reuse.html).
 */
export const WRITERSIDE: IncludeForm = {
  name: 'include',
  isInCode: true,
  find: (text, page) => inclusionsIn(text, { page, given: variablesIn(text), depth: 0 }),
};

interface World {
  readonly page: IncludingPage;
  readonly given: ReadonlyMap<string, string>;
  readonly depth: number;
}

const DEPTH_MAX = 8;
const LINK = /(?<!!)\[\]\(([^()\s<>]{1,500})\)/g;
const VARIABLE = /%([A-Za-z][\w.-]{0,100})%/g;

function* inclusionsIn(text: string, world: World): Generator<Inclusion> {
  const { page } = world;
  const { all, fences } = codeIn(text, false);
  const inCode = inRanges(all);
  for (const [start, end] of fences) {
    const [whole, inside = ''] = /^[ \t]*\{([^{}\n]*)\}/.exec(text.slice(end, end + 1000)) ?? [];
    const attributes = tagArguments(inside).named;
    if (whole === undefined || attributes['src'] === undefined) continue;
    const [, lead = '', language = ''] =
      /^([ \t>]*)[`~]{3,}[ \t]*([\w+#.-]*)/.exec(text.slice(start, end)) ?? [];
    yield { start: start + lead.length, end: end + whole.length, ...codeOf(language, attributes, page) };
  }
  const tags = writtenTags(text, inCode);
  for (const [at, tag] of tags.entries()) {
    if (tag.form === 'close') continue;
    const { named } = tag.args;
    const closer = tag.form === 'self' ? undefined : closerOf(tags, at);
    const end = closer?.end ?? tag.end;
    const inside = closer === undefined ? '' : text.slice(tag.end, closer.start);
    const range = { start: tag.start, end };
    if (tag.name === 'include') yield { ...range, ...includedBy(tag, inside, world) };
    else if (tag.name === 'code-block' && named['src'] !== undefined)
      yield { ...range, ...codeOf(named['lang'] ?? '', named, page) };
    else if (tag.name === 'code-block')
      yield { ...range, text: `\n${fenced(plainCode(inside, world), { language: named['lang'] ?? '' })}\n` };
    else if (tag.name === 'a') {
      const href = addressOf(named);
      const title = closer === undefined && href !== undefined ? titleAt(href, world) : undefined;
      if (title !== undefined && href !== undefined)
        yield {
          start: tag.start,
          end: tag.end,
          text: `<a href="${escapedHtml(href)}">${escapedHtml(title)}</a>`,
        };
      else if (href !== undefined && named['anchor'] !== undefined)
        yield { start: tag.start, end: tag.end, text: `<a href="${escapedHtml(href)}">` };
    }
  }
  for (const { 0: whole, 1: address = '', index } of text.matchAll(LINK)) {
    if (inCode(index)) continue;
    const title = titleAt(address, world) ?? address;
    yield { start: index, end: index + whole.length, text: `[${markdownText(title)}](${address})` };
  }
  for (const { 0: whole, 1: name = '', index } of text.matchAll(VARIABLE)) {
    const value = valueOf(name, world);
    if (value !== undefined) yield { start: index, end: index + whole.length, text: value };
  }
}

/** The tag that closes one, those of the same name inside counted. */
function closerOf(tags: readonly WrittenTag[], at: number): WrittenTag | undefined {
  const name = tags[at]?.name;
  let depth = 0;
  for (let next = at; next < tags.length && next < at + TAGS_MAX; next += 1) {
    const tag = tags[next];
    if (tag?.name !== name || tag?.form === 'self') continue;
    depth += tag?.form === 'open' ? 1 : -1;
    if (depth === 0) return tag;
  }
  return undefined;
}

const TAGS_MAX = 2000;

function variablesIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.includes('<var')
      ? writtenTags(text, () => false).flatMap(({ name, args: { named } }) => {
          const { name: key, value } = named;
          return name === 'var' && key !== undefined && value !== undefined ? [[key, value] as const] : [];
        })
      : [],
  );
}

function valueOf(name: string, { given, page }: World): string | undefined {
  return given.get(name) ?? page.variable(`writerside.value ${name}`);
}

function withValues(text: string, world: World): string {
  return text.replaceAll(VARIABLE, (whole, name: string) => valueOf(name, world) ?? whole);
}

function plainCode(inside: string, world: World): string {
  const cdata = /^\s*<!\[CDATA\[([^]*?)\]\]>\s*$/.exec(inside)?.[1];
  return withValues(cdata ?? decodeHTMLStrict(inside), world);
}

type Put = Omit<Inclusion, 'start' | 'end'>;

function codeOf(language: string, named: Readonly<Record<string, string>>, page: IncludingPage): Put {
  const source = named['src'] ?? '';
  const lines = named['include-lines'] ?? named['lines'];
  const symbols = named['include-symbol'];
  // Code of another site is a link to it.
  if (/^https?:/.test(source)) return { text: `\n<${source}>\n` };
  return {
    files: [
      posix.join(page.variable('writerside.snippets') ?? '.', source),
      posix.join(posix.dirname(page.file), source),
      source,
    ],
    code: language === '' ? languageOf(source) : language,
    part: (text) =>
      lines !== undefined
        ? { text: linesOf(text, lines) }
        : symbols === undefined
          ? { text }
          : symbolsIn(text, symbols.split(',')),
  };
}

/** Declarations by their names, each to the end of its braces, or of its line where it has none. */
function symbolsIn(text: string, names: readonly string[]): PartOfFile {
  const found: string[] = [];
  const lines = text.split('\n');
  for (const name of names.map((each) => each.trim())) {
    const start = lines.findIndex((line) => DECLARATION.exec(line)?.[1] === name);
    if (start < 0) return { missing: `it has no symbol \`${name}\`` };
    let depth = 0;
    let end = start;
    for (; end < lines.length; end += 1) {
      for (const sign of lines[end] ?? '') depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
      if (depth <= 0) break;
    }
    found.push(lines.slice(start, end + 1).join('\n'));
  }
  return { text: found.join('\n\n') };
}

const DECLARATION =
  /^[ \t]*(?:[\w@<>?,.[\]]+[ \t]+){0,8}?(?:class|interface|object|enum|record|fun|val|var|def|function|struct|void|[A-Z]\w*)[ \t]+(?:[\w<>?]+\.)?(\w+)/;

function includedBy({ args: { named } }: WrittenTag, inside: string, world: World): Put {
  const { from = '', 'element-id': id = '' } = named;
  const { page, depth } = world;
  const file = page.variable(`writerside.file ${from}`);
  if (file === undefined) return { files: [from] };
  const source = page.page.readText(file) ?? '';
  page.budget.steps -= 20 + Math.floor(source.length / 100);
  if (depth >= DEPTH_MAX || page.budget.steps < 0) return { text: '' };
  const found = elementIn(source, id);
  if (found === undefined) return { files: [file], part: () => ({ missing: `it has no element \`${id}\`` }) };
  const given = new Map([...variablesIn(found), ...world.given, ...variablesIn(inside)]);
  const isMarkdown = /\.md$/i.test(file);
  const text = applied(isMarkdown ? found : withoutIndents(found), { page, given, depth: depth + 1 });
  page.budget.chars -= text.length;
  return { text: page.budget.chars < 0 ? '' : `\n${text.trim()}\n` };
}

function applied(text: string, world: World): string {
  const edits = [...inclusionsIn(text, world)].map(({ start, end, text: put, files, code, part }) => {
    if (put !== undefined) return { start, end, text: put };
    const source = files?.map((file) => world.page.page.readText(file)).find((each) => each !== undefined);
    const taken = source === undefined ? undefined : (part?.(source) ?? { text: source });
    const isTaken = taken !== undefined && 'text' in taken && code !== undefined;
    return { start, end, text: isTaken ? `\n${fenced(taken.text, { language: code })}\n` : '' };
  });
  return editedText(text, edits).text;
}

/** The element of an id, or in Markdown the chapter below the heading that has it. */
function elementIn(source: string, id: string): string | undefined {
  const text = withoutComments(source);
  const tags = writtenTags(text, () => false);
  const at = tags.findIndex(({ form, args }) => form !== 'close' && args.named['id'] === id);
  const tag = tags[at];
  if (tag !== undefined) {
    const closer = tag.form === 'self' ? undefined : closerOf(tags, at);
    if (closer === undefined) return text.slice(tag.start, tag.end);
    return tag.name === 'snippet' || tag.name === 'topic'
      ? text.slice(tag.end, closer.start)
      : text.slice(tag.start, closer.end);
  }
  const heading = headingOf(text, id);
  if (heading === undefined) return blockOf(text, id);
  const rest = text.slice(heading.end);
  const next = new RegExp(`^#{1,${heading.level}}[ \\t]`, 'm').exec(rest)?.index;
  return text.slice(heading.start, next === undefined ? undefined : heading.end + next);
}

/** The block above the line of its attributes, with them. */
function blockOf(text: string, id: string): string | undefined {
  for (const { 0: whole, 1: attributes = '', index } of text.matchAll(
    /^[ \t]*\{([^{}\n]{1,500})\}[ \t]*$/gm,
  )) {
    if (tagArguments(attributes).named['id'] === id)
      return text.slice(blockStart(text, index), index + whole.length);
  }
  return undefined;
}

function headingOf(text: string, id: string) {
  for (const { 0: whole, 1: marks = '', 2: title = '', 3: attributes = '', index } of text.matchAll(
    /^(#{1,6})[ \t]+([^\n{]{1,500})\{([^{}\n]{1,500})\}[ \t]*$/gm,
  )) {
    if (tagArguments(attributes).named['id'] === id)
      return { start: index, end: index + whole.length, level: marks.length, title: title.trim() };
  }
  return undefined;
}

/** Indents and blank lines of XML say nothing, but in code. */
function withoutIndents(xml: string): string {
  return xml
    .split(/(<code-block\b[^]*?<\/code-block>)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/\s*\n\s*/g, '\n')))
    .join('');
}

function addressOf({ href, anchor }: Readonly<Record<string, string>>): string | undefined {
  if (href === undefined) return anchor === undefined ? undefined : `#${anchor}`;
  return anchor === undefined || href.includes('#') ? href : `${href}#${anchor}`;
}

/** What a link without a text shows; undefined: nobody knows. */
function titleAt(address: string, { page }: World): string | undefined {
  const [path = '', id] = address.split('#');
  const file = path === '' ? page.file : page.variable(`writerside.file ${path}`);
  const source = file === undefined ? undefined : page.page.readText(file);
  if (source === undefined) return undefined;
  page.budget.steps -= 20 + Math.floor(source.length / 100);
  if (page.budget.steps < 0) return undefined;
  const part = id === undefined ? undefined : (headingOf(source, id)?.title ?? titleOfElement(source, id));
  return part ?? topicTitle(source);
}

function titleOfElement(source: string, id: string): string | undefined {
  return writtenTags(source, () => false).find(({ args }) => args.named['id'] === id)?.args.named['title'];
}

/** `[//]: # (title: …)`, `title` of the front matter or of `<topic>`, else the first heading. */
export function topicTitle(source: string): string | undefined {
  const found =
    /^\[\/\/\]:[ \t]*#[ \t]*\(title:([^\n]{1,500})\)[ \t]*$/m.exec(source)?.[1] ??
    /^---\n(?:[^\n]*\n){0,50}?title:([^\n]{1,500})\n/
      .exec(source)?.[1]
      ?.trim()
      .replaceAll(/^["']|["']$/g, '') ??
    /<topic\b[^>]{0,2000}?\btitle="([^"]*)"/.exec(source)?.[1] ??
    /^#[ \t]+([^\n{]{1,500})/m.exec(source)?.[1];
  return found?.trim();
}
