import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { PRESET_NAMES } from '../../../../src/content/presets/names.ts';
import { seededRandom } from '../../../support/random.ts';
import { endingOf, siteWith, type Page } from '../../../sync/pull/support/layouts.ts';
import { fakeWorld, type FakeWorld } from '../../support/fake-world.ts';

/** `KBSYNC_MOVES=20` moves so many pages in each layout, there and back. */
const MOVES = Number(process.env['KBSYNC_MOVES'] ?? 2);

let world: FakeWorld;
afterEach(() => world.close());

const NAMES = ['install', 'update', 'remove', 'backup'] as const;

/** Every page links to all others, from the file and with an anchor. */
const PAGES: readonly Page[] = NAMES.map((name) => ({
  name,
  title: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  text: `How to ${name}.\n\n## Before\n\n${NAMES.map((other) => `- [to ${other}](${other}.md#before)\n`).join('')}`,
}));

async function texts(): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(join(world.cwd, 'repo'), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [file.slice(world.cwd.length + 1), await readFile(file, 'utf8')]),
    ),
  );
}

/** A link from a folder into itself is left as it is: it leads where it led. */
function spelled(all: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(all).map(([file, text]) => [file, text.replaceAll('](../guide/', '](')]),
  );
}

async function codes(): Promise<readonly string[]> {
  const { problems } = JSON.parse((await world.run('check', '--json')).stdout) as {
    problems: readonly { code: string; message: string }[];
  };
  return problems.map(({ code }) => code).sort();
}

interface Planned {
  readonly changes: readonly { readonly action: string; readonly kind: string }[];
  readonly unmanaged: readonly unknown[];
}

test.each(PRESET_NAMES)(
  '%s: a moved page has no new problem and keeps its record; moved back, all files have their bytes',
  async (preset) => {
    const pages = PAGES.map((page) => ({
      ...page,
      text: page.text.replaceAll('.md#', `${endingOf(preset)}#`),
    }));
    const { settings, files } = siteWith(preset, pages);
    world = await fakeWorld(files);
    await world.write('kbsync.yaml', `${settings}allow: [dead-link, dead-anchor]\n`);
    expect(await world.run('sync')).toMatchObject({ exit: 0 });
    const random = seededRandom(preset.length * 6151);
    const before = await texts();
    const problems = await codes();
    let moved = 0;
    for (let at = 0; at < MOVES; at += 1) {
      const all = Object.keys(before).filter((file) =>
        /\/guide\/(?!_?index)[a-z]+\.(?:mdx?|qmd|Rmd)$/.test(file),
      );
      const from = all[Math.floor(random() * all.length)] ?? '';
      const folder = ['other', 'guide/deep', 'guide'][Math.floor(random() * 3)] ?? '';
      const to = from.replace(/guide\/[a-z]+(\.(?:mdx?|qmd|Rmd))$/, `${folder}/renamed-${at}$1`);
      const { exit, stderr } = await world.run('mv', from, to);
      moved += Number(exit === 0);
      expect([exit, stderr]).toEqual([0, '']);
      expect(await codes()).toEqual(problems);
      const plan = JSON.parse((await world.run('plan', '--json')).stdout) as Planned;
      const articles = plan.changes.filter(({ kind }) => kind === 'article');
      expect(articles.filter(({ action }) => action !== 'update')).toEqual([]);
      expect(plan.unmanaged).toEqual([]);
      expect((await world.run('mv', to, from)).exit).toBe(0);
      expect(spelled(await texts())).toEqual(spelled(before));
      expect((await world.run('plan')).stdout).toContain('in sync');
    }
    if (process.env['KBSYNC_MOVES'] !== undefined) process.stderr.write(`${preset}: ${moved}/${MOVES}\n`);
  },
);
