import { openSqlite } from '../../../../src/service/index.ts';
import type { Sql } from '../../../../src/service/store/store.ts';
import { splitStamp } from '../../../../src/model/stamp.ts';

export const LANGUAGES = ['fr', 'de'] as const;

/** The id of a new record, as the service names it. */
type Ask = (method: 'PUT' | 'POST', path: string, body: object) => Promise<string>;

/** Categories in a tree, tags, and articles that name them and one another; each in three languages. */
export async function fillKnowledgeBase(ask: Ask, articles: number): Promise<void> {
  const count = Math.max(4, Math.ceil(articles / 100));
  const categories: string[] = [];
  const tags: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const above = n < 2 ? {} : { categoryParent: categories[Math.floor(n / 2)] };
    const category = { name: `Category ${n}`, slug: `category-${n}`, priority: n, ...above };
    const id = await ask('PUT', 'categories', { ...category, longDescription: `<p>About ${n}.</p>` });
    categories.push(id);
    for (const lang of LANGUAGES)
      await ask('POST', `categories/${id}`, { ...category, name: `${lang} category ${n}`, lang });
    const tag = { name: `Tag ${n}`, slug: `tag-${n}`, description: '', longDescription: '' };
    tags.push(await ask('PUT', 'tags', tag));
  }
  const at = (list: readonly string[], n: number): string => list[n % list.length] ?? '';
  const writeOne = async (n: number): Promise<void> => {
    const shared = {
      categories: [{ value: at(categories, n) }, ...(n % 7 === 0 ? [{ value: at(categories, n + 1) }] : [])],
      tags: [{ value: at(tags, n) }],
      excerpt: `About ${n}.`,
      ordering: n % 13,
      status: n % 11 === 0 ? 'draft' : 'published',
      hideFromSearch: n % 17 === 0,
      ...(n % 5 === 0 ? { articleReviewDate: '2027-03-01T00:00:00.000Z' } : {}),
    };
    // Titles repeat, as they do in real ones.
    const id = await ask('PUT', 'articles', {
      ...shared,
      title: `Article ${n % 1000}`,
      slug: `article-${n}`,
      content: bodyOf(n, 'en', articles),
    });
    for (const lang of LANGUAGES)
      await ask('POST', `articles/${id}`, {
        ...shared,
        title: `${lang} ${n}`,
        slug: `${lang}-${n}`,
        content: bodyOf(n, lang, articles),
        lang,
      });
  };
  for (let n = 0; n < articles; n += 64)
    await Promise.all(Array.from({ length: Math.min(64, articles - n) }, (_, index) => writeOne(n + index)));
}

function bodyOf(n: number, lang: string, articles: number): string {
  const slug = lang === 'en' ? 'article' : lang;
  const links = [1, 7].map((step) => `/${lang}/articles/${slug}-${(n + step) % articles}`);
  const words = `Words of ${n} in ${lang}, and &eacute;ntities &amp; more. `.repeat(20);
  return `<h2 id="a${n}">Part</h2><p>${words}</p><ul>${links
    .map((link) => `<li><a href="${link}#a1">there</a></li>`)
    .join('')}</ul><pre><code>run ${n}\n  again</code></pre>`;
}

interface Row {
  readonly id: string;
  readonly language_parent: string | null;
  readonly slug: string;
  readonly [column: string]: string | number | null;
}

/** Every record with names for ids, without stamps, and sorted: equal lists are equal knowledge bases. */
export async function recordsIn(file: string): Promise<readonly string[]> {
  const store = openSqlite({ file, defaultLanguage: 'en' });
  try {
    return await store.read(async (sql) => [
      ...(await rowsOf(
        sql,
        'categories',
        'long_description, description, order_by, thumbnail_url, icon_url, parent_id',
      )),
      ...(await rowsOf(sql, 'tags', 'long_description, description')),
      ...(await rowsOf(
        sql,
        'articles',
        'content, excerpt, order_by, status, hide_from_search, seo_banner_url, article_review_date',
      )),
    ]);
  } finally {
    await store.close();
  }
}

async function rowsOf(sql: Sql, table: string, columns: string): Promise<readonly string[]> {
  const rows = await sql.all<Row>(
    `select id, language, language_parent, name, slug, ${columns} from ${table}`,
  );
  const slugs = new Map(rows.map(({ id, slug }) => [id, slug]));
  const links = table === 'articles' ? await linksOf(sql) : new Map<string, readonly string[]>();
  return rows
    .map(({ id, language_parent: original, ...row }) => {
      const { parent_id: parent, content, long_description: body, description, ...others } = row;
      const html = splitStamp(String(content ?? body ?? '')).body;
      return JSON.stringify({
        table,
        ...others,
        // Null and empty are one to whoever reads.
        description: description ?? '',
        html,
        original: slugs.get(original ?? ''),
        parent: slugs.get(String(parent)),
        links: (links.get(id) ?? []).toSorted(),
      });
    })
    .sort();
}

async function linksOf(sql: Sql): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await sql.all<{ readonly id: string; readonly name: string }>(
    `select r.article_id as id, 'category ' || c.slug as name from article_categories r join categories c on c.id = r.category_id
     union all select r.article_id as id, 'tag ' || t.slug as name from article_tags r join tags t on t.id = r.tag_id`,
  );
  const links = new Map<string, string[]>();
  for (const { id, name } of found) {
    const names = links.get(id);
    if (names === undefined) links.set(id, [name]);
    else names.push(name);
  }
  return links;
}
