import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from './support/fake-world.ts';
import { HOSTILE, wildParts } from './support/hostile-texts.ts';
import { siteOf, type Site } from './support/site.ts';

let world: FakeWorld;
let site: Site;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
  site = siteOf(world);
});
afterEach(() => world.close());

/** File systems take everything but NUL. */
const STORABLE = HOSTILE.filter((text) => !text.includes('\u0000'));

/** What our service takes in the place of a hostile text; others may take the text itself. */
function stands(text: string): string {
  return `hostile-${HOSTILE.indexOf(text)}-text`;
}

/** From now on the service shows each hostile text where `stands` stands for it. */
function showHostile(): void {
  world.wrap = (send) => async (request) => {
    const response = await send(request);
    let text = await response.text();
    for (const hostile of HOSTILE)
      text = text.replaceAll(stands(hostile), JSON.stringify(hostile).slice(1, -1));
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    return new Response(text === '' ? null : text, { status: response.status, headers });
  };
}

describe.each([false, true])('with GITHUB_ACTIONS %s, what is shown and never executed is', (onGitHub) => {
  beforeEach(() => {
    if (onGitHub) world.env['GITHUB_ACTIONS'] = 'true';
  });

  const COMMANDS = [['plan', '--verbose'], ['sync'], ['status'], ['plan', '--json']];

  test.each(STORABLE)('a title on the site: %j', async (title) => {
    await world.run('sync');
    await site.edit('Update', (body) => (body['title'] = `T ${stands(title)}`));
    await site.edit('Install', (body) => (body['excerpt'] = stands(title)));
    showHostile();
    await world.write(
      'content/en/articles/update.md',
      (SMALL['content/en/articles/update.md'] ?? '').replace('Update', 'Upgrade'),
    );
    for (const argv of [...COMMANDS, ['resolve', 'article/update@en', '--remote']]) {
      const ran = await world.run(...argv);
      expect(ran.exit).not.toBe(1);
      expect(wildParts(ran.stdout + ran.stderr, onGitHub)).toEqual([]);
    }
  });

  test.each(HOSTILE)('a message of the service: %j', async (message) => {
    for (const status of [400, 401, 500]) {
      world.wrap = (send) => (request) =>
        request.method === 'GET' && status !== 401
          ? send(request)
          : Promise.resolve(Response.json({ success: false, message: `no: ${message}` }, { status }));
      for (const argv of [['sync'], ['sync', '--verbose']]) {
        const ran = await world.run(...argv);
        expect(wildParts(ran.stdout + ran.stderr, onGitHub)).toEqual([]);
      }
    }
  });

  test.each(STORABLE)('a file name: %j', async (name) => {
    const file = `content/en/articles/${name.replaceAll('/', '_')}.md`;
    await world.write(file, '---\ntitle: Odd\ncategories: [start]\ntags: [missing]\n---\n');
    for (const argv of COMMANDS) {
      const ran = await world.run(...argv);
      expect(wildParts(ran.stdout + ran.stderr, onGitHub)).toEqual([]);
    }
    await world.write(file, '---\ntitle: Odd\nslug: odd\ncategories: [start]\n---\n');
    for (const argv of [...COMMANDS, ['sync', '--verbose']]) {
      const ran = await world.run(...argv);
      expect(wildParts(ran.stdout + ran.stderr, onGitHub)).toEqual([]);
    }
  });

  test.each(STORABLE)('a word of the command line: %j', async (word) => {
    for (const argv of [
      [word],
      ['plan', '--env', word],
      ['resolve', word, '--local'],
      ['restore', word],
      ['apply', word],
      ['plan', `--${word}`],
      ['plan', '--config', word],
      ['plan', '--base-url', word],
    ]) {
      const ran = await world.run(...argv);
      expect(ran.exit).toBe(64);
      expect(wildParts(ran.stdout + ran.stderr, onGitHub)).toEqual([]);
    }
  });
});

test('a hostile knowledge base leads no file out of the folder: only .kbsync is written', async () => {
  await world.run('sync');
  showHostile();
  for (const [i, name] of STORABLE.entries()) {
    const { data } = (await site.ask('GET', '/api/v2/categories')) as { data: { id: string }[] };
    await site.ask('PUT', '/api/v2/articles', {
      title: `../../${stands(name)}`,
      slug: `hostile-${i}`,
      categories: [{ value: data[0]?.id }],
      excerpt: '',
      ordering: 0,
      status: 'published',
      content: '<p>x</p>',
    });
  }
  const before = (await readdir(world.cwd, { recursive: true })).filter(
    (name) => !name.startsWith('.kbsync'),
  );
  await world.run('sync');
  await world.run('sync', '--prune', '--yes');
  const after = (await readdir(world.cwd, { recursive: true })).filter((name) => !name.startsWith('.kbsync'));
  expect(after).toEqual(before);
});
