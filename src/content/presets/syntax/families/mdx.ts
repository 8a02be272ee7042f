import type { LocalProblem } from '../../../source-text.ts';
import type { Edit } from '../../preset.ts';
import { inRanges } from '../code-ranges.ts';
import type { Range } from '../code-ranges.ts';
import { NOTHING, explained } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { behindBraces, literalText } from '../javascript.ts';
import type { Tag } from '../tag.ts';
import { COMPONENT, isComponent, outsideComments } from './components.ts';
import { HTML } from './jsx-html.ts';
import { writtenTags } from './jsx-tags.ts';
import type { WrittenTag } from './jsx-tags.ts';

/** What MDX adds to Markdown: modules, expressions, comments in braces, and tags of components and of HTML as JSX. */
export function mdx(source: Source): Found {
  const { body, context, isTaken, modules } = source;
  if (!context.isMdx || !/[<{]|^(?:import|export)\s/m.test(body)) return NOTHING;
  const isText = outsideComments(body, isTaken);
  const values = valuesIn(modules.map(([start, end]) => body.slice(start, end)));
  const tags = writtenTags(body, (offset) => isText(offset) || isAddress(body, offset));
  const expressions = expressionsIn(source, values, isText, tags);
  const inExpression = inRanges(expressions.edits.map(({ start, end }) => [start, end]));
  const outside = tags.filter(({ start }) => !inExpression(start));
  return {
    tags: outside.map((tag): Tag => ({
      ...withImports(tag, values),
      syntax: isComponent(tag.name) ? COMPONENT : HTML,
    })),
    edits: [...modules.map(([start, end]) => ({ start, end, text: '' })), ...expressions.edits],
    problems: expressions.problems,
  };
}

/** `[text](<address>)` */
function isAddress(body: string, offset: number): boolean {
  return body.charAt(offset - 1) === '(' && body.charAt(offset - 2) === ']';
}

/** Names that stand for a text: `export const version = '1.2'`, `import logo from './logo.png'` by its path. */
function valuesIn(modules: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const statement of modules) noteValues(statement, values);
  return values;
}

function noteValues(statement: string, values: Map<string, string>): void {
  const [head = '', constant] = /^export\s+(?:const|let|var)\s+([\w$]+)\s*=/.exec(statement) ?? [];
  const value = statement.slice(head.length).trim().replace(/;$/, '').trim();
  const text = head === '' || value.includes(';') ? undefined : literalText(value);
  if (constant !== undefined && text !== undefined) values.set(constant, text);
  const [, name, path] = /^import\s+([\w$]+)\s+from\s*["']([^"']+)["']/.exec(statement) ?? [];
  if (name !== undefined && path !== undefined) values.set(name, path);
}

/** `src={logo}` with `import logo from './logo.png'`. */
function withImports(tag: WrittenTag, values: ReadonlyMap<string, string>): WrittenTag {
  const { computed } = tag.args;
  if (computed === undefined || values.size === 0) return tag;
  const known = Object.entries(computed).flatMap(([name, expression]) => {
    const value = values.get(expression.replace(/\.(?:src|default)$/, ''));
    return value === undefined ? [] : [[name, value] as const];
  });
  if (known.length === 0) return tag;
  return { ...tag, args: { ...tag.args, named: { ...tag.args.named, ...Object.fromEntries(known) } } };
}

/** Behind so many braces without an end, one that has its end far away is none. */
const UNCLOSED_MAX = 100;

/** `[text](https://a.dev/?q={…})`: braces inside of an address are signs of it. */
function addressesIn(body: string): readonly Range[] {
  if (!body.includes('](')) return [];
  return [...body.matchAll(/\]\((?=[^\s(){}<])[^\s()]*(?:\([^\s()]*\)[^\s()]*)*/g)].map(
    ({ 0: whole, index }): Range => [index, index + whole.length],
  );
}

/** `{'text'}` is its text, a comment nothing, `{name}` of a constant its value; any other is a problem unless a rule has its words. */
function expressionsIn(
  source: Source,
  values: ReadonlyMap<string, string>,
  isText: (offset: number) => boolean,
  tags: readonly WrittenTag[],
): { readonly edits: readonly Edit[]; readonly problems: readonly LocalProblem[] } {
  const { body, context, spotAt } = source;
  const edits: Edit[] = [];
  const problems: LocalProblem[] = [];
  let next = 0;
  const isInAddress = inRanges(addressesIn(body));
  const last = body.lastIndexOf('}');
  let unclosed = 0;
  for (let start = body.indexOf('{'); start >= 0 && start < last;) {
    while ((tags[next]?.end ?? Infinity) <= start) next += 1;
    const isInTag = (tags[next]?.start ?? Infinity) < start;
    const isId = body.charAt(start + 1) === '#' && /^\{#[^\s{}]+\}\s*$/m.test(lineRest(body, start));
    const end =
      isText(start) || isInTag || isId || isInAddress(start) || body.charAt(start - 1) === '\\'
        ? -1
        : behindBraces(body, start, start + (unclosed < UNCLOSED_MAX ? 20_000 : 500));
    if (end < 0) {
      if (!isText(start) && !isInTag) unclosed += 1;
      start = body.indexOf('{', start + 1);
      continue;
    }
    const name = body.slice(start + 1, end - 1).trim();
    // Elements in braces are what they would be without; `{…}` inside is read next.
    if (/^<[A-Za-z>][^]*>$/.test(name)) {
      edits.push({ start, end: start + 1, text: '' }, { start: end - 1, end, text: '' });
      start = body.indexOf('{', start + 1);
      continue;
    }
    const whole = body.slice(start, end);
    const found = explained({ start, whole, name, value: expressionText(name, values) }, { context, spotAt });
    // What stays as it is counts as seen.
    edits.push(...(found.edits.length > 0 ? found.edits : [{ start, end, text: whole }]));
    problems.push(...found.problems);
    start = body.indexOf('{', end);
  }
  return { edits, problems };
}

function lineRest(body: string, start: number): string {
  const end = body.indexOf('\n', start);
  return body.slice(start, end < 0 ? body.length : end);
}

/** An expression of comments alone is empty (JSX: JSXEmptyExpression). Each character has one way through the pattern. */
const COMMENTS = /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*(?:\n|$))*$/;

function expressionText(name: string, values: ReadonlyMap<string, string>): string | undefined {
  const id = /^\/\*\s*(#[\w:.-]+)\s*\*\/$/.exec(name)?.[1];
  if (id !== undefined) return `{${id}}`;
  if (COMMENTS.test(name)) return '';
  const literal = literalText(name) ?? values.get(name);
  return literal?.replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`);
}
