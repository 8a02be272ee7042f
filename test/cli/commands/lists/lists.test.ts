import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addVersion, countViews, systemClock } from '../../../../src/service/index.ts';
import { countFeedback } from '../../../../src/service/insights/feedback.ts';
import { countMiss } from '../../../../src/service/insights/search-misses.ts';
import { parseConfig } from '../../../../src/config/parse.ts';
import { FRONT_MATTER } from '../../../../src/cli/commands/schema/front-matter-schema.ts';
import { FIELDS, bodyFieldOf } from '../../../../src/model/fields.ts';
import { KINDS } from '../../../../src/model/key.ts';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld({
    ...SMALL,
    'content/en/articles/old.md':
      '---\ntitle: Old\narticleReviewDate: 2020-01-31\n---\n\n[out](https://out.example/a)\n',
    'content/en/articles/late.md':
      '---\ntitle: Late\nstatus: draft\narticleReviewDate: 2199-01-31\n---\n\nText.\n',
  });
});
afterEach(() => world.close());

test('links lists what the service found in articles, filtered, and fails on what it is told to', async () => {
  await world.run('sync');
  const all = await world.run('links');
  expect(all).toMatchObject({
    exit: 0,
    stdout: 'working  https://out.example/a  Old\n1 link: 0 broken, 1 working, 0 not checked yet\n',
  });
  expect(await world.run('links', '--fail-on', 'broken')).toMatchObject({ exit: 0 });
  world.wrap = (send) => async (request) => {
    const text = await (await send(request)).text();
    const headers = { 'content-type': 'application/json' };
    return new Response(text.replace('"working":true', '"working":false'), { headers });
  };
  expect(await world.run('links', '--fail-on', 'broken')).toMatchObject({ exit: 1 });
  const json = await world.run('links', '--url', 'OUT.example', '--only', 'broken', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    format: 1,
    links: [{ state: 'broken', url: 'https://out.example/a', article: 'Old' }],
    summary: { broken: 1, unchecked: 0 },
  });
  expect(await world.run('links', '--article', 'no such', '--fail-on', 'broken')).toMatchObject({
    exit: 0,
    stdout: '0 links: 0 broken, 0 working, 0 not checked yet\n',
  });
});

test('reviews come by date; --due fails when one is due by then', async () => {
  await world.run('sync');
  const all = await world.run('reviews', '--json');
  expect(JSON.parse(all.stdout)).toMatchObject({
    reviews: [
      { name: 'Old', isOverdue: true, lang: 'en' },
      { name: 'Late', isOverdue: false, status: 'draft' },
    ],
    summary: { shown: 2, overdue: 1 },
  });
  const due = await world.run('reviews', '--due', '30d');
  expect(due).toMatchObject({ exit: 1 });
  expect(due.stdout).toContain('2020-01-31  overdue');
  expect(due.stdout).not.toContain('Late');
  expect(await world.run('reviews', '--due', '2019-12-31')).toMatchObject({ exit: 0 });
  expect(await world.run('reviews', '--due', '30d', '--lang', 'fr')).toMatchObject({ exit: 0 });
  expect(await world.run('reviews', '--due', 'soon')).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining('like 30d, 2026-12-31 or'),
  });
});

test('versions lists releases, only released ones when asked', async () => {
  const { store } = world.service;
  const options = { store, clock: systemClock };
  const release = { releasedAtMs: 0, active: false, features: [] };
  await addVersion(options, { ...release, version: '2.4.0', name: 'Autumn', released: true });
  await addVersion(options, { ...release, version: '2.5.0', name: 'Winter', released: false });
  const all = await world.run('versions');
  expect(all.stdout).toMatch(/2 versions\n$/);
  const released = await world.run('versions', '--released', '--json');
  expect(JSON.parse(released.stdout)).toMatchObject({
    versions: [{ name: 'Autumn' }],
    summary: { shown: 1 },
  });
});

