import { keyOf, nodeOf, nodesOf, textOf } from '../estree.ts';
import type { Node } from '../estree.ts';
import { assign, forgetStates, pathOf, unsure } from './changes.ts';
import { DEPTH_MAX, scopeIn } from './scope.ts';
import type { Evaluate, Scope } from './scope.ts';
import { isList, isMapping, isTrue, isWhole, joined, UNKNOWN, valueIn } from './values.ts';
import type { Value } from './values.ts';

/** Gives the names of a pattern their values: `{ title, children: inner = '', ...rest }`, `[first]`. */
export function bind(pattern: Node | undefined, value: Value, scope: Scope, evaluate: Evaluate): void {
  switch (pattern?.type) {
    case 'Identifier':
      scope.names.set(textOf(pattern, 'name') ?? '', value);
      return;
    case 'AssignmentPattern': {
      const right = nodeOf(pattern, 'right');
      const isGiven = value !== undefined || right === undefined;
      bind(nodeOf(pattern, 'left'), isGiven ? value : evaluate(right, scope), scope, evaluate);
      return;
    }
    case 'ObjectPattern': {
      const taken = new Set<string>();
      for (const property of nodesOf(pattern, 'properties')) {
        if (property.type === 'RestElement') {
          scope.world.budget.steps -= isMapping(value) ? value.size : 0;
          const rest = isMapping(value) ? new Map([...value].filter(([key]) => !taken.has(key))) : undefined;
          const isAll = rest !== undefined && isMapping(value) && isWhole(value);
          bind(nodeOf(property, 'argument'), isAll ? rest : UNKNOWN, scope, evaluate);
          continue;
        }
        const key = keyOf(property);
        if (key !== undefined) taken.add(key);
        bind(
          nodeOf(property, 'value'),
          isMapping(value) && key !== undefined ? valueIn(value, key) : UNKNOWN,
          scope,
          evaluate,
        );
      }
      return;
    }
    case 'ArrayPattern': {
      const elements: unknown = Reflect.get(pattern, 'elements');
      // A place without a name is null.
      for (const [at, element] of (Array.isArray(elements) ? elements : []).entries())
        if (element !== null) bind(element as Node, isList(value) ? value[at] : UNKNOWN, scope, evaluate);
      return;
    }
    default:
  }
}

/** How statements end: with a value, or (undefined) by going on. */
type End = { readonly value: Value } | undefined;

const LOST: End = { value: UNKNOWN };

export function block(node: Node, scope: Scope, evaluate: Evaluate): End {
  return statements(nodesOf(node, 'body'), scope, evaluate);
}

/** Carries out the statements of a function: constants, conditions and what it returns. */
export function statements(nodes: readonly Node[], scope: Scope, evaluate: Evaluate): End {
  for (const node of nodes)
    if (/^(?:Function|Class)Declaration$/.test(node.type)) declare(node, scope, evaluate);
  for (const node of nodes) {
    const end = statement(node, scope, evaluate);
    if (end !== undefined) return end;
  }
  return undefined;
}

function statement(node: Node, scope: Scope, evaluate: Evaluate): End {
  const { world } = scope;
  world.budget.steps -= 1;
  if (world.budget.steps < 0 || world.depth > DEPTH_MAX) return LOST;
  world.depth += 1;
  try {
    return carriedOut(node, scope, evaluate);
  } finally {
    world.depth -= 1;
  }
}

