import type { SourceRecord } from '../../record.ts';

/** An item that comes as an article, with the numbers that WordPress ties pages by. */
export interface Page {
  readonly record: SourceRecord;
  readonly postId: string;
  /** Of the page above it; `0` or undefined: none. */
  readonly parentId: string | undefined;
}

/**
 * A page with pages below it is a category as well, as in every import. A page that not everybody may read lends its title to no
 * category: what is below it moves up to the next page above that everybody may read, and stays as public as it was.
 */
export function withPageTree(pages: readonly Page[]): readonly SourceRecord[] {
  const byId = new Map(pages.map((page) => [page.postId, page]));
  const categoryAbove = ({ postId, parentId }: Page): SourceRecord | undefined => {
    const seen = new Set([postId]);
    for (let at = parentId; at !== undefined && !seen.has(at); at = byId.get(at)?.parentId) {
      const above = byId.get(at)?.record;
      if (above !== undefined && !above.isDraft && above.restricted === undefined) return above;
      seen.add(at);
    }
    return undefined;
  };
  const aboveOf = new Map(pages.map((page) => [page.record, categoryAbove(page)]));
  const owners = new Set([...aboveOf.values()].filter((above) => above !== undefined));
  const categories = [...owners].map((owner) => pageCategory(owner, aboveOf.get(owner)));
  const articles = pages.map(({ record }) => {
    const owner = owners.has(record) ? record : aboveOf.get(record);
    return owner === undefined ? record : { ...record, parents: [pageId(owner), ...record.parents] };
  });
  return [...categories, ...articles];
}

function pageCategory(page: SourceRecord, above: SourceRecord | undefined): SourceRecord {
  const { mark, lang, title, slug, position, updated, at } = page;
  return {
    kind: 'category',
    id: pageId(page),
    mark,
    lang,
    title,
    slug,
    html: '',
    parents: above === undefined ? [] : [pageId(above)],
    tags: [],
    isDraft: false,
    position,
    updated,
    addresses: [],
    names: [],
    notes: [],
    at,
  };
}

function pageId({ id }: SourceRecord): string {
  return `page-${id}`;
}
