import type { Foreign, Preset } from '../preset.ts';

/** Files by their names, wherever they lie; letter case, `-`, `_` and blanks count as the same. */
export interface FilesByName {
  /** The only file of that name; of several one in the folder nearest to `from`. */
  readonly find: (name: string, from?: string) => string | undefined;
}

export function filesByName(paths: readonly string[]): FilesByName {
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const names = plain(path).split('/');
    for (let from = 0; from < names.length; from += 1) {
      const name = names.slice(from).join('/');
      const list = byName.get(name);
      if (list === undefined) byName.set(name, [path]);
      else list.push(path);
    }
  }
  return {
    find: (name, from = '') => {
      const found = byName.get(plain(name.replace(/^(?:\.{0,2}\/)+/, ''))) ?? [];
      if (found.length < 2) return found[0];
      const folders = from.split('/').slice(0, -1);
      const shared = (path: string): number => {
        const names = path.split('/');
        const apart = folders.findIndex((folder, index) => folder !== names[index]);
        return apart < 0 ? folders.length : apart;
      };
      return [...found].sort((a, b) => shared(b) - shared(a) || a.length - b.length || (a < b ? -1 : 1))[0];
    },
  };
}

/** A layout in which a link that is no path is a page's name. */
export function withNames(preset: Preset, files: FilesByName): Preset {
  const { foreign } = preset;
  if (foreign === undefined) return preset;
  const target: Foreign['target'] = (from, written) => {
    const found = foreign.target(from, written);
    if (found !== undefined) return found;
    const named = files.find(written, from);
    const place = named === undefined ? undefined : preset.place(named);
    return place?.role === 'document' || place?.role === 'asset' ? named : undefined;
  };
  return { ...preset, foreign: { ...foreign, target } };
}

function plain(path: string): string {
  return path
    .normalize('NFC')
    .replace(/\.(?:mdx?|markdown|mdown|mkdn?|mkdown)$/i, '')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-');
}
