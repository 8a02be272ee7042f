import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { digestOf, png } from '../../service/support/pictures.ts';
import { SMALL } from '../support/fake-world.ts';
import { liveWorld, type LiveWorld, ranIn } from '../support/live-world.ts';

const INSTALL = 'content/en/articles/install.md';
const UPDATE = 'content/en/articles/update.md';
const PICTURE = png(4, 3);
const OTHER = png(9, 9);

/** Notes each call; a file whose name begins with `bad` fails. */
const SCRIPT = `#!/usr/bin/env node
import { appendFileSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
const [file, ...rest] = process.argv.slice(2);
appendFileSync('calls.txt', JSON.stringify({ file: file.slice(process.cwd().length + 1), rest, key: process.env.KBSYNC_API_KEY ?? null }) + '\\n');
if (/bad/.test(file)) { console.error('access denied\\nto the bucket'); process.exit(3); }
if (/chatty/.test(file)) console.log('uploading…');
if (/login/.test(file)) { console.log('https://me:secret@cdn.example.com/x'); process.exit(0); }
if (/denied/.test(file)) { console.error('401 from https://me:secret@cdn.example.com/x'); process.exit(1); }
if (/odd/.test(file)) { console.log('ftp://cdn.example.com/x'); process.exit(0); }
if (/endless/.test(file)) setInterval(() => undefined, 1000);
else console.log('https://cdn.example.com/' + createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 8) + '.png');
`;
const CONFIG = `baseUrl: https://help.acme.test\nassets: { upload: 'node "my tools/up.mjs" {file} --name={name}' }\n`;
const FILES = {
  ...SMALL,
  'kbsync.yaml': CONFIG,
  'my tools/up.mjs': SCRIPT,
  'content/assets/a b$(touch hacked).png': PICTURE,
  'content/assets/same.png': PICTURE,
  'content/assets/other.png': OTHER,
  [INSTALL]: `${SMALL[INSTALL]}\n![A](<../../assets/a b$(touch hacked).png>) ![B](../../assets/same.png) ![C](../../assets/other.png)\n`,
};

let world: LiveWorld;
afterEach(() => world.close());

const run = (...argv: readonly string[]) => ranIn(world, ...argv);
const calls = async (): Promise<readonly { file: string; rest: string[]; key: string | null }[]> => {
  const text = await readFile(join(world.cwd, 'calls.txt'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { file: string; rest: string[]; key: string | null });
};
const writes = () => world.sent.map(({ text }) => text).filter((text) => !text.startsWith('GET'));
const bodyOf = async (name: string): Promise<string | undefined> => {
  const { data } = (await world.ask('GET', '/api/v2/articles')) as { data: { id: string; name: string }[] };
  const id = data.find((each) => each.name === name)?.id;
  if (id === undefined) return undefined;
  const answer = (await world.ask('GET', `/api/v2/articles/${id}`)) as { data: { content: string } };
  return answer.data.content;
};
const addressOf = (bytes: Buffer): string => `https://cdn.example.com/${digestOf(bytes).slice(0, 8)}.png`;

test('a plan uploads nothing, a sync each file once, and the page shows the printed address', async () => {
  world = await liveWorld(FILES);
  const planned = await run('plan');
  expect([planned.code, await calls()]).toEqual([0, []]);
  expect(planned.text).toMatch(/2 images and files \(\d+ bytes\) would be uploaded/);
  const first = await run('sync', '--yes');
  expect([first.code, first.text]).toEqual([0, expect.stringContaining('2 images and files sent')]);
  const said = (await calls()).map(({ rest, key }) => JSON.stringify([...rest, key]));
  expect(said.toSorted()).toEqual(['["--name=a-b-touch-hacked-.png",null]', '["--name=other.png",null]']);
  expect((await calls()).map(({ file }) => file)).toContain('content/assets/a b$(touch hacked).png');
  await expect(readFile(join(world.cwd, 'hacked'))).rejects.toThrow('ENOENT');
  const html = await bodyOf('Install');
  expect(html?.split(`src="${addressOf(PICTURE)}"`)).toHaveLength(3);
  expect(html).toContain(`src="${addressOf(OTHER)}"`);
  world.sent.length = 0;
  const again = await run('sync', '--yes');
  expect([again.code, (await calls()).length, writes()]).toEqual([0, 2, []]);
  expect((await run('status', '--json')).text).not.toContain('image-not-hosted');
});

test('a file with other bytes is uploaded again, and only that one', async () => {
  world = await liveWorld(FILES);
  await run('sync', '--yes');
  const newer = png(20, 2);
  await world.write('content/assets/other.png', newer);
  expect((await run('sync', '--yes')).code).toBe(0);
  expect((await calls()).slice(2).map(({ file }) => file)).toEqual(['content/assets/other.png']);
  expect(await bodyOf('Install')).toContain(addressOf(newer));
});

test('a command that fails holds up its own article, in its own words, and nothing else', async () => {
  world = await liveWorld({
    ...FILES,
    'content/assets/bad.png': png(2, 2),
    [UPDATE]: `${SMALL[UPDATE]}\n![D](../../assets/bad.png)\n`,
  });
  const { code, text } = await run('sync', '--yes');
  expect(code).not.toBe(0);
  expect(text).toContain(
    'assets/bad.png: `node` gave it no address: it ended with 3: access denied | to the bucket',
  );
  expect(await bodyOf('Update')).toBeUndefined();
  expect(await bodyOf('Install')).toContain(addressOf(OTHER));
});

test.each([
  ['chatty.png', 'it printed 2 lines'],
  ['odd.png', 'it printed "ftp://cdn.example.com/x"'],
  ['login.png', 'it printed "https://***@cdn.example.com/x"'],
  ['denied.png', 'it ended with 1: 401 from https://***@cdn.example.com/x'],
])('what the command prints is one address or none: %s', async (name, said) => {
  world = await liveWorld({
    ...FILES,
    [`content/assets/${name}`]: png(2, 2),
    [UPDATE]: `${SMALL[UPDATE]}\n![D](../../assets/${name})\n`,
  });
  const { text } = await run('sync', '--yes');
  expect(text).toContain(said);
  expect(text).not.toContain('secret');
  expect(await bodyOf('Update')).toBeUndefined();
});

test('a program that is not there is tried five times, not for every file', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `p${index}.png`);
  world = await liveWorld({
    ...SMALL,
    ...Object.fromEntries(names.map((name, index) => [`content/assets/${name}`, png(index + 2, 1)])),
    'kbsync.yaml': CONFIG.replace('node "my tools/up.mjs"', 'no-such-program'),
    [INSTALL]: `${SMALL[INSTALL]}\n${names.map((name) => `![x](../../assets/${name})`).join('\n')}\n`,
  });
  const { code, text } = await run('sync', '--yes');
  expect(code).not.toBe(0);
  expect(text).toContain(
    '`no-such-program` gave it no address: it cannot be started: spawn no-such-program ENOENT',
  );
  expect(await bodyOf('Install')).toBeUndefined();
  expect(await bodyOf('Update')).toBeDefined();
});

