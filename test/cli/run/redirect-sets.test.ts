import { afterEach, expect, test } from 'vitest';
import { createSite } from '../../../src/site/create-site.ts';
import { keptAddresses, withOldAddresses } from '../../../src/site/http/old-addresses.ts';
import { siteBeside } from '../../../src/site/with-service.ts';
import { articleBody } from '../../service/support/rig.ts';
import { liveWorld, LIVE_URL, type LiveWorld, ranIn } from '../support/live-world.ts';

const FAX = 'content/en/articles/fax.md';
const MAIL = 'content/en/articles/mail.md';
const page = (title: string, more = '') => `---\ntitle: ${title}\n${more}---\n\nText of ${title}.\n`;
const FILES = {
  'kbsync.yaml': 'baseUrl: https://help.acme.test\nid: acme-docs\n',
  [FAX]: page('Fax', 'aliases: [/old/fax, /older/fax/]\n'),
  [MAIL]: page('Mail', 'aliases: /old/mail\n'),
};

let world: LiveWorld;
afterEach(() => world.close());

const run = (...argv: readonly string[]) => ranIn(world, ...argv);
const open = async (files: Readonly<Record<string, string>> = FILES, redirects = true): Promise<void> => {
  world = await liveWorld(files, { redirects });
};
/** As a reader of the help centre. */
async function visit(path: string): Promise<string> {
  const { store, service } = world;
  const site = createSite({ store, languages: ['en'] });
  const app = withOldAddresses(siteBeside(service, site), { kept: keptAddresses(store) });
  const response = await app.fetch(new Request(LIVE_URL + path, { headers: { accept: 'text/html' } }));
  await response.text();
  const to = response.headers.get('location');
  return to === null ? String(response.status) : `${response.status} ${to}`;
}
const kept = async (repository = 'acme-docs') => {
  const { data } = (await world.ask('GET', `/api/v2/redirects?repository=${repository}`)) as {
    data: { redirects: readonly { from: string; to: string }[] };
  };
  return Object.fromEntries(data.redirects.map(({ from, to }) => [from, to]));
};
const requests = async (...argv: readonly string[]): Promise<readonly string[]> => {
  world.sent.length = 0;
  expect((await run(...argv)).code).toBe(0);
  return world.sent.map(({ text }) => text);
};

test('the plan shows the lines, the sync sends them after the records, and an unchanged set costs no request', async () => {
  await open();
  const plan = await run('plan');
  expect(plan.text).toContain('redirect  + /old/fax → /en/articles/fax');
  expect(plan.text).toContain('redirect  + /older/fax → /en/articles/fax');
  expect(plan.text).toContain('3 redirects');
  expect(await visit('/old/fax')).toBe('404');
  const sent = await requests('sync', '--yes');
  expect(sent.filter((text) => !text.startsWith('GET'))).toEqual([
    'PUT /api/v2/articles',
    'PUT /api/v2/articles',
    'PUT /api/v2/redirects',
  ]);
  expect(await visit('/old/fax/')).toBe('301 /en/articles/fax');
  expect(await visit('/old/mail')).toBe('301 /en/articles/mail');
  const lists = ['GET /api/v2/articles', 'GET /api/v2/categories', 'GET /api/v2/tags'];
  for (const command of ['plan', 'sync', 'sync'])
    expect([...(await requests(command))].sort()).toEqual(lists);
  expect((await run('plan', '--exit-code')).code).toBe(0);
  // A clone without a state asks for no more.
  await world.remove('.kbsync');
  expect(await requests('sync', '--yes')).not.toContain('PUT /api/v2/redirects');
  expect(await requests('sync')).toEqual(expect.arrayContaining(lists));
});

test('a line that the files no longer have goes, alone too; of a page that stays without a file it stays', async () => {
  await open();
  await run('sync', '--yes');
  await world.write(FAX, page('Fax', 'aliases: /old/fax\n'));
  const plan = await run('plan', '--exit-code');
  expect([plan.code, plan.text]).toEqual([
    2,
    expect.stringContaining('redirect  - /older/fax → /en/articles/fax'),
  ]);
  expect((await run('sync', '--yes')).text).toContain('1 redirect, 2 unchanged');
  expect(await kept()).toEqual({ '/old/fax': '/en/articles/fax', '/old/mail': '/en/articles/mail' });
  await world.remove(MAIL);
  expect((await run('plan')).text).toContain('1 line kept as before: without a file');
  await run('sync', '--yes');
  expect(await visit('/old/mail')).toBe('301 /en/articles/mail');
  expect(await requests('sync', '--yes')).not.toContain('GET /api/v2/redirects');
  await world.write(MAIL, page('Mail'));
  await run('sync', '--yes');
  expect(await kept()).toEqual({ '/old/fax': '/en/articles/fax' });
  await world.write(FAX, page('Fax'));
  await run('sync', '--yes');
  expect(await kept()).toEqual({});
  expect(await requests('sync', '--yes')).toHaveLength(3);
});

