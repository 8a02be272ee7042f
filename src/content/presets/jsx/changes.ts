import { isNode, nodeOf, nodesOf, textOf } from '../estree.ts';
import type { Node } from '../estree.ts';
import type { Scope } from './scope.ts';
import { spoil, UNKNOWN } from './values.ts';
import type { Value } from './values.ts';

/** Nobody knows whether, or how often, this is carried out: neither what it changes, nor what comes of it if it may end the function. */
export function unsure(node: Node, scope: Scope): boolean {
  const changed = new Set<string>();
  const isEnd = changesIn(node, changed, scope);
  for (const name of changed) {
    spoil(known(name, scope));
    assign(name, UNKNOWN, scope);
    forgetState(name, scope);
  }
  return isEnd;
}

/** What a name of a function or a block stands for; names of the file are asked for elsewhere. */
function known(name: string, scope: Scope): Value {
  for (let each: Scope | undefined = scope; each !== undefined; each = each.above)
    if (each.names.has(name)) return each.names.get(name);
  return undefined;
}

/** A browser says that it is there, or that it has loaded something, by a state that is true or false: nobody sees the first one. */
export function forgetStates(effect: Node, scope: Scope): void {
  const changed = new Set<string>();
  changesIn(effect, changed, scope);
  for (const name of changed) forgetState(name, scope, true);
}

function forgetState(setter: string, scope: Scope, isEffect = false): void {
  for (let each: Scope | undefined = scope; each !== undefined; each = each.above) {
    const state = each.states.get(setter);
    if (state === undefined) continue;
    if (!isEffect || typeof known(state, scope) === 'boolean') assign(state, UNKNOWN, scope);
    return;
  }
}

/** Gathers the names that a part of a program may change; true: it may end the function. */
export function changesIn(node: Node, changed: Set<string>, scope: Scope, depth = 0): boolean {
  scope.world.budget.steps -= 1;
  if (depth > CHANGES_DEPTH_MAX) scope.world.budget.steps = -1;
  if (scope.world.budget.steps < 0) return true;
  if (/^(?:Return|Throw|Break|Continue)Statement$|^(?:Yield|Await)Expression$/.test(node.type)) return true;
  if (node.type === 'AssignmentExpression' || node.type === 'UpdateExpression') {
    const root = rootOf(nodeOf(node, 'left') ?? nodeOf(node, 'argument'));
    if (root !== undefined) changed.add(root);
  }
  // A method may change what it belongs to, a function what it is given.
  if (node.type === 'CallExpression')
    for (const each of [nodeOf(node, 'callee'), ...nodesOf(node, 'arguments')]) {
      const root = rootOf(each);
      if (root !== undefined) changed.add(root);
    }
  let isEnd = false;
  for (const child of Object.values(node))
    for (const each of Array.isArray(child) ? child : [child])
      if (isNode(each)) isEnd = changesIn(each, changed, scope, depth + 1) || isEnd;
  return isEnd;
}

/** No program that people write nests so deeply: what such a page shows stays unknown. */
const CHANGES_DEPTH_MAX = 300;

function rootOf(node: Node | undefined): string | undefined {
  let its = node;
  while (its?.type === 'MemberExpression') its = nodeOf(its, 'object');
  return its?.type === 'Identifier' ? textOf(its, 'name') : undefined;
}

export function assign(name: string, value: Value, scope: Scope): void {
  for (let each: Scope | undefined = scope; each !== undefined; each = each.above)
    if (each.names.has(name)) {
      each.names.set(name, value);
      return;
    }
}

/** `name`, `object.name`. */
export function pathOf(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return textOf(callee, 'name');
  if (callee.type !== 'MemberExpression' || Reflect.get(callee, 'computed') === true) return undefined;
  const [object, property] = [nodeOf(callee, 'object'), nodeOf(callee, 'property')];
  const before = object?.type === 'Identifier' ? textOf(object, 'name') : undefined;
  const name = textOf(property, 'name');
  return before === undefined || name === undefined ? undefined : `${before}.${name}`;
}
