import { execFileSync } from 'node:child_process';
import { symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fakeWorld } from '../../support/fake-world.ts';
import type { FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld;
afterEach(() => world.close());

const page = (title: string): string => `# ${title}\n\nText.\n`;

test('packages and builds beside the pages are left out, and named; a folder of pages may have such a name', async () => {
  world = await fakeWorld({
    'install.md': page('Install'),
    'use.md': page('Use'),
    'vendor/x/README.md': page('X'),
    'dist/c.md': page('C'),
    'venv/lib/d.md': page('D'),
    'tool.egg-info/e.md': page('E'),
    'build/bin.txt': 'x',
    'guide/build/one.md': page('One'),
    'packages/p/package.json': '{}',
    'packages/p/dist/f.md': page('F'),
    'packages/p/p.md': page('P'),
  });
  const { stdout, stderr } = await world.run('init');
  expect(stdout).toBe('wrote kbsync.yaml for . (plain): 1 language (en)\n');
  expect(stderr).toContain(
    'not included: folders of packages and builds (dist, packages/p/dist, tool.egg-info, vendor, venv); `exclude` in kbsync.yaml names them\n',
  );
  expect((await world.run('check')).stdout).toBe('4 files, 1 language, nothing wrong\n');
});

test('below a folder of docs nothing but packages is left out', async () => {
  world = await fakeWorld({
    'docs/a.md': page('A'),
    'docs/build/b.md': page('B'),
    'docs/vendor/c.md': page('C'),
    'docs/bower_components/x/d.md': page('D'),
  });
  expect((await world.run('init')).stderr).toContain('packages and builds (bower_components)');
  expect((await world.run('check')).stdout).toBe('3 files, 1 language, nothing wrong\n');
});

test('a page in a very deep folder is seen', async () => {
  const deep = Array.from({ length: 40 }, (_, index) => `d${index}`).join('/');
  world = await fakeWorld({ [`docs/${deep}/a.md`]: page('A'), 'docs/b.md': page('B') });
  expect((await world.run('init')).stderr).toContain('found 2 pages');
});

test('check says as well how many files are in a format that is not read', async () => {
  world = await fakeWorld({ 'docs/a.md': page('A'), 'docs/b.adoc': '= B\n', 'docs/c.rst': 'C\n=\n' });
  await world.run('init');
  expect((await world.run('check')).stdout).toBe(
    '1 file, 1 language, nothing wrong\nnot read: 2 files in other formats (AsciiDoc 1, reStructuredText 1); kbsync reads Markdown alone\n',
  );
});

test('a repository without a line of Markdown is told what it would need', async () => {
  world = await fakeWorld({ 'antora.yml': 'name: x\n', 'modules/ROOT/pages/index.adoc': '= X\n' });
  const { stderr } = await world.run('init');
  expect(stderr).toContain('not read: 1 file in other formats (AsciiDoc 1); kbsync reads Markdown alone\n');
  expect(stderr).toContain(
    'next: turn the pages into Markdown, put them into content/en/articles, then kbsync check\n',
  );
});

test('all endings of Markdown are pages, and links between them lead to pages', async () => {
  world = await fakeWorld({
    'docs/a.md': '# A\n\n[1](b.markdown) [2](c.mdown) [3](d.mkd) [4](e.mkdn)\n',
    'docs/b.markdown': page('B'),
    'docs/c.mdown': page('C'),
    'docs/d.mkd': page('D'),
    'docs/e.mkdn': page('E'),
  });
  expect((await world.run('init')).stderr).toContain('found 5 pages');
  expect((await world.run('check')).stdout).toBe('5 files, 1 language, nothing wrong\n');
});

test('in a repository of git, its memory goes into .gitignore once, behind what is there; elsewhere nothing is written', async () => {
  world = await fakeWorld({ 'docs/a.md': page('A'), 'kb/docs/b.md': page('B') });
  expect((await world.run('init')).stderr).not.toContain('.gitignore');
  await expect(world.read('.gitignore')).rejects.toThrow('ENOENT');
  await world.remove('kbsync.yaml');
  execFileSync('git', ['init', '-q'], { cwd: world.cwd });
  await world.write('.gitignore', 'node_modules');
  expect((await world.run('init')).stderr).toContain(
    'added .kbsync/ to .gitignore: there, kbsync remembers what this machine did last\n',
  );
  expect(await world.read('.gitignore')).toBe('node_modules\n.kbsync/\n');
  await world.remove('kbsync.yaml');
  const again = await world.run('init', '--json');
  expect(JSON.parse(again.stdout)).not.toHaveProperty('gitignore');
  // The line above holds in the folders below it.
  expect((await world.run('init', '--config', 'kb/kbsync.yaml')).exit).toBe(0);
  await expect(world.read('kb/.gitignore')).rejects.toThrow('ENOENT');
});

test.skipIf(process.platform === 'win32')(
  'a pipe, a link to a device or to a folder, and a dump of gigabytes among the pages stop nobody',
  async () => {
    world = await fakeWorld({ 'docs/a.md': page('A'), 'docs/b.md': page('B'), 'docs/huge.md': '' });
    execFileSync('mkfifo', [join(world.cwd, 'docs/pipe.md')]);
    await symlink('/dev/zero', join(world.cwd, 'docs/zero.md'));
    await symlink('..', join(world.cwd, 'docs/up.md'));
    await truncate(join(world.cwd, 'docs/huge.md'), 3 * 2 ** 30);
    const { stdout } = await world.run('init');
    expect(stdout).toBe('wrote kbsync.yaml for docs (plain): 1 language (en)\n');
    expect((await world.run('check')).stdout).toContain('docs/huge.md:1:1: error too-large');
    await world.remove('docs/huge.md');
  },
);

test('folders of our own layout whose articles have no title are the export of a help desk', async () => {
  world = await fakeWorld({
    'export/en/articles/4670264-creating-a-team.md':
      '# Creating a team\n\nText. [Models](4670286-models.md)\n',
    'export/en/articles/4670286-models.md': page('Models'),
    'export/nb/articles/4670264-opprette-et-team.md': page('Opprette et team'),
    'export/nb/articles/4670286-modeller.md': '# Modeller\n\n[Team](4670264-opprette-et-team.md)\n',
  });
  const { stdout, stderr } = await world.run('init');
  expect(stdout).toBe('wrote kbsync.yaml for export (plain): 2 languages (en, nb)\n');
  expect(stderr).toContain(
    "the folders of export are those of kbsync's own layout, but no article has a `title` in its front matter; kbsync init --preset kbsync takes that layout\n",
  );
  expect((await world.run('check')).stdout).toBe('4 files, 2 languages, nothing wrong\n');
});

test('one article with a title, or no article yet, is our own layout', async () => {
  for (const files of [
    {
      'content/en/articles/a/one.md': page('One'),
      'content/en/articles/two.md': '---\ntitle: Two\n---\nText.\n',
    },
    { 'content/en/categories/one.md': page('One') },
  ]) {
    world = await fakeWorld(files);
    expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for content: 1 language (en)\n');
    await world.close();
  }
});

test('book.json is a book of HonKit if its summary is there, and else left from before', async () => {
  const pages = { 'source/index.md': page('Start'), 'source/a.md': page('A'), 'notes.md': page('Notes') };
  const book =
    '{ "root": "./source/", "structure": { "summary": "README.md" }, "plugins": [], "language": "fr" }';
  world = await fakeWorld({
    ...pages,
    'book.json': book,
    'source/README.md': '# C\n\n* [S](index.md)\n* [A](a.md)\n',
  });
  const { stdout, stderr } = await world.run('init');
  expect(stdout).toBe('wrote kbsync.yaml for source (gitbook): 1 language (fr)\n');
  expect(stderr).toContain('found 2 pages; recognised by book.json\n');
  expect((await world.run('check')).stdout).toBe('2 files, 1 language, nothing wrong\n');
  await world.close();
  world = await fakeWorld({ ...pages, 'book.json': book });
  expect((await world.run('init')).stdout).toBe('wrote kbsync.yaml for . (plain): 1 language (en)\n');
});
