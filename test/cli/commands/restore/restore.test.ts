import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTrash } from '../../../../src/base/trash.ts';
import type { Key } from '../../../../src/model/key.ts';
import { knowledgeOf } from '../../../support/knowledge.ts';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';
import { siteOf, type Site } from '../../support/site.ts';

/** No link between the articles: one may go without the other. */
const FILES: Readonly<Record<string, string>> = {
  ...SMALL,
  'content/en/articles/update.md': '---\ntitle: Update\ncategories: [start]\n---\n\nEach month.\n',
};

let world: FakeWorld;
let site: Site;
beforeEach(async () => {
  world = await fakeWorld(FILES);
  site = siteOf(world);
  await world.run('sync');
});
afterEach(() => world.close());

const INSTALL = ['content/en/articles/install.md', 'content/fr/articles/install.md'];

/** Deletes files and their records; the name of the run. */
async function pruned(...files: readonly string[]): Promise<string> {
  for (const file of files) await world.remove(file);
  world.advance(1000);
  const ran = await world.run('sync', '--prune', '--yes', '--allow-vanished', '--allow-scope-change');
  if (ran.exit !== 0) throw new Error(ran.stdout + ran.stderr);
  const listed = JSON.parse((await world.run('restore', '--json')).stdout) as { runs: { run: string }[] };
  const last = listed.runs.at(-1);
  if (last === undefined) throw new Error('test: nothing was kept');
  return last.run;
}

/** Everything the service holds, without ids and dates. */
async function held(): Promise<readonly string[]> {
  const rows = await knowledgeOf(world.service.store);
  return rows
    .map(({ kind, lang, name, slug, text, refs }) => JSON.stringify([kind, lang, name, slug, text, refs]))
    .sort();
}

const writes = () => world.sent.filter((request) => !request.startsWith('GET'));

test('lists what each run deleted, without a request and without a key', async () => {
  expect((await world.run('restore')).stdout).toMatch(/^no run has deleted anything/);
  const run = await pruned(...INSTALL);
  world.sent.length = 0;
  delete world.env['KBSYNC_API_KEY'];
  const ran = await world.run('restore');
  expect(ran.exit).toBe(0);
  expect(ran.stdout).toBe(`${run}  2 records  article/install@en, article/install@fr\n`);
  expect(world.sent).toEqual([]);
});

test('what the service keeps under another slug is restored, and says what is not as it was', async () => {
  await world.close();
  world = await fakeWorld(FILES);
  let hasBin = false;
  // A service of another make says nothing of what it does.
  world.wrap = (send) => async (request) => {
    const { url, method, headers } = request;
    const isTaken = hasBin && method === 'PUT';
    const { slug, ...body } = isTaken ? ((await request.json()) as { slug: string }) : { slug: '' };
    const text = JSON.stringify({ ...body, slug: `${slug}-2` });
    const response = await send(isTaken ? new Request(url, { method, headers, body: text }) : request);
    for (const name of ['KB-Capabilities', 'KB-Last-Edited', 'Location', 'ETag'])
      response.headers.delete(name);
    return response;
  };
  await world.run('sync');
  const run = await pruned('content/en/articles/update.md');
  hasBin = true;
  const ran = await world.run('restore', run);
  expect(ran.exit).toBe(5);
  expect(ran.stdout).toMatch(
    /^article\/update@en {2}restored, record \S+, but not as it was: the service stored the slug "update-2" instead of "update"/,
  );
  const again = await world.run('restore', run);
  expect(again.stdout).not.toContain('not as it was');
  expect((await held()).filter((row) => row.includes('"Update"'))).toHaveLength(1);
});

