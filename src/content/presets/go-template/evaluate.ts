import { applied } from './functions.ts';
import type { TemplateInput } from './input.ts';
import type { Node, Pipe, Term } from './template.ts';
import {
  charsOf,
  entryOf,
  isData,
  isPage,
  isTrue,
  plain,
  resultOf,
  Unknown,
  unknown,
  VALUE_CHARS_MAX,
} from './value.ts';
import type { Result, Value } from './value.ts';

/** What a template writes; undefined where it asks for something that only Hugo knows. */
export function evaluatedTemplate(nodes: readonly Node[], input: TemplateInput): string | undefined {
  try {
    return written(nodes, { input, values: new Map(), dot: undefined, isTop: true, depth: 0 });
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
  /** In a partial: what it was given, which is `$` there; undefined: the shortcode's own call. */
  readonly given?: { readonly value: Result };
  /** Partials around it. */
  readonly depth: number;
}

const PARTIALS_DEEP_MAX = 10;

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

function paid(text: string, { input }: Scope): string {
  input.budget.chars -= text.length;
  return input.budget.chars < 0 ? unknown() : text;
}

function shown(value: Result, { input }: Scope): string {
  if (isData(value) || isPage(value)) return unknown();
  if (typeof value === 'object') return value.markup;
  return value === undefined ? '' : input.escaped(String(value));
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
  if (/^(?:partial|partialCached|partials\.Include(?:Cached)?)$/.test(name) && before.length === 0)
    return partial(rest, scope);
  const args = [...rest.map((term) => termValue(term, scope)), ...before];
  // To look through a long text costs more than a step, whatever comes of it.
  const chars = args.reduce<number>((sum, value) => sum + charsOf(value), 0);
  scope.input.budget.steps -= Math.floor(chars / 100);
  if (chars > 10 * VALUE_CHARS_MAX) unknown();
  return name.startsWith('.') || name.startsWith('$') || /^(?:site|hugo)(?:\.|$)/.test(name)
    ? asked(name, args, scope)
    : applied(name, args, scope.input);
}

/** A template of its own with what it is given (https://gohugo.io/functions/partials/include/). */
function partial([file, context]: readonly Term[], scope: Scope): Result {
  const name = file === undefined ? undefined : termValue(file, scope);
  const nodes =
    typeof name === 'string' && scope.depth < PARTIALS_DEEP_MAX ? scope.input.partial(name) : undefined;
  if (nodes === undefined) return unknown();
  const inner = { input: scope.input, values: new Map<string, Result>(), depth: scope.depth + 1 };
  // The shortcode's own call, as `.` at its top and as `$`.
  const isCall =
    scope.given === undefined &&
    context?.is === 'name' &&
    (context.name === '$' || (context.name === '.' && scope.isTop));
  if (isCall) return { markup: written(nodes, { ...inner, dot: undefined, isTop: true }) };
  const value = context === undefined ? undefined : termValue(context, scope);
  return { markup: written(nodes, { ...inner, dot: value, isTop: false, given: { value } }) };
}

function termValue(term: Term, scope: Scope): Result {
  return called([term], [], scope);
}

/** A value of the page, the site or the call. */
function asked(name: string, args: readonly Result[], { input, values, dot, isTop, given }: Scope): Result {
  const { inner } = input;
  const [variable = ''] = /^\$\w+/.exec(name) ?? [];
  if (variable !== '') {
    if (args.length > 0 || !values.has(variable)) throw new Unknown();
    return fieldOf(values.get(variable), name.slice(variable.length));
  }
  if (name === '.' && !isTop) return dot;
  if (name.startsWith('.') && !isTop && (isData(dot) || isPage(dot))) return fieldOf(dot, name);
  if (given !== undefined && name.startsWith('$')) return fieldOf(given.value, name.slice(1));
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
  if (path === 'Ordinal') return input.ordinal;
  if (/^(?:site|Page)\.GetPage$/.test(path) && args.length === 1) return input.pageAt(plain(args[0]));
  if (path === 'Page.File.Ext') return 'md';
  if (path === 'Page.File.Path') return input.pageFile;
  if (path.startsWith('site.Data.') && args.length === 0) {
    const found = input.data(path.slice('site.Data.'.length));
    return found === undefined ? unknown() : resultOf(found);
  }
  if (path === 'Page.Param' && args.length === 1) return known(input.pageParam(plain(args[0])));
  if (path.startsWith('Page.Params.')) return known(input.pageParam(path.slice('Page.Params.'.length)));
  if (path.startsWith('site.Params.')) return known(input.siteParam(path.slice('site.Params.'.length)));
  // A help centre lists the headings of a page by itself.
  if (path === 'Page.TableOfContents' || path === 'TableOfContents') return undefined;
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
