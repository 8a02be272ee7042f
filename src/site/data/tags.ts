import { nameOrder } from '../languages.ts';
import {
  type Edition,
  type FamilyRow,
  languageKey,
  ofEdition,
  ownOrOriginal,
  type Shown,
  shownOf,
} from './edition.ts';

/** A tag in the language of the page, or its original where there is no translation. */
export type Tag = Shown;

const COLUMNS = 'id, coalesce(language_parent, id) as family, language, name, slug, description';

/** The tags of published articles, by name; a tag without one is known to its authors only. */
export function readTags(edition: Edition): Promise<readonly Tag[]> {
  return ofEdition(
    edition,
    'tags',
    () => readUsed(edition),
    ({ length }) => length,
  );
}

async function readUsed(edition: Edition): Promise<readonly Tag[]> {
  const rows = await edition.sql.all<FamilyRow>(
    `select ${COLUMNS} from tags where (language is null or lower(language) = ?)
       and exists (select 1 from article_tags r join articles a on a.id = r.article_id
         where r.tag_id = coalesce(tags.language_parent, tags.id) and (a.status = 'published' or 1 = ?))`,
    languageKey(edition),
    Number(edition.drafts),
  );
  const byName = nameOrder(edition.language);
  return ownOrOriginal(rows)
    .map((row) => shownOf(edition, row))
    .sort((a, b) => byName(a.name, b.name));
}

/** The tags of an article, in its own order. */
export async function tagsOfArticle(edition: Edition, articleId: string): Promise<readonly Tag[]> {
  const order = await edition.sql.all<{ readonly tag_id: string }>(
    'select tag_id from article_tags where article_id = ? order by position, id',
    articleId,
  );
  if (order.length === 0) return [];
  const rows = await edition.sql.all<FamilyRow>(
    `select ${COLUMNS} from tags where (language is null or lower(language) = ?)
       and (id in (select tag_id from article_tags where article_id = ?)
         or language_parent in (select tag_id from article_tags where article_id = ?))`,
    languageKey(edition),
    articleId,
    articleId,
  );
  const byId = new Map(ownOrOriginal(rows).map((row) => [row.family, shownOf(edition, row)]));
  return order.flatMap(({ tag_id }) => byId.get(tag_id) ?? []);
}
