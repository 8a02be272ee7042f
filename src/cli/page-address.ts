import type { Kind } from '../model/key.ts';
import type { Settings } from './settings.ts';

/** Where people read a record: the address templates of the settings, on the host of the knowledge base. */
export function pageAddress(
  { file }: Settings,
  baseUrl: string,
): (kind: Kind, lang: string, slug: string) => string {
  const templates: Readonly<Record<Kind, string>> = {
    article: file.articleUrl ?? '/{lang}/articles/{slug}',
    category: file.categoryUrl ?? '/{lang}/categories/{slug}',
    tag: file.tagUrl ?? '/{lang}/tags/{slug}',
  };
  return (kind, lang, slug) => {
    const path = templates[kind].replace('{lang}', lang).replace('{slug}', slug);
    return /^https?:\/\//.test(path) ? path : new URL(path, baseUrl).href;
  };
}
