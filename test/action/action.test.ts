import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SMALL } from '../cli/support/fake-world.ts';
import { gitHubStandIn, type ForgeStandIn } from '../forge/support/forge-stand-in.ts';
import { serve } from '../support/served.ts';
import { gitHub, type GitHub } from './support/git-hub.ts';
import { action, ROOT, runJob, type Ended } from './support/runner.ts';

const TOKEN = 'forge-0123456789abcdef';

let folder: string;
let serviceUrl: string;
let key: string;
let forge: GitHub;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kbsync-action-'));
  const service = await serve();
  ({ key, url: serviceUrl } = service);
  forge = await gitHub(TOKEN);
  closing.push(
    () => service.close(),
    () => forge.close(),
    () => rm(folder, { recursive: true, force: true }),
  );
  await write(SMALL);
});

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
}

/** A repository in the folder, and the bare one that it is pushed to, which the stand-in of GitHub looks at. */
async function checkedOut(): Promise<{ readonly bare: string; readonly pulls: ForgeStandIn }> {
  const bare = await mkdtemp(join(tmpdir(), 'kbsync-bare-'));
  closing.push(() => rm(bare, { recursive: true, force: true }));
  await write({ '.gitignore': '/.*\n!/.gitignore\n' });
  git('init', '-q', '-b', 'main');
  execFileSync('git', ['init', '-q', '-b', 'main', '--bare', bare]);
  git('remote', 'add', 'origin', bare);
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  git('push', '-q', 'origin', 'main');
  return { bare, pulls: gitHubStandIn(bare) };
}

function git(...args: readonly string[]): string {
  const own = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgSign=false'];
  return execFileSync('git', [...own, ...args], { cwd: folder, encoding: 'utf8' }).trim();
}

/** As an own job of the repository in the folder. */
async function runAction(
  event: 'pull_request' | 'push',
  inputs: Readonly<Record<string, string>> = {},
  pullRequest: Readonly<Record<string, unknown>> = {},
): Promise<Ended> {
  const ended = await runJob({
    folder,
    event,
    payload: event === 'push' ? {} : { pull_request: { number: 7, ...pullRequest } },
    inputs,
    token: TOKEN,
    apiUrl: forge.url,
    commit: forge.pulls === undefined ? '3f9c2ab0000' : git('rev-parse', 'HEAD'),
    ref: 'main',
  });
  const { log, summary, outputs } = ended;
  for (const text of [log, summary, JSON.stringify(outputs), JSON.stringify(forge.comments)]) {
    expect(text).not.toContain(key);
    expect(text).not.toContain(TOKEN);
  }
  return ended;
}

/** As an editor of the site. */
async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await fetch(`${serviceUrl}/api/v2/${path}`, init);
  expect(response.ok).toBe(true);
  return response.json();
}

const withKey = (): Record<string, string> => ({ 'api-key': key, 'base-url': serviceUrl });

test('a push syncs and gives its counts; the next one changes nothing', async () => {
  const first = await runAction('push', withKey());
  expect(first).toMatchObject({ exit: 0, outputs: { changed: 'true', create: '5', 'has-synced': 'true' } });
  expect(first.summary).toContain('5 created, 0 updated, 0 deleted');
  const second = await runAction('push', withKey());
  expect(second).toMatchObject({ exit: 0, outputs: { changed: 'false', unchanged: '5', create: '0' } });
});

