import type { Kind } from '../../service/kind.ts';
import { formerHolders } from '../../service/records/former-slugs.ts';
import { readCategories } from './categories.ts';
import { type Edition, languageKey } from './edition.ts';
import { readTags } from './tags.ts';

/** `moved`: it is at this slug now, and is shown there · `gone`: it was deleted. */
export type FormerAddress = { readonly type: 'moved'; readonly slug: string } | { readonly type: 'gone' };

/**
 * What became of a record that was at a slug in public; undefined: nothing ever was there, or it is withdrawn for now.
 * Asked only where no public record is, so a record that takes an old slug has it. The answer names the slug of today,
 * however often it changed.
 *
 * | the record that left the slug last        | answer                          |
 * |-------------------------------------------|---------------------------------|
 * | is public in the language of the page     | moved to its slug there         |
 * | is public in the language of originals    | moved to the original's slug    |
 * | exists, but nobody may see it             | the next record that left it    |
 * | no longer exists in any language          | gone, unless another one moved  |
 */
export async function findFormer(
  edition: Edition,
  kind: Kind,
  slug: string,
): Promise<FormerAddress | undefined> {
  const { sql, siteId } = edition;
  const language = languageKey(edition);
  let isGone = false;
  for (const holder of await formerHolders(sql, { siteId, kind, slug, language })) {
    const now = await slugNow(edition, kind, holder.family);
    if (now.type === 'shown' && now.slug !== slug) return { type: 'moved', slug: now.slug };
    // What another language alone had was never at this language's address.
    if (now.type === 'deleted' && (holder.language === language || holder.language === '')) isGone = true;
  }
  return isGone ? { type: 'gone' } : undefined;
}

type Now = { readonly type: 'shown'; readonly slug: string } | { readonly type: 'hidden' | 'deleted' };

async function slugNow(edition: Edition, kind: Kind, family: string): Promise<Now> {
  const { sql } = edition;
  if (kind === 'article') {
    const rows = await sql.all<{
      readonly language: string | null;
      readonly slug: string;
      readonly status: string;
    }>('select language, slug, status from articles where id = ? or language_parent = ?', family, family);
    const open = rows.filter(({ status }) => edition.drafts || status === 'published');
    const own = open.find(({ language }) => (language ?? '').toLowerCase() === languageKey(edition));
    const shown = own ?? open.find(({ language }) => language === null);
    if (shown !== undefined) return { type: 'shown', slug: shown.slug };
    return { type: rows.length === 0 ? 'deleted' : 'hidden' };
  }
  const table = kind === 'category' ? 'categories' : 'tags';
  const row = await sql.get<{ readonly id: string }>(`select id from ${table} where id = ?`, family);
  if (row === undefined) return { type: 'deleted' };
  const shown =
    kind === 'category'
      ? (await readCategories(edition)).byId.get(family)
      : (await readTags(edition)).find(({ id }) => id === family);
  return shown === undefined ? { type: 'hidden' } : { type: 'shown', slug: shown.slug };
}
