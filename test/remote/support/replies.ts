import type { Kind } from '../../../src/model/key.ts';
import type { Fields } from '../../../src/model/fields.ts';

/** Answers as the documentation shows them, in full. */
const creator = { username: 'ada', first_name: 'Ada', last_name: 'L', email_address: 'ada@example.com' };

export const article = {
  id: 'a1',
  tags_relationship: [
    { id: 'r2', tag_id: 't2' },
    { id: 'r1', tag_id: 't1' },
  ],
  article_relationships: [{ id: 'r3', category_id: 'c1' }],
  name: 'Install',
  content: '<p>Run it</p>',
  slug: 'install',
  excerpt: 'How to install',
  order_by: 3,
  status: 'published',
  created_date: '2026-01-01T00:00:00Z',
  article_parent: null,
  last_edited_Date: '2026-01-02T00:00:00Z',
  seo_banner_url: 'https://example.com/b.png',
  hide_from_search: false,
  article_review_date: '2026-06-01T00:00:00Z',
  language: null,
  language_parent: null,
};

export const articleReply = {
  success: true,
  message: 'ok',
  data: article,
  isDraft: { id: 'a1' },
  newVersion: false,
  categories: [{ id: 'r3', label: 'Start', value: 'c1' }],
  tags: [
    { id: 'r1', label: 'cli', value: 't1' },
    { id: 'r2', label: 'node', value: 't2' },
  ],
};

export const category = {
  id: 'c1',
  name: 'Start',
  slug: 'start',
  order_by: 1,
  parent_id: null,
  thumbnail_url: null,
  description: null,
  long_description: '<p>Begin here</p>',
  icon_url: null,
  language: null,
  language_parent: null,
};

export const categoryReply = { success: true, message: 'ok', data: category, newVersion: false };

export const tag = {
  id: 't1',
  name: 'cli',
  slug: 'cli',
  description: 'Command line',
  long_description: null,
  language: null,
  language_parent: null,
};

export const tagReply = { success: true, message: 'ok', data: tag, newVersion: false };

export const articleList = {
  success: true,
  data: [
    {
      id: 'a1',
      name: 'Install',
      status: 'published',
      last_edited_date: '2026-01-02 00:00:00.000000',
      ai_summary: 'short',
      other_articles: [{ language: 'fr' }, { language: 'de' }],
      users_articles_created_byTousers: creator,
      _count: { tracking: 7 },
    },
  ],
  timezone: 'Europe/Paris',
  limit: 25,
  languages: ['en', 'fr', 'de'],
  aiSummary: true,
};

export const categoryList = {
  success: true,
  data: [
    {
      id: 'c1',
      name: 'Start',
      order_by: 1,
      other_categories_categories_language_parentTocategories: [{ language: 'fr' }],
      users_categories_created_byTousers: creator,
      article_relationships: {
        added_date: '2026-01-01T00:00:00Z',
        category_id: 'c1',
        id: 'r3',
        site_id: 's1',
      },
      other_categories_categories_parent_idTocategories: { name: 'Home' },
    },
  ],
};

export const tagList = {
  success: true,
  message: 'ok',
  data: [
    {
      id: 't1',
      name: 'cli',
      slug: 'cli',
      other_tags: [],
      users_tags_created_byTousers: creator,
      tag_relationship: [
        {
          added_by: 'u1',
          added_date: '2026-01-01T00:00:00Z',
          article_id: 'a1',
          id: 'r1',
          site_id: 's1',
          tag_id: 't1',
        },
      ],
    },
  ],
  languages: ['en', 'fr'],
};

export const versions = {
  success: true,
  message: 'ok',
  data: [
    {
      id: 'v1',
      version: '1.2.0',
      name: 'Spring',
      release_timestamp: '2026-03-01T00:00:00Z',
      active_version: true,
      released_version: true,
      changelog_features: [
        {
          id: 'f1',
          changelog_version: 'v1',
          name: 'Faster',
          description: 'It is',
          image_url: 'https://example.com/f.png',
        },
      ],
    },
  ],
};

export const links = {
  success: true,
  message: 'ok',
  data: [
    {
      id: 'l1',
      site_id: 's1',
      article_id: 'a7',
      url: 'https://example.com',
      created_date: '2026-01-01T00:00:00Z',
      working: true,
      articles: { id: 'a7', name: 'Links' },
    },
  ],
};

export const reviews = {
  success: true,
  message: 'ok',
  data: [
    {
      id: 'a8',
      name: 'Old',
      status: 'published',
      article_review_date: '2026-06-01T00:00:00Z',
      language: null,
      users_articles_created_byTousers: creator,
    },
  ],
};

export const lists: Readonly<Record<Kind, object>> = {
  article: articleList,
  category: categoryList,
  tag: tagList,
};
export const singles: Readonly<Record<Kind, object>> = {
  article: articleReply,
  category: categoryReply,
  tag: tagReply,
};
export const ids: Readonly<Record<Kind, string>> = { article: 'a1', category: 'c1', tag: 't1' };

/** Complete fields, as a create or edit takes them. */
export const fields: Readonly<Record<Kind, Fields>> = {
  article: {
    title: 'Install',
    slug: 'install',
    categories: ['c1'],
    tags: ['t1'],
    excerpt: '',
    ordering: 0,
    status: 'draft',
    content: '<p>x</p>',
  },
  category: { name: 'Start', slug: 'start', priority: 0 },
  tag: { name: 'cli', slug: 'cli', description: '', longDescription: '' },
};
