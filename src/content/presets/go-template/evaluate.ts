import { literalPattern } from '../../../text/literal-pattern.ts';
import type { Node, Pipe, Term } from './template.ts';

export type Value = string | number | boolean | undefined;

/** What a template can ask for. */
export interface TemplateInput {
  /** `.Get "name"` and `.Get 0`. */
  readonly argument: (name: string | number) => Value;
  readonly hasNamed: boolean;
  /** What stands between the tags; undefined: there is no closing tag. */
  readonly inner: string | undefined;
  /** `site.Params.a.b` by `a.b`; undefined: the settings have none. */
  readonly siteParam: (path: string) => Value;
  /** `.Page.Param "a"` */
  readonly pageParam: (path: string) => Value;
  /** `site.Data.a.b` by `a.b`: lists, maps and values of a file, null for what it does not have; undefined: there is no file, perhaps a theme elsewhere has it. */
  readonly data: (path: string) => unknown;
  /** The page's own file, from the content folder. */
  readonly pageFile: string;
  /** `readFile "a.md"`, from the site's own folder. */
  readonly file: (path: string) => string | undefined;
  /** A text of one line or of several as it is rendered. */
  readonly markdown: (text: string) => string;
  /** Text that is no markup. */
  readonly escaped: (text: string) => string;
  /** Steps that all templates of a page together may still take, and characters that they may write. */
  readonly budget: { steps: number; chars: number };
}

/** A value of a few calls can double itself with each line of a template. */
const VALUE_CHARS_MAX = 100_000;

/** Something in the template is not known here, so nobody can say what it writes. */
class Unknown extends Error {}

/** A text that is markup already. */
interface Markup {
  readonly markup: string;
}
/** A list or a map. */
interface Data {
  readonly data: readonly unknown[] | Readonly<Record<string, unknown>>;
}
type Result = Value | Markup | Data;