test('while a file has errors, no line goes', async () => {
  await open();
  await run('sync', '--yes');
  await world.write(FAX, '---\ntitle: [\n---\n');
  await world.write(MAIL, page('Mail', 'aliases: /new/mail\n'));
  await run('sync', '--yes');
  expect(await kept()).toEqual({
    '/new/mail': '/en/articles/mail',
    '/old/fax': '/en/articles/fax',
    '/older/fax': '/en/articles/fax',
    '/old/mail': '/en/articles/mail',
  });
  await world.write(FAX, page('Fax'));
  await run('sync', '--yes');
  expect(await kept()).toEqual({ '/new/mail': '/en/articles/mail' });
});

test('while a renamed page is in conflict, its old address leads to where the page is; once it is resolved, to where it went', async () => {
  const text = (slug: string, body: string) =>
    `---\ntitle: Fax\nslug: ${slug}\naliases: /old/fax\n---\n\n${body}\n`;
  await open({ ...FILES, [FAX]: text('fax', 'Text.') });
  await run('sync', '--yes');
  const { data } = (await world.ask('GET', '/api/v2/articles')) as {
    data: readonly { id: string; name: string }[];
  };
  const id = data.find(({ name }) => name === 'Fax')?.id ?? '';
  const edit = articleBody({ title: 'Fax', slug: 'fax', content: '<p>Of an editor.</p>' });
  await world.ask('POST', `/api/v2/articles/${id}`, { ...edit, lang: 'en' });
  await world.write(FAX, text('telefax', 'Of the author.'));
  expect((await run('plan')).text).toContain('1 line kept as before');
  expect((await run('sync', '--yes')).code).toBe(3);
  expect(await visit('/old/fax')).toBe('301 /en/articles/fax');
  // The set is as it was left, so it is not sent again.
  world.sent.length = 0;
  await run('sync', '--yes');
  expect(world.sent.map(({ text }) => text)).not.toContain('PUT /api/v2/redirects');
  await run('resolve', 'article/fax@en', '--local', '--yes');
  await run('sync', '--yes');
  expect(await kept()).toMatchObject({ '/old/fax': '/en/articles/telefax' });
  expect(await visit('/old/fax')).toBe('301 /en/articles/telefax');
});

test('while the service refuses a renamed page, its old address leads to where the page is', async () => {
  await open();
  await run('sync', '--yes');
  await world.write(FAX, page('Fax', 'slug: telefax\naliases: [/old/fax, /older/fax/, /new/fax]\n'));
  world.wrap = (send) => (request) =>
    request.method === 'POST' && request.url.includes('/articles/')
      ? Promise.resolve(Response.json({ success: false, message: 'test: no rename' }, { status: 422 }))
      : send(request);
  for (let time = 0; time < 2; time += 1) {
    const { code, text } = await run('sync', '--yes');
    expect([code, text]).toEqual([expect.any(Number), expect.stringContaining('test: no rename')]);
    expect(await visit('/old/fax')).toBe('301 /en/articles/fax');
  }
  world.wrap = (send) => send;
  await run('sync', '--yes');
  for (const path of ['/old/fax', '/older/fax', '/new/fax'])
    expect(await visit(path)).toBe('301 /en/articles/telefax');
  expect(await requests('sync', '--yes')).toHaveLength(3);
});

test('while the service refuses a delete, the old address of the page leads to it', async () => {
  await open();
  await run('sync', '--yes');
  await world.remove(MAIL);
  world.wrap = (send) => (request) =>
    request.method === 'DELETE'
      ? Promise.resolve(Response.json({ success: false, message: 'test: it stays' }, { status: 409 }))
      : send(request);
  expect((await run('sync', '--yes', '--prune')).text).toContain('test: it stays');
  expect(await visit('/old/mail')).toBe('301 /en/articles/mail');
  world.wrap = (send) => send;
  expect((await run('sync', '--yes', '--prune')).code).toBe(0);
  expect(Object.keys(await kept())).toEqual(['/old/fax', '/older/fax']);
});

