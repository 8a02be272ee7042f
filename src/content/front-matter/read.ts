import {
  EMPTY_ABOVE,
  FRONT_MATTER_CHARS_MAX,
  allBody,
  fault,
  fencedText,
  hasMetadata,
  tooLong,
  unclosed,
  withOpening,
} from './front-matter.ts';
import type { FrontMatter, FrontMatterForm } from './front-matter.ts';
import type { Schema } from 'js-yaml';
import { jsYaml, yaml } from '../parsers.ts';
import { START, spotAt } from '../source-text.ts';
import type { LocalProblem, Spot } from '../source-text.ts';
import { metadata } from './metadata.ts';
import { tomlFrontMatter } from './toml.ts';
import { yamlProblem } from './yaml-fault.ts';
import { fileSpot, itemSpot, keyLines } from './yaml-spots.ts';
import type { KeyLine } from './yaml-spots.ts';

/** Values after aliases are expanded: a bomb has millions, a real front matter a hundred. */
const VALUES_MAX = 20_000;
const DEPTH_MAX = 64;

/** Splits and parses. What the form does not allow is named as a problem with its place. */
export function frontMatter(text: string, form: FrontMatterForm = 'strict'): FrontMatter {
  if (form === 'hexo') {
    if (JSON_KEYS.test(text)) return allBody(text, [fault(START, JSON_REASON)]);
    const whole = withOpening(text);
    const found = strictFrontMatter(whole);
    return whole.startsWith(`---\n${text}`) ? movedDown(found, -1) : found;
  }
  if (hasMetadata(text, form)) return metadataAbove(text);
  if (form !== 'hugo') return strictFrontMatter(text, form === 'jekyll');
  const above = EMPTY_ABOVE.exec(text)?.[0] ?? '';
  const rest = text.slice(above.length);
  const found = rest.startsWith('+++') ? tomlFrontMatter(rest) : strictFrontMatter(rest);
  return above === '' ? found : movedDown(found, above.split('\n').length - 1);
}

/** All text where no such line stands. `true` and `false` are flags. */
function metadataAbove(text: string): FrontMatter {
  const { values, spots, offset, bodyLine } = metadata(text);
  if (values.size === 0) return allBody(text, []);
  const spotOf = (key: string): Spot => spots.get(key) ?? START;
  return {
    values: new Map([...values].map(([key, value]) => [key, flag(value)])),
    typed: () => values,
    spotOf,
    spotOfItem: spotOf,
    body: text.slice(offset),
    bodyLine,
    problems: [],
  };
}

function flag(value: string): string | boolean {
  const word = value.toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : value;
}

/** Hexo reads JSON without its braces up to a line `;;;`. */
const JSON_KEYS = /^(?:;{3,}\n|"[^"\n]+"[ \t]*:[^\n]*\n(?:(?!;;;)[^\n]*\n){0,200};;;)/;
const JSON_REASON = 'front matter in JSON (`;;;`) is not read; write YAML between `---` lines';

function movedDown(source: FrontMatter, lines: number): FrontMatter {
  const down = (spot: Spot): Spot => ({ line: spot.line + lines, column: spot.column });
  return {
    ...source,
    spotOf: (key) => down(source.spotOf(key)),
    spotOfItem: (key, items, index) => down(source.spotOfItem(key, items, index)),
    bodyLine: source.bodyLine + lines,
    problems: source.problems.map((problem) => ({ ...problem, spot: down(problem.spot) })),
  };
}

