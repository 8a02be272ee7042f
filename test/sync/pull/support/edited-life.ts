import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { diffArrays } from 'diff';
import { parse } from 'yaml';
import type { FakeWorld } from '../../../cli/support/fake-world.ts';
import { siteOf as editorOf } from '../../../cli/support/site.ts';
import { seededRandom } from '../../../support/random.ts';
import { EDIT_KINDS, edit, newArticle } from './editor.ts';
import type { ArticleBody, EditKind } from './editor.ts';

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

interface PlannedField {
  readonly field: string;
  readonly words?: { readonly added: number; readonly removed: number };
}

/** A new entry of a navigation moves on those behind it, and links follow a page that got another address. */
function isOfOthers({ field, words }: PlannedField): boolean {
  return field === 'ordering' || field === 'priority' || (words?.added === 0 && words.removed === 0);
}

interface Planned {
  readonly changes: readonly { readonly fields: readonly PlannedField[] }[];
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

async function json<T>(world: FakeWorld, ...argv: readonly string[]): Promise<T> {
  const ran = await world.run(...argv, '--json');
  try {
    return JSON.parse(ran.stdout) as T;
  } catch {
    throw new Error(`${argv.join(' ')}: exit ${ran.exit}\n${ran.stdout}${ran.stderr}`);
  }
}

/** Of the repository, by their paths. */
async function texts(world: FakeWorld): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(join(world.cwd, 'repo'), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)));
}

/** Lines that are gone, and lines that have come. */
function changedLines(
  before: string,
  after: string,
): { readonly gone: readonly string[]; readonly come: readonly string[] } {
  const parts = diffArrays(before.split('\n'), after.split('\n'));
  return {
    gone: parts.flatMap(({ removed, value }) => (removed ? value : [])),
    come: parts.flatMap(({ added, value }) => (added ? value : [])),
  };
}

/** Whether lines of one block at most were taken out; of a paragraph that is gone, the blank line beside it too. */
function isOneBlock(
  kind: EditKind,
  { gone, come }: { readonly gone: readonly string[]; readonly come: readonly string[] },
): boolean {
  const blanks = (lines: readonly string[]): number => lines.filter((line) => line.trim() === '').length;
  if (kind === 'word' || kind === 'cell') return gone.length <= 1;
  // A slug stands in front matter, and a title may be the first heading too.
  if (kind === 'renamed' || kind === 'title') return gone.length <= 3;
  // A list is one block, and there may be blank lines between its items.
  if (gone.some((line) => /^\s*(?:[-*+]|\d+[.)])\s/.test(line))) return true;
  // The last one takes the blank lines on both sides along.
  if (kind === 'paragraph gone') return blanks(gone) - blanks(come) <= 2;
  return blanks(gone) <= Number(kind === 'paragraph');
}

/** Whether a navigation kept every line but those of new titles: it gets lines, and none goes. */
function isEntered(before: string, after: string, titles: number): boolean {
  const { gone, come } = changedLines(before, after);
  // One line is the last one, which may get a comma.
  return come.length >= gone.length && gone.length <= titles + 1;
}

type Tally = Map<EditKind | 'new', [home: number, all: number]>;

export interface Outcome {
  readonly tally: Tally;
  /** Bytes that nobody meant to change, and plans that are not empty. */
  readonly wrong: readonly string[];
  /** Of edits that came home, without the new articles. */
  readonly share: number;
  /** Of what did not come home. */
  readonly whys: readonly string[];
  readonly report: string;
}

export interface LifeOptions {
  /** `content: repo/docs` and more. */
  readonly settings: string;
  readonly seed: number;
  /** At least so many edits. */
  readonly edits: number;
  /** Of a round; undefined: all articles. */
  readonly pagesMax?: number;
}

