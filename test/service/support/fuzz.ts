import type { OpenApiDocument } from '../../../src/service/api/openapi/openapi.ts';
import type { Operation } from '../../../src/service/api/openapi/operations.ts';
import type { Random } from './random.ts';

type Json = Readonly<Record<string, any>>; // oxlint-disable-line typescript/no-explicit-any -- a JSON schema, read field by field

export interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const TEXTS = [
  '',
  ' ',
  'a',
  'Install',
  '\0',
  '\ud800',
  '😀'.repeat(90),
  'x'.repeat(300),
  'x'.repeat(100_000),
  '<p>text <a href="https://example.com/é">link</a></p>',
  '<a href="'.repeat(200),
  'javascript:alert(1)',
  "'; drop table articles; --",
  '__proto__',
  'https://example.com/a.png',
  '2026-12-31',
  '2026-02-30T99:00:00Z',
  'fr',
  'pt-BR',
  'x_y',
  'draft',
  'published',
  '%00',
  '../../etc/passwd',
];
const NUMBERS = [0, 1, -1, 0.5, 1e308, -1e308, 9_007_199_254_740_992, 5e-324, 100, 101];
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  'text',
  [],
  {},
  [[]],
  { value: null },
  [null],
  { a: { b: {} } },
];
const RAW = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{"title":1e999}',
  '['.repeat(5000),
  '{"a":1,"a":2}',
  '\u{feff}{}',
];

/** Requests that the document describes, most of them right in every part but one; the same seed gives the same ones. */
export function createFuzzer(
  document: OpenApiDocument,
  random: Random,
): { next(ids: readonly string[]): FuzzedRequest } {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const valueOf = (schema: Json, ids: readonly string[], name = ''): unknown => {
    if (random.chance(0.03)) return random.pick(ODD);
    if (Array.isArray(schema['anyOf'])) return valueOf(random.pick(schema['anyOf']), ids, name);
    if (Array.isArray(schema['enum'])) return random.pick([...schema['enum'], ...schema['enum'], 'other']);
    const { type } = schema;
    switch (Array.isArray(type) ? random.pick(type) : type) {
      case 'object': {
        const required: readonly string[] = schema['required'] ?? [];
        const fields = Object.entries<Json>(schema['properties'] ?? {})
          .filter(([field]) => (required.includes(field) ? !random.chance(0.02) : random.chance(0.5)))
          .map(([field, inner]) => [field, valueOf(inner, ids, field)]);
        if (random.chance(0.02)) fields.push([random.pick(TEXTS), 1]);
        return Object.fromEntries(fields);
      }
      case 'array':
        return Array.from({ length: random.pick([0, 0, 1, 2, 5]) }, () => valueOf(schema['items'], ids));
      case 'number':
      case 'integer':
        return random.pick(NUMBERS);
      case 'boolean':
        return random.chance(0.5);
      case 'null':
        return null;
      default:
        return textFor(name, ids);
    }
  };
  const textFor = (name: string, ids: readonly string[]): string => {
    if (name === 'slug') return `s${random.below(200)}`;
    if (name === 'lang' && random.chance(0.8)) return random.pick(['en', 'fr', 'de', 'pt-BR']);
    if (/^(value|categoryParent|id)$/.test(name) && ids.length > 0 && random.chance(0.9))
      return random.pick(ids);
    if (/Url$|Date$/.test(name) && random.chance(0.7))
      return random.pick(['https://example.com/x', '2026-12-31']);
    return random.pick(TEXTS);
  };
  const bodyOf = (operation: Operation, ids: readonly string[]): string | undefined => {
    const ref = /schemas\/(\w+)/.exec(JSON.stringify(operation.requestBody ?? {}))?.[1];
    if (ref === undefined) return random.chance(0.02) ? '{}' : undefined;
    if (random.chance(0.03)) return random.pick(RAW);
    return JSON.stringify(valueOf(document.components.schemas[ref] ?? {}, ids));
  };
  return {
    next(ids) {
      const { path, method, operation } = random.pick(operations);
      const id = ids.length > 0 && random.chance(0.9) ? random.pick(ids) : random.pick(TEXTS).slice(0, 500);
      const query = operation.parameters
        .filter(({ in: where }) => where === 'query' && random.chance(0.4))
        .map(
          ({ name }) => `${name}=${escaped(random.pick([...TEXTS.slice(0, 7), 'fr', '1', '100', '101']))}`,
        );
      if (random.chance(0.02)) query.push('page=2');
      const headers = operation.parameters
        .filter(({ in: where }) => where === 'header' && random.chance(0.2))
        .map(({ name }) => [
          name,
          random.pick(['*', '"x"', 'W/"y"', '', 'a, b', 'x'.repeat(300), 'k1', 'k2']),
        ]);
      return {
        method: random.chance(0.02) ? random.pick(['PATCH', 'HEAD', 'OPTIONS', 'GET', 'DELETE']) : method,
        path: path.replace('{id}', escaped(id) || '%20') + (query.length === 0 ? '' : `?${query.join('&')}`),
        headers: Object.fromEntries(headers),
        body: bodyOf(operation, ids),
      };
    },
  };
}

function escaped(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, 'x'));
}
