import { expect, test } from 'vitest';
import type { Send } from '../../../src/remote/remote.ts';
import { fields } from '../support/replies.ts';
import { failureOf, json, rig } from '../support/support.ts';

function redirecting(status: number, to: (url: URL) => string): { send: Send; lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    send: async (request) => {
      const url = new URL(request.url);
      lines.push(`${request.method} ${url.pathname}${url.search}`);
      if (!url.pathname.endsWith('/')) return new Response(null, { status, headers: { location: to(url) } });
      return json({ success: true, message: 'done', data: [], languages: [] });
    },
  };
}

test.each([301, 302, 307, 308])(
  'a service that writes its addresses with a slash at the end (%i) is asked so from then on',
  async (status) => {
    const { send, lines } = redirecting(status, (url) => `${url.pathname}/${url.search}`);
    const { remote } = rig({ send });
    await remote.list('tag');
    await remote.create('tag', fields.tag, {});
    await remote.tool('versions', { count: 1 });
    expect(lines).toEqual([
      'GET /api/v2/tags',
      'GET /api/v2/tags/',
      'PUT /api/v2/tags/',
      'GET /api/v2/versions/?count=1',
    ]);
    expect(remote.requests()).toBe(4);
  },
);

test('requests that were under way when the first one learnt of the slash are asked so too', async () => {
  const { send, lines } = redirecting(308, (url) => `${url.pathname}/${url.search}`);
  const { remote } = rig({ send });
  await Promise.all([remote.list('category'), remote.list('tag'), remote.list('article')]);
  expect(lines.filter((line) => line.endsWith('/'))).toHaveLength(3);
});

test.each([
  ['another host', (url: URL) => `https://other.example${url.pathname}/`],
  ['another path', () => '/login/'],
  ['another query', (url: URL) => `${url.pathname}/?next=1`],
])('a redirect to %s is not followed', async (_name, to) => {
  const { send, lines } = redirecting(308, to);
  const { remote } = rig({ send });
  expect((await failureOf(remote.list('tag'))).code).toBe('redirect');
  expect(lines).toEqual(['GET /api/v2/tags']);
});
