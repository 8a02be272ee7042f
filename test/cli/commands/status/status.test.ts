import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';
import { siteOf } from '../../support/site.ts';

let world: FakeWorld;
afterEach(() => world.close());

const EN = 'content/en/articles/install.md';
const FR = 'content/fr/articles/install.md';
const git = async (...args: readonly string[]) =>
  promisify(execFile)('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.test', ...args], { cwd: world.cwd });

interface Row {
  readonly lang: string;
  readonly upToDate: readonly string[];
  readonly stale: readonly string[];
  readonly missing: readonly string[];
  readonly orphan: readonly string[];
}

async function french(): Promise<Row | undefined> {
  const { stdout } = await world.run('status', '--json');
  const { translations } = JSON.parse(stdout) as { translations: readonly Row[] };
  return translations.find(({ lang }) => lang === 'fr');
}

const changed = (file: string, words: string): Promise<void> =>
  world.write(file, `${SMALL[file]}\n${words}\n`);

test('a translation is stale from the moment its original is saved until it is saved itself', async () => {
  world = await fakeWorld(SMALL);
  await world.run('sync');
  expect(await french()).toMatchObject({ upToDate: ['article/install@fr'], stale: [] });
  await changed(EN, 'More.');
  expect(await french()).toMatchObject({ upToDate: [], stale: ['article/install@fr'] });
  await world.run('sync');
  expect(await french()).toMatchObject({ upToDate: [], stale: ['article/install@fr'] });
  await changed(FR, 'Plus.');
  expect(await french()).toMatchObject({ upToDate: ['article/install@fr'], stale: [] });
  await world.run('sync');
  expect(await french()).toMatchObject({ upToDate: ['article/install@fr'], stale: [] });
});

test('an original that changes only its tags leaves its translations up to date', async () => {
  world = await fakeWorld(SMALL);
  await world.run('sync');
  await world.write(EN, (SMALL[EN] ?? '').replace('tags: [cli]', 'tags: []'));
  await world.run('sync');
  expect(await french()).toMatchObject({ stale: [] });
});

test('missing translations and translations without an original are named', async () => {
  world = await fakeWorld({ ...SMALL, 'content/fr/articles/seule.md': '---\ntitle: Seule\n---\n\nSeule.\n' });
  const row = await french();
  expect({ ...row, missing: [...(row?.missing ?? [])].sort() }).toMatchObject({
    missing: ['article/update@fr', 'category/start@fr', 'tag/cli@fr'],
    orphan: ['article/seule@fr'],
  });
});

test('without a state the history of the files decides, and a clone of the last commit alone decides nothing', async () => {
  world = await fakeWorld(SMALL);
  await git('init', '-q');
  await git('add', 'content');
  await git('commit', '-q', '-m', 'one', '--date', '2026-01-01T00:00:00Z');
  expect(await french()).toMatchObject({ stale: [] });
  await changed(EN, 'More.');
  await git('add', 'content');
  await promisify(execFile)(
    'git',
    ['-c', 'user.name=A', '-c', 'user.email=a@b.test', 'commit', '-q', '-m', 'two'],
    {
      cwd: world.cwd,
      env: { ...process.env, GIT_COMMITTER_DATE: '2030-01-01T00:00:00Z' },
    },
  );
  expect(await french()).toMatchObject({ stale: ['article/install@fr'] });
});

test('drafts and reviews that are due are named', async () => {
  world = await fakeWorld({
    ...SMALL,
    [EN]: (SMALL[EN] ?? '').replace(
      'title: Install',
      'title: Install\nstatus: draft\narticleReviewDate: 2020-01-31',
    ),
  });
  const { stdout } = await world.run('status');
  expect(stdout).toContain('1 draft: install\n');
  expect(stdout).toContain('1 review due: install\n');
  expect(stdout).toMatch(/^translations +up to date +stale +missing +orphan\nfr +1 +0 +3 +0$/m);
});

test('--remote names what was edited on the site, and without it nobody is asked', async () => {
  world = await fakeWorld(SMALL);
  await world.run('sync');
  await siteOf(world).edit('Install', (body) => {
    body['content'] = '<p>By an editor.</p>';
  });
  world.sent.length = 0;
  expect(JSON.parse((await world.run('status', '--json')).stdout)).not.toHaveProperty('drift');
  expect(world.sent).toEqual([]);
  const { stdout } = await world.run('status', '--remote', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ drift: ['article/install@en'] });
  expect((await world.run('status', '--remote')).stdout).toContain('1 record edited on the site');
});

