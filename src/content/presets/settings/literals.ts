import { posix } from 'node:path';
import { keyOf, nodeOf, nodesOf, parsedModule, templateTexts, textOf } from '../estree.ts';
import type { Node } from '../estree.ts';

/**
 * A call in settings, such as `starlight({ … })`: what it gives is not known, only what it is given. Nothing is ever run.
 */
export interface Call {
  readonly call: string;
  readonly given: readonly unknown[];
}

/**
 * The literal parts of the settings that a JavaScript or TypeScript file exports: texts, numbers, truth values, lists and
 * mappings, constants of the same file, and calls by their name. What needs to be run is undefined. Undefined for a file
 * that cannot be parsed.
 */
export function exportedLiterals(source: string, imported: Imports = () => undefined): unknown {
  return exportsOf(source, imported).get('default');
}

/** The text of a file that the settings import, by the address that they write (`./locales.json`). */
export type Imports = (address: string) => string | undefined;

/** The same of every name that the file exports. */
export function exportsOf(source: string, imported: Imports = () => undefined): ReadonlyMap<string, unknown> {
  const program = parsedModule(source);
  if (program === undefined) return new Map();
  const scope: Scope = {
    constants: new Map(),
    values: new Map(),
    depth: 0,
    budget: { nodes: NODES_MAX },
  };
  const named: string[] = [];
  let exported: Node | undefined;
  for (const statement of nodesOf(program, 'body')) {
    if (statement.type === 'ImportDeclaration') declareImport(statement, scope, imported);
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? nodeOf(statement, 'declaration') : statement;
    if (declaration !== undefined) {
      const names = declare(declaration, scope);
      if (statement.type === 'ExportNamedDeclaration') named.push(...names);
    }
    if (statement.type === 'ExportDefaultDeclaration') exported = nodeOf(statement, 'declaration');
    exported = moduleExports(statement) ?? exported;
  }
  const found = new Map<string, unknown>();
  for (const name of named) {
    const constant = scope.constants.get(name);
    if (constant !== undefined) found.set(name, valueOf(constant, scope));
  }
  if (exported !== undefined) found.set('default', settingsIn(valueOf(exported, scope)));
  return found;
}

/** Values of another file of the site, one step away: JSON, or the literal parts of JavaScript. */
function declareImport(statement: Node, scope: Scope, imported: Imports): void {
  const address: unknown = Reflect.get(nodeOf(statement, 'source') ?? {}, 'value');
  if (typeof address !== 'string' || !address.startsWith('.')) return;
  const text = imported(address);
  if (text === undefined) return;
  const isJson = address.endsWith('.json');
  const values = exportsOf(isJson ? `export default ${text}` : text, () => undefined);
  for (const specifier of nodesOf(statement, 'specifiers')) {
    const local = textOf(nodeOf(specifier, 'local'), 'name');
    const name = textOf(nodeOf(specifier, 'imported'), 'name') ?? 'default';
    if (local !== undefined && values.has(name)) scope.values.set(local, values.get(name));
  }
}

/** What `name(…)` is given as its first argument, anywhere in a list: a plugin's options. */
export function givenTo(list: unknown, name: string): unknown {
  const items: readonly unknown[] = Array.isArray(list) ? list.flat() : [];
  return items.filter(isCall).find(({ call }) => call === name)?.given[0];
}

interface Scope {
  readonly constants: Map<string, Node>;
  readonly values: Map<string, unknown>;
  readonly depth: number;
  readonly budget: { nodes: number };
}

/** Deeper settings are none; a constant that means itself never ends. */
const DEPTH_MAX = 40;
/** Lists and texts that are made of themselves twice grow without an end. */
const NODES_MAX = 200_000;
const CHARS_MAX = 500_000;