/** A life of a site whose repository is in `repo`: nothing edited, then rounds of one edit an article and one new article, each pulled. */
export async function editedLife(
  world: FakeWorld,
  { settings, seed, edits, pagesMax = Number.POSITIVE_INFINITY }: LifeOptions,
): Promise<Outcome> {
  await world.write('kbsync.yaml', settings);
  await withoutFaults(world);
  const first = await world.run('sync');
  if (first.exit !== 0) throw new Error(`sync: exit ${first.exit}\n${first.stdout}${first.stderr}`);
  const { content = '' } = parse(settings) as { readonly content?: string };
  const folder = join(world.cwd, content);
  const editor = editorOf(world);
  const random = seededRandom(seed);
  const wrong: string[] = [];
  const before = await texts(world);
  const still = await world.run('pull');
  if (still.exit !== 0) wrong.push(`pull with nothing edited: exit ${still.exit}`);
  for (const [file, text] of await texts(world))
    if (before.get(file) !== text) wrong.push(`pull with nothing edited changed ${file}`);
  const tagsShown = (await editor.ask('GET', '/api/v2/tags')) as { data: { id: string }[] };
  const tags = tagsShown.data.map(({ id }) => id);
  const tally: Tally = new Map();
  const whys: string[] = [];
  const count = (kind: EditKind | 'new', isHome: boolean): void => {
    const [home, all] = tally.get(kind) ?? [0, 0];
    tally.set(kind, [home + Number(isHome), all + 1]);
  };
  let made = 0;
  for (let round = 0; made < edits; round += 1) {
    const titles = chosen(await editor.titles(), pagesMax, random);
    const known = await texts(world);
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
    const { records } = await json<Pulled>(world, 'pull');
    const now = await texts(world);
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
      } else whys.push(`${done.get(id) ?? 'new'} ${fields.join()}: ${action} ${why ?? ''} (${file})`);
    }
    for (const [file, text] of known) {
      const kind = homes.get(file);
      const after = now.get(file) ?? '';
      if (navigations.has(file)) {
        if (!isEntered(text, after, [...done.values()].filter((each) => /title|renamed/.test(each)).length))
          wrong.push(`${file}\n${after}`);
      } else if (kind === undefined) {
        if (after !== text) wrong.push(`${file} changed`);
      } else {
        const lines = changedLines(text, after);
        if (!isOneBlock(kind, lines))
          wrong.push(`${file} ${kind}\n${lines.gone.join('\n')}\n->\n${lines.come.join('\n')}`);
      }
    }
    for (const [id, kind] of done) count(kind, isHome.has(id));
    count('new', isHome.has(fresh.id));
    if (!isHome.has(fresh.id)) await editor.remove(fresh.title);
    const plan = await json<Planned>(world, 'plan');
    const open = plan.changes.filter(({ fields }) => !fields.every(isOfOthers));
    if (open.length > 0) wrong.push(`changes ${JSON.stringify(open)}`);
    if (plan.conflicts.length > 0) wrong.push(`conflicts ${JSON.stringify(plan.conflicts)}`);
    const away = [...done].filter(([id]) => !isHome.has(id)).length;
    if (plan.drift.length !== away)
      wrong.push(`${away} edits did not come home, the plan has drift of ${JSON.stringify(plan.drift)}`);
    for (const { key } of plan.drift) await world.run('resolve', key, '--local');
    if (plan.changes.length > 0) await world.run('sync', '--yes');
    for (const file of now.keys()) if (/\.remote(?:-\d+)?\.md$/.test(file)) await rm(file);
  }
  const counts = [...tally].flatMap(([kind, of]) => (kind === 'new' ? [] : [of]));
  const all = counts.reduce((sum, [, of]) => sum + of, 0);
  const home = counts.reduce((sum, [came]) => sum + came, 0);
  const report = `${home}/${all}: ${[...tally].map(([kind, [came, of]]) => `${kind} ${came}/${of}`).join(', ')}`;
  return { tally, wrong, share: home / all, whys, report };
}

/** So many of them; a title that two pages share names none. */
function chosen(titles: readonly string[], most: number, random: () => number): readonly string[] {
  const left = titles.filter((title) => titles.indexOf(title) === titles.lastIndexOf(title));
  if (left.length <= most) return left;
  const picked: string[] = [];
  while (picked.length < most) picked.push(...left.splice(Math.floor(random() * left.length), 1));
  return picked;
}

/** A page that its layout would not send as it is does not belong here: its system's own words would. */
async function withoutFaults(world: FakeWorld): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    const { problems } = await json<Checked>(world, 'check');
    const faults = problems.filter(({ severity }) => severity === 'error');
    if (faults.length === 0) return;
    for (const { file } of faults) await world.remove(file);
  }
}
