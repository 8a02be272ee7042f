import { spawnSync } from 'node:child_process';
import { symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { SMALL } from '../../support/fake-world.ts';
import { liveWorld, type LiveWorld } from '../../support/live-world.ts';

let world: LiveWorld;
afterEach(() => world.close());

const START = /watching content\//;

async function watching(files: Readonly<Record<string, string>> = SMALL, ...flags: readonly string[]) {
  world = await liveWorld(files);
  const run = world.start('watch', ...flags);
  await run.until(START);
  world.sent.length = 0;
  return run;
}

const sent = (): readonly string[] => world.sent.map(({ text }) => text.replace(/[^/]{20,}$/, ':id'));

async function article(title: string): Promise<Record<string, unknown>> {
  const list = (await world.ask('GET', '/api/v2/articles')) as { data: { id: string; name: string }[] };
  const id = list.data.find(({ name }) => name === title)?.id;
  const read = (await world.ask('GET', `/api/v2/articles/${id}`)) as { data: Record<string, unknown> };
  return read.data;
}

const INSTALL = 'content/en/articles/install.md';

test('a saved file costs one read and one edit', async () => {
  const run = await watching();
  await world.write(INSTALL, `${SMALL[INSTALL]}\nMore.\n`);
  await run.until(/~ install@en {2}content +\d+ ms {2}https:\/\/help\.acme\.test\/en\/articles\/install\n/);
  expect(sent()).toEqual(['GET /api/v2/articles/:id', 'POST /api/v2/articles/:id']);
  expect((await article('Install'))['content']).toContain('<p>More.</p>');
  await world.write(INSTALL, `${SMALL[INSTALL]}\nMore and more.\n`);
  await run.until((out) => out.split('~ install@en').length === 3);
  expect(sent().length).toBe(4);
  expect(await run.interrupt()).toBe(0);
  expect(run.stdout()).toMatch(/state saved, nothing waiting\n$/);
});

test('the next run after a watch finds everything in sync, from three lists', async () => {
  const run = await watching();
  await world.write(INSTALL, `${SMALL[INSTALL]}\nMore.\n`);
  await run.until(/~ install@en/);
  await run.interrupt();
  world.sent.length = 0;
  const again = world.start('sync');
  expect(await again.exit).toBe(0);
  expect(again.stdout()).toContain('in sync');
  expect(sent()).toEqual(['GET /api/v2/categories', 'GET /api/v2/tags', 'GET /api/v2/articles']);
});

test('a save that changes only spacing sends nothing', async () => {
  const run = await watching();
  await world.write(INSTALL, `${SMALL[INSTALL]}\n\n\n`);
  await run.until(/= install@en {2}only spacing, nothing sent/);
  await world.write(INSTALL, SMALL[INSTALL]?.replace('title: Install', "title:   'Install'") ?? '');
  await run.until((out) => out.split('only spacing').length === 3);
  expect(sent()).toEqual([]);
});

test('a faulty file is shown with its place, its published version stays, and its repair is sent', async () => {
  const run = await watching();
  await world.write(INSTALL, SMALL[INSTALL]?.replace('tags: [cli]', 'tags: [clo]') ?? '');
  await run.until(
    /x content\/en\/articles\/install\.md:4:8 {2}no tag file defines `clo`.*\(not sent; what is published stays\)/,
  );
  await world.write('content/fr/articles/install.md', `${SMALL['content/fr/articles/install.md']}\nPlus.\n`);
  await run.until(/~ install@fr {2}content/);
  expect((await article('Install'))['content']).toContain('Run it on your machine.');
  await world.write(INSTALL, `${SMALL[INSTALL]}\nWell.\n`);
  await run.until(/~ install@en {2}repaired, content/);
});

test('the last line names the errors that are still in the files', async () => {
  const run = await watching();
  await world.write(INSTALL, SMALL[INSTALL]?.replace('tags: [cli]', 'tags: [clo]') ?? '');
  await run.until(/what is published stays/);
  await run.interrupt();
  expect(run.stdout()).toMatch(/state saved, 1 error in the files\n$/);
});

test('broken front matter never makes a record look gone', async () => {
  const run = await watching();
  await world.write(INSTALL, '---\ntitle: "Install\n---\n');
  await run.until(/x content\/en\/articles\/install\.md.*what is published stays/);
  // The same page in a new file, while the old one is faulty: is it a copy, or was it moved? Nobody can say yet.
  await world.write(
    'content/en/articles/setup.md',
    SMALL[INSTALL]?.replace('title: Install', 'title: Setup') ?? '',
  );
  await run.until(
    /! setup@en {2}not sent: its slug or its text is that of a record whose file has errors or is gone/,
  );
  expect((await article('Install'))['content']).toContain('Run it on your machine.');
  await world.write(INSTALL, SMALL[INSTALL] ?? '');
  await run.until(/\+ setup@en {2}new/);
  expect(run.stdout()).not.toContain('still published');
  expect((await article('Setup'))['slug']).toBe('setup');
});

test('a removed file is shown as pending and deleted by nobody', async () => {
  const run = await watching();
  await world.remove('content/en/articles/update.md');
  await run.until(/- update@en {2}still published; kbsync sync --prune deletes it/);
  expect(sent().filter((text) => !text.startsWith('GET'))).toEqual([]);
  expect((await article('Update'))['name']).toBe('Update');
});

test('a content folder that went away and came back, moved or made anew, is watched as before', async () => {
  const run = await watching();
  for (const [round, text] of ['Moved back.', 'Moved back again.', 'Made anew.'].entries()) {
    await world.move('content', 'away');
    await run.until((out) => out.split('does not exist').length > round + 1);
    if (round < 2) await world.move('away', 'content');
    else for (const [file, before] of Object.entries(SMALL)) await world.write(file, before);
    await run.until((out) => out.split('is there again').length > round + 1);
    await world.write(INSTALL, `${SMALL[INSTALL]}\n${text}\n`);
    await run.until((out) => out.split('~ install@en').length > round + 1);
    expect((await article('Install'))['content']).toContain(text);
  }
  expect(run.stdout()).not.toContain('still published');
});

test('a content folder that cannot be looked at for a while is one that went away', async () => {
  const run = await watching();
  await world.move('content', 'away');
  // The system answers with an error, as it does for a share that is not reached.
  await symlink('content', join(world.cwd, 'content'));
  // Longer than it takes until the folder is looked at again.
  await setTimeout(1000);
  await unlink(join(world.cwd, 'content'));
  await world.move('away', 'content');
  await run.until(/is there again/);
  await world.write(INSTALL, `${SMALL[INSTALL]}\nMore.\n`);
  await run.until(/~ install@en {2}content/);
  expect((await article('Install'))['content']).toContain('<p>More.</p>');
});

test('--poll sees a save where the system tells of none', async () => {
  const run = await watching(SMALL, '--poll');
  await world.write(INSTALL, `${SMALL[INSTALL]}\nMore.\n`);
  await run.until(/~ install@en {2}content/);
  expect((await article('Install'))['content']).toContain('<p>More.</p>');
});

test('a new slug is sent together with the pages that link to it', async () => {
  const run = await watching();
  await world.write(INSTALL, SMALL[INSTALL]?.replace('title: Install', 'title: Install\nslug: set-up') ?? '');
  await run.until(
    /~ install@en {2}slug; 1 linking page sent too +\d+ ms {2}https:\/\/help\.acme\.test\/en\/articles\/set-up/,
  );
  expect((await article('Update'))['content']).toContain('/en/articles/set-up');
});

test('an edit made on the site meanwhile is never overwritten', async () => {
  const run = await watching();
  const { id, ...shown } = await article('Install');
  await world.ask('POST', `/api/v2/articles/${String(id)}`, {
    title: 'Install',
    slug: 'install',
    categories: [],
    tags: [],
    excerpt: shown['excerpt'],
    ordering: 0,
    status: 'published',
    content: '<p>By an editor.</p>',
    lang: 'en',
  });
  await world.write(INSTALL, `${SMALL[INSTALL]}\nBy a file.\n`);
  await run.until(
    /! install@en {2}conflict: content was changed on both sides; kbsync resolve article\/install@en --local/,
  );
  expect((await article('Install'))['content']).toContain('By an editor.');
  await world.write('content/en/articles/other.md', '---\ntitle: Other\n---\nText.\n');
  await run.until(/\+ other@en/);
  await run.interrupt();
  expect(run.stdout()).toMatch(/state saved, 1 conflict open; kbsync plan shows both sides\n$/);
});

test('an outage is waited out, and what was saved meanwhile is sent in its last version', async () => {
  const run = await watching();
  world.wrap = () => () => Promise.reject(Object.assign(new TypeError('refused'), { code: 'ECONNREFUSED' }));
  await world.write(INSTALL, `${SMALL[INSTALL]}\nFirst.\n`);
  await run.until(/1 change waiting, next try in/);
  await world.write(INSTALL, `${SMALL[INSTALL]}\nLast.\n`);
  world.wrap = (send) => send;
  await run.until(/~ install@en {2}content/);
  const content = String((await article('Install'))['content']);
  expect([content.includes('Last.'), content.includes('First.')]).toEqual([true, false]);
});

test('other settings begin anew, and settings that cannot be read change nothing', async () => {
  const run = await watching({ ...SMALL, 'kbsync.yaml': 'defaults: { status: published }\n' });
  await world.write('kbsync.yaml', 'defaults: [\n');
  await run.until(/keeping the previous settings/);
  await world.write('kbsync.yaml', 'defaults: { hideFromSearch: true }\n');
  await run.until((out) => out.split('watching content/').length === 3);
  expect((await article('Install'))['hide_from_search']).toBe(true);
});

test('what watch itself writes sends nothing and says nothing', async () => {
  const run = await watching();
  await world.write('.kbsync/state.txt', 'x');
  await world.write('content/en/articles/.install.md.swp', 'x');
  await world.write('content/en/articles/install.md~', 'x');
  await world.write('content/fr/articles/install.md', `${SMALL['content/fr/articles/install.md']}\nPlus.\n`);
  await run.until(/~ install@fr/);
  expect(
    run
      .stdout()
      .split('\n')
      .filter((line) => line !== ''),
  ).toHaveLength(2);
});

test('--once sends what is in order, names what is not, and ends with 5 like a sync', async () => {
  world = await liveWorld({ ...SMALL, [INSTALL]: '---\ntitle: "Install\n---\n' });
  const run = world.start('watch', '--once');
  expect(await run.exit).toBe(5);
  expect(run.stdout()).toMatch(/x content\/en\/articles\/install\.md:2/);
  const list = (await world.ask('GET', '/api/v2/articles')) as { data: { name: string }[] };
  expect(list.data.map(({ name }) => name)).toEqual(['Update']);
  await world.write(INSTALL, SMALL[INSTALL] ?? '');
  expect(await world.start('watch', '--once').exit).toBe(0);
});

test('--json is one object a line', async () => {
  world = await liveWorld(SMALL);
  const run = world.start('watch', '--json');
  await run.until(/"type":"first"/);
  await world.write(INSTALL, `${SMALL[INSTALL]}\nMore.\n`);
  await run.until(/"type":"sent"/);
  await run.interrupt();
  const lines = run
    .stdout()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ format, type }) => [format, type])).toEqual([
    [1, 'first'],
    [1, 'sent'],
  ]);
  expect(lines[1]).toMatchObject({ key: 'article/install@en', fields: ['content'], outcome: 'done' });
});

