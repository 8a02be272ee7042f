import { afterEach, beforeEach, expect, test } from 'vitest';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';
import { plain } from '../support/odd-services/headers.ts';

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

test('a copy with a draft that an editor has begun is theirs: a conflict, and nothing is written', async () => {
  const id = await copied({});
  rig.wrap = (send) => async (request) => {
    const response = await send(request);
    if (request.method !== 'GET' || !new URL(request.url).searchParams.has('lang')) return response;
    const body = (await response.json()) as object;
    return Response.json({ ...body, isDraft: { id: 'begun' } }, { headers: response.headers });
  };
  const report = await rig.sync(
    desiredState({ 'article/install@en': ORIGINAL, 'article/install@de': GERMAN }),
  );
  expect(report.plan.conflicts.map(({ key }) => key)).toContain('article/install@de');
  expect(await rig.editor().read('article', id, 'de')).toMatchObject({
    record: { fields: { title: 'Install' } },
  });
});

test('what an editor has set on a copy and no file says stays as it is', async () => {
  rig.wrap = plain()({ now: rig.clock.now, harm: [] });
  const id = await copied({ hideFromSearch: true, seoBannerUrl: 'https://example.com/de.png' });
  const original = await rig.editor().read('article', id);
  if (original.state !== 'found') throw new Error('the original is not there');
  const banner = { seoBannerUrl: 'https://example.com/en.png' };
  await rig.editor().edit('article', id, 'en', { ...original.record.fields, ...banner }, {});
  await rig.sync(desiredState({ 'article/install@en': ORIGINAL, 'article/install@de': GERMAN }));
  expect(await rig.editor().read('article', id, 'de')).toMatchObject({
    record: {
      fields: { title: 'Installieren', hideFromSearch: true, seoBannerUrl: 'https://example.com/de.png' },
    },
  });
});

test('a copy of a tag whose description an editor has translated is theirs, also if no file says any', async () => {
  const tag = { fields: { name: 'New', slug: 'new', longDescription: '<p>New things.</p>' } };
  await rig.sync(desiredState({ 'tag/new@en': tag }));
  const id = (await rig.editor().list('tag')).items[0]?.id ?? '';
  const copy = { ...tag.fields, slug: 'new-de', description: 'Von Hand übersetzt.' };
  await rig.editor().edit('tag', id, 'de', copy, {});
  const german = { fields: { name: 'Neu', slug: 'neu', longDescription: '<p>Neues.</p>' } };
  const report = await rig.sync(desiredState({ 'tag/new@en': tag, 'tag/new@de': german }));
  expect(report.plan.conflicts.map(({ key }) => key)).toContain('tag/new@de');
  expect(await rig.editor().read('tag', id, 'de')).toMatchObject({
    record: { fields: { name: 'New', description: 'Von Hand übersetzt.' } },
  });
});