test('a pull request is planned: green, one comment, rewritten at the next push, and nothing is sent', async () => {
  forge.comments.push(
    ...Array.from({ length: 130 }, (_, index) => ({ id: index + 1, issue: 7, body: 'a talk' })),
  );
  const first = await runAction('pull_request', withKey());
  expect(first).toMatchObject({ exit: 0, outputs: { changed: 'true', create: '5', 'has-synced': 'false' } });
  expect(first.summary).toContain('<!-- kbsync:plan:content -->');
  expect(await readFile(first.outputs['plan-html'] ?? '', 'utf8')).toContain('<html');
  expect(forge.comments).toHaveLength(131);
  const odd = Array.from({ length: 12 }, (_, i) => `odd${i}: 1\n`).join('');
  await write({ 'content/en/tags/new.md': `---\nname: New\n${odd}---\n` });
  const second = await runAction('pull_request', withKey());
  expect(second.outputs['create']).toBe('6');
  expect(second.log.match(/^::warning/gm)).toHaveLength(10);
  expect(forge.comments).toHaveLength(131);
  expect(forge.comments.at(-1)?.body).toContain('6 create');
  expect(forge.asked.filter((line) => line.startsWith('PATCH'))).toEqual([
    'PATCH /repos/acme/docs/issues/comments/131',
  ]);
});

test('a pull request that changes nothing gets no comment; one that is there says so', async () => {
  await runAction('push', withKey());
  const quiet = await runAction('pull_request', withKey());
  expect(quiet).toMatchObject({ exit: 0, outputs: { changed: 'false' } });
  expect(forge.comments).toHaveLength(0);
  await write({ 'content/en/tags/cli.md': '---\nname: Console\n---\n' });
  await runAction('pull_request', withKey());
  await write(SMALL);
  await runAction('pull_request', withKey());
  expect(forge.comments).toHaveLength(1);
  expect(forge.comments[0]?.body).not.toContain('| ~ |');
});

test('a fault in a file is an annotation at its line, a row of the summary, and red', async () => {
  await write({ 'content/en/articles/bad.md': '---\ntitle: Bad\ntags: [clj]\n---\n' });
  const { exit, log, summary, outputs } = await runAction('pull_request', withKey());
  expect(exit).toBe(1);
  expect(log).toContain('::error file=content/en/articles/bad.md,line=3,col=8,title=unknown-tag::');
  expect(summary).toContain('content/en/articles/bad.md:3:8');
  expect(outputs).toMatchObject({ problem: '1', changed: 'false' });
});

test('a preview holds the pages of the pull request, and the comment names those that changed', async () => {
  await write({ '.gitignore': '/.*\n!/.gitignore\n/kbsync-*\n' });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  const sha = git('rev-parse', 'HEAD');
  await write({ 'content/en/articles/new.md': '---\ntitle: A [new] one\nstatus: draft\n---\n\nText.\n' });
  git('add', '-A');
  git('commit', '-q', '-m', 'second');
  const own = { head: { repo: { full_name: 'acme/docs' } }, base: { sha } };
  const ended = await runAction('pull_request', { ...withKey(), preview: 'true' }, own);
  expect(ended).toMatchObject({ exit: 0, outputs: { create: '6' } });
  const folderOut = ended.outputs['preview'] ?? '';
  expect(await readFile(join(folderOut, 'en/articles/new/index.html'), 'utf8')).toContain('A [new] one');
  const run = 'https://github.com/acme/docs/actions/runs/41#artifacts';
  expect(forge.comments[0]?.body).toContain(`in the artifact \`kbsync-preview\` of [this run](${run}).`);
  expect(forge.comments[0]?.body).toContain('- A \\[new\\] one: `en/articles/new/index.html`');
  const host = { ...withKey(), preview: 'true', 'preview-url': 'https://pr-7.acme.test/' };
  await runAction('pull_request', host, own);
  expect(forge.comments[0]?.body).toContain('- [A \\[new\\] one](https://pr-7.acme.test/en/articles/new/)');
  const shallow = await runAction('pull_request', host, { ...own, base: { sha: 'a'.repeat(40) } });
  expect(shallow.log).toContain('::notice::the preview marks no changed article');
});

