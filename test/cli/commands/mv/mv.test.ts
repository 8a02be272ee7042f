import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld, type Ran } from '../../support/fake-world.ts';
import { siteOf } from '../../support/site.ts';

let world: FakeWorld;
afterEach(() => world.close());

const FILES: Readonly<Record<string, string>> = {
  'kbsync.yaml': '# ours\nassets: { baseUrl: https://cdn.example.com/ } # images\n',
  'content/en/categories/billing.md': '---\nname: Billing\n---\n',
  'content/fr/categories/billing.md': '---\nname: Facturation\n---\n',
  'content/en/articles/billing/fax.md':
    '---\ntitle: Fax\n---\n\n# Send\n\nSee [cards](cards.md#pay "all"), ![logo](../../../img/logo.png) and [start](../start.md).\n',
  'content/fr/articles/billing/fax.md': '---\ntitle: Télécopie\n---\n\nVoir [le début](../start.md).\n',
  'content/en/articles/billing/cards.md':
    '---\ntitle: Cards\ncategories: [billing]\n---\n\n## Pay\n\nOr [fax](./fax.md).\n\n```\n[fax](./fax.md)\n```\n',
  'content/en/articles/start.md':
    '---\ntitle: Start\n---\n\nTo [fax](billing/fax.md#send), `[fax](billing/fax.md)`, [fax again][1].\n\n[1]: billing/fax.md\n',
  'content/fr/articles/start.md': '---\ntitle: Début\n---\n\nVers [la télécopie](billing/fax.md).\n',
  'content/img/logo.png': 'x',
};

async function ok(...argv: readonly string[]): Promise<Ran> {
  const ran = await world.run(...argv);
  if (ran.exit !== 0) throw new Error(`${argv.join(' ')}: exit ${ran.exit}\n${ran.stdout}${ran.stderr}`);
  return ran;
}

async function files(): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(join(world.cwd, 'content'), { recursive: true, withFileTypes: true });
  const paths = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = paths.map(
    async (path) => [path.slice(world.cwd.length + 1), await readFile(path, 'utf8')] as const,
  );
  return Object.fromEntries(await Promise.all(texts));
}

async function ids(): Promise<Readonly<Record<string, string>>> {
  const { data } = (await siteOf(world).ask('GET', '/api/v2/articles')) as {
    data: { id: string; name: string }[];
  };
  return Object.fromEntries(data.map(({ id, name }) => [name, id]));
}

test('a page moves in all languages with the links to it; other files keep their bytes, and the record its id', async () => {
  world = await fakeWorld(FILES);
  await ok('sync');
  const before = await ids();
  const was = await files();
  const ran = await ok('mv', 'content/en/articles/billing/fax.md', 'content/en/articles/legacy/telefax.md');
  expect(ran.stdout).toBe(
    [
      'content/en/articles/billing/fax.md → content/en/articles/legacy/telefax.md',
      'content/fr/articles/billing/fax.md → content/fr/articles/legacy/telefax.md',
      '~ content/en/articles/billing/cards.md',
      '~ content/en/articles/start.md',
      '~ content/fr/articles/start.md',
      '2 files moved, 5 links written anew',
      '',
    ].join('\n'),
  );
  const now = await files();
  expect(now['content/en/articles/legacy/telefax.md']).toBe(
    '---\ntitle: Fax\nmovedFrom: billing/fax\n---\n\n# Send\n\nSee [cards](../billing/cards.md#pay "all"), ![logo](../../../img/logo.png) and [start](../start.md).\n',
  );
  expect(now['content/fr/articles/legacy/telefax.md']).toBe(was['content/fr/articles/billing/fax.md']);
  expect(now['content/en/articles/start.md']).toBe(
    '---\ntitle: Start\n---\n\nTo [fax](legacy/telefax.md#send), `[fax](billing/fax.md)`, [fax again][1].\n\n[1]: legacy/telefax.md\n',
  );
  expect(now['content/en/articles/billing/cards.md']).toBe(
    '---\ntitle: Cards\ncategories: [billing]\n---\n\n## Pay\n\nOr [fax](../legacy/telefax.md).\n\n```\n[fax](./fax.md)\n```\n',
  );
  expect(now['content/fr/articles/start.md']).toContain('(legacy/telefax.md)');
  const same = Object.keys(was).filter((path) => now[path] === was[path]);
  expect(same).toHaveLength(Object.keys(was).length - 5);
  await ok('sync');
  expect(await ids()).toEqual(before);
  expect((await ok('plan')).stdout).toMatch(/^in sync/m);
});

