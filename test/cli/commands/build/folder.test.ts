import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../../../../src/cli/main.ts';
import { realFiles } from '../../../../src/machine/machine.ts';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
});
afterEach(() => world.close());

const PAGE = 'site/en/articles/install/index.html';
const BUILD = ['build', '--out', 'site'];

/** Every file of the site with its text. */
function site(folder = 'site'): ReadonlyMap<string, string> {
  const entries = readdirSync(join(world.cwd, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.sort().map((file) => [file, readFileSync(file, 'utf8')]));
}

const SETTINGS = 'baseUrl: https://help.example.com\n';
const leadingOn = (from: string): Promise<void> =>
  world.write('kbsync.yaml', `${SETTINGS}redirects: { ${from}: /en/articles/install }\n`);

/** A build on a disk that is asked before each page is written. */
function buildOn(disk: (written: number) => Promise<void>): Promise<number> {
  let written = 0;
  const writeBytes = async (file: string, bytes: Uint8Array): Promise<void> => {
    await disk((written += 1));
    await realFiles.writeBytes(file, bytes);
  };
  return main(BUILD, { ...world.world(), files: { ...realFiles, writeBytes } });
}

const edit = (title: string): Promise<void> =>
  world.write('content/en/articles/install.md', `---\ntitle: ${title}\n---\n\nRun it.\n`);

test('a build that fails while it makes pages leaves the earlier site as it was', async () => {
  await world.run(...BUILD);
  const before = site();
  await edit('Changed');
  const full = async (written: number): Promise<void> => {
    if (written > 12) throw Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' });
  };
  await expect(buildOn(full)).rejects.toThrow('ENOSPC');
  expect(site()).toEqual(before);
  expect((await world.run(...BUILD)).exit).toBe(0);
  expect(await world.read(PAGE)).toContain('Changed');
});

test('what a build that died left aside is no page of the next one', async () => {
  await world.run(...BUILD);
  const before = site();
  await world.write('site/.kbsync-build/dead/en/articles/install/index.html', 'half a p');
  await world.write('site/.kbsync-build/owner', 'dead');
  expect((await world.run(...BUILD)).exit).toBe(0);
  expect([...site().keys()]).toEqual([...before.keys()]);
  expect(existsSync(join(world.cwd, 'site/.kbsync-build'))).toBe(false);
});

test('of two builds at once into one folder, the first says so and puts no page there', async () => {
  let second: Promise<unknown> | undefined;
  const exit = await buildOn(async (written) => {
    if (written !== 12) return;
    await edit('Second');
    second = world.run(...BUILD);
    await second;
  });
  await second;
  expect(exit).toBe(4);
  expect(world.stderrNow()).toContain(
    '--out: another build began to write into site while this one made its pages',
  );
  expect(await world.read(PAGE)).toContain('Second');
  expect(existsSync(join(world.cwd, 'site/.kbsync-build'))).toBe(false);
});

test('a folder for new pages is made beside those that are there', async () => {
  await world.run(...BUILD);
  await world.write('site/en/articles/CNAME', 'docs.example.com\n');
  await world.write('content/en/articles/new.md', '---\ntitle: New\n---\n\nText.\n');
  expect((await world.run(...BUILD)).exit).toBe(0);
  expect(await world.read('site/en/articles/new/index.html')).toContain('New');
  expect(await world.read('site/en/articles/CNAME')).toBe('docs.example.com\n');
});

test('a page whose name was a folder, and a folder whose name was a page, take their places', async () => {
  await leadingOn('/old.html');
  await world.run(...BUILD);
  expect(await world.read('site/old.html')).toContain('/en/articles/install');
  await leadingOn('/old.html/');
  expect(await world.run(...BUILD)).toMatchObject({ exit: 0, stderr: '' });
  expect(await world.read('site/old.html/index.html')).toContain('/en/articles/install');
  await leadingOn('/old.html');
  expect(await world.run(...BUILD)).toMatchObject({ exit: 0, stderr: '' });
  expect(await world.read('site/old.html')).toContain('/en/articles/install');
});

test.each([
  ['site/en/articles/new/index.html', 'en/articles/new/index.html'],
  ['site/old.html/CNAME', 'old.html/CNAME'],
  ['site/en/articles/new', 'en/articles/new'],
])(
  'a file of the user that a page would replace (%s) stops the build before it changes a page',
  async (own, named) => {
    await world.run(...BUILD);
    await world.write(own, 'mine');
    const before = site();
    await edit('Changed');
    await world.write('content/en/articles/new.md', '---\ntitle: New\n---\n\nText.\n');
    await leadingOn('/old.html');
    const refused = await world.run(...BUILD);
    expect(refused.exit).toBe(4);
    expect(refused.stderr).toContain(`no build wrote \`${named}\` in site`);
    expect(site()).toEqual(before);
  },
);

test('a build that another one overtakes while it moves its pages says so, and its pages go when they are no more', async () => {
  await world.run(...BUILD);
  await world.write('content/en/articles/new.md', '---\ntitle: New\n---\n\nText.\n');
  let second: Promise<unknown> | undefined;
  const move = async (from: string, to: string): Promise<void> => {
    if (to.endsWith('robots.txt')) {
      await world.remove('content/en/articles/new.md');
      second = world.run(...BUILD);
      await second;
    }
    await realFiles.move(from, to);
  };
  const exit = await main(BUILD, { ...world.world(), files: { ...realFiles, move } });
  expect(exit).toBe(4);
  expect(await second).toMatchObject({ exit: 0, stderr: '' });
  expect(world.stderrNow()).toContain('another build began to write into site');
  expect(existsSync(join(world.cwd, 'site/en/articles/new'))).toBe(false);
});

test('a build that dies while it moves its pages is made whole by the next one', async () => {
  await world.write('content/en/articles/gone.md', '---\ntitle: Gone\n---\n\nText.\n');
  await leadingOn('/old.html');
  await world.run(...BUILD);
  await world.remove('content/en/articles/gone.md');
  await edit('Changed');
  await leadingOn('/old.html/');
  let moved = 0;
  const move = async (from: string, to: string): Promise<void> => {
    moved += 1;
    if (moved > 12) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    await realFiles.move(from, to);
  };
  // What is killed cleans nothing up either.
  const killed = {
    ...realFiles,
    move,
    removeFolder: async (): Promise<void> => {},
    removeEmptyFolder: async () => {},
  };
  await expect(main(BUILD, { ...world.world(), files: killed })).rejects.toThrow('EIO');
  expect(await world.run(...BUILD)).toMatchObject({ exit: 0, stderr: '' });
  const after = site();
  await world.run('build', '--out', 'fresh');
  const fresh = [...site('fresh').keys()].map((file) => file.replace('/fresh/', '/site/'));
  expect([...after.keys()]).toEqual(fresh);
  expect(await world.read(PAGE)).toContain('Changed');
});
