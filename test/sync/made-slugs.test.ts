import type { KnownRecord } from '../../src/model/record.ts';
import { NO_WAYS } from '../../src/plan/likeness.ts';
import { twinsOf } from '../../src/sync/survey/twins.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fields } from '../../src/model/fields.ts';
import type { Send } from '../../src/remote/remote.ts';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

interface Body {
  readonly title?: string;
  readonly slug?: string;
  readonly content?: string;
}

/** A service that makes slugs from titles and strips comments, and says nothing of itself. */
const making: (send: Send) => Send = (send) => async (request) => {
  const isRead = request.method === 'GET';
  const text = isRead ? '' : await request.text();
  const body = text === '' ? {} : (JSON.parse(text) as Body);
  const made = {
    ...body,
    ...(body.title === undefined ? {} : { slug: body.title.toLowerCase().replaceAll(' ', '-') }),
    ...(body.content === undefined ? {} : { content: body.content.replaceAll(/\s*<!--[^>]*-->/g, '') }),
  };
  const response = await send(
    new Request(request.url, {
      method: request.method,
      headers: request.headers,
      ...(isRead ? {} : { body: JSON.stringify(made) }),
    }),
  );
  for (const name of ['KB-Capabilities', 'KB-Last-Edited', 'X-Total-Count', 'Location', 'ETag'])
    response.headers.delete(name);
  return response;
};

const FILES = {
  'article/install@en': { fields: { title: 'How to install' }, body: '<p>Take the package.</p>' },
  'article/upgrade@en': { fields: { title: 'How to upgrade' }, body: '<p>Take the next one.</p>' },
} as const;

let rig: Rig;
beforeEach(async () => {
  rig = await createRig();
  rig.wrap = making;
});
afterEach(() => rig.close());

const count = async (): Promise<number> => (await rig.editor().list('article')).items.length;

describe('a service that makes slugs from titles and strips stamps', () => {
  beforeEach(async () => {
    await rig.sync(desiredState(FILES));
    rig.forget();
  });

  test('gets no page a second time from a clone without a state, in no later run either', async () => {
    for (let run = 0; run < 2; run += 1) {
      const { plan } = await rig.sync(desiredState(FILES));
      expect(plan.blocked.map(({ key }) => key)).toEqual(['article/install@en', 'article/upgrade@en']);
      expect(plan.blocked[0]?.message).toMatch(
        /^the record \S+ has its title and text but another slug, "how-to-install": it may be this page already; /,
      );
      expect(await count()).toBe(2);
    }
  });

  test('gets no page a second time whose file was edited since, if another page shows what the service does', async () => {
    const edited = {
      ...FILES,
      'article/upgrade@en': { ...FILES['article/upgrade@en'], body: '<p>It says something else now.</p>' },
    };
    const { plan } = await rig.sync(desiredState(edited));
    expect(plan.blocked.map(({ key }) => key)).toEqual(['article/install@en', 'article/upgrade@en']);
    expect(plan.blocked[1]?.message).toMatch(
      /^the record \S+ has its title but another slug, "how-to-upgrade": /,
    );
    expect(await count()).toBe(2);
  });

  test('finds its pages again once the files say its slugs', async () => {
    await rig.sync(desiredState(FILES));
    const slugs = {
      'article/install@en': {
        ...FILES['article/install@en'],
        fields: { title: 'How to install', slug: 'how-to-install' },
      },
      'article/upgrade@en': {
        ...FILES['article/upgrade@en'],
        fields: { title: 'How to upgrade', slug: 'how-to-upgrade' },
      },
    };
    expect((await rig.sync(desiredState(slugs))).summary).toMatchObject({ unchanged: 2, conflict: 0 });
    expect(await count()).toBe(2);
  });

  test('gets a page of the same title and another text, and one without a text', async () => {
    const report = await rig.sync(
      desiredState({
        'article/a@en': { fields: { title: 'How to install' }, body: '<p>From source, in three steps.</p>' },
        'article/b@en': { fields: { title: 'How to upgrade' }, body: '' },
      }),
    );
    expect(report.plan.blocked).toEqual([]);
    expect(report.results.map(({ action }) => action)).toEqual(['create', 'create']);
  });
});

/** A service that puts a number behind each slug. */
const numbering: (send: Send) => Send = (send) =>
  making(async (request) => {
    const isRead = request.method === 'GET';
    const body = isRead ? {} : (JSON.parse(await request.text()) as Body);
    const made = body.slug === undefined ? body : { ...body, slug: `${body.slug}-49` };
    return send(
      new Request(request.url, {
        method: request.method,
        headers: request.headers,
        ...(isRead ? {} : { body: JSON.stringify(made) }),
      }),
    );
  });