test('a folder moves with its category: one line of kbsync.yaml says it, and names in front matter follow', async () => {
  world = await fakeWorld(FILES);
  await ok('sync');
  const before = await ids();
  const dry = await ok('mv', 'en/articles/billing', 'en/articles/money/paying', '--dry-run', '--json');
  expect(JSON.parse(dry.stdout)).toMatchObject({
    dryRun: true,
    line: { from: 'billing/**', to: 'money/paying/**' },
  });
  expect(await world.read('kbsync.yaml')).toBe(FILES['kbsync.yaml']);
  await ok('mv', 'en/articles/billing', 'en/articles/money/paying');
  const now = await files();
  expect(Object.keys(now).filter((path) => path.includes('billing'))).toEqual([]);
  expect(now['content/fr/categories/money/paying.md']).toBe(FILES['content/fr/categories/billing.md']);
  expect(now['content/en/articles/money/paying/cards.md']).toContain('categories: [money/paying]');
  expect(now['content/en/articles/money/paying/fax.md']).toContain(
    '[cards](cards.md#pay "all"), ![logo](../../../../img/logo.png) and [start](../../start.md)',
  );
  expect(await world.read('kbsync.yaml')).toBe(
    `${FILES['kbsync.yaml']}moved:\n  - { from: "billing/**", to: "money/paying/**" }\n`,
  );
  await ok('sync');
  expect(await ids()).toEqual(before);
  expect((await ok('plan')).stdout).toMatch(/^in sync/m);
});

test.each([
  [
    'content/en/articles/none.md',
    'content/en/articles/a.md',
    'there is no file or folder en/articles/none.md',
  ],
  ['en/articles/start', 'en/articles/begin', 'did you mean en/articles/start.md?'],
  [
    'content/en/articles/start.md',
    'content/en/articles/billing/fax.md',
    'en/articles/billing/fax.md exists already',
  ],
])('what cannot be moved is refused, and nothing is written: %s to %s', async (from, to, said) => {
  world = await fakeWorld(FILES);
  const { exit, stderr } = await world.run('mv', from, to);
  expect(exit).toBe(4);
  expect(stderr).toContain(said);
  expect(await files()).toEqual(
    Object.fromEntries(Object.entries(FILES).filter(([path]) => path.startsWith('content/'))),
  );
});

test.each([
  [
    'a translation has the name already, and moves too',
    'billing/old',
    'content/fr/articles/billing/old/fax.md',
  ],
  ['a file that the settings leave out has the name', 'legacy', 'content/fr/articles/legacy/fax.md'],
])('refuses to move a folder where %s, and writes nothing', async (_, to, taken) => {
  world = await fakeWorld({
    ...FILES,
    'kbsync.yaml': 'exclude: [fr/articles/legacy/**]\nassets: { baseUrl: https://cdn.example.com/ }\n',
    [taken]: '---\ntitle: Old\n---\n\nOld.\n',
    'content/en/articles/billing/old.md': '---\ntitle: Old\n---\n\nOld.\n',
  });
  const was = await files();
  const { exit, stderr } = await world.run('mv', 'content/en/articles/billing', `content/en/articles/${to}`);
  expect([exit, stderr]).toEqual([4, expect.stringContaining('exists already')]);
  expect(await files()).toEqual(was);
});

test('links of files that are no pages are named, because nobody writes them', async () => {
  world = await fakeWorld({
    ...FILES,
    'kbsync.yaml': 'exclude: [internal/**]\nassets: { baseUrl: https://cdn.example.com/ }\n',
    'content/internal/notes.md':
      'Plain.\n\nSee [fax](../en/articles/billing/fax.md#send) and [cards](../en/articles/billing/cards.md).\n',
    'content/README.md': '[fax][1]\n\n[1]: en/articles/billing/fax\n',
  });
  const ran = await ok('mv', 'content/en/articles/billing/fax.md', 'content/en/articles/legacy/telefax.md');
  expect(
    ran.stdout
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .sort(),
  ).toEqual([
    '! content/README.md:3  links to en/articles/billing/fax, and kbsync does not read this file as a page; correct the link by hand',
    '! content/internal/notes.md:3  links to ../en/articles/billing/fax.md#send, and kbsync does not read this file as a page; correct the link by hand',
  ]);
  expect(await world.read('content/README.md')).toContain('billing/fax\n');
});

