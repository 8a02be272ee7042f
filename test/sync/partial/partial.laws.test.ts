import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Key } from '../../../src/model/key.ts';
import type { DesiredState } from '../../../src/model/record.ts';
import { choiceOf, type Wanted } from '../../../src/sync/choice.ts';
import type { SyncPolicy } from '../../../src/sync/report.ts';
import { desiredState, type FileSketch } from '../../support/desired.ts';
import { knowledgeOf } from '../../support/knowledge.ts';
import { createRig, type Rig } from '../../support/rig.ts';

/** `KBSYNC_PARTIAL_RUNS` worlds, from `KBSYNC_PARTIAL_SEED` on. */
const numRuns = Number(process.env['KBSYNC_PARTIAL_RUNS'] ?? 30);
const seed = Number(process.env['KBSYNC_PARTIAL_SEED'] ?? 1);

const word = fc.constantFrom('one', 'two', 'three');
const article = fc.record({
  title: word,
  text: word,
  categories: fc.uniqueArray(fc.constantFrom('x', 'y')),
  tags: fc.uniqueArray(fc.constantFrom('t', 'u')),
  hasFrench: fc.boolean(),
  /** Its file has another name, and all else is as it was. */
  isElsewhere: fc.boolean(),
});
const folder = fc.record({
  articles: fc.dictionary(fc.constantFrom('a', 'b', 'c'), article, { noNullPrototype: true }),
  names: fc.tuple(word, word),
});
type Folder = typeof folder extends fc.Arbitrary<infer T> ? T : never;

function filesOf({ articles, names }: Folder): Readonly<Record<string, FileSketch>> {
  const files: Record<string, FileSketch> = {
    'category/x@en': { fields: { name: `x ${names[0]}` } },
    'category/y@en': { fields: { name: `y ${names[1]}`, categoryParent: 'category/x' } },
    'tag/t@en': { fields: { name: `t ${names[0]}` } },
    'tag/u@en': { fields: { name: `u ${names[1]}` } },
  };
  for (const [path, { title, text, categories, tags, hasFrench, isElsewhere }] of Object.entries(articles)) {
    const shared = {
      title: `${title} ${path}`,
      slug: path,
      categories: categories.map((each) => `category/${each}`),
      tags: tags.map((each) => `tag/${each}`),
    };
    const name = isElsewhere ? `more/${path}` : path;
    files[`article/${name}@en`] = { fields: shared, body: `<p>${text} ${path}.</p>` };
    if (hasFrench) files[`article/${name}@fr`] = { fields: shared, body: `<p>${text} en ${path}.</p>` };
  }
  return files;
}

const WORDS = ['a', 'b', 'more/c', 'x', 'article/**', 'category/**', '**@fr', 'y', 'tag/t', 'more/'];
const words = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 });
/** `--only`, `--exclude` and `--changed-since`, alone and together. */
const choice = fc
  .record({
    only: fc.option(words, { nil: undefined }),
    exclude: fc.option(words, { nil: undefined }),
    isChanged: fc.boolean(),
  })
  .filter(({ only, exclude, isChanged }) => isChanged || only !== undefined || exclude !== undefined);

/** What editors do between the first run and the part: to the article of this slug, or a page of their own. */
const edits = fc.array(
  fc.record({
    slug: fc.constantFrom('a', 'b', 'c'),
    what: fc.constantFrom('title', 'text', 'french', 'gone', 'own'),
    word,
  }),
  { maxLength: 3 },
);
type Edit = typeof edits extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

async function edited(rig: Rig, { slug, what, word: text }: Edit): Promise<void> {
  const editor = rig.editor();
  const rows = await knowledgeOf(rig.store);
  const row = rows.find(
    (each) => each.kind === 'article' && each.slug === slug && each.original === undefined,
  );
  if (what === 'own') {
    if (rows.some((each) => each.slug === `own-${slug}`)) return;
    await editor.create(
      'article',
      {
        title: `Own ${text}`,
        slug: `own-${slug}`,
        excerpt: '',
        status: 'published',
        ordering: 0,
        hideFromSearch: false,
        categories: [],
        tags: [],
        content: `<p>${text} by hand.</p>`,
      },
      {},
    );
    return;
  }
  if (row === undefined) return;
  if (what === 'gone') {
    if (rows.every(({ original }) => original !== row.id)) await editor.remove('article', row.id, {});
    return;
  }
  const lang = what === 'french' ? 'fr' : 'en';
  const read = await editor.read('article', row.id, what === 'french' ? 'fr' : undefined);
  const isShown = what !== 'french' || rows.some(({ original }) => original === row.id);
  if (read.state !== 'found' || !isShown) return;
  const { fields, stamp = '' } = read.record;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const change =
    what === 'title' ? { title: `${text} by hand` } : { content: `<p>${text} by hand.</p>\n${stamp}` };
  const whole = { ...given, content: `${String(given['content'])}\n${stamp}`, ...change };
  await editor.edit('article', row.id, lang, whole, {});
}