describe('a service that puts a number behind each slug', () => {
  const BARE = {
    'category/start@en': { fields: { name: 'Start' }, body: '' },
    'tag/cli@en': { fields: { name: 'Command line', slug: 'cli' }, body: '' },
  } as const;

  test('gets no category and no tag without a text a second time from a clone without a state', async () => {
    rig.wrap = numbering;
    await rig.sync(desiredState(BARE), { stamp: false });
    for (let run = 0; run < 2; run += 1) {
      rig.forget();
      const { plan } = await rig.sync(desiredState(BARE), { stamp: false });
      expect(plan.blocked.map(({ message }) => message)).toEqual([
        expect.stringMatching(
          /^the record \S+ has its name but another slug, "start-49": it may be this category already; /,
        ),
        expect.stringMatching(
          /^the record \S+ has its name but another slug, "cli-49": it may be this tag already; /,
        ),
      ]);
    }
    expect((await rig.editor().list('category')).items).toHaveLength(1);
    expect((await rig.editor().list('tag')).items).toHaveLength(1);
  });

  test('gets no category a second time that has its name and description, whatever its slug says', async () => {
    const described = { name: 'Set up', description: 'How to begin.' };
    const bare = {
      priority: 0,
      thumbnailUrl: null,
      iconUrl: null,
      categoryParent: null,
      longDescription: '',
    };
    await rig.editor().create('category', { ...bare, ...described, slug: 'setting-up' }, {});
    const setup = (fields: Fields) => desiredState({ 'category/set-up@en': { fields, body: '' } });
    const { plan } = await rig.sync(setup(described), { stamp: false });
    expect(plan.blocked[0]?.message).toMatch(
      /^the record \S+ has its name but another slug, "setting-up": it may be this category already; /,
    );
    const other = await rig.sync(setup({ ...described, description: 'Another one.' }));
    expect(other.results.map(({ action }) => action)).toEqual(['create']);
  });

  test('gets a tag of the same name whose slug says something else', async () => {
    await rig.sync(desiredState({ 'tag/api@en': { fields: { name: 'Files' }, body: '' } }), { stamp: false });
    rig.forget();
    const report = await rig.sync(desiredState({ 'tag/upload@en': { fields: { name: 'Files' }, body: '' } }));
    expect(report.results.map(({ action }) => action)).toEqual(['create']);
  });
});

test('a category of the same name in another place is another one, once the place of the file is known', async () => {
  rig.wrap = (send) => send;
  const billing = { 'category/billing@en': { fields: { name: 'Billing' }, body: '' } } as const;
  await rig.sync(desiredState(billing));
  const faq = { name: 'FAQ', priority: 0, description: null, thumbnailUrl: null, iconUrl: null };
  await rig
    .editor()
    .create('category', { ...faq, slug: 'faq', categoryParent: null, longDescription: '' }, {});
  const files = desiredState({
    ...billing,
    'category/billing/faq@en': {
      fields: { name: 'FAQ', slug: 'faq-billing', categoryParent: 'category/billing' },
      body: '',
    },
  });
  const report = await rig.sync(files);
  expect(report.plan.blocked).toEqual([]);
  expect(report.results.map(({ action, outcome }) => [action, outcome])).toEqual([['create', 'done']]);
  expect((await rig.editor().list('category')).items).toHaveLength(3);
  expect((await rig.sync(files)).summary).toMatchObject({ unchanged: 2 });
});

test('lets the author give a page another slug, also if the old one was sent again and read back late', async () => {
  const page = (slug: string, body: string) =>
    desiredState({ 'article/a@en': { fields: { title: 'A page', slug }, body } });
  rig.wrap = numbering;
  await rig.sync(page('a-page', '<p>Once.</p>'));
  let isWritten = false;
  rig.wrap = (send) => (request) => {
    if (isWritten) rig.clock.advance(3000);
    isWritten ||= request.method === 'POST';
    return numbering(send)(request);
  };
  await rig.sync(page('a-page', '<p>Twice.</p>'), { onDrift: 'overwrite' });
  rig.wrap = numbering;
  const { plan } = await rig.sync(page('set-up', '<p>Twice.</p>'));
  expect([plan.conflicts, plan.changes.map(({ action }) => action)]).toEqual([[], ['update']]);
});

test('a page is rendered once, and only beside records that have its title', () => {
  const rendered: string[] = [];
  const file = (slug: string, title: string) => ({
    kind: 'article',
    family: `article/${slug}`,
    fields: { title, slug },
    body: { field: 'content', render: () => (rendered.push(slug), `<p>Text of ${slug}.</p>`) },
  });
  const record = (id: string, title: string, content: string) => ({
    kind: 'article',
    id,
    fields: { title, slug: `s-${id}`, content },
  });
  const files = [file('a', 'Fish & chips'), file('b', 'Other'), file('c', 'Alone')];
  const records = [
    record('1', 'Fish &amp; chips', '<p>Another.</p>'),
    record('2', 'Fish & chips', '<p>Text of a.</p>'),
    record('3', 'Other', '<p>Text of a.</p>'),
  ];
  const twins = twinsOf(
    files as unknown as Parameters<typeof twinsOf>[0],
    records as unknown as readonly KnownRecord[],
    NO_WAYS,
    () => undefined,
  );
  expect([...twins].map(([family, { id }]) => [family, id])).toEqual([['article/a', '2']]);
  expect(rendered).toEqual(['a', 'b']);
});

test('a service that gives translations the slug of their original is named, and no delete asks about that slug', async () => {
  rig.wrap = (send) =>
    making(async (request) => {
      if (request.method !== 'POST') return send(request);
      const body = JSON.parse(await request.text()) as Body & { readonly lang?: string };
      const kept = JSON.stringify(body.lang === 'fr' ? { ...body, slug: 'start' } : body);
      return send(new Request(request.url, { method: 'POST', headers: request.headers, body: kept }));
    });
  const english = { 'article/start@en': { fields: { title: 'Start' }, body: '<p>In English.</p>' } };
  const french = { fields: { title: 'Premiers pas', slug: 'premiers-pas' }, body: '<p>En français.</p>' };
  const { results } = await rig.sync(desiredState({ ...english, 'article/start@fr': french }));
  expect(results.map(({ key, outcome, message }) => [key, outcome, message])).toEqual([
    ['article/start@en', 'done', 'created'],
    [
      'article/start@fr',
      'failed',
      'the service shows the original\'s slug "start" instead of "premiers-pas": it keeps one slug for all languages; give both the same slug',
    ],
  ]);
  const { plan, summary } = await rig.sync(desiredState(english), { prune: true });
  expect([plan.conflicts, summary]).toMatchObject([[], { deleted: 1 }]);
});
