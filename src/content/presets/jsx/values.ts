/** What an expression gives, as far as the repository alone decides it. */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | typeof UNKNOWN
  | readonly Value[]
  | Mapping
  | Callable
  | Html;

/** Only a browser, a server or another program knows. */
export const UNKNOWN: unique symbol = Symbol('unknown');

export type Mapping = ReadonlyMap<string, Value>;

export interface Callable {
  readonly as: 'function';
  readonly call: (given: readonly Value[]) => Value;
  /** Makes unknown what a call may change, where nobody knows whether there is one. */
  readonly upset?: () => void;
}

/** What an element shows. */
export interface Html {
  readonly as: 'html';
  readonly html: string;
}

export function isMapping(value: Value): value is Mapping {
  return value instanceof Map;
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isCallable(value: Value): value is Callable {
  return isTagged(value) && value.as === 'function';
}

export function isHtml(value: Value): value is Html {
  return isTagged(value) && value.as === 'html';
}

function isTagged(value: Value): value is Callable | Html {
  return typeof value === 'object' && value !== null && !isList(value) && !isMapping(value);
}

/** Mappings that hold more than is known. */
const PARTIAL = new WeakSet<Mapping>();

/** With entries that nobody knows besides these. */
export function partial(mapping: Mapping): Mapping {
  PARTIAL.add(mapping);
  return mapping;
}

export function isWhole(mapping: Mapping): boolean {
  return !PARTIAL.has(mapping);
}

export function valueIn(mapping: Mapping, key: string): Value {
  return mapping.has(key) || isWhole(mapping) ? mapping.get(key) : UNKNOWN;
}

/** What `ref` and `computed` of Vue hold under `value`. */
const REFS = new WeakSet<Mapping>();

export function refOf(value: Value): Mapping {
  const ref: Mapping = new Map([['value', value]]);
  REFS.add(ref);
  return ref;
}

/** What a template of Vue sees of a value. */
export function unref(value: Value): Value {
  return isMapping(value) && REFS.has(value) ? (isSpoilt(value) ? UNKNOWN : value.get('value')) : value;
}

/** Lists and mappings that something has changed in a way that nobody follows. */
const SPOILT = new WeakSet<object>();

export function isSpoilt(value: Value): boolean {
  return typeof value === 'object' && value !== null && SPOILT.has(value);
}

/** From now on unknown, by whatever name it is asked for, and so is what it holds. */
export function spoil(value: Value): void {
  const waiting: Value[] = [value];
  for (let its = waiting.pop(); its !== undefined || waiting.length > 0; its = waiting.pop()) {
    if (typeof its !== 'object' || its === null || SPOILT.has(its)) continue;
    if (isCallable(its)) its.upset?.();
    else if (!isHtml(its)) {
      SPOILT.add(its);
      for (const each of its.values()) waiting.push(each);
    }
  }
}

/** A state that is empty when a page is made is filled by the browser: what a reader sees then, nobody knows here. */
export function firstState(state: Value): Value {
  const isEmpty =
    state === undefined ||
    state === null ||
    state === '' ||
    (isList(state) && state.length === 0) ||
    (isMapping(state) && state.size === 0);
  return isEmpty ? UNKNOWN : state;
}

/** What it costs to go through it once, in steps. */
export function costOf(value: Value): number {
  if (typeof value === 'string') return Math.floor(value.length / 1000);
  return Math.floor((isList(value) ? value.length : isMapping(value) ? value.size : 0) / 100);
}

/** Whether a condition holds; undefined: nobody knows. */
export function isTrue(value: Value): boolean | undefined {
  return value === UNKNOWN ? undefined : Boolean(value);
}

/** What JSON holds. */
export function jsonValue(json: unknown): Value {
  if (Array.isArray(json)) return json.map(jsonValue);
  if (typeof json === 'object' && json !== null)
    return new Map(Object.entries(json).map(([key, value]) => [key, jsonValue(value)]));
  return typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean' || json === null
    ? json
    : undefined;
}

/** As JavaScript joins it to a text; undefined where that says nothing to a reader. */
export function joined(value: Value): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** A value of a few calls could double itself with each line of a file. */
const CHARS_MAX = 100_000;

/** One text of several, unless it would be too long. */
export function textFrom(...texts: readonly string[]): Value {
  return texts.reduce((chars, { length }) => chars + length, 0) > CHARS_MAX ? UNKNOWN : texts.join('');
}

/** A list could double itself too. */
export const ITEMS_MAX = 10_000;

/** One list of several, unless it would be too long. */
export function listFrom(lists: readonly (readonly Value[])[]): Value {
  return lists.reduce((items, { length }) => items + length, 0) > ITEMS_MAX ? UNKNOWN : lists.flat();
}
