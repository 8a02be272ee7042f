import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { EXCERPT_CHARS_MAX, type Route, type RouteName, ROUTES } from '../../src/contract/index.ts';
import { ENDPOINTS, type FieldType, type Table } from './spec-tables.ts';

/** A value of the type, and one that is not of it. */
function sampleOf(type: FieldType): unknown {
  if (type === 'number') return 1;
  if (type === 'boolean') return true;
  if (type === 'timestamp') return '2026-11-20T10:00:00.000Z';
  if (typeof type === 'string') return 'text';
  if ('object' in type) return samplesOf(type.object);
  return 'array' in type ? [samplesOf(type.array)] : ['text'];
}

function wrongFor(type: FieldType): unknown {
  return type === 'number' || typeof type === 'object' ? 'text' : 7;
}

/** Strings with fixed values or a spelling of their own. */
const FORMED: Readonly<Record<string, string>> = {
  status: 'draft',
  last_edited_date: '2026-11-20 10:00:00.000001',
};

function samplesOf(table: Table): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).map(([name, type]) => [name, FORMED[name] ?? sampleOf(type)]),
  );
}

/** Every place in a table, as a path: `data`, `data.0.id`, ... */
function placesOf(table: Table, at: readonly (string | number)[] = []): [(string | number)[], FieldType][] {
  return Object.entries(table).flatMap(([name, type]) => {
    const path = [...at, name];
    const below =
      typeof type === 'string' || 'arrayOf' in type
        ? []
        : 'object' in type
          ? placesOf(type.object, path)
          : placesOf(type.array, [...path, 0]);
    return [[path, type] as [(string | number)[], FieldType], ...below];
  });
}

function changed(value: unknown, path: readonly (string | number)[], change: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return change;
  const copy: any = structuredClone(value); // oxlint-disable-line typescript/no-explicit-any -- a tree of samples
  let inner = copy;
  for (const step of path.slice(0, -1)) inner = inner[step];
  const last = rest.at(-1) ?? head;
  if (change === undefined) delete inner[last];
  else inner[last] = change;
  return copy;
}

const names = Object.keys(ENDPOINTS) as RouteName[];
const withBody = [
  'createArticle',
  'editArticle',
  'createCategory',
  'editCategory',
  'createTag',
  'editTag',
] as const satisfies readonly RouteName[];

test('the route table has the endpoints of the spec and no other', () => {
  const ours = Object.fromEntries(
    Object.entries(ROUTES).map(([name, route]) => [name, [route.method, route.path.replace('{id}', '[id]')]]),
  );
  const theirs = Object.fromEntries(
    Object.entries(ENDPOINTS).map(([name, [method, path]]) => [name, [method, path]]),
  );
  expect(ours).toEqual(theirs);
});

describe.each(names)('%s', (name) => {
  const [, , , reply] = ENDPOINTS[name];
  const route: Route = ROUTES[name];
  const takes = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

  test('its reply schema takes the documented reply and keeps every field', () => {
    const sample = samplesOf(reply);
    expect(route.reply.parse(sample)).toEqual(sample);
  });

  test.each(placesOf(reply).map(([path, type]) => ({ at: path.join('.'), path, type })))(
    'its reply schema refuses another type at $at',
    ({ path, type }) => {
      expect(takes(route.reply, changed(samplesOf(reply), path, wrongFor(type)))).toBe(false);
    },
  );

  test('its reply schema needs every documented field', () => {
    for (const [path] of placesOf(reply)) {
      expect([path, takes(route.reply, changed(samplesOf(reply), path, undefined))]).toEqual([path, false]);
    }
  });

  test('its reply schema has no place for fields that the spec does not know', () => {
    expect(takes(route.reply, { ...samplesOf(reply), somethingNew: 1 })).toBe(false);
  });
});

test('a route has a body when the spec shows one', () => {
  const ours = Object.entries(ROUTES).filter(([, route]) => 'body' in route);
  expect(ours.map(([name]) => name).sort()).toEqual([...withBody].sort());
});

describe.each(withBody)('%s', (name) => {
  const [, , body] = ENDPOINTS[name];
  const schema = ROUTES[name].body;
  const takes = (value: unknown): boolean => schema.safeParse(value).success;

  test('its body schema takes the documented body and keeps every field', () => {
    expect(schema.parse(samplesOf(body.fields))).toEqual(samplesOf(body.fields));
  });

  test('its body schema requires what the table requires, and nothing else', () => {
    for (const field of Object.keys(body.fields)) {
      const without = changed(samplesOf(body.fields), [field], undefined);
      expect([field, takes(without)]).toEqual([field, !body.required.includes(field)]);
    }
  });

  test.each(placesOf(body.fields).map(([path, type]) => ({ at: path.join('.'), path, type })))(
    'its body schema refuses another type at $at',
    ({ path, type }) => {
      expect(takes(changed(samplesOf(body.fields), path, wrongFor(type)))).toBe(false);
    },
  );

  test('its body schema refuses fields that the table does not have', () => {
    expect(takes({ ...samplesOf(body.fields), somethingNew: 1 })).toBe(false);
  });
});

test('status is draft or published, and the excerpt limit is 160', () => {
  const body = samplesOf(ENDPOINTS.createArticle[2].fields);
  const takes = (status: string) => ROUTES.createArticle.body.safeParse({ ...body, status }).success;
  expect(['draft', 'published', 'Draft', 'archived', ''].map(takes)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(EXCERPT_CHARS_MAX).toBe(160);
});
