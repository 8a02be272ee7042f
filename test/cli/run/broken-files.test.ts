import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../support/fake-world.ts';

let world: FakeWorld;
afterEach(() => world.close());

const page = (title: string, body = 'Text.'): string => `---\ntitle: ${title}\n---\n\n${body}\n`;
/** Its YAML has no end, but its slug can be made out. */
const broken = (title: string): string => `---\ntitle: "${title}\nslug: the-b\n---\n\nText.\n`;
const FILES = {
  'kbsync.yaml': 'baseUrl: https://help.acme.test\n',
  'content/en/articles/a.md': page('A', 'See [B](b.md).'),
  'content/en/articles/b.md': `---\ntitle: B\nslug: the-b\n---\n\nText.\n`,
  'content/en/articles/c.md': page('C'),
  'content/fr/articles/b.md': page('B en français'),
};

interface Document {
  readonly changes: readonly { readonly action: string; readonly key: string }[];
  readonly kept: readonly { readonly key: string; readonly reason: string }[];
  readonly blocked: readonly { readonly key: string; readonly reason: string }[];
  readonly problems: readonly { readonly code: string }[];
}

function json(stdout: string): Document {
  return JSON.parse(stdout) as Document;
}

async function synced(): Promise<void> {
  world = await fakeWorld(FILES);
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
}

test('a broken file blocks its own record: the others are sent, nothing is deleted, and the run ends with 5', async () => {
  await synced();
  await world.write('content/en/articles/b.md', broken('B'));
  await world.write('content/en/articles/a.md', page('A', 'New text. See [B](b.md).'));
  await world.remove('content/en/articles/c.md');
  const planned = await world.run('plan', '--prune', '--json');
  expect(planned.exit).toBe(1);
  const plan = json(planned.stdout);
  expect(plan.changes.map(({ action, key }) => `${action} ${key}`)).toEqual(['update article/a@en']);
  expect(plan.kept).toMatchObject([{ key: 'article/c@en', reason: 'unsettled' }]);
  expect(plan.blocked).toMatchObject([{ key: 'article/b@en', reason: 'file-errors' }]);
  // The link to the broken file is no problem: the page is still published.
  expect(plan.problems.map(({ code }) => code)).toEqual(['front-matter-yaml']);
  const ran = await world.run('sync', '--prune', '--yes');
  expect(ran.exit).toBe(5);
  expect(ran.stdout).toContain('1 updated');
  expect(ran.stdout).toContain('content/en/articles/b.md has errors; the record stays as it is');
  expect(ran.stderr).toContain('1 error in 1 of 3 files; 1 record waits until it is fixed');
  // Repaired, it is in sync: nothing became of it, nor of the links to it.
  await world.write('content/en/articles/b.md', FILES['content/en/articles/b.md']);
  const repaired = json((await world.run('plan', '--prune', '--json')).stdout);
  expect(repaired.changes.map(({ action, key }) => `${action} ${key}`)).toEqual(['delete article/c@en']);
});

const section = (title: string, more = ''): string =>
  `---\nname: ${title}\n${more}---\n\n[nowhere](none.md)\n`;

test('a section whose text has errors is made without the text, because pages are in it; the text follows', async () => {
  world = await fakeWorld({
    'kbsync.yaml': FILES['kbsync.yaml'],
    'content/en/categories/top.md': section('Top'),
    'content/en/categories/top/in.md': section('In'),
    'content/en/categories/bad.md': section('Bad', 'priority: [1]\n'),
    'content/en/categories/alone.md': section('Alone'),
    'content/en/articles/a.md': '---\ntitle: A\ncategories: [top/in]\n---\n\nText.\n',
    'content/en/articles/b.md': '---\ntitle: B\ncategories: [bad]\n---\n\nText.\n',
  });
  const plan = json((await world.run('plan', '--json')).stdout);
  expect(plan.changes.map(({ action, key }) => `${action} ${key}`).sort()).toEqual([
    'create article/a@en',
    'create category/top/in@en',
    'create category/top@en',
  ]);
  const ran = await world.run('sync');
  expect(ran.exit).toBe(5);
  expect(ran.stdout).toContain(
    'category/top@en  content/en/categories/top.md has errors, so the category is made without its text',
  );
  expect(ran.stdout).toContain('category/alone@en  content/en/categories/alone.md has errors; the record');
  expect(ran.stdout).toContain('article/b@en  it names category/bad, which is not on the service');
  // Nothing more happens while the errors stay, with a state and without one.
  expect((await world.run('sync')).stdout).toContain('1 unchanged, 5 blocked');
  await rm(join(world.cwd, '.kbsync'), { recursive: true });
  expect(json((await world.run('plan', '--json')).stdout).changes).toEqual([]);
  await world.write('content/en/categories/top.md', '---\nname: Top\n---\n\nAll about it.\n');
  const repaired = JSON.parse((await world.run('plan', '--json')).stdout) as {
    readonly changes: readonly {
      readonly key: string;
      readonly fields: readonly { readonly field: string }[];
    }[];
  };
  expect(repaired.changes).toMatchObject([
    { key: 'category/top@en', fields: [{ field: 'longDescription' }] },
  ]);
});

