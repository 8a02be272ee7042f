import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keyOf, type Family } from '../../../src/model/key.ts';
import type { BaseRecord, BaseState } from '../../../src/model/record.ts';
import type { KnownFields } from '../../../src/model/fields.ts';
import { baseValuesOf } from '../../../src/plan/compare.ts';
import { morePulled, stillPulled, withPulledPages } from '../../../src/sync/survey/pulled-pages.ts';
import { desiredState, type FileSketch } from '../../support/desired.ts';
import { createRig, type Rig } from '../../support/rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await createRig({ languages: ['en', 'fr'] });
});
afterEach(() => rig.close());

const WRITTEN = { title: 'Fees', slug: 'fees', categories: [], content: '<p>Nothing costs anything.</p>' };
const FILE: FileSketch = { fields: { title: 'Fees', slug: 'fees' }, body: WRITTEN.content };
const OTHER = { title: 'Prices', slug: 'prices' };

/** An editor makes a page. Returns its id. */
async function written(): Promise<string> {
  const { id } = await rig.editor().create('article', { ...WRITTEN, ...UNSAID }, {});
  if (id === undefined) throw new Error('test: the service says the id');
  return id;
}

const UNSAID = { excerpt: '', status: 'published', ordering: 0, hideFromSearch: false, tags: [] };

function edited(id: string, fields: KnownFields): Promise<unknown> {
  return rig.editor().edit('article', id, 'en', { ...WRITTEN, ...UNSAID, ...fields }, {});
}

/** What a pull remembers of a file that it proposed. */
function version(id: string, fields: KnownFields = {}, path = 'fees', lang = 'en'): BaseRecord {
  const sent = baseValuesOf('article', { ...WRITTEN, ...fields });
  return { key: keyOf('article', path, lang), id, ownership: 'adopted', sent };
}

async function remember(...pulled: readonly BaseRecord[]): Promise<void> {
  await rig.open({}, async ({ base }) => {
    const { state } = await base.load();
    await base.save({ ...state, pulled: morePulled(state.pulled ?? [], pulled) });
  });
}

async function remembered(): Promise<BaseState> {
  return rig.open({}, async ({ base }) => (await base.load()).state);
}

async function pages(): Promise<readonly string[]> {
  const { items } = await rig.editor().list('article');
  return items.map(({ name }) => name).sort();
}

