import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await createRig();
});
afterEach(() => rig.close());

const DOCS = {
  'category/guide@en': {},
  'category/guide/start@en': { fields: { name: 'Start', categoryParent: 'category/guide', priority: 2 } },
  'category/guide@fr': { fields: { name: 'Guide fr' } },
  'tag/cli@en': { fields: { description: 'The command line' } },
  'article/install@en': { fields: { categories: ['category/guide/start'], tags: ['tag/cli'] } },
  'article/install@fr': { fields: { categories: ['category/guide/start'], slug: 'installer' } },
  'article/upgrade@en': { fields: { categories: ['category/guide'] } },
} as const;

async function articleByName(name: string) {
  const { items } = await rig.editor().list('article');
  const id = items.find((item) => item.name === name)?.id ?? '';
  const read = await rig.editor().read('article', id);
  if (read.state !== 'found') throw new Error(`no article ${name}`);
  return read.record;
}

/** What an editor does in the web editor: reads, changes some fields, saves. */
async function edit(name: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const record = await articleByName(name);
  // The stamp is part of the HTML that the editor loads and saves.
  const content = `${fields['content'] ?? String(record.fields['content'])}\n${record.stamp ?? ''}`;
  const all = Object.fromEntries(
    Object.entries({ ...record.fields, ...fields, content }).filter(([, value]) => value !== null),
  );
  await rig.editor().edit('article', record.id, 'en', all, {});
}

