import { afterEach, beforeEach, expect, test } from 'vitest';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

const ORIGINAL = {
  fields: { title: 'Install', slug: 'install', excerpt: 'How to install it.' },
  body: '<p>Run it.</p>',
};
const GERMAN = {
  fields: { title: 'Installieren', slug: 'installieren', excerpt: 'So geht es.' },
  body: '<p>Starten.</p>',
};

let rig: Rig;
beforeEach(async () => {
  rig = await createRig({ languages: ['en', 'de'] });
});
afterEach(() => rig.close());

/** What a service makes together with the original, or an editor who copied it and then wrote `edits`. */
async function copied(edits: object): Promise<string> {
  await rig.sync(desiredState({ 'article/install@en': ORIGINAL }));
  const [listed] = (await rig.editor().list('article')).items;
  const id = listed?.id ?? '';
  const read = await rig.editor().read('article', id);
  if (read.state !== 'found') throw new Error('the original is not there');
  const { fields } = read.record;
  await rig.editor().edit('article', id, 'de', { ...fields, slug: 'install-de', ...edits }, {});
  return id;
}

test('a translation that is a copy of its original in every word is nobody’s, and the file is written there', async () => {
  const id = await copied({});
  const report = await rig.sync(
    desiredState({ 'article/install@en': ORIGINAL, 'article/install@de': GERMAN }),
  );
  expect(report.plan.conflicts).toEqual([]);
  expect(await rig.editor().read('article', id, 'de')).toMatchObject({
    record: { fields: { title: 'Installieren', excerpt: 'So geht es.' } },
  });
});

test('a copy of which an editor has translated the excerpt only is theirs: a conflict, and nothing is written', async () => {
  const id = await copied({ excerpt: 'Von Hand übersetzt.' });
  const report = await rig.sync(
    desiredState({ 'article/install@en': ORIGINAL, 'article/install@de': GERMAN }),
  );
  expect(report.plan.conflicts.map(({ key }) => key)).toContain('article/install@de');
  expect(await rig.editor().read('article', id, 'de')).toMatchObject({
    record: { fields: { title: 'Install', excerpt: 'Von Hand übersetzt.' } },
  });
});
