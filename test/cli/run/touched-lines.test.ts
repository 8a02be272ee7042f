import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeWorld } from '../support/fake-world.ts';
import type { FakeWorld } from '../support/fake-world.ts';

let world: FakeWorld;
const OLD = '---\ntitle: Old\n---\n\nSee [one](gone-1.md).\n\nText.\n';

beforeEach(async () => {
  world = await fakeWorld({
    'content/en/articles/old.md': OLD,
    'content/en/articles/same.md': OLD.replace('Old', 'Same'),
  });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  await world.write('content/en/articles/old.md', `${OLD}\nSee [two](gone-2.md).\n`);
  await world.write('content/en/articles/new "page".md', '---\ntitle: New\n---\n\nSee [three](gone-3.md).\n');
});
afterEach(() => world.close());

function git(...args: readonly string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.test'];
  return execFileSync('git', [...who, ...args], { cwd: world.cwd, encoding: 'utf8' }).trim();
}

/** What the runner shows at a line, and what it only counts. */
async function annotations(...argv: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr } = await world.run('check', ...argv);
  return `${stdout}${stderr}`
    .split('\n')
    .filter((line) => line.startsWith('::'))
    .map((line) => /gone-\d|\d+ errors? at lines/.exec(line)?.[0] ?? line)
    .sort();
}

async function event(text: string): Promise<void> {
  await world.write('event.json', text);
  world.env['GITHUB_ACTIONS'] = 'true';
  world.env['GITHUB_EVENT_PATH'] = join(world.cwd, 'event.json');
}

const OF_CHANGE = ['2 errors at lines', 'gone-2', 'gone-3'];
const ALL = ['gone-1', 'gone-1', 'gone-2', 'gone-3'];

test('a pull request annotates the lines that it touches, and counts the rest', async () => {
  await event(JSON.stringify({ pull_request: { base: { sha: git('rev-parse', 'HEAD') } } }));
  expect(await annotations()).toEqual(OF_CHANGE);
  git('add', '.');
  git('commit', '-q', '-m', 'second');
  expect(await annotations()).toEqual(OF_CHANGE);
});

test('--changed-since annotates them too, and says nothing of files that did not change', async () => {
  expect(await annotations('--format', 'github', '--changed-since', 'main')).toEqual([
    '1 error at lines',
    'gone-2',
    'gone-3',
  ]);
});

test('a line beside one that was taken out counts as touched', async () => {
  await world.write('content/en/articles/old.md', OLD.replace('---\n\nSee', '---\nSee'));
  await event(JSON.stringify({ pull_request: { base: { sha: git('rev-parse', 'HEAD') } } }));
  expect(await annotations()).toEqual(['1 error at lines', 'gone-1', 'gone-3']);
});

test.each([
  ['a push', '{}'],
  ['an event that cannot be read', '{'],
  [
    'a clone that does not have the base',
    JSON.stringify({ pull_request: { base: { sha: 'a'.repeat(40) } } }),
  ],
])('%s annotates everything', async (_, text) => {
  await event(text);
  expect(await annotations()).toEqual(ALL);
});
