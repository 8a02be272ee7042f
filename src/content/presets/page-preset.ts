import type { Kind } from '../../model/key.ts';
import type { LanguageOptions } from './page-languages.ts';
import { pageTarget } from './page-target.ts';
import type { TargetRules } from './page-target.ts';
import { HOME, pageTree } from './page-tree.ts';
import type { TreeRules } from './page-tree.ts';
import type { Dialect, Foreign, Placement, Preset } from './preset.ts';

/** What a preset is made from. Pure: the files beside the documents come as text. */
export interface PresetInput extends LanguageOptions {
  readonly paths: readonly string[];
  /** A small file by its path from the content folder (`../mkdocs.yml`), or undefined. */
  readonly readText: (path: string) => string | undefined;
}

export interface PageSystem {
  readonly name: string;
  readonly tree: TreeRules;
  readonly target: Omit<TargetRules, 'index' | 'hasNumberPrefixes'>;
  readonly dialect: Dialect;
  /** For messages: the file that a page would have. */
  readonly fileFor: (kind: Kind, path: string, lang: string) => string;
  readonly folder?: (
    path: string,
  ) => { readonly name?: string | undefined; readonly priority?: number | undefined } | undefined;
  readonly sideFiles?: string;
  readonly problems?: Foreign['problems'];
}

const UNREAD: Placement = { role: 'ignored' };

/** A site generator's repository as a preset. */
export function pagePreset(system: PageSystem, { paths, defaultLanguage }: PresetInput): Preset {
  const tree = pageTree(paths, system.tree);
  const { index, hasNumberPrefixes = false } = system.tree;
  return {
    name: system.name,
    place: (path) => tree.placements.get(path) ?? UNREAD,
    linkTargets: () => [],
    inLanguage: () => undefined,
    fileFor: (kind, path, lang) => system.fileFor(kind, path === HOME ? '' : path, lang),
    foreign: {
      dialect: system.dialect,
      target: pageTarget(tree, { ...system.target, index, hasNumberPrefixes }, defaultLanguage),
      folder: (path) => {
        const said = system.folder?.(path);
        return { name: said?.name ?? humanName(path), priority: said?.priority };
      },
      sideFiles: system.sideFiles ?? '',
      problems: system.problems ?? [],
    },
  };
}

/** `getting-started` → `Getting started`. */
export function humanName(path: string): string {
  const name = path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll(/[-_\s]+/g, ' ')
    .trim();
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Fields that every system leaves to us, under our own names. */
export const OWN_FIELDS: Dialect['fields'] = {
  hideFromSearch: ['hideFromSearch'],
  seoBannerUrl: ['seoBannerUrl'],
  articleReviewDate: ['articleReviewDate'],
  categoryParent: ['categoryParent'],
  thumbnailUrl: ['thumbnailUrl'],
  iconUrl: ['iconUrl'],
  translationKey: ['translationKey'],
};