/** What a template writes; undefined where it asks for something that only Hugo knows. */
export function evaluatedTemplate(nodes: readonly Node[], input: TemplateInput): string | undefined {
  try {
    return written(nodes, { input, values: new Map(), dot: undefined, isTop: true });
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

interface Scope {
  readonly input: TemplateInput;
  readonly values: Map<string, Result>;
  /** `.` in a `with`. */
  readonly dot: Result;
  readonly isTop: boolean;
}

function written(nodes: readonly Node[], scope: Scope): string {
  let text = '';
  for (const node of nodes) {
    scope.input.budget.steps -= 1;
    if (scope.input.budget.steps < 0) throw new Unknown();
    if (node.is === 'text') text += paid(node.text, scope);
    else if (node.is === 'set') scope.values.set(node.name, piped(node.pipe, scope));
    else if (node.is === 'output') text += paid(shown(piped(node.pipe, scope), scope), scope);
    else {
      const value = piped(node.pipe, scope);
      if (node.is === 'range') text += repeated(node, value, scope);
      else if (isTrue(value)) {
        const [name] = node.names;
        if (name !== undefined) scope.values.set(name, value);
        const inner = node.is === 'with' ? { ...scope, dot: value, isTop: false } : scope;
        text += written(node.whenTrue, inner);
      } else text += written(node.otherwise, scope);
    }
  }
  return text;
}

function repeated(
  { names, whenTrue, otherwise }: Extract<Node, { readonly is: 'if' | 'with' | 'range' }>,
  value: Result,
  scope: Scope,
): string {
  if (value === undefined) return written(otherwise, scope);
  if (!isData(value)) return unknown();
  const entries = Array.isArray(value.data)
    ? [...value.data.entries()]
    : Object.entries(value.data).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return written(otherwise, scope);
  const [first, second] = names;
  let text = '';
  for (const [key, entry] of entries) {
    const dot = resultOf(entry);
    if (second !== undefined) scope.values.set(second, dot);
    if (first !== undefined) scope.values.set(first, second === undefined ? dot : key);
    text += written(whenTrue, { ...scope, dot, isTop: false });
  }
  return text;
}

function isData(value: Result): value is Data {
  return typeof value === 'object' && 'data' in value;
}

function resultOf(value: unknown): Result {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return { data: value };
  return typeof value === 'object' ? { data: { ...value } } : unknown();
}

/** What a list or a map has at a key; nothing where it has none. */
function entryOf(value: Result, key: Result): Result {
  if (!isData(value)) return value === undefined ? undefined : unknown();
  const name = plain(key);
  return Object.hasOwn(value.data, name) ? resultOf(Reflect.get(value.data, name)) : undefined;
}

function paid(text: string, { input }: Scope): string {
  input.budget.chars -= text.length;
  return input.budget.chars < 0 ? unknown() : text;
}

function shown(value: Result, { input }: Scope): string {
  if (isData(value)) return unknown();
  if (typeof value === 'object') return value.markup;
  return value === undefined ? '' : input.escaped(String(value));
}

function isTrue(value: Result): boolean {
  if (isData(value)) return Object.keys(value.data).length > 0;
  if (typeof value === 'object') return value.markup !== '';
  return value !== undefined && value !== '' && value !== 0 && value !== false;
}

function plain(value: Result): string {
  if (isData(value)) return unknown();
  if (typeof value === 'object') return value.markup;
  return value === undefined ? '' : String(value);
}

function charsOf(value: Result): number {
  return isData(value) ? 0 : plain(value).length;
}

function piped(pipe: Pipe, scope: Scope): Result {
  let value: Result;
  for (const [at, command] of pipe.entries()) {
    scope.input.budget.steps -= 1;
    if (scope.input.budget.steps < 0) throw new Unknown();
    value = called(command, at === 0 ? [] : [value], scope);
    if (typeof value === 'string' && value.length > VALUE_CHARS_MAX) return unknown();
    // To read and to write a long text costs more than a step.
    scope.input.budget.steps -= Math.floor(charsOf(value) / 100);
  }
  return value;
}

function called(command: readonly Term[], before: readonly Result[], scope: Scope): Result {
  const [first, ...rest] = command;
  if (first === undefined) throw new Unknown();
  if (first.is !== 'name') {
    if (rest.length + before.length > 0) throw new Unknown();
    return first.is === 'value' ? first.value : piped(first.pipe, scope);
  }
  const { name } = first;
  // `and` and `or` stop at the first that decides.
  if (before.length === 0 && (name === 'and' || name === 'or')) {
    let value: Result;
    for (const term of rest) {
      value = termValue(term, scope);
      if (isTrue(value) === (name === 'or')) return value;
    }
    return value;
  }
  const args = [...rest.map((term) => termValue(term, scope)), ...before];
  // To look through a long text costs more than a step, whatever comes of it.
  const chars = args.reduce<number>((sum, value) => sum + charsOf(value), 0);
  scope.input.budget.steps -= Math.floor(chars / 100);
  if (chars > 10 * VALUE_CHARS_MAX) unknown();
  return name.startsWith('.') || name.startsWith('$') || /^(?:site|hugo)(?:\.|$)/.test(name)
    ? asked(name, args, scope)
    : applied(name, args, scope);
}

function termValue(term: Term, scope: Scope): Result {
  return called([term], [], scope);
}

/** A value of the page, the site or the call. */
function asked(name: string, args: readonly Result[], { input, values, dot, isTop }: Scope): Result {
  const { inner } = input;
  const [variable = ''] = /^\$\w+/.exec(name) ?? [];
  if (variable !== '') {
    if (args.length > 0 || !values.has(variable)) throw new Unknown();
    return fieldOf(values.get(variable), name.slice(variable.length));
  }
  if (name === '.' && !isTop) return dot;
  if (name.startsWith('.') && !isTop && isData(dot)) return fieldOf(dot, name);
  const isOfCall = name.startsWith('$.') || isTop || /^(?:site|hugo)\./.test(name);
  if (!isOfCall) throw new Unknown();
  const path = name.replace(/^\$?\./, '').replace(/^(?:(?:Page\.)?Site\.|hugo\.(?=Data\.))/, 'site.');
  if (path === 'Get' && args.length === 1) {
    const [key] = args;
    return typeof key === 'string' || typeof key === 'number' ? input.argument(key) : undefined;
  }
  if (path === 'Inner') {
    if (inner === undefined) throw new Unknown();
    return { markup: inner };
  }
  if (path === 'IsNamedParams') return input.hasNamed;
  if (path === 'Page.File.Ext') return 'md';
  if (path === 'Page.File.Path') return input.pageFile;
  if (path.startsWith('site.Data.') && args.length === 0) {
    const found = input.data(path.slice('site.Data.'.length));
    return found === undefined ? unknown() : resultOf(found);
  }
  if (path === 'Page.Param' && args.length === 1) return known(input.pageParam(plain(args[0])));
  if (path.startsWith('Page.Params.')) return known(input.pageParam(path.slice('Page.Params.'.length)));
  if (path.startsWith('site.Params.')) return known(input.siteParam(path.slice('site.Params.'.length)));
  // It notes something for the page's own template.
  if (/^Page\.(?:Store|Scratch)\.Set$/.test(path)) return undefined;
  throw new Unknown();
}

/** `.a.b` of a list or a map; what is none has no parts that are known here. */
function fieldOf(value: Result, path: string): Result {
  return path
    .split('.')
    .filter((name) => name !== '')
    .reduce<Result>((found, name) => entryOf(found, name), value);
}

function known(value: Value): Value {
  if (value === undefined) throw new Unknown();
  return value;
}

function applied(name: string, args: readonly Result[], { input }: Scope): Result {
  const [a, b, c] = args;
  const last = args.at(-1);
  switch (
    name.replace(/^(?:strings|transform|safe|compare|os|fmt|urls|cast|collections)\./, '').toLowerCase()
  ) {
    case 'default':
      return isTrue(b) ? b : a;
    case 'markdownify':
      return { markup: input.markdown(plain(last)) };
    case 'safehtml':
    case 'safeurl':
    case 'safecss':
    case 'safehtmlattr':
    case 'html':
      return { markup: plain(last) };
    case 'htmlunescape':
    case 'string':
    case 'tostring':
    case 'print':
    case 'chomp':
    case 'plainify':
      return args.length === 1 ? a : args.map(plain).join('');
    case 'htmlescape':
      return { markup: input.escaped(plain(last)) };
    case 'lower':
    case 'tolower':
      return plain(last).toLowerCase();
    case 'upper':
    case 'toupper':
      return plain(last).toUpperCase();
    case 'title':
    case 'humanize':
      return plain(last).replace(/^\p{L}/u, (letter) => letter.toUpperCase());
    case 'trim':
      return c === undefined && plain(b).trim() === '' ? plain(a).trim() : unknown();
    case 'trimspace':
      return plain(last).trim();
    case 'replace':
      return replaced(plain(a), plain(b), plain(c));
    case 'replacere': {
      const pattern = /^(\^?)([\w .:/-]*)(\$?)$/.exec(plain(a));
      if (pattern === null) return unknown();
      const [, start = '', text = '', end = ''] = pattern;
      // A dot means any sign.
      if (text === '' || text.includes('.') || isLong(plain(c), text, plain(b))) return unknown();
      return plain(c).replaceAll(new RegExp(`${start}${literalPattern(text)}${end}`, 'g'), () => plain(b));
    }
    case 'hasprefix':
      return plain(a).startsWith(plain(b));
    case 'hassuffix':
      return plain(a).endsWith(plain(b));
    case 'in':
      return isLong(plain(a), plain(b)) ? unknown() : plain(a).includes(plain(b));
    case 'printf':
      return formatted(plain(a), args.slice(1));
    case 'relurl':
    case 'absurl':
    case 'rellangurl':
      return /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(plain(last)) ? plain(last) : `/${plain(last)}`;
    case 'cond':
      return isTrue(a) ? b : c;
    case 'not':
      return !isTrue(a);
    case 'eq':
      return args.slice(1).some((each) => plain(each) === plain(a));
    case 'ne':
      return plain(a) !== plain(b);
    case 'gt':
      return Number(plain(a)) > Number(plain(b));
    case 'ge':
      return Number(plain(a)) >= Number(plain(b));
    case 'lt':
      return Number(plain(a)) < Number(plain(b));
    case 'le':
      return Number(plain(a)) <= Number(plain(b));
    case 'len':
      return isData(a ?? '') ? Object.keys((a as Data).data).length : plain(a).length;
    case 'index':
      return args.slice(1).reduce<Result>(entryOf, a);
    case 'split':
      return isLong(plain(a), plain(b)) ? unknown() : { data: plain(a).split(plain(b)) };
    case 'slice':
      return { data: args.map((each) => (isData(each) ? each.data : plain(each))) };
    case 'delimit':
      return isData(a) && Array.isArray(a.data)
        ? a.data.map((each) => plain(resultOf(each))).join(plain(b))
        : unknown();
    case 'urlquery':
    case 'query':
      return encodeURIComponent(plain(last)).replaceAll('%20', '+');
    case 'fileexists':
      return input.file(plain(last)) !== undefined;
    // Templates make ids of it: the next one differs.
    case 'now.unixnano':
    case 'time.now.unixnano':
    case 'now.unix':
      return input.budget.steps;
    case 'warnf':
      return undefined;
    case 'highlight': {
      const code = plain(a);
      const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
      const fence = '`'.repeat(longest + 1);
      return { markup: input.markdown(`${fence}${plain(b)}\n${code.trimEnd()}\n${fence}`) };
    }
    case 'readfile': {
      const text = input.file(plain(last));
      return text ?? unknown();
    }
    default:
      return unknown();
  }
}

function unknown(): never {
  throw new Unknown();
}

function replaced(text: string, from: string, to: string): string {
  return from === '' || isLong(text, from, to) ? unknown() : text.replaceAll(from, () => to);
}

/** Whether it takes long to look for a part of a text, or the text might be too long with another one in each place. */
function isLong(text: string, part: string, other = ''): boolean {
  return part.length > PART_CHARS_MAX || text.length * (other.length + 1) > 10 * VALUE_CHARS_MAX;
}

/** A search may compare all of a part at each sign of a text. */
const PART_CHARS_MAX = 200;

function formatted(pattern: string, args: readonly Result[]): string {
  let at = 0;
  if (/%(?![sdvq%])/.test(pattern) || args.length > 10) unknown();
  return pattern.replaceAll(/%([sdvq%])/g, (_, sign: string) => {
    if (sign === '%') return '%';
    const value = plain(args[at]);
    at += 1;
    return sign === 'q' ? `"${value}"` : value;
  });
}
