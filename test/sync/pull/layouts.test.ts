import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { PRESET_NAMES } from '../../../src/content/presets/names.ts';
import { fakeWorld } from '../../cli/support/fake-world.ts';
import type { FakeWorld } from '../../cli/support/fake-world.ts';
import { siteOf as editorOf } from '../../cli/support/site.ts';
import { seededRandom } from '../../support/random.ts';
import { EDIT_KINDS, edit } from './support/editor.ts';
import type { ArticleBody, EditKind } from './support/editor.ts';
import { siteOf } from './support/layouts.ts';

/** `KBSYNC_PULL_EDITS=200` is what the figures of docs/reference/fidelity.md were measured with. */
const EDITS = Number(process.env['KBSYNC_PULL_EDITS'] ?? 13);

let world: FakeWorld;
afterEach(() => world.close());

interface Pulled {
  readonly records: readonly {
    readonly key?: string;
    readonly file?: string;
    readonly action: string;
    readonly why?: string;
    readonly fields: readonly string[];
  }[];
}

interface Planned {
  readonly changes: readonly unknown[];
  readonly conflicts: readonly unknown[];
  readonly drift: readonly { readonly key: string }[];
}

async function json<T>(...argv: readonly string[]): Promise<T> {
  const ran = await world.run(...argv, '--json');
  try {
    return JSON.parse(ran.stdout) as T;
  } catch {
    throw new Error(`${argv.join(' ')}: exit ${ran.exit}\n${ran.stdout}${ran.stderr}`);
  }
}

async function texts(): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(join(world.cwd, 'repo'), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)));
}

/** What stands between the lines that two texts begin and end with. */
function changedLines(
  before: string,
  after: string,
): { readonly gone: readonly string[]; readonly come: readonly string[] } {
  const [old, next] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < Math.min(old.length, next.length) && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, next.length) - head && old.at(-1 - tail) === next.at(-1 - tail))
    tail += 1;
  return { gone: old.slice(head, old.length - tail), come: next.slice(head, next.length - tail) };
}

/** Whether lines of one block at most were taken out; of a paragraph that is gone, the blank line beside it too. */
function isOneBlock(kind: EditKind, gone: readonly string[]): boolean {
  const blanks = gone.filter((line) => line.trim() === '').length;
  if (kind === 'word' || kind === 'cell') return gone.length <= 1;
  return blanks <= Number(kind === 'paragraph gone' || kind === 'paragraph');
}

test.each(PRESET_NAMES)('%s: what editors do comes home into the lines it is about', async (preset) => {
  const { settings, files } = siteOf(preset);
  world = await fakeWorld(files);
  await world.write('kbsync.yaml', settings);
  const synced = await world.run('sync');
  expect(synced).toMatchObject({ exit: 0 });
  const editor = editorOf(world);
  const random = seededRandom(preset.length * 7919);
  const before = await texts();
  expect((await world.run('pull')).exit).toBe(0);
  expect(await texts()).toEqual(before);
  expect(await editor.titles()).toHaveLength(6);
  const tagsShown = (await editor.ask('GET', '/api/v2/tags')) as { data: { id: string }[] };
  const tags = tagsShown.data.map(({ id }) => id);
  const tally = new Map<EditKind, [home: number, all: number]>();
  const whys: string[] = [];
  let made = 0;
  for (let round = 0; made < EDITS; round += 1) {
    const titles = await editor.titles();
    const known = await texts();
    const done = new Map<string, EditKind>();
    for (const [index, title] of titles.entries()) {
      const kind = EDIT_KINDS[(round * titles.length + index) % EDIT_KINDS.length] ?? 'word';
      const mark = `x${round}y${index}`;
      await editor.edit(title, (body) => {
        const article = body as unknown as ArticleBody;
        if (!edit(article, kind, { random, mark, tags })) return;
        done.set(article.title.split(' ')[0]?.toLowerCase() ?? '', kind);
      });
    }
    made += done.size;
    const { records } = await json<Pulled>('pull');
    const now = await texts();
    const isHome = new Set<string>();
    for (const { key = '', action, why, fields } of records) {
      const name = /(\w+)@en$/.exec(key)?.[1] ?? '';
      if (action === 'updated') isHome.add(name);
      else whys.push(`${done.get(name) ?? '?'} ${fields.join()}: ${action} ${why ?? ''}`);
    }
    const wrong = [...known].flatMap(([file, text]) => {
      const name = /([^/]+)\.mdx?$/.exec(file)?.[1] ?? '';
      const kind = done.get(name);
      const after = now.get(file) ?? '';
      if (kind === undefined || !isHome.has(name)) return after === text ? [] : [`${file} changed`];
      const { gone, come } = changedLines(text, after);
      return isOneBlock(kind, gone) ? [] : [`${kind}\n${gone.join('\n')}\n->\n${come.join('\n')}`];
    });
    expect(wrong).toEqual([]);
    for (const [name, kind] of done) {
      const [home, all] = tally.get(kind) ?? [0, 0];
      tally.set(kind, [home + Number(isHome.has(name)), all + 1]);
    }
    const plan = await json<Planned>('plan');
    expect(plan.changes).toEqual([]);
    expect(plan.conflicts).toEqual([]);
    expect(plan.drift).toHaveLength(done.size - isHome.size);
    for (const { key } of plan.drift) await world.run('resolve', key, '--local');
    for (const file of now.keys()) if (/\.remote(?:-\d+)?\.md$/.test(file)) await rm(file);
  }
  const all = [...tally.values()].reduce((sum, [, count]) => sum + count, 0);
  const home = [...tally.values()].reduce((sum, [count]) => sum + count, 0);
  const report = [...tally].map(([kind, [came, of]]) => `${kind} ${came}/${of}`).join(', ');
  if (process.env['KBSYNC_PULL_EDITS'] !== undefined)
    process.stderr.write(`${preset}: ${home}/${all}: ${report}\n${[...new Set(whys)].join('\n')}\n`);
  expect(home / all, `${report}\n${whys.join('\n')}`).toBeGreaterThan(0.8);
});
