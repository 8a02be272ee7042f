import { spawnSync } from 'node:child_process';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../../support/fake-world.ts';
import { siteOf } from '../../support/site.ts';

let world: FakeWorld;
afterEach(() => world.close());

const TEXT = Array.from({ length: 20 }, (_, index) => `Sentence ${index} of this page.\n`).join('\n');
const MAIL = TEXT.replaceAll('Sentence', 'Line').replaceAll('of this page', 'about mail');
const page = (title: string, text: string): string => `---\ntitle: ${title}\n---\n\n${text}`;

function git(...args: readonly string[]): string {
  const own = ['-c', 'user.name=A', '-c', 'user.email=a@b.test', '-c', 'commit.gpgSign=false'];
  const { status, stdout, stderr } = spawnSync('git', [...own, ...args], {
    cwd: world.cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`test: git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

function commit(): void {
  git('add', 'docs');
  git('commit', '-q', '-m', 'x');
}

/** Another name, slug, title and a sentence more: nothing but the history tells what it was. */
async function moved(from: string, to: string, text = TEXT): Promise<void> {
  await mkdir(dirname(join(world.cwd, to)), { recursive: true });
  await rename(join(world.cwd, from), join(world.cwd, to));
  await world.write(to, page(`Page ${to.length}`, `${text}\nOne more in ${to}.\n`));
}

interface Planned {
  readonly changes: readonly { readonly action: string; readonly kind: string }[];
  readonly blocked: readonly { readonly key: string; readonly reason: string; readonly renamed?: object }[];
}

const planned = async (...flags: readonly string[]): Promise<Planned> =>
  JSON.parse((await world.run('plan', '--json', '--allow', 'dead-link', ...flags)).stdout) as Planned;

const renamesIn = ({ blocked }: Planned) =>
  blocked.flatMap(({ reason, renamed }) => (reason === 'renamed' ? [renamed] : []));

const LAYOUTS = {
  kbsync: { folder: 'docs/en/articles', setting: 'content: docs\n', more: {} },
  docusaurus: { folder: 'docs', setting: 'preset: docusaurus\ncontent: docs\n', more: {} },
  mdbook: {
    folder: 'docs',
    setting: 'preset: mdbook\ncontent: docs\n',
    more: { 'docs/SUMMARY.md': '- [Fax](billing/fax.md)\n' },
  },
} as const;

test.each(Object.keys(LAYOUTS) as (keyof typeof LAYOUTS)[])(
  '%s: a rename that git knows is proposed, and the line keeps the record',
  async (layout) => {
    const { folder, setting, more } = LAYOUTS[layout];
    world = await fakeWorld({
      'kbsync.yaml': setting,
      ...more,
      [`${folder}/billing/fax.md`]: page('Send a fax', TEXT),
      [`${folder}/billing/keep.md`]: page('Keep', 'Stays.\n'),
    });
    git('init', '-q');
    commit();
    expect(await world.run('sync')).toMatchObject({ exit: 0 });
    const site = siteOf(world);
    const id = await site.idOf((await site.titles()).find((one) => one !== 'Keep') ?? '');
    // Over two names, of which the first was never synced.
    await moved(`${folder}/billing/fax.md`, `${folder}/billing/letter.md`);
    commit();
    await moved(`${folder}/billing/letter.md`, `${folder}/legacy/telefax.md`);
    if (layout === 'mdbook') await world.write('docs/SUMMARY.md', '- [Telefax](legacy/telefax.md)\n');
    commit();
    const before = await planned();
    expect(before.changes.filter(({ kind }) => kind === 'article')).toEqual([]);
    expect(renamesIn(before)).toMatchObject([
      {
        from: 'article/billing/fax',
        to: 'article/legacy/telefax',
        before: `${folder}/billing/fax.md`.replace('docs/', ''),
        after: `${folder}/legacy/telefax.md`.replace('docs/', ''),
      },
    ]);
    const shown = await world.run('plan');
    const line = /`(moved: \[.*?\])`/.exec(shown.stdout)?.[1];
    expect(line).toBe('moved: [{ from: article/billing/fax, to: article/legacy/telefax }]');
    await world.write('kbsync.yaml', `${setting}${line}\n`);
    const now = await planned();
    expect(renamesIn(now)).toEqual([]);
    const articles = now.changes.filter(({ kind }) => kind === 'article');
    expect(articles.map(({ action }) => action)).toEqual(['update']);
    expect(await world.run('sync')).toMatchObject({ exit: 0 });
    const titles = await site.titles();
    const title = titles.find((one) => one !== 'Keep') ?? '';
    expect(await site.idOf(title)).toBe(id);
  },
);

test('a rename that is staged and not committed counts, and without git nothing is proposed', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'content: docs\n',
    'docs/en/articles/fax.md': page('Send a fax', TEXT),
  });
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await moved('docs/en/articles/fax.md', 'docs/en/articles/new [1].md');
  expect(renamesIn(await planned())).toEqual([]);
  await moved('docs/en/articles/new [1].md', 'docs/en/articles/fax.md');
  git('init', '-q');
  commit();
  await moved('docs/en/articles/fax.md', 'docs/en/articles/telefax.md');
  git('add', 'docs');
  expect(renamesIn(await planned())).toMatchObject([{ from: 'article/fax', to: 'article/telefax' }]);
});

test('where git cannot tell, a new page with the title of one that has no file waits', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'content: docs\n',
    'docs/en/articles/fax.md': page('Send a fax', TEXT),
    'docs/en/articles/keep.md': page('Keep', 'Stays.\n'),
  });
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await moved('docs/en/articles/fax.md', 'docs/en/articles/telefax.md');
  await world.write('docs/en/articles/telefax.md', page('Send a fax', MAIL));
  const waits = [{ from: 'article/fax', to: 'article/telefax', after: 'en/articles/telefax.md' }];
  // Without git.
  const before = await planned();
  expect(renamesIn(before)).toEqual(waits);
  expect(before.changes).toEqual([]);
  expect(renamesIn(await planned('--allow-renamed'))).toEqual([]);
  // With git, of which nobody told it yet.
  git('init', '-q');
  git('add', 'docs/en/articles/keep.md');
  git('commit', '-q', '-m', 'x');
  expect(renamesIn(await planned())).toEqual(waits);
  // Git has it from the start, and nothing else.
  commit();
  const told = await planned();
  expect(renamesIn(told)).toEqual([]);
  expect(told.changes.map(({ action }) => action)).toContain('create');
  // In a clone of depth 1.
  git('clone', '-q', '--depth', '1', `file://${world.cwd}`, 'shallow');
  await rename(join(world.cwd, 'shallow/.git'), join(world.cwd, 'shallow.git'));
  await rm(join(world.cwd, '.git'), { recursive: true });
  await rename(join(world.cwd, 'shallow.git'), join(world.cwd, '.git'));
  expect(git('rev-parse', '--is-shallow-repository')).toBe('true');
  expect(renamesIn(await planned())).toEqual(waits);
});

test('of many files that got another name the first few say why, and all have their line', async () => {
  const pages = (name: string, text: string) =>
    Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [
        `docs/en/articles/${name}-${n}.md`,
        page(`Page ${n}`, `${text} ${n}.\n`),
      ]),
    );
  world = await fakeWorld({ 'kbsync.yaml': 'content: docs\n', ...pages('old', 'Before') });
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await rm(join(world.cwd, 'docs/en/articles'), { recursive: true });
  for (const [path, text] of Object.entries(pages('new', 'Now'))) await world.write(path, text);
  const { stdout } = await world.run('plan');
  expect(stdout.match(/has the title of/g)).toHaveLength(3);
  expect(stdout).toContain('blocked   … 5 more files that may have another name now (--verbose lists all)');
  expect(stdout.match(/- \{ from: article\/old-\d, to: article\/new-\d \}/g)).toHaveLength(8);
});