test('settings in braces get their line inside of them', async () => {
  world = await fakeWorld({ ...FILES, 'kbsync.yaml': '{ assets: { baseUrl: https://cdn.example.com/ } }\n' });
  await ok('mv', 'content/en/articles/billing', 'content/en/articles/legacy');
  expect(await readFile(join(world.cwd, 'kbsync.yaml'), 'utf8')).toMatch(
    /^\{[\s\S]*moved:[\s\S]*billing[\s\S]*\}\n$/,
  );
  await ok('check');
});

describe('there and back', () => {
  test.each([
    ['a page', 'content/en/articles/billing/fax.md', 'content/en/articles/legacy/telefax.md'],
    ['a folder', 'content/en/articles/billing', 'content/en/articles/legacy'],
  ])('%s that no sync saw under the other name has its bytes again, and kbsync.yaml too', async (_, a, b) => {
    world = await fakeWorld(FILES);
    await ok('sync');
    const before = await files();
    const settings = await world.read('kbsync.yaml');
    await ok('mv', a, b);
    await ok('mv', b, a);
    // A link that was written anew has the shortest spelling, and one that leads there again is left as it is.
    const spelled = (all: Readonly<Record<string, string>>) =>
      Object.entries(all).map(([file, text]) => [
        file,
        text.replaceAll(/\]\((?:\.\/|\.\.\/billing\/)/g, ']('),
      ]);
    expect(spelled(await files())).toEqual(spelled(before));
    expect(await world.read('kbsync.yaml')).toBe(settings);
    expect((await ok('plan')).stdout).toContain('in sync');
  });

  test.each([
    ['a page', 'content/en/articles/billing/fax.md', 'content/en/articles/legacy/telefax.md'],
    ['a folder', 'content/en/articles/billing', 'content/en/articles/legacy'],
  ])('%s that was synced under the other name keeps its record by a line about that one', async (_, a, b) => {
    world = await fakeWorld(FILES);
    await ok('sync');
    const before = await ids();
    await ok('mv', a, b);
    await ok('sync');
    await ok('mv', b, a);
    const said = `${await world.read('kbsync.yaml')}${await world.read('content/en/articles/billing/fax.md')}`;
    expect(said).toMatch(/movedFrom: legacy\/telefax\n|\{ from: "legacy\/\*\*", to: "billing\/\*\*" \}/);
    expect(said).not.toMatch(/movedFrom: .*billing|to: "legacy/);
    const plan = JSON.parse((await ok('plan', '--json')).stdout) as {
      changes: readonly { action: string }[];
    };
    expect(plan.changes.map(({ action }) => action)).not.toContain('create');
    await ok('sync');
    expect(await ids()).toEqual(before);
    expect((await ok('plan')).stdout).toContain('in sync');
  });

  test('a move that a commit holds is taken for known, without a state too', async () => {
    world = await fakeWorld(FILES);
    const git = (...args: readonly string[]): void => {
      const own = ['-c', 'user.name=A', '-c', 'user.email=a@b.test', '-c', 'commit.gpgSign=false', ...args];
      expect(spawnSync('git', own, { cwd: world.cwd }).status).toBe(0);
    };
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'x');
    await ok('mv', 'en/articles/billing/fax.md', 'en/articles/legacy/telefax.md');
    git('add', '-A');
    git('commit', '-q', '-m', 'y');
    await ok('mv', 'en/articles/legacy/telefax.md', 'en/articles/billing/fax.md');
    expect(await world.read('content/en/articles/billing/fax.md')).toContain('\nmovedFrom: legacy/telefax\n');
  });
});

