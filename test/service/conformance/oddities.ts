import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../support/random.ts';
import {
  ARTICLES,
  articleBody,
  CATEGORIES,
  categoryBody,
  type Rig,
  TAGS,
  tagBody,
  type OpenRig,
} from '../support/rig.ts';

export function oddities(open: OpenRig): void {
  describe('odd requests', () => {
    let rig: Rig;
    beforeEach(async () => {
      rig = await open({ bodyBytesMax: 100_000 });
    });
    afterEach(() => rig.close());

    const raw = async (
      body: RequestInit['body'],
      headers: Readonly<Record<string, string>> = {},
      method = 'PUT',
    ) => {
      const response = await rig.send(
        new Request(`http://kb.test${ARTICLES}`, {
          method,
          headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json', ...headers },
          body: body ?? null,
          ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
        }),
      );
      return [response.status, (JSON.parse(await response.text()) as { message: string }).message];
    };
    const streamOf = (chunk: Uint8Array, count: number) => {
      let left = count;
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          left -= 1;
          if (left < 0) controller.close();
          else controller.enqueue(chunk);
        },
      });
    };

    test('a body above the limit is refused, declared or streamed, and one at the limit is not', async () => {
      const fit = (size: number) => {
        const empty = JSON.stringify(articleBody({ content: '' })).length;
        return JSON.stringify(articleBody({ content: 'x'.repeat(size - empty) }));
      };
      const tooLarge = [413, 'the body is larger than 100000 bytes, the most this service takes'];
      expect(await raw(fit(100_001), { 'content-length': '100001' })).toEqual(tooLarge);
      expect(await raw(fit(100_001))).toEqual(tooLarge);
      expect(await raw(fit(100_001), { 'content-length': '5' })).toEqual(tooLarge);
      expect(await raw(streamOf(new Uint8Array(1000).fill(32), 1_000_000))).toEqual(tooLarge);
      expect((await raw(fit(100_000)))[0]).toBe(201);
    });

    test('a body that is not JSON in UTF-8 is refused', async () => {
      expect(await raw('{}', { 'content-type': 'text/plain' })).toEqual([
        415,
        'Content-Type is "text/plain"; it must be application/json in UTF-8',
      ]);
      for (const type of [
        'application/json; charset=latin1',
        'application/jsonp',
        'multipart/form-data',
        '',
      ]) {
        expect([type, (await raw('{}', { 'content-type': type }))[0]]).toEqual([type, 415]);
      }
      expect((await raw('{}', { 'content-type': 'Application/JSON; charset="UTF-8"' }))[0]).toBe(400);
      expect((await raw('{}', { 'content-encoding': 'gzip' }))[0]).toBe(415);
      expect((await raw(new Uint8Array([0x22, 0xff, 0x22])))[1]).toBe('the body is not valid UTF-8');
      expect((await raw(''))[1]).toBe('the body is empty; a JSON object is needed');
      expect((await raw('{"title":'))[1]).toMatch(/^the body is not JSON: /);
      for (const text of ['null', '[]', '"x"', '1', 'true']) {
        expect([text, (await raw(text))[1]]).toEqual([
          text,
          expect.stringMatching(/^body: is .* it must be an object$/),
        ]);
      }
    });

    test.each([
      ['slug', '.', 'slug: must not be "." or ".."; an address cannot end with it'],
      ['slug', '..', 'slug: must not be "." or ".."; an address cannot end with it'],
      ['slug', '\u200b\u2060', 'slug: must hold something that can be seen'],
      ['slug', 'a\u202eb', 'slug: must not hold control characters'],
      ['title', 'a\u001b[2J', 'title: must not hold control characters'],
      ['title', 'a'.repeat(1001), 'title: has 1001 characters; at most 1000'],
    ])('a %s like %j is refused', async (field, value, message) => {
      expect(await raw(JSON.stringify(articleBody({ [field]: value })))).toEqual([400, message]);
    });

    test.each(['abcde', 'aaaaaaaa', 'sr-Latn-RS-u-nu-latn-x-abc', 'api'])(
      'a translation into %s is refused: no page could have its address',
      async (lang) => {
        const id = await rig.make(ARTICLES, articleBody());
        const { status } = await rig.ask('POST', `${ARTICLES}/${id}`, { ...articleBody(), lang });
        expect(status).toBe(400);
      },
    );

    test('the API is at its own path alone, not at an escaped one', async () => {
      expect((await rig.ask('GET', '/%61pi/v2/tags')).status).toBe(404);
      expect((await rig.ask('GET', '/api/v2/tags')).status).toBe(200);
    });

    test('JSON nested deeper than 64 is refused, however deep', async () => {
      expect((await raw('['.repeat(49_000) + ']'.repeat(49_000)))[1]).toBe('the JSON is nested too deep');
      expect((await raw(`{"title":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}`))[1]).toBe(
        'the JSON is nested too deep',
      );
    });

    test('text that a database would cut or change is refused, and all other text comes back as it was sent', async () => {
      expect(await raw(JSON.stringify(articleBody({ content: 'a\0b' })))).toEqual([
        400,
        'content: a NUL character cannot be stored',
      ]);
      expect(await raw(JSON.stringify(articleBody({ title: 'a\ud800b' })))).toEqual([
        400,
        'title: half a surrogate pair is not a character',
      ]);
      const content = `<p>\u0001\ufeff\u2028 𝒳 e\u0301 \r\n\t'"; drop table articles;-- \uffff</p>\r\n`;
      const id = await rig.make(ARTICLES, articleBody({ content, title: '__proto__', slug: 'ünï-日本/x' }));
      const { data } = (await rig.ask('GET', `${ARTICLES}/${id}`)).body;
      expect([data.content, data.name, data.slug]).toEqual([content, '__proto__', 'ünï-日本/x']);
    });

    test('names that JavaScript gives a meaning are unknown fields like any other', async () => {
      const body = JSON.stringify(articleBody()).slice(0, -1);
      for (const name of ['__proto__', 'constructor', 'toString', 'lang', 'id']) {
        const [status, message] = await raw(`${body},"${name}":{"status":"draft"}}`);
        expect([name, status, message]).toEqual([name, 400, `${name}: unknown field`]);
      }
    });

    test('every wrong field is named, with what it is and what it must be', async () => {
      const wrong = { ...articleBody(), title: ' ', slug: '', seoBannerUrl: 'javascript:alert(1)' };
      const { ordering: _left, ...missing } = wrong;
      expect((await raw(JSON.stringify(missing)))[1]).toBe(
        'slug: must not be empty; ordering: is missing; it must be a number',
      );
      expect((await raw(JSON.stringify({ ...wrong, slug: 'x', articleReviewDate: '2026-02-30' })))[1]).toBe(
        'title: must not be blank; seoBannerUrl: "javascript:alert(1)" is not an http or https address; ' +
          'articleReviewDate: "2026-02-30" is not a date like 2026-12-31 or 2026-12-31T09:00:00Z',
      );
      expect(
        (await raw(JSON.stringify({ ...wrong, ordering: '1', categories: [{ value: 1 }, {}] })))[1],
      ).toBe(
        'slug: must not be empty; categories.0.value: is a number; it must be a string; ' +
          'categories.1.value: is missing; it must be a string; ordering: is a string; it must be a number; ' +
          'categories must look like [{"value":"<id of a category>"}]',
      );
      expect((await raw(JSON.stringify(articleBody()).replace('"ordering":1', '"ordering":1e999')))[1]).toBe(
        'ordering: is not a finite number; it must be a number',
      );
    });

    test('a relation that is spelt as in a reply, or in another way, is answered with the right spelling', async () => {
      const said = async (path: string, body: unknown) => {
        const answer = await rig.ask('PUT', path, body);
        return [answer.status, answer.body['message']];
      };
      const asRead = { id: '9', label: 'Guides', value: '1' };
      const categories = 'categories must look like [{"value":"<id of a category>"}]';
      expect(await said(ARTICLES, articleBody({ categories: [asRead] }))).toEqual([
        400,
        `categories.0.id: unknown field; categories.0.label: unknown field; ${categories}`,
      ]);
      for (const wrong of ['1', ['1'], [1], { value: '1' }, [['1']], null])
        expect((await said(ARTICLES, articleBody({ categories: wrong })))[1]).toMatch(
          new RegExp(`^categories.*; ${categories.replaceAll(/[[\]{}]/g, '\\$&')}$`),
        );
      const many = Array.from({ length: 20 }, () => ({ id: '1' }));
      expect((await said(ARTICLES, articleBody({ tags: many })))[1]).toMatch(
        /; and 30 more; tags must look like \[\{"value":"<id of a tag>"\}\]$/,
      );
      expect(await said(CATEGORIES, categoryBody({ categoryParent: { value: '1' } }))).toEqual([
        400,
        'categoryParent: is an object; it must be a string; categoryParent must look like "<id of a category>"',
      ]);
    });

    test('1,000 random requests are each answered below 500, in the one error shape', async () => {
      const random = createRandom(20_261_120);
      const ids = ['x', '%', '%00', '%E0%A4%A', '..', "';--", '😀', 'a'.repeat(5000)];
      for (let n = 0; n < 10; n += 1) {
        for (const [path, bodyOf] of KINDS) ids.push(await rig.make(path, bodyOf({ slug: `s${n}` })));
      }
      const seen = new Set<number>();
      const refusals: unknown[] = [];
      for (let n = 0; n < 1000; n += 1) {
        const request = randomRequest(random, ids, rig.key);
        const response = await rig.send(request);
        const text = await response.text();
        seen.add(response.status);
        expect(response.status, `${request.method} ${request.url}: ${text}`).toBeLessThan(500);
        if (response.status < 400 || request.method === 'HEAD') continue;
        refusals.push(JSON.parse(text));
      }
      expect(refusals).toEqual(refusals.map(() => ({ success: false, message: expect.stringMatching(/./) })));
      expect([...seen]).toEqual(expect.arrayContaining([200, 201, 400, 404, 405, 409, 412, 422]));
      expect(rig.failures).toEqual([]);
    });
  });
}

