import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openHistory, openPastRuns } from '../../../src/base/history/history-file.ts';
import type { PreImage } from '../../../src/base/trash.ts';
import type { Key } from '../../../src/model/key.ts';
import { idKey, parseKey } from '../../../src/model/key.ts';
import { restoreFrom } from '../../../src/sync/restore/restore.ts';
import { undoing } from '../../../src/sync/undo/taken-back.ts';
import { desiredState, type FileSketch } from '../../support/desired.ts';
import { knowledgeOf, type KnowledgeRow } from '../../support/knowledge.ts';
import { createRig, type Rig } from '../../support/rig.ts';
import { ODD_SERVICES, oddService } from '../../support/odd-services/odd-services.ts';

/** `KBSYNC_UNDO_RUNS` worlds, from `KBSYNC_UNDO_SEED` on. */
const numRuns = Number(process.env['KBSYNC_UNDO_RUNS'] ?? 30);
const seed = Number(process.env['KBSYNC_UNDO_SEED'] ?? 1);

const HISTORY = '/work/.kbsync/history';
const BOUND = { runs: 30, bytes: 1e9 };
const ARTICLES = ['a', 'b', 'c'];
const CATEGORIES = ['x', 'y'];
const WORDS = ['one', 'two', 'three'];

type Files = Readonly<Record<string, FileSketch>>;

const word = fc.constantFrom(...WORDS);
const article = fc.record(
  {
    title: word,
    text: word,
    status: fc.constantFrom('published', 'draft'),
    categories: fc.uniqueArray(fc.constantFrom(...CATEGORIES)),
    excerpt: fc.option(word, { nil: undefined }),
    hasFrench: fc.boolean(),
    french: word,
  },
  { requiredKeys: ['title', 'text', 'categories', 'hasFrench', 'french'] },
);
const folder = fc.record({
  articles: fc.dictionary(fc.constantFrom(...ARTICLES), article, { noNullPrototype: true }),
  names: fc.tuple(word, word),
});
type Folder = typeof folder extends fc.Arbitrary<infer T> ? T : never;

function filesOf({ articles, names }: Folder): Files {
  const files: Record<string, FileSketch> = {};
  for (const [index, path] of CATEGORIES.entries())
    files[`category/${path}@en`] = { fields: { name: `${path} ${names[index] ?? ''}` } };
  for (const [path, { title, text, status, categories, excerpt, hasFrench, french }] of Object.entries(
    articles,
  )) {
    const shared = { categories: categories.map((each) => `category/${each}`) };
    const own = {
      ...(status === undefined ? {} : { status }),
      ...(excerpt === undefined ? {} : { excerpt }),
    };
    files[`article/${path}@en`] = { fields: { title, ...shared, ...own }, body: `<p>${text} ${path}.</p>` };
    if (hasFrench)
      files[`article/${path}@fr`] = {
        fields: { title: french, ...shared },
        body: `<p>${french} en ${path}.</p>`,
      };
  }
  return files;
}

/** What an editor does between the run and its undo: to whom, and to which field. */
const editing = fc.option(
  fc.record({ of: fc.nat(), field: fc.constantFrom('title', 'excerpt', 'content'), word }),
  {
    nil: undefined,
  },
);

/** Records by language and name in the files, so that one which was made again is the same. */
async function shownBy(rig: Rig): Promise<ReadonlyMap<string, string>> {
  const rows = await knowledgeOf(rig.store);
  const slugs = new Map(rows.map(({ kind, id, slug }) => [idKey(kind, id), slug]));
  const nameOf = ({ kind, original, slug, lang }: KnowledgeRow): string =>
    `${kind}/${original === undefined ? slug : (slugs.get(idKey(kind, original)) ?? slug)}@${lang}`;
  return new Map(
    rows.map((row) => [
      nameOf(row),
      JSON.stringify([
        row.name,
        row.slug,
        row.status,
        row.text,
        row.refs.map((ref) => ref.slice(0, 1)),
        /by hand/.exec(row.all)?.[0],
      ]),
    ]),
  );
}

async function noted<T>(
  rig: Rig,
  run: string,
  undoes: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const head = { run, atMs: rig.clock.now(), command: 'sync', origin: 'x', undoes };
  rig.history = openHistory(HISTORY, { head, bound: BOUND, disk: rig.base.disk });
  try {
    return await work();
  } finally {
    await rig.history.close();
    rig.history = undefined;
  }
}

