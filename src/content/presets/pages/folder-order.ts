import type { SaidOfFolder } from './page-preset.ts';
import type { MetaPage, PageMeta } from './page-tree.ts';

/** What a file in a folder says of it: its name, and what is in it in order (`_meta.js`, `meta.json`, `_order.yaml`). */
export interface FolderOrder {
  readonly title?: string | undefined;
  readonly names: readonly { readonly name: string; readonly title?: string | undefined }[];
}

export interface FolderOrders {
  readonly meta: (page: MetaPage) => PageMeta;
  readonly folder: (path: string) => SaidOfFolder;
}

/**
 * Order and names from a file in each folder; keys are folders as pages have them in their paths, `''` is the root. A page beside a folder of its name
 * is the folder's page, and so a category. What a file does not name comes behind what it names.
 */
export function folderOrders(
  orders: ReadonlyMap<string, FolderOrder>,
  folders: ReadonlySet<string>,
): FolderOrders {
  const entry = (path: string) => {
    const slash = path.lastIndexOf('/');
    const names = orders.get(path.slice(0, Math.max(0, slash)))?.names ?? [];
    const index = names.findIndex(({ name }) => name === path.slice(slash + 1));
    return index < 0
      ? { ordering: names.length === 0 ? undefined : names.length + 1 }
      : { ordering: index + 1, title: names[index]?.title };
  };
  const orderingOf = ({ path, isIndex }: MetaPage): number | undefined => {
    if (!isIndex) return entry(path).ordering;
    return path === 'home' ? entry('index').ordering : entry(path).ordering;
  };
  return {
    meta: (page) => {
      const ordering = orderingOf(page);
      const isFolder = !page.isIndex && folders.has(page.path);
      return { ...(ordering === undefined ? {} : { ordering }), ...(isFolder ? { kind: 'category' } : {}) };
    },
    folder: (path) => {
      const { ordering, title } = entry(path);
      return { name: orders.get(path)?.title ?? title, priority: ordering };
    },
  };
}

/** Every folder that holds one of these paths. */
export function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
      folders.add(path.slice(0, slash));
  }
  return folders;
}