describe('a page that a pull has put into a file, and that the site changed before a sync saw the file', () => {
  test('is the page of that file, and what the site changed is drift', async () => {
    const id = await written();
    await rig.sync(desiredState({ 'tag/cli@en': {} }));
    await remember(version(id));
    await edited(id, OTHER);
    const { plan } = await rig.sync(desiredState({ 'tag/cli@en': {}, 'article/fees@en': FILE }));
    expect(plan.changes).toEqual([]);
    expect(plan.drift.map(({ key, fields }) => [key, fields.map(({ field }) => field).sort()])).toEqual([
      ['article/fees@en', ['slug', 'title']],
    ]);
    expect(await pages()).toEqual(['Prices']);
    const { records, pulled } = await remembered();
    expect([records.get(keyOf('article', 'fees', 'en'))?.id, pulled]).toEqual([id, undefined]);
  });

  test('counts as another page with this id if the site changed all that people know it by, and is not made beside it', async () => {
    const id = await written();
    await remember(version(id));
    await edited(id, { ...OTHER, content: '<p>All is for sale now.</p>' });
    const { plan } = await rig.sync(desiredState({ 'article/fees@en': FILE }));
    expect([plan.changes, plan.conflicts.map(({ code }) => code)]).toEqual([[], ['replaced']]);
    expect(await pages()).toEqual(['Prices']);
  });

  test('takes what a reviewer changed as a conflict: nobody can tell who wrote last', async () => {
    const id = await written();
    await remember(version(id));
    await edited(id, OTHER);
    const { plan } = await rig.sync(
      desiredState({ 'article/fees@en': { ...FILE, fields: { title: 'All fees', slug: 'fees' } } }),
    );
    expect(
      plan.conflicts.map(({ key, code, fields }) => [key, code, fields.map(({ field }) => field)]),
    ).toEqual([['article/fees@en', 'both-changed', ['title']]]);
    expect(await pages()).toEqual(['Prices']);
  });

  test('takes the place that the navigation gives its file now, unless an editor gave it another', async () => {
    const id = await written();
    const { sent } = version(id, { ordering: 3 });
    await remember({ ...version(id), sent, observed: { ordering: 0 } });
    const file = { ...FILE, fields: { ...FILE.fields, ordering: 4 } };
    const files = desiredState({ 'article/fees@en': file });
    await edited(id, { ordering: 9 });
    const { plan } = await rig.plan(files);
    expect(plan.conflicts.map(({ code, fields }) => [code, fields.map(({ field }) => field)])).toEqual([
      ['both-changed', ['ordering']],
    ]);
    await edited(id, { ordering: 0 });
    const { plan: done } = await rig.sync(files);
    expect([done.conflicts, done.changes.map(({ action, fields }) => [action, fields.length])]).toEqual([
      [],
      [['update', 1]],
    ]);
    expect((await rig.sync(files)).plan.changes).toEqual([]);
  });

  test('is not taken back to an earlier pull, whichever of several pull requests was merged', async () => {
    const id = await written();
    await remember(version(id), version(id, { title: 'Prices' }));
    await edited(id, { title: 'Prices' });
    const { plan } = await rig.sync(desiredState({ 'article/fees@en': FILE }));
    expect([plan.changes, plan.conflicts]).toEqual([[], []]);
    expect(plan.drift.map(({ key }) => key)).toEqual(['article/fees@en']);
    expect(await pages()).toEqual(['Prices']);
  });

  test('is not made again if an editor deleted it meanwhile', async () => {
    const id = await written();
    await remember(version(id));
    await rig.editor().remove('article', id, {});
    const { plan } = await rig.sync(desiredState({ 'article/fees@en': FILE }), {
      allow: new Set(['empty-remote', 'vanished']),
    });
    expect(plan.conflicts.map(({ key, code }) => [key, code])).toEqual([
      ['article/fees@en', 'remote-deleted'],
    ]);
    expect(await pages()).toEqual([]);
  });

  test('is no page of an own file that an author gives its name to later, once the site has it no more', async () => {
    await rig.sync(desiredState({ 'tag/cli@en': {} }));
    const id = await written();
    await remember(version(id));
    await rig.editor().remove('article', id, {});
    const own = {
      'tag/cli@en': {},
      'article/fees@en': { fields: { title: 'What it costs', slug: 'fees' }, body: '<p>Ten a month.</p>' },
    };
    const { plan } = await rig.sync(desiredState(own));
    expect([plan.conflicts, plan.blocked, plan.changes.map(({ key, action }) => [key, action])]).toEqual([
      [],
      [],
      [['article/fees@en', 'create']],
    ]);
    expect(await pages()).toEqual(['What it costs']);
    const again = await rig.sync(desiredState(own));
    expect([again.plan.changes, again.plan.conflicts, (await remembered()).pulled?.length]).toEqual([
      [],
      [],
      1,
    ]);
  });

  test('stays that of a file of which a reviewer wrote title and text anew, as long as the site shows it', async () => {
    const id = await written();
    await remember(version(id));
    await edited(id, OTHER);
    const { plan } = await rig.sync(
      desiredState({
        'article/fees@en': { fields: { title: 'All fees', slug: 'fees' }, body: '<p>Ten a month.</p>' },
      }),
    );
    expect([plan.changes, plan.conflicts.map(({ key }) => key)]).toEqual([[], ['article/fees@en']]);
    expect(await pages()).toEqual(['Prices']);
  });

  test('is followed to another name that the file says, or that its text tells', async () => {
    const id = await written();
    await remember(version(id));
    await edited(id, OTHER);
    const moved = new Map<Family, Family>([['article/fees' as Family, 'article/costs' as Family]]);
    const file = { fields: { title: 'Costs', slug: 'costs' }, body: '<p>Costs.</p>' };
    const told = await rig.plan({ ...desiredState({ 'article/costs@en': file }), moved });
    expect([told.plan.changes, told.plan.conflicts.map(({ key }) => key)]).toEqual([
      [],
      ['article/costs@en'],
    ]);
    const silent = desiredState({ 'article/costs@en': FILE });
    const { plan } = await rig.sync(silent);
    expect([plan.changes, plan.drift.map(({ key }) => key)]).toEqual([[], ['article/costs@en']]);
    expect(await pages()).toEqual(['Prices']);
  });

  test('is not that of a file which says that it was another one, whatever a pull request called it', async () => {
    const costs = { fields: { title: 'Costs', slug: 'costs' }, body: '<p>Costs.</p>' };
    await rig.sync(desiredState({ 'article/costs@en': costs }));
    const own = (await remembered()).records.get(keyOf('article', 'costs', 'en'))?.id;
    const id = await written();
    await remember(version(id));
    const moved = new Map<Family, Family>([['article/costs' as Family, 'article/fees' as Family]]);
    const { plan } = await rig.sync(
      { ...desiredState({ 'article/fees@en': costs }), moved },
      { prune: true },
    );
    expect([plan.changes, plan.conflicts, plan.blocked, plan.kept]).toEqual([[], [], [], []]);
    expect((await remembered()).records.get(keyOf('article', 'fees', 'en'))?.id).toBe(own);
    expect(await pages()).toEqual(['Costs', 'Fees']);
  });

  test('has one file: another one that a pull made of it waits, and the reason names both', async () => {
    const id = await written();
    await remember(version(id), version(id, OTHER, 'prices'));
    await edited(id, OTHER);
    const { plan } = await rig.sync(
      desiredState({
        'article/fees@en': FILE,
        'article/prices@en': { fields: { title: 'Prices', slug: 'prices' }, body: WRITTEN.content },
      }),
    );
    expect(plan.changes).toEqual([]);
    expect(plan.blocked.map(({ key, message }) => [key, message])).toEqual([
      ['article/fees@en', expect.stringContaining('this file and en/article/prices.md for one page')],
    ]);
    expect(await pages()).toEqual(['Prices']);
  });

  test('is not made again from a file that is merged after the page came under another name, in any run', async () => {
    const id = await written();
    await rig.sync(desiredState({ 'tag/cli@en': {} }));
    await remember(version(id), version(id, OTHER, 'prices'));
    await edited(id, OTHER);
    const prices = { fields: OTHER, body: WRITTEN.content };
    await rig.sync(desiredState({ 'tag/cli@en': {}, 'article/prices@en': prices }));
    const both = desiredState({ 'tag/cli@en': {}, 'article/prices@en': prices, 'article/fees@en': FILE });
    for (let run = 0; run < 3; run += 1) {
      const { plan } = await rig.sync(both);
      expect(plan.changes).toEqual([]);
      expect(plan.blocked.map(({ key, message }) => [key, message])).toEqual([
        ['article/fees@en', expect.stringContaining('delete this one')],
      ]);
    }
    expect(await pages()).toEqual(['Prices']);
    const one = await rig.sync(desiredState({ 'tag/cli@en': {}, 'article/prices@en': prices }));
    expect([one.plan.changes, one.plan.blocked, one.plan.conflicts]).toEqual([[], [], []]);
  });
});