/** Takes a run back; the keys that it named as left alone. */
async function undo(rig: Rig, of: string, as: string, files: Files, images: readonly PreImage[]) {
  const run = await openPastRuns(HISTORY, rig.base.disk).read(of);
  const changes = [...(run?.changes.values() ?? [])];
  const desired = desiredState(files);
  const at = { file: 'log', line: 1, column: 1 };
  return noted(rig, as, of, () =>
    rig.open({ prune: true, allow: new Set(['vanished']), maxDelete: 100 }, async (options) => {
      const { state } = await options.base.load();
      const base = { ...options.base, load: () => Promise.resolve({ state, open: [], isNew: false }) };
      const { remote } = options;
      const { edits, left } = await undoing({ changes, state, files: desired, remote, prune: true, at });
      const deleted = changes.filter(({ action }) => action === 'deleted').map(({ key }) => key);
      const chosen = new Set(deleted);
      const restoring = await restoreFrom(
        { ...options, base },
        { images, chosen, files: desired, placeOf: () => at, edits },
      );
      const { plan, results } = await restoring.sync(restoring.desired);
      expect(plan.refusals).toEqual([]);
      const named = new Set<Key>([
        ...left.keys(),
        ...[...plan.conflicts, ...plan.blocked, ...plan.kept].map(({ key }) => key),
        ...results.filter(({ outcome }) => outcome !== 'done').map(({ key }) => key),
      ]);
      return { named, changes };
    }),
  );
}

async function edited(
  rig: Rig,
  edit: { of: number; field: string; word: string } | undefined,
): Promise<string | undefined> {
  if (edit === undefined) return undefined;
  const rows = (await knowledgeOf(rig.store)).filter(({ kind, lang }) => kind === 'article' && lang === 'en');
  const row = rows[edit.of % Math.max(1, rows.length)];
  if (row === undefined) return undefined;
  const editor = rig.editor();
  const read = await editor.read('article', row.id);
  if (read.state !== 'found') throw new Error('test: it is there');
  const value = edit.field === 'content' ? `<p>${edit.word} by hand</p>` : `${edit.word} by hand`;
  const fields = Object.fromEntries(Object.entries(read.record.fields).filter(([, each]) => each !== null));
  await editor.edit('article', row.id, 'en', { ...fields, [edit.field]: value }, {});
  return `article/${row.slug}@en`;
}

const SERVICES = {
  ours: ODD_SERVICES.headers.ours,
  plain: ODD_SERVICES.headers.plain,
  'comments-stripped': ODD_SERVICES.stored['comments-stripped'],
  'html-normalised': ODD_SERVICES.stored['html-normalised'],
} as const;

test.each(Object.keys(SERVICES) as (keyof typeof SERVICES)[])(
  'sync, then undo: the remote is as it was, or the record is named; on a service that is %s',
  { timeout: 600_000 + numRuns * 5000 },
  async (service) => {
    await fc.assert(
      fc.asyncProperty(folder, folder, editing, fc.boolean(), async (first, second, edit, redo) => {
        const rig = await createRig({ languages: ['en', 'fr'] });
        rig.wrap = oddService(SERVICES[service], { now: () => rig.clock.now(), harm: [] });
        try {
          const policy = {
            prune: true,
            allow: new Set(['vanished' as const]),
            maxDelete: 100,
            onConflict: 'local' as const,
          };
          await rig.sync(desiredState(filesOf(first)), policy);
          const before = await shownBy(rig);
          const trashed = rig.trash.length;
          rig.clock.advance(60_000);
          await noted(rig, 'run-1', undefined, () => rig.sync(desiredState(filesOf(second)), policy));
          const after = await shownBy(rig);
          const byEditor = await edited(rig, edit);
          const seen = await shownBy(rig);
          rig.clock.advance(60_000);
          const images = imagesIn(rig, trashed, filesOf(first));
          const { named, changes } = await undo(rig, 'run-1', 'run-2', filesOf(second), images);
          const now = await shownBy(rig);
          const touched = new Set<string>(changes.map(({ key }) => key));
          const wrong = [...new Set([...before.keys(), ...seen.keys(), ...now.keys()])].filter((key) => {
            if (!touched.has(key)) return now.get(key) !== seen.get(key);
            if (key === byEditor) return now.get(key)?.includes('by hand') !== true;
            return !named.has(key as Key) && now.get(key) !== before.get(key);
          });
          expect(wrong).toEqual([]);
          // Nothing is named for no reason: without an editor all comes back.
          const forNoReason = [...named].filter(
            (key) => byEditor === undefined && parseKey(key)?.lang === 'en',
          );
          expect(forNoReason).toEqual([]);
          if (!redo || byEditor !== undefined) return;
          rig.clock.advance(60_000);
          await undo(
            rig,
            'run-2',
            'run-3',
            filesOf(second),
            imagesIn(rig, trashed, filesOf(second), images.length),
          );
          expect(await shownBy(rig)).toEqual(after);
        } finally {
          await rig.close();
        }
      }),
      { numRuns, seed },
    );
  },
);

/** What was trashed from `from` on, under the keys of the files that it had. */
function imagesIn(rig: Rig, from: number, files: Files, skip = 0): readonly PreImage[] {
  return rig.trash.slice(from + skip).map(({ kind, ownId, lang, fields, labels }) => {
    const slug = String(fields['slug']);
    const key = Object.keys(files).find((each) => each === `${kind}/${slug}@${lang}`) as Key;
    return {
      key,
      kind,
      id: ownId,
      lang,
      action: 'delete',
      fields,
      labels: Object.fromEntries(labels),
      atMs: 1,
    };
  });
}