test('a folder of pages that link to each other keeps its records, also without git', async () => {
  const files = (folder: string) => ({
    [`docs/${folder}/fax.md`]: page('Send a fax', 'See [mail](mail.md).\n'),
    [`docs/${folder}/mail.md`]: page('Send a mail', 'See [fax](fax.md).\n'),
  });
  world = await fakeWorld({ 'kbsync.yaml': 'preset: hugo\ncontent: docs\n', ...files('billing') });
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await rm(join(world.cwd, 'docs/billing'), { recursive: true });
  for (const [path, text] of Object.entries(files('legacy'))) await world.write(path, text);
  const plan = await planned();
  expect(plan.blocked).toEqual([]);
  expect(plan.changes.filter(({ kind }) => kind === 'article').map(({ action }) => action)).toEqual([
    'update',
    'update',
  ]);
});

test('a page that lost a translation alone has not moved, whatever git takes that file for', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'content: docs\n',
    'docs/en/articles/fax.md': page('Send a fax', 'Words of its own.\n'),
    'docs/de/articles/fax.md': page('Ein Fax', TEXT),
  });
  git('init', '-q');
  commit();
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await moved('docs/de/articles/fax.md', 'docs/en/articles/letter.md');
  commit();
  const plan = await planned();
  expect(plan.changes.map(({ action }) => action)).toContain('create');
  expect(renamesIn(plan)).toEqual([]);
});

