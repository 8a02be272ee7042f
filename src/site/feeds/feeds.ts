import { listedSql } from '../../service/listed.ts';
import { homeOf, pageOf } from '../addresses.ts';
import { escaped } from '../html.ts';
import { readCategories } from '../data/categories.ts';
import type { Edition } from '../data/edition.ts';
import { readTags } from '../data/tags.ts';
import { isoDay, isServed } from '../languages.ts';

/** sitemaps.org allows 50,000 addresses a file, and each carries its translations. */
export const ADDRESSES_PER_FILE = 10_000;

interface SitemapRow {
  readonly family: string;
  readonly language: string | null;
  readonly slug: string;
  readonly edited_at: number;
}

export interface SitemapEntry {
  readonly path: string;
  readonly editedAt?: number;
  /** Language and path of each version, itself among them. */
  readonly versions: readonly (readonly [language: string, path: string])[];
}

/** Every page that search engines should know: what is published and not hidden, in those of the site's languages that it really is in. */
export async function sitemapEntries(
  edition: Edition,
  languages: readonly string[],
): Promise<readonly SitemapEntry[]> {
  const { sql, defaultLanguage } = edition;
  const { byId } = await readCategories(edition);
  const tags = new Set((await readTags(edition)).map(({ id }) => id));
  const isPublic = {
    category: (family: string) => byId.has(family),
    tag: (family: string) => tags.has(family),
    article: () => true,
  };
  const homes = languages.map((language) => [language, homeOf(language)] as const);
  const entries: SitemapEntry[] = homes.map(([, path]) => ({ path, versions: homes }));
  for (const kind of ['category', 'tag', 'article'] as const) {
    const table = kind === 'category' ? 'categories' : `${kind}s`;
    const wanted = kind === 'article' ? `where ${listedSql(table)}` : '';
    const rows = await sql.all<SitemapRow>(
      `select coalesce(language_parent, id) as family, language, slug, edited_at from ${table} ${wanted}
       order by family, lower(coalesce(language, ''))`,
    );
    // By slug: ids tell the order in which records came, and a build of the same files would be another file each time.
    const shown = rows.filter(
      ({ family, language }) => isPublic[kind](family) && isServed(languages, language ?? defaultLanguage),
    );
    const families = familiesOf(shown).toSorted(bySlug);
    for (const versions of families) {
      const paths = versions.map(({ language, slug }) => {
        const code = language ?? defaultLanguage;
        return [code, pageOf(kind, code, slug)] as const;
      });
      for (const [index, { edited_at }] of versions.entries()) {
        entries.push({ path: paths[index]?.[1] ?? '', editedAt: edited_at, versions: paths });
      }
    }
  }
  return entries;
}

function bySlug([a]: readonly SitemapRow[], [b]: readonly SitemapRow[]): number {
  return (a?.slug ?? '') < (b?.slug ?? '') ? -1 : 1;
}

/** Rows come sorted by family. */
function familiesOf(rows: readonly SitemapRow[]): readonly (readonly SitemapRow[])[] {
  const families: SitemapRow[][] = [];
  for (const row of rows) {
    const last = families.at(-1);
    if (last?.[0]?.family === row.family) last.push(row);
    else families.push([row]);
  }
  return families;
}

export function sitemap(entries: readonly SitemapEntry[], origin: string): string {
  const urls = entries.map(({ path, editedAt, versions }) => {
    const others = versions.length < 2 ? [] : versions;
    const links = others.map(
      ([language, other]) =>
        `<xhtml:link rel="alternate" hreflang="${escaped(language)}" href="${escaped(origin + other)}"/>`,
    );
    const date = editedAt === undefined ? '' : `<lastmod>${isoDay(editedAt)}</lastmod>`;
    return `<url><loc>${escaped(origin + path)}</loc>${date}${links.join('')}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('\n')}
</urlset>
`;
}

/** Names the parts of a sitemap that is too long for one file. */
export function sitemapIndex(parts: number, origin: string): string {
  const files = Array.from({ length: parts }, (_, index) => `${origin}/sitemap-${index + 1}.xml`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${files.map((file) => `<sitemap><loc>${escaped(file)}</loc></sitemap>`).join('\n')}
</sitemapindex>
`;
}

export function robots(origin: string): string {
  return `User-agent: *\nDisallow: /_site/theme\nDisallow: /*/search\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`;
}
