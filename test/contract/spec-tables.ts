/**
 * The tables of the API text, as data: field names and types to the letter. The contract's schemas and the service's
 * answers are held against them, so that neither is its own witness.
 */
export type FieldType =
  | 'string'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | 'string or null'
  | { readonly object: Table }
  | { readonly array: Table }
  | { readonly arrayOf: 'string' };
export type Table = Readonly<Record<string, FieldType>>;

/** "Creator object" */
export const CREATOR: Table = {
  username: 'string',
  first_name: 'string',
  last_name: 'string',
  email_address: 'string',
};

const LANGUAGES: FieldType = { array: { language: 'string' } };
const LABELLED: FieldType = { array: { id: 'string', label: 'string', value: 'string' } };

/** "Article (single read, `data`)" */
export const ARTICLE: Table = {
  id: 'string',
  tags_relationship: { array: { id: 'string', tag_id: 'string' } },
  article_relationships: { array: { id: 'string', category_id: 'string' } },
  name: 'string',
  content: 'string',
  slug: 'string',
  excerpt: 'string',
  order_by: 'number',
  status: 'string',
  created_date: 'timestamp',
  article_parent: 'string',
  last_edited_Date: 'timestamp',
  seo_banner_url: 'string',
  hide_from_search: 'boolean',
  article_review_date: 'timestamp',
  language: 'string or null',
  language_parent: 'string or null',
};

/** "The single-read response also has top-level fields" */
export const ARTICLE_READ: Table = {
  success: 'boolean',
  message: 'string',
  data: { object: ARTICLE },
  isDraft: { object: { id: 'string' } },
  newVersion: 'boolean',
  categories: LABELLED,
  tags: LABELLED,
};

/** "Article (list item, `data[]`)" */
export const ARTICLE_LIST_ITEM: Table = {
  id: 'string',
  name: 'string',
  status: 'string',
  last_edited_date: 'string',
  ai_summary: 'string',
  other_articles: LANGUAGES,
  users_articles_created_byTousers: { object: CREATOR },
  _count: { object: { tracking: 'number' } },
};

export const ARTICLE_LIST: Table = {
  success: 'boolean',
  data: { array: ARTICLE_LIST_ITEM },
  timezone: 'string',
  limit: 'number',
  languages: { arrayOf: 'string' },
  aiSummary: 'boolean',
};

/** "Category (single read, `data`)" */
export const CATEGORY: Table = {
  id: 'string',
  name: 'string',
  slug: 'string',
  order_by: 'number',
  parent_id: 'string',
  thumbnail_url: 'string',
  description: 'string',
  long_description: 'string',
  icon_url: 'string',
  language: 'string or null',
  language_parent: 'string or null',
};

export const CATEGORY_READ: Table = {
  success: 'boolean',
  message: 'string',
  data: { object: CATEGORY },
  newVersion: 'boolean',
};

/** "Category (list item, `data[]`)" */
export const CATEGORY_LIST_ITEM: Table = {
  id: 'string',
  name: 'string',
  order_by: 'number',
  other_categories_categories_language_parentTocategories: LANGUAGES,
  users_categories_created_byTousers: { object: CREATOR },
  article_relationships: {
    object: { added_date: 'timestamp', category_id: 'string', id: 'string', site_id: 'string' },
  },
  other_categories_categories_parent_idTocategories: { object: { name: 'string' } },
};

export const CATEGORY_LIST: Table = { success: 'boolean', data: { array: CATEGORY_LIST_ITEM } };

/** "Tag (single read, `data`)" */
export const TAG: Table = {
  id: 'string',
  name: 'string',
  slug: 'string',
  description: 'string',
  long_description: 'string',
  language: 'string or null',
  language_parent: 'string or null',
};

export const TAG_READ: Table = {
  success: 'boolean',
  message: 'string',
  data: { object: TAG },
  newVersion: 'boolean',
};

/** "Tag (list item, `data[]`)" */
export const TAG_LIST_ITEM: Table = {
  id: 'string',
  name: 'string',
  slug: 'string',
  other_tags: LANGUAGES,
  users_tags_created_byTousers: { object: CREATOR },
  tag_relationship: {
    array: {
      added_by: 'string',
      added_date: 'timestamp',
      article_id: 'string',
      id: 'string',
      site_id: 'string',
      tag_id: 'string',
    },
  },
};

export const TAG_LIST: Table = {
  success: 'boolean',
  message: 'string',
  data: { array: TAG_LIST_ITEM },
  languages: { arrayOf: 'string' },
};

/** "Version (`data[]` of the versions list)" */
export const VERSION: Table = {
  id: 'string',
  version: 'string',
  name: 'string',
  release_timestamp: 'timestamp',
  active_version: 'boolean',
  released_version: 'boolean',
  changelog_features: {
    array: {
      id: 'string',
      changelog_version: 'string',
      name: 'string',
      description: 'string',
      image_url: 'string',
    },
  },
};

