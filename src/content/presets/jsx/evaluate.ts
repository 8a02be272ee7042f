import { isNode, keyOf, nodeOf, nodesOf, templateTexts, textOf } from '../estree.ts';
import type { Node } from '../estree.ts';
import { CHANGING, globalCall, memberOf } from './methods.ts';
import {
  costOf,
  firstState,
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
  refOf,
  spoil,
  textFrom,
  UNKNOWN,
} from './values.ts';
import type { Callable, Value } from './values.ts';
import { elementHtml } from './elements.ts';
import { pathOf, unsure } from './changes.ts';
import { DEPTH_MAX, scopeIn } from './scope.ts';
import type { Scope, World } from './scope.ts';
import { bind, block } from './statements.ts';

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

/** What the hooks of React and Docusaurus give when a page is made: the first state, and no effect. Undefined: none of them. */
function libraryCall(name: string, given: () => readonly Value[], { frontMatter }: World): Value {
  switch (name) {
    case 'useState': {
      const [first] = given();
      const state = isCallable(first) ? first.call([]) : first;
      return [firstState(state), NOTHING];
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
    // Of Vue.
    case 'ref':
    case 'shallowRef':
      return refOf(firstState(given()[0]));
    case 'computed': {
      const [make] = given();
      return refOf(isCallable(make) ? make.call([]) : UNKNOWN);
    }
    case 'reactive':
    case 'readonly':
    case 'markRaw':
      return firstState(given()[0]);
    // Of VitePress and VuePress: the page that is being made.
    case 'useData':
      return partial(new Map([['frontmatter', refOf(frontMatter())]]));
    case 'usePageFrontmatter':
      return refOf(frontMatter());
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
      if (parameter.type === 'RestElement')
        bind(nodeOf(parameter, 'argument'), given.slice(at), inner, valueOf);
      else bind(parameter, given[at], inner, valueOf);
    }
    if (body.type !== 'BlockStatement') return valueOf(body, inner);
    const end = block(body, inner, valueOf);
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