/** Constants and functions, by their names. */
function declare(declaration: Node, scope: Scope): readonly string[] {
  const names: string[] = [];
  if (declaration.type === 'FunctionDeclaration') {
    const name = textOf(nodeOf(declaration, 'id'), 'name');
    if (name !== undefined) scope.constants.set(name, declaration);
    return name === undefined ? [] : [name];
  }
  for (const each of nodesOf(declaration, 'declarations')) {
    const name = textOf(nodeOf(each, 'id'), 'name');
    const init = nodeOf(each, 'init');
    if (name === undefined || init === undefined) continue;
    scope.constants.set(name, init);
    names.push(name);
  }
  return names;
}

/** `module.exports = …` */
function moduleExports(statement: Node): Node | undefined {
  const expression = statement.type === 'ExpressionStatement' ? nodeOf(statement, 'expression') : undefined;
  if (expression?.type !== 'AssignmentExpression') return undefined;
  const left = nodeOf(expression, 'left');
  const object = textOf(left === undefined ? undefined : nodeOf(left, 'object'), 'name');
  const property = textOf(left === undefined ? undefined : nodeOf(left, 'property'), 'name');
  return object === 'module' && property === 'exports' ? nodeOf(expression, 'right') : undefined;
}

/** `defineConfig({ … })` and `withPlugin(defineConfig({ … }))` are their first mapping. */
function settingsIn(value: unknown): unknown {
  let found = value;
  for (let depth = 0; isCall(found) && depth < DEPTH_MAX; depth += 1)
    found = found.given.find((given) => typeof given === 'object' && given !== null);
  return found;
}

export function isCall(value: unknown): value is Call {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, 'call') &&
    Object.hasOwn(value, 'given')
  );
}

function valueOf(node: Node, above: Scope): unknown {
  above.budget.nodes -= 1;
  if (above.depth > DEPTH_MAX || above.budget.nodes < 0) return undefined;
  const scope = { ...above, depth: above.depth + 1 };
  const inside = (key: string): unknown => {
    const child = nodeOf(node, key);
    return child === undefined ? undefined : valueOf(child, scope);
  };
  switch (node.type) {
    case 'Literal':
      return literal(Reflect.get(node, 'value'));
    case 'TemplateLiteral':
      return templateText(node, scope);
    case 'ArrayExpression':
      return listOf(node, scope);
    case 'ObjectExpression':
      return mappingOf(node, scope);
    case 'Identifier': {
      const name = textOf(node, 'name') ?? '';
      const constant = scope.constants.get(name);
      return constant === undefined ? scope.values.get(name) : valueOf(constant, scope);
    }
    case 'BinaryExpression': {
      const [left, right] = [inside('left'), inside('right')];
      const isSum = Reflect.get(node, 'operator') === '+';
      return isSum && typeof left === 'string' && typeof right === 'string' ? short(left, right) : undefined;
    }
    case 'UnaryExpression': {
      const argument = inside('argument');
      if (Reflect.get(node, 'operator') === '!' && typeof argument === 'boolean') return !argument;
      return Reflect.get(node, 'operator') === '-' && typeof argument === 'number' ? -argument : undefined;
    }
    case 'CallExpression': {
      const own = calledHere(node, scope);
      if (own !== undefined) return own.value;
      const path = pathText(node, scope);
      if (path !== undefined) return path;
      return {
        call: nameOf(nodeOf(node, 'callee')),
        given: nodesOf(node, 'arguments').map((argument) => valueOf(argument, scope)),
      } satisfies Call;
    }
    case 'NewExpression': {
      // `new URL('https://acme.dev')`; with a base it is a file.
      const [address, base] = nodesOf(node, 'arguments');
      const isUrl = nameOf(nodeOf(node, 'callee')) === 'URL' && base === undefined;
      return isUrl && address !== undefined ? valueOf(address, scope) : undefined;
    }
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return returned(node, scope);
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'AwaitExpression':
      return inside(node.type === 'AwaitExpression' ? 'argument' : 'expression');
    default:
      return undefined;
  }
}

/** What a function of the same file, or of one that it imports, gives back when it is given nothing. */
function calledHere(node: Node, scope: Scope): { readonly value: unknown } | undefined {
  const name = textOf(nodeOf(node, 'callee'), 'name');
  if (name === undefined || nodesOf(node, 'arguments').length > 0) return undefined;
  const its = scope.constants.get(name);
  if (its !== undefined) return /Function/.test(its.type) ? { value: valueOf(its, scope) } : undefined;
  return scope.values.has(name) ? { value: scope.values.get(name) } : undefined;
}

