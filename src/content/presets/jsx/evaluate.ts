import { isNode, keyOf, nodeOf, nodesOf, templateTexts, textOf } from '../estree.ts';
import type { Node } from '../estree.ts';
import { CHANGING, globalCall, memberOf } from './methods.ts';
import {
  costOf,
  isCallable,
  isHtml,
  isList,
  isMapping,
  isSpoilt,
  isTrue,
  isWhole,
  ITEMS_MAX,
  joined,
  partial,
  spoil,
  textFrom,
  UNKNOWN,
  valueIn,
} from './values.ts';
import type { Callable, Value } from './values.ts';
import { elementHtml } from './elements.ts';
import { scopeIn } from './scope.ts';
import type { Scope, World } from './scope.ts';

const DEPTH_MAX = 80;

/**
 * What an expression gives where the repository alone decides it. Nothing is ever run: what needs a browser, a request, the clock or code of a package is
 * `UNKNOWN`, and so is all that depends on it.
 */
export function valueOf(node: Node, scope: Scope): Value {
  const { world } = scope;
  world.budget.steps -= 1;
  if (world.budget.steps < 0 || world.depth > DEPTH_MAX) return UNKNOWN;
  world.depth += 1;
  try {
    const value = evaluated(node, scope);
    return isSpoilt(value) ? UNKNOWN : value;
  } finally {
    world.depth -= 1;
  }
}

function evaluated(node: Node, scope: Scope): Value {
  const inside = (key: string): Value => {
    const child = nodeOf(node, key);
    return child === undefined ? undefined : valueOf(child, scope);
  };
  switch (node.type) {
    case 'Literal': {
      const value: unknown = Reflect.get(node, 'value');
      const isPlain = ['string', 'number', 'boolean'].includes(typeof value) || value === null;
      // Regular expressions and large integers are left.
      return isPlain ? (value as string | number | boolean | null) : UNKNOWN;
    }
    case 'TemplateLiteral':
      return templateText(node, scope);
    case 'Identifier':
      return named(textOf(node, 'name') ?? '', scope);
    case 'ThisExpression':
      return named('this', scope);
    case 'ClassDeclaration':
    case 'ClassExpression':
      return classOf(node, scope);
    case 'ArrayExpression':
      return listOf(node, scope);
    case 'ObjectExpression':
      return mappingOf(node, scope);
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return functionOf(node, scope);
    case 'ConditionalExpression': {
      const holds = isTrue(inside('test'));
      return holds === undefined ? UNKNOWN : inside(holds ? 'consequent' : 'alternate');
    }
    case 'LogicalExpression': {
      const left = inside('left');
      if (left === UNKNOWN) return UNKNOWN;
      const operator = Reflect.get(node, 'operator');
      const isLeft =
        operator === '&&' ? !left : operator === '||' ? Boolean(left) : left !== null && left !== undefined;
      return isLeft ? left : inside('right');
    }
    case 'UnaryExpression':
      return unary(node, scope);
    case 'BinaryExpression':
      return binary(Reflect.get(node, 'operator'), inside('left'), inside('right'));
    case 'MemberExpression':
      return member(node, scope);
    case 'CallExpression':
      return called(node, scope);
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return inside('expression');
    case 'JSXElement':
    case 'JSXFragment':
      return elementHtml(node, scope, valueOf);
    case 'JSXEmptyExpression':
      return undefined;
    default:
      return UNKNOWN;
  }
}

function named(name: string, scope: Scope): Value {
  if (name === 'undefined') return undefined;
  for (let each: Scope | undefined = scope; each !== undefined; each = each.above) {
    if (each.names.has(name)) return each.names.get(name);
    if (each.imported !== undefined) return each.imported(name);
  }
  return UNKNOWN;
}

function templateText(node: Node, scope: Scope): Value {
  const values = nodesOf(node, 'expressions').map((expression) => joined(valueOf(expression, scope)));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) return UNKNOWN;
  return textFrom(...templateTexts(node).flatMap((text, index) => [text, known[index] ?? '']));
}

function listOf(node: Node, scope: Scope): Value {
  const items: Value[] = [];
  const elements: unknown = Reflect.get(node, 'elements');
  for (const element of Array.isArray(elements) ? elements : []) {
    // A place without a value.
    if (!isNode(element)) {
      items.push(undefined);
      continue;
    }
    const spread = element.type === 'SpreadElement' ? nodeOf(element, 'argument') : undefined;
    const value = valueOf(spread ?? element, scope);
    if (spread === undefined) {
      items.push(value);
      continue;
    }
    if (!isList(value) || items.length + value.length > ITEMS_MAX) return UNKNOWN;
    scope.world.budget.steps -= value.length;
    for (const each of value) items.push(each);
  }
  return items;
}

