import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Key } from '../../../src/model/key.ts';
import { choiceOf } from '../../../src/sync/choice.ts';
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
  hasFrench: fc.boolean(),
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
  };
  for (const [path, { title, text, categories, hasFrench }] of Object.entries(articles)) {
    const shared = { title, categories: categories.map((each) => `category/${each}`) };
    files[`article/${path}@en`] = { fields: shared, body: `<p>${text} ${path}.</p>` };
    if (hasFrench) files[`article/${path}@fr`] = { fields: shared, body: `<p>${text} en ${path}.</p>` };
  }
  return files;
}

const held = async (rig: Rig): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await knowledgeOf(rig.store)).map(({ kind, slug, lang, name, status, text, refs }) => [
      `${kind}/${slug}@${lang}`,
      JSON.stringify([name, status, text, refs.map((ref) => ref.slice(0, 1))]),
    ]),
  );

const WORDS = ['a', 'b', 'c', 'x', 'article/**', 'category/**', '**@fr', 'y'];

test(
  'a part, then all, is the same as all; a part touches nothing else and deletes nothing else',
  { timeout: 600_000 + numRuns * 5000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        folder,
        folder,
        fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }),
        fc.boolean(),
        fc.boolean(),
        async (first, second, only, prune, isFresh) => {
          const policy = { prune, allow: new Set(['vanished' as const]), maxDelete: 100 };
          const [part, whole] = [
            await createRig({ languages: ['en', 'fr'] }),
            await createRig({ languages: ['en', 'fr'] }),
          ];
          try {
            for (const rig of [part, whole]) {
              await rig.sync(desiredState(filesOf(first)), policy);
              if (isFresh) rig.forget();
              rig.clock.advance(60_000);
            }
            const desired = desiredState(filesOf(second));
            const before = await held(part);
            const opened = await part.base.open({ readOnly: true });
            const { state } = await opened.load();
            await opened.close();
            const { keys } = choiceOf({ only, folder: '' }, { desired, base: state });
            const partial = await part.sync(desired, { ...policy, only: { keys, what: 'part' } });
            expect(partial.plan.changes.filter(({ key }) => !keys.has(key))).toEqual([]);
            const after = await held(part);
            const all = [...new Set([...before.keys(), ...after.keys()])];
            const touched = all.filter((key) => !keys.has(key as Key) && after.get(key) !== before.get(key));
            expect(touched).toEqual([]);
            expect([...before.keys()].filter((key) => !prune && !after.has(key))).toEqual([]);
            part.clock.advance(60_000);
            await part.sync(desired, policy);
            await whole.sync(desired, policy);
            expect(await held(part)).toEqual(await held(whole));
            part.clock.advance(60_000);
            const again = await part.sync(desired, policy);
            expect(again.plan.changes).toEqual([]);
          } finally {
            await part.close();
            await whole.close();
          }
        },
      ),
      { numRuns, seed },
    );
  },
);
