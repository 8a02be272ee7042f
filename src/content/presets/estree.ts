import { once } from '../../model/once.ts';
import { acorn, acornTypescript } from '../parsers.ts';

/** A node of the syntax tree of JavaScript, TypeScript or JSX (https://github.com/estree/estree). */
export interface Node {
  readonly type: string;
}

const parser = once(() => acorn().Parser.extend(acornTypescript().tsPlugin({ jsx: {} })));

/** The tree of a module; undefined for a text that is none. */
export function parsedModule(source: string): Node | undefined {
  try {
    return parsed(source);
  } catch {
    return undefined;
  }
}

/** Why a text is no module, and where; undefined: it is one. */
export function moduleFault(source: string): { readonly reason: string; readonly at: number } | undefined {
  try {
    parsed(source);
    return undefined;
  } catch (error) {
    const { message, pos: at = 0 } = error as Error & { readonly pos?: number };
    return { reason: message.replace(/ \(\d+:\d+\)$/, ''), at };
  }
}

function parsed(source: string): Node {
  return parser().parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
}

export function nodeOf(node: Node, key: string): Node | undefined {
  const value: unknown = Reflect.get(node, key);
  return isNode(value) ? value : undefined;
}

export function nodesOf(node: Node, key: string): readonly Node[] {
  const value: unknown = Reflect.get(node, key);
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function textOf(node: Node | undefined, key: string): string | undefined {
  const value: unknown = node === undefined ? undefined : Reflect.get(node, key);
  return typeof value === 'string' ? value : undefined;
}

/** The key of a property that is written in the file: `a`, `'a'` or `1`. */
export function keyOf(property: Node): string | undefined {
  if (Reflect.get(property, 'computed') === true) return undefined;
  const key = nodeOf(property, 'key');
  const value: unknown = key === undefined ? undefined : Reflect.get(key, 'value');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return textOf(key, 'name');
}

/** The texts of a template between its expressions. */
export function templateTexts(node: Node): readonly string[] {
  return nodesOf(node, 'quasis').map((quasi) => {
    const value: unknown = Reflect.get(quasi, 'value');
    return typeof value === 'object' && value !== null ? String(Reflect.get(value, 'cooked')) : '';
  });
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
}
