import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { playGuide } from './support/guide.ts';
import { fleetRig, git, serviceOf, type FleetRig } from './support/fleet-rig.ts';
import { join } from 'node:path';

let rig: FleetRig;
afterEach(() => rig.close());

const article = (title: string, text = 'Text.'): string => `---\ntitle: ${title}\n---\n\n${text}\n`;

test('each knowledge base is brought in sync with its repository, and status says so', async () => {
  rig = await fleetRig(['billing', 'support']);
  expect((await rig.status())['billing']).toMatchObject({ condition: 'never-run' });
  const first = await rig.run('fleet', '--once');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout.split('\n').sort().join('\n')).toMatch(
    /billing: in sync: 1 created, 0 unchanged \(.*\)\nsupport: in sync: 1 created/,
  );
  expect(await rig.titles('billing')).toEqual(['Hello billing']);
  const commit = await rig.commit('billing', { 'content/en/articles/refunds.md': article('Refunds') });
  const second = await rig.run('fleet', '--once', '--json');
  const { runs } = JSON.parse(second.stdout);
  expect(runs).toMatchObject([{ condition: 'in-sync' }, { condition: 'in-sync' }]);
  expect(await rig.titles('billing')).toEqual(['Hello billing', 'Refunds']);
  expect((await rig.status())['billing']).toMatchObject({ condition: 'in-sync', commit, behind: 0, runs: 2 });
  expect((await rig.run('fleet', 'status')).stdout).toMatch(
    /^name +condition +since[^\n]*\nbilling +in sync +just now +just now +0 +- +1 created, 1 unchanged\n/,
  );
});

test('a commit that only removes and renames reaches the work tree whole', async () => {
  rig = await fleetRig(['billing'], { settings: '    prune: true\n' });
  await rig.commit('billing', { 'content/en/articles/a.md': article('A') });
  await rig.run('fleet', '--once');
  git(join(rig.root, 'repos/billing'), 'rm', '--quiet', 'content/en/articles/a.md');
  await rig.commit('billing', {});
  expect(await rig.run('fleet', '--once')).toMatchObject({ code: 0 });
  expect(await rig.titles('billing')).toEqual(['Hello billing']);
});

