import { HEADING_BADGE } from '../../../markdown/heading-id.ts';
import { posix } from 'node:path';
import { once } from '../../../../model/once.ts';
import { literalPattern } from '../../../../text/literal-pattern.ts';
import { pathBetween } from '../../../../text/path-between.ts';
import { frontMatter } from '../../../front-matter/read.ts';
import { nodeOf, nodesOf, parsedModule } from '../../estree.ts';
import type { Node } from '../../estree.ts';
import { elementHtml, htmlFrom, inQuotes } from '../../jsx/elements.ts';
import { valueOf } from '../../jsx/evaluate.ts';
import type { Slots } from '../../jsx/vue-template.ts';
import { scopeIn } from '../../jsx/scope.ts';
import type { Scope } from '../../jsx/scope.ts';
import { openModules } from '../../jsx/modules/modules.ts';
import type { Modules } from '../../jsx/modules/modules.ts';
import { isCallable, isHtml, jsonValue, UNKNOWN } from '../../jsx/values.ts';
import type { Value } from '../../jsx/values.ts';
import { codeIn, inRanges } from '../code-ranges.ts';
import { isComponent } from '../families/components.ts';
import { writtenTags } from '../families/jsx-tags.ts';
import type { WrittenTag } from '../families/jsx-tags.ts';
import { behindBraces, literalText } from '../javascript.ts';
import { isKnownName, isLinkName, isLockedName, isPictureName } from '../parts/parts.ts';
import { fenced } from '../tokens.ts';
import { givenTo } from './form.ts';
import type { IncludeForm, IncludingPage, Inclusion } from './form.ts';
import { modulePaths } from './module-paths.ts';

/**
 * Components of MDX that the repository itself defines, in a module (`import { Required } from '../src/required.tsx'`), in the page (`export const …`) or for all pages
 * (`src/theme/MDXComponents`, `mdx-components.tsx`), and values that it takes from one: what they write when the page is made. A component that needs a
 * browser or a package stays unknown. Names that a rule or kbsync explains stay with them.
 */
