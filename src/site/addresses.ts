import { type Kind, PATHS } from '../service/kind.ts';

/** Where a record is read: `/fr/articles/installer`, the addresses that `kbsync sync` writes into links. */
export function pageOf(kind: Kind, language: string, slug: string): string {
  return `/${language}/${PATHS[kind]}/${encodeURIComponent(slug)}`;
}

export function homeOf(language: string): string {
  return `/${language}/`;
}

export function tagsOf(language: string): string {
  return `/${language}/tags/`;
}

export function releasesOf(language: string): string {
  return `/${language}/releases`;
}

export function searchOf(language: string, query = ''): string {
  return `/${language}/search${query === '' ? '' : `?q=${encodeURIComponent(query)}`}`;
}

/** The kind that a folder of an address holds. */
export function kindOfFolder(folder: string): Kind | undefined {
  if (folder === PATHS.article) return 'article';
  if (folder === PATHS.category) return 'category';
  return folder === PATHS.tag ? 'tag' : undefined;
}