/** "Link (`data[]` of Link Manager)" */
export const LINK: Table = {
  id: 'string',
  site_id: 'string',
  article_id: 'string',
  url: 'string',
  created_date: 'timestamp',
  working: 'boolean',
  articles: { object: { id: 'string', name: 'string' } },
};

/** "Review-date entry (`data[]` of Review Dates)" */
export const REVIEW_DATE: Table = {
  id: 'string',
  name: 'string',
  status: 'string',
  article_review_date: 'timestamp',
  language: 'string or null',
  users_articles_created_byTousers: { object: CREATOR },
};

function toolList(item: Table): Table {
  return { success: 'boolean', message: 'string', data: { array: item } };
}

export const VERSION_LIST = toolList(VERSION);
export const LINK_LIST = toolList(LINK);
export const REVIEW_DATE_LIST = toolList(REVIEW_DATE);
export const DONE: Table = { success: 'boolean', message: 'string' };

/** A body's fields; `required` as the tables say, `gap` where the text says "not shown". */
export interface BodyTable {
  readonly fields: Table;
  readonly required: readonly string[];
}

const REFS: FieldType = { array: { value: 'string' } };

/** "Article create and edit body", without `lang`, which is "not part of create" */
export const ARTICLE_CREATE: BodyTable = {
  fields: {
    title: 'string',
    slug: 'string',
    categories: REFS,
    tags: REFS,
    excerpt: 'string',
    ordering: 'number',
    status: 'string',
    content: 'string',
    hideFromSearch: 'boolean',
    seoBannerUrl: 'string',
    articleReviewDate: 'timestamp',
  },
  required: ['title', 'slug', 'categories', 'excerpt', 'ordering', 'status', 'content'],
};
export const ARTICLE_EDIT: BodyTable = {
  fields: { ...ARTICLE_CREATE.fields, lang: 'string' },
  required: [...ARTICLE_CREATE.required, 'lang'],
};

/** "Category create body (edit body is the same plus `lang`)" */
export const CATEGORY_CREATE: BodyTable = {
  fields: {
    name: 'string',
    slug: 'string',
    priority: 'number',
    categoryParent: 'string',
    description: 'string',
    longDescription: 'string',
    thumbnailUrl: 'string',
    iconUrl: 'string',
  },
  required: ['name', 'slug', 'priority'],
};
/** "yes (create)": what an edit requires is a gap, filled with "nothing". */
export const CATEGORY_EDIT: BodyTable = {
  fields: { ...CATEGORY_CREATE.fields, lang: 'string' },
  required: [],
};

/** "Tag create body"; what it requires is a gap, filled with name and slug. */
export const TAG_CREATE: BodyTable = {
  fields: { name: 'string', slug: 'string', description: 'string', longDescription: 'string' },
  required: ['name', 'slug'],
};
export const TAG_EDIT: BodyTable = {
  fields: { ...TAG_CREATE.fields, id: 'string', lang: 'string' },
  required: [],
};

/** "Endpoints": method, path, body, reply. */
export const ENDPOINTS = {
  listArticles: ['GET', '/api/v2/articles', undefined, ARTICLE_LIST],
  readArticle: ['GET', '/api/v2/articles/[id]', undefined, ARTICLE_READ],
  editArticle: ['POST', '/api/v2/articles/[id]', ARTICLE_EDIT, DONE],
  createArticle: ['PUT', '/api/v2/articles', ARTICLE_CREATE, DONE],
  deleteArticle: ['DELETE', '/api/v2/articles/[id]', undefined, DONE],
  listCategories: ['GET', '/api/v2/categories', undefined, CATEGORY_LIST],
  readCategory: ['GET', '/api/v2/categories/[id]', undefined, CATEGORY_READ],
  editCategory: ['POST', '/api/v2/categories/[id]', CATEGORY_EDIT, DONE],
  createCategory: ['PUT', '/api/v2/categories', CATEGORY_CREATE, DONE],
  deleteCategory: ['DELETE', '/api/v2/categories/[id]', undefined, DONE],
  listTags: ['GET', '/api/v2/tags', undefined, TAG_LIST],
  readTag: ['GET', '/api/v2/tags/[id]', undefined, TAG_READ],
  editTag: ['POST', '/api/v2/tags/[id]', TAG_EDIT, DONE],
  createTag: ['PUT', '/api/v2/tags', TAG_CREATE, DONE],
  deleteTag: ['DELETE', '/api/v2/tags/[id]', undefined, DONE],
  listVersions: ['GET', '/api/v2/versions', undefined, VERSION_LIST],
  listLinks: ['GET', '/api/v2/tools/link_manager', undefined, LINK_LIST],
  listReviewDates: ['GET', '/api/v2/tools/review_dates', undefined, REVIEW_DATE_LIST],
} as const satisfies Record<string, readonly [string, string, BodyTable | undefined, Table]>;