describe('a first sync', () => {
  test('creates every record and the second one is in sync with three requests', async () => {
    const first = await rig.sync(desiredState(DOCS));
    expect(first.results.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
    expect(first.summary).toMatchObject({ created: 7, updated: 0, failed: 0, pending: 0, conflict: 0 });
    // One more: the first original is read in our language.
    expect(first.requests).toBe(3 + 7 + 1);
    const second = await rig.sync(desiredState(DOCS));
    expect(second.summary).toMatchObject({ created: 0, updated: 0, unchanged: 7 });
    expect(second.requests).toBe(3);
  });

  test('sends fields, relations and translations as the files say', async () => {
    await rig.sync(desiredState(DOCS));
    const install = await articleByName('install in en');
    expect(install.fields).toMatchObject({
      slug: 'install',
      status: 'published',
      content: '<p>article/install@en</p>',
    });
    expect([...install.labels.values()].sort()).toEqual(['Start', 'cli in en']);
    const fr = await rig.editor().read('article', install.id, 'fr');
    expect(fr).toMatchObject({
      state: 'found',
      record: { lang: 'fr', fields: { slug: 'installer', title: 'install in fr' } },
    });
  });
});

describe('a new translation that says no place', () => {
  const placeOf = async (name: string): Promise<unknown> => {
    const { id } = await articleByName(name);
    const read = await rig.editor().read('article', id, 'fr');
    return read.state === 'found' ? [read.record.lang, read.record.fields['ordering']] : undefined;
  };

  test('stands where the file of its original says', async () => {
    const placed = { ...DOCS, 'article/install@en': { fields: { ordering: 675 } } };
    await rig.sync(desiredState(placed));
    expect(await placeOf('install in en')).toEqual(['fr', 675]);
  });

  test('stands where an editor has put its original, in a later run', async () => {
    const { 'article/install@fr': _, ...original } = DOCS;
    await rig.sync(desiredState(original));
    const { id, fields } = await articleByName('install in en');
    await rig.editor().edit('article', id, 'en', { ...fields, ordering: 5 }, {});
    await rig.sync(desiredState(DOCS));
    expect(await placeOf('install in en')).toEqual(['fr', 5]);
  });
});

describe('a changed file', () => {
  test('is one read and one write', async () => {
    await rig.sync(desiredState(DOCS));
    const changed = { ...DOCS, 'article/upgrade@en': { ...DOCS['article/upgrade@en'], body: '<p>new</p>' } };
    const report = await rig.sync(desiredState(changed));
    expect(report.summary).toMatchObject({ updated: 1, unchanged: 6 });
    expect(report.requests).toBe(3 + 2);
    expect(report.plan.changes[0]?.fields.map(({ field }) => field)).toEqual(['content']);
    expect((await rig.sync(desiredState(changed))).requests).toBe(3);
  });

  test('of a translation leaves the original alone', async () => {
    await rig.sync(desiredState(DOCS));
    const changed = {
      ...DOCS,
      'article/install@fr': { ...DOCS['article/install@fr'], body: '<p>nouveau</p>' },
    };
    await rig.sync(desiredState(changed));
    const install = await articleByName('install in en');
    expect(install.fields['content']).toBe('<p>article/install@en</p>');
    const fr = await rig.editor().read('article', install.id, 'fr');
    expect(fr).toMatchObject({ record: { fields: { content: '<p>nouveau</p>' } } });
    expect((await rig.sync(desiredState(changed))).requests).toBe(3);
  });

  test('that was renamed updates its record and creates nothing', async () => {
    await rig.sync(desiredState(DOCS));
    const { 'article/upgrade@en': upgrade, ...rest } = DOCS;
    const report = await rig.sync(
      desiredState({
        ...rest,
        'article/guide/upgrade@en': {
          ...upgrade,
          body: '<p>article/upgrade@en</p>',
          fields: { ...upgrade.fields, title: 'upgrade in en' },
        },
      }),
    );
    expect(report.summary).toMatchObject({ created: 0, updated: 0, deleted: 0, unchanged: 7 });
    expect(report.requests).toBe(3);
  });

  test('of a renamed category parent costs the next run no reads', async () => {
    await rig.sync(desiredState(DOCS));
    const changed = { ...DOCS, 'category/guide@en': { fields: { name: 'The guide' } } };
    expect((await rig.sync(desiredState(changed))).summary).toMatchObject({ updated: 1 });
    expect((await rig.sync(desiredState(changed))).requests).toBe(3);
  });
});

describe('an edit on the service', () => {
  test('of a field that the file did not change is drift: reported each run, left alone', async () => {
    await rig.sync(desiredState(DOCS));
    await edit('upgrade in en', { title: 'Better title' });
    for (let run = 0; run < 2; run += 1) {
      const report = await rig.sync(desiredState(DOCS));
      expect(report.plan.drift).toMatchObject([
        {
          key: 'article/upgrade@en',
          fields: [{ field: 'title', base: 'upgrade in en', remote: 'Better title' }],
        },
      ]);
      expect(report.summary).toMatchObject({ updated: 0, drift: 1 });
    }
    const report = await rig.sync(desiredState(DOCS), { onDrift: 'overwrite' });
    expect(report.summary).toMatchObject({ updated: 1, drift: 0 });
    expect((await articleByName('upgrade in en')).fields['title']).toBe('upgrade in en');
  });

  test('of another field than the file changed is kept beside the update', async () => {
    await rig.sync(desiredState(DOCS));
    await edit('upgrade in en', { title: 'Better title' });
    const changed = { ...DOCS, 'article/upgrade@en': { ...DOCS['article/upgrade@en'], body: '<p>new</p>' } };
    await rig.sync(desiredState(changed));
    expect((await articleByName('Better title')).fields).toMatchObject({
      content: '<p>new</p>',
      title: 'Better title',
    });
    expect((await rig.sync(desiredState(changed))).plan.drift.length).toBe(1);
  });

  test('of the same field is a conflict that stops only its own record', async () => {
    await rig.sync(desiredState(DOCS));
    await edit('upgrade in en', { content: '<p>theirs</p>' });
    const changed = {
      ...DOCS,
      'article/upgrade@en': { ...DOCS['article/upgrade@en'], body: '<p>ours</p>' },
      'tag/cli@en': { fields: { description: 'The command' } },
    };
    const report = await rig.sync(desiredState(changed));
    expect(report.plan.conflicts).toMatchObject([
      { key: 'article/upgrade@en', code: 'both-changed', witness: 'state' },
    ]);
    expect(report.summary).toMatchObject({ updated: 1, conflict: 1 });
    expect((await articleByName('upgrade in en')).fields['content']).toBe('<p>theirs</p>');
    await rig.sync(desiredState(changed), { onConflict: 'local' });
    expect((await articleByName('upgrade in en')).fields['content']).toBe('<p>ours</p>');
  });

  test('that the user lets stand is not asked about again', async () => {
    await rig.sync(desiredState(DOCS));
    await edit('upgrade in en', { content: '<p>theirs</p>' });
    const changed = { ...DOCS, 'article/upgrade@en': { ...DOCS['article/upgrade@en'], body: '<p>ours</p>' } };
    await rig.sync(desiredState(changed), { onConflict: 'remote' });
    const report = await rig.sync(desiredState(changed));
    expect(report.summary).toMatchObject({ conflict: 0, drift: 0, updated: 0, unchanged: 7 });
    expect(report.requests).toBe(3);
    expect((await articleByName('upgrade in en')).fields['content']).toBe('<p>theirs</p>');
  });

  test('that the user lets stand still counts as theirs after another field was written', async () => {
    await rig.sync(desiredState(DOCS));
    await edit('upgrade in en', { content: '<p>theirs</p>' });
    const ours = { ...DOCS['article/upgrade@en'], body: '<p>ours</p>' };
    await rig.sync(desiredState({ ...DOCS, 'article/upgrade@en': ours }), { onConflict: 'remote' });
    const ordered = { ...ours, fields: { ...ours.fields, ordering: 7 } };
    const written = await rig.sync(desiredState({ ...DOCS, 'article/upgrade@en': ordered }));
    expect(written.summary).toMatchObject({ updated: 1, conflict: 0, drift: 0 });
    // Makes the next run read the record.
    await edit('upgrade in en', { excerpt: 'By the editor' });
    const report = await rig.sync(desiredState({ ...DOCS, 'article/upgrade@en': ordered }), {
      onDrift: 'overwrite',
    });
    expect(report.summary).toMatchObject({ updated: 0, conflict: 0, drift: 0 });
    expect((await articleByName('upgrade in en')).fields['content']).toBe('<p>theirs</p>');
  });

  test('of a conflict and of another field shows both, because both are settled together', async () => {
    await rig.sync(desiredState(DOCS));
    await edit('upgrade in en', { content: '<p>theirs</p>', slug: 'their-slug' });
    const ours = { ...DOCS['article/upgrade@en'], body: '<p>ours</p>' };
    const { plan } = await rig.sync(desiredState({ ...DOCS, 'article/upgrade@en': ours }));
    expect(plan.conflicts).toMatchObject([
      { fields: [{ field: 'content' }], drift: [{ field: 'slug', base: 'upgrade', remote: 'their-slug' }] },
    ]);
  });

  test('of a field that the file does not own survives an update', async () => {
    await rig.sync(desiredState(DOCS));
    await edit('upgrade in en', { excerpt: 'By the editor', seoBannerUrl: 'https://example.com/banner.png' });
    const changed = { ...DOCS, 'article/upgrade@en': { ...DOCS['article/upgrade@en'], body: '<p>new</p>' } };
    await rig.sync(desiredState(changed));
    expect((await articleByName('upgrade in en')).fields).toMatchObject({
      content: '<p>new</p>',
      excerpt: 'By the editor',
      seoBannerUrl: 'https://example.com/banner.png',
    });
  });
});

describe('a fresh clone without state', () => {
  test('adopts what equals the files and writes nothing', async () => {
    await rig.sync(desiredState(DOCS));
    rig.forget();
    const report = await rig.sync(desiredState(DOCS));
    expect(report.summary).toMatchObject({ created: 0, updated: 0, unchanged: 7, conflict: 0 });
    expect(rig.sent.filter(({ method }) => method !== 'GET').length).toBe(7);
    expect((await rig.sync(desiredState(DOCS))).requests).toBe(3);
  });

  test('knows by the stamp what it wrote itself, and updates it', async () => {
    await rig.sync(desiredState(DOCS));
    rig.forget();
    const changed = { ...DOCS, 'article/upgrade@en': { ...DOCS['article/upgrade@en'], body: '<p>new</p>' } };
    const report = await rig.sync(desiredState(changed));
    expect(report.summary).toMatchObject({ updated: 1, conflict: 0 });
  });

  test('knows by the stamp what somebody edited', async () => {
    await rig.sync(desiredState(DOCS));
    await edit('upgrade in en', { title: 'Better title' });
    rig.forget();
    const report = await rig.sync(desiredState(DOCS));
    expect(report.plan.drift.map(({ key }) => key)).toEqual(['article/upgrade@en']);
    rig.forget();
    const changed = {
      ...DOCS,
      'article/upgrade@en': { fields: { ...DOCS['article/upgrade@en'].fields, title: 'Our title' } },
    };
    const second = await rig.sync(desiredState(changed));
    expect(second.plan.conflicts).toMatchObject([{ code: 'both-changed', witness: 'stamp' }]);
  });

  test('knows a file that was moved by the text in the stamp of a key that no file has', async () => {
    await rig.sync(desiredState(DOCS));
    rig.forget();
    const { 'article/upgrade@en': upgrade, ...others } = DOCS;
    const moved = { ...others, 'article/moved@en': { ...upgrade, body: '<p>article/upgrade@en</p>' } };
    const report = await rig.sync(desiredState(moved));
    expect(report.summary).toMatchObject({ created: 0, updated: 1, conflict: 0 });
    expect(report.plan.unmanaged).toEqual([]);
    expect(report.plan.changes).toMatchObject([{ key: 'article/moved@en', action: 'update' }]);
    expect((await rig.editor().list('article')).items.length).toBe(2);
    expect((await rig.sync(desiredState(moved))).requests).toBe(3);
  });

  test('knows a category that somebody gave the slug of a new file, which no list shows', async () => {
    const theirs = { name: 'FAQ', slug: 'old', description: '', categoryParent: null, priority: 0 };
    const { id = '' } = await rig.editor().create('category', theirs, {});
    await rig.sync(desiredState(DOCS));
    await rig.editor().edit('category', id, 'en', { ...theirs, slug: 'faq' }, {});
    const faq = { 'category/faq@en': { fields: { name: 'FAQ', slug: 'faq' } } } as const;
    const report = await rig.sync(desiredState({ ...DOCS, ...faq }));
    expect(report.results).toEqual([]);
    const { items } = await rig.editor().list('category');
    expect(items.filter(({ name }) => name === 'FAQ')).toHaveLength(1);
  });

  test('does not guess which of two files with one text was moved', async () => {
    await rig.sync(desiredState(DOCS));
    rig.forget();
    const { 'article/upgrade@en': upgrade, ...others } = DOCS;
    const same = { ...upgrade, body: '<p>article/upgrade@en</p>' };
    const report = await rig.sync(
      desiredState({ ...others, 'article/moved@en': same, 'article/copy@en': same }),
    );
    expect(report.summary).toMatchObject({ created: 2, updated: 0 });
    expect(report.plan.unmanaged).toMatchObject([{ was: 'article/upgrade@en' }]);
  });

  test('names what it wrote for a file that was moved and edited, in each run, until the file is back', async () => {
    await rig.sync(desiredState(DOCS));
    rig.forget();
    const { 'article/upgrade@en': upgrade, ...others } = DOCS;
    const moved = { ...others, 'article/moved@en': { ...upgrade, body: '<p>new</p>' } };
    const was = [{ kind: 'article', name: 'upgrade in en', was: 'article/upgrade@en' }];
    expect((await rig.sync(desiredState(moved))).plan.unmanaged).toMatchObject(was);
    expect((await rig.sync(desiredState(moved))).plan.unmanaged).toMatchObject(was);
    const report = await rig.sync(desiredState({ ...moved, 'article/upgrade@en': upgrade }));
    expect(report.summary).toMatchObject({ created: 0, updated: 0 });
    expect(report.plan.unmanaged).toEqual([]);
  });

  test('asks where no witness says whose the difference is', async () => {
    await rig.sync(desiredState(DOCS), { stamp: false });
    rig.forget();
    const changed = { ...DOCS, 'article/upgrade@en': { ...DOCS['article/upgrade@en'], body: '<p>new</p>' } };
    const report = await rig.sync(desiredState(changed), { stamp: false });
    expect(report.plan.conflicts).toMatchObject([
      { key: 'article/upgrade@en', code: 'both-new', witness: 'none' },
    ]);
    const adopted = await rig.sync(desiredState(changed), { stamp: false, adopt: 'local' });
    expect(adopted.summary).toMatchObject({ updated: 1, conflict: 0 });
  });

  test('finds a record that somebody wrote before it was in git, by its slug', async () => {
    await rig.sync(desiredState({ 'article/upgrade@en': { body: '<p>x</p>' } }), { stamp: false });
    rig.forget();
    const report = await rig.sync(
      desiredState({
        'article/guide/moved@en': { body: '<p>x</p>', fields: { slug: 'upgrade', title: 'upgrade in en' } },
      }),
    );
    expect(report.summary).toMatchObject({ created: 0, unchanged: 1 });
  });

  test('reads records that are not in git once and leaves them alone', async () => {
    await rig.sync(desiredState({ 'article/theirs@en': {} }), { stamp: false });
    rig.forget();
    const first = await rig.sync(desiredState(DOCS));
    expect(first.plan.unmanaged.map(({ name }) => name)).toEqual(['theirs in en']);
    rig.sent.length = 0;
    await rig.sync(desiredState({ ...DOCS, 'article/new@en': {} }));
    expect(rig.sent.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'PUT']);
  });
});