/** `lastWins`: a key may be written twice, and the last one counts. */
function strictFrontMatter(text: string, lastWins = false): FrontMatter {
  const opening = /^([^\S\n]*\n)*---[^\n]*/.exec(text)?.[0];
  if (opening === undefined || /^-{4}/.test(opening)) {
    return allBody(text, [...tomlProblem(text), ...indentProblem(text)]);
  }
  const problem = openingProblem(opening);
  if (problem !== undefined) return allBody(text, [problem]);
  const parts = fencedText(text);
  if (parts === undefined) return allBody(text, []);
  if (parts.closing === undefined) return allBody(text, [unclosed('---')]);
  const { closing, raw, body } = parts;
  if (!/^---[^\S\n]*$/.test(closing.line)) {
    const spot = spotAt(text, closing.offset);
    return allBody(text, [fault(spot, `front matter ends with a line \`---\`, not \`${closing.line}\``)]);
  }
  if (closing.offset > FRONT_MATTER_CHARS_MAX) return allBody(text, [tooLong(closing.offset)]);
  return parsed(raw, body, { bodyLine: spotAt(text, closing.offset).line + 1, lastWins });
}

function openingProblem(opening: string): LocalProblem | undefined {
  const line = opening.slice(opening.lastIndexOf('\n') + 1);
  if (line !== opening) {
    const spot = { line: opening.split('\n').length, column: 1 };
    return fault(spot, 'front matter starts on line 1; remove the empty lines above it');
  }
  const language = line.slice(3).trim();
  if (language === '') return undefined;
  return fault(
    { line: 1, column: 4 },
    `front matter is YAML between \`---\` lines; \`---${language}\` is not read, and code in it is never run`,
  );
}

function tomlProblem(text: string): readonly LocalProblem[] {
  if (!/^\+{3}[^\S\n]*\n/.test(text)) return [];
  return [fault(START, 'TOML front matter (`+++`) is not read; use YAML between `---` lines')];
}

/** A fence behind blanks is a line in the text to every parser, and the keys below it are text. */
function indentProblem(text: string): readonly LocalProblem[] {
  const blanks = /^([^\S\n]+)---[^\S\n]*\n(?=[\w-]+:)/.exec(text)?.[1];
  if (blanks === undefined) return [];
  const reason = 'front matter starts at the first character; remove the blanks before `---`';
  return [fault({ line: 1, column: blanks.length + 1 }, reason)];
}

function parsed(
  raw: string,
  body: string,
  { bodyLine, lastWins }: { readonly bodyLine: number; readonly lastWins: boolean },
): FrontMatter {
  const loaded = load(raw, lastWins);
  const values = loaded.values ?? new Map<string, unknown>();
  const problems =
    loaded.problem === undefined ? [...disagreements(raw, values, lastWins)] : [loaded.problem];
  const keys = problems.length === 0 ? keyLines(raw) : new Map<string, KeyLine>();
  let typed: ReadonlyMap<string, unknown> | undefined;
  return {
    values,
    typed: () =>
      (typed ??= mapOf(jsYaml().load(raw, { schema: merging('FAILSAFE_SCHEMA'), json: lastWins }))),
    spotOf: (key) => keys.get(key)?.spot ?? START,
    spotOfItem: (key, items, index) => itemSpot(raw, keys.get(key), items.slice(0, index + 1)),
    body,
    bodyLine,
    problems,
  };
}

function load(
  raw: string,
  lastWins: boolean,
): {
  readonly values?: ReadonlyMap<string, unknown>;
  readonly problem?: LocalProblem;
} {
  try {
    const value: unknown = jsYaml().load(raw, { schema: merging('CORE_SCHEMA'), json: lastWins });
    if (value === null || value === undefined) return { values: new Map() };
    if (typeof value !== 'object' || Array.isArray(value)) {
      return { problem: fault({ line: 2, column: 1 }, 'front matter is made of `key: value` lines') };
    }
    const size = countValues(value, 0, { left: VALUES_MAX });
    if (size !== undefined) return { problem: fault(aliasSpot(raw), size) };
    return { values: mapOf(value) };
  } catch (error) {
    return { problem: yamlProblem(raw, error) };
  }
}

/** YAML 1.2 has no `<<: *name`, but the parsers of the generators have: a key that it brings counts for them. */
function merging(name: 'CORE_SCHEMA' | 'FAILSAFE_SCHEMA') {
  const { Type } = jsYaml();
  return (schemas[name] ??= jsYaml()[name].extend({
    implicit: [new Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (text) => text === '<<' })],
  }));
}