test('lines that stay never make a set that is too large for the service', async () => {
  await open();
  await run('sync', '--yes');
  const long = (index: number) => `/${'x'.repeat(900)}/${index}`;
  const lines = Array.from({ length: 4_400 }, (_, index) => ({ from: long(index), to: '/en/articles/fax' }));
  await world.ask('PUT', '/api/v2/redirects?repository=acme-docs', { tag: 'a1', redirects: lines });
  await world.write(FAX, '---\ntitle: [\n---\n');
  const many = Array.from({ length: 60 }, (_, index) => `  - ${long(9_000 + index)}\n`).join('');
  await world.write(MAIL, page('Mail', `aliases:\n${many}`));
  expect((await run('sync', '--yes')).text).not.toContain('! failed');
  expect(await kept()).toHaveProperty([long(9_000)], '/en/articles/mail');
  expect(Object.keys(await kept()).length).toBeGreaterThan(4_300);
});

test('a set that the service does not take ends the run with 5 and the reason; the records are done, and the next run sends it', async () => {
  await open();
  world.wrap = (send) => (request) =>
    request.method === 'PUT' && request.url.includes('/redirects')
      ? Promise.resolve(Response.json({ success: false, message: 'test: no room' }, { status: 413 }))
      : send(request);
  const first = await run('sync', '--yes');
  expect([first.code, first.text]).toEqual([
    5,
    expect.stringContaining('! failed  redirects  test: no room'),
  ]);
  expect(first.text).toContain('2 created');
  expect(first.text).toContain('next: run kbsync sync again');
  const json = (await run('sync', '--yes', '--json')).json();
  expect(json).toMatchObject({ redirectsEnd: { outcome: 'failed', message: 'test: no room' } });
  world.wrap = (send) => send;
  expect(await requests('sync')).toContain('PUT /api/v2/redirects');
  expect(await visit('/old/fax')).toBe('301 /en/articles/fax');
});

test('while the set cannot be read, the records are sent all the same, and nothing is called in sync', async () => {
  await open();
  await run('sync', '--yes');
  world.wrap = (send) => (request) =>
    request.method === 'GET' && request.url.includes('/redirects')
      ? Promise.resolve(Response.json({ success: false, message: 'test: no way' }, { status: 403 }))
      : send(request);
  await world.write(FAX, page('Fax', 'aliases: /new/fax\n'));
  await world.write('content/en/articles/post.md', page('Post'));
  const plan = await run('plan');
  expect([plan.code, plan.text]).toEqual([
    1,
    expect.stringContaining('redirect  the old addresses cannot be read: test: no way'),
  ]);
  expect((await run('plan', '--markdown')).text).toContain('- old addresses cannot be read: `test: no way`');
  const first = await run('sync', '--yes');
  expect([first.code, first.text]).toEqual([5, expect.stringContaining('! failed  redirects  test: no way')]);
  expect(first.text).toContain('1 created');
  const second = await run('sync', '--yes');
  expect(second.code).toBe(5);
  expect(second.text).not.toContain('in sync');
  expect((await run('plan')).text).not.toContain('in sync');
  world.wrap = (send) => send;
  await run('sync', '--yes');
  expect(await kept()).toEqual({ '/new/fax': '/en/articles/fax', '/old/mail': '/en/articles/mail' });
});

test('a lost answer is asked for again in the same run: the set is one and whole', async () => {
  await open();
  let isLost = false;
  world.wrap = (send) => async (request) => {
    const answer = await send(request);
    if (isLost || request.method !== 'PUT' || !request.url.includes('/redirects')) return answer;
    isLost = true;
    return new Response('', { status: 502 });
  };
  expect((await run('sync', '--yes')).code).toBe(0);
  expect(isLost).toBe(true);
  expect(Object.keys(await kept())).toHaveLength(3);
});

test('two repositories keep their own sets, and an address stays with the one that had it first', async () => {
  await open();
  await world.ask('PUT', '/api/v2/redirects?repository=shop', {
    tag: 'ab',
    redirects: [{ from: '/old/fax', to: '/en/articles/mail' }],
  });
  const { text, code } = await run('sync', '--yes');
  expect(code).toBe(0);
  expect(text).toContain('/old/fax stays with the repository shop, which had it before');
  expect(await visit('/old/fax')).toBe('301 /en/articles/mail');
  expect(await kept('shop')).toEqual({ '/old/fax': '/en/articles/mail' });
  expect(await requests('sync')).toHaveLength(3);
});