function mappingOf(node: Node, scope: Scope): Value {
  const entries = new Map<string, Value>();
  let hasMore = false;
  for (const property of nodesOf(node, 'properties')) {
    if (property.type === 'SpreadElement') {
      const spread = nodeOf(property, 'argument');
      const value = spread === undefined ? UNKNOWN : valueOf(spread, scope);
      if (!isMapping(value) || !isWhole(value)) {
        // It may say something else of the names above it.
        scope.world.budget.steps -= entries.size;
        for (const name of entries.keys()) entries.set(name, UNKNOWN);
        hasMore = true;
      }
      if (isMapping(value)) {
        scope.world.budget.steps -= value.size;
        for (const [key, each] of value) entries.set(key, each);
      }
      if (scope.world.budget.steps < 0) return UNKNOWN;
      continue;
    }
    const key = keyOf(property);
    const value = nodeOf(property, 'value');
    if (key === undefined || value === undefined || key === '__proto__') return UNKNOWN;
    // `get name() { … }`
    entries.set(key, Reflect.get(property, 'kind') === 'init' ? valueOf(value, scope) : UNKNOWN);
  }
  return hasMore ? partial(entries) : entries;
}

function unary(node: Node, scope: Scope): Value {
  const argument = nodeOf(node, 'argument');
  const operator = Reflect.get(node, 'operator');
  // A page is made without a browser.
  const isGlobal =
    operator === 'typeof' && /^(?:window|document|navigator)$/.test(textOf(argument, 'name') ?? '');
  if (isGlobal) return 'undefined';
  const value = argument === undefined ? UNKNOWN : valueOf(argument, scope);
  if (value === UNKNOWN) return UNKNOWN;
  if (operator === '!') return !value;
  if (operator === '-' && typeof value === 'number') return -value;
  if (operator === 'typeof' && !isHtml(value)) return isCallable(value) ? 'function' : typeof value;
  return UNKNOWN;
}

function binary(operator: unknown, left: Value, right: Value): Value {
  if (left === UNKNOWN || right === UNKNOWN) return UNKNOWN;
  const isPlain = !isObject(left) && !isObject(right);
  switch (operator) {
    case '===':
    case '!==':
    case '==':
    case '!=': {
      const isLoose = operator === '==' || operator === '!=';
      const isNothing = (value: Value): boolean => value === null || value === undefined;
      if (!isPlain && !isNothing(left) && !isNothing(right)) return UNKNOWN;
      if (isLoose && typeof left !== typeof right && !isNothing(left) && !isNothing(right)) return UNKNOWN;
      const isSame = left === right || (isLoose && isNothing(left) && isNothing(right));
      return operator === '===' || operator === '==' ? isSame : !isSame;
    }
    case '+': {
      if (typeof left === 'number' && typeof right === 'number') return left + right;
      const [first, second] = [joined(left), joined(right)];
      const isText = typeof left === 'string' || typeof right === 'string';
      return isText && first !== undefined && second !== undefined ? textFrom(first, second) : UNKNOWN;
    }
    default:
      return typeof left === 'number' && typeof right === 'number'
        ? arithmetic(operator, left, right)
        : UNKNOWN;
  }
}

function isObject(value: Value): boolean {
  return typeof value === 'object' && value !== null;
}

function arithmetic(operator: unknown, left: number, right: number): Value {
  switch (operator) {
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '<=':
      return left <= right;
    case '>=':
      return left >= right;
    default:
      return UNKNOWN;
  }
}

function member(node: Node, scope: Scope): Value {
  const object = nodeOf(node, 'object');
  const property = nodeOf(node, 'property');
  if (object === undefined || property === undefined) return UNKNOWN;
  const its = valueOf(object, scope);
  if (its === UNKNOWN) return UNKNOWN;
  scope.world.budget.steps -= costOf(its);
  if (its === null || its === undefined) return Reflect.get(node, 'optional') === true ? undefined : UNKNOWN;
  const key =
    Reflect.get(node, 'computed') === true ? valueOf(property, scope) : (textOf(property, 'name') ?? UNKNOWN);
  return typeof key === 'string' || typeof key === 'number' ? memberOf(its, key) : UNKNOWN;
}

