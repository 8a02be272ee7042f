/**
 * The part of ReadMe's API v2 that `rdme docs upload` uses (https://docs.readme.com/main/reference), from memory.
 *
 *   node readme.mjs number|refuse    a create with a slug that is taken: the new page gets `-1` (as users have seen it,
 *                                    readmeio/rdme#445), or 400 (readmeio/rdme#519)
 */
import { serveMock } from './serve-mock.mjs';

const GUIDES = '/v2/branches/stable/guides';
const CATEGORY = /^\/branches\/stable\/categories\/guides\/[^/]+$/;
const [taken] = process.argv.slice(2);
const guides = new Map();

serveMock(
  [
    ['GET', '/api/v1/migration', () => ({ body: { categories: {}, parentPages: {} } })],
    ['GET', `${GUIDES}/:slug`, allowed(({ params }) => found(params.slug))],
    ['POST', GUIDES, allowed(({ body }) => created(body))],
    ['PATCH', `${GUIDES}/:slug`, allowed(({ params, body }) => changed(params.slug, body))],
  ],
  () => [...guides.values()].map(({ title, content }) => ({ title, body: content.body })),
);

function allowed(answer) {
  return (request) =>
    /^Bearer \S+$/.test(request.headers.authorization ?? '') ? answer(request) : problem(401, 'no key');
}

function found(slug) {
  const guide = guides.get(slug);
  return guide === undefined ? problem(404, `no page ${slug}`) : { body: { data: guide } };
}

function created(body) {
  const wrong = wrongIn(body);
  if (wrong !== undefined) return problem(400, wrong);
  if (guides.has(body.slug) && taken === 'refuse') return problem(400, 'Page slug must be unique.');
  let slug = body.slug;
  for (let n = 1; guides.has(slug); n++) slug = `${body.slug}-${n}`;
  const now = new Date().toISOString();
  const guide = { ...body, slug, uri: `/branches/stable/guides/${slug}`, created_at: now, updated_at: now };
  guides.set(slug, guide);
  return { status: 201, body: { data: guide } };
}

function changed(slug, body) {
  const guide = guides.get(slug);
  if (guide === undefined) return problem(404, `no page ${slug}`);
  const next = { ...guide, ...body, slug: body.slug ?? slug, updated_at: new Date().toISOString() };
  const wrong = wrongIn(next);
  if (wrong !== undefined) return problem(400, wrong);
  guides.set(slug, next);
  return { body: { data: next } };
}

function wrongIn({ title, category, content, slug }) {
  if (typeof title !== 'string' || title === '') return 'title is required';
  if (!CATEGORY.test(category?.uri ?? '')) return 'category.uri is not one of a category';
  if (typeof content?.body !== 'string') return 'content.body is not a text';
  return typeof slug === 'string' && /^[a-z0-9-]+$/.test(slug) ? undefined : 'slug is not one';
}

function problem(status, title) {
  return { status, body: { type: 'about:blank', title, detail: title, status } };
}