/** `path.join(__dirname, 'docs')` and `resolve(import.meta.dirname, '../docs')`: the path from the folder of the file. */
function pathText(node: Node, scope: Scope): string | undefined {
  const [first, ...rest] = nodesOf(node, 'arguments');
  if (first === undefined || !/^(?:join|resolve)$/.test(nameOf(nodeOf(node, 'callee')))) return undefined;
  if (!isFolderOfFile(first)) return undefined;
  const parts = rest.map((part) => valueOf(part, scope));
  return parts.every((part) => typeof part === 'string') ? posix.join('.', ...parts) : undefined;
}

/** The folder of the file, or the one where the tool runs, which is that of its settings. */
function isFolderOfFile(node: Node): boolean {
  if (textOf(node, 'name') === '__dirname') return true;
  if (node.type === 'CallExpression') return nameOf(nodeOf(node, 'callee')) === 'cwd';
  const property = nodeOf(node, 'property');
  return (
    nodeOf(node, 'object')?.type === 'MetaProperty' &&
    property !== undefined &&
    textOf(property, 'name') === 'dirname'
  );
}

function literal(value: unknown): unknown {
  return ['string', 'number', 'boolean'].includes(typeof value) || value === null ? value : undefined;
}

function templateText(node: Node, scope: Scope): string | undefined {
  const values = nodesOf(node, 'expressions').map((expression) => valueOf(expression, scope));
  if (!values.every((value) => typeof value === 'string')) return undefined;
  return short(...templateTexts(node).flatMap((text, index) => [text, values[index] ?? '']));
}

function short(...texts: readonly string[]): string | undefined {
  return texts.reduce((chars, { length }) => chars + length, 0) > CHARS_MAX ? undefined : texts.join('');
}

function listOf(node: Node, scope: Scope): readonly unknown[] {
  return nodesOf(node, 'elements').flatMap((element): readonly unknown[] => {
    if (element.type !== 'SpreadElement') return [valueOf(element, scope)];
    const spread = nodeOf(element, 'argument');
    const items = spread === undefined ? undefined : valueOf(spread, scope);
    // A gap says that the list is not known whole.
    return Array.isArray(items) ? items : [undefined];
  });
}

function mappingOf(node: Node, scope: Scope): Readonly<Record<string, unknown>> {
  const entries: [string, unknown][] = [];
  for (const property of nodesOf(node, 'properties')) {
    if (property.type === 'SpreadElement') {
      const spread = nodeOf(property, 'argument');
      // `...defineConfig({ … })` of a file for one language.
      const value = spread === undefined ? undefined : settingsIn(valueOf(spread, scope));
      if (typeof value === 'object' && value !== null && !isCall(value))
        entries.push(...Object.entries(value));
      continue;
    }
    const name = keyOf(property);
    const value = nodeOf(property, 'value');
    if (name !== undefined && name !== '__proto__' && value !== undefined)
      entries.push([name, valueOf(value, scope)]);
  }
  return Object.fromEntries(entries);
}

/** `() => ({ … })`, or the mapping that a function returns last. */
function returned(node: Node, scope: Scope): unknown {
  const body = nodeOf(node, 'body');
  if (body === undefined) return undefined;
  if (body.type !== 'BlockStatement') return valueOf(body, scope);
  const inner: Scope = { ...scope, constants: new Map(scope.constants) };
  let result: Node | undefined;
  for (const statement of nodesOf(body, 'body')) {
    if (statement.type === 'VariableDeclaration') declare(statement, inner);
    if (statement.type === 'ReturnStatement') result = nodeOf(statement, 'argument');
  }
  return result === undefined ? undefined : valueOf(result, inner);
}

function nameOf(callee: Node | undefined): string {
  return (
    textOf(callee, 'name') ??
    textOf(callee === undefined ? undefined : nodeOf(callee, 'property'), 'name') ??
    ''
  );
}