test('a file that says which name it had is sent under its new one, while another file waits', async () => {
  await synced();
  await world.write('content/en/articles/b.md', broken('B'));
  expect(await world.run('mv', 'content/en/articles/c.md', 'content/en/articles/new.md')).toMatchObject({
    exit: 0,
  });
  const before = world.sent.length;
  const plan = json((await world.run('plan', '--json')).stdout);
  expect(plan.blocked).toMatchObject([{ key: 'article/b@en' }]);
  expect(plan.changes).toMatchObject([{ action: 'update', key: 'article/new@en' }]);
  const ran = await world.run('sync', '--prune', '--yes');
  expect(ran.stdout).toContain('1 updated');
  expect(world.sent.slice(before).filter((one) => /^(?:PUT|DELETE) /.test(one))).toEqual([]);
  // Of the file that waits itself nobody knows whether it is this one under a new name.
  await world.write('content/en/articles/other.md', FILES['content/en/articles/b.md']);
  const held = json((await world.run('plan', '--json')).stdout);
  expect(held.changes).toEqual([]);
  expect(held.blocked.map(({ key }) => key).sort()).toEqual(['article/b@en', 'article/other@en']);
});

test('the next step after a run that only files hold up is to correct them, not to run again', async () => {
  await synced();
  await world.write('content/en/articles/b.md', broken('B'));
  const ran = await world.run('sync');
  expect(ran.exit).toBe(5);
  expect(ran.stderr).toContain('next: correct the files that are named above, then run kbsync sync\n');
});

test('of many translations without an original the first few are named; --verbose names all', async () => {
  await synced();
  for (let i = 0; i < 7; i += 1) await world.write(`content/fr/articles/only-${i}.md`, page(`Seul ${i}`));
  const { stdout } = await world.run('sync');
  expect(stdout.match(/blocked {3}article/g)).toHaveLength(3);
  expect(stdout).toContain('blocked   … 4 more translations without an original (--verbose lists all)');
  expect((await world.run('sync', '--verbose')).stdout.match(/blocked {3}article/g)).toHaveLength(7);
});

test('plan shows the other pages in words too, after the errors', async () => {
  world = await fakeWorld({ ...FILES, 'content/en/articles/c.md': page('C', '[nowhere](none.md)') });
  const ran = await world.run('plan');
  expect(ran.exit).toBe(1);
  expect(ran.stderr).toContain('content/en/articles/c.md:5:1: error dead-link');
  expect(ran.stdout).toContain('+ article  a');
  expect(ran.stdout).not.toContain('+ article  c');
  expect(ran.stdout).toContain('blocked');
});

test('two files with one slug both wait, and so does a new copy of a broken file', async () => {
  await synced();
  await world.write('content/en/articles/d.md', `---\ntitle: D\nslug: c\n---\n\nText of D.\n`);
  await world.write('content/en/articles/b.md', broken('B'));
  await world.write('content/en/articles/b-copy.md', `---\ntitle: B\nslug: the-b\n---\n\nText.\n`);
  const plan = json((await world.run('plan', '--json')).stdout);
  expect(plan.changes).toEqual([]);
  expect(plan.blocked.map(({ key }) => key).sort()).toEqual([
    'article/b-copy@en',
    'article/b@en',
    'article/c@en',
    'article/d@en',
  ]);
});

test('a run whose files all have errors, and apply, send nothing', async () => {
  await synced();
  await world.write('content/en/articles/c.md', page('C', 'More.'));
  await world.run('plan', '--out', 'plan.json');
  await world.write('content/en/articles/b.md', broken('B'));
  expect(await world.run('apply', 'plan.json')).toMatchObject({ exit: 1 });
  await world.close();
  world = await fakeWorld({ 'kbsync.yaml': FILES['kbsync.yaml'], 'content/en/articles/b.md': broken('B') });
  const ran = await world.run('sync');
  expect(ran).toMatchObject({ exit: 1 });
  expect(ran.stderr).toContain('nothing was sent');
});

test('words of other systems are read by `values`', async () => {
  world = await fakeWorld({
    'kbsync.yaml':
      'baseUrl: https://help.acme.test\nfields: { status: state }\nvalues: { status: { PUBLISHED: published, WIP: draft }, ordering: { first: 1 } }\n',
    'content/en/articles/a.md': '---\ntitle: A\nstate: PUBLISHED\nordering: first\n---\n\nText.\n',
    'content/en/articles/b.md': '---\ntitle: B\nstate: WIP\nordering: "15"\n---\n\nText.\n',
  });
  const { changes } = JSON.parse((await world.run('plan', '--json')).stdout) as {
    readonly changes: readonly {
      readonly fields: readonly { readonly field: string; readonly after: unknown }[];
    }[];
  };
  const valueOf = (at: number, name: string) =>
    changes[at]?.fields.find(({ field }) => field === name)?.after;
  expect([valueOf(0, 'status'), valueOf(0, 'ordering')]).toEqual(['published', 1]);
  expect([valueOf(1, 'status'), valueOf(1, 'ordering')]).toEqual(['draft', 15]);
});

test('an error that is of no single record stops the run, and the last line says which', async () => {
  await synced();
  await world.write('content/en/articles/b.md', broken('B'));
  expect((await world.run('sync')).stderr).not.toContain('may concern any record');
  await world.write('content/en/articles/line\nbreak.md', page('D'));
  const ran = await world.run('sync');
  expect(ran.exit).toBe(1);
  expect(ran.stderr.trimEnd().split('\n').at(-1)).toBe(
    '2 errors in 2 of 4 files; nothing was sent: the error at content/en/articles/line\\x0abreak.md may concern any record, so the other files wait for it',
  );
});