test('a plan that fills the comment keeps it, and the list of the preview gives way', async () => {
  const name = (index: number): string => `${'long-name-'.repeat(22)}${index}`;
  const pages = Array.from({ length: 300 }, (_, index) => [
    `content/en/articles/${name(index)}.md`,
    `---\ntitle: Ask @team ${name(index)}\n---\n\nText.\n`,
  ]);
  await write({ '.gitignore': '/.*\n!/.gitignore\n/kbsync-*\n' });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  const sha = git('rev-parse', 'HEAD');
  await write(Object.fromEntries(pages) as Record<string, string>);
  git('add', '-A');
  git('commit', '-q', '-m', 'second');
  const own = { head: { repo: { full_name: 'acme/docs' } }, base: { sha } };
  const { summary } = await runAction('pull_request', { ...withKey(), preview: 'true' }, own);
  const body = forge.comments[0]?.body ?? '';
  expect(body.length).toBeLessThanOrEqual(65_536);
  expect(body.length).toBeGreaterThan(60_000);
  expect(body).not.toContain('/index.html`');
  expect(summary).toContain('- Ask @\u200bteam long-name-');
});

test('a fork gets no preview, and the log says why', async () => {
  for (const head of [{ repo: { full_name: 'somebody/docs' } }, { repo: null }]) {
    const ended = await runAction('pull_request', { 'base-url': serviceUrl, preview: 'true' }, { head });
    expect(ended).toMatchObject({ exit: 0 });
    expect(ended.outputs['preview']).toBeUndefined();
    expect(ended.log).toContain('::notice::no preview: the pull request is of a fork');
  }
});

test('an edit of the site becomes a pull request, which is in sync when it is merged; a pull request’s own job pulls nothing', async () => {
  const { bare, pulls } = await checkedOut();
  forge.pulls = pulls;
  await runAction('push', withKey());
  const { data } = (await ask('GET', 'tags')) as { readonly data: readonly { readonly id: string }[] };
  await ask('POST', `tags/${data[0]?.id}`, { id: data[0]?.id, name: 'Command line', lang: 'en' });
  const inputs = { ...withKey(), command: 'pull' };
  for (const [event, given] of [
    ['pull_request', inputs],
    ['push', { ...inputs, 'api-key': '' }],
  ] as const) {
    const ended = await runAction(event, given);
    expect(ended).toMatchObject({ exit: 0, outputs: { changed: 'false' } });
    expect(ended.log).toContain('::notice::');
  }
  expect(pulls.asked).toEqual([]);
  const first = await runAction('push', inputs);
  expect(first).toMatchObject({
    exit: 0,
    outputs: {
      changed: 'true',
      update: '1',
      'has-synced': 'false',
      'pull-request': 'https://git.test/acme/docs/pull/1',
    },
  });
  expect(first.summary).toBe(
    '### kbsync pull: a pull request was opened\n\nhttps://git.test/acme/docs/pull/1\n',
  );
  expect(pulls.requests[0]?.body).toContain('| `content/en/tags/cli.md` | name | CLI | Command line |');
  const again = await runAction('push', inputs);
  expect(again.summary).toContain('the pull request has these edits already');
  git('fetch', '-q', bare, 'kbsync/pull');
  git('merge', '-q', 'FETCH_HEAD');
  git('push', '-q', 'origin', 'main');
  const merged = await runAction('push', withKey());
  expect(merged).toMatchObject({ exit: 0, outputs: { changed: 'false', unchanged: '5', drift: '0' } });
});