test('an edit of both sides is a conflict, which no run repeats and no other knowledge base notices', async () => {
  rig = await fleetRig(['billing', 'support']);
  await rig.run('fleet', '--once');
  const service = serviceOf(rig.services, 'billing');
  const { data } = (await service.get('/api/v2/articles')) as { data: readonly { id: string }[] };
  const id = data[0]?.id ?? '';
  const edited = await fetch(`${service.url}/api/v2/articles/${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      title: 'Edited there',
      slug: 'hello',
      categories: [],
      tags: [],
      excerpt: '',
      ordering: 0,
      status: 'published',
      content: '<p>The first article.</p>',
      lang: 'en',
    }),
  });
  expect(edited.status).toBe(200);
  await rig.commit('billing', { 'content/en/articles/hello.md': article('Edited here') });
  const end = await rig.run('fleet', '--once', '--json');
  expect(end.code).toBe(3);
  const { runs } = JSON.parse(end.stdout) as { runs: readonly { name: string }[] };
  const byName = Object.fromEntries(runs.map((run) => [run.name, run]));
  expect(byName).toMatchObject({
    billing: { condition: 'conflict', mayRetry: false },
    support: { condition: 'in-sync' },
  });
});

test('what a run leaves is told with its first reason, such as a fault in a file', async () => {
  rig = await fleetRig(['billing']);
  await rig.run('fleet', '--once');
  const faulty = 'content/en/articles/faulty.md';
  await rig.commit('billing', {
    [faulty]: '---\ntitle: [\n---\n',
    'content/en/articles/b.md': '---\nslug: [\n---\n',
  });
  const end = await rig.run('fleet', '--once');
  expect(end.code).toBe(1);
  expect((await rig.status())['billing']).toMatchObject({
    condition: 'stopped',
    message:
      '1 unchanged, 2 blocked; content/en/articles/b.md:2: this `[` is never closed; a `]` is missing (and 1 more error)',
  });
});

test('the network fails: failing since, and how far behind; a service that says no: stopped', async () => {
  rig = await fleetRig(['billing']);
  await rig.run('fleet', '--once');
  await rig.commit('billing', { 'content/en/articles/b.md': article('B') });
  await rig.commit('billing', { 'content/en/articles/c.md': article('C') });
  rig.proxies.get('billing')?.retarget('http://127.0.0.1:9');
  const down = await rig.run('fleet', '--once', '--json');
  expect([down.code, JSON.parse(down.stdout).runs[0]]).toMatchObject([
    5,
    { condition: 'failing', mayRetry: true },
  ]);
  expect((await rig.status())['billing']).toMatchObject({ condition: 'failing', behind: 2 });
  rig.proxies.get('billing')?.retarget(rig.services.get('billing')?.url ?? '');
  rig.env['KEY_BILLING'] = 'kb_wrong_wrongwrongwrong';
  const refused = await rig.run('fleet', '--once', '--json');
  expect([refused.code, JSON.parse(refused.stdout).runs[0]]).toMatchObject([
    1,
    { condition: 'stopped', mayRetry: false },
  ]);
});

test('a repository cannot send the key elsewhere, nor publish files that are not its own', async () => {
  rig = await fleetRig(['billing', 'support']);
  await rig.run('fleet', '--once');
  await rig.commit('billing', {
    'kbsync.yaml': `id: billing\nbaseUrl: ${rig.proxies.get('support')?.url}\n`,
  });
  await rig.commit('support', {
    'kbsync.yaml': `id: support\nbaseUrl: ${rig.proxies.get('support')?.url}\ncontent: ../../billing\n`,
  });
  const { code, stdout } = await rig.run('fleet', '--once', '--json');
  const { runs } = JSON.parse(stdout) as { runs: readonly { name: string; message: string }[] };
  const messages = Object.fromEntries(runs.map(({ name, message }) => [name, message]));
  expect(code).toBe(1);
  expect(messages['billing']).toMatch(/^KBSYNC_ORIGIN binds the key to .*; nothing was sent$/);
  expect(messages['support']).toBe('`content` in kbsync.yaml leads out of the repository');
});

test('a state that machines share is neither taken from the environment of the fleet nor from a repository', async () => {
  rig = await fleetRig(['billing', 'support']);
  rig.env['KBSYNC_STATE'] = 'http://127.0.0.1:9/state';
  rig.env['KBSYNC_STATE_PASSWORD'] = 'a-password-0123456789';
  await rig.commit('support', {
    'kbsync.yaml': `id: support\nbaseUrl: ${rig.proxies.get('support')?.url}\nstate: http://127.0.0.1:9/state\n`,
  });
  const { stdout } = await rig.run('fleet', '--once', '--json');
  const { runs } = JSON.parse(stdout) as { runs: readonly { name: string }[] };
  expect(Object.fromEntries(runs.map((run) => [run.name, run]))).toMatchObject({
    billing: { condition: 'in-sync' },
    support: { condition: 'stopped', message: expect.stringContaining('would be a second state') },
  });
});

