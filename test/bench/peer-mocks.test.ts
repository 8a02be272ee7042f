import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const PEERS = join(import.meta.dirname, '../../bench/peers');

interface Server {
  /** Status and JSON of one request. */
  readonly ask: (method: string, path: string, asked?: Asked) => Promise<{ status: number; body: unknown }>;
  readonly url: string;
  /** What the server holds. */
  readonly pages: () => Promise<readonly { title: string; body: string }[]>;
}

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function started(name: string, args: readonly string[], key: string): Promise<Server> {
  const child = fork(join(PEERS, name), args, { execArgv: [] });
  onTestFinished(() => child.disconnect());
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    ask: async (method, path, { headers = {}, body } = {}) => {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: key, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    },
    pages: async () => {
      child.send('pages');
      const [pages] = (await once(child, 'message')) as [{ title: string; body: string }[]];
      return pages;
    },
  };
}

const GUIDES = '/v2/branches/stable/guides';
const guide = (slug: string): object => ({
  title: 'One',
  slug,
  category: { uri: '/branches/stable/categories/guides/guides' },
  content: { body: 'text' },
});

test('ReadMe’s mock refuses what has no key, no category and no page', async () => {
  const readme = await started('mocks/readme.mjs', ['number'], 'Bearer key');
  expect(await readme.ask('GET', `${GUIDES}/one`)).toMatchObject({ status: 404 });
  expect(await readme.ask('POST', GUIDES, { body: { ...guide('one'), category: {} } })).toMatchObject({
    status: 400,
  });
  const headers = { authorization: '' };
  expect(await readme.ask('POST', GUIDES, { headers, body: guide('one') })).toMatchObject({ status: 401 });
  expect(await readme.pages()).toEqual([]);
});

test('ReadMe’s mock numbers a slug that is taken, or refuses it', async () => {
  const [numbers, refuses] = await Promise.all([
    started('mocks/readme.mjs', ['number'], 'Bearer key'),
    started('mocks/readme.mjs', ['refuse'], 'Bearer key'),
  ]);
  for (const readme of [numbers, refuses]) {
    expect(await readme.ask('POST', GUIDES, { body: guide('one') })).toMatchObject({ status: 201 });
  }
  const again = await numbers.ask('POST', GUIDES, { body: guide('one') });
  expect(again).toMatchObject({ status: 201, body: { data: { slug: 'one-1' } } });
  expect(await refuses.ask('POST', GUIDES, { body: guide('one') })).toMatchObject({ status: 400 });
  expect([await numbers.pages(), await refuses.pages()].map((pages) => pages.length)).toEqual([2, 1]);
});

const CONTENT = '/wiki/rest/api/content';
const page = (title: string, version?: number): object => ({
  title,
  type: 'page',
  space: { key: 'KB' },
  ancestors: [{ id: '1' }],
  body: { atlas_doc_format: { value: '{}', representation: 'atlas_doc_format' } },
  ...(version === undefined ? {} : { version: { number: version } }),
});

test('Confluence’s mock refuses a title twice in a space and a change of another version than the next', async () => {
  const confluence = await started('mocks/confluence.mjs', [], 'Basic key');
  const made = await confluence.ask('POST', CONTENT, { body: page('One') });
  expect(made).toMatchObject({ status: 200, body: { id: '1001' } });
  expect(await confluence.ask('POST', CONTENT, { body: page('One') })).toMatchObject({ status: 400 });
  const path = `${CONTENT}/1001`;
  expect(await confluence.ask('PUT', path, { body: page('One', 1) })).toMatchObject({ status: 409 });
  expect(await confluence.ask('PUT', path, { body: page('One', 2) })).toMatchObject({
    status: 200,
    body: { version: { number: 2 } },
  });
});

const ENVIRONMENT = '/spaces/bench/environments/master';
const entry = { fields: { title: { 'en-US': 'One' }, body: { 'en-US': 'text' } } };
const typed = { 'x-contentful-content-type': 'article' };

test('Contentful’s mock refuses an entry without a published type and a change without its version', async () => {
  const contentful = await started('mocks/contentful.mjs', [], 'Bearer key');
  const put = async (
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<number> => (await contentful.ask('PUT', `${ENVIRONMENT}${path}`, { headers, body })).status;
  expect(await put('/entries/one', typed, entry)).toBe(422);
  expect(await put('/content_types/article', {}, { name: 'Article' })).toBe(201);
  expect(await put('/entries/one', typed, entry)).toBe(422);
  expect(await put('/content_types/article/published', { 'x-contentful-version': '1' })).toBe(200);
  expect(await put('/entries/one', typed, entry)).toBe(201);
  expect(await put('/entries/one', typed, entry)).toBe(409);
  expect(await put('/entries/one', { 'x-contentful-version': '1' }, entry)).toBe(200);
  expect(await put('/entries/one/published', { 'x-contentful-version': '1' })).toBe(409);
  expect(await put('/entries/one/published', { 'x-contentful-version': '2' })).toBe(200);
});

test('the gate loses the answer of each tenth create, which the server has carried out', async () => {
  const readme = await started('mocks/readme.mjs', ['number'], 'Bearer key');
  const gate = await started('gate.mjs', [readme.url, 'lose', `^POST ${GUIDES}$`], 'Bearer key');
  const answers: number[] = [];
  for (let n = 0; n < 20; n++) {
    answers.push((await gate.ask('POST', GUIDES, { body: guide(`page-${n}`) })).status);
    await gate.ask('GET', `${GUIDES}/page-${n}`);
  }
  expect(answers.flatMap((status, n) => (status === 503 ? [n] : []))).toEqual([9, 19]);
  expect(await readme.pages()).toHaveLength(20);
});
