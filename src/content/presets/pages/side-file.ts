import type { CollectionTag, ScalarTag } from 'yaml';
import { smolToml, yaml } from '../../parsers.ts';
import { yamlFault } from '../../front-matter/yaml-fault.ts';
import type { YamlMark } from '../../front-matter/yaml-fault.ts';
import { START, spotAt } from '../../source-text.ts';
import type { LocalProblem } from '../../source-text.ts';

export interface SideFile {
  readonly value: unknown;
  readonly problems: readonly LocalProblem[];
}

/** Larger settings are a mistake, and an invitation to slow parsers. */
const CHARS_MAX = 500_000;
const JSON_CHARS_MAX = 5_000_000;
/** The parser looks at all empty lines again for each of them. */
const LINES_MAX = 50_000;
/** The parser calls itself for each level, and a pattern that is first used where the stack ends kills the process. */
const DEPTH_MAX = 200;
/** In blocks: marks for all levels in one line, or an indent for each. */
const DEEP_LINE = /^(?: {400}|[ \t]*(?:[-?:][ \t]+){200})/m;

const CODE = 'unreadable-settings';
const JSON_START = /^\s*[[{]/;

/** Settings beside the documents, JSON or YAML; tags that only the other system knows are ignored, but for `!ENV`. */
export function sideFile(text: string): SideFile {
  const json = jsonIn(text);
  if (json !== undefined && 'value' in json) return { value: json.value, problems: [] };
  if (text.length > CHARS_MAX) {
    return {
      value: undefined,
      problems: [fault(`the file has ${text.length} characters; kbsync reads at most ${CHARS_MAX}`)],
    };
  }
  const lines = text.split('\n').length;
  if (lines > LINES_MAX) {
    return {
      value: undefined,
      problems: [fault(`the file has ${lines} lines; kbsync reads at most ${LINES_MAX}`)],
    };
  }
  if (isDeep(text)) {
    return {
      value: undefined,
      problems: [fault(`the file is nested more than ${DEPTH_MAX} levels deep`)],
    };
  }
  const document = yaml().parseDocument(text, {
    logLevel: 'silent',
    uniqueKeys: false,
    ...(text.includes('!ENV') ? { customTags: ENVIRONMENT } : {}),
  });
  const [error] = document.errors;
  if (error !== undefined) {
    const said =
      error.message
        .split('\n')[0]
        ?.replace(/:?$/, '')
        .replace(/ at line \d+.*$/, '') ?? '';
    const mark = { ...spotAt(text, error.pos[0]), reason: said };
    return {
      value: undefined,
      problems: [
        json === undefined ? { code: CODE, ...yamlFault(text, mark) } : jsonFault(text, json.said, mark),
      ],
    };
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return text.includes('&') && text.includes('*') && holdsItself(value)
      ? { value: undefined, problems: [fault('an alias makes a value contain itself, so it has no end')] }
      : { value, problems: [] };
  } catch (error_) {
    return { value: undefined, problems: [fault(error_ instanceof Error ? error_.message : String(error_))] };
  }
}

/**
 * `!ENV NAME` and `!ENV [NAME, OTHER, default]` of MkDocs, where none of the names is set: nothing, or the last of several
 * (https://www.mkdocs.org/user-guide/configuration/#environment-variables).
 */
const ENVIRONMENT: (CollectionTag | ScalarTag)[] = [
  { tag: '!ENV', resolve: () => null },
  {
    tag: '!ENV',
    collection: 'seq',
    resolve: ({ items }) => (items.length > 1 ? items.at(-1) : null),
  },
];

/**
 * JSON has a parser that takes larger files: a navigation of many versions and languages. `said`: why it could not read this.
 * Undefined: it was not asked.
 */
function jsonIn(text: string): { readonly value: unknown } | { readonly said: string } | undefined {
  if (text.length > JSON_CHARS_MAX || !JSON_START.test(text) || isDeep(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { said: error instanceof Error ? error.message : '' };
  }
}

/** In the words of JSON's own parser: advice for YAML would be wrong here. It does not always say where. */
function jsonFault(text: string, said: string, { line, column }: YamlMark): LocalProblem {
  const [, reason = said, at] = /^(.*?)(?: in JSON)? at position (\d+)/s.exec(said) ?? [];
  const spot = at === undefined ? { line, column } : spotAt(text, Number(at));
  return { code: CODE, reason: `this is not valid JSON: ${reason}`, spot };
}

function isDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/[[\]{}]/g)) {
    depth = sign === '[' || sign === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > DEPTH_MAX) return true;
  }
  return DEEP_LINE.test(text);
}

function holdsItself(value: unknown, around: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    around.includes(value) || Object.values(value).some((inside) => holdsItself(inside, [...around, value]))
  );
}

/** Settings beside the documents, TOML. */
export function tomlFile(text: string): SideFile {
  try {
    return { value: smolToml().parse(text), problems: [] };
  } catch (error) {
    const said = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { value: undefined, problems: [fault(said.replace(/^Invalid TOML document: /, ''))] };
  }
}

/** A key of a mapping, or undefined. */
export function valueAt(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function fault(reason: string): LocalProblem {
  return { code: CODE, reason, spot: START };
}

/** A value that can stand in a text. */
export function scalar(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** One text or a list of texts. */
export function textsOf(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item) => typeof item === 'string');
}

/** The same of a list that is known whole; none of one with computed entries, which may mean anything. */
export function allTextsOf(value: unknown): readonly string[] {
  const texts = textsOf(value);
  return Array.isArray(value) && texts.length < value.length ? [] : texts;
}
