import { familyOf, keyIn, pathOf } from '../../model/key.ts';
import type { Family, Kind } from '../../model/key.ts';
import type { ProblemCase } from '../../model/problem.ts';
import type { ReferenceField } from '../document/fields.ts';
import { splitPrefix } from '../presets/layouts/kbsync.ts';
import { slugOf } from './corpus.ts';
import type { Corpus, SourceFile } from './corpus.ts';
import { suggest } from '../suggest.ts';
import { folderOf } from '../../text/path.ts';

export type Resolution = { readonly family: Family } | { readonly problem: ProblemCase };

/** Finds what a name in front matter means. */
export interface ReferenceIndex {
  /** By path, then slug, then last path segment; each in the default language first, then in `lang`. */
  readonly resolve: (kind: 'category' | 'tag', name: string, lang: string) => Resolution;
  /** The category that a navigation puts the file in, else that of the nearest folder above it that has one; in the default language or in the file's. */
  readonly folderCategory: (place: SourceFile['place']) => Family | undefined;
}

export function kindOfReference(field: ReferenceField): 'category' | 'tag' {
  return field === 'tags' ? 'tag' : 'category';
}

type Tier = 'path' | 'slug' | 'segment';
const TIERS: readonly Tier[] = ['path', 'slug', 'segment'];

export function referenceIndex(corpus: Corpus): ReferenceIndex {
  const names = new Map<string, Set<Family>>();
  const add = (tier: Tier, file: Pick<SourceFile, 'key' | 'place'>, name: string): void => {
    const at = nameKey(tier, file.place.kind, file.place.lang, name);
    const families = names.get(at);
    if (families === undefined) names.set(at, new Set([familyOf(file.key)]));
    else families.add(familyOf(file.key));
  };
  const unread = [...corpus.unread.values()];
  for (const file of [...corpus.files, ...unread]) {
    if (file.place.kind === 'article') continue;
    const keyPath = filePath(file);
    for (const path of new Set([keyPath, file.place.path, withoutPrefixes(file.place.path)])) {
      add('path', file, path);
      add('segment', file, path.slice(path.lastIndexOf('/') + 1));
    }
    add('slug', file, 'slug' in file ? file.slug : slugOf(file));
  }
  const find = (tier: Tier, kind: Kind, name: string, lang: string) =>
    names.get(nameKey(tier, kind, lang, name));
  const unreadKeys = new Set(unread.map(({ key }) => key));
  const hasOriginal = (family: Family): boolean => {
    const key = keyIn(family, corpus.defaultLanguage);
    return corpus.byKey.has(key) || unreadKeys.has(key);
  };

  const resolved = new Map<string, Resolution>();
  const resolve = (kind: 'category' | 'tag', name: string, lang: string): Resolution => {
    const normal = name.normalize('NFC').replaceAll(/^\/+|(?<!\/)\/+$/g, '');
    for (const tier of TIERS) {
      for (const language of new Set([corpus.defaultLanguage, lang])) {
        const families = [...(find(tier, kind, normal, language) ?? [])].filter(hasOriginal);
        const [only] = families;
        if (only !== undefined && families.length === 1) return { family: only };
        if (families.length > 1) return unknown(corpus, kind, name, families.map(pathOf).sort());
      }
    }
    return unknown(corpus, kind, name, []);
  };
  return {
    resolve: (kind, name, lang) => {
      const at = `${kind} ${lang} ${name}`;
      let found = resolved.get(at);
      if (found === undefined) resolved.set(at, (found = resolve(kind, name, lang)));
      return found;
    },
    folderCategory: ({ path, lang, category }) => {
      for (let folder = category ?? folderOf(path); folder !== ''; folder = folderOf(folder)) {
        for (const name of new Set([folder, withoutPrefixes(folder)])) {
          for (const language of new Set([corpus.defaultLanguage, lang])) {
            const [family] = find('path', 'category', name, language) ?? [];
            if (family !== undefined && hasOriginal(family)) return family;
          }
        }
      }
      return undefined;
    },
  };
}

function unknown(
  corpus: Corpus,
  kind: 'category' | 'tag',
  name: string,
  candidates: readonly string[],
): Resolution {
  const normal = name.normalize('NFC');
  const others = corpus.files.filter(({ place }) => place.kind === kind);
  const fits = (file: SourceFile): boolean =>
    [filePath(file), file.place.path, slugOf(file)].includes(normal);
  const onlyIn =
    candidates.length > 0 ? [] : [...new Set(others.filter(fits).map(({ place }) => place.lang))].sort();
  const originals = others.filter(({ place }) => place.lang === corpus.defaultLanguage);
  const suggestion =
    candidates.length + onlyIn.length > 0
      ? undefined
      : suggest(name, new Set(originals.flatMap((file) => [slugOf(file), filePath(file)])));
  return {
    problem: {
      code: kind === 'tag' ? 'unknown-tag' : 'unknown-category',
      name,
      candidates,
      onlyIn,
      defaultLanguage: corpus.defaultLanguage,
      ...(suggestion === undefined ? {} : { suggestion }),
    },
  };
}

function nameKey(tier: Tier, kind: Kind, lang: string, name: string): string {
  return `${tier} ${kind} ${lang} ${name}`;
}

function filePath(file: Pick<SourceFile, 'key'>): string {
  return pathOf(familyOf(file.key));
}

function withoutPrefixes(path: string): string {
  return path
    .split('/')
    .map((segment) => splitPrefix(segment).name)
    .join('/');
}
