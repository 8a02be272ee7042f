/**
 * The part of Contentful's Content Management API that `contentful-import` uses, from memory: one space, one locale.
 * Versions are checked as the real one does: a change of what exists needs `X-Contentful-Version`, else 409.
 */
import { serveMock } from './serve-mock.mjs';

const ENVIRONMENT = '/spaces/:space/environments/:environment';
const kept = { content_types: new Map(), entries: new Map() };
const TYPES = { content_types: 'ContentType', entries: 'Entry' };
const LOCALE = { code: 'en-US', name: 'English', default: true, sys: sysOf('Locale', 'locale-1') };

serveMock(
  [
    [
      'GET',
      '/spaces/:space',
      allowed(({ params }) => ({ body: { name: 'Bench', sys: sysOf('Space', params.space) } })),
    ],
    ['GET', ENVIRONMENT, allowed(() => ({ body: { name: 'master', sys: sysOf('Environment', 'master') } }))],
    ['GET', `${ENVIRONMENT}/locales`, allowed(() => ({ body: listOf([LOCALE]) }))],
    ['PUT', `${ENVIRONMENT}/locales/:id`, allowed(() => ({ body: LOCALE }))],
    ['GET', `${ENVIRONMENT}/tags`, allowed(() => ({ body: listOf([]) }))],
    ...Object.keys(kept).flatMap((name) => [
      ['GET', `${ENVIRONMENT}/${name}`, allowed(({ query }) => listed(name, query))],
      ['PUT', `${ENVIRONMENT}/${name}/:id`, allowed((request) => put(name, request))],
      ['PUT', `${ENVIRONMENT}/${name}/:id/published`, allowed((request) => published(name, request))],
    ]),
  ],
  () =>
    [...kept.entries.values()].map(({ fields }) => ({
      title: fields.title['en-US'],
      body: fields.body['en-US'],
    })),
);

function allowed(answer) {
  return (request) =>
    /^Bearer \S+$/.test(request.headers.authorization ?? '')
      ? answer(request)
      : problem(401, 'AccessTokenInvalid', 'no token');
}

function listed(name, query) {
  const ids = query.get('sys.id[in]')?.split(',') ?? [];
  return { body: listOf(ids.flatMap((id) => kept[name].get(id) ?? [])) };
}

function put(name, { params, headers, body }) {
  const before = kept[name].get(params.id);
  const sent = headers['x-contentful-version'];
  if (before === undefined && sent !== undefined && sent !== '0')
    return problem(404, 'NotFound', 'no such resource');
  if (before !== undefined && Number(sent) !== before.sys.version) {
    return problem(409, 'VersionMismatch', `the version is ${before.sys.version}`);
  }
  const typed = typeOf(name, before, headers);
  if (typed.wrong !== undefined) return problem(422, 'ValidationFailed', typed.wrong);
  const version = (before?.sys.version ?? 0) + 1;
  const sys = { ...before?.sys, ...sysOf(TYPES[name], params.id), ...typed.sys, version };
  kept[name].set(params.id, { ...body, sys });
  return { status: before === undefined ? 201 : 200, body: kept[name].get(params.id) };
}

/** An entry is made of a content type that is published. */
function typeOf(name, before, headers) {
  if (name !== 'entries' || before !== undefined) return {};
  const id = headers['x-contentful-content-type'];
  if (kept.content_types.get(id)?.sys.publishedVersion === undefined)
    return { wrong: `no content type ${id}` };
  return { sys: { contentType: link('ContentType', id) } };
}

function published(name, { params, headers }) {
  const before = kept[name].get(params.id);
  if (before === undefined) return problem(404, 'NotFound', 'no such resource');
  if (Number(headers['x-contentful-version']) !== before.sys.version) {
    return problem(409, 'VersionMismatch', `the version is ${before.sys.version}`);
  }
  const sys = { ...before.sys, publishedVersion: before.sys.version, version: before.sys.version + 1 };
  kept[name].set(params.id, { ...before, sys });
  return { body: kept[name].get(params.id) };
}

function sysOf(type, id) {
  const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
  return {
    type,
    id,
    version: 1,
    ...times,
    space: link('Space', 'bench'),
    environment: link('Environment', 'master'),
  };
}

function link(linkType, id) {
  return { sys: { type: 'Link', linkType, id } };
}

function listOf(items) {
  return { sys: { type: 'Array' }, total: items.length, skip: 0, limit: 100, items };
}

function problem(status, id, message) {
  return { status, body: { sys: { type: 'Error', id }, message, requestId: 'bench' } };
}