test('a save of an excluded file wakes nobody', async () => {
  const secret = 'content/en/articles/internal/secret.md';
  const run = await watching({
    ...SMALL,
    'kbsync.yaml': "exclude: ['**/internal/**']\n",
    [secret]: '---\ntitle: Secret\n---\n\nText.\n',
  });
  await world.write(secret, '---\ntitle: Secret\n---\n\nAnother text.\n');
  await world.write(INSTALL, `${SMALL[INSTALL]}\nMore.\n`);
  await run.until(/~ install@en/);
  await run.interrupt();
  expect(run.stdout()).not.toContain('secret');
  expect(sent()).toEqual(['GET /api/v2/articles/:id', 'POST /api/v2/articles/:id']);
});

test('a partial watch sends what it is about, says what it leaves alone, and never says in sync', async () => {
  const run = await watching(SMALL, '--only', 'en/articles/i*.md', '--only', 'article/install@fr');
  await run.until(/partial: \d of 5 records\n/);
  const titles = async () =>
    ((await world.ask('GET', '/api/v2/articles')) as { data: { name: string }[] }).data.map(
      ({ name }) => name,
    );
  expect(await titles()).toEqual(['Install']);
  await world.write(
    'content/en/articles/update.md',
    `${SMALL['content/en/articles/update.md']}\nNot this one.\n`,
  );
  await run.until(/= update@en {2}not part of this run, nothing sent\n/);
  await world.write(INSTALL, `${SMALL[INSTALL]}\nMore.\n`);
  await run.until(/~ install@en {2}content/);
  await world.write('content/en/articles/import.md', '---\ntitle: Import\n---\n\nNew, and chosen.\n');
  await run.until(/\+ import@en {2}new/);
  expect((await titles()).toSorted()).toEqual(['Import', 'Install']);
  expect(await run.interrupt()).toBe(0);
  expect(run.stdout()).not.toContain('in sync');
  const whole = world.start('sync');
  expect(await whole.exit).toBe(0);
  expect((await titles()).toSorted()).toEqual(['Import', 'Install', 'Update']);
});