function carriedOut(node: Node, scope: Scope, evaluate: Evaluate): End {
  switch (node.type) {
    case 'VariableDeclaration':
      declare(node, scope, evaluate);
      return undefined;
    case 'ReturnStatement': {
      const argument = nodeOf(node, 'argument');
      return { value: argument === undefined ? undefined : evaluate(argument, scope) };
    }
    case 'IfStatement': {
      const test = nodeOf(node, 'test');
      const holds = test === undefined ? undefined : isTrue(evaluate(test, scope));
      if (holds === undefined) return perhaps(node, scope);
      const branch = nodeOf(node, holds ? 'consequent' : 'alternate');
      return branch === undefined ? undefined : statement(branch, scope, evaluate);
    }
    case 'SwitchStatement':
      return switched(node, scope, evaluate);
    case 'BlockStatement':
      return block(node, scopeIn(scope), evaluate);
    case 'ExpressionStatement': {
      const expression = nodeOf(node, 'expression');
      if (expression === undefined) return undefined;
      if (isEffectOfVue(expression)) {
        // It changes what it names; it does not end the script.
        unsure(expression, scope);
        return undefined;
      }
      if (isForBrowser(expression)) {
        forgetStates(expression, scope);
        return undefined;
      }
      return assigned(expression, scope, evaluate) ? undefined : perhaps(node, scope);
    }
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'EmptyStatement':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return undefined;
    default:
      return perhaps(node, scope);
  }
}

/** What nobody knows to be carried out: it may end the function. */
function perhaps(node: Node, scope: Scope): End {
  return unsure(node, scope) ? LOST : undefined;
}

/** `name = value`; false for anything else. */
function assigned(expression: Node, scope: Scope, evaluate: Evaluate): boolean {
  if (expression.type !== 'AssignmentExpression' || Reflect.get(expression, 'operator') !== '=') return false;
  const [left, right] = [nodeOf(expression, 'left'), nodeOf(expression, 'right')];
  if (left?.type !== 'Identifier' || right === undefined) return false;
  assign(textOf(left, 'name') ?? '', evaluate(right, scope), scope);
  return true;
}

/** The cases of one value: from the one that fits to its `break`. */
function switched(node: Node, scope: Scope, evaluate: Evaluate): End {
  const discriminant = nodeOf(node, 'discriminant');
  const value = discriminant === undefined ? UNKNOWN : evaluate(discriminant, scope);
  const cases = nodesOf(node, 'cases');
  const tests = cases.map((each): 'default' | { readonly value: Value } => {
    const test = nodeOf(each, 'test');
    return test === undefined ? 'default' : { value: evaluate(test, scope) };
  });
  const isPlain = (each: Value): boolean => joined(each) !== undefined;
  if (!isPlain(value) || tests.some((test) => test !== 'default' && !isPlain(test.value)))
    return perhaps(node, scope);
  const fitting = tests.findIndex((test) => test !== 'default' && test.value === value);
  const from = fitting < 0 ? tests.indexOf('default') : fitting;
  const inner = scopeIn(scope);
  for (const each of from < 0 ? [] : cases.slice(from))
    for (const inside of nodesOf(each, 'consequent')) {
      if (inside.type === 'BreakStatement') return undefined;
      const end = statement(inside, inner, evaluate);
      if (end !== undefined) return end;
    }
  return undefined;
}

function isEffectOfVue(expression: Node): boolean {
  const path = expression.type === 'CallExpression' ? pathOf(nodeOf(expression, 'callee') ?? expression) : '';
  return /^(?:on(?:Before)?(?:Mount|Unmount|Update)(?:ed)?|watch(?:Post|Sync)?(?:Effect)?|define(?:Expose|Options|Emits)|provide)$/.test(
    path ?? '',
  );
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
export function declare(declaration: Node, scope: Scope, evaluate: Evaluate): void {
  if (/^(?:Function|Class)Declaration$/.test(declaration.type)) {
    bind(nodeOf(declaration, 'id'), evaluate(declaration, scope), scope, evaluate);
    return;
  }
  for (const each of nodesOf(declaration, 'declarations')) {
    const [pattern, init] = [nodeOf(each, 'id'), nodeOf(each, 'init')];
    const [state, setter] = pattern?.type === 'ArrayPattern' ? nodesOf(pattern, 'elements') : [];
    const [name, setting] = [textOf(state, 'name'), textOf(setter, 'name')];
    if (name !== undefined && setting !== undefined) scope.states.set(setting, name);
    bind(pattern, init === undefined ? UNKNOWN : evaluate(init, scope), scope, evaluate);
  }
}
