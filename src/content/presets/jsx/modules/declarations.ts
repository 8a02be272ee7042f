import { keyOf, nodeOf, nodesOf, textOf } from '../../estree.ts';
import type { Node } from '../../estree.ts';
import { changesIn } from '../changes.ts';
import type { Scope } from '../scope.ts';

/** A name of a file: from another file, of a pattern with its value, or a function. */
export type Declared =
  | { readonly local: string; readonly from: string; readonly name: string }
  | { readonly local: string; readonly pattern: Node; readonly init: Node }
  | { readonly local: string; readonly node: Node };

export type Exported =
  | { readonly from: string; readonly name: string }
  | { readonly node: Node }
  | { readonly local: string };

/** What the statements of a file declare, import and export. */
export function declarations(body: readonly Node[]): {
  readonly names: readonly Declared[];
  readonly exports: ReadonlyMap<string, Exported>;
  readonly stars: readonly string[];
} {
  const names: Declared[] = [];
  const exports = new Map<string, Exported>();
  const stars: string[] = [];
  for (const statement of body) {
    const from = sourceOf(statement);
    switch (statement.type) {
      case 'ImportDeclaration':
        if (from !== undefined) names.push(...importedNames(statement, from));
        break;
      case 'ExportAllDeclaration':
        if (from !== undefined) stars.push(from);
        break;
      case 'ExportDefaultDeclaration': {
        const its = nodeOf(statement, 'declaration');
        const local = its?.type === 'Identifier' ? textOf(its, 'name') : undefined;
        if (local !== undefined) exports.set('default', { local });
        else if (its !== undefined) exports.set('default', { node: its });
        if (its !== undefined && DECLARED.test(its.type)) names.push(...declaredNames(its));
        break;
      }
      case 'ExportNamedDeclaration': {
        const declaration = nodeOf(statement, 'declaration');
        for (const each of declaration === undefined ? [] : declaredNames(declaration)) {
          names.push(each);
          exports.set(each.local, { local: each.local });
        }
        for (const specifier of nodesOf(statement, 'specifiers')) {
          const local = textOf(nodeOf(specifier, 'local'), 'name');
          const name = textOf(nodeOf(specifier, 'exported'), 'name');
          if (local !== undefined && name !== undefined)
            exports.set(name, from === undefined ? { local } : { from, name: local });
        }
        break;
      }
      default:
        names.push(...declaredNames(statement));
    }
  }
  return { names, exports, stars };
}

/**
 * Names of a file that do not keep the value of their declaration: a statement of the file changes them (`Badge.defaultProps = …`, `rows.push(…)`), or
 * a function of the file gives a variable another one.
 */
export function changedNames(body: readonly Node[], scope: Scope): ReadonlySet<string> {
  const changed = new Set<string>();
  const variables = new Set<string>();
  for (const statement of body) {
    const declaration = nodeOf(statement, 'declaration') ?? statement;
    if (declaration.type === 'VariableDeclaration' && textOf(declaration, 'kind') !== 'const')
      for (const { local } of declaredNames(declaration)) variables.add(local);
    if (STATEMENT.test(statement.type) && !isLabel(statement)) changesIn(statement, changed, scope);
  }
  if (variables.size === 0) return changed;
  const assigned = new Set<string>();
  for (const statement of body) changesIn(statement, assigned, scope);
  return new Set([...changed, ...[...variables].filter((name) => assigned.has(name))]);
}

/** Neither declares, nor imports, nor exports. */
const STATEMENT = /^(?!TS|Import|Export|Empty).*Statement$/;

/** `Badge.displayName = …` */
function isLabel(statement: Node): boolean {
  const expression = nodeOf(statement, 'expression');
  const left = expression === undefined ? undefined : nodeOf(expression, 'left');
  const name = left === undefined ? undefined : textOf(nodeOf(left, 'property'), 'name');
  return name === 'displayName' || name === 'propTypes';
}

function sourceOf(statement: Node): string | undefined {
  const source = nodeOf(statement, 'source');
  return source === undefined ? undefined : textOf(source, 'value');
}