const schemas: { CORE_SCHEMA?: Schema; FAILSAFE_SCHEMA?: Schema } = {};

/** Why the values are too many or too deep once aliases are expanded, or undefined. */
function countValues(value: unknown, depth: number, budget: { left: number }): string | undefined {
  budget.left -= 1;
  if (budget.left < 0)
    return `aliases (\`*name\`) make more than ${VALUES_MAX.toLocaleString('en')} values of the front matter; use fewer of them`;
  if (depth > DEPTH_MAX) return `the front matter is nested more than ${DEPTH_MAX} levels deep`;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const child of Object.values(value)) {
    const found = countValues(child, depth + 1, budget);
    if (found !== undefined) return found;
  }
  return undefined;
}

function aliasSpot(raw: string): Spot {
  const found = /(?:^|[\s[{,])\*\w/.exec(raw);
  if (found === null) return { line: 2, column: 1 };
  return fileSpot(spotAt(raw, found.index + found[0].length - 2));
}

/** Texts on which YAML parsers are known to differ; all others mean the same to both by construction. */
const SUSPICIOUS =
  /\t|[\u0085\u2028\u2029\uFEFF]|^%|^\? |^\.\.\.|(?:^|[\s[{,:-])[&*!]\S|[|>][+-]?\d|:\s+[-+]?(?:0[xob]|\.\d|\d[\d_]*_|\d+:)/m;

/**
 * Where the two parsers read a key differently, neither reading can be trusted. The second parser costs six times the
 * first, so it is asked only about texts with a construct on which the two can differ.
 */
function* disagreements(
  raw: string,
  values: ReadonlyMap<string, unknown>,
  lastWins: boolean,
): Iterable<LocalProblem> {
  if (!SUSPICIOUS.test(raw)) return;
  const second = (text: string) =>
    yaml().parseDocument(text, { schema: 'core', merge: true, uniqueKeys: !lastWins, logLevel: 'silent' });
  const strict = second(raw);
  // A tab in front of an item of `[…]` is a blank to most parsers; the second one takes no tab for an indent.
  const document =
    strict.errors.length === 0 ? strict : second(raw.replaceAll(/^\t+/gm, (tabs) => ' '.repeat(tabs.length)));
  const error = document.errors[0];
  if (error !== undefined) {
    const spot = fileSpot(spotAt(raw, error.pos[0]));
    yield fault(
      spot,
      'YAML parsers do not agree on this line; write it more plainly (no tabs, values in quotes)',
    );
    return;
  }
  const odd = keyThatIsNoText(raw, document.contents);
  if (odd !== undefined) return yield odd;
  const other = mapOf(document.toJS({ maxAliasCount: 1000 }));
  const lines = keyLines(raw);
  for (const [key, value] of values) {
    if (JSON.stringify(value) === JSON.stringify(other.get(key))) continue;
    yield fault(
      lines.get(key)?.spot ?? START,
      `YAML parsers do not agree on \`${key}\`: \`${show(value)}\` or \`${show(other.get(key))}\`; put the value in quotes`,
    );
  }
}

/** `? [a, b]` and an empty key: the parsers make different names of a key that is a list, a mapping or nothing. */
function keyThatIsNoText(raw: string, contents: unknown): LocalProblem | undefined {
  if (!yaml().isMap(contents)) return undefined;
  for (const { key } of contents.items) {
    const isText = yaml().isScalar(key) && key.value !== null;
    if (isText || yaml().isAlias(key)) continue;
    const what = yaml().isSeq(key) ? 'a list' : yaml().isMap(key) ? 'a mapping' : 'nothing';
    const at = yaml().isNode(key) ? (key.range?.[0] ?? 0) : 0;
    return fault(fileSpot(spotAt(raw, at)), `a key of the front matter must be text; this one is ${what}`);
  }
  return undefined;
}

function mapOf(value: unknown): ReadonlyMap<string, unknown> {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : new Map();
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}