describe('a translation that names the commit it was made from', () => {
  const head = async (): Promise<string> => (await git('rev-parse', 'HEAD')).stdout.trim();
  const commit = async (...files: readonly string[]): Promise<string> => {
    await git('add', ...files);
    await git('commit', '-q', '-m', 'x');
    return head();
  };
  const marked = (line: string): string =>
    (SMALL[FR] ?? '').replace('title: Installer\n', `title: Installer\n${line}\n`);
  const stale = async (...flags: readonly string[]) => world.run('status', '--stale', ...flags);

  test.each([
    ['sourceCommit: COMMIT'],
    ['source_commit: "COMMIT"'],
    ['default_lang_commit: COMMIT # from en'],
    ['l10n:\n  owner: ada\n  sourceCommit: COMMIT'],
    ['l10n: { sourceCommit: COMMIT }'],
  ])('%j: that commit decides, whatever state and times say', async (line) => {
    world = await fakeWorld(SMALL);
    await git('init', '-q');
    const first = await commit('content');
    await changed(EN, 'More.');
    const second = await commit('content');
    await world.write(FR, marked(line.replace('COMMIT', first)));
    await world.run('sync');
    expect(await french()).toMatchObject({ stale: ['article/install@fr'], knownBy: { commit: 1 } });
    const listed = await stale('--diff');
    expect(listed.stdout).toContain(
      `article/install@fr  ${FR}  made from ${first.slice(0, 10)}\n    diff --git`,
    );
    expect(listed.stdout).toMatch(/^ {4}\+More\.$/m);
    expect(listed.stdout).toContain('1 of 1 translation is stale\n');
    await world.write(FR, marked(line.replace('COMMIT', second.slice(0, 12))));
    expect(await french()).toMatchObject({ stale: [], upToDate: ['article/install@fr'] });
    expect((await world.run('check')).stdout).not.toContain('unknown-key');
    await changed(EN, 'And more, not committed.');
    expect(await french()).toMatchObject({ stale: ['article/install@fr'] });
  });

  test('it is read again when nothing else in the file changes', async () => {
    world = await fakeWorld(SMALL);
    await git('init', '-q');
    const first = await commit('content');
    await changed(EN, 'More.');
    const second = await commit('content');
    await world.write(FR, marked(`sourceCommit: ${first}`));
    for (let times = 0; times < 3; times += 1)
      expect(await french()).toMatchObject({ stale: ['article/install@fr'] });
    await world.write(FR, marked(`sourceCommit: ${second}`));
    expect(await french()).toMatchObject({ stale: [], knownBy: { commit: 1 } });
    expect(await french()).toMatchObject({ stale: [], knownBy: { commit: 1 } });
  });

  test('a commit that this clone does not have decides nothing, and is counted', async () => {
    world = await fakeWorld(SMALL);
    await git('init', '-q');
    await commit('content');
    await world.write(FR, marked(`sourceCommit: ${'a'.repeat(40)}`));
    await world.run('sync');
    expect(await french()).toMatchObject({ stale: [], knownBy: { commit: 0, state: 1 } });
    expect((await world.run('status')).stdout).toContain(
      '  1 translation names a commit that this clone does not have\n',
    );
  });

  test('what is known by commit times alone is said, and a key that is not stale is refused', async () => {
    world = await fakeWorld(SMALL);
    await git('init', '-q');
    await commit('content');
    expect((await world.run('status')).stdout).toContain(
      '  1 translation judged by commit times only: `sourceCommit` in',
    );
    const { exit, stderr } = await stale('--diff', 'article/install@fr');
    expect(exit).toBe(64);
    expect(stderr).toContain('`article/install@fr` is no stale translation');
  });
});

test('--html writes a page: language × record, what changed in each original, and nothing that runs', async () => {
  world = await fakeWorld({
    ...SMALL,
    'content/fr/articles/seule.md': '---\ntitle: Seule <b>&\n---\n\nSeule.\n',
  });
  await git('init', '-q');
  await git('add', 'content');
  await git('commit', '-q', '-m', 'one');
  await world.run('sync', '--allow', 'orphan-translation');
  await changed(EN, 'More <script>alert(1)</script>.');
  const ran = await world.run('status', '--html', 'page.html');
  expect(ran).toMatchObject({
    exit: 0,
    stderr: expect.stringContaining('the translations as a page: page.html'),
  });
  const page = await world.read('page.html');
  expect(page).not.toContain('<script');
  expect(page).toContain('default-src &#39;none&#39;');
  expect(page).toContain('<ins>+More &lt;script&gt;alert(1)&lt;/script&gt;.\n</ins>');
  expect(page).toContain('href="#change-article%2Finstall%40fr"');
  expect(page).toContain('id="change-article/install@fr"');
  expect(page).toContain('Seule &lt;b&gt;&amp;');
  expect(page).toContain('fr: 1 stale, 3 missing, 1 orphan');
  const one = await world.run('status', '--html', 'one.html', '--only', 'article/install', '--quiet');
  expect(one.stderr).toBe('');
  const part = await world.read('one.html');
  expect(part).toContain('fr: 1 stale');
  expect(part).not.toContain('Seule');
  await world.write('folder/x', '');
  expect(await world.run('status', '--html', 'folder')).toMatchObject({ exit: 1 });
});

test('before the first sync, an image is no error: nobody knows yet whether the service keeps images', async () => {
  world = await fakeWorld({
    ...SMALL,
    [EN]: `${SMALL[EN]}\n![A plan](plan.png)\n`,
    'content/en/articles/plan.png': 'PNG',
  });
  expect((await world.run('check')).exit).toBe(0);
  const ran = await world.run('status');
  expect(ran.stderr).toContain('next: kbsync plan');
  expect(ran.stderr).not.toContain('error');
});
