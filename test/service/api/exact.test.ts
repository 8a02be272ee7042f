import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteName } from '../../../src/contract/index.ts';
import { openApiDocument, type OpenApiDocument } from '../../../src/service/api/openapi/openapi.ts';
import type { Operation } from '../../../src/service/api/openapi/operations.ts';
import { addVersion, openPostgres, openSqlite, type Store } from '../../../src/service/index.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../../support/postgres.ts';
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

/** Old addresses and where they lead, of which the schema takes some. */
const OLD = fc
  .tuple(
    fc.constantFrom('/', '/', '/', '/a', '/a', '//', 'a', '/\\', ''),
    tokens(
      '/a',
      'b.html',
      'é',
      '%2e',
      ' ',
      '..',
      'p=1',
      '/',
      '\\',
      'e\u0301',
      '\u212b',
      '?',
      '#',
      '\t',
      '//',
    ),
  )
  .map((parts) => parts.join(''));
const TAG = fc.constantFrom(
  '"a.1"',
  'W/"a.1"',
  '*',
  '',
  '"a"b',
  '"a", "b"',
  'a',
  '"',
  'W/a',
  '"\u00e9"',
  ',',
  '"a" "b"',
);
/** Of the kinds that headers and addresses can carry. */
const PARAMETERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  id: fc.oneof(
    fc.constantFrom('none', '\0', 'a\0b', '%', '..a', 'é', '\u202e', "'", '*', '1', ' '),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((id) => !/^\.{1,2}$/.test(id)),
  ),
  lang: fc.oneof(LANG, fc.constantFrom('', '\0', 'fr\0', 'e n', "fr'", 'é')),
  count: fc.constantFrom(
    '0',
    '1',
    '2',
    '100',
    '101',
    '500',
    '-1',
    '1.5',
    '1e1',
    '',
    ' 1',
    '١',
    '99999999999999999999',
  ),
  repository: fc.constantFrom('a', 'acme/docs', '../a', '', 'a b', 'é', 'a'.repeat(80), 'a'.repeat(81), '\0'),
  'If-Match': TAG,
  'If-None-Match': TAG,
};

/** An id that no record can have is unknown; of tags and languages more is taken than their descriptions say. */
const WIDER_PARAMETERS = new Set(['id', 'lang', 'If-Match', 'If-None-Match']);

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

let server: PostgresServer | undefined;
afterAll(() => server?.remove());
const STORES: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ['SQLite', async () => openSqlite({ file: ':memory:' })],
  [
    'PostgreSQL',
    async () => {
      server = await startPostgres();
      return openPostgres({ url: await server.freshUrl(), connectionsMax: 4 });
    },
  ],
];
const HERE = postgresMissing() === undefined ? STORES : STORES.slice(0, 1);

