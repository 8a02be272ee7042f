import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteName } from '../../../src/contract/index.ts';
import { openApiDocument, type OpenApiDocument } from '../../../src/service/api/openapi/openapi.ts';
import { addVersion, openSqlite } from '../../../src/service/index.ts';
import { described, type Described } from '../support/described.ts';
import {
  ARTICLES,
  articleBody,
  CATEGORIES,
  categoryBody,
  type Reply,
  rig,
  type Rig,
  TAGS,
  tagBody,
} from '../support/rig.ts';

type Json = Readonly<Record<string, any>>; // oxlint-disable-line typescript/no-explicit-any -- a JSON schema, read field by field

/** Bodies for each kind of write; the campaign is `KBSYNC_EXACT=5000 npx vitest run test/service/api/exact.test.ts`. */
const RUNS = Number(process.env['KBSYNC_EXACT'] ?? 150);

const tokens = (...parts: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...parts), { maxLength: 7 }).map((found) => found.join(''));
const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));

/** Texts of which the schema takes some and refuses others. */
const TEXT: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  tokens(
    'a',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\u200b',
    '\u202e',
    '\u0007',
    '\u0085',
    '\u2028',
    '.',
    '\u{1f600}',
    '\ufeff',
    '\0',
    '\ud800',
  ),
  fc
    .tuple(fc.constantFrom('x', '\u{1f600}', 'é'), fc.constantFrom(159, 160, 161, 255, 256, 1000, 1001))
    .map(([text, n]) => text.repeat(n)),
  fc.constantFrom('.', '..', '...', '', '<p>a <b>b</b></p>'),
);
const ADDRESS = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.ipV4().map((ip) => `http://${ip}/a.png`),
  tokens(
    'http://',
    'https://',
    'HTTP:',
    'javascript:',
    '/',
    '\\',
    '//',
    'a',
    'b.example',
    'xn--',
    '%',
    '[',
    '::1',
    ']',
    ':80',
    ':99999',
    '?',
    '#',
    '@',
    '.',
    ' ',
    'é',
    '255',
    '08',
    '0x1',
    '-',
    '_',
    '\n',
  ),
);
const DAY = fc
  .tuple(fc.constantFrom('0000', '0004', '1900', '2000', '2024', '2026', '9999'), two(13), two(32))
  .map((parts) => parts.join('-'));
const TIME = fc
  .tuple(
    fc.constantFrom('T', ' ', 't'),
    two(24),
    two(60),
    fc.option(two(60), { nil: '' }),
    fc.constantFrom('', '.5', ',123456789', '.1234567890'),
  )
  .map(
    ([mark, hours, minutes, seconds, fraction]) =>
      `${mark}${hours}:${minutes}${seconds === '' ? '' : `:${seconds}${fraction}`}`,
  );
const ZONE = fc.constantFrom('', 'Z', 'z', '+02:00', '-2359', '+24:00', '-00:00');
const DATE = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date('0001-01-02'), max: new Date('9998-12-30') })
    .map((date) => date.toISOString()),
  fc
    .tuple(DAY, fc.option(TIME, { nil: '' }), ZONE)
    .map(([day, time, zone]) => day + time + (time === '' ? '' : zone)),
);
const LANG = fc
  .array(
    fc.constantFrom(
      'en',
      'fr',
      'PT',
      'api',
      'deu',
      'Hant',
      'CN',
      '419',
      '1996',
      'rozaj',
      'x',
      'a',
      'abcdefgh',
      'abcdefghi',
      'e_',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join('-'));
const NUMBER = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1, 0.1),
);
const OTHER_TYPE = fc.constantFrom<unknown>(null, 7, true, 'text', [], {}, [[]], [{ value: 1 }], {
  value: 'x',
});

/** Fields of which the service takes more than the schema says, as their descriptions tell. */
const WIDER = ['seoBannerUrl', 'thumbnailUrl', 'iconUrl', 'articleReviewDate', 'lang'];
const WRITES = [
  ['createArticle', 'PUT', ARTICLES],
  ['editArticle', 'POST', ARTICLES],
  ['createCategory', 'PUT', CATEGORIES],
  ['editCategory', 'POST', CATEGORIES],
  ['createTag', 'PUT', TAGS],
  ['editTag', 'POST', TAGS],
] as const;