describe('a removed file', () => {
  const { 'article/install@fr': _, 'article/upgrade@en': __, ...LESS } = DOCS;

  test('keeps its record without --prune', async () => {
    await rig.sync(desiredState(DOCS));
    const report = await rig.sync(desiredState(LESS));
    expect(report.plan.kept.map(({ key, reason }) => [key, reason])).toEqual([
      ['article/install@fr', 'no-prune'],
      ['article/upgrade@en', 'no-prune'],
    ]);
    expect(report.summary).toMatchObject({ deleted: 0 });
  });

  test('deletes exactly its record with --prune, after saving it', async () => {
    await rig.sync(desiredState(DOCS));
    const report = await rig.sync(desiredState(LESS), { prune: true });
    expect(report.results.map(({ key, outcome }) => [key, outcome])).toEqual([
      ['article/install@fr', 'done'],
      ['article/upgrade@en', 'done'],
    ]);
    expect(rig.trash.map(({ fields }) => fields['title'])).toEqual(['install in fr', 'upgrade in en']);
    const { items } = await rig.editor().list('article');
    expect(items.map(({ name, languages }) => [name, languages])).toEqual([['install in en', []]]);
    expect((await rig.sync(desiredState(LESS), { prune: true })).requests).toBe(3);
  });

  test('keeps a record that somebody edited, and says so', async () => {
    await rig.sync(desiredState(DOCS));
    await edit('upgrade in en', { content: '<p>theirs</p>' });
    const report = await rig.sync(desiredState(LESS), { prune: true });
    expect(report.plan.conflicts.map(({ key, code }) => [key, code])).toEqual([
      ['article/upgrade@en', 'delete-modified'],
    ]);
    expect(report.summary.deleted).toBe(0);
  });

  test('deletes categories from the leaves up, after their articles', async () => {
    await rig.sync(desiredState(DOCS));
    const report = await rig.sync(desiredState({ 'tag/cli@en': DOCS['tag/cli@en'] }), {
      prune: true,
      allow: new Set(['vanished']),
    });
    expect(report.results.map(({ key, outcome, message }) => [key, outcome, message])).toEqual(
      [
        ['article/install@fr', 'done', 'deleted'],
        ['category/guide@fr', 'done', 'deleted'],
        ['article/install@en', 'done', 'deleted'],
        ['article/upgrade@en', 'done', 'deleted'],
        ['category/guide/start@en', 'done', 'deleted'],
        ['category/guide@en', 'done', 'deleted'],
      ].sort((a, b) => rank(report, a[0] ?? '') - rank(report, b[0] ?? '')),
    );
    const lists = await Promise.all(
      (['category', 'article'] as const).map((kind) => rig.editor().list(kind)),
    );
    expect(lists.map(({ items }) => items.length)).toEqual([0, 0]);
  });

  test('keeps a category with one below it that an editor made, also if a deleted article had the same id', async () => {
    await rig.sync(desiredState(DOCS));
    const { items } = await rig.editor().list('category');
    const guide = items.find(({ name }) => name === 'guide in en')?.id ?? '';
    await rig
      .editor()
      .create('category', { name: 'Theirs', slug: 'theirs', priority: 0, categoryParent: guide }, {});
    const theirs =
      (await rig.editor().list('category')).items.find(({ name }) => name === 'Theirs')?.id ?? '';
    const { id: upgrade } = await articleByName('upgrade in en');
    rig.wrap = (send) => async (request) => {
      const response = await send(request);
      if (!new URL(request.url).pathname.endsWith('/categories')) return response;
      return new Response((await response.text()).replaceAll(theirs, upgrade), { headers: response.headers });
    };
    const report = await rig.sync(desiredState({ 'tag/cli@en': DOCS['tag/cli@en'] }), {
      prune: true,
      allow: new Set(['vanished']),
    });
    expect(report.results.filter(({ outcome }) => outcome !== 'done')).toMatchObject([
      { key: 'category/guide@en', outcome: 'skipped', message: expect.stringContaining('"Theirs"') },
    ]);
  });

  test('never takes an original away from a translation whose file remains', async () => {
    await rig.sync(desiredState(DOCS));
    const { 'article/install@en': ___, ...rest } = DOCS;
    const report = await rig.sync(desiredState(rest), { prune: true });
    expect(report.plan.kept.map(({ key, reason }) => [key, reason])).toEqual([
      ['article/install@en', 'translations'],
    ]);
  });

  test('keeps the original of a translation that the user let stand', async () => {
    await rig.sync(desiredState(DOCS));
    const id = (await articleByName('install in en')).id;
    const read = await rig.editor().read('article', id, 'fr');
    if (read.state !== 'found') throw new Error('no translation');
    const { fields, stamp } = read.record;
    const told = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    await rig.editor().edit('article', id, 'fr', { ...told, content: `<p>theirs</p>\n${stamp ?? ''}` }, {});
    const { 'article/install@en': _, 'article/install@fr': __, ...others } = DOCS;
    const report = await rig.sync(desiredState(others), { prune: true, onConflict: 'remote' });
    expect(report.summary.deleted).toBe(0);
    expect(report.plan.kept).toMatchObject([{ key: 'article/install@en', reason: 'translations' }]);
    expect(await rig.editor().read('article', id, 'fr')).toMatchObject({
      state: 'found',
      record: { fields: { content: '<p>theirs</p>' } },
    });
  });

  test('leaves every record of an empty folder alone and refuses', async () => {
    await rig.sync(desiredState(DOCS));
    const report = await rig.sync(desiredState({}), { prune: true });
    expect(report.plan.refusals.map(({ code, flag }) => [code, flag])).toEqual([
      ['files-vanished', '--allow-vanished'],
    ]);
    expect(report.summary.deleted).toBe(0);
  });
});

