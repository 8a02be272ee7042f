import { FRONT_MATTER_CHARS_MAX, allBody, fault, fencedText, tooLong, unclosed } from './front-matter.ts';
import type { FrontMatter } from './front-matter.ts';
import { smolToml } from '../parsers.ts';
import { START, spotAt } from '../source-text.ts';
import type { LocalProblem, Spot } from '../source-text.ts';

/** A text that starts with `+++`, as TOML 1.0; dates become the text that the author typed, in ISO form. */
export function tomlFrontMatter(text: string): FrontMatter {
  const parts = fencedText(text);
  if (parts?.closing === undefined) return allBody(text, [unclosed('+++')]);
  const { closing, raw, body } = parts;
  if (closing.offset > FRONT_MATTER_CHARS_MAX) return allBody(text, [tooLong(closing.offset)]);
  const bodyLine = spotAt(text, closing.offset).line + 1;
  try {
    const values = new Map(Object.entries(smolToml().parse(raw)).map(([key, value]) => [key, plain(value)]));
    const spots = keySpots(raw);
    const spotOf = (key: string): Spot => spots.get(key) ?? START;
    const typed = (): ReadonlyMap<string, unknown> => values;
    return { values, typed, spotOf, spotOfItem: spotOf, body, bodyLine, problems: [] };
  } catch (error) {
    return allBody(text, [tomlProblem(error)]);
  }
}

function tomlProblem(error: unknown): LocalProblem {
  const line = numberIn(error, 'line');
  const column = numberIn(error, 'column');
  const said = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  const reason = said.replace(/^Invalid TOML document: /, '');
  return fault({ line: line + 1, column }, `the TOML cannot be read: ${reason}`);
}

function numberIn(error: unknown, name: string): number {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === 'number' ? value : 1;
}

/** Dates as text, at any depth; everything else is JSON already. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

const KEY = /^[^\S\n]*(?:"([^"\n]+)"|'([^'\n]+)'|([\w-]+))[^\S\n]*=[^\S\n]*/gm;

/** Where the values of the keys above the first table stand; the raw text starts on line 2. */
function keySpots(raw: string): ReadonlyMap<string, Spot> {
  const table = /^[^\S\n]*\[/m.exec(raw)?.index ?? raw.length;
  const spots = new Map<string, Spot>();
  for (const match of raw.slice(0, table).matchAll(KEY)) {
    const key = match[1] ?? match[2] ?? match[3] ?? '';
    const { line, column } = spotAt(raw, match.index + match[0].length);
    if (!spots.has(key)) spots.set(key, { line: line + 1, column });
  }
  return spots;
}
