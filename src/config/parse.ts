import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type YAMLError,
} from 'yaml';
import type { z } from 'zod';
import type { Place } from '../model/problem.ts';
import { configSchema, SETTING_NAMES, type ConfigFile } from './schema.ts';
import { didYouMean } from '../content/suggest.ts';
import { withoutLogins } from '../model/visible.ts';

/** What is wrong with kbsync.yaml, one value per fault, each with its place. */
export interface ConfigProblem {
  readonly at: Place;
  /** Columns the fault covers. */
  readonly width: number;
  readonly message: string;
  readonly help?: string;
}

export type ParsedConfig = ParsedSettings<ConfigFile>;

/** Reads kbsync.yaml. Unknown keys are errors: a misspelt guard must not count as absent. */
export function parseConfig(text: string, file: string): ParsedConfig {
  return parseSettings(text, file, { schema: configSchema, names: SETTING_NAMES });
}

/** A file of settings: what it may hold, and the names in each of its groups (`''`: any other), for "did you mean". */
export interface SettingsFormat<Value> {
  readonly schema: z.ZodType<Value>;
  readonly names: Readonly<Record<string, readonly string[]>>;
}

export type ParsedSettings<Value> =
  | { readonly ok: true; readonly config: Value }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Reads a YAML file of settings; every fault has its place in the file. */
export function parseSettings<Value>(
  text: string,
  file: string,
  { schema, names }: SettingsFormat<Value>,
): ParsedSettings<Value> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const spot = (start: number, end: number): Pick<ConfigProblem, 'at' | 'width'> => {
    const { line, col } = lines.linePos(start);
    const lineEnd = text.indexOf('\n', start);
    const word = /^[\w.-]*/.exec(text.slice(start, start + 100))?.[0].length ?? 0;
    const stop = Math.min(Math.max(end, start + word), lineEnd === -1 ? text.length : lineEnd);
    return {
      at: { file, line: Math.max(1, line), column: Math.max(1, col) },
      width: Math.max(1, stop - start),
    };
  };

  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => ({
      ...spot(error.pos[0], error.pos[1]),
      ...syntaxMessage(error),
    }));
    return { ok: false, problems };
  }
  if (document.contents !== null && !isMap(document.contents)) {
    return {
      ok: false,
      problems: [{ ...spot(0, 1), message: 'the file is not a list of `name: value` lines' }],
    };
  }
  const value = document.contents === null ? {} : plainValue(document);
  if (value === undefined) {
    return {
      ok: false,
      problems: [{ ...spot(0, 1), message: 'the file repeats parts of itself too often (`*name`)' }],
    };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, config: parsed.data };
  const problems = parsed.error.issues
    .flatMap((issue) => issueFaults(issue, document, names))
    .map(({ path, isKey, message, help }) => {
      const [start, end] = rangeOf(document, path, isKey);
      return { ...spot(start, end), message, ...(help === undefined ? {} : { help }) };
    })
    .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
  return { ok: false, problems };
}

/** Where the items of a list begin, in a file that could be parsed; undefined where there is no such list. */
export function itemPlaces(
  text: string,
  file: string,
  list: readonly string[],
): readonly Place[] | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const items = document.getIn(list, true);
  if (!isSeq(items)) return undefined;
  return items.items.map((_, index) => {
    const { line, col } = lines.linePos(rangeOf(document, [...list, index], false)[0]);
    return { file, line, column: col };
  });
}

/** Undefined for a file whose aliases multiply beyond what any settings need. */
function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly isKey: boolean;
  readonly message: string;
  readonly help?: string;
}

function issueFaults(
  issue: z.core.$ZodIssue,
  document: Document,
  names: SettingsFormat<unknown>['names'],
): readonly Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey([...issue.path, key], key, names));
  }
  if (issue.code === 'invalid_key') {
    const name = String(issue.path.at(-1));
    if (names[groupOf(issue.path)] !== undefined) return [unknownKey(issue.path, name, names)];
    const why = issue.issues.map(({ message }) => message).join(', ');
    return [{ path: issue.path, isKey: true, message: `the name \`${name}\` must ${why}` }];
  }
  return [{ path: issue.path, isKey: false, message: wrongValue(issue, document) }];
}

function unknownKey(
  path: readonly PropertyKey[],
  key: string,
  names: SettingsFormat<unknown>['names'],
): Fault {
  const fault = { path, isKey: true, message: `unknown setting \`${key}\`` };
  if (/key|token|secret|password/i.test(key)) {
    return {
      ...fault,
      help: 'put the key into the environment variable KBSYNC_API_KEY, never into a file that is committed',
    };
  }
  const known = names[groupOf(path)] ?? names[''] ?? [];
  const suggestion = didYouMean(key, known);
  return suggestion === ''
    ? { ...fault, help: `settings here are ${known.join(', ')}` }
    : { ...fault, message: fault.message + suggestion };
}

