import { afterEach, beforeEach, expect, test } from 'vitest';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

const page = (slug: string) => ({ fields: { title: `About ${slug}`, slug }, body: `<p>All of ${slug}.</p>` });

/** What an article that an editor makes says beside its words. */
const UNSAID = { excerpt: '', status: 'published', ordering: 0, hideFromSearch: false, tags: [] };

let rig: Rig;
beforeEach(async () => {
  rig = await createRig({ languages: ['en', 'de'] });
});
afterEach(() => rig.close());

const messages = ({ results }: Awaited<ReturnType<Rig['sync']>>) =>
  results.flatMap(({ key, message, outcome }) => (outcome === 'failed' ? [`${key}: ${message}`] : []));

test('a slug of an article that no file makes: the refusal says where to look', async () => {
  await rig.sync(desiredState({ 'article/install@en': page('install') }));
  const theirs = { ...UNSAID, categories: [], title: 'Set up', slug: 'set-up', content: '<p>x</p>' };
  await rig.editor().create('article', theirs, {});
  const report = await rig.sync(desiredState({ 'article/install@en': page('set-up') }));
  expect(messages(report)).toEqual([
    expect.stringMatching(
      /^article\/install@en: .*\(409\).*; if its slug is taken: by another article, which no file makes, or by a deleted one; look on the site, or give the file another slug$/,
    ),
  ]);
});

test('a tag’s slug is in the list, so the refusal names who has it', async () => {
  const tag = (slug: string) => ({ fields: { name: `About ${slug}`, slug } });
  await rig.sync(desiredState({ 'tag/cli@en': tag('cli') }));
  const { id } = await rig.editor().create('tag', { name: 'Terminal', slug: 'terminal' }, {});
  const report = await rig.sync(desiredState({ 'tag/cli@en': tag('terminal') }));
  expect(messages(report)).toEqual([
    expect.stringContaining(
      `; the slug "terminal" is that of the tag ${id}, "Terminal", which no file makes: give it another slug on the site, or give this file another slug`,
    ),
  ]);
});

test('a slug of a page whose file is gone: the refusal names the page, and --prune frees it', async () => {
  await rig.sync(desiredState({ 'article/old@en': page('old'), 'article/install@en': page('install') }));
  const files = desiredState({
    'article/install@en': { ...page('install'), fields: { title: 'Install', slug: 'old' } },
  });
  const report = await rig.sync(files);
  expect(messages(report)).toEqual([
    expect.stringContaining(
      '; the slug "old" is that of article/old@en on the site, which has no file any more: a sync with --prune deletes it',
    ),
  ]);
  const pruned = await rig.sync(files, { prune: true });
  expect(messages(pruned)).toEqual([]);
  expect((await rig.sync(files)).plan.changes).toEqual([]);
});

test('a refusal of an edit that keeps its slug says nothing of slugs', async () => {
  await rig.sync(desiredState({ 'article/install@en': page('install') }));
  rig.wrap = (send) => (request) =>
    request.method !== 'GET'
      ? Promise.resolve(Response.json({ success: false, message: 'somebody edits it' }, { status: 409 }))
      : send(request);
  const report = await rig.sync(
    desiredState({ 'article/install@en': { ...page('install'), body: '<p>x</p>' } }),
  );
  expect(messages(report)).toEqual([expect.stringContaining('somebody edits it')]);
  expect(messages(report)[0]).not.toContain('slug');
});

const OLD = {
  'article/old@en': page('install'),
  'article/old@de': { fields: { title: 'Einrichten', slug: 'einrichten' }, body: '<p>Alles.</p>' },
};

test('a translation that its original left behind, whose name a new page took, is the moved page’s: the new page gets its own', async () => {
  await rig.sync(desiredState(OLD));
  const moved = { 'article/new@en': OLD['article/old@en'], 'article/old@de': OLD['article/old@de'] };
  await rig.sync(desiredState(moved));
  const files = desiredState({ ...moved, 'article/old@en': page('old') });
  const report = await rig.sync(files, { prune: true });
  expect(report.plan.conflicts).toEqual([]);
  expect(report.results.map(({ key, action, outcome }) => `${action} ${key} ${outcome}`)).toEqual(
    expect.arrayContaining([
      'create article/old@en done',
      'create article/old@de done',
      'delete article/new@de done',
    ]),
  );
  expect((await rig.sync(files, { prune: true })).plan.changes).toEqual([]);
});
