import type { Kind } from '../../src/model/key.ts';
import type { Store } from '../../src/service/index.ts';

/** One record as the service's own tables hold it, whatever stands between the service and the client. */
export interface KnowledgeRow {
  readonly kind: Kind;
  readonly id: string;
  readonly lang: string;
  readonly original: string | undefined;
  readonly name: string;
  readonly slug: string;
  /** The body without tags, comments and spare white space. */
  readonly text: string;
  readonly status: string;
  /** Names of parent, categories and tags, sorted. */
  readonly refs: readonly string[];
  /** Everything, for "nothing of it was changed". */
  readonly all: string;
}

interface Found {
  readonly id: string;
  readonly language: string | null;
  readonly language_parent: string | null;
  readonly name: string;
  readonly slug: string;
  readonly html: string | null;
  readonly status: string;
  readonly rest: string | null;
}

interface Link {
  readonly id: string;
  readonly name: string;
}

/** Everything that the knowledge base holds, in the order of kinds and ids. */
export async function knowledgeOf(store: Store): Promise<readonly KnowledgeRow[]> {
  return store.read(async (sql) => {
    const shared = 'id, language, language_parent, name, slug';
    const kinds: readonly (readonly [Kind, readonly Found[], readonly Link[]])[] = [
      [
        'category',
        await sql.all<Found>(
          `select ${shared}, long_description as html, '' as status, description as rest from categories order by id`,
        ),
        await sql.all<Link>(
          'select c.id as id, p.name as name from categories c join categories p on p.id = c.parent_id',
        ),
      ],
      [
        'tag',
        await sql.all<Found>(
          `select ${shared}, long_description as html, '' as status, description as rest from tags order by id`,
        ),
        [],
      ],
      [
        'article',
        await sql.all<Found>(
          `select ${shared}, content as html, status, excerpt || '|' || order_by || '|' || coalesce(seo_banner_url, '') as rest
           from articles order by id`,
        ),
        await sql.all<Link>(
          `select r.article_id as id, c.name as name from article_categories r join categories c on c.id = r.category_id
           union select r.article_id as id, t.name as name from article_tags r join tags t on t.id = r.tag_id`,
        ),
      ],
    ];
    return kinds.flatMap(([kind, rows, links]) => rows.map((row) => rowOf(kind, row, links)));
  });
}

function rowOf(kind: Kind, row: Found, links: readonly Link[]): KnowledgeRow {
  const refs = links.filter(({ id }) => id === row.id).map(({ name }) => name);
  const shown = {
    kind,
    id: row.id,
    lang: row.language ?? 'en',
    original: row.language_parent ?? undefined,
    name: row.name,
    slug: row.slug.replace(/~double\d+/, ''),
    text: plainText(row.html ?? ''),
    status: row.status,
    refs: refs.sort(),
  };
  return { ...shown, all: JSON.stringify([shown, row.rest]) };
}

export function plainText(html: string): string {
  return html
    .replaceAll(/<!--[\s\S]*?-->|<[^>]*>/g, ' ')
    .replaceAll('&eacute;', 'é')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
