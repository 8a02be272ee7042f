import { editDistance } from '../../text/edit-distance.ts';
import type { Corpus, SourceFile } from '../corpus/corpus.ts';
import { PAGE, relativePath } from './written-address.ts';
import { folderOf } from '../../text/path.ts';

interface Wanted {
  readonly from: SourceFile;
  readonly path: string;
  readonly isImage: boolean;
}

/** Guesses are for people, who mend the first few and run again; ten thousand dead links must not cost ten seconds. */
const HINTS_MAX = 200;

export interface Neighbourhood {
  left: number;
  readonly assets: ReadonlySet<string>;
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly byFolder: ReadonlyMap<string, readonly string[]>;
}

export function neighbourhood(corpus: Corpus): Neighbourhood {
  const byName = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  for (const path of [...corpus.byPath.keys(), ...corpus.assets]) {
    const slash = path.lastIndexOf('/');
    push(byName, stem(path), path);
    push(byFolder, path.slice(0, slash), path);
  }
  return { left: HINTS_MAX, assets: corpus.assets, byName, byFolder };
}

/** The only file of that name (it was moved), else the one whose path is misspelt at most in single letters. */
export function hintFor(wanted: Wanted, near: Neighbourhood): { readonly suggestion?: string } {
  if (near.left <= 0) return {};
  near.left -= 1;
  const { from, path, isImage } = wanted;
  const bare = path.replace(/(?<!\/)\/+$/, '');
  const language = `${from.place.languageFolder}/`;
  const fits = (candidate: string): boolean =>
    near.assets.has(candidate) === isImage && candidate !== from.path;
  const named = (near.byName.get(stem(path)) ?? []).filter(fits);
  const inLanguageFolder = named.filter((candidate) => candidate.startsWith(language));
  const beside = near.byFolder.get(folderOf(bare)) ?? [];
  const found =
    inLanguageFolder.length === 1 && !INDEX.test(stem(path))
      ? inLanguageFolder[0]
      : alike(bare, [...named, ...beside.filter(fits)]);
  return found === undefined ? {} : { suggestion: relativePath(from.path, found) };
}

/** Files that every folder may have. */
const INDEX = /^(?:_?index|readme)$/i;
/** Names of one or two letters are like all others of their length. */
const ALIKE_MIN = 3;

/** The path that differs least. Names are compared with names: a long folder that two paths share does not make them alike. */
function alike(wanted: string, paths: readonly string[]): string | undefined {
  const parts = wanted.replace(PAGE, '').split('/');
  const [best] = [...new Set(paths)]
    .map((path) => ({ path, cost: differing(parts, path.replace(PAGE, '').split('/')) }))
    .filter(({ cost }) => cost < Infinity)
    .sort((a, b) => a.cost - b.cost);
  return best?.path;
}

/** How many letters differ in all; Infinity: a name of the path is another one. */
function differing(wanted: readonly string[], path: readonly string[]): number {
  if (wanted.length !== path.length) return Infinity;
  let sum = 0;
  for (const [index, written] of wanted.entries()) {
    const name = written.toLowerCase();
    const other = path[index]?.toLowerCase() ?? '';
    if (name === other) continue;
    const max = Math.floor(name.length / ALIKE_MIN);
    const cost = max === 0 ? Infinity : editDistance(name, other, max);
    sum += cost > max ? Infinity : cost;
  }
  return sum;
}

function stem(path: string): string {
  const name = path.replace(/(?<!\/)\/+$/, '').slice(path.replace(/(?<!\/)\/+$/, '').lastIndexOf('/') + 1);
  return name.replace(/\.(?:md|markdown)$/i, '');
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