function called(node: Node, scope: Scope): Value {
  const callee = nodeOf(node, 'callee');
  if (callee === undefined) return UNKNOWN;
  const given = (): Value[] =>
    nodesOf(node, 'arguments').map((each) =>
      each.type === 'SpreadElement' ? UNKNOWN : valueOf(each, scope),
    );
  const its =
    callee.type === 'Identifier' || callee.type === 'MemberExpression' ? valueOf(callee, scope) : UNKNOWN;
  if (isCallable(its)) {
    const made = its.call(given());
    scope.world.budget.steps -= costOf(made);
    changeOf(callee, made, scope);
    return made;
  }
  changeOf(callee, UNKNOWN, scope);
  const path = pathOf(callee);
  // What the file itself calls so is not what everybody means by it.
  if (path === undefined || its !== UNKNOWN)
    return its === undefined && Reflect.get(node, 'optional') === true ? undefined : UNKNOWN;
  return libraryCall(path.replace(/^React\./, ''), given, scope.world) ?? globalCall(path, given());
}

/** `list.push(…)`: the list is another one now, also by its other names. */
function changeOf(callee: Node, made: Value, scope: Scope): void {
  const object = callee.type === 'MemberExpression' ? nodeOf(callee, 'object') : undefined;
  const name = textOf(nodeOf(callee, 'property'), 'name');
  if (object === undefined || name === undefined || !CHANGING.has(name)) return;
  const its = valueOf(object, scope);
  if (!isList(its)) return;
  const isSame = isList(made) && made.every((each, at) => each === its[at]);
  if (!isSame) spoil(its);
}

function pathOf(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return textOf(callee, 'name');
  if (callee.type !== 'MemberExpression' || Reflect.get(callee, 'computed') === true) return undefined;
  const [object, property] = [nodeOf(callee, 'object'), nodeOf(callee, 'property')];
  const before = object?.type === 'Identifier' ? textOf(object, 'name') : undefined;
  const name = textOf(property, 'name');
  return before === undefined || name === undefined ? undefined : `${before}.${name}`;
}

/** What the hooks of React and Docusaurus give when a page is made: the first state, and no effect. Undefined: none of them. */
function libraryCall(name: string, given: () => readonly Value[], { frontMatter }: World): Value {
  switch (name) {
    case 'useState': {
      const [first] = given();
      const state = isCallable(first) ? first.call([]) : first;
      // An empty state is filled by the browser: what a reader sees then, nobody knows here.
      const isEmpty =
        state === undefined ||
        state === null ||
        state === '' ||
        (isList(state) && state.length === 0) ||
        (isMapping(state) && state.size === 0);
      return [isEmpty ? UNKNOWN : state, NOTHING];
    }
    case 'useMemo': {
      const [make] = given();
      return isCallable(make) ? make.call([]) : UNKNOWN;
    }
    case 'useCallback':
    case 'memo':
      return given()[0] ?? UNKNOWN;
    // Of Docusaurus: the page that is being made.
    case 'useDoc':
      return partial(new Map([['frontMatter', frontMatter()]]));
    // The links of the page say where it leads.
    case 'useBaseUrl':
    case 'withBase':
    case 'require':
      return typeof given()[0] === 'string' ? given()[0] : UNKNOWN;
    case 'clsx':
    case 'classNames':
    case 'classnames':
    case 'cn':
      return UNKNOWN;
    default:
      return undefined;
  }
}

const NOTHING: Callable = { as: 'function', call: () => UNKNOWN };

function functionOf(node: Node, scope: Scope): Value {
  if (Reflect.get(node, 'async') === true || Reflect.get(node, 'generator') === true) return UNKNOWN;
  const parameters = nodesOf(node, 'params');
  const body = nodeOf(node, 'body');
  if (body === undefined) return UNKNOWN;
  const call = (given: readonly Value[]): Value => {
    const inner = scopeIn(scope);
    for (const [at, parameter] of parameters.entries()) {
      if (parameter.type === 'RestElement') bind(nodeOf(parameter, 'argument'), given.slice(at), inner);
      else bind(parameter, given[at], inner);
    }
    if (body.type !== 'BlockStatement') return valueOf(body, inner);
    const end = block(body, inner);
    return end === undefined ? undefined : end.value;
  };
  let isBusy = false;
  const upset = (): void => {
    if (isBusy) return;
    isBusy = true;
    unsure(body, scope);
    isBusy = false;
  };
  return { as: 'function', call, upset };
}

