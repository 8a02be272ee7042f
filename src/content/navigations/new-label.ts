import { yamlScalar } from './list-items.ts';

/** A category with another name, where a navigation or the settings of a folder say it. */
export interface NewLabel {
  /** The file, from the content folder. */
  readonly navigation: string;
  readonly from: string;
  readonly to: string;
  /** Which of the places that say the name, from 0. */
  readonly index: number;
}

interface Place {
  readonly at: number;
  readonly length: number;
  readonly next: string;
}

/** Every place that may say the name of a category. What a file means is for the caller to find out. */
export function labelsIn(text: string, names: Omit<NewLabel, 'index'>): readonly NewLabel[] {
  return placesOf(text, names).map((_, index) => ({ ...names, index }));
}

/** The text with the other name. Every other byte stays. undefined: there is no such place. */
export function withLabel(text: string, { index, ...names }: NewLabel): string | undefined {
  const place = placesOf(text, names)[index];
  if (place === undefined) return undefined;
  return `${text.slice(0, place.at)}${place.next}${text.slice(place.at + place.length)}`;
}

const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.|'')*'/g;
/** `- Name:`, `key: Name`, `- key: Name # note`; of an entry, what stands before the name and the name. */
const PLAIN =
  /^([ \t]*(?:- +)*(?:[\w-]+:[ \t]+)?)([^\s"'#[\]{}&*!|>%@`-][^\n]*?)(?=:?[ \t]*(?:#[^\n]*)?\r?$)/gm;
const OF_CODE = /\.(?:jsonc?|[cm]?[jt]s)$/i;
const OF_YAML = /\.ya?ml$/i;

function placesOf(text: string, { navigation, from, to }: Omit<NewLabel, 'index'>): readonly Place[] {
  const isYaml = OF_YAML.test(navigation);
  if (!isYaml && !OF_CODE.test(navigation)) return [];
  const places: Place[] = [];
  for (const { 0: word, index: at } of text.matchAll(QUOTED)) {
    const mark = word.slice(0, 1);
    if (plain(word.slice(1, -1), mark, isYaml) === from)
      places.push({ at, length: word.length, next: quoted(to, mark, isYaml) });
  }
  if (!isYaml) return places;
  for (const { 1: lead = '', 2: word = '', index } of text.matchAll(PLAIN)) {
    if (word === from) places.push({ at: index + lead.length, length: word.length, next: yamlScalar(to) });
  }
  return places;
}

/** undefined: it has escapes that a name does not need. */
function plain(inner: string, mark: string, isYaml: boolean): string | undefined {
  if (mark === "'" && isYaml) return inner.replaceAll("''", "'");
  const bare = inner.replaceAll(/\\(["'\\])/g, '$1');
  return /\\[^"'\\]/.test(inner) ? undefined : bare;
}

function quoted(name: string, mark: string, isYaml: boolean): string {
  if (mark === '"') return JSON.stringify(name);
  if (isYaml) return `'${name.replaceAll("'", "''")}'`;
  return `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
