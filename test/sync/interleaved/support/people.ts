import type { KnownFields } from '../../../../src/model/fields.ts';
import type { KnownRecord } from '../../../../src/model/record.ts';
import type { Kind } from '../../../../src/model/key.ts';
import { knowledgeOf, type KnowledgeRow } from '../../../support/knowledge.ts';
import type { Rig } from '../../../support/rig.ts';
import type { Chance } from '../../../sim/random.ts';
import type { Layout } from './layouts.ts';
import type { Tree } from './merge.ts';

/** Whoever writes, with the words of all edits so far. */
export interface People {
  readonly chance: Chance;
  readonly layout: Layout;
  /** A word that stands for the next edit: `e17`. */
  readonly newWord: () => string;
  /** A word that stands for the next page, whatever its name: `u3`. */
  readonly newPage: () => string;
  /** Words that somebody who saw them took out. */
  readonly takenOut: Set<string>;
  /** The site's editor leaves the comment at the end of a text where it is. */
  readonly keepsStamps: boolean;
  /** Nothing remembers what the last sync did. */
  readonly isStateless: boolean;
  /** `kbsync mv`: the tree with a page under another name; undefined: refused. */
  readonly move: (tree: Tree, from: string, to: string) => Map<string, string> | undefined;
}

export function wordsIn(text: string): readonly string[] {
  return [...new Set(text.match(/\be\d+\b/g))];
}

export function pagesIn(text: string): readonly string[] {
  return [...new Set(text.match(/\bu\d+\b/g))];
}

function note({ takenOut }: Pick<People, 'takenOut'>, before: string, after: string): void {
  const left = new Set(wordsIn(after));
  for (const word of wordsIn(before)) if (!left.has(word)) takenOut.add(word);
}

export function newText({ layout }: Pick<People, 'layout'>, title: string, page: string): string {
  return `${layout.head(title)}The first words of ${page} are written here.\n\nThere is another line that somebody may change.\n\nAnd these words come last.\n`;
}

function isPage(path: string): boolean {
  return path.endsWith('.md') && !/SUMMARY|_index|categories\/|tags\//.test(path);
}

export function pagesOf(tree: Tree): readonly string[] {
  return [...tree.keys()].filter(isPage).sort();
}

/** One change of the author in a working tree. Returns what it was. */
export function authorActs(tree: Map<string, string>, people: People): string {
  const { chance } = people;
  const path = chance.pick(pagesOf(tree));
  const roll = chance.below(12);
  if (path === undefined || roll === 11) return addPage(tree, people);
  const before = tree.get(path) ?? '';
  if (roll < 5) return rewrite(tree, path, changedBody(before, people), people);
  if (roll < 7) return rewrite(tree, path, changedTitle(before, people), people);
  if (roll === 7) return rewrite(tree, path, before.replace(/^tags:.*\n(?: +- .*\n)*/m, ''), people);
  if (roll === 8) return removePage(tree, path, people);
  return movePage(tree, path, people);
}

function rewrite(tree: Map<string, string>, path: string, after: string, people: People): string {
  note(people, tree.get(path) ?? '', after);
  tree.set(path, after);
  return `${path}: ${wordsIn(after).join()}`;
}

function headEnd(text: string): number {
  return /^---\n[\s\S]*?\n---\n|^# .*\n/.exec(text)?.[0].length ?? 0;
}

function changedBody(text: string, { chance, newWord }: People): string {
  const end = headEnd(text);
  const body = text.slice(end);
  const found = chance.pick([...body.matchAll(/\b[a-z]{4,}\b/g)]);
  if (found === undefined || chance.happens(0.3)) return `${text}\nMore about ${newWord()} here.\n`;
  return `${text.slice(0, end)}${body.slice(0, found.index)}${newWord()}${body.slice(found.index + found[0].length)}`;
}