describe('a deleted article with its translation', () => {
  test('comes back as it was, and the next sync leaves it alone', async () => {
    const before = await held();
    const run = await pruned(...INSTALL);
    const ran = await world.run('restore', run);
    expect(ran.stdout).toMatch(
      /^article\/install@en {2}restored, record \S+\narticle\/install@fr {2}restored/,
    );
    expect(ran.exit).toBe(0);
    expect(ran.stderr).toContain('while it has no file; bring the file back');
    expect(await held()).toEqual(before);
    for (const argv of [['sync'], ['sync', '--prune', '--yes'], ['sync', '--prune', '--yes']]) {
      expect((await world.run(...argv)).exit).toBe(0);
      expect(await held()).toEqual(before);
    }
  });

  test('comes back by the name `last` too', async () => {
    const run = await pruned(...INSTALL);
    const ran = await world.run('restore', 'last', '--dry-run');
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toBe((await world.run('restore', run, '--dry-run')).stdout);
  });

  test('is managed again when its file comes back', async () => {
    const before = await held();
    const run = await pruned(...INSTALL);
    await world.run('restore', run);
    for (const file of INSTALL) await world.write(file, FILES[file] ?? '');
    expect((await world.run('sync')).exit).toBe(0);
    expect(await held()).toEqual(before);
    for (const file of INSTALL) await world.remove(file);
    expect(
      (await world.run('sync', '--prune', '--yes', '--allow-vanished', '--allow-scope-change')).exit,
    ).toBe(0);
    expect(await site.titles()).toEqual(['Update']);
  });

  test('is managed at once when its file is back already, and what the file says otherwise is an update', async () => {
    const run = await pruned(...INSTALL);
    for (const file of INSTALL)
      await world.write(file, (FILES[file] ?? '').replace('title: Install', 'title: Setup'));
    expect((await world.run('restore', run)).exit).toBe(0);
    const plan = JSON.parse((await world.run('plan', '--json')).stdout) as { changes: { action: string }[] };
    expect(plan.changes.map(({ action }) => action)).toEqual(['update', 'update']);
    expect((await world.run('sync')).exit).toBe(0);
    expect((await world.run('sync')).stdout).toContain('in sync');
    expect(await site.titles()).toEqual(['Setup', 'Update']);
  });

  test('is never made twice: a second restore finds it', async () => {
    const run = await pruned(...INSTALL);
    await world.run('restore', run);
    const once = await held();
    world.sent.length = 0;
    const ran = await world.run('restore', run);
    expect(ran.stdout).toBe('article/install@en  is there already\narticle/install@fr  is there already\n');
    expect(writes()).toEqual([]);
    expect(await held()).toEqual(once);
  });

  test('comes back alone when only it is named; the translation follows later', async () => {
    const before = await held();
    const run = await pruned(...INSTALL);
    expect((await world.run('restore', run, 'article/install@en')).exit).toBe(0);
    expect((await held()).length).toBe(before.length - 1);
    expect((await world.run('restore', run, 'article/install@fr')).exit).toBe(0);
    expect(await held()).toEqual(before);
  });
});

test('a category comes back before what is in it, under another id, and its articles find it', async () => {
  const before = await held();
  const run = await pruned(...Object.keys(FILES).filter((file) => !file.includes('/tags/')));
  expect((await held()).length).toBe(1);
  expect((await world.run('restore', run)).exit).toBe(0);
  expect(await held()).toEqual(before);
});

test('an article whose category is gone is refused with its name, unless the category comes back too', async () => {
  const run = await pruned(...Object.keys(FILES).filter((file) => !file.includes('/tags/')));
  const ran = await world.run('restore', run, 'article/update@en');
  expect(ran.exit).toBe(5);
  expect(ran.stdout).toContain('article/update@en  not restored: it names category/start');
  expect((await world.run('restore', run, 'category/start@en')).exit).toBe(0);
  expect((await world.run('restore', run, 'article/update@en')).exit).toBe(0);
  expect(await site.titles()).toEqual(['Update']);
});

test('another record in its place stays, and is named', async () => {
  const run = await pruned('content/en/articles/update.md');
  await world.write(
    'content/en/articles/renewed.md',
    '---\ntitle: Other\nslug: update\ncategories: [start]\n---\n',
  );
  await world.run('sync');
  const before = await held();
  const ran = await world.run('restore', run);
  expect(ran.exit).toBe(3);
  expect(ran.stdout).toMatch(
    /article\/update@en {2}not restored: record \S+ is in its place, with another title/,
  );
  expect(await held()).toEqual(before);
  expect((await world.run('sync')).stdout).toContain('in sync');
});

test('a record that sync has made again is left to sync', async () => {
  const run = await pruned('content/en/articles/update.md');
  await world.write('content/en/articles/update.md', FILES['content/en/articles/update.md'] ?? '');
  await world.run('sync');
  world.sent.length = 0;
  const ran = await world.run('restore', run);
  expect(ran).toMatchObject({ exit: 0, stdout: expect.stringContaining('is there: kbsync manages it') });
  expect(writes()).toEqual([]);
});

test('--dry-run shows what would come back and sends no write', async () => {
  const run = await pruned(...INSTALL);
  world.sent.length = 0;
  const ran = await world.run('restore', run, '--dry-run');
  expect(ran.stdout).toBe('article/install@en  would be restored\narticle/install@fr  would be restored\n');
  expect(writes()).toEqual([]);
  expect(await site.titles()).toEqual(['Update']);
});

