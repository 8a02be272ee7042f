import { spawnSync } from 'node:child_process';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../../support/fake-world.ts';
import { siteOf } from '../../support/site.ts';

let world: FakeWorld;
afterEach(() => world.close());

const TEXT = Array.from({ length: 20 }, (_, index) => `Sentence ${index} of this page.\n`).join('\n');
const page = (title: string, text: string): string => `---\ntitle: ${title}\n---\n\n${text}`;

function git(...args: readonly string[]): void {
  const own = ['-c', 'user.name=A', '-c', 'user.email=a@b.test', '-c', 'commit.gpgSign=false'];
  const { status, stderr } = spawnSync('git', [...own, ...args], { cwd: world.cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`test: git ${args.join(' ')}: ${stderr}`);
}

function commit(): void {
  git('add', 'docs');
  git('commit', '-q', '-m', 'x');
}

/** Another name, slug, title and a sentence more: nothing but the history tells what it was. */
async function moved(from: string, to: string): Promise<void> {
  await mkdir(dirname(join(world.cwd, to)), { recursive: true });
  await rename(join(world.cwd, from), join(world.cwd, to));
  await world.write(to, page(`Page ${to.length}`, `${TEXT}\nOne more in ${to}.\n`));
}

interface Planned {
  readonly changes: readonly { readonly action: string; readonly kind: string }[];
  readonly renames?: readonly { readonly from: string; readonly to: string; readonly line: string }[];
}

const planned = async (): Promise<Planned> =>
  JSON.parse((await world.run('plan', '--json', '--allow', 'dead-link')).stdout) as Planned;

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
    const { changes, renames } = await planned();
    expect(changes.map(({ action }) => action)).toContain('create');
    expect(renames).toMatchObject([
      {
        from: 'article/billing/fax',
        to: 'article/legacy/telefax',
        before: `${folder}/billing/fax.md`.replace('docs/', ''),
        after: `${folder}/legacy/telefax.md`.replace('docs/', ''),
      },
    ]);
    const shown = await world.run('plan');
    expect(shown.stdout).toContain(
      '  moved:\n    - { from: article/billing/fax, to: article/legacy/telefax }\n',
    );
    await world.write('kbsync.yaml', `${setting}moved:\n  ${renames?.[0]?.line}\n`);
    const now = await planned();
    expect(now.renames).toBeUndefined();
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
  expect((await planned()).renames).toBeUndefined();
  await moved('docs/en/articles/new [1].md', 'docs/en/articles/fax.md');
  git('init', '-q');
  commit();
  await moved('docs/en/articles/fax.md', 'docs/en/articles/telefax.md');
  git('add', 'docs');
  expect((await planned()).renames).toMatchObject([{ from: 'article/fax', to: 'article/telefax' }]);
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
  const { changes, renames } = await planned();
  expect(changes.map(({ action }) => action)).toContain('create');
  expect(renames).toBeUndefined();
});
