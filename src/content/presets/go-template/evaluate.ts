import { applied } from './functions.ts';
import type { TemplateInput } from './input.ts';
import type { Node, Pipe, Term } from './template.ts';
import {
  charsOf,
  entryOf,
  isData,
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

function paid(text: string, { input }: Scope): string {
  input.budget.chars -= text.length;
  return input.budget.chars < 0 ? unknown() : text;
}

function shown(value: Result, { input }: Scope): string {
  if (isData(value)) return unknown();
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
  const args = [...rest.map((term) => termValue(term, scope)), ...before];
  // To look through a long text costs more than a step, whatever comes of it.
  const chars = args.reduce<number>((sum, value) => sum + charsOf(value), 0);
  scope.input.budget.steps -= Math.floor(chars / 100);
  if (chars > 10 * VALUE_CHARS_MAX) unknown();
  return name.startsWith('.') || name.startsWith('$') || /^(?:site|hugo)(?:\.|$)/.test(name)
    ? asked(name, args, scope)
    : applied(name, args, scope.input);
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