const held = async (rig: Rig): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await knowledgeOf(rig.store)).map(({ kind, slug, lang, name, status, text, refs }) => [
      `${kind}/${slug}@${lang}`,
      JSON.stringify([name, status, text, refs.map((ref) => ref.slice(0, 1))]),
    ]),
  );

function wantedOf(
  { only, exclude, isChanged }: typeof choice extends fc.Arbitrary<infer T> ? T : never,
  [before, after]: readonly [DesiredState, DesiredState],
): Wanted {
  const said = ({ records }: DesiredState, key: Key): string => {
    const record = records.get(key);
    return JSON.stringify([record?.fields, record?.body?.inputDigest]);
  };
  const files = [...after.records].flatMap(([key, { at }]) =>
    said(before, key) === said(after, key) ? [] : [at.file],
  );
  return { only, exclude, changed: isChanged ? new Set(files) : undefined, folder: '' };
}

test(
  'a part, then all, is the same as all; a part touches nothing else and deletes nothing else',
  { timeout: 600_000 + numRuns * 5000 },
  async () => {
    const seen = { parts: 0, partial: 0, deletes: 0, conflicts: 0, drift: 0, moved: 0 };
    await fc.assert(
      fc.asyncProperty(
        folder,
        folder,
        choice,
        edits,
        fc.record({
          prune: fc.boolean(),
          isFresh: fc.boolean(),
          side: fc.constantFrom('local' as const, 'remote' as const),
        }),
        async (first, second, choosing, editing, { prune, isFresh, side }) => {
          const policy: Partial<SyncPolicy> = {
            prune,
            allow: new Set(['vanished' as const, 'empty-remote' as const]),
            maxDelete: 100,
          };
          const settling: Partial<SyncPolicy> = {
            ...policy,
            onConflict: side,
            adopt: side,
            onDrift: 'overwrite',
          };
          const [part, whole] = [
            await createRig({ languages: ['en', 'fr'] }),
            await createRig({ languages: ['en', 'fr'] }),
          ];
          try {
            const [before, after] = [desiredState(filesOf(first)), desiredState(filesOf(second))] as const;
            for (const rig of [part, whole]) {
              await rig.sync(before, policy);
              rig.clock.advance(60_000);
              for (const edit of editing) await edited(rig, edit);
              if (isFresh) rig.forget();
              rig.clock.advance(60_000);
            }
            const start = await held(part);
            const opened = await part.base.open({ readOnly: true });
            const { state } = await opened.load();
            await opened.close();
            const { keys } = choiceOf(wantedOf(choosing, [before, after]), { desired: after, base: state });
            const partial = await part.sync(after, { ...policy, only: { keys, what: 'part' } });
            expect(partial.plan.changes.filter(({ key }) => !keys.has(key))).toEqual([]);
            const now = await held(part);
            const slugOf = (key: Key): string => `${key.split('/')[0]}/${key.replace(/^.*\//, '')}`;
            const chosen = new Set<string>([...keys].map(slugOf));
            const touched = [...new Set([...start.keys(), ...now.keys()])].filter(
              (key) => !chosen.has(key) && now.get(key) !== start.get(key),
            );
            expect(touched).toEqual([]);
            expect([...start.keys()].filter((key) => !prune && !now.has(key))).toEqual([]);
            part.clock.advance(60_000);
            const ends = [await part.sync(after, policy), await whole.sync(after, policy)] as const;
            const open = ({ plan }: (typeof ends)[number]): boolean =>
              plan.conflicts.length + plan.blocked.length + plan.kept.length > 0;
            // A delete waits for a conflict of the same run; without one, nothing is open.
            const isEnd = !ends.some(open);
            expect(isEnd ? await held(part) : undefined).toEqual(isEnd ? await held(whole) : undefined);
            seen.parts += 1;
            seen.partial += Number(partial.results.length > 0 && keys.size < after.records.size);
            seen.deletes += Number(partial.plan.changes.some(({ action }) => action === 'delete'));
            seen.conflicts += Number(ends[1].plan.conflicts.length > 0);
            seen.drift += Number(ends[1].plan.drift.length > 0);
            seen.moved += Number(partial.plan.learnt.some(({ how }) => how === 'moved'));
            for (const rig of [part, whole]) {
              rig.clock.advance(60_000);
              await rig.sync(after, settling);
              rig.clock.advance(60_000);
              await rig.sync(after, settling);
            }
            expect(await held(part)).toEqual(await held(whole));
            part.clock.advance(60_000);
            expect((await part.sync(after, settling)).plan.changes).toEqual([]);
          } finally {
            await part.close();
            await whole.close();
          }
        },
      ),
      { numRuns, seed },
    );
    if (numRuns >= 1000) console.log(`partial: ${JSON.stringify(seen)}`);
  },
);
