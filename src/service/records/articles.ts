import type { ArticleEditBody, ArticleListItem, ArticleReply } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { type ArticleText, articleText } from './article-text.ts';
import { enabledLanguages } from '../language.ts';
import { creatorOf, itemsText, listCreators, listLanguages, usedLanguages } from './lists.ts';
import { saveLinks } from '../links/links.ts';
import type { Found, RecordKind } from './records.ts';
import { checkTargets, RELATIONS, relationsOf, saveRelations } from './relations.ts';
import { saveSearch } from '../search/index-articles.ts';
import type { ArticleRow } from '../store/rows.ts';
import type { Dialect, Sql } from '../store/store.ts';
import { together } from '../store/together.ts';
import { canonicalDate, isoDate, listDate } from '../time.ts';

/** A create body, or an edit body without its `lang`, and what its content says. */
export type ArticleBody = Omit<ArticleEditBody, 'lang'> & { readonly text: ArticleText };

/** @throws Refusal 400, ThreadError */
export async function articleBodyOf(
  body: Omit<ArticleEditBody, 'lang'>,
  dialect: Dialect,
): Promise<ArticleBody> {
  return { ...body, text: await articleText({ title: body.title, content: body.content, dialect }) };
}

export const ARTICLE: RecordKind<'article', ArticleBody> = {
  kind: 'article',
  blank: {
    status: 'draft',
    order_by: 0,
    hide_from_search: 0,
    article_review_date: null,
    views: 0,
    seo_banner_url: null,
    excerpt: '',
    summary: '',
    content: '',
  },
  merged(base, body) {
    return {
      ...base,
      name: body.title,
      slug: body.slug,
      status: body.status,
      order_by: body.ordering,
      excerpt: body.excerpt,
      content: body.content,
      hide_from_search:
        body.hideFromSearch === undefined ? base.hide_from_search : Number(body.hideFromSearch),
      seo_banner_url: body.seoBannerUrl === undefined ? base.seo_banner_url : body.seoBannerUrl,
      article_review_date:
        body.articleReviewDate === undefined ? base.article_review_date : reviewDate(body.articleReviewDate),
      // A new translation starts as the original's row, but nobody has seen it yet.
      views: base.version === 1 ? 0 : base.views,
      summary: body.text.summary,
    };
  },
  async check(sql, _row, body) {
    await checkTargets(sql, RELATIONS.categories, idsIn(body.categories));
    await checkTargets(sql, RELATIONS.tags, idsIn(body.tags ?? []));
  },
  async saved(sql, context, { row, body, copyOf }) {
    const isNew = row.version === 1;
    const of = { articleId: row.id, addedAt: row.edited_at, isNew };
    const tags =
      body.tags === undefined && copyOf !== undefined
        ? (await relationsOf(sql, RELATIONS.tags, copyOf)).map(({ target }) => target)
        : body.tags && idsIn(body.tags);
    const urls = body.text.links;
    const written = { at: row.edited_at, isTranslation: row.language_parent !== null };
    await together([
      saveRelations(sql, context, RELATIONS.categories, { ...of, targets: idsIn(body.categories) }),
      ...(tags === undefined ? [] : [saveRelations(sql, context, RELATIONS.tags, { ...of, targets: tags })]),
      saveLinks(sql, context, { articleId: row.id, urls, createdAt: row.edited_at, isNew }),
      saveSearch(sql, row.id, body.text.indexed, written),
    ]);
  },
  usedBy: async () => undefined,
};

/** Spec, "Article (single read, `data`)" and the top-level fields beside it. */
export async function articleReply(sql: Sql, { row, newVersion }: Found<'article'>): Promise<ArticleReply> {
  // A copy that does not exist yet shows the relations of the original, whose id it carries.
  const categories = await relationsOf(sql, RELATIONS.categories, row.id);
  const tags = await relationsOf(sql, RELATIONS.tags, row.id);
  return {
    success: true,
    message: newVersion
      ? `No ${row.language} version yet: this is a copy of the original.`
      : 'Article found.',
    data: {
      id: row.id,
      tags_relationship: tags.map(({ id, target }) => ({ id, tag_id: target })),
      article_relationships: categories.map(({ id, target }) => ({ id, category_id: target })),
      name: row.name,
      content: row.content,
      slug: row.slug,
      excerpt: row.excerpt,
      order_by: row.order_by,
      status: row.status,
      created_date: isoDate(row.created_at),
      article_parent: null,
      last_edited_Date: isoDate(row.edited_at),
      seo_banner_url: row.seo_banner_url,
      hide_from_search: row.hide_from_search === 1,
      article_review_date: row.article_review_date,
      language: row.language,
      language_parent: row.language_parent,
    },
    isDraft: null,
    newVersion,
    categories: categories.map(({ id, label, target }) => ({ id, label, value: target })),
    tags: tags.map(({ id, label, target }) => ({ id, label, value: target })),
  };
}

type ListRow = Pick<ArticleRow, 'id' | 'name' | 'status' | 'edited_at' | 'summary' | 'views' | 'created_by'>;

/** Spec, GET /api/v2/articles: all originals, in the order of their making. */
export async function articleList(sql: Sql, context: Context) {
  const languages = await listLanguages(sql, 'article');
  const creators = await listCreators(sql);
  const { text: data, length } = await itemsText<ListRow>({
    read: (after, rowsMax) =>
      sql.all(
        `select id, name, status, edited_at, summary, views, created_by from articles
         where language_parent is null and id > ? order by id limit ?`,
        after,
        rowsMax,
      ),
    itemOf: (row): ArticleListItem => ({
      id: row.id,
      name: row.name,
      status: row.status,
      last_edited_date: listDate(row.edited_at),
      ai_summary: row.summary,
      other_articles: languages.get(row.id) ?? [],
      users_articles_created_byTousers: creatorOf(creators, row.created_by),
      _count: { tracking: row.views },
    }),
  });
  const besides = JSON.stringify({
    timezone: 'UTC',
    // Nothing is ever cut; a limit above the length says so to clients that ask.
    limit: Math.max(25, length + 1),
    languages: enabledLanguages(context.rule, await usedLanguages(sql)),
    // The summaries are extracts; no model wrote them.
    aiSummary: false,
  });
  return { text: `{"success":true,"data":[${data}],${besides.slice(1)}`, total: length };
}

/** Null clears the date; validation has refused what is not a date. */
function reviewDate(text: string | null): string | null {
  return text === null ? null : (canonicalDate(text) ?? null);
}

function idsIn(refs: readonly { readonly value: string }[]): readonly string[] {
  return [...new Set(refs.map(({ value }) => value))];
}