test('Ctrl-C ends a command that goes on, and the page waits', async () => {
  world = await liveWorld({
    ...FILES,
    'content/assets/endless.png': png(2, 2),
    [UPDATE]: `${SMALL[UPDATE]}\n![D](../../assets/endless.png)\n`,
  });
  const started = world.start('sync', '--yes');
  const isCalled = async (): Promise<boolean> => (await calls()).some(({ file }) => file.includes('endless'));
  while (!(await isCalled())) await new Promise((resolve) => setImmediate(resolve));
  expect(await started.interrupt()).toBe(130);
  expect(await bodyOf('Update')).toBeUndefined();
});

test('a saved plan is carried out with the addresses, and refused if something else changed', async () => {
  world = await liveWorld(FILES);
  expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
  const applied = await run('apply', 'plan.json');
  expect([applied.code, applied.text]).toEqual([0, expect.not.stringContaining('out of date')]);
  expect(await bodyOf('Install')).toContain(addressOf(PICTURE));
  await world.write('content/assets/other.png', png(30, 3));
  await run('plan', '--out', 'plan.json');
  await world.write(UPDATE, `${SMALL[UPDATE]}\nAnother line.\n`);
  const refused = await run('apply', 'plan.json');
  expect([refused.text, (await calls()).length]).toEqual([expect.stringContaining('is out of date'), 2]);
});

test('watch uploads what a saved file shows', async () => {
  world = await liveWorld(FILES);
  const once = await run('watch', '--once');
  expect([once.code, (await calls()).length]).toEqual([0, 2]);
  expect(await bodyOf('Install')).toContain(addressOf(OTHER));
});

test('a watch of a part uploads nothing of the other pages', async () => {
  world = await liveWorld({
    ...FILES,
    [INSTALL]: `${SMALL[INSTALL]}\n![B](../../assets/same.png)\n`,
    [UPDATE]: `${SMALL[UPDATE]}\n![C](../../assets/other.png)\n`,
  });
  const once = await run('watch', '--once', '--only', 'update');
  expect([once.code, (await calls()).map(({ file }) => file)]).toEqual([0, ['content/assets/other.png']]);
  expect([await bodyOf('Install'), await bodyOf('Update')]).toEqual([
    undefined,
    expect.stringContaining(addressOf(OTHER)),
  ]);
});

test('the command does not run for a service that keeps files', async () => {
  world = await liveWorld(FILES, { keepsFiles: true });
  const planned = await run('plan');
  expect(planned.text).toContain('up to 2 images and files');
  expect((await run('sync', '--yes')).code).toBe(0);
  expect(await calls()).toEqual([]);
});

test('an edit on the site waits for its author, and the picture of that page is not uploaded', async () => {
  world = await liveWorld({ ...FILES, [INSTALL]: SMALL[INSTALL] ?? '' });
  await run('sync', '--yes');
  const { data } = (await world.ask('GET', '/api/v2/articles')) as { data: { id: string; name: string }[] };
  const id = data.find(({ name }) => name === 'Install')?.id ?? '';
  await world.ask('POST', `/api/v2/articles/${id}`, {
    title: 'Install',
    slug: 'install',
    categories: [],
    tags: [],
    excerpt: 'Edited.',
    ordering: 0,
    status: 'published',
    content: '<p>Edited.</p>',
    lang: 'en',
  });
  await world.write(INSTALL, FILES[INSTALL]);
  const { code } = await run('sync', '--yes');
  expect([code, await calls()]).toEqual([3, []]);
});

test('a torn last line of the addresses is no address', async () => {
  world = await liveWorld(FILES);
  await run('sync', '--yes');
  const file = '.kbsync/uploads.jsonl';
  await world.write(file, `${await world.read(file)}{"digest":"ab","url":"https://x`);
  const again = await run('plan', '--exit-code');
  expect(again.code).toBe(0);
});
