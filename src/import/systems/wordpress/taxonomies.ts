import { decoded } from '../../../model/address/percent.ts';
import { slugOf } from '../../records/slugs.ts';
import { said } from '../../text/json-values.ts';

/** A list of terms of a WordPress site, and what it is to a help centre: one groups pages as categories do, or as tags. */
export type TermRole = 'category' | 'tag';

/** Lists that say something else of an item: its form, its language, its author, its place in a theme. */
const OTHER =
  /^(?:post_format|nav_menu|link_category|language|author|(?:post|term)_translations|term_language|wp_.*|product_(?:type|visibility|shipping_class))$/;

/**
 * WordPress has one list of categories and one of tags; plug-ins for help centres have their own and name them for what they are:
 * `doc_category`, `ht_kb_category`, `knowledgebase_cat`, `doc_tag`. A list is also one of categories if one of its terms has a term
 * above it (`trees`), because tags have none.
 */
export function roleOf(taxonomy: string, trees: ReadonlySet<string>): TermRole | undefined {
  if (OTHER.test(taxonomy)) return undefined;
  if (trees.has(taxonomy) || /(?:^|[_-])(?:category|categories|cat|section|knowledge_base)$/.test(taxonomy))
    return 'category';
  return /(?:^|[_-])tags?$/.test(taxonomy) ? 'tag' : undefined;
}

/** The id of a category that is a term: two lists may have terms of one name. */
export function categoryId(taxonomy: string, nicename: string): string {
  return `${taxonomy}-${nicename}`;
}

/** What exports call a term: in most its slug, in some a list's own spelling of it. */
export function nameOf(nicename: string, name: string): string {
  return slugOf(said(decoded(nicename)) ?? '') || slugOf(name);
}