test('a branch or a folder that is not there is said, and is no network trouble', async () => {
  rig = await fleetRig(['billing'], { settings: '    ref: release\n' });
  const { stdout } = await rig.run('fleet', '--once');
  expect(stdout).toMatch(
    /^billing: stopped: the repository has no branch or tag `release`; it has `main`; name one with `ref:` in fleet.yaml \(/,
  );
});

test('settings that cannot be read, and a repository without a page, are told with what is there', async () => {
  rig = await fleetRig(['billing', 'support']);
  await rig.commit('billing', { 'kbsync.yaml': 'baseUrl: [\n' });
  git(join(rig.root, 'repos', 'support'), 'rm', '-r', '--quiet', 'content');
  await rig.commit('support', { 'content/en/notes/a.md': article('A') });
  const { stdout } = await rig.run('fleet', '--once');
  expect(stdout).toMatch(
    /^billing: stopped: kbsync.yaml:2:1: a bracket .* stays open \(1 error in kbsync.yaml\) \(/m,
  );
  expect(stdout).toMatch(/^support: in sync: the files hold no record \(/m);
});

test('a file that git knows as renamed waits for a person, and the run says why', async () => {
  rig = await fleetRig(['billing']);
  const text = Array.from({ length: 20 }, (_, index) => `Sentence ${index} of this page.\n`).join('\n');
  await rig.commit('billing', { 'content/en/articles/hello.md': article('Hello', text) });
  await rig.run('fleet', '--once');
  git(join(rig.root, 'repos', 'billing', 'content/en/articles'), 'mv', 'hello.md', 'welcome.md');
  await rig.commit('billing', { 'content/en/articles/welcome.md': article('Welcome', `${text}\nMore.`) });
  const { stdout } = await rig.run('fleet', '--once');
  expect(stdout).toMatch(
    /^billing: stopped: 0 unchanged, 1 blocked; article\/welcome@en: git says that its file is .*hello\.md under another name.* \(/,
  );
  expect(await rig.titles('billing')).toEqual(['Hello']);
});

test('a repository without a commit, and an address where no repository is, are said', async () => {
  rig = await fleetRig(['billing']);
  const file = join(rig.root, 'fleet.yaml');
  const before = await readFile(file, 'utf8');
  const empty = await mkdtemp(join(tmpdir(), 'kbsync-empty-'));
  const write = (address: string) =>
    writeFile(file, before.replace(/repository: .*/, `repository: ${address}`));
  await write(empty);
  const none = await rig.run('fleet', '--once');
  expect(none.stdout).toMatch(/^billing: stopped: git fetch: '.*' does not appear to be a git repository \(/);
  git(empty, 'init', '--quiet', '--bare');
  const bare = await rig.run('fleet', '--once');
  expect(bare.stdout).toMatch(/no branch or tag `main`, and no other branch; push one \(/);
});

test('the web hook is told once for each change of condition, and again if it was down', async () => {
  const told: Record<string, unknown>[] = [];
  let isDown = false;
  const hook = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      if (!isDown) told.push(JSON.parse(body));
      response.writeHead(isDown ? 500 : 200).end();
    });
  }).listen(0, '127.0.0.1');
  await once(hook, 'listening');
  rig = await fleetRig(['billing'], {
    top: 'notify: { variable: HOOK }\n',
    settings: '    owner: team-b\n',
  });
  rig.env['HOOK'] = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/secret`;
  await rig.run('fleet', '--once');
  expect(told).toEqual([]); // a good start is no change
  rig.proxies.get('billing')?.retarget('http://127.0.0.1:9');
  for (const _ of [1, 2]) await rig.run('fleet', '--once');
  expect(told).toMatchObject([{ name: 'billing', owner: 'team-b', condition: 'failing', was: 'in-sync' }]);
  isDown = true;
  rig.proxies.get('billing')?.retarget(rig.services.get('billing')?.url ?? '');
  await rig.run('fleet', '--once');
  isDown = false;
  for (const _ of [1, 2]) await rig.run('fleet', '--once');
  expect(told.slice(1)).toMatchObject([{ condition: 'in-sync', was: 'failing' }]);
  hook.close();
});

test('the guide prints what it shows, without a database', async () => {
  rig = await fleetRig(['billing', 'support']);
  const page = await readFile(join(import.meta.dirname, '../../docs/guides/fleet.md'), 'utf8');
  const shown = await playGuide(page.slice(0, page.indexOf('With cron')), rig);
  expect(shown).toEqual(['kbsync fleet --once', 'kbsync fleet status']);
});