describe.each(HERE)(
  'the OpenAPI document says exactly what the service takes and sends, on %s',
  (_, open) => {
    let service: Rig;
    let document: OpenApiDocument;
    let api: Described;
    /** Records of each kind, which bodies may name. */
    const ids: Record<string, string> = {};

    beforeAll(async () => {
      service = await rig(await open(), { insights: true, redirects: true });
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

    test('every parameter is taken as its schema takes it, and refused otherwise', async () => {
      const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods)
          // Of writes, the body decides as well; their headers are asked with one that is taken.
          .filter(([method]) => method !== 'put' || path.endsWith('/redirects'))
          .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
      );
      const bodies: Readonly<Record<string, unknown>> = {
        editArticle: { ...articleBody({ slug: 'edited' }), lang: 'en' },
        editCategory: { ...categoryBody(), lang: 'en' },
        editTag: { ...tagBody(), lang: 'en' },
        replaceRedirects: { tag: '0', redirects: [] },
      };
      const seen = { taken: 0, refused: 0 };
      for (const { path, method, operation } of operations) {
        await fc.assert(
          fc.asyncProperty(fc.record(parametersOf(path, method, operation)), async (given) => {
            const { at, headers, wrong } = asked(path, operation, given);
            const reply = await service.ask(method, at, bodies[operation.operationId], headers);
            expect(api.problems(operation.operationId, reply)).toEqual([]);
            if (wrong.length === 0) seen.taken += 1;
            else if (wrong.every((name) => WIDER_PARAMETERS.has(name))) return;
            else seen.refused += 1;
            expect([operation.operationId, given, reply.status === 400, reply.body['message']]).toEqual([
              operation.operationId,
              given,
              wrong.length > 0,
              reply.body['message'],
            ]);
          }),
          { numRuns: RUNS / 5, endOnFailure: true },
        );
      }
      expect(seen.taken).toBeGreaterThan(RUNS);
      expect(seen.refused).toBeGreaterThan(RUNS / 5);
    });

    /** Values of each parameter, of which its schema takes some; undefined: it is left out. */
    const parametersOf = (
      path: string,
      method: string,
      { parameters }: Operation,
    ): Record<string, fc.Arbitrary<string | undefined>> =>
      Object.fromEntries(
        parameters.map(({ name, in: place, required }) => {
          const own = ids[path.replace('/{id}', '')];
          const value = PARAMETERS[name] ?? fc.constant('x');
          if (name === 'id' && own !== undefined && method !== 'DELETE')
            return [name, fc.oneof(fc.constant(own), value)];
          return [name, place === 'path' || required ? value : fc.option(value, { nil: undefined })];
        }),
      );

    const asked = (
      path: string,
      operation: Operation,
      given: Readonly<Record<string, string | undefined>>,
    ) => {
      let at = path;
      const query = new URLSearchParams();
      const headers: Record<string, string> = {};
      const wrong: string[] = [];
      for (const { name, in: place, schema } of operation.parameters) {
        const value = given[name];
        if (value === undefined) continue;
        if (place === 'path') at = at.replace(`{${name}}`, encodeURIComponent(value));
        else if (place === 'query') query.set(name, value);
        else headers[name] = value;
        const isNumber = schema['type'] === 'integer' && /^-?(?:0|[1-9]\d*)$/.test(value);
        if (!api.judge(schema)(isNumber ? Number(value) : value)) wrong.push(name);
      }
      return { at: query.size === 0 ? at : `${at}?${query.toString()}`, headers, wrong };
    };

    test('replaceRedirects takes what its schema takes', async () => {
      const takes = api.schema('replaceRedirectsBody');
      const line = fc.record({ from: OLD, to: fc.oneof(OLD, ADDRESS) });
      const keyed = fc.record({ from: OLD, to: OLD, key: TEXT });
      const seen = { taken: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(fc.oneof(line, keyed), async (redirect) => {
          const body = { tag: 'a1', redirects: [redirect] };
          const reply = await service.ask('PUT', '/api/v2/redirects?repository=a', body);
          expect(api.problems('replaceRedirects', reply)).toEqual([]);
          // What the description says of `from`, and a line that leads to itself.
          const isBeyond =
            redirect.from.normalize('NFC') !== redirect.from ||
            reply.body['message'].includes('back to itself');
          if (!takes(body) || isBeyond) {
            seen.refused += 1;
            return;
          }
          seen.taken += 1;
          expect([redirect, reply.status, reply.body['message']]).toEqual([redirect, 200, expect.anything()]);
          const read = await service.ask('GET', '/api/v2/redirects?repository=a');
          expect(api.problems('readRedirects', read)).toEqual([]);
          expect(read.body['data'].redirects).toEqual([redirect]);
        }),
        { numRuns: RUNS * 2, endOnFailure: true },
      );
      expect(seen.taken).toBeGreaterThan(RUNS / 30);
      expect(seen.refused).toBeGreaterThan(RUNS / 10);
    });

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
  },
);

test('with fixed languages, `lang` is one of them', () => {
  const fixed = openApiDocument({ defaultLanguage: 'en', languages: ['fr', 'de'] });
  expect(fixed.components.schemas['language']).toMatchObject({ enum: ['en', 'de', 'fr'] });
});

function without(body: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = body;
  return rest;
}