/** A component as a class: what its `render` gives of `this.props`. Its state is a browser's. */
function classOf(node: Node, scope: Scope): Value {
  const body = nodeOf(node, 'body');
  const render = nodesOf(body ?? node, 'body').find((each) => keyOf(each) === 'render');
  const made = render === undefined ? undefined : nodeOf(render, 'value');
  if (made === undefined) return UNKNOWN;
  return {
    as: 'function',
    call: ([given]) => {
      const inner = scopeIn(scope);
      inner.names.set('this', partial(new Map<string, Value>([['props', given]])));
      const its = valueOf(made, inner);
      return isCallable(its) ? its.call([]) : UNKNOWN;
    },
  };
}

/** Gives the names of a pattern their values: `{ title, children: inner = '', ...rest }`, `[first]`. */
export function bind(pattern: Node | undefined, value: Value, scope: Scope): void {
  switch (pattern?.type) {
    case 'Identifier':
      scope.names.set(textOf(pattern, 'name') ?? '', value);
      return;
    case 'AssignmentPattern': {
      const right = nodeOf(pattern, 'right');
      const isGiven = value !== undefined || right === undefined;
      bind(nodeOf(pattern, 'left'), isGiven ? value : valueOf(right, scope), scope);
      return;
    }
    case 'ObjectPattern': {
      const taken = new Set<string>();
      for (const property of nodesOf(pattern, 'properties')) {
        if (property.type === 'RestElement') {
          scope.world.budget.steps -= isMapping(value) ? value.size : 0;
          const rest = isMapping(value) ? new Map([...value].filter(([key]) => !taken.has(key))) : undefined;
          const isAll = rest !== undefined && isMapping(value) && isWhole(value);
          bind(nodeOf(property, 'argument'), isAll ? rest : UNKNOWN, scope);
          continue;
        }
        const key = keyOf(property);
        if (key !== undefined) taken.add(key);
        bind(
          nodeOf(property, 'value'),
          isMapping(value) && key !== undefined ? valueIn(value, key) : UNKNOWN,
          scope,
        );
      }
      return;
    }
    case 'ArrayPattern': {
      const elements: unknown = Reflect.get(pattern, 'elements');
      // A place without a name is null.
      for (const [at, element] of (Array.isArray(elements) ? elements : []).entries())
        if (element !== null) bind(element as Node, isList(value) ? value[at] : UNKNOWN, scope);
      return;
    }
    default:
  }
}

/** How statements end: with a value, or (undefined) by going on. */
type End = { readonly value: Value } | undefined;

const LOST: End = { value: UNKNOWN };

function block(node: Node, scope: Scope): End {
  return statements(nodesOf(node, 'body'), scope);
}

/** Carries out the statements of a function: constants, conditions and what it returns. */
export function statements(nodes: readonly Node[], scope: Scope): End {
  for (const node of nodes) if (/^(?:Function|Class)Declaration$/.test(node.type)) declare(node, scope);
  for (const node of nodes) {
    const end = statement(node, scope);
    if (end !== undefined) return end;
  }
  return undefined;
}

function statement(node: Node, scope: Scope): End {
  const { world } = scope;
  world.budget.steps -= 1;
  if (world.budget.steps < 0 || world.depth > DEPTH_MAX) return LOST;
  world.depth += 1;
  try {
    return carriedOut(node, scope);
  } finally {
    world.depth -= 1;
  }
}

function carriedOut(node: Node, scope: Scope): End {
  switch (node.type) {
    case 'VariableDeclaration':
      declare(node, scope);
      return undefined;
    case 'ReturnStatement': {
      const argument = nodeOf(node, 'argument');
      return { value: argument === undefined ? undefined : valueOf(argument, scope) };
    }
    case 'IfStatement': {
      const test = nodeOf(node, 'test');
      const holds = test === undefined ? undefined : isTrue(valueOf(test, scope));
      if (holds === undefined) return unsure(node, scope);
      const branch = nodeOf(node, holds ? 'consequent' : 'alternate');
      return branch === undefined ? undefined : statement(branch, scope);
    }
    case 'SwitchStatement':
      return switched(node, scope);
    case 'BlockStatement':
      return block(node, scopeIn(scope));
    case 'ExpressionStatement': {
      const expression = nodeOf(node, 'expression');
      if (expression === undefined) return undefined;
      if (isForBrowser(expression)) {
        forgetStates(expression, scope);
        return undefined;
      }
      return assigned(expression, scope) ? undefined : unsure(node, scope);
    }
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'EmptyStatement':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return undefined;
    default:
      return unsure(node, scope);
  }
}