describe('a navigation', () => {
  const moved = async (
    preset: string,
    site: Readonly<Record<string, string>>,
    ...names: readonly string[]
  ): Promise<Ran> => {
    world = await fakeWorld({ ...site, 'kbsync.yaml': `preset: ${preset}\ncontent: docs\n` });
    await ok('sync');
    return world.run('mv', ...names.map((name) => `docs/${name}`));
  };
  const page = (title: string): string => `# ${title}\n\nText of ${title}.\n`;

  test('above the folder gets the new path, and keeps every other byte', async () => {
    const nav =
      '# ours\r\nsite_name: X\nnav:\n  - Home: index.md\n  - \'Fax\': "./billing/fax.md" # keep\n  - billing/faxes.md\n';
    const site = {
      'mkdocs.yml': nav,
      'docs/index.md': page('Home'),
      'docs/billing/fax.md': page('Fax'),
      'docs/billing/faxes.md': page('Faxes'),
    };
    const ran = await moved('mkdocs', site, 'billing/fax.md', 'legacy/telefax.md');
    expect(ran).toMatchObject({ exit: 0, stdout: expect.stringContaining('~ mkdocs.yml\n') });
    expect(await world.read('mkdocs.yml')).toBe(nav.replace('./billing/fax.md', './legacy/telefax.md'));
    const { changes } = JSON.parse((await world.run('plan', '--json')).stdout) as {
      readonly changes: readonly { readonly action: string; readonly kind: string }[];
    };
    expect(changes.map(({ action, kind }) => `${action} ${kind}`)).toEqual([
      'create category',
      'update article',
      // The page behind it in the folder moves up.
      'update article',
    ]);
  });

  test.each([
    ['mintlify', 'docs.json', '{"navigation":{"groups":[{"group":"G","pages":["home", "a/one"]}]}}', 'mdx'],
    ['mdbook', 'SUMMARY.md', '# Summary\n\n- [Home](home.md)\n- [One](<a/one.md>)\n', 'md'],
    ['gitbook', 'SUMMARY.md', '# Summary\n\n* [Home](home.md)\n* [One](a/one.md)\n', 'md'],
    ['docfx', 'toc.yml', '- name: Home\n  href: home.md\n- name: One\n  href: a/one.md\n', 'md'],
  ])(
    'of %s names the page at its new place, also in a new folder and back',
    async (preset, file, text, ending) => {
      const site = {
        [`docs/${file}`]: text,
        [`docs/home.${ending}`]: page('Home'),
        [`docs/a/one.${ending}`]: page('One'),
        ...(preset === 'docfx' ? { 'docs/docfx.json': '{}' } : {}),
      };
      expect(await moved(preset, site, `a/one.${ending}`, `new folder/two.${ending}`)).toMatchObject({
        exit: 0,
        stderr: '',
      });
      const name = preset === 'gitbook' ? 'new%20folder/two' : 'new folder/two';
      expect(await world.read(`docs/${file}`)).toBe(text.replace('a/one', name));
      // Without front matter it stays: mdBook would show it to readers.
      expect(await world.read(`docs/new folder/two.${ending}`)).toBe(page('One'));
      const settings = await world.read('kbsync.yaml');
      expect(settings).toContain('moved:\n  - { from: "article/a/one", to: "article/');
      const { changes, unmanaged } = JSON.parse((await ok('plan', '--json')).stdout) as {
        readonly changes: readonly { readonly action: string; readonly kind: string }[];
        readonly unmanaged: readonly object[];
      };
      expect(changes.filter(({ action, kind }) => kind === 'article' && action !== 'update')).toEqual([]);
      expect(unmanaged).toEqual([]);
      await ok('mv', `docs/new folder/two.${ending}`, `docs/a/one.${ending}`);
      expect(await world.read('kbsync.yaml')).not.toContain('moved');
      expect(await world.read(`docs/${file}`)).toBe(text);
    },
  );

  test('that names the page in a way nobody can edit safely stops the move, and nothing is written', async () => {
    const site = {
      'docs/SUMMARY.md': '# Summary\n\n- [Home](home.md)\n- [One](a/%6Fne.md)\n',
      'docs/home.md': page('Home'),
      'docs/a/one.md': page('One'),
    };
    const ran = await moved('mdbook', site, 'a/one.md', 'b/one.md');
    expect([ran.exit, ran.stderr]).toEqual([
      4,
      expect.stringContaining('nothing was moved: after the move, no file would make article/a/one@en'),
    ]);
    expect(await world.read('docs/a/one.md')).toBe(page('One'));
  });

  test.each(['search', 'plugins', 'install'])(
    'keeps its plugins, its theme, its keys and its comments if a page is called %s as well',
    async (name) => {
      const nav =
        'site_name: How to install\r\n# install first\ntheme:\n  name: material\nplugins:\n  - search\n';
      const site = { 'mkdocs.yml': nav, 'docs/index.md': page('Home'), [`docs/${name}.md`]: page('One') };
      expect(await moved('mkdocs', site, `${name}.md`, 'other.md')).toMatchObject({ exit: 0 });
      expect(await world.read('mkdocs.yml')).toBe(nav);
    },
  );

  test('gets a page that is one word in it, and keeps the same word where it is no page', async () => {
    const nav =
      '{"name":"install","navigation":{"groups":[{"group":"G","pages":["install","b/install", "home"]}]}}';
    const site = {
      'docs/docs.json': nav,
      'docs/home.mdx': page('Home'),
      'docs/install.mdx': page('One'),
      'docs/b/install.mdx': page('Two'),
    };
    expect(await moved('mintlify', site, 'install.mdx', 'set-up.mdx')).toMatchObject({ exit: 0 });
    expect(await world.read('docs/docs.json')).toBe(nav.replace('["install"', '["set-up"'));
  });

  test('names another page whose name ends in the same letters, and that entry stays', async () => {
    const nav = 'site_name: X\nnav:\n  - détail.md\n  - My: my tail.md\n  - tail.md\n';
    const site = {
      'mkdocs.yml': nav,
      'docs/détail.md': page('A'),
      'docs/my tail.md': page('B'),
      'docs/tail.md': page('C'),
    };
    expect(await moved('mkdocs', site, 'tail.md', 'head.md')).toMatchObject({ exit: 0 });
    expect(await world.read('mkdocs.yml')).toBe(nav.replace('- tail.md', '- head.md'));
  });

  test('that lost a page makes no category of a folder that was none', async () => {
    const site = {
      'docs/SUMMARY.md': '# Summary\n\n- [Home](home.md)\n- [One](a/one.md)\n- [Two](a/two.md)\n',
      'docs/home.md': page('Home'),
      'docs/a/one.md': page('One'),
      'docs/a/two.md': page('Two'),
    };
    expect((await moved('mdbook', site, 'a/one.md', 'a/three.md')).exit).toBe(0);
    expect((await ok('plan')).stdout).not.toContain('category');
  });
});

