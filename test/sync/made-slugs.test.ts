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

  const renamed = {
    ...FILES,
    'article/install@en': {
      fields: { title: 'Fitting it', slug: 'fitting' },
      body: '<p>All of it is new.</p>',
    },
  };

  test('gets no page a second time whose file waited for it and got another title, slug and text since', async () => {
    await rig.sync(desiredState(FILES));
    for (let run = 0; run < 2; run += 1) {
      const { plan } = await rig.sync(desiredState(renamed));
      expect(plan.blocked[0]?.message).toMatch(
        /^the record \S+ was like this file before the file was edited, and has another title, "How to install", and the slug "how-to-install": it may be this page already; give the file that slug, or rename or delete that record$/,
      );
      expect(await count()).toBe(2);
    }
  });

  test('makes the page of a file that waited once somebody has renamed the record, as the message says', async () => {
    await rig.sync(desiredState(FILES));
    const [record] = (await rig.editor().list('article')).items.filter(({ name }) =>
      name.includes('install'),
    );
    const read = await rig.editor().read('article', record?.id ?? '');
    const { fields = {} } = read.state === 'found' ? read.record : {};
    await rig.editor().edit('article', record?.id ?? '', 'en', { ...fields, title: 'Old page' }, {});
    expect((await rig.sync(desiredState(renamed))).results.map(({ action }) => action)).toEqual(['create']);
    expect(await count()).toBe(3);
    expect((await rig.sync(desiredState(renamed))).results).toEqual([]);
  });

  test('is in sync with a file that waited, and was given the slug of the record', async () => {
    await rig.sync(desiredState(FILES));
    const file = {
      ...renamed['article/install@en'],
      fields: { title: 'Fitting it', slug: 'how-to-install' },
    };
    const { plan } = await rig.sync(desiredState({ ...FILES, 'article/install@en': file }));
    expect(plan.blocked.map(({ key }) => key)).toEqual(['article/upgrade@en']);
    expect(plan.conflicts.map(({ key }) => key)).toEqual(['article/install@en']);
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

test('gets no page a second time whose file was edited since, if its slug is the file’s in other letters alone', async () => {
  const file = (body: string) =>
    desiredState({
      'article/upgrade@en': { fields: { title: 'How to upgrade', slug: 'How-To-Upgrade' }, body },
    });
  await rig.sync(file('<p>Take the next one.</p>'));
  rig.forget();
  const { plan } = await rig.sync(file('<p>It says something else now.</p>'));
  expect(plan.blocked[0]?.message).toMatch(
    /^the record \S+ has its title but another slug, "how-to-upgrade": /,
  );
  expect(await count()).toBe(1);
});

/** The same, and it takes tags out of titles. */
const stripping: (send: Send) => Send = (send) =>
  making(async (request) => {
    const isRead = request.method === 'GET';
    const text = isRead ? '' : await request.text();
    const body = text === '' ? {} : (JSON.parse(text) as Body);
    const title = body.title?.replaceAll(/<[^>]*>\s*/g, '');
    const body2 = JSON.stringify({ ...body, ...(title === undefined ? {} : { title }) });
    return send(
      new Request(request.url, {
        method: request.method,
        headers: request.headers,
        ...(isRead ? {} : { body: body2 }),
      }),
    );
  });

describe('a service that makes slugs from titles, strips stamps and takes tags out of titles', () => {
  const tagged = {
    'article/bold@en': { fields: { title: 'What <b> is for' }, body: '<p>It makes text bold.</p>' },
    'article/italic@en': { fields: { title: 'What <i> is for' }, body: '<p>It makes text slanted.</p>' },
  };

  test('gets each page once, and the run knows which record is which', async () => {
    rig.wrap = stripping;
    await rig.sync(desiredState(tagged));
    expect(await count()).toBe(2);
    expect([...(await (await rig.base.open({ readOnly: true })).load()).state.records.keys()].sort()).toEqual(
      Object.keys(tagged),
    );
  });

  test('gets no page a second time from a clone without a state', async () => {
    rig.wrap = stripping;
    await rig.sync(desiredState(tagged));
    rig.forget();
    const { plan } = await rig.sync(desiredState(tagged));
    expect(plan.blocked.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^the record \S+ has its text but another title, "What is for", and another slug, "what-[^"]+": it may be this page already; give the file that slug, /,
      ),
      expect.stringMatching(
        /^the record \S+ has its text but another title, "What is for", and another slug, /,
      ),
    ]);
    expect(await count()).toBe(2);
  });
});

test('a create whose answer was lost is not sent again after an editor renamed its page', async () => {
  rig.wrap = (send) => async (request) => {
    const answer = await making(send)(request);
    return request.method === 'PUT' ? new Response('gone', { status: 504 }) : answer;
  };
  const files = desiredState({ 'article/install@en': FILES['article/install@en'] });
  await rig.sync(files);
  rig.wrap = making;
  const [made] = (await rig.editor().list('article')).items;
  rig.clock.advance(120_000);
  const read = await rig.editor().read('article', made?.id ?? '');
  const { fields = {} } = read.state === 'found' ? read.record : {};
  const edited = { ...fields, title: 'How to install it', slug: 'how-to-install-it' };
  await rig.editor().edit('article', made?.id ?? '', 'en', edited, {});
  for (let run = 0; run < 2; run += 1) {
    const { plan } = await rig.sync(files);
    expect(plan.blocked[0]?.message).toContain('may be the result: its name is "How to install it"');
    expect(await count()).toBe(1);
  }
});