test('--json tells what became of each record', async () => {
  const run = await pruned('content/en/articles/update.md');
  const ran = await world.run('restore', run, '--json');
  expect(JSON.parse(ran.stdout)).toMatchObject({
    format: 1,
    dryRun: false,
    records: [{ key: 'article/update@en', state: 'restored' }],
  });
});

test('a restore whose answers are lost is looked up, and makes nothing twice', async () => {
  const before = await held();
  const run = await pruned(...INSTALL);
  world.wrap = (send) => async (request) => {
    const response = await send(request);
    if (request.method !== 'PUT') return response;
    return new Response('<html>502</html>', { status: 502, headers: { 'content-type': 'text/html' } });
  };
  await world.run('restore', run);
  world.wrap = (send) => send;
  await world.run('restore', run);
  expect(await held()).toEqual(before);
  expect((await world.run('sync', '--prune', '--yes')).exit).toBe(0);
  expect(await held()).toEqual(before);
});

test('errors in the files of now do not stand in the way', async () => {
  const run = await pruned('content/en/articles/update.md');
  await world.write('content/en/articles/broken.md', '---\ntags: [x]\n---\n');
  expect((await world.run('restore', run)).exit).toBe(0);
  expect(await site.titles()).toEqual(['Install', 'Update']);
});

describe('a command line that cannot be meant', () => {
  test.each([
    [['restore', '2020'], 'there is no run `2020`'],
    [['restore', '../../etc'], 'there is no run'],
    [['restore', '.'], 'there is no run'],
    [['restore', ''], 'there is no run'],
  ])('%j', async (argv, message) => {
    await pruned('content/en/articles/update.md');
    const ran = await world.run(...argv);
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain(message);
  });

  test('a key that the run did not keep', async () => {
    const run = await pruned('content/en/articles/update.md');
    const ran = await world.run('restore', run, 'article/updat@en');
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain('did you mean `article/update@en`?');
  });
});

test('a damaged image stops the run with its file', async () => {
  const run = await pruned('content/en/articles/update.md');
  const folder = join(world.cwd, '.kbsync/trash', run);
  const [file] = await readdir(folder);
  await world.write(`.kbsync/trash/${run}/${file}`, '{"kbsync":"pre-image","format":1,"sum":"0","image":{}}');
  const ran = await world.run('restore', run);
  expect(ran.exit).toBe(4);
  expect(ran.stderr).toContain('its content does not fit its checksum');
});

describe('hostile names', () => {
  const parts = [
    '../../x',
    '/etc/passwd',
    '..',
    'a/../../b',
    'CON',
    'nul.',
    '\u001b[2J',
    '::add-mask::x',
    '##[error]x',
    'a\nb',
    '%2e%2e%2f',
    '\\\\host\\share',
    'a\u0000b',
    '\u202egnp',
    '-rf',
    '$(id)',
    '`id`',
    'é'.normalize('NFD'),
    'x'.repeat(300),
    ' ',
  ];
  const keys = parts.flatMap((part) =>
    ['article', 'category', 'tag'].flatMap((kind) =>
      [
        `${kind}/${part}@en`,
        `${kind}/a/${part}@fr`,
        `${kind}/${part}/b@${part}`,
        `${kind}/${part}@../..`,
      ].map((key) => key as Key),
    ),
  );

  test('never lead an image out of its folder: 240 keys', async () => {
    expect(keys.length).toBeGreaterThanOrEqual(200);
    const folder = join(world.cwd, '.kbsync/trash');
    const trash = openTrash(folder);
    const outside = async () =>
      (await readdir(world.cwd, { recursive: true }))
        .filter((name) => !name.startsWith('.kbsync/trash'))
        .sort();
    const before = await outside();
    for (const key of keys) {
      const kind = key.startsWith('tag') ? 'tag' : key.startsWith('cat') ? 'category' : 'article';
      const shared = {
        kind,
        id: '1',
        lang: 'en',
        action: 'delete',
        fields: {},
        labels: {},
        atMs: 0,
      } as const;
      await trash.keep('run-1', { key, ...shared });
    }
    expect(await outside()).toEqual(before);
    const files = await readdir(join(folder, 'run-1'));
    expect(files.length).toBe(new Set(keys).size);
    for (const file of files) expect(file).toMatch(/^[A-Za-z0-9@_-]{1,80}\.[0-9a-f]{16}\.json$/);
    const listed = await world.run('restore', '--verbose');
    // oxlint-disable-next-line no-control-regex -- these must not be there
    expect(listed.stdout.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(listed.stdout).not.toMatch(/^::/m);
    world.env['GITHUB_ACTIONS'] = 'true';
    const onGitHub = await world.run('restore', '--verbose');
    expect(onGitHub.stdout).not.toMatch(/^::|##\[/m);
  });
});