function randomRequest(random: Random, ids: readonly string[], key: string): Request {
  const [path, bodyOf] = random.pick(KINDS);
  const collection = random.chance(0.9)
    ? path
    : random.pick(['/api/v2/versions', '/api/v2', '/api/v2/tools/links']);
  const method = random.pick(['GET', 'PUT', 'PUT', 'POST', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']);
  const id = random.chance(method === 'PUT' ? 0.1 : 0.9) ? `/${random.pick(ids)}` : '';
  const query = random.chance(0.8)
    ? ''
    : random.pick(['?lang=fr', '?lang=', '?lang=%FF', '?count=NaN', '?a=1&a=2']);
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  };
  if (random.chance(0.1)) headers['if-match'] = random.pick(['"x"', '*', ',', '']);
  if (random.chance(0.1)) headers['idempotency-key'] = random.pick(['k', '', 'é'.repeat(9)]);
  const body = method === 'GET' || method === 'HEAD' ? null : randomBody(random, bodyOf, ids);
  return new Request(`http://kb.test${collection}${id}${query}`, { method, headers, body });
}

const KINDS = [
  [ARTICLES, articleBody],
  [CATEGORIES, categoryBody],
  [TAGS, tagBody],
] as const;

/** A right body, often with a field or two changed: wrong bodies alone would never reach the store. */
function randomBody(random: Random, bodyOf: (values: object) => object, ids: readonly string[]): string {
  const body: Record<string, unknown> = {
    ...bodyOf({ slug: `s${random.below(60)}` }),
    ...(random.chance(0.5) ? { lang: random.pick(['en', 'fr', 'de', 'x y', '']) } : {}),
    ...(random.chance(0.3) ? { categoryParent: random.pick(ids) } : {}),
  };
  if ('title' in body) body['categories'] = random.chance(0.5) ? [{ value: random.pick(ids) }] : [];
  if ('title' in body || random.chance(0.9)) delete body['categoryParent'];
  const odd = [
    null,
    true,
    -1,
    1e308,
    '',
    '\0',
    '\ud800',
    'x'.repeat(300),
    [],
    {},
    [null],
    [{ value: 'x', more: 1 }],
  ];
  const fields = [
    ...Object.keys(body),
    'categoryParent',
    'tags',
    'articleReviewDate',
    'iconUrl',
    'id',
    'zzz',
  ];
  for (let n = random.below(3); n > 0; n -= 1) body[random.pick(fields)] = oddValue(random, odd, ids);
  const text = JSON.stringify(body);
  return random.chance(0.05) ? text.slice(0, random.below(text.length)) : text;
}

function oddValue(random: Random, odd: readonly unknown[], ids: readonly string[]): unknown {
  return random.chance(0.5) ? random.pick(odd) : random.pick(ids);
}
