import { CHARS_MAX, charsOf } from './chars.ts';
import { FILTERS, shown } from './filters.ts';

/** A value that the repository does not decide: lists of pages, the clock, what a plugin gives. */
export const UNKNOWN = Symbol('unknown');

/** The value of a name at the beginning of a path (`site`, `page`, a variable). */
export type Scope = (name: string, keys: readonly string[]) => unknown;

const PIPE = /\|(?=(?:[^"']*(?:"[^"]*"|'[^']*'))*[^"']*$)/;
const WORD = /^\s*(?:"([^"]*)"|'([^']*)'|\(([^()]+)\.\.([^()]+)\)|((?:[^\s"'|,:[]|\[[^\]]*\])+))/;

/** `name.key | filter: "a", b`; `UNKNOWN` where any part is. */
export function valueOf(expression: string, scope: Scope): unknown {
  const [first = '', ...filters] = expression.split(PIPE);
  let value = operand(first, scope);
  for (const filter of filters) {
    const [, name = '', rest = ''] = /^\s*(\w+)\s*:?\s*([\s\S]*)$/.exec(filter) ?? [];
    const args = argumentsOf(rest).map((word) => operand(word, scope));
    const apply = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    if (value === UNKNOWN || args.includes(UNKNOWN) || apply === undefined) return UNKNOWN;
    const result = apply(value, args);
    const isNothing = result === undefined && name !== 'first' && name !== 'last';
    value = isNothing || charsOf(result) > CHARS_MAX ? UNKNOWN : result;
  }
  return value;
}

function argumentsOf(text: string): readonly string[] {
  return (text.match(/"[^"]*"|'[^']*'|[^\s,"']+/g) ?? []).filter((word) => word !== ',');
}

function operand(written: string, scope: Scope): unknown {
  const text = written.trim();
  const [whole, double, single, from, to, word = ''] = WORD.exec(text) ?? [];
  if (whole === undefined) return text === '' ? undefined : UNKNOWN;
  if (whole.length < text.length) return UNKNOWN;
  if (double !== undefined || single !== undefined) return double ?? single;
  if (from !== undefined && to !== undefined) return range(operand(from, scope), operand(to, scope));
  if (/^-?\d+(?:\.\d+)?$/.test(word)) return Number(word);
  switch (word) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'nil':
    case 'null':
      return undefined;
    case 'empty':
    case 'blank':
      return '';
    default:
      return pathValue(word, scope);
  }
}

function range(from: unknown, to: unknown): unknown {
  if (typeof from !== 'number' || typeof to !== 'number' || to - from > ITEMS_MAX) return UNKNOWN;
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

const ITEMS_MAX = 1000;

/** `a.b-c[0]["d"][e]` */
function pathValue(word: string, scope: Scope): unknown {
  const parts = word.match(/[\w-]+\??|\[(?:"[^"]*"|'[^']*'|[^\]]+)\]/g) ?? [];
  const keys: string[] = [];
  for (const part of parts) {
    if (!part.startsWith('[')) {
      keys.push(part);
      continue;
    }
    const inner = operand(part.slice(1, -1), scope);
    if (typeof inner !== 'string' && typeof inner !== 'number') return UNKNOWN;
    keys.push(String(inner));
  }
  const [name = '', ...rest] = keys;
  return scope(name, rest);
}

/** The value below keys; nothing is there: `undefined`. */
export function below(value: unknown, keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    if (found === UNKNOWN) return UNKNOWN;
    if (Array.isArray(found)) {
      const list: readonly unknown[] = found;
      found =
        key === 'size'
          ? list.length
          : key === 'first'
            ? list[0]
            : key === 'last'
              ? list.at(-1)
              : list.at(Number(key));
    } else if (typeof found === 'string') found = key === 'size' ? found.length : undefined;
    else if (typeof found === 'object' && found !== null) {
      const own: unknown = Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined;
      found = own === undefined && key === 'size' ? Object.keys(found).length : own;
    } else return undefined;
  }
  return found;
}

const OPERATOR = /\s*(==|!=|<>|>=|<=|>|<|\bcontains\b)\s*/;

/** `a == b and c contains d`; Liquid reads from the right. */
export function isTrue(condition: string, scope: Scope): boolean | typeof UNKNOWN {
  const [, left = '', word, right = ''] = /^([\s\S]*?)\s+(and|or)\s+([\s\S]+)$/.exec(condition) ?? [
    undefined,
    condition,
  ];
  const first = comparison(left, scope);
  if (word === undefined) return first;
  if (word === 'and' && first === false) return false;
  if (word === 'or' && first === true) return true;
  return first === UNKNOWN ? UNKNOWN : isTrue(right, scope);
}

function comparison(text: string, scope: Scope): boolean | typeof UNKNOWN {
  const [left = '', sign, right = ''] = text.split(OPERATOR);
  const a = valueOf(left, scope);
  if (a === UNKNOWN) return UNKNOWN;
  if (sign === undefined) return a !== undefined && a !== null && a !== false;
  const b = valueOf(right, scope);
  if (b === UNKNOWN) return UNKNOWN;
  switch (sign) {
    case '==':
      return isSame(a, b);
    case '!=':
    case '<>':
      return !isSame(a, b);
    case 'contains':
      return Array.isArray(a) ? a.includes(b) : typeof a === 'string' && a.includes(shown(b));
    default: {
      if (typeof a !== typeof b || (typeof a !== 'number' && typeof a !== 'string')) return false;
      const order = typeof a === 'number' ? a - Number(b) : a < shown(b) ? -1 : Number(a > shown(b));
      return sign === '>' ? order > 0 : sign === '<' ? order < 0 : sign === '>=' ? order >= 0 : order <= 0;
    }
  }
}

function isSame(a: unknown, b: unknown): boolean {
  const plain = (value: unknown): unknown =>
    Array.isArray(value) && value.length === 0 ? '' : (value ?? undefined);
  return plain(a) === plain(b);
}
