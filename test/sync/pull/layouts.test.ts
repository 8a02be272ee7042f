import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PRESET_NAMES } from '../../../src/content/presets/names.ts';
import type { PresetName } from '../../../src/content/presets/names.ts';
import { fakeWorld } from '../../cli/support/fake-world.ts';
import type { FakeWorld } from '../../cli/support/fake-world.ts';
import { siteOf as editorOf } from '../../cli/support/site.ts';
import { hasCorpora, reasonWithoutCorpora, unpackCorpus } from '../../support/corpus.ts';
import { seededRandom } from '../../support/random.ts';
import { EDIT_KINDS, edit, newArticle } from './support/editor.ts';
import type { ArticleBody, EditKind } from './support/editor.ts';
import { siteOf, siteWith } from './support/layouts.ts';
import type { Site } from './support/layouts.ts';
import { realPages } from './support/real-pages.ts';

/** `KBSYNC_PULL_EDITS=200` is what the figures of docs/reference/fidelity.md were measured with. */
const ASKED = process.env['KBSYNC_PULL_EDITS'];
const EDITS = Number(ASKED ?? EDIT_KINDS.length);
const PAGES = ASKED === undefined ? 8 : 40;

if (!hasCorpora) process.stderr.write(`${reasonWithoutCorpora()}\n`);

let world: FakeWorld;
afterEach(() => world.close());

interface Pulled {
  readonly records: readonly {
    readonly id: string;
    readonly key?: string;
    readonly file?: string;
    readonly action: string;
    readonly why?: string;
    readonly fields: readonly string[];
    readonly navigations?: readonly string[];
  }[];
}

interface Planned {
  readonly changes: readonly unknown[];
  readonly conflicts: readonly unknown[];
  readonly drift: readonly { readonly key: string }[];
}

interface Checked {
  readonly problems: readonly {
    readonly file: string;
    readonly severity: string;
    readonly message: string;
  }[];
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
function isOneBlock(
  kind: EditKind,
  { gone, come }: { readonly gone: readonly string[]; readonly come: readonly string[] },
): boolean {
  const blanks = (lines: readonly string[]): number => lines.filter((line) => line.trim() === '').length;
  if (kind === 'word' || kind === 'cell') return gone.length <= 1;
  // A slug stands in front matter, and a title may be the first heading too.
  if (kind === 'renamed' || kind === 'title') return gone.length <= 6;
  // A list is one block, and there may be blank lines between its items.
  if (gone.some((line) => /^\s*(?:[-*+]|\d+[.)])\s/.test(line))) return true;
  // The last one takes the blank lines on both sides along.
  if (kind === 'paragraph gone') return blanks(gone) - blanks(come) <= 2;
  return blanks(gone) <= Number(kind === 'paragraph');
}

/** Whether a navigation kept every line but those of new titles: it gets lines, and none goes. */
function isEntered(before: string, after: string): boolean {
  const [old, next] = [before.split('\n'), after.split('\n')];
  return next.length >= old.length && old.length - old.filter((line) => next.includes(line)).length <= 3;
}

type Tally = Map<EditKind | 'new', [home: number, all: number]>;

interface Outcome {
  readonly tally: Tally;
  /** Of edits that came home, without the new articles. */
  readonly share: number;
  /** Of what did not come home. */
  readonly whys: readonly string[];
  readonly report: string;
}