function rank(report: { results: readonly { key: string }[] }, key: string): number {
  return report.results.findIndex((result) => result.key === key);
}

describe('a record that is gone from the service', () => {
  test('is a conflict, and comes back when the user says so', async () => {
    await rig.sync(desiredState(DOCS));
    const upgrade = await articleByName('upgrade in en');
    await rig.editor().remove('article', upgrade.id, {});
    const report = await rig.sync(desiredState(DOCS));
    expect(report.plan.conflicts).toMatchObject([{ key: 'article/upgrade@en', code: 'remote-deleted' }]);
    const again = await rig.sync(desiredState(DOCS), { onConflict: 'local' });
    expect(again.summary).toMatchObject({ created: 1, conflict: 0 });
    expect((await rig.sync(desiredState(DOCS))).requests).toBe(3);
  });
});

describe('a translation without an original', () => {
  test('is left out with an explanation, and nothing else is held up', async () => {
    const report = await rig.sync(desiredState({ ...DOCS, 'article/seul@fr': {} }));
    expect(report.plan.blocked).toMatchObject([{ key: 'article/seul@fr', reason: 'original-missing' }]);
    expect(report.summary).toMatchObject({ created: 7, failed: 0 });
  });
});

test('reads a record once more that shows an earlier text of ours, before a file is written over it', async () => {
  const files = (body: string) => desiredState({ 'category/guide@en': { body } });
  await rig.sync(files('<p>one</p>'));
  let before: string | undefined;
  let shows = 0;
  const isRead = ({ method, url }: Request): boolean =>
    method === 'GET' && /\/categories\/./.test(new URL(url).pathname);
  rig.wrap = (send) => async (request) => {
    const response = await send(request);
    if (isRead(request) && before === undefined) before = await response.clone().text();
    return response;
  };
  await rig.sync(files('<p>two</p>'));
  rig.wrap = (send) => async (request) => {
    if (!isRead(request) || before === undefined || shows > 0) return send(request);
    shows += 1;
    return new Response(before, { headers: { 'content-type': 'application/json' } });
  };
  const third = await rig.sync(files('<p>three</p>'));
  expect(shows).toBe(1);
  expect(third.summary).toMatchObject({ updated: 1, conflict: 0, failed: 0 });
});
