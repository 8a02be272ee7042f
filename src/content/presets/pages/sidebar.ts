import { navigation, recordPath } from './navigation.ts';
import type { Navigation, NavigationItem } from './navigation.ts';
import type { InLanguage } from './page-languages.ts';
import type { PresetInput } from './page-preset.ts';

/** The file of a page of the default language by its address from the root; undefined: none. */
export type PageAt = (address: string) => string | undefined;

export interface SidebarPages {
  readonly pageAt: PageAt;
  readonly navigation: (items: readonly NavigationItem[]) => Pick<Navigation, 'meta' | 'folder'>;
}

/** For sidebars that name pages of the default language by their addresses. Their labels are for the sidebar alone: pages have titles of their own. */
export function sidebarPages(
  { paths, defaultLanguage }: Pick<PresetInput, 'paths' | 'defaultLanguage'>,
  find: (path: string) => InLanguage,
  index: RegExp,
): SidebarPages {
  const byPath = new Map<string, string>();
  const byRest = new Map<string, string>();
  for (const path of paths) {
    if (!/\.md(?:x|oc)?$/i.test(path)) continue;
    const place = find(path);
    if (place.lang !== defaultLanguage) continue;
    byRest.set(place.rest, path);
    byPath.set(recordPath(place, index).toLowerCase(), path);
  }
  return {
    pageAt: (address) => {
      const path = address.replace(/[?#].*$/s, '').replaceAll(/^\/+|(?<!\/)\/+$/g, '');
      // `/en/guide/a` where the default language has a folder.
      return [path, path.replace(/^[^/]+\//, '')]
        .map((each) => byPath.get(recordPath({ rest: each.replace(/\.html$/i, '') }, index).toLowerCase()))
        .find((file) => file !== undefined);
    },
    navigation: (items) =>
      navigation(items, {
        pathOf: (file) => recordPath(find(file), index),
        original: ({ file, rest }) => byRest.get(rest) ?? file,
        hasTitles: false,
      }),
  };
}
