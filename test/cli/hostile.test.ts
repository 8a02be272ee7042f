import { visible } from '../../src/model/visible.ts';
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { safeStack } from '../../src/cli/safe-stack.ts';
import { shellWord } from '../../src/cli/print/terminal/text.ts';
import { fakeWorld, SMALL, type FakeWorld } from './support/fake-world.ts';
import { siteOf, type Site } from './support/site.ts';

let world: FakeWorld;
let site: Site;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
  site = siteOf(world);
});
afterEach(() => world.close());

/** What a title, a message or a file name may hold to drive a terminal or a CI runner. */
const HOSTILE = [
  '\u001b[2J\u001b[31mred',
  '\u001b]0;window title\u0007',
  '\u009b31m',
  '\r::add-mask::secret',
  '\n::error file=a.md::forged',
  '\n::set-output name=x::y',
  '##[error]forged',
  'x ##[add-path]/tmp',
  '\u202egnp.exe',
  '\u2066\u2028line\u2029',
  'a\u0000b',
  '\u0008\u0008\u0008hidden',
  'zero\u200bwidth\ufeff',
];

const HIDDEN = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** What moves a cursor, hides, turns around or starts a line of its own, and commands of a CI runner. */
function wildParts(text: string, onGitHub: boolean): readonly string[] {
  const lines = text.split('\n');
  return [
    ...lines.flatMap((line) => line.match(HIDDEN) ?? []),
    ...lines.filter((line) => line.startsWith('::') && !/^::(error|warning) file=content\//.test(line)),
    ...(onGitHub ? lines.filter((line) => line.includes('##[')) : []),
  ];
}

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

test('a command that is shown can be pasted: whatever a key holds, a shell takes it for one word', () => {
  for (const key of [
    'article/a;rm -rf ~@en',
    'article/$(id)@en',
    'article/`id`@en',
    "article/it's@en",
    'article/a b@en',
    '-rf',
    'article/a\nb@en',
  ]) {
    const word = shellWord(key);
    expect(word).toMatch(/^('([^']|'\\'')*'|[\w@%+=:,./][\w@%+=:,./-]*)$/);
    expect(word.replaceAll("'\\''", '\u0001').replaceAll("'", '').replaceAll('\u0001', "'")).toBe(
      visible(key),
    );
  }
  expect(shellWord('article/billing/refunds@pt-BR')).toBe('article/billing/refunds@pt-BR');
});

describe('what a bug prints', () => {
  const key = 'kb_0123456789ab_c2VjcmV0';
  const base64 = Buffer.from(key).toString('base64');

  test('holds the key in no spelling', () => {
    const error = new Error(`bug: ${key} and ${encodeURIComponent(key)} and ${base64}`, { cause: key });
    const text = safeStack(error, [key]);
    expect(text).toContain('[key]');
    expect(text).not.toContain(key);
    expect(text).not.toContain(base64);
  });

  test.each(HOSTILE)('moves no cursor and gives no command: %j', (message) => {
    const text = safeStack(new Error(`bug: ${message}`), [undefined]);
    expect(wildParts(text, true)).toEqual([]);
    for (const line of text.split('\n')) expect(line.startsWith('  ')).toBe(true);
  });

  test('is said of anything that was thrown', () => {
    expect(safeStack('thrown text', [''])).toBe('  thrown text');
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