test('the old name is said under the key that `fields` maps, and a new folder is named as the category that it makes', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'preset: hugo\ncontent: content\nfields: { movedFrom: previousPath }\n',
    'content/a/one.md': '---\ntitle: One\n---\n\nText.\n',
    'content/b.md': '---\ntitle: B\n---\n\nText of B.\n',
  });
  await ok('sync');
  const ran = await ok('mv', 'content/a/one.md', 'content/c/one.md');
  expect(ran.stdout).toContain('+ category/c@en  the layout makes a category of the new folder\n');
  expect(ran.stdout).toContain('- category/a@en  no page is left in its folder\n');
  expect(await world.read('content/c/one.md')).toBe('---\ntitle: One\npreviousPath: a/one\n---\n\nText.\n');
  const { stdout } = await ok('plan');
  expect(stdout).toContain('article/a/one@en → article/c/one@en');
  await ok('mv', 'content/c/one.md', 'content/a/one.md');
  expect(await world.read('content/a/one.md')).toBe('---\ntitle: One\n---\n\nText.\n');
});

test('an address from the root of a site is written anew, also if the files have numbers in front that it has not', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'preset: docusaurus\ncontent: .\n',
    'docusaurus.config.js':
      'module.exports = { presets: [["classic", { docs: { routeBasePath: "/" } }]] };\n',
    'docs/10.team/05.faq.md': '---\ntitle: FAQ\n---\n\n## Goal\n',
    'docs/20.start.md':
      '---\ntitle: Start\n---\n\nSee [the goal](/team/faq#goal) and [it](./10.team/05.faq.md).\n',
  });
  const ran = await ok('mv', 'docs/10.team/05.faq.md', 'docs/10.team/05.questions.md');
  expect(ran.stdout).toContain('1 file moved, 2 links written anew');
  expect(await world.read('docs/20.start.md')).toContain(
    'See [the goal](/team/questions#goal) and [it](./10.team/05.questions.md).',
  );
});

test('a link behind the root of a Jekyll site is written anew, and the root stays', async () => {
  world = await fakeWorld({
    'kbsync.yaml': 'preset: jekyll\ncontent: .\n',
    '_config.yml': 'collections:\n  articles:\n    output: true\n    permalink: /article/:name/\n',
    '_articles/account/timeout.md': '---\ntitle: Timeout\n---\n\n## Action\n',
    '_articles/start.md':
      '---\ntitle: Start\n---\n\nSee [it]({{site.baseurl}}/article/timeout/#action), [it again]({{ site.baseurl }}/article/timeout/) and [its file]({% link _articles/account/timeout.md %}).\n',
  });
  const ran = await ok('mv', '_articles/account/timeout.md', '_articles/account/lock.md');
  expect(ran.stdout).toContain('1 file moved, 3 links written anew');
  expect(await world.read('_articles/start.md')).toContain(
    'See [it]({{site.baseurl}}/article/lock/#action), [it again]({{ site.baseurl }}/article/lock/) and [its file]({% link _articles/account/lock.md %}).',
  );
});
