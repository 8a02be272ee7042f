import {
  isCallable,
  isList,
  isMapping,
  isTrue,
  joined,
  isWhole,
  listFrom,
  textFrom,
  UNKNOWN,
  valueIn,
} from './values.ts';
import type { Callable, Mapping, Value } from './values.ts';

/** `value.name`; methods of texts and lists are functions. */
export function memberOf(value: Value, name: string | number): Value {
  if (isMapping(value)) return valueIn(value, String(name));
  if (typeof value === 'string') {
    if (typeof name === 'number') return value[name];
    return name === 'length' ? value.length : method(TEXT.get(name), value);
  }
  if (isList(value)) {
    if (typeof name === 'number') return value[name];
    return name === 'length' ? value.length : method(LIST.get(name), value);
  }
  return UNKNOWN;
}

/** Functions that every page has: `Object.entries(…)`, `String(…)`. */
export function globalCall(path: string, given: readonly Value[]): Value {
  const [first] = given;
  switch (path) {
    case 'Object.keys':
      return isMapping(first) && isWhole(first) ? inOrder(first).map(([key]) => key) : UNKNOWN;
    case 'Object.values':
      return isMapping(first) && isWhole(first) ? inOrder(first).map(([, value]) => value) : UNKNOWN;
    case 'Object.entries':
      return isMapping(first) && isWhole(first) ? inOrder(first) : UNKNOWN;
    case 'Array.isArray':
      return first === UNKNOWN ? UNKNOWN : isList(first);
    case 'String':
      return joined(first) ?? UNKNOWN;
    case 'Boolean':
      return isTrue(first) ?? UNKNOWN;
    case 'Number':
      return typeof first === 'string' || typeof first === 'number' ? Number(first) : UNKNOWN;
    case 'encodeURIComponent':
      return typeof first === 'string' && !/\p{Surrogate}/u.test(first) ? encodeURIComponent(first) : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

/** As JavaScript lists what an object holds: whole numbers first, by size. */
function inOrder(mapping: Mapping): readonly (readonly [string, Value])[] {
  const entries = [...mapping];
  const isIndex = (key: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(key);
  const numbered = entries.filter(([key]) => isIndex(key)).toSorted(([a], [b]) => Number(a) - Number(b));
  return [...numbered, ...entries.filter(([key]) => !isIndex(key))];
}

type Method<Its> = (its: Its, given: readonly Value[]) => Value;

function method<Its>(its: Method<Its> | undefined, value: Its): Value {
  if (its === undefined) return UNKNOWN;
  return { as: 'function', call: (given) => its(value, given) } satisfies Callable;
}

/** With texts alone; anything else is unknown. */
function withTexts(run: (its: string, given: readonly string[]) => Value): Method<string> {
  return (its, given) => {
    const texts = given.filter((each) => typeof each === 'string');
    return texts.length === given.length ? run(its, texts) : UNKNOWN;
  };
}

function withNumbers<Its>(run: (its: Its, given: readonly number[]) => Value): Method<Its> {
  return (its, given) => {
    const numbers = given.filter((each) => typeof each === 'number');
    return numbers.length === given.length ? run(its, numbers) : UNKNOWN;
  };
}

const TEXT: ReadonlyMap<string, Method<string>> = new Map<string, Method<string>>([
  ['toUpperCase', (its) => its.toUpperCase()],
  ['toLowerCase', (its) => its.toLowerCase()],
  ['trim', (its) => its.trim()],
  ['toString', (its) => its],
  ['includes', withTexts((its, [part = '']) => its.includes(part))],
  ['startsWith', withTexts((its, [part = '']) => its.startsWith(part))],
  ['endsWith', withTexts((its, [part = '']) => its.endsWith(part))],
  ['split', withTexts((its, [mark]) => (mark === undefined ? [its] : listFrom([its.split(mark)])))],
  ['replace', withTexts((its, [from = '', to = '']) => (to.includes('$') ? UNKNOWN : its.replace(from, to)))],
  // What is put in between is joined, so the text cannot grow beyond its bound.
  [
    'replaceAll',
    withTexts((its, [from = '', to = '']) =>
      from === '' || to.includes('$') ? UNKNOWN : joinedBy(its.split(from), to),
    ),
  ],
  ['concat', withTexts((its, given) => textFrom(its, ...given))],
  ['localeCompare', withTexts((its, [other = '']) => its.localeCompare(other, 'en'))],
  ['slice', withNumbers((its, [from, to]) => its.slice(from, to))],
  ['substring', withNumbers((its, [from = 0, to]) => its.substring(from, to))],
  ['charAt', withNumbers((its, [at = 0]) => its.charAt(at))],
]);

function joinedBy(texts: readonly string[], mark: string): Value {
  return textFrom(...texts.flatMap((text, at) => (at === 0 ? [text] : [mark, text])));
}

type ListMethod = Method<readonly Value[]>;

/** Each item with what the function says of it; undefined: of one nobody knows. */
function asked(its: readonly Value[], given: readonly Value[]): readonly (readonly [Value, Value])[] {
  const [ask] = given;
  if (!isCallable(ask ?? UNKNOWN)) return its.map((item) => [item, UNKNOWN]);
  return its.map((item, at) => [item, isCallable(ask) ? ask.call([item, at, its]) : UNKNOWN]);
}

function decided(run: (answers: readonly (readonly [Value, boolean])[]) => Value): ListMethod {
  return (its, given) => {
    const answers: (readonly [Value, boolean])[] = [];
    for (const [item, said] of asked(its, given)) {
      const holds = isTrue(said);
      if (holds === undefined) return UNKNOWN;
      answers.push([item, holds]);
    }
    return run(answers);
  };
}

function sorted(its: readonly Value[], order: Callable): Value {
  let isKnown = true;
  const made = its.toSorted((a, b) => {
    const said = order.call([a, b]);
    if (typeof said === 'number') return said;
    isKnown = false;
    return 0;
  });
  return isKnown ? made : UNKNOWN;
}

/** Methods that change the list itself. */
export const CHANGING: ReadonlySet<string> = new Set(
  'push pop shift unshift splice sort reverse fill copyWithin'.split(' '),
);

const LIST: ReadonlyMap<string, ListMethod> = new Map<string, ListMethod>([
  ['map', (its, given) => asked(its, given).map(([, made]) => made)],
  [
    'flatMap',
    (its, given) => {
      const parts: (readonly Value[])[] = [];
      for (const [, made] of asked(its, given)) {
        if (made === UNKNOWN) return UNKNOWN;
        parts.push(isList(made) ? made : [made]);
      }
      return listFrom(parts);
    },
  ],
  ['filter', decided((answers) => answers.flatMap(([item, holds]) => (holds ? [item] : [])))],
  ['find', decided((answers) => answers.find(([, holds]) => holds)?.[0])],
  ['some', decided((answers) => answers.some(([, holds]) => holds))],
  ['every', decided((answers) => answers.every(([, holds]) => holds))],
  [
    'includes',
    (its, [wanted]) => (its.includes(UNKNOWN) || wanted === UNKNOWN ? UNKNOWN : its.includes(wanted)),
  ],
  [
    'join',
    (its, [mark = ',']) => {
      const texts = its.map((item) => (item === null || item === undefined ? '' : joined(item)));
      const known = texts.filter((text) => text !== undefined);
      return typeof mark === 'string' && known.length === texts.length ? joinedBy(known, mark) : UNKNOWN;
    },
  ],
  ['slice', withNumbers((its, [from, to]) => its.slice(from, to))],
  ['at', withNumbers((its, [at = 0]) => its.at(at))],
  [
    'concat',
    (its, given) =>
      given.includes(UNKNOWN)
        ? UNKNOWN
        : listFrom([its, ...given.map((each): readonly Value[] => (isList(each) ? each : [each]))]),
  ],
  ['sort', (its, [order]) => (isCallable(order) ? sorted(its, order) : UNKNOWN)],
  ['toSorted', (its, [order]) => (isCallable(order) ? sorted(its, order) : UNKNOWN)],
  ['reverse', (its) => its.toReversed()],
  [
    'reduce',
    (its, given) => {
      const [add = UNKNOWN, first = its[0]] = given;
      if (!isCallable(add) || (given.length < 2 && its.length === 0)) return UNKNOWN;
      let made: Value = first;
      for (let at = given.length < 2 ? 1 : 0; at < its.length; at += 1) {
        made = add.call([made, its[at], at, its]);
        if (made === UNKNOWN) return UNKNOWN;
      }
      return made;
    },
  ],
]);