test('a sync neither makes the page again nor deletes the old one until somebody says which it is', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'content: docs\n',
    'docs/en/articles/fax.md': page('Send a fax', TEXT),
    'docs/en/articles/mail.md': page('Send a mail', MAIL),
    'docs/en/articles/keep.md': page('Keep', 'Stays.\n'),
  });
  git('init', '-q');
  commit();
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  const site = siteOf(world);
  const titles = await site.titles();
  await moved('docs/en/articles/fax.md', 'docs/en/articles/telefax.md');
  await moved('docs/en/articles/mail.md', 'docs/en/articles/letter-box.md', MAIL);
  await world.write('docs/en/articles/keep.md', page('Keep', 'Stays, edited.\n'));
  commit();
  const pruned = await world.run('sync', '--prune', '--yes', '--max-delete', '9');
  expect(pruned.exit).toBe(5);
  expect(pruned.stdout).toContain(
    '  moved:\n    - { from: article/mail, to: article/letter-box }\n    - { from: article/fax, to: article/telefax }\n',
  );
  expect(pruned.stdout).toContain('1 updated, 0 unchanged, 2 blocked');
  expect(await site.titles()).toEqual(titles);
  await world.write(
    'kbsync.yaml',
    'content: docs\nmoved:\n    - { from: article/fax, to: article/telefax }\n',
  );
  const id = await site.idOf('Send a fax');
  expect(await world.run('sync', '--allow-renamed')).toMatchObject({ exit: 0 });
  expect(await site.titles()).toHaveLength(4);
  expect(await site.idOf('Page 27')).toBe(id);
  const rest = await world.run('sync', '--prune', '--yes');
  expect(rest).toMatchObject({ exit: 0 });
  expect(await site.titles()).toHaveLength(3);
});

test('without a state, the page that kbsync wrote under the old name counts too', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'content: docs\nid: docs\n',
    'docs/en/articles/fax.md': page('Send a fax', TEXT),
  });
  git('init', '-q');
  commit();
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await world.remove('.kbsync');
  await moved('docs/en/articles/fax.md', 'docs/en/articles/telefax.md');
  commit();
  const { exit, stdout } = await world.run('sync');
  expect(exit).toBe(5);
  expect(stdout).toContain('`moved: [{ from: article/fax, to: article/telefax }]`');
  expect(await siteOf(world).titles()).toEqual(['Send a fax']);
});

test('a clone without old texts is not filled for that: the file is a new page', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'content: docs\n',
    'docs/en/articles/fax.md': page('Send a fax', TEXT),
  });
  git('init', '-q');
  commit();
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await moved('docs/en/articles/fax.md', 'docs/en/articles/telefax.md');
  commit();
  git('config', 'uploadpack.allowFilter', 'true');
  git('clone', '-q', '--no-local', '--filter=blob:none', `file://${world.cwd}`, 'clone');
  const objects = () => spawnSync('git', ['count-objects', '-v'], { cwd: join(world.cwd, 'clone') }).stdout;
  const before = String(objects());
  const { stdout } = await world.run('plan', '--content', 'clone/docs');
  expect(stdout).not.toContain('another name, and');
  expect(String(objects())).toBe(before);
});

test('watch makes no page of a file that git knows as renamed, beside the page that it was', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'content: docs\n',
    'docs/en/articles/fax.md': page('Send a fax', TEXT),
    'docs/en/articles/keep.md': page('Keep', 'Stays.\n'),
  });
  git('init', '-q');
  commit();
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await moved('docs/en/articles/fax.md', 'docs/en/articles/letters/telefax.md');
  commit();
  const { exit, stdout, stderr } = await world.run('watch', '--once');
  expect(`${stdout}${stderr}`).toContain('moved');
  expect(exit).toBe(5);
  expect((await siteOf(world).titles()).toSorted()).toEqual(['Keep', 'Send a fax']);
  expect((await world.run('watch', '--once', '--allow-renamed')).exit).toBe(0);
  expect(await siteOf(world).titles()).toHaveLength(3);
});