test('a partial watch since a commit takes in what is saved later; a word that fits nothing ends it', async () => {
  world = await liveWorld(SMALL);
  const git = (...args: readonly string[]): void => {
    const own = ['-c', 'user.name=A', '-c', 'user.email=a@b.test', '-c', 'commit.gpgSign=false', ...args];
    const { status, stderr } = spawnSync('git', own, { cwd: world.cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(`test: git ${args.join(' ')}: ${stderr}`);
  };
  git('init', '-q');
  git('add', 'content');
  git('commit', '-q', '-m', 'x');
  expect(await world.start('watch', '--only', 'instal').exit).toBe(64);
  const run = world.start('watch', '--changed-since', 'HEAD');
  await run.until(START);
  expect(run.stdout()).toContain('partial: 0 of 5 records\n');
  await world.write(INSTALL, `${SMALL[INSTALL]}\nMore.\n`);
  await run.until(/\+ install@en {2}new/);
  expect(await run.interrupt()).toBe(0);
});

test('many faults of one kind are the first of them and a count, as in a check', async () => {
  const many = `${SMALL[INSTALL]}${'\nText <nobr>x</nobr>.\n'.repeat(40)}`;
  const run = await watching({ ...SMALL, [INSTALL]: many });
  const lines = (): readonly string[] => run.stdout().split('\n');
  expect(lines().filter((line) => line.includes('`<nobr>` is left out'))).toHaveLength(3);
  expect(run.stdout()).toContain('! … 37 more of html-dropped (kbsync check --verbose lists all)\n');
  // One fault more is named where it is.
  await world.write(INSTALL, `${many}\nText <blink>x</blink>.\n`);
  await run.until(/`<blink>` is left out/);
  expect(lines().filter((line) => line.includes('`<nobr>` is left out'))).toHaveLength(3);
  await run.interrupt();
});
