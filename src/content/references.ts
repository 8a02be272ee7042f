import { familyOf, keyIn } from '../model/key.ts';
import type { Family, Kind } from '../model/key.ts';
import type { ProblemCase } from '../model/problem.ts';
import type { ReferenceField } from './read-fields.ts';
import { splitPrefix } from './presets/kbsync.ts';
import { slugOf } from './source-file.ts';
import type { Site, SourceFile } from './source-file.ts';
import { suggest } from './suggest.ts';

export type Resolution = { readonly family: Family } | { readonly problem: ProblemCase };

/** Finds what a name in front matter means. */
export interface ReferenceIndex {
  /** By path, then slug, then last path segment; each in the default language first, then in `lang`. */
  readonly resolve: (kind: 'category' | 'tag', name: string, lang: string) => Resolution;
  /** The category of the nearest folder above `path` that has one, in the default language or in `lang`. */
  readonly folderCategory: (path: string, lang: string) => Family | undefined;
}

export function kindOfReference(field: ReferenceField): 'category' | 'tag' {
  return field === 'tags' ? 'tag' : 'category';
}

type Tier = 'path' | 'slug' | 'segment';
const TIERS: readonly Tier[] = ['path', 'slug', 'segment'];

export function referenceIndex(site: Site): ReferenceIndex {
  const names = new Map<string, Set<Family>>();
  const add = (tier: Tier, file: SourceFile, name: string): void => {
    const at = nameKey(tier, file.place.kind, file.place.lang, name);
    const families = names.get(at);
    if (families === undefined) names.set(at, new Set([familyOf(file.key)]));
    else families.add(familyOf(file.key));
  };
  for (const file of site.files) {
    if (file.place.kind === 'article') continue;
    const keyPath = pathOf(file);
    for (const path of new Set([keyPath, file.place.path, withoutPrefixes(file.place.path)])) {
      add('path', file, path);
      add('segment', file, path.slice(path.lastIndexOf('/') + 1));
    }
    add('slug', file, slugOf(file));
  }
  const find = (tier: Tier, kind: Kind, name: string, lang: string) =>
    names.get(nameKey(tier, kind, lang, name));
  const hasOriginal = (family: Family): boolean => site.byKey.has(keyIn(family, site.defaultLanguage));

  const resolved = new Map<string, Resolution>();
  const resolve = (kind: 'category' | 'tag', name: string, lang: string): Resolution => {
    const normal = name.normalize('NFC').replaceAll(/^\/+|\/+$/g, '');
    for (const tier of TIERS) {
      for (const language of new Set([site.defaultLanguage, lang])) {
        const families = [...(find(tier, kind, normal, language) ?? [])].filter(hasOriginal);
        const [only] = families;
        if (only !== undefined && families.length === 1) return { family: only };
        if (families.length > 1) return unknown(site, kind, name, families.map(pathIn).sort());
      }
    }
    return unknown(site, kind, name, []);
  };
  return {
    resolve: (kind, name, lang) => {
      const at = `${kind} ${lang} ${name}`;
      let found = resolved.get(at);
      if (found === undefined) resolved.set(at, (found = resolve(kind, name, lang)));
      return found;
    },
    folderCategory: (path, lang) => {
      for (let folder = parent(path); folder !== ''; folder = parent(folder)) {
        for (const name of new Set([folder, withoutPrefixes(folder)])) {
          for (const language of new Set([site.defaultLanguage, lang])) {
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
  site: Site,
  kind: 'category' | 'tag',
  name: string,
  candidates: readonly string[],
): Resolution {
  const normal = name.normalize('NFC');
  const others = site.files.filter(({ place }) => place.kind === kind);
  const fits = (file: SourceFile): boolean => [pathOf(file), file.place.path, slugOf(file)].includes(normal);
  const onlyIn =
    candidates.length > 0 ? [] : [...new Set(others.filter(fits).map(({ place }) => place.lang))].sort();
  const originals = others.filter(({ place }) => place.lang === site.defaultLanguage);
  const suggestion =
    candidates.length + onlyIn.length > 0
      ? undefined
      : suggest(name, new Set(originals.flatMap((file) => [slugOf(file), pathOf(file)])));
  return {
    problem: {
      code: kind === 'tag' ? 'unknown-tag' : 'unknown-category',
      name,
      candidates,
      onlyIn,
      defaultLanguage: site.defaultLanguage,
      ...(suggestion === undefined ? {} : { suggestion }),
    },
  };
}

function nameKey(tier: Tier, kind: Kind, lang: string, name: string): string {
  return `${tier} ${kind} ${lang} ${name}`;
}

function pathOf(file: SourceFile): string {
  return pathIn(familyOf(file.key));
}

function pathIn(family: Family): string {
  return family.slice(family.indexOf('/') + 1);
}

function withoutPrefixes(path: string): string {
  return path
    .split('/')
    .map((segment) => splitPrefix(segment).name)
    .join('/');
}

function parent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