function importedNames(statement: Node, from: string): readonly Declared[] {
  return nodesOf(statement, 'specifiers').flatMap((specifier): readonly Declared[] => {
    const local = textOf(nodeOf(specifier, 'local'), 'name');
    const isAll = specifier.type === 'ImportNamespaceSpecifier';
    if (local === undefined || isAll) return [];
    return [{ local, from, name: textOf(nodeOf(specifier, 'imported'), 'name') ?? 'default' }];
  });
}

const DECLARED = /^(?:Function|Class)Declaration$/;

function declaredNames(declaration: Node): readonly Declared[] {
  if (DECLARED.test(declaration.type)) {
    const local = textOf(nodeOf(declaration, 'id'), 'name');
    return local === undefined ? [] : [{ local, node: declaration }];
  }
  if (declaration.type !== 'VariableDeclaration') return [];
  return nodesOf(declaration, 'declarations').flatMap((each): readonly Declared[] => {
    const [pattern, init] = [nodeOf(each, 'id'), nodeOf(each, 'init')];
    if (pattern === undefined || init === undefined) return [];
    return namesOf(pattern).map((local) => ({ local, pattern, init }));
  });
}

function namesOf(pattern: Node): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [textOf(pattern, 'name') ?? ''];
    case 'ObjectPattern':
      return nodesOf(pattern, 'properties').flatMap((property) => {
        const value = nodeOf(property, 'value') ?? nodeOf(property, 'argument');
        return value === undefined ? [] : namesOf(value);
      });
    case 'ArrayPattern':
      return nodesOf(pattern, 'elements').flatMap(namesOf);
    case 'AssignmentPattern': {
      const left = nodeOf(pattern, 'left');
      return left === undefined ? [] : namesOf(left);
    }
    default:
      return [];
  }
}

export function importsOf(body: readonly Node[]): readonly Declared[] {
  return declarations(body.filter(({ type }) => type === 'ImportDeclaration')).names;
}

/** What is declared by the name that is exported. */
export function nodeNamed(names: readonly Declared[], exported: Exported): Node | undefined {
  const its = 'local' in exported ? names.find(({ local }) => local === exported.local) : undefined;
  if (its === undefined || 'from' in its) return undefined;
  return 'node' in its ? its.node : its.pattern.type === 'Identifier' ? its.init : undefined;
}

/** The file that a name is imported from, whose default it is. */
export function importOf(names: readonly Declared[], node: Node): string | undefined {
  const name = node.type === 'Identifier' ? textOf(node, 'name') : undefined;
  const its = name === undefined ? undefined : names.find(({ local }) => local === name);
  return its !== undefined && 'from' in its && its.name === 'default' ? its.from : undefined;
}

const WRAPPED = /^(?:ParenthesizedExpression|TS(?:As|Satisfies|NonNull)Expression)$/;

/** The value of a key in an object, or in the one that a function returns. Undefined if a spread behind it may say otherwise. */
export function entryOf(node: Node, key: string): Node | undefined {
  if (WRAPPED.test(node.type)) {
    const inner = nodeOf(node, 'expression');
    return inner === undefined ? undefined : entryOf(inner, key);
  }
  if (node.type === 'ObjectExpression') {
    const properties = nodesOf(node, 'properties');
    const at = properties.findLastIndex((each) => each.type !== 'SpreadElement' && keyOf(each) === key);
    const isLast = properties.slice(at + 1).every(({ type }) => type !== 'SpreadElement');
    const property = at >= 0 && isLast ? properties[at] : undefined;
    return property === undefined ? undefined : nodeOf(property, 'value');
  }
  const body = /Function/.test(node.type) ? nodeOf(node, 'body') : undefined;
  if (body?.type !== 'BlockStatement') return body === undefined ? undefined : entryOf(body, key);
  const [only, ...more] = nodesOf(body, 'body');
  const returned = only?.type === 'ReturnStatement' ? nodeOf(only, 'argument') : undefined;
  return returned === undefined || more.length > 0 ? undefined : entryOf(returned, key);
}