describe('insights', () => {
  async function readers(): Promise<void> {
    await world.run('sync');
    const { store } = world.service;
    const [article] = await store.read((sql) =>
      sql.all<{ readonly id: string; readonly slug: string }>(
        `select id, slug from articles where slug = 'old'`,
      ),
    );
    const articleId = article?.id ?? '';
    const at = systemClock.now() * 1000;
    await countMiss(store, { query: 'zeppelin', language: 'en' }, { times: 12, at });
    await countMiss(store, { query: 'luftschiff', language: 'de' }, { times: 1, at });
    await countFeedback(store, { articleId, verdict: 'not-helpful' }, { times: 3, at });
    await countFeedback(store, { articleId, verdict: 'helpful' }, { times: 1, at });
    await countViews(store, articleId, 1204);
    const longAgo = at - 200.5 * 86_400_000_000;
    await store.write((sql) =>
      sql.run('update articles set edited_at = ?, created_at = ? where id = ?', longAgo, longAgo, articleId),
    );
  }

  test('are three tables: searched in vain, not helpful, old and read', async () => {
    await readers();
    const { exit, stdout } = await world.run('insights');
    expect(exit).toBe(0);
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\d/g, 'DAY')).toBe(`Searches without a result, in the last 90 days
  12 times  en  zeppelin    last DAY
  1 time    de  luftschiff  last DAY

Articles that readers did not find helpful
  3 of 4 answers  en  old  Old  1,204 views

Articles that are read, and that nobody edited for 180 days
  1,204 views  200 days  old  Old

2 searches without a result, 1 article not helpful, 1 old and read
`);
  });

  test('--lang, --count and --stale-after choose; --json is one document', async () => {
    await readers();
    const { stdout } = await world.run('insights', '--lang', 'de', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      format: 1,
      searches: [{ query: 'luftschiff', lang: 'de', times: 1 }],
      feedback: [],
      stale: [],
      summary: { searches: 1, feedback: 0, stale: 0 },
    });
    const one = await world.run('insights', '--count', '1', '--stale-after', '201', '--json');
    expect(JSON.parse(one.stdout)).toMatchObject({
      searches: [{ query: 'zeppelin' }],
      feedback: [{ slug: 'old', lang: 'en', helpful: 1, notHelpful: 3, views: 1204 }],
      stale: [],
    });
  });

  test('a service that has none is named, with what would be right', async () => {
    world.wrap = (send) => async (request) =>
      request.url.includes('/insights/') ? new Response('{}', { status: 404 }) : send(request);
    const { exit, stderr } = await world.run('insights');
    expect(exit).toBe(4);
    expect(stderr).toContain('this service does not tell what readers search, say and read');
    expect(stderr).toContain('KB-Capabilities');
  });
});

test('without a key they say so', async () => {
  delete world.env['KBSYNC_API_KEY'];
  expect(await world.run('links')).toMatchObject({ exit: 64 });
});

test('the front matter schema of a kind names its fields, each described, and no other', () => {
  for (const kind of KINDS) {
    const { shape } = FRONT_MATTER[kind];
    const own = Object.keys(FIELDS[kind]).filter((field) => field !== bodyFieldOf(kind));
    const dates = kind === 'article' ? ['publishAt', 'unpublishAt'] : [];
    const beside = ['translationKey', 'movedFrom', 'aliases', 'lang', ...dates];
    expect(Object.keys(shape).sort()).toEqual([...own, ...beside].sort());
  }
});

test('what the schema takes the check takes, and what it refuses is an error to the check', async () => {
  const { article } = FRONT_MATTER;
  const cases: readonly (readonly [string, unknown, boolean])[] = [
    ['status', 'draft', true],
    ['status', 'hidden', false],
    ['ordering', 3, true],
    ['ordering', 'three', false],
    ['hideFromSearch', true, true],
    ['hideFromSearch', 'yes', false],
    ['seoBannerUrl', 'https://a.example/b.png', true],
    ['seoBannerUrl', 'javascript:alert(1)', false],
    // A longer one is cut, with a warning.
    ['excerpt', 'x'.repeat(161), true],
    ['excerpt', { x: 1 }, false],
    // A key of another tool: a warning unless `ignoreKeys` names it, so no fault to an editor.
    ['odd', 1, true],
  ];
  for (const [field, value, isRight] of cases) {
    await world.write(
      'content/en/articles/case.md',
      `---\ntitle: Case\n${field}: ${JSON.stringify(value)}\n---\n`,
    );
    const { stdout } = await world.run('check', '--json');
    const { problems } = JSON.parse(stdout) as {
      readonly problems: readonly { readonly severity: string }[];
    };
    const hasErrors = problems.some(({ severity }) => severity === 'error');
    expect([field, value, !hasErrors]).toEqual([field, value, isRight]);
    expect([field, value, article.safeParse({ title: 'Case', [field]: value }).success]).toEqual([
      field,
      value,
      isRight,
    ]);
  }
});

test('schema prints draft-07 with descriptions; an unknown name is a usage error', async () => {
  for (const name of ['config', 'article', 'category', 'tag', 'fleet']) {
    const { exit, stdout } = await world.run('schema', name);
    const printed = JSON.parse(stdout) as {
      readonly $schema: string;
      readonly additionalProperties: unknown;
      readonly properties: Readonly<Record<string, { readonly description?: string }>>;
    };
    expect(exit).toBe(0);
    expect(printed.$schema).toContain('draft-07');
    // To `check`, a key of another tool in front matter is a warning at most; a setting that is none is an error.
    expect(printed.additionalProperties === false).toBe(['config', 'fleet'].includes(name));
    for (const [field, { description = '' }] of Object.entries(printed.properties)) {
      expect([field, description]).not.toContain('');
    }
  }
  const wrong = await world.run('schema', 'artikle');
  expect(wrong).toMatchObject({ exit: 64 });
  expect(wrong.stderr).toContain('did you mean `article`?');
  expect(parseConfig('baseUrl: https://help.example.com\n', 'kbsync.yaml').ok).toBe(true);
});