describe('the OpenAPI document says exactly what the service takes and sends', () => {
  let service: Rig;
  let document: OpenApiDocument;
  let api: Described;
  /** Records of each kind, which bodies may name. */
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    service = await rig(openSqlite({ file: ':memory:' }));
    const served = await service.send(new Request('http://kb.test/openapi.json'));
    document = (await served.json()) as OpenApiDocument;
    api = described(document);
    ids[CATEGORIES] = await service.make(CATEGORIES, categoryBody());
    ids[TAGS] = await service.make(TAGS, tagBody());
    ids[ARTICLES] = await service.make(ARTICLES, articleBody());
  });
  afterAll(() => service.close());

  const valueOf = (name: string, schema: Json): fc.Arbitrary<unknown> => {
    if ('$ref' in schema) return LANG;
    if ('anyOf' in schema) return fc.oneof(...schema['anyOf'].map((inner: Json) => valueOf(name, inner)));
    if ('enum' in schema) return fc.constantFrom(...schema['enum']);
    if (Array.isArray(schema['type'])) {
      return fc.oneof(...schema['type'].map((type: string) => valueOf(name, { type })));
    }
    switch (schema['type']) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'number':
        return NUMBER;
      case 'array': {
        const id = ids[name === 'tags' ? TAGS : CATEGORIES];
        return fc.array(fc.constant({ value: id }), { maxLength: 3 });
      }
    }
    if (name === 'categoryParent') return fc.constant(ids[CATEGORIES]);
    if (name.endsWith('Url')) return ADDRESS;
    return name.endsWith('Date') ? DATE : TEXT;
  };

  /** A field as the schema takes it, or as it may not. */
  const fieldOf = (
    name: string,
    schema: Json,
    isTaken: (value: unknown) => boolean,
  ): fc.Arbitrary<unknown> => {
    const any = valueOf(name, schema);
    return fc.oneof(
      { weight: 12, arbitrary: any.filter(isTaken) },
      { weight: 1, arbitrary: any },
      { weight: 1, arbitrary: name === 'categoryParent' ? fc.constant(7) : OTHER_TYPE },
    );
  };

  const bodyOf = (schemaName: string): fc.Arbitrary<Record<string, unknown>> => {
    const schema: Json = document.components.schemas[schemaName] ?? {};
    const required: readonly string[] = schema['required'] ?? [];
    const fields = Object.entries<Json>(schema['properties']).map(([name, inner]) => {
      // An `id` in a body must be that of the path, which no schema can say.
      if (name === 'id') return [name, fc.constant(ids[TAGS])] as const;
      const without = api.schema(schemaName);
      const isTaken = (value: unknown): boolean => {
        if (without({ [name]: value })) return true;
        return !(without.errors ?? []).some(({ instancePath }) => instancePath.startsWith(`/${name}`));
      };
      return [name, fieldOf(name, inner, isTaken)] as const;
    });
    return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] }).chain((body) =>
      fc.oneof(
        { weight: 15, arbitrary: fc.constant(body) },
        { weight: 1, arbitrary: fc.constant({ ...body, somethingElse: 1 }) },
        {
          weight: 1,
          arbitrary: fc
            .constantFrom(...(required.length === 0 ? [''] : required))
            .map((name) => without(body, name)),
        },
      ),
    );
  };

  /** Everything that may be read, held to the document. */
  const readAll = async (): Promise<readonly string[]> => {
    const reads: readonly (readonly [RouteName, string])[] = [
      ['listArticles', ARTICLES],
      ['listCategories', CATEGORIES],
      ['listTags', TAGS],
      ['listVersions', '/api/v2/versions?count=3'],
      ['listLinks', '/api/v2/tools/link_manager'],
      ['listReviewDates', '/api/v2/tools/review_dates'],
      ['readArticle', `${ARTICLES}/${ids[ARTICLES]}`],
      ['readCategory', `${CATEGORIES}/${ids[CATEGORIES]}?lang=fr`],
      ['readTag', `${TAGS}/${ids[TAGS]}?lang=fr`],
    ];
    const problems: string[] = [];
    for (const [name, path] of reads) problems.push(...api.problems(name, await service.ask('GET', path)));
    return problems;
  };

  test.each(WRITES)(
    '%s takes what its schema takes, and refuses everything else',
    async (name, method, path) => {
      const takes = api.schema(`${name}Body`);
      const seen = { taken: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(bodyOf(`${name}Body`), async (body) => {
          const isTaken = takes(body);
          const at = method === 'PUT' ? path : `${path}/${ids[path]}`;
          const reply: Reply = await service.ask(method, at, body);
          expect(api.problems(name, reply)).toEqual([]);
          const slugInUse = reply.status === 409 && String(reply.body['message']).includes('slug');
          const isCycle = reply.status === 409 && String(reply.body['message']).includes('close a cycle');
          if (slugInUse || isCycle) return true;
          if (!isTaken) {
            seen.refused += 1;
            const wrong = (takes.errors ?? []).map(({ instancePath }) => instancePath.split('/')[1] ?? '');
            const isWider = wrong.every((field) => WIDER.includes(field));
            return reply.status === 400 || isWider;
          }
          seen.taken += 1;
          const id = reply.headers.get('location')?.split('/').at(-1);
          const kind = name.replace('create', 'read');
          const read =
            id === undefined || seen.taken % 10 > 0
              ? []
              : api.problems(kind, await service.ask('GET', `${path}/${id}`));
          expect(read).toEqual([]);
          return reply.status === (method === 'PUT' ? 201 : 200);
        }),
        {
          numRuns: RUNS,
          // A smaller body is no clearer, and looking for it takes minutes.
          endOnFailure: true,
          ...(process.env['KBSYNC_SEED'] === undefined ? {} : { seed: Number(process.env['KBSYNC_SEED']) }),
        },
      );
      expect(await readAll()).toEqual([]);
      // Else nothing was tried.
      expect(seen.taken).toBeGreaterThan(RUNS / 10);
      expect(seen.refused).toBeGreaterThan(RUNS / 20);
    },
  );

  test('every refusal and every unchanged reply is described', async () => {
    await addVersion(
      { store: service.store, clock: service.clock },
      {
        version: '1.0',
        name: 'One',
        releasedAtMs: 0,
        active: true,
        released: true,
        features: [{ name: 'F', imageUrl: '/a.png' }],
      },
    );
    const { ask } = service;
    const tag = `${TAGS}/${ids[TAGS]}`;
    const etag = (await ask('GET', tag)).headers.get('etag') ?? '';
    const asked: readonly (readonly [number, RouteName, Promise<Reply>])[] = [
      [304, 'readTag', ask('GET', tag, undefined, { 'if-none-match': etag })],
      [401, 'listTags', ask('GET', TAGS, undefined, { authorization: 'Bearer no' })],
      [404, 'readTag', ask('GET', `${TAGS}/none`)],
      [404, 'deleteTag', ask('DELETE', `${TAGS}/none`)],
      [
        409,
        'createTag',
        ask(
          'PUT',
          TAGS,
          (await ask('GET', tag)).body['data'].slug === undefined
            ? {}
            : { name: 'x', slug: (await ask('GET', tag)).body['data'].slug },
        ),
      ],
      [412, 'editTag', ask('POST', tag, {}, { 'if-match': '"other"' })],
      [415, 'editTag', ask('POST', tag, {}, { 'content-type': 'text/plain' })],
      [
        422,
        'createArticle',
        ask('PUT', ARTICLES, articleBody({ slug: 'z', categories: [{ value: 'none' }] })),
      ],
      [400, 'listVersions', ask('GET', '/api/v2/versions?count=0')],
      [200, 'listVersions', ask('GET', '/api/v2/versions')],
    ];
    for (const [status, name, reply] of asked) {
      expect([name, (await reply).status, api.problems(name, await reply)]).toEqual([name, status, []]);
    }
  });

  test('with fixed languages, `lang` is one of them', () => {
    const fixed = openApiDocument({ defaultLanguage: 'en', languages: ['fr', 'de'] });
    expect(fixed.components.schemas['language']).toMatchObject({ enum: ['en', 'de', 'fr'] });
  });
});

function without(body: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = body;
  return rest;
}
