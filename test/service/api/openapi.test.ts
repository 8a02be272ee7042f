import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../../src/contract/index.ts';
import { openSqlite } from '../../../src/service/index.ts';
import { openApiDocument } from '../../../src/service/api/openapi/openapi.ts';
import { rig, type Rig } from '../support/rig.ts';

describe('what describes the API', () => {
  let service: Rig;
  beforeAll(async () => {
    service = await rig(openSqlite({ file: ':memory:' }));
  });
  afterAll(() => service.close());
  const get = (path: string, method = 'GET') =>
    service.send(new Request(`http://kb.test${path}`, { method }));

  test('/openapi.json is a valid OpenAPI 3.1 document, without a key', async () => {
    const response = await get('/openapi.json');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const document = (await response.json()) as Record<string, unknown>;
    expect(document['openapi']).toBe('3.1.0');
    const { valid, errors } = await new Validator().validate(document);
    expect([valid, errors]).toEqual([true, undefined]);
    expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
  });

  test('the document has every route of the table and no other', () => {
    const { paths } = openApiDocument();
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, method.toUpperCase(), path]),
    );
    const routes = Object.entries(ROUTES).map(([name, { method, path }]) => [name, method, path]);
    expect(new Set(described)).toEqual(new Set(routes));
    expect(described).toHaveLength(routes.length);
  });

  test('every reference in the document leads to something', () => {
    const document = openApiDocument();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(references.length).toBeGreaterThan(50);
    const missing = references.filter(
      (path) => path.split('/').reduce<unknown>((at, step) => Object(at)[step], document) === undefined,
    );
    expect(missing).toEqual([]);
  });

  test('/reference shows every endpoint, with no script and nothing from elsewhere', async () => {
    const response = await get('/reference');
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'/);
    expect(html).not.toMatch(/<script|\bsrc=|\bstyle=|https?:\/\//);
    for (const [name, { path }] of Object.entries(ROUTES)) {
      expect(html).toContain(`id="${name}"`);
      expect(html).toContain(path);
    }
    expect(html).toContain('<code>data[].users_articles_created_byTousers.email_address</code>');
    expect(html).toContain('&quot;draft&quot; or &quot;published&quot;');
  });

  test('another method there is refused with Allow', async () => {
    const refused = await get('/reference', 'DELETE');
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