function groupOf(path: readonly PropertyKey[]): string {
  const group = path.at(-2);
  return typeof group === 'string' ? group : '';
}

function wrongValue(issue: z.core.$ZodIssue, document: Document): string {
  const name = `\`${shownPath(issue.path)}\``;
  const found = valueAt(document, issue.path);
  const is = `${name} is ${isSeq(found) ? 'a list' : isMap(found) ? 'a group' : JSON.stringify(shownValue(issue.path, found))}`;
  switch (issue.code) {
    case 'invalid_type':
      return found === undefined || found === null
        ? `${name} has no value; it takes ${typeName(issue.expected)}`
        : `${is}; it takes ${isEnvironment(issue.path) ? 'a group, like { baseUrl: https://staging.example.com }' : typeName(issue.expected)}`;
    case 'invalid_value': {
      const values = issue.values.map(String);
      return `${is}; it takes ${oneOf(values)}${typeof found === 'string' ? didYouMean(found, values) : ''}`;
    }
    case 'too_small':
      return issue.origin === 'string' ? `${name} is empty` : `${is}; it must be at least ${issue.minimum}`;
    case 'too_big':
      return `${is}; it must ${issue.origin === 'string' ? 'have at most' : 'be at most'} ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'invalid_format':
      return `${is}; it must ${issue.message}`;
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return `${found === undefined ? `${name} has no value` : is}; ${issue.message}`;
  }
}

/** The value there, also if it is said elsewhere (`*name`); a list and a group as nodes. */
function valueAt(document: Document, path: readonly PropertyKey[]): unknown {
  const found = document.getIn([...path]);
  const meant = isAlias(found) ? found.resolve(document) : found;
  return isScalar(meant) ? meant.value : meant;
}

/** `environments.staging`: an address there is the most likely slip. */
function isEnvironment(path: readonly PropertyKey[]): boolean {
  return path.length === 2 && path[0] === 'environments';
}

/** A value as a message may have it, because logs are read by many: no password of an address, and of a command its program. */
function shownValue(path: readonly PropertyKey[], value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (path.at(-2) === 'assets' && path.at(-1) === 'upload') return value.replace(/^(\s*\S+)\s.*$/s, '$1 …');
  return withoutLogins(value);
}

/** `environments.staging.allow[0]` */
function shownPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (shown, part) =>
      typeof part === 'number' ? `${shown}[${part}]` : `${shown}${shown === '' ? '' : '.'}${String(part)}`,
    '',
  );
}

function oneOf(values: readonly string[]): string {
  const [last = '', ...others] = values.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`;
}

function typeName(expected: string): string {
  const names: Readonly<Record<string, string>> = {
    string: 'text',
    boolean: 'true or false',
    int: 'a whole number',
    number: 'a number',
    array: 'a list, like [a, b]',
    object: 'a group, like { name: value }',
    record: 'a group, like { name: value }',
  };
  return names[expected] ?? expected;
}

/** Where a value stands, or its key; the nearest parent that exists when the value itself does not. */
function rangeOf(
  document: Document,
  path: readonly PropertyKey[],
  isKey: boolean,
): readonly [number, number] {
  if (isKey || isEmptyAt(document, path)) {
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === path.at(-1));
      if (pair !== undefined && isNode(pair.key) && pair.key.range)
        return [pair.key.range[0], pair.key.range[1]];
    }
  }
  const node = document.getIn(path, true);
  if (isNode(node) && node.range) return [node.range[0], node.range[1]];
  return path.length === 0 ? [0, 1] : rangeOf(document, path.slice(0, -1), false);
}

function isEmptyAt(document: Document, path: readonly PropertyKey[]): boolean {
  const value = document.getIn(path);
  return value === null || value === undefined;
}

/** The library's sentences speak of YAML's grammar; these speak of the file. */
function syntaxMessage(error: YAMLError): Pick<ConfigProblem, 'message' | 'help'> {
  switch (error.code) {
    case 'DUPLICATE_KEY':
      return { message: 'this setting is given twice; keep one' };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return {
        message: 'a value with `: ` inside needs quotes',
        help: 'put the whole value between double quotes',
      };
    case 'TAB_AS_INDENT':
      return { message: 'a tab cannot indent a line of YAML; use spaces' };
    case 'BAD_INDENT':
      if (/end with a [\]}]/.test(error.message)) return { message: 'a bracket before this line stays open' };
      return { message: 'the indentation does not match the lines around it' };
    case 'UNEXPECTED_TOKEN':
    case 'MISSING_CHAR':
    case 'BAD_ALIAS':
    default:
      return { message: `not YAML: ${error.message.toLowerCase()}` };
  }
}