test('a sync that something stops says in its summary what, and how it is settled', async () => {
  await runAction('push', withKey());
  const { data } = (await ask('GET', 'tags')) as { readonly data: readonly { readonly id: string }[] };
  await ask('POST', `tags/${data[0]?.id}`, { id: data[0]?.id, name: 'On the site', lang: 'en' });
  await write({ 'content/en/tags/cli.md': '---\nname: In the file\n---\n' });
  const conflict = await runAction('push', withKey());
  expect(conflict).toMatchObject({ exit: 3, outputs: { conflict: '1' } });
  expect(conflict.summary).toContain(
    '- conflict `tag/cli@en`: name. Settle: `kbsync resolve tag/cli@en --local`',
  );
  await write({ 'content/en/articles/bad_one.md': '---\ntitle: Bad\ntags: [clj]\n---\n' });
  const partly = await runAction('push', withKey());
  expect(partly).toMatchObject({ exit: 3, outputs: { problem: '1' } });
  expect(partly.summary).toContain(
    'Files have errors. Their records stay as they are until the errors are fixed:',
  );
  expect(partly.summary).toContain(String.raw`| error | content/en/articles/bad\_one.md:3:8 |`);
  await rm(join(folder, 'content'), { recursive: true });
  await write({ 'content/en/articles/bad_one.md': '---\ntitle: Bad\ntags: [clj]\n---\n' });
  const stopped = await runAction('push', withKey());
  expect(stopped).toMatchObject({ exit: 1, outputs: { problem: '1' } });
  expect(stopped.summary).toContain('Nothing was sent, because files have errors');
});

test('a fork, which has no key, is checked only and stays green', async () => {
  const { exit, log, outputs, summary } = await runAction('pull_request', { 'base-url': serviceUrl });
  expect(exit).toBe(0);
  expect(log).toContain('only the files are checked');
  expect(outputs['changed']).toBe('false');
  expect(summary).toContain('nothing wrong');
  expect(forge.asked).toEqual([]);
  await write({ 'content/en/tags/new.md': '---\nname: New\nodd: 1\n---\n' });
  const odd = await runAction('pull_request', { 'base-url': serviceUrl });
  expect(odd.summary).toContain('### kbsync check: 0 errors, 1 warning\n');
});

test('a token without rights costs the comment, not the run; fail-on says which ends are red', async () => {
  forge.denies = true;
  const { exit, log, outputs } = await runAction('pull_request', { ...withKey(), 'fail-on': 'changes' });
  expect({ exit, code: outputs['exit-code'] }).toEqual({ exit: 2, code: '2' });
  expect(log).toContain('::warning::the comment could not be written (GitHub answered 403');
});

test('a key that is not taken is said on the page of the run, by annotation and summary', async () => {
  for (const event of ['push', 'pull_request'] as const) {
    const { exit, log, summary } = await runAction(event, { ...withKey(), 'api-key': 'no-such-key' });
    expect(exit).toBe(1);
    expect(log).toMatch(/^::error::GET .* the service does not accept the API key/m);
    expect(summary).toMatch(/^### kbsync (?:sync|plan): failed\n\n\*\*GET .*does not accept the API key/);
    expect(summary).not.toContain('0 created');
  }
});

test('a branch cannot send the key elsewhere by its kbsync.yaml', async () => {
  await write({ 'kbsync.yaml': 'baseUrl: https://evil.example\n' });
  const { exit, log } = await runAction('push', { 'api-key': key, origin: serviceUrl });
  expect(exit).toBe(4);
  expect(log).toContain('KBSYNC_ORIGIN binds the key');
});

test('inputs with a shell’s signs in them stay words', async () => {
  const { exit, log } = await runAction('push', { ...withKey(), content: '$(touch hit); `touch hit`' });
  expect(exit).not.toBe(0);
  expect(log).toContain('touch hit');
  await expect(readFile(join(folder, 'hit'))).rejects.toThrow('ENOENT');
});

test('every output is one that the script writes, and actions of others are pinned to a commit', async () => {
  const script = await readFile(join(ROOT, 'action/run.mjs'), 'utf8');
  for (const [name, { value }] of Object.entries(action.outputs)) {
    expect(value).toBe(`\${{ steps.run.outputs.${name} }}`);
    expect(script).toMatch(new RegExp(`\\b${name}\\b`));
  }
  const used = action.runs.steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
  for (const name of used) expect(name).toMatch(/@[0-9a-f]{40}$/);
  expect(action.runs.using).toBe('composite');
});
