/**
 * The part of the Confluence Cloud REST API v1 that `@markdown-confluence/cli` uses, from memory: the space KB with one
 * page at its top. A body comes back as it was sent; the real one may normalise it, at which the tool writes again.
 */
import { serveMock } from './serve-mock.mjs';

const API = '/wiki/rest/api';
const PARENT_ID = '1';
const SPACE = { id: 1, key: 'KB', name: 'Knowledge base', type: 'global' };
const USER = { type: 'known', accountId: 'account-1', displayName: 'Bench' };
const pages = new Map();
const idOfTitle = new Map();
keep({
  id: PARENT_ID,
  title: 'Documentation',
  adf: JSON.stringify({ type: 'doc', version: 1, content: [] }),
  parents: [],
});

serveMock(
  [
    ['GET', `${API}/user/current`, allowed(() => ({ body: USER }))],
    ['GET', `${API}/content`, allowed(({ query }) => found(query))],
    ['POST', `${API}/content`, allowed(({ body }) => created(body))],
    ['GET', `${API}/content/:id`, allowed(({ params }) => read(params.id))],
    ['PUT', `${API}/content/:id`, allowed(({ params, body }) => changed(params.id, body))],
    ['GET', `${API}/content/:id/child/attachment`, allowed(() => ({ body: listOf([]) }))],
    ['GET', `${API}/content/:id/label`, allowed(() => ({ body: listOf([]) }))],
  ],
  () => [...pages.values()].map(({ title, adf }) => ({ title, body: adf })),
);

function allowed(answer) {
  return (request) =>
    /^Basic \S+$/.test(request.headers.authorization ?? '') ? answer(request) : problem(401, 'who is that?');
}

function keep(page) {
  pages.set(page.id, { version: 1, ...page });
  idOfTitle.set(page.title, page.id);
}

function found(query) {
  if (query.get('spaceKey') !== SPACE.key) return problem(404, 'No space');
  const id = idOfTitle.get(query.get('title'));
  return { body: listOf(id === undefined ? [] : [shown(pages.get(id))]) };
}

function read(id) {
  return pages.has(id) ? { body: shown(pages.get(id)) } : problem(404, `No content found with id: ${id}`);
}

function created({ title, space, ancestors = [], body }) {
  if (space?.key !== SPACE.key) return problem(404, 'No space');
  if (typeof title !== 'string' || title === '' || title.length > 255) return problem(400, 'no title');
  if (idOfTitle.has(title)) {
    return problem(
      400,
      'A page with this title already exists: A page already exists with the same TITLE in this space',
    );
  }
  const parent = pages.get(ancestors.at(-1)?.id);
  if (parent === undefined) return problem(404, 'no parent');
  const id = String(1000 + pages.size);
  keep({ id, title, adf: body.atlas_doc_format.value, parents: [...parent.parents, parent.id] });
  return read(id);
}

function changed(id, { title, version, ancestors, body }) {
  const page = pages.get(id);
  if (page === undefined) return problem(404, `No content found with id: ${id}`);
  if (version?.number !== page.version + 1) return problem(409, 'Version must be incremented on update.');
  if (title !== page.title && idOfTitle.has(title))
    return problem(400, 'A page with this title already exists');
  idOfTitle.delete(page.title);
  const parent = ancestors === undefined ? undefined : pages.get(ancestors.at(-1)?.id);
  const parents = parent === undefined ? page.parents : [...parent.parents, parent.id];
  const adf = body?.atlas_doc_format?.value ?? page.adf;
  keep({ ...page, title, adf, parents, version: page.version + 1 });
  return read(id);
}

function shown({ id, title, adf, parents, version }) {
  return {
    id,
    type: 'page',
    status: 'current',
    title,
    space: SPACE,
    ancestors: parents.map((parent) => ({ id: parent, type: 'page', title: pages.get(parent).title })),
    version: { number: version, by: USER, when: '2026-01-01T00:00:00.000Z' },
    body: { atlas_doc_format: { value: adf, representation: 'atlas_doc_format' } },
  };
}

function listOf(results) {
  return { results, start: 0, limit: 25, size: results.length };
}

function problem(statusCode, message) {
  return { status: statusCode, body: { statusCode, message } };
}
