import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ARTICLES,
  articleBody,
  CATEGORIES,
  categoryBody,
  type Rig,
  TAGS,
  tagBody,
  type OpenRig,
} from '../support/rig.ts';
import { ADA, expectReply, ID } from '../support/shape.ts';

export function golden(open: OpenRig): void {
  describe('golden replies', () => {
    let rig: Rig;
    beforeEach(async () => {
      rig = await open();
    });
    afterEach(() => rig.close());

    test('an article comes back with every documented field', async () => {
      const category = await rig.make(CATEGORIES, categoryBody());
      const tag = await rig.make(TAGS, tagBody());
      const full = articleBody({
        categories: [{ value: category }],
        tags: [{ value: tag }],
        hideFromSearch: true,
        seoBannerUrl: 'https://cdn.example.com/b.png',
        articleReviewDate: '2027-01-31T09:30:00+01:00',
        content: '<p>Run <code>it</code>.</p>\n<!-- kept -->',
      });
      const created = await rig.ask('PUT', ARTICLES, full);
      expectReply('createArticle', created, 201);
      expect(created.body).toEqual({ success: true, message: 'Article "Install" has been created.' });
      const location = created.headers.get('location') ?? '';
      expect(location).toMatch(/^\/api\/v2\/articles\/[^/]+$/);
      expect(created.headers.get('kb-last-edited')).toBe('2026-11-20 10:00:00.000000');
      const id = location.slice(location.lastIndexOf('/') + 1);
      const read = await rig.ask('GET', location);
      expectReply('readArticle', read);
      expect(read.headers.get('etag')).toBe(created.headers.get('etag'));
      expect(read.body).toEqual({
        success: true,
        message: 'Article found.',
        data: {
          id,
          tags_relationship: [{ id: ID, tag_id: tag }],
          article_relationships: [{ id: ID, category_id: category }],
          name: 'Install',
          content: '<p>Run <code>it</code>.</p>\n<!-- kept -->',
          slug: 'install',
          excerpt: 'How to install.',
          order_by: 1,
          status: 'published',
          created_date: '2026-11-20T10:00:00.000000Z',
          article_parent: null,
          last_edited_Date: '2026-11-20T10:00:00.000000Z',
          seo_banner_url: 'https://cdn.example.com/b.png',
          hide_from_search: true,
          article_review_date: '2027-01-31T08:30:00.000Z',
          language: null,
          language_parent: null,
        },
        isDraft: null,
        newVersion: false,
        categories: [{ id: ID, label: 'Getting started', value: category }],
        tags: [{ id: ID, label: 'CLI', value: tag }],
      });
    });

    test('the article list shows originals with both the list date and the languages', async () => {
      const id = await rig.make(ARTICLES, articleBody({ content: '<p>Run the <b>installer</b>.</p>' }));
      rig.clock.set(Date.UTC(2026, 10, 21, 11, 12, 13, 140));
      for (const lang of ['fr', 'de']) {
        expectReply('editArticle', await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ lang })));
      }
      const list = await rig.ask('GET', ARTICLES);
      expectReply('listArticles', list);
      expect(list.headers.get('x-total-count')).toBe('1');
      expect(list.body).toEqual({
        success: true,
        data: [
          {
            id,
            name: 'Install',
            status: 'published',
            last_edited_date: '2026-11-21 11:12:13.140001',
            ai_summary: 'Run the installer.',
            other_articles: [{ language: 'de' }, { language: 'fr' }],
            users_articles_created_byTousers: ADA,
            _count: { tracking: 0 },
          },
        ],
        timezone: 'UTC',
        limit: 25,
        languages: ['en', 'de', 'fr'],
        aiSummary: false,
      });
    });

    test('an edit and a delete of an article answer with their texts', async () => {
      const id = await rig.make(ARTICLES, articleBody());
      const edited = await rig.ask('POST', `${ARTICLES}/${id}`, articleBody({ title: 'Set up', lang: 'en' }));
      expectReply('editArticle', edited);
      expect(edited.body).toEqual({
        success: true,
        message: 'Article "Set up" has been edited successfully.',
      });
      expect(edited.headers.get('kb-last-edited')).toBe('2026-11-20 10:00:00.000001');
      const deleted = await rig.ask('DELETE', `${ARTICLES}/${id}`);
      expectReply('deleteArticle', deleted);
      expect(deleted.body).toEqual({ success: true, message: 'Article "Set up" has been deleted.' });
      expect((await rig.ask('GET', `${ARTICLES}/${id}`)).status).toBe(404);
    });

    test('a category comes back with every documented field, alone and in the list', async () => {
      const parent = await rig.make(CATEGORIES, categoryBody({ name: 'Root', slug: 'root' }));
      const created = await rig.ask('PUT', CATEGORIES, {
        name: 'Guides',
        slug: 'guides',
        priority: 2.5,
        categoryParent: parent,
        description: 'd',
        longDescription: '<p>l</p>',
        thumbnailUrl: 'https://cdn.example.com/t.png',
        iconUrl: 'https://cdn.example.com/i.svg',
      });
      expectReply('createCategory', created, 201);
      expect(created.body['message']).toBe('Category "Guides" has been created.');
      const location = created.headers.get('location') ?? '';
      const id = location.replace(`${CATEGORIES}/`, '');
      await rig.make(ARTICLES, articleBody({ categories: [{ value: id }] }));
      expectReply('editCategory', await rig.ask('POST', location, { name: 'Anleitungen', lang: 'de' }));
      const read = await rig.ask('GET', location);
      expectReply('readCategory', read);
      expect(read.body).toEqual({
        success: true,
        message: 'Category found.',
        data: {
          id,
          name: 'Guides',
          slug: 'guides',
          order_by: 2.5,
          parent_id: parent,
          thumbnail_url: 'https://cdn.example.com/t.png',
          description: 'd',
          long_description: '<p>l</p>',
          icon_url: 'https://cdn.example.com/i.svg',
          language: null,
          language_parent: null,
        },
        newVersion: false,
      });
      const list = await rig.ask('GET', CATEGORIES);
      expectReply('listCategories', list);
      expect(list.headers.get('x-total-count')).toBe('2');
      expect(list.body['data'][1]).toEqual({
        id,
        name: 'Guides',
        order_by: 2.5,
        other_categories_categories_language_parentTocategories: [{ language: 'de' }],
        users_categories_created_byTousers: ADA,
        article_relationships: {
          added_date: '2026-11-20T10:00:00.000000Z',
          category_id: id,
          id: ID,
          site_id: rig.store.knowledgeBase.id,
        },
        other_categories_categories_parent_idTocategories: { name: 'Root' },
      });
      expect(list.body['data'][0]).toMatchObject({
        article_relationships: null,
        other_categories_categories_parent_idTocategories: null,
      });
      const empty = await rig.make(CATEGORIES, categoryBody({ slug: 'empty' }));
      const deleted = await rig.ask('DELETE', `${CATEGORIES}/${empty}`);
      expectReply('deleteCategory', deleted);
      expect(deleted.body['message']).toBe('Category "Getting started" has been deleted.');
    });

    test('a tag comes back with every documented field, alone and in the list', async () => {
      const created = await rig.ask('PUT', TAGS, tagBody());
      expectReply('createTag', created, 201);
      expect(created.body).toEqual({ success: true, message: 'Tag "CLI" has been created.' });
      const location = created.headers.get('location') ?? '';
      const id = location.replace(`${TAGS}/`, '');
      const article = await rig.make(ARTICLES, articleBody({ tags: [{ value: id }] }));
      const edited = await rig.ask('POST', location, tagBody({ id, name: 'Kommandozeile', lang: 'de' }));
      expectReply('editTag', edited);
      expect(edited.body['message']).toBe('Tag "Kommandozeile" has been edited successfully.');
      const read = await rig.ask('GET', location);
      expectReply('readTag', read);
      expect(read.body).toEqual({
        success: true,
        message: 'Tag found.',
        data: {
          id,
          name: 'CLI',
          slug: 'cli',
          description: 'd',
          long_description: '<p>l</p>',
          language: null,
          language_parent: null,
        },
        newVersion: false,
      });
      const list = await rig.ask('GET', TAGS);
      expectReply('listTags', list);
      expect(list.body).toEqual({
        success: true,
        message: '1 tags found.',
        data: [
          {
            id,
            name: 'CLI',
            slug: 'cli',
            other_tags: [{ language: 'de' }],
            users_tags_created_byTousers: ADA,
            tag_relationship: [
              {
                added_by: ID,
                added_date: '2026-11-20T10:00:00.000000Z',
                article_id: article,
                id: ID,
                site_id: rig.store.knowledgeBase.id,
                tag_id: id,
              },
            ],
          },
        ],
        languages: ['en', 'de'],
      });
      const unused = await rig.make(TAGS, tagBody({ name: 'Old', slug: 'old' }));
      const deleted = await rig.ask('DELETE', `${TAGS}/${unused}`);
      expectReply('deleteTag', deleted);
      expect(deleted.body['message']).toBe('Tag "Old" has been deleted.');
    });
  });
}