describe('what a pull remembers', () => {
  const state: BaseState = {
    origin: '',
    serial: 0,
    capabilities: {},
    records: new Map(),
    unmanaged: new Map(),
  };

  test('says nothing while the file is not there, so no file can be gone', () => {
    const base = { ...state, pulled: [version('1')] };
    expect(withPulledPages(base, desiredState({})).base.records).toEqual(new Map());
  });

  test('says nothing of a file of which a create is on its way', () => {
    const base = { ...state, pulled: [version('1')] };
    const desired = desiredState({ 'article/fees@en': FILE });
    const resent = new Set<Family>(['article/fees' as Family]);
    expect(withPulledPages(base, desired, { resent }).base.records).toEqual(new Map());
  });

  test('gives a translation to the page that the state knows under another name', () => {
    const known: BaseRecord = { ...version('1'), key: keyOf('article', 'costs', 'en') };
    const base = {
      ...state,
      records: new Map([[known.key, known]]),
      pulled: [version('1', { title: 'Frais' }, 'fees', 'fr')],
    };
    const desired = desiredState({
      'article/costs@en': FILE,
      'article/costs@fr': { ...FILE, fields: { title: 'Frais', slug: 'fees' } },
    });
    expect(withPulledPages(base, desired).base.records.get(keyOf('article', 'costs', 'fr'))).toMatchObject({
      id: '1',
      sent: { title: 'Frais' },
    });
  });

  test('knows what a reference means if what it names was pulled too', () => {
    const category: BaseRecord = {
      key: keyOf('category', 'money', 'en'),
      id: '9',
      ownership: 'adopted',
      sent: baseValuesOf('category', { name: 'Money', slug: 'money' }),
    };
    const base = { ...state, pulled: [category, version('1', { categories: ['9'] })] };
    const desired = desiredState({
      'category/money@en': { fields: { name: 'Money', slug: 'money' } },
      'article/fees@en': { ...FILE, fields: { ...FILE.fields, categories: ['category/money'] } },
    });
    expect(withPulledPages(base, desired).base.records.get(keyOf('article', 'fees', 'en'))).toMatchObject({
      sent: { categories: ['9'] },
    });
  });

  test('is kept once, the newest last, and no more than a thousand of them', () => {
    const [a, b] = [version('1'), version('2')];
    expect(morePulled([a, b], [version('1')])).toEqual([b, a]);
    const many = Array.from({ length: 1200 }, (_, index) => version(String(index)));
    expect(morePulled(many, [])).toHaveLength(1000);
  });

  test('stays while the state knows the page under another name only, unless a file says that this is its name now', () => {
    const base = { ...state, pulled: [version('1')] };
    const known = version('1', {}, 'costs');
    const records = new Map([[known.key, known]]);
    expect(stillPulled({ ...base, records }, {}).pulled).toEqual([version('1')]);
    const moved = new Map<Family, Family>([['article/fees' as Family, 'article/costs' as Family]]);
    expect(stillPulled({ ...base, records }, { moved }).pulled).toBeUndefined();
  });

  test('goes when the state knows page and language', () => {
    const base = { ...state, pulled: [version('1'), version('1', {}, 'fees', 'fr')] };
    const known = version('1');
    expect(stillPulled({ ...base, records: new Map([[known.key, known]]) }, {}).pulled).toEqual([
      version('1', {}, 'fees', 'fr'),
    ]);
  });
});