test('a create whose answer was lost is known by its title and text, whatever slug the service made', async () => {
  rig.wrap = (send) => async (request) => {
    const answer = await making(send)(request);
    return request.method === 'PUT' ? Response.json({ ok: true }) : answer;
  };
  const files = desiredState({
    ...FILES,
    'category/start@en': { fields: { name: 'Start', slug: 'begin' }, body: '' },
  });
  await rig.sync(files);
  rig.clock.advance(120_000);
  const { plan, summary } = await rig.sync(files);
  expect([plan.blocked, summary]).toMatchObject([[], { conflict: 0, created: 0, drift: 2 }]);
  expect(await count()).toBe(2);
  expect((await rig.sync(files)).summary).toMatchObject({ conflict: 0, created: 0, updated: 0, drift: 2 });
});

test('a category of another name that has the slug of a lost create is not taken for it, though neither has a text', async () => {
  const files = desiredState({ 'category/start@en': { fields: { name: 'Start' }, body: '' } });
  rig.wrap = (send) => async (request) =>
    request.method === 'PUT' ? new Response('gone', { status: 504 }) : making(send)(request);
  await rig.sync(files, { stamp: false });
  rig.wrap = making;
  const theirs = { name: 'First steps', slug: 'start', description: '', longDescription: '', priority: 0 };
  await rig
    .editor()
    .create('category', { ...theirs, thumbnailUrl: null, iconUrl: null, categoryParent: null }, {});
  rig.clock.advance(120_000);
  expect((await rig.sync(files, { stamp: false })).summary).toMatchObject({ conflict: 1, drift: 0 });
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

  test('gets no category and no tag a second time that an editor renamed, if another record shows how the service makes slugs', async () => {
    rig.wrap = numbering;
    const files = { ...BARE, 'category/bill@en': { fields: { name: 'Billing' }, body: '' } } as const;
    await rig.sync(desiredState(files), { stamp: false });
    rig.forget();
    const renamed = {
      ...files,
      'category/bill@en': { fields: { name: 'Invoices', slug: 'bill' }, body: '' },
      'tag/cli@en': { fields: { name: 'Terminal', slug: 'cli' }, body: '' },
    } as const;
    const { plan } = await rig.sync(desiredState(renamed), { stamp: false });
    expect(plan.blocked.map(({ key, message }) => [key, message])).toEqual([
      [
        'category/bill@en',
        expect.stringMatching(
          /^the record \S+ has another name, "Billing", and the slug "bill-49", which the service may have made of this file's: it may be this category already; /,
        ),
      ],
      ['category/start@en', expect.stringMatching(/ has its name but another slug, "start-49"/)],
      [
        'tag/cli@en',
        expect.stringMatching(/ has another name, "Command line", and the slug "cli-49", which /),
      ],
    ]);
    expect((await rig.editor().list('category')).items).toHaveLength(2);
  });

  test('gets a category whose slug is another word, though the service puts a number behind each slug', async () => {
    rig.wrap = numbering;
    await rig.sync(desiredState(BARE), { stamp: false });
    rig.forget();
    const more = { ...BARE, 'category/start-over@en': { fields: { name: 'Again' }, body: '' } } as const;
    const { results } = await rig.sync(desiredState(more), { stamp: false });
    expect(results.map(({ key, action }) => [key, action])).toEqual([['category/start-over@en', 'create']]);
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
    const edited = setup({ ...described, description: 'Another one.' });
    expect((await rig.sync(edited)).plan.blocked.map(({ key }) => key)).toEqual(['category/set-up@en']);
    rig.forget();
    const other = await rig.sync(edited);
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

describe('a service that cuts names, makes slugs of them and names no id', () => {
  const CATEGORIES = {
    'category/billing@en': { fields: { name: 'Billing and refunds of orders' } },
    'category/start@en': { fields: { name: 'Start' } },
    'article/a@en': { fields: { categories: ['category/billing'] } },
  } as const;
  const cutting: (send: Send) => Send = (send) => async (request) => {
    if (request.method === 'GET' || !request.url.includes('/categories')) return making(send)(request);
    const body = JSON.parse(await request.text()) as { readonly name: string };
    const name = body.name.slice(0, 20);
    const made = { ...body, name, slug: name.toLowerCase().replaceAll(' ', '-') };
    const { method, url, headers } = request;
    return making(send)(new Request(url, { method, headers, body: JSON.stringify(made) }));
  };
  const categories = async (): Promise<number> => (await rig.editor().list('category')).items.length;

  test('makes a category without a text once', async () => {
    rig.wrap = cutting;
    const { results } = await rig.sync(desiredState(CATEGORIES));
    expect(results.find(({ key }) => key === 'category/billing@en')).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('stored the slug "billing-and-refunds-"') as string,
    });
    for (let run = 0; run < 3; run += 1) {
      rig.clock.advance(120_000);
      const next = await rig.sync(desiredState(CATEGORIES));
      expect(next.summary).toMatchObject({ pending: 0, created: 0 });
    }
    expect(await categories()).toBe(2);
  });

  test('makes it once where the answer to the create was lost, too', async () => {
    rig.wrap = (send) => async (request) => {
      const answer = await cutting(send)(request);
      if (request.method === 'PUT' && request.url.endsWith('/categories')) throw new Error('cut');
      return answer;
    };
    await rig.sync(desiredState(CATEGORIES));
    rig.wrap = cutting;
    for (let run = 0; run < 3; run += 1) {
      rig.clock.advance(120_000);
      await rig.sync(desiredState(CATEGORIES));
    }
    const creates = rig.sent.filter(({ method, path }) => method === 'PUT' && path.endsWith('/categories'));
    expect([creates.length, await categories()]).toEqual([2, 2]);
  });
});