/** A life of a site: nothing edited, then rounds of one edit an article and one new article, each pulled. */
async function editedLife({ settings, files }: Site, seed: number): Promise<Outcome> {
  world = await fakeWorld(files);
  await world.write('kbsync.yaml', settings);
  await withoutFaults();
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  const folder = join(world.cwd, /^content: (.*)$/m.exec(settings)?.[1] ?? '');
  const editor = editorOf(world);
  const random = seededRandom(seed);
  const before = await texts();
  expect((await world.run('pull')).exit).toBe(0);
  expect(await texts()).toEqual(before);
  const tagsShown = (await editor.ask('GET', '/api/v2/tags')) as { data: { id: string }[] };
  const tags = tagsShown.data.map(({ id }) => id);
  const tally: Tally = new Map();
  const whys: string[] = [];
  const count = (kind: EditKind | 'new', isHome: boolean): void => {
    const [home, all] = tally.get(kind) ?? [0, 0];
    tally.set(kind, [home + Number(isHome), all + 1]);
  };
  let made = 0;
  for (let round = 0; made < EDITS; round += 1) {
    const titles = await editor.titles();
    const known = await texts();
    const done = new Map<string, EditKind>();
    for (const [index, title] of titles.entries()) {
      const kind = EDIT_KINDS[(round * titles.length + index) % EDIT_KINDS.length] ?? 'word';
      const mark = `x${round}y${index}`;
      const id = await editor.idOf(title);
      let isMade = false;
      await editor.edit(title, (body) => {
        isMade = edit(body as unknown as ArticleBody, kind, { random, mark, tags });
      });
      if (isMade) done.set(id, kind);
    }
    made += done.size + 1;
    const fresh = await newArticle(editor, `x${round}`);
    const { records } = await json<Pulled>('pull');
    const now = await texts();
    const homes = new Map<string, EditKind | undefined>();
    const navigations = new Set<string>();
    const isHome = new Set<string>();
    // A field that a file does not name belongs to the site: its edits have no way to go.
    const named = new Set(records.map(({ id }) => id));
    for (const [id, kind] of done) if (kind.startsWith('tag') && !named.has(id)) done.delete(id);
    for (const { id, file = '', action, why, fields, navigations: named = [] } of records) {
      for (const path of named) navigations.add(join(folder, path));
      if (action === 'updated' || action === 'created') {
        isHome.add(id);
        homes.set(join(folder, file), done.get(id));
      } else whys.push(`${done.get(id) ?? 'new'} ${fields.join()}: ${action} ${why ?? ''}`);
    }
    const wrong = [...known].flatMap(([file, text]) => {
      const kind = homes.get(file);
      const after = now.get(file) ?? '';
      if (navigations.has(file)) return isEntered(text, after) ? [] : [`${file}\n${after}`];
      if (kind === undefined) return after === text ? [] : [`${file} changed`];
      const lines = changedLines(text, after);
      const shown = `${kind}\n${lines.gone.join('\n')}\n->\n${lines.come.join('\n')}`;
      return isOneBlock(kind, lines) ? [] : [shown];
    });
    expect(wrong).toEqual([]);
    for (const [id, kind] of done) count(kind, isHome.has(id));
    count('new', isHome.has(fresh.id));
    if (!isHome.has(fresh.id)) await editor.remove(fresh.title);
    const plan = await json<Planned>('plan');
    expect(plan.changes).toEqual([]);
    expect(plan.conflicts).toEqual([]);
    const away = [...done].filter(([id]) => !isHome.has(id)).map(([, kind]) => kind);
    expect(plan.drift).toHaveLength(away.length);
    for (const { key } of plan.drift) await world.run('resolve', key, '--local');
    for (const file of now.keys()) if (/\.remote(?:-\d+)?\.md$/.test(file)) await rm(file);
  }
  // A new article of a layout with a list of its pages needs a line there, and that is the author's.
  const edits = [...tally].flatMap(([kind, counts]) => (kind === 'new' ? [] : [counts]));
  const all = edits.reduce((sum, [, of]) => sum + of, 0);
  const home = edits.reduce((sum, [came]) => sum + came, 0);
  const report = `${home}/${all}: ${[...tally].map(([kind, [came, of]]) => `${kind} ${came}/${of}`).join(', ')}`;
  return { tally, share: home / all, whys, report };
}

/** A page that its layout would not send as it is does not belong here: its system's own words would. */
async function withoutFaults(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    const { problems } = await json<Checked>('check');
    const faults = problems.filter(({ severity }) => severity === 'error');
    if (faults.length === 0) return;
    for (const { file } of faults) await world.remove(file);
  }
}

function told(preset: PresetName, { report, whys }: Outcome): void {
  if (ASKED === undefined) return;
  const counts = new Map<string, number>();
  for (const why of whys) counts.set(why, (counts.get(why) ?? 0) + 1);
  const lines = [...counts].sort(([, a], [, b]) => b - a).map(([why, times]) => `  ${times} × ${why}`);
  process.stderr.write(`${preset}: ${report}\n${lines.join('\n')}\n`);
}

test.each(PRESET_NAMES)('%s: what editors do comes home into the lines it is about', async (preset) => {
  const outcome = await editedLife(siteOf(preset), preset.length * 7919);
  told(preset, outcome);
  const [headings, all] = outcome.tally.get('heading') ?? [0, 0];
  expect(headings).toBe(all);
  expect(outcome.share, `${outcome.report}\n${outcome.whys.join('\n')}`).toBeGreaterThan(0.7);
});

describe.skipIf(!hasCorpora)('pages of real documentation', () => {
  let root = '';
  beforeAll(() => {
    root = unpackCorpus('dev-neutral');
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test.each(PRESET_NAMES)('%s: what editors do to them comes home', async (preset) => {
    const { settings, files } = siteWith(preset, realPages(root, PAGES, preset.length * 104_729));
    const real = `${settings}allow: [dead-link, dead-anchor, missing-image]\nassets: { baseUrl: https://cdn.example.com }\n`;
    const outcome = await editedLife({ settings: real, files }, preset.length * 7919);
    told(preset, outcome);
    expect(outcome.share, `${outcome.report}\n${outcome.whys.join('\n')}`).toBeGreaterThan(0.7);
  });
});
