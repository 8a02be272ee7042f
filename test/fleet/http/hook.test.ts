import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createHook } from '../../../src/fleet/http/hook.ts';
import { base } from '../support/settings.ts';

const SECRET = 'a-secret-of-pushes';
const BASES = [
  base('docs', { repository: 'git@github.com:acme/docs.git' }),
  base('next', { repository: 'https://github.com/acme/docs', ref: 'next' }),
  base('lab', { repository: 'https://gitlab.example.com/acme/docs.git' }),
];

const hook = () => {
  const asked: string[] = [];
  const app = createHook({ secret: SECRET, bases: BASES, ask: async ({ name }) => void asked.push(name) });
  const send = async (path: string, body: string | object, headers: Record<string, string> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return app.fetch(new Request(`http://h${path}`, { method: 'POST', body: text, headers }));
  };
  return { asked, send, fetch: app.fetch };
};

const hmac = (text: string, secret = SECRET): string =>
  createHmac('sha256', secret).update(text).digest('hex');
const github = (body: object) => ({ 'x-hub-signature-256': `sha256=${hmac(JSON.stringify(body))}` });

const PUSH = {
  ref: 'refs/heads/main',
  repository: { clone_url: 'https://github.com/acme/docs.git', ssh_url: 'git@github.com:acme/docs.git' },
};

test('a push of GitHub starts the knowledge bases of its repository and branch', async () => {
  const { asked, send } = hook();
  expect((await send('/hook', PUSH, github(PUSH))).status).toBe(202);
  expect(asked).toEqual(['docs']);
  const next = { ...PUSH, ref: 'refs/heads/next' };
  await send('/hook', next, github(next));
  expect(asked).toEqual(['docs', 'next']);
});

test('pushes of Gitea and GitLab are known by their own headers', async () => {
  const { asked, send } = hook();
  await send('/hook', PUSH, { 'x-gitea-signature': hmac(JSON.stringify(PUSH)) });
  const lab = {
    ref: 'refs/heads/main',
    project: { git_http_url: 'https://gitlab.example.com/acme/docs.git' },
  };
  expect((await send('/hook', lab, { 'x-gitlab-token': SECRET })).status).toBe(202);
  expect(asked).toEqual(['docs', 'lab']);
});

test.each([
  ['no signature', {}],
  ['a signature with another secret', { 'x-hub-signature-256': `sha256=${hmac(JSON.stringify(PUSH), 'x')}` }],
  ['an empty signature', { 'x-hub-signature-256': '' }],
  ['the signature of another body', { 'x-hub-signature-256': `sha256=${hmac('{}')}` }],
  ['another token', { 'x-gitlab-token': `${SECRET}x` }],
])('with %s nothing is started', async (_, headers) => {
  const { asked, send } = hook();
  expect([(await send('/hook', PUSH, headers)).status, asked]).toEqual([401, []]);
});

test('a wrong signature header is not made good by a right token', async () => {
  const { send } = hook();
  const headers = { 'x-hub-signature-256': 'sha256=00', 'x-gitlab-token': SECRET };
  expect((await send('/hook', PUSH, headers)).status).toBe(401);
});

test('a body has a limit, whatever its header says, and is read no further', async () => {
  const { fetch: ask, asked } = hook();
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1;
      controller.enqueue(new Uint8Array(2 ** 20));
    },
  });
  const init = { method: 'POST', body: endless, duplex: 'half' };
  const response = await ask(new Request('http://h/hook', init as RequestInit));
  expect([response.status, asked]).toEqual([413, []]);
  expect(sent).toBeLessThan(10);
});

test('a name starts one knowledge base; other names, methods, paths and bodies are refused', async () => {
  const { asked, send, fetch: ask } = hook();
  const signed = (text: string) => ({ 'x-hub-signature-256': `sha256=${hmac(text)}` });
  expect((await send('/hook/lab', '', signed(''))).status).toBe(202);
  expect((await send('/hook/nobody', '', signed(''))).status).toBe(404);
  expect((await send('/hook', 'no json', signed('no json'))).status).toBe(400);
  expect((await send('/hook', '[]', signed('[]'))).status).toBe(202);
  expect((await send('/other', '', signed(''))).status).toBe(404);
  expect((await ask(new Request('http://h/hook'))).status).toBe(405);
  expect(asked).toEqual(['lab']);
});
