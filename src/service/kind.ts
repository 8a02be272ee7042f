/** The three kinds of record, under the names that messages use. */
export type Kind = 'article' | 'category' | 'tag';

/** The path segment of a kind's endpoints. */
export const PATHS = { article: 'articles', category: 'categories', tag: 'tags' } as const satisfies Record<
  Kind,
  string
>;
