import type { LocalProblem } from '../source-text.ts';
import { alertKind } from './alerts.ts';
import { codeRanges, inRanges, rangesOf } from './code-ranges.ts';
import { translateContainers } from './containers.ts';
import type { Range } from './code-ranges.ts';
import { spotsIn } from './edits.ts';
import { tagArguments, translateTags } from './components.ts';
import type { Meaning, Tag } from './components.ts';
import type { ComponentRules, DialectContext, Edit, Translation } from './preset.ts';

const BRACES = String.raw`\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}`;
const COMPONENT = new RegExp(
  String.raw`<(/?)([A-Z][\w.]*)((?:\s+(?:[\w:@.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|${BRACES}|[^\s"'<>{}]+))?|${BRACES}))*)\s*(/?)>`,
  'g',
);
const MODULE = /^(?:import|export)\s[^\n]*(?:\n[^\n]*\S[^\n]*)*/gm;
const HTML_TAG = new RegExp(
  String.raw`<[a-z][a-z0-9-]*((?:\s+[\w:@.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|${BRACES}))?)+)\s*/?>`,
  'g',
);

/** Components by their capital letter, outside code: MDX, and Vue in Markdown. Boxes are known, everything else has rules. */
export function translateComponents(
  body: string,
  code: readonly Range[],
  context: DialectContext,
): Translation {
  if (!/<\/?[A-Z]/.test(body)) return { edits: [], problems: [] };
  const inCode = inRanges(code);
  const tags: Tag[] = [];
  for (const { 0: whole, 1: slash, 2: name = '', 3: rest = '', 4: self, index } of body.matchAll(COMPONENT)) {
    if (inCode(index)) continue;
    const form = slash === '/' ? 'close' : self === '/' ? 'self' : 'open';
    tags.push({ name, form, start: index, end: index + whole.length, args: tagArguments(plainValues(rest)) });
  }
  const shown = ({ name }: Tag): string => `<${name}>`;
  return translateTags(body, tags, { what: 'component', shown, meaning }, context);
}

/** Boxes in `:::`, then what MDX adds, which does not look into them. */
export function translateBoxesAndMdx(body: string, context: DialectContext): Translation {
  const code = codeRanges(body);
  const containers = translateContainers(body, code, context);
  // `:::note{title="x"}` has braces of its own.
  const taken = [...code, ...rangesOf(containers.edits)].sort(([a], [b]) => a - b);
  const mdx = translateMdx(body, taken, context);
  return {
    edits: [...containers.edits, ...mdx.edits],
    problems: [...containers.problems, ...mdx.problems],
  };
}

/** What MDX has besides components: modules, comments, expressions, JSX attributes of HTML tags. */
function translateMdx(body: string, code: readonly Range[], context: DialectContext): Translation {
  const components = translateComponents(body, code, context);
  const inCode = inRanges(code);
  const edits: Edit[] = [];
  const taken: Range[] = components.edits.map(({ start, end }) => [start, end]);
  const remove = (start: number, end: number, text = ''): void => {
    edits.push({ start, end, text });
    taken.push([start, end]);
  };
  for (const { 0: whole, index } of body.matchAll(MODULE)) {
    const isBlockStart =
      index === 0 || /\n[^\S\n]*\n$|^\s*$/.test(body.slice(Math.max(0, index - 80), index));
    if (isBlockStart && !inCode(index)) remove(index, index + whole.length);
  }
  for (const { 0: whole, index } of body.matchAll(/\{\/\*[\s\S]{0,20000}?\*\/\}/g)) {
    if (!inCode(index)) remove(index, index + whole.length);
  }
  for (const { 0: whole, index } of body.matchAll(/<\/?>/g))
    if (!inCode(index)) remove(index, index + whole.length);
  for (const { 0: whole, 1: attributes = '', index } of body.matchAll(HTML_TAG)) {
    const start = index + whole.indexOf(attributes);
    const html = htmlAttributes(attributes);
    if (!inCode(index) && html !== attributes) remove(start, start + attributes.length, html);
  }
  const isTaken = inRanges(taken.filter(([start, end]) => end > start).sort(([a], [b]) => a - b));
  const expressions = translateExpressions(body, /(?<!\\)\{(?!#)([^{}]*)\}/g, {
    skip: (offset) => inCode(offset) || isTaken(offset),
    rules: context.rules,
  });
  return {
    edits: [...components.edits, ...edits, ...expressions.edits],
    problems: [...components.problems, ...expressions.problems],
  };
}

/** `{'text'}` is its text; any other expression is a problem, unless a rule has its very words. */
export function translateExpressions(
  body: string,
  pattern: RegExp,
  { skip, rules }: { readonly skip: (offset: number) => boolean; readonly rules: ComponentRules },
): Translation {
  const edits: Edit[] = [];
  const problems: LocalProblem[] = [];
  const spotAt = spotsIn(body);
  for (const { 0: whole, 1: inside = '', index } of body.matchAll(pattern)) {
    if (skip(index)) continue;
    const name = inside.trim();
    const range = { start: index, end: index + whole.length };
    const literal = /^(?:"([^"]*)"|'([^']*)'|`([^`$]*)`)$/.exec(name);
    if (literal !== null) {
      edits.push({ ...range, text: literal[1] ?? literal[2] ?? literal[3] ?? '' });
      continue;
    }
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const problem = { code: 'unknown-component', what: 'expression', name, shown: whole } as const;
      problems.push({ ...problem, spot: spotAt(index) });
    } else if (rule !== 'keep') edits.push({ ...range, text: rule === 'drop' ? '' : rule.replace });
  }
  return { edits, problems };
}

function meaning({ name, args }: Tag): Meaning | undefined {
  const title = args.named['title'];
  if (/^(?:Aside|Admonition|Callout|Alert)$/.test(name)) {
    return { as: 'alert', kind: alertKind(args.named['type'] ?? '') ?? 'note', title };
  }
  const kind = alertKind(name);
  return kind === undefined ? undefined : { as: 'alert', kind, title };
}

/** `title={'x'}` and `title={"x"}` as `title="x"`. */
function plainValues(attributes: string): string {
  return attributes.replaceAll(
    /=\s*\{\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`)\s*\}/g,
    (_, a?: string, b?: string, c?: string) => `="${a ?? b ?? c ?? ''}"`,
  );
}

const ATTRIBUTE = new RegExp(String.raw`(\s+)([\w:@.-]+)(\s*=\s*(?:"[^"]*"|'[^']*'|${BRACES}))?`, 'g');

/** HTML's spelling; what is computed goes. */
function htmlAttributes(attributes: string): string {
  return plainValues(attributes).replaceAll(ATTRIBUTE, (_, blank: string, name: string, value = '') => {
    if (/=\s*\{/.test(value)) return '';
    const spelled = name === 'className' ? 'class' : name === 'htmlFor' ? 'for' : name;
    return `${blank}${spelled}${value}`;
  });
}
