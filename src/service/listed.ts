/** What of an article decides whether lists for machines and searches name it. */
export interface Listable {
  readonly status: string;
  /** `hideFromSearch` of the API. */
  readonly isHidden: boolean;
}

/**
 * Whether an article is found by those who do not have its address: in searches, llms.txt, the sitemap, among what is new, much read
 * or related, and by search engines. One that is published and hidden from search keeps its page, and its place in its topics.
 * `drafts`: the reader sees those, too.
 */
export function isListed({ status, isHidden }: Listable, drafts = false): boolean {
  return !isHidden && (drafts || status === 'published');
}

/** The same of a row of `articles` for a reader who sees no drafts, as SQL. `table` is the name of the table in the query. */
export function listedSql(table: string): string {
  return `(${table}.status = 'published' and ${table}.hide_from_search = 0)`;
}
