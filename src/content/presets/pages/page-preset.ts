import { withCapital } from '../../../text/capital.ts';
import { digestOfText } from '../../../model/digest.ts';
import type { Kind } from '../../../model/key.ts';
import { headingSlug } from '../../markdown/heading-id.ts';
import type { LanguageOptions } from './page-languages.ts';
import { pageTarget } from './page-target.ts';
import type { TargetRules } from './page-target.ts';
import { HOME, pageTree } from './page-tree.ts';
import type { TreeRules } from './page-tree.ts';
import type { PresetName } from '../names.ts';
import type { Dialect, FolderCategory, Foreign, Placement, Preset, MovedAddress } from '../preset.ts';
import { hostRedirects } from './site-redirects.ts';

/** What a preset is made from. Pure: the files beside the documents come as text. */
export interface PresetInput extends LanguageOptions {
  readonly paths: readonly string[];
  /** What `@assets/a.png` means, from the content folder; undefined: nothing. */
  readonly alias: (path: string) => string | undefined;
  /** A small file by its path from the content folder (`../mkdocs.yml`), or undefined. */
  readonly readText: (path: string) => string | undefined;
  /**
   * What `find` finds in the text of a page, as JSON can write it and never undefined; undefined: there is no text. It is kept as long as the file
   * has not changed, so a layout may ask for all pages. A layout has one `find`, and asks only while it is made.
   */
  readonly factOf: <Fact>(path: string, find: (text: string) => Fact) => Fact | undefined;
}

export interface PageSystem {
  readonly name: PresetName;
  readonly tree: TreeRules;
  readonly target: Omit<TargetRules, 'index' | 'hasNumberPrefixes'> & {
    readonly isBasePrepended?: boolean;
    /** Pages whose paths are their addresses, without the first prefix of the others. */
    readonly hasOwnPrefix?: (page: string) => boolean;
    /** Names of files become small letters without other signs in addresses (Astro). */
    readonly hasSluggedAddresses?: boolean;
    readonly isFromRepository?: boolean;
    readonly hasPagesElsewhere?: boolean;
    readonly hasNamesElsewhere?: boolean;
  };
  /** The address of a page that its path does not make, from the root of the site (posts of Hexo). */
  readonly ownAddress?: (file: string) => string | undefined;
  /** Where the site shows a file that lies beside the pages, from its root; undefined: it does not, or nobody knows. */
  readonly fileAddress?: (path: string) => string | undefined;
  readonly folderAddresses?: ReadonlyMap<string, string>;
  readonly dialect: Dialect;
  /** For messages: the file that a page would have. */
  readonly fileFor: (kind: Kind, path: string, lang: string) => string;
  readonly folder?: (path: string) => SaidOfFolder | undefined;
  readonly sideFiles?: string;
  readonly problems?: Foreign['problems'];
  /** Of its own settings. */
  readonly moved?: readonly MovedAddress[];
  /** Values of names that pages use (`site.title`), as settings in the repository give them. */
  readonly variable?: (name: string) => string | undefined;
  /** What its template language looks up for a page. */
  readonly value?: (file: string, name: string, keys: readonly string[]) => unknown;
}

/** What files beside the pages say about a folder. */
export interface SaidOfFolder extends Omit<FolderCategory, 'name'> {
  readonly name?: string | undefined;
}

const UNREAD: Placement = { role: 'ignored' };

/** A site generator's repository as a preset. */
export function pagePreset(system: PageSystem, input: PresetInput): Preset {
  const { paths, defaultLanguage, readText } = input;
  const tree = pageTree(paths, system.tree);
  const { index, hasNumberPrefixes = false } = system.tree;
  const host = hostRedirects(input, system.target.publicFolders);
  return {
    name: system.name,
    place: (path) => tree.placements.get(path) ?? UNREAD,
    linkTargets: () => [],
    inLanguage: () => undefined,
    fileFor: (kind, path, lang) => system.fileFor(kind, path === HOME ? '' : path, lang),
    foreign: {
      dialect: {
        ...system.dialect,
        // A body may show values of the settings: the same text means something else under others.
        ...(system.variable === undefined
          ? {}
          : { version: `${system.dialect.version} ${digestOfText(system.sideFiles ?? '')}` }),
        surroundings: { readText, variable: system.variable ?? (() => undefined), value: system.value },
      },
      target: pageTarget(tree, { ...system.target, index, hasNumberPrefixes }, defaultLanguage),
      alias: input.alias,
      address: (path) => {
        const own = system.ownAddress?.(path);
        if (own !== undefined) return own;
        const { path: named = '', isFolder = false } = tree.addresses.get(path) ?? {};
        const isSlugged = system.target.hasSluggedAddresses === true;
        const page = isSlugged ? named.split('/').map(headingSlug).join('/') : named;
        const place = tree.placements.get(path);
        const isOther = place?.role === 'document' && place.lang !== defaultLanguage;
        const hasSlash = system.target.hasPrettyUrls || system.target.endsInSlash?.({ isFolder }) === true;
        const end = hasSlash && page !== '' ? '/' : '';
        const prefix =
          system.target.hasOwnPrefix?.(page) === true ? '' : (system.target.addressPrefixes[0] ?? '');
        return `${isOther ? `${place.languageFolder}/` : ''}${prefix === '' ? '' : `${prefix}/`}${page}${end}`;
      },
      fileAddress: system.fileAddress,
      folderAddresses: system.folderAddresses,
      basePath: system.target.basePath ?? '',
      publicFolders: system.target.publicFolders,
      isFromRepository: system.target.isFromRepository ?? false,
      hasPagesElsewhere: system.target.hasPagesElsewhere ?? false,
      hasNamesElsewhere: system.target.hasNamesElsewhere ?? false,
      addressPrefix: system.target.addressPrefixes[0] ?? '',
      hasPrettyUrls: system.target.hasPrettyUrls,
      isBasePrepended: system.target.isBasePrepended ?? false,
      folder: (path) => {
        const said = system.folder?.(path);
        return { name: said?.name ?? humanName(path), priority: said?.priority, parent: said?.parent };
      },
      moved: [...(system.moved ?? []), ...host.redirects],
      sideFiles: `${system.sideFiles ?? ''}${host.text}`,
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
  return withCapital(name);
}

/** Fields that every system leaves to us, under our own names. */
export const OWN_FIELDS: Dialect['fields'] = {
  // `slug` means an address of theirs to most systems.
  slug: ['kbSlug'],
  hideFromSearch: ['hideFromSearch'],
  seoBannerUrl: ['seoBannerUrl'],
  articleReviewDate: ['articleReviewDate'],
  categoryParent: ['categoryParent'],
  thumbnailUrl: ['thumbnailUrl'],
  iconUrl: ['iconUrl'],
  translationKey: ['translationKey'],
  movedFrom: ['movedFrom'],
};