export const COMPONENTS: IncludeForm = {
  name: 'jsx',
  *find(text, page) {
    if (!page.isMdx || !/<[A-Z]|\{/.test(text)) return;
    const { modules, all } = codeIn(text, true);
    const isCode = inRanges(all);
    const statements = modules.map(([start, end]) => text.slice(start, end));
    const opened = modulesOf(page);
    const scope = withFrontMatter(opened.pageScope(page.file, statements));
    const look: Look = {
      page,
      scope,
      ...MDX_TAGS,
      shared: (name) => opened.shared(SHARED, name),
      sharedPart: (name) => opened.sharedPart(SHARED, name),
    };
    yield* componentsIn(text, isCode, look, 0);
    if (statements.length > 0) yield* expressionsIn(text, isCode, look, NAME);
    else if (/\{\s*\[/.test(text)) yield* expressionsIn(text, isCode, look, LIST);
  },
};

/** `frontmatter` of Astro and `frontMatter` of Docusaurus: what the page that takes all of it in says of itself. */
function withFrontMatter(scope: Scope): Scope {
  return {
    ...scope,
    imported: (name) => {
      const own = scope.imported?.(name) ?? UNKNOWN;
      return own === UNKNOWN && /^front[mM]atter$/.test(name) ? scope.world.frontMatter() : own;
    },
  };
}

export interface Look {
  readonly page: IncludingPage;
  readonly scope: Scope;
  /** Whether a tag of this name may be a component. */
  readonly isComponent: (name: string) => boolean;
  /** The name by which a scope knows it. */
  readonly nameOf: (written: string) => string;
  /** An opening tag as an element, with what `inner` writes between it and its end, and expressions for its other slots; undefined: it is none. */
  readonly elementOf: (
    written: string,
    tag: WrittenTag,
    inner: string,
    slots: ReadonlyMap<string, string>,
  ) => Node | undefined;
  /** The parts of what stands inside, by the names of slots. */
  readonly slotsIn?: (inner: string) => Slots | 'unknown' | undefined;
  /** Components that every page has. */
  readonly shared: (name: string) => Value;
  /** A file of Markdown that every page has by this name. */
  readonly sharedPart: (name: string) => string | undefined;
}

const MDX_TAGS: Pick<Look, 'isComponent' | 'nameOf' | 'elementOf'> = {
  isComponent,
  nameOf: (written) => written.split('.')[0] ?? written,
  elementOf: (written, { name, form }, inner) =>
    expressionOf(form === 'open' ? `${written.slice(0, -1)}>${inner}</${name}>` : written),
};

const DEPTH_MAX = 4;

export function* componentsIn(
  text: string,
  isCode: (offset: number) => boolean,
  look: Look,
  depth: number,
): Generator<Inclusion> {
  const tags = writtenTags(text, isCode);
  const closers = closersOf(tags);
  let behind = 0;
  for (const tag of tags) {
    if (look.page.budget.steps < 0 || look.page.budget.chars < 0) return;
    if (tag.form === 'close' || tag.start < behind) continue;
    if (!isOwn(tag.name, look)) {
      yield* withValues(text, tag, look);
      continue;
    }
    const closer = closers.get(tag);
    if (tag.form === 'open' && closer === undefined) continue;
    const inner = closer === undefined ? '' : text.slice(tag.end, closer.start);
    const part = depth === 0 && inner.trim() === '' ? partOf(tag, look) : undefined;
    if (part !== undefined) {
      behind = closer?.end ?? tag.end;
      yield { start: tag.start, end: behind, files: [part], isRebased: true, adapt: givenTo(tag) };
      continue;
    }
    const put = componentText(text.slice(tag.start, tag.end), tag, inner, look, depth);
    if (put === undefined) continue;
    const end = closer?.end ?? tag.end;
    behind = end;
    const isBare = inner.trim() === '' && isInHeading(text, tag.start);
    yield { start: tag.start, end, text: isBare ? besideHeading(put) : apart(put, text, tag.start, end) };
  }
}

function isInHeading(text: string, start: number): boolean {
  return /^ {0,3}#{1,6}[ \t]/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start));
}

/** Generators make the id of a heading from the text that its author wrote, without what a component shows beside it. */
function besideHeading(html: string): string {
  if (html.includes('&')) return html;
  return html.replaceAll(/(?<=^|>)[^<>]*\S[^<>]*(?=<|$)/g, (shown) => {
    const text = shown.trim();
    return shown.replace(text, () => `<strong class="${HEADING_BADGE}">${text}</strong>`);
  });
}

/** A text of another file, as `MDXComponents` of Docusaurus names it for all pages. */
function partOf({ name }: WrittenTag, { scope, sharedPart }: Look): string | undefined {
  return (scope.imported?.(name) ?? UNKNOWN) === UNKNOWN ? sharedPart(name) : undefined;
}

/** `<Link to={links.start}>` with the value of the name: rules for such tags read texts. */
function* withValues(text: string, { name, start, end, args }: WrittenTag, look: Look): Generator<Inclusion> {
  if (Object.hasOwn(look.page.rules, name)) return;
  const values = Object.entries(args.computed ?? {}).flatMap(([key, expression]) => {
    const root = /^[\w$]+/.exec(expression)?.[0];
    if (!SAID.has(key) || (root === undefined && !TEXT_FIRST.test(expression))) return [];
    if (root !== undefined && (look.scope.imported?.(root) ?? UNKNOWN) === UNKNOWN) return [];
    const node = expressionOf(expression);
    const value = node === undefined ? UNKNOWN : valueOf(node, look.scope);
    // A picture that is imported is known by its path elsewhere.
    return typeof value === 'string' || typeof value === 'number' ? [[key, String(value)] as const] : [];
  });
  let tag = text.slice(start, end);
  for (const [key, value] of values)
    tag = tag.replace(
      new RegExp(String.raw`(\s${key}\s*=\s*)\{\s*${literalPattern(args.computed?.[key] ?? '')}\s*\}`),
      (_, before: string) => `${before}"${inQuotes(value)}"`,
    );
  if (tag !== text.slice(start, end)) yield { start, end, text: tag };
}

/** `'```js ' + example` and a template with names in it. */
const TEXT_FIRST = /^(?:(["'])(?:(?!\1)[^\\\n]|\\.)*\1\s*\+|`[^`]*\$\{)/;
const SAID = new Set('href src to url alt title label value name type id lang code'.split(' '));

function isOwn(name: string, look: Look): boolean {
  const { rules } = look.page;
  return look.isComponent(name) && !isKnownName(name) && !isLockedName(name) && !Object.hasOwn(rules, name);
}

/** Opening tag → its closing one, those of the same name inside counted. */
function closersOf(tags: readonly WrittenTag[]): ReadonlyMap<WrittenTag, WrittenTag> {
  const found = new Map<WrittenTag, WrittenTag>();
  const open = new Map<string, WrittenTag[]>();
  for (const tag of tags) {
    const stack = open.get(tag.name) ?? [];
    open.set(tag.name, stack);
    if (tag.form === 'open') stack.push(tag);
    const opener = tag.form === 'close' ? stack.pop() : undefined;
    if (opener !== undefined) found.set(opener, tag);
  }
  return found;
}

/** What the component shows; undefined where only its own program knows. */
function componentText(
  written: string,
  tag: WrittenTag,
  inner: string,
  look: Look,
  depth: number,
): string | undefined {
  const { scope } = look;
  const first = look.nameOf(tag.name);
  const own = scope.imported?.(first) ?? UNKNOWN;
  const shared = own === UNKNOWN ? look.shared(first) : UNKNOWN;
  if (!isKnown(own) && !isCallable(shared)) return undefined;
  look.page.budget.steps -= Math.floor(inner.length / 50);
  const inside = scopeIn(scope);
  if (isCallable(shared)) inside.names.set(first, shared);
  const text = innerText(inner, look, depth);
  const slots = look.slotsIn?.(text);
  if (slots === 'unknown') return undefined;
  const texts = [slots?.own ?? text, ...(slots?.named.values() ?? [])];
  for (const [at, its] of texts.entries())
    inside.names.set(
      at === 0 ? INNER : slotVariable(at),
      its.trim() === '' ? undefined : { as: 'html', html: `${OPEN}${its}${CLOSE}` },
    );
  const names = new Map([...(slots?.named.keys() ?? [])].map((name, at) => [name, slotVariable(at + 1)]));
  const element = look.elementOf(written, tag, `{${INNER}}`, names);
  if (element === undefined) return undefined;
  const shown = elementHtml(element, inside, valueOf);
  if (!isHtml(shown)) return undefined;
  // What a part does with its inside may be for a browser: words are not dropped because of it.
  if (shown.html.split(OPEN).length - 1 < texts.filter((its) => its.trim() !== '').length) return undefined;
  look.page.budget.chars -= shown.html.length;
  return shown.html;
}

function isKnown(value: Value): boolean {
  return value !== UNKNOWN && value !== undefined;
}

/** A name that no file has for what stands between the tags. */
const INNER = '$inner$';

function slotVariable(at: number): string {
  return `$slot${at}$`;
}

/** Around text of the page inside what a component writes: signs that no text has. */
const OPEN = '\u0001';
const CLOSE = '\u0002';
// oxlint-disable-next-line no-control-regex -- the two signs above
const INSIDE = /\u0001([^\u0001\u0002]*)\u0002/g;

function innerText(inner: string, look: Look, depth: number): string {
  const clean = inner.replaceAll(OPEN, '').replaceAll(CLOSE, '');
  if (depth >= DEPTH_MAX || !/<[A-Za-z]/.test(clean)) return clean;
  let text = '';
  let from = 0;
  for (const { start, end, text: put = '' } of componentsIn(
    clean,
    inRanges(codeIn(clean, true).all),
    look,
    depth + 1,
  )) {
    text += clean.slice(from, start) + put;
    from = end;
  }
  return text + clean.slice(from);
}

const BLOCK = /<(?:div|p|h[1-6]|table|ul|ol|pre|blockquote|section|details|figure|hr|dl|[A-Z][\w.]*)\b/;

/** A line of the page's text that follows one of these is a block of its own. */
const AFTER_BLOCK =
  /(?:^|<\/(?:p|h[1-6]|ul|ol|table|pre|hr|figure)>|<\/?(?:div|section|article|aside|main|header|footer|blockquote|details)\b[^<>]*>)\s*$/;

/** Blocks stand in lines of their own where nothing else stands in theirs; blocks of the page inside stand between blank lines. */
export function apart(html: string, text: string, start: number, end: number): string {
  const hasBlocks = BLOCK.test(html);
  const put = html.replaceAll(INSIDE, (_, inner: string, at: number) => {
    const isBlock = /\n/.test(inner.trim()) || /^\s*\n/.test(inner);
    const isBeside = hasBlocks && AFTER_BLOCK.test(html.slice(Math.max(0, at - 300), at));
    return isBlock || isBeside ? `\n\n${inner.trim()}\n\n` : inner;
  });
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const lineEnd = text.indexOf('\n', end);
  const after = text.slice(end, lineEnd < 0 ? undefined : lineEnd);
  const isAlone = before.trim() === '' && after.trim() === '';
  return isAlone && BLOCK.test(put) ? `\n${put}\n` : put;
}

/** How an expression begins that a page may mean: with a name that a module gives it, or with a list (`{[…].map(…)}`). */
const NAME = /^(?:[A-Za-z_$][\w$]*|\[)/;
const LIST = /^\[/;

/** `{name}` and `{name(…)}` of what a module of the repository, or the page, gives, and what is made of a list. */
function* expressionsIn(
  text: string,
  isCode: (offset: number) => boolean,
  { scope, page }: Look,
  asked: RegExp,
): Generator<Inclusion> {
  const tags = writtenTags(text, isCode);
  let next = 0;
  for (let start = text.indexOf('{'); start >= 0;) {
    while ((tags[next]?.end ?? Infinity) <= start) next += 1;
    const isText =
      !isCode(start) && (tags[next]?.start ?? Infinity) > start && text.charAt(start - 1) !== '\\';
    const end = isText ? behindBraces(text, start, start + 20_000) : -1;
    const written = end < 0 ? '' : text.slice(start + 1, end - 1).trim();
    const isAsked = asked.test(written) && literalText(written) === undefined;
    if (isAsked && !Object.hasOwn(page.rules, written)) {
      const expression = expressionOf(written);
      const value = expression === undefined ? UNKNOWN : valueOf(expression, scope);
      const shown = htmlFrom(value, scope);
      const code =
        typeof value === 'string' ? codeFor(value, tags[next - 1], { text, start, end }) : undefined;
      if (code !== undefined) {
        page.budget.chars -= code.length;
        yield { start, end, text: code };
      } else if (isHtml(shown)) {
        page.budget.chars -= shown.html.length;
        yield { start, end, text: apart(shown.html, text, start, end) };
      }
    } else if (isText && end < 0) page.budget.steps -= STEPS_OF_BRACE;
    if (page.budget.steps < 0 || page.budget.chars < 0) return;
    start = text.indexOf('{', end < 0 ? start + 1 : end);
  }
}

/** `<CodeBlock>{source}</CodeBlock>`: a value alone between the tags is code, whatever signs it has. */
function codeFor(
  value: string,
  tag: WrittenTag | undefined,
  { text, start, end }: { readonly text: string; readonly start: number; readonly end: number },
): string | undefined {
  if (tag?.form !== 'open' || !/^(?:CodeBlock|Code)$/.test(tag.name)) return undefined;
  const isAlone = text.slice(tag.end, start).trim() === '';
  if (!isAlone || !/^\s*<\/\s*Code(?:Block)?\s*>/.test(text.slice(end, end + 200))) return undefined;
  const [lead = ''] = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', tag.start - 1) + 1)) ?? [];
  const language = tag.args.named['language'] ?? tag.args.named['lang'] ?? '';
  const lines = fenced(value, { language }).split('\n');
  return `\n\n${lines.map((line) => `${lead}${line}`).join('\n')}\n\n${lead}`;
}

/** An opening brace without a closing one is looked for over many signs. */
const STEPS_OF_BRACE = 50;

export function expressionOf(source: string): Node | undefined {
  const program = parsedModule(`(${source})`);
  const [statement] = program === undefined ? [] : nodesOf(program, 'body');
  const expression = statement === undefined ? undefined : nodeOf(statement, 'expression');
  return expression?.type === 'ParenthesizedExpression' ? nodeOf(expression, 'expression') : expression;
}

/** The modules that a page can take from, with what they are told of it. */
export function modulesOf(page: IncludingPage): Modules {
  const frontMatterOf = once(() =>
    jsonValue(Object.fromEntries(frontMatter(page.page.readText(page.page.file) ?? '', 'strict').values)),
  );
  return openModules(repositoryOf(page), {
    budget: page.budget,
    depth: 0,
    isKnownPart: isKnownName,
    isPicture: isPictureName,
    isLink: isLinkName,
    hasRule: (name) => Object.hasOwn(page.rules, name),
    frontMatter: frontMatterOf,
  });
}

function repositoryOf({ page }: IncludingPage) {
  return {
    readText: page.readText,
    fromPage: (file: string) => pathBetween(posix.dirname(page.file), file),
    statementsOf: (text: string) => codeIn(text, true).modules.map(([start, end]) => text.slice(start, end)),
    pathsOf: modulePaths(page),
  };
}

const NEXT = ['mdx-components', 'components/mdx', 'components/mdx-components', 'lib/mdx-components'];

/** Where Docusaurus, Next.js and others keep the components of all pages, beside the content or above it. */
const SHARED = ['', '../', '../../'].flatMap((folder) => [
  `${folder}src/theme/MDXComponents`,
  ...['', 'src/'].flatMap((root) => NEXT.map((name) => folder + root + name)),
]);