function changedTitle(text: string, { newWord }: People): string {
  const line = /^(?:title: |# ).*$/m.exec(text);
  if (line === null) return text;
  const next = line[0]
    .replaceAll(/ e\d+\b/g, '')
    .replace(/\b[A-Z][a-z]+\d*/, (name) => `${name} ${newWord()}`);
  return text.replace(line[0], () => next);
}

function addPage(tree: Map<string, string>, people: People): string {
  const { layout } = people;
  const page = people.newPage();
  const name = `page-${page}`;
  tree.set(layout.page(name, 'en'), newText(people, `Page ${people.newWord()}`, page));
  const summary = tree.get('SUMMARY.md');
  if (summary !== undefined) tree.set('SUMMARY.md', `${summary}- [${name}](guide/${name}.md)\n`);
  return `new ${name}`;
}

export function familyIn(tree: Tree, path: string, { layout }: Pick<People, 'layout'>): readonly string[] {
  const name = nameOf(path);
  return layout.languages.map((lang) => layout.page(name, lang)).filter((file) => tree.has(file));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/(?:\.fr)?\.md$/, '');
}

function removePage(tree: Map<string, string>, path: string, people: People): string {
  for (const file of familyIn(tree, path, people)) {
    note(people, `${file} ${tree.get(file) ?? ''}`, '');
    tree.delete(file);
  }
  const summary = tree.get('SUMMARY.md');
  if (summary !== undefined)
    tree.set(
      'SUMMARY.md',
      summary
        .split('\n')
        .filter((line) => !line.includes(`/${nameOf(path)}.md`))
        .join('\n'),
    );
  return `gone ${nameOf(path)}`;
}

/** `kbsync mv`, which says in the file or in kbsync.yaml what the page was. */
function movePage(tree: Map<string, string>, path: string, people: People): string {
  const [from, to] = newName(path, people);
  const moved = people.move(tree, from, to);
  if (moved === undefined) return `${from} stays`;
  note(people, [...tree].join(' '), [...moved].join(' '));
  tree.clear();
  for (const [file, text] of moved) tree.set(file, text);
  return `${from} to ${to}`;
}

function newName(path: string, { layout, newWord }: People): readonly [from: string, to: string] {
  const name = nameOf(path);
  return [layout.page(name, 'en'), layout.page(`${name.slice(0, 12)}-${newWord()}`, 'en')];
}

/** `git mv` and nothing else: nothing says what the page was but its text. */
export function moveSilently(tree: Map<string, string>, path: string, people: People): string {
  const { layout } = people;
  const old = nameOf(path);
  const [, to] = newName(path, people);
  const name = nameOf(to);
  const before = [...tree].join(' ');
  for (const lang of layout.languages) {
    const text = tree.get(layout.page(old, lang));
    if (text === undefined) continue;
    tree.delete(layout.page(old, lang));
    tree.set(layout.page(name, lang), text);
  }
  const summary = tree.get('SUMMARY.md');
  if (summary !== undefined)
    tree.set('SUMMARY.md', summary.replaceAll(`(guide/${old}.md)`, `(guide/${name}.md)`));
  note(people, before, [...tree].join(' '));
  return `${old} to ${name}, and says nothing`;
}

/** One thing that somebody does on the site. Returns what it was; `gone`: pages that were deleted. */
export async function editorActs(
  rig: Rig,
  people: People,
): Promise<{ readonly told: string; readonly gone: readonly string[] }> {
  const { chance, newWord } = people;
  const rows = (await knowledgeOf(rig.store)).filter(({ kind }) => kind === 'article');
  const row = chance.pick(rows);
  const roll = chance.below(12);
  if (row === undefined || roll === 11) return { told: await createArticle(rig, people), gone: [] };
  if (roll === 10 && row.original === undefined && rows.every(({ original }) => original !== row.id)) {
    note(people, row.all, '');
    await rig.editor().remove('article', row.id, {});
    return { told: `deletes ${row.slug}`, gone: pagesIn(row.text) };
  }
  if (roll < 5)
    return edited(rig, row, people, (record) => ({
      content: changedHtml(String(record.fields['content']), people),
    }));
  if (roll < 8)
    return edited(rig, row, people, ({ fields }) => ({
      title: `${String(fields['title']).replaceAll(/ e\d+\b/g, '')} ${newWord()}`,
    }));
  // Without a state and without a stamp, a page with another address is another page.
  if (roll === 8 && row.original === undefined)
    return edited(rig, row, people, ({ stamp }) =>
      people.isStateless && (stamp === undefined || !people.keepsStamps)
        ? {}
        : { slug: `named-${newWord()}` },
    );
  return edited(rig, row, people, await tagChange(rig, people));
}

