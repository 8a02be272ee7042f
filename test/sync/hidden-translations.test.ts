import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Send } from '../../src/remote/remote.ts';
import { desiredState } from '../support/desired.ts';
import { plain } from '../support/odd-services/headers.ts';
import { oddService } from '../support/odd-services/odd-services.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

/** Lists that name no translation. */
const unnamed: (send: Send) => Send = (send) => async (request) => {
  const response = await send(request);
  const isList = request.method === 'GET' && new URL(request.url).pathname.endsWith('/articles');
  if (!isList) return response;
  const list = (await response.json()) as { data: readonly object[] };
  return Response.json({ ...list, data: list.data.map((row) => ({ ...row, other_articles: [] })) });
};

const KEPT = { 'article/install@en': {} } as const;
const FILES = { ...KEPT, 'article/upgrade@en': {}, 'article/plain@en': {} } as const;

let rig: Rig;
beforeEach(async () => {
  rig = await createRig({ languages: ['en', 'fr', 'de'] });
  rig.wrap = oddService([plain(), () => unnamed], { now: rig.clock.now, harm: [] });
});
afterEach(() => rig.close());

test('a translation that no list names keeps its original from a prune; the others go', async () => {
  await rig.sync(desiredState(FILES));
  const [upgrade] = (await rig.editor().list('article')).items.filter(({ name }) => name === 'upgrade in en');
  const id = upgrade?.id ?? '';
  const german = { title: 'Aktualisieren', slug: 'aktualisieren', categories: [], excerpt: '', ordering: 0 };
  const fields = { ...german, status: 'draft', content: '<p>Ein Entwurf.</p>' };
  await rig.editor().edit('article', id, 'de', fields, {});
  const report = await rig.sync(desiredState(KEPT), { prune: true });
  expect(report.results.map(({ key, outcome }) => [key, outcome])).toEqual(
    expect.arrayContaining([
      ['article/plain@en', 'done'],
      ['article/upgrade@en', 'skipped'],
    ]),
  );
  expect(report.results.find(({ key }) => key === 'article/upgrade@en')?.message).toBe(
    'kept: it has a translation in de that no list names; delete it on the site, or add its file',
  );
  expect(await rig.editor().read('article', id, 'de')).toMatchObject({ state: 'found' });
});

test('the original again, where there is no translation yet, keeps nothing', async () => {
  await rig.sync(desiredState(FILES));
  const normal = oddService([plain(), () => unnamed], { now: rig.clock.now, harm: [] });
  rig.wrap = (send) => async (request) => {
    const [address = '', language] = request.url.split('?lang=');
    if (request.method !== 'GET' || language !== 'de') return normal(send)(request);
    // It does not say that this translation is still to come.
    const response = await normal(send)(new Request(address, request));
    const read = (await response.json()) as { data: object };
    return Response.json({ ...read, data: { ...read.data, language } }, { headers: response.headers });
  };
  const report = await rig.sync(desiredState(KEPT), { prune: true });
  expect(report.results.map(({ message, outcome }) => [message, outcome])).toEqual([
    ['deleted', 'done'],
    ['deleted', 'done'],
  ]);
});

test.each([
  ['a language', '?lang=de', 0, 'kept: whether it has a translation in de could not be read: '],
  ['the list', '/tags?', 1, 'kept: the list that names the languages could not be read: '],
])('what cannot be read keeps the original: %s', async (_, address, served, said) => {
  await rig.sync(desiredState(FILES));
  let count = 0;
  const normal = oddService([plain(), () => unnamed], { now: rig.clock.now, harm: [] });
  rig.wrap = (send) => {
    const service = normal(send);
    return (request) => {
      if (request.method === 'GET' && `${request.url}?`.includes(address)) count += 1;
      else return service(request);
      return count > served ? Promise.resolve(new Response('no', { status: 403 })) : service(request);
    };
  };
  const report = await rig.sync(desiredState(KEPT), { prune: true });
  expect(report.results.filter(({ action }) => action === 'delete')).toMatchObject([
    { outcome: 'skipped', message: expect.stringContaining(said) },
    { outcome: 'skipped' },
  ]);
});

test('a tag stays that only a translation has, whose file says nothing of tags; it is asked before the tag goes', async () => {
  rig.wrap = (send) => send;
  const silent = { 'article/install@fr': { fields: { title: 'Installer', slug: 'installer' } } };
  const tagged = { 'article/install@en': { fields: { tags: ['tag/cli'] } } } as const;
  const tag = { 'tag/cli@en': { fields: { name: 'CLI' } } };
  await rig.sync(desiredState({ ...tag, ...tagged, ...silent }));
  rig.clock.advance(60_000);
  const { id = '' } = (await rig.editor().list('article')).items[0] ?? {};
  const { id: tagId = '' } = (await rig.editor().list('tag')).items[0] ?? {};
  const french = await rig.editor().read('article', id, 'fr');
  const fields = french.state === 'found' ? french.record.fields : {};
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  await rig.editor().edit('article', id, 'fr', { ...given, tags: [tagId] }, {});
  rig.clock.advance(60_000);
  const untagged = { 'article/install@en': { fields: { tags: [] } }, ...silent };
  for (let run = 0; run < 3; run += 1) {
    rig.sent.length = 0;
    const { plan, results } = await rig.sync(desiredState(untagged), { prune: true });
    expect(plan.kept).toMatchObject([{ key: 'tag/cli@en', reason: 'in-use', users: ['article/install@fr'] }]);
    expect(results.every(({ outcome }) => outcome === 'done')).toBe(true);
    expect(rig.sent.filter(({ method }) => method === 'DELETE')).toEqual([]);
    rig.clock.advance(60_000);
  }
});
