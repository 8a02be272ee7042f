// The whole life of an article by a client that openapi-typescript and openapi-fetch make of /openapi.json. Its types are
// compiled against the document that a running service gives. life.js <address> <key>
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './made/openapi.js';

const [, , baseUrl = '', key = ''] = process.argv;
const { GET, PUT, POST, DELETE } = createClient<paths>({
  baseUrl,
  headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
});

function idIn(response: Response): string {
  const id = response.headers.get('location')?.split('/').at(-1);
  ok(id, 'a create names the new id in Location');
  return id;
}

const category = await PUT('/api/v2/categories', { body: { name: 'Guide', slug: 'guide', priority: 1 } });
equal(category.response.status, 201);
const categoryId = idIn(category.response);
const tag = await PUT('/api/v2/tags', { body: { name: 'CLI', slug: 'cli' } });
const tagId = idIn(tag.response);

const body = {
  title: 'Install',
  slug: 'install',
  categories: [{ value: categoryId }],
  tags: [{ value: tagId }],
  excerpt: 'How to install.',
  ordering: 1,
  status: 'draft' as const,
  content: '<p>Run it.</p>',
  articleReviewDate: '2027-01-31',
};
const once = { header: { 'Idempotency-Key': 'life-1' } };
const created = await PUT('/api/v2/articles', { params: once, body });
match(created.data?.message ?? '', /has been created/);
const id = idIn(created.response);
const again = await PUT('/api/v2/articles', { params: once, body });
equal(idIn(again.response), id);

const path = { id };
const read = await GET('/api/v2/articles/{id}', { params: { path } });
equal(read.data?.data.name, 'Install');
equal(read.data?.isDraft, null);
deepEqual(
  read.data?.categories.map(({ value }) => value),
  [categoryId],
);

const ifMatch = read.response.headers.get('etag') ?? '';
const published = await POST('/api/v2/articles/{id}', {
  params: { path, header: { 'If-Match': ifMatch } },
  body: { ...body, status: 'published', lang: 'en' },
});
equal(published.response.status, 200);
const stale = await POST('/api/v2/articles/{id}', {
  params: { path, header: { 'If-Match': ifMatch } },
  body: { ...body, lang: 'en' },
});
equal(stale.response.status, 412);
equal(stale.error?.success, false);
const french = await POST('/api/v2/articles/{id}', {
  params: { path },
  body: { ...body, title: 'Installer', slug: 'installer', lang: 'fr' },
});
ok(french.data?.success);
const translation = await GET('/api/v2/articles/{id}', { params: { path, query: { lang: 'fr' } } });
equal(translation.data?.data.language_parent, id);

const list = await GET('/api/v2/articles');
deepEqual(
  list.data?.data.map(({ other_articles }) => other_articles),
  [[{ language: 'fr' }]],
);
const reviews = await GET('/api/v2/tools/review_dates');
equal(reviews.data?.data.length, 2);
const links = await GET('/api/v2/tools/link_manager');
equal(links.data?.data.length, 0);
const versions = await GET('/api/v2/versions', { params: { query: { count: 5 } } });
equal(versions.data?.data.length, 0);

const refused = await DELETE('/api/v2/articles/{id}', { params: { path } });
equal(refused.response.status, 409);
const frenchId = translation.data?.data.id ?? '';
equal((await DELETE('/api/v2/articles/{id}', { params: { path: { id: frenchId } } })).response.status, 200);
equal((await DELETE('/api/v2/articles/{id}', { params: { path } })).response.status, 200);
const gone = await GET('/api/v2/articles/{id}', { params: { path } });
equal(gone.response.status, 404);
match(gone.error?.message ?? '', /no article has the id/);
equal((await DELETE('/api/v2/tags/{id}', { params: { path: { id: tagId } } })).response.status, 200);
equal(
  (await DELETE('/api/v2/categories/{id}', { params: { path: { id: categoryId } } })).response.status,
  200,
);
console.log('openapi-fetch: lived');