async function edited(
  rig: Rig,
  row: KnowledgeRow,
  people: People,
  change: (record: KnownRecord) => KnownFields,
): Promise<{ readonly told: string; readonly gone: readonly string[] }> {
  const editor = rig.editor();
  const id = row.original ?? row.id;
  const read = await editor.read('article', id, row.lang === 'en' ? undefined : row.lang);
  if (read.state !== 'found') return { told: 'nothing', gone: [] };
  const { fields, stamp } = read.record;
  const before = rowText(row);
  const next: Record<string, unknown> = { ...fields, ...change(read.record) };
  const isKept = stamp !== undefined && (people.keepsStamps || people.chance.happens(0.6));
  if (isKept) next['content'] = `${String(next['content'])}\n${stamp}`;
  const given = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null));
  // What was read is what is written, but for the change.
  await editor.edit('article', id, row.lang, given as KnownFields, {});
  const after = (await knowledgeOf(rig.store)).find(({ id: other }) => other === row.id);
  note(people, before, after === undefined ? '' : rowText(after));
  return {
    told: `${row.slug}@${row.lang}: ${after === undefined ? '' : wordsIn(rowText(after)).join()}`,
    gone: [],
  };
}

export function rowText({ name, slug, text, refs }: KnowledgeRow): string {
  return [name, slug, text, ...refs].join(' ');
}

function changedHtml(html: string, { chance, newWord }: People): string {
  const found = chance.pick([...html.matchAll(/(?<=>[^<>]*)\b[a-z]{4,}\b(?=[^<>]*<)/g)]);
  if (found === undefined || chance.happens(0.3)) return `${html}\n<p>More about ${newWord()} there.</p>`;
  return `${html.slice(0, found.index)}${newWord()}${html.slice(found.index + found[0].length)}`;
}

async function tagChange(
  rig: Rig,
  { newWord, chance }: People,
): Promise<(record: KnownRecord) => KnownFields> {
  const tags = (await knowledgeOf(rig.store)).filter(
    ({ kind, original }) => kind === 'tag' && original === undefined,
  );
  const known = chance.pick(tags);
  const word = newWord();
  const id =
    known !== undefined && chance.happens(0.5)
      ? known.id
      : await created(rig, 'tag', { name: word, slug: word });
  return ({ fields }) => {
    const own = Array.isArray(fields['tags']) ? fields['tags'].map(String) : [];
    return { tags: own.includes(id) ? own.filter((other) => other !== id) : [...own, id] };
  };
}

async function created(rig: Rig, kind: Kind, fields: KnownFields): Promise<string> {
  const { id } = await rig.editor().create(kind, fields, {});
  if (id === undefined) throw new Error('test: the service says the id');
  return id;
}

async function createArticle(rig: Rig, people: People): Promise<string> {
  const page = people.newPage();
  const word = people.newWord();
  const categories = (await knowledgeOf(rig.store)).filter(
    ({ kind, original }) => kind === 'category' && original === undefined,
  );
  await created(rig, 'article', {
    title: `Own ${word}`,
    slug: `own-${page}`,
    excerpt: '',
    status: 'published',
    ordering: 0,
    hideFromSearch: false,
    categories: categories.slice(0, 1).map(({ id }) => id),
    tags: [],
    content: `<p>Somebody wrote ${page} on the site.</p>\n<p>There are some more words in it.</p>`,
  });
  return `writes own-${page}`;
}