test('a repository with a new name takes its lines along', async () => {
  await open();
  await run('sync', '--yes');
  await world.write('kbsync.yaml', 'baseUrl: https://help.acme.test\nid: handbook\nformerIds: [acme-docs]\n');
  await world.remove(MAIL);
  expect((await run('sync', '--yes')).code).toBe(0);
  expect(await kept('acme-docs')).toEqual({});
  expect(Object.keys(await kept('handbook'))).toEqual(['/old/fax', '/old/mail', '/older/fax']);
  expect(await requests('sync')).toHaveLength(3);
});

test('the clone of a fork keeps the set of the original', async () => {
  const remote = (name: string, owner: string) =>
    `[remote "${name}"]\n\turl = git@git.test:${owner}/docs.git\n`;
  await open({ ...FILES, 'kbsync.yaml': 'baseUrl: https://help.acme.test\n' });
  await world.write('.git/HEAD', 'ref: refs/heads/main\n');
  await world.write('.git/config', remote('origin', 'acme'));
  await run('sync', '--yes');
  const told = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${world.service.key}` };
    const list = await world.service.fetch(new Request(`${LIVE_URL}/api/v2/tags`, { headers }));
    return list.headers.get('kb-redirect-sets') ?? '';
  };
  const [team] = (await told()).split('=');
  expect(team).toMatch(/^git-/);
  await world.remove('.kbsync');
  await world.write('.git/config', remote('origin', 'me') + remote('upstream', 'acme'));
  await world.write(FAX, page('Fax', 'aliases: /new/fax\n'));
  expect((await run('sync', '--yes')).code).toBe(0);
  expect(await told()).toMatch(new RegExp(`^${team}=[0-9a-f]+$`));
  expect(await kept(team)).toEqual({ '/new/fax': '/en/articles/fax', '/old/mail': '/en/articles/mail' });
});

test('a run about some records, an undo and a restore leave the set alone', async () => {
  await open();
  await run('sync', '--yes');
  const before = await kept();
  await world.write(FAX, page('Fax', 'aliases: /newest\n'));
  await world.write(MAIL, page('Mail', 'excerpt: Changed\n'));
  await run('sync', '--yes', '--only', 'mail');
  await run('sync', '--yes', '--lang', 'en');
  expect(await kept()).toEqual(before);
  await run('undo', '--yes');
  expect(await kept()).toEqual(before);
  expect((await run('plan')).text).toContain('+ /newest');
});

test('a saved plan is out of date if the set would be another one', async () => {
  await open();
  await run('sync', '--yes');
  await world.write(FAX, page('Fax', 'aliases: /a\n'));
  await run('plan', '--out', 'plan.json');
  await world.write(FAX, page('Fax', 'aliases: /b\n'));
  const late = await run('apply', 'plan.json');
  expect([late.code, late.text]).toEqual([4, expect.stringContaining('redirects  other values: send')]);
  expect(Object.keys(await kept())).not.toContain('/b');
  await run('plan', '--out', 'plan.json');
  expect((await run('apply', 'plan.json')).code).toBe(0);
  expect(await kept()).toEqual({ '/b': '/en/articles/fax', '/old/mail': '/en/articles/mail' });
});

test('a repository without a name sends nothing and says so', async () => {
  await open({ ...FILES, 'kbsync.yaml': 'baseUrl: https://help.acme.test\n' });
  const words = '3 old addresses are not sent: the repository has no name; set `id` in kbsync.yaml';
  expect((await run('plan')).text).toContain(words);
  const { code, text } = await run('sync', '--yes');
  expect([code, text]).toEqual([0, expect.stringContaining(words)]);
});

test('a service that keeps no sets is asked and sent what it was before', async () => {
  await open(FILES, false);
  expect((await run('plan')).text).not.toContain('redirect');
  const sent = await requests('sync', '--yes');
  expect(sent.filter((text) => text.includes('redirects'))).toEqual([]);
});

test('watch sends an alias as soon as it is saved', async () => {
  await open();
  const watching = world.start('watch');
  await watching.until(/in sync|sent/);
  expect(Object.keys(await kept())).toHaveLength(3);
  world.sent.length = 0;
  await world.write(FAX, page('Fax', 'aliases: /saved\n'));
  await watching.until(/old addresses: 3 redirects sent/);
  await watching.interrupt();
  expect(await kept()).toEqual({ '/old/mail': '/en/articles/mail', '/saved': '/en/articles/fax' });
});