/** `name = value`; false for anything else. */
function assigned(expression: Node, scope: Scope): boolean {
  if (expression.type !== 'AssignmentExpression' || Reflect.get(expression, 'operator') !== '=') return false;
  const [left, right] = [nodeOf(expression, 'left'), nodeOf(expression, 'right')];
  if (left?.type !== 'Identifier' || right === undefined) return false;
  assign(textOf(left, 'name') ?? '', valueOf(right, scope), scope);
  return true;
}

function assign(name: string, value: Value, scope: Scope): void {
  for (let each: Scope | undefined = scope; each !== undefined; each = each.above)
    if (each.names.has(name)) {
      each.names.set(name, value);
      return;
    }
}

/** The cases of one value: from the one that fits to its `break`. */
function switched(node: Node, scope: Scope): End {
  const discriminant = nodeOf(node, 'discriminant');
  const value = discriminant === undefined ? UNKNOWN : valueOf(discriminant, scope);
  const cases = nodesOf(node, 'cases');
  const tests = cases.map((each): 'default' | { readonly value: Value } => {
    const test = nodeOf(each, 'test');
    return test === undefined ? 'default' : { value: valueOf(test, scope) };
  });
  const isPlain = (each: Value): boolean => joined(each) !== undefined;
  if (!isPlain(value) || tests.some((test) => test !== 'default' && !isPlain(test.value)))
    return unsure(node, scope);
  const fitting = tests.findIndex((test) => test !== 'default' && test.value === value);
  const from = fitting < 0 ? tests.indexOf('default') : fitting;
  const inner = scopeIn(scope);
  for (const each of from < 0 ? [] : cases.slice(from))
    for (const inside of nodesOf(each, 'consequent')) {
      if (inside.type === 'BreakStatement') return undefined;
      const end = statement(inside, inner);
      if (end !== undefined) return end;
    }
  return undefined;
}

/** Nobody knows whether, or how often, this is carried out: neither what it changes, nor what comes of it if it may end the function. */
function unsure(node: Node, scope: Scope): End {
  const changed = new Set<string>();
  const isEnd = changesIn(node, changed, scope);
  for (const name of changed) {
    spoil(known(name, scope));
    assign(name, UNKNOWN, scope);
    forgetState(name, scope);
  }
  return isEnd ? LOST : undefined;
}

/** What a name of a function or a block stands for; names of the file are asked for elsewhere. */
function known(name: string, scope: Scope): Value {
  for (let each: Scope | undefined = scope; each !== undefined; each = each.above)
    if (each.names.has(name)) return each.names.get(name);
  return undefined;
}

/** A browser says that it is there, or that it has loaded something, by a state that is true or false: nobody sees the first one. */
function forgetStates(effect: Node, scope: Scope): void {
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

function isForBrowser(expression: Node | undefined): boolean {
  if (expression?.type === 'Literal') return true;
  const path =
    expression?.type === 'CallExpression' ? pathOf(nodeOf(expression, 'callee') ?? expression) : undefined;
  return (
    path !== undefined && /^(?:React\.)?use[A-Z]\w*Effect$|^(?:React\.)?useEffect$|^console\.\w+$/.test(path)
  );
}

/** Constants and functions of a file or a block. */
export function declare(declaration: Node, scope: Scope): void {
  if (/^(?:Function|Class)Declaration$/.test(declaration.type)) {
    bind(nodeOf(declaration, 'id'), valueOf(declaration, scope), scope);
    return;
  }
  for (const each of nodesOf(declaration, 'declarations')) {
    const [pattern, init] = [nodeOf(each, 'id'), nodeOf(each, 'init')];
    const [state, setter] = pattern?.type === 'ArrayPattern' ? nodesOf(pattern, 'elements') : [];
    const [name, setting] = [textOf(state, 'name'), textOf(setter, 'name')];
    if (name !== undefined && setting !== undefined) scope.states.set(setting, name);
    bind(pattern, init === undefined ? UNKNOWN : valueOf(init, scope), scope);
  }
}
