import type { DialectContext } from '../../../preset.ts';
import type { MetaOf } from './attributes.ts';

/** What the front matter of a page, `_metadata.yml` of its folders and the settings say. */
export function pageMeta({ page }: Pick<DialectContext, 'page'>): MetaOf {
  return (key) => page?.value?.(page.file, 'meta', key.split('.'));
}

/** One of these as a text. */
export function shownMeta(context: Pick<DialectContext, 'page'>, key: string): string | undefined {
  const value = pageMeta(context)(key);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}
