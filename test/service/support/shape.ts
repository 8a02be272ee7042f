import { expect } from 'vitest';
import { type RouteName, ROUTES } from '../../../src/contract/index.ts';
import { ENDPOINTS, type FieldType, type Table } from '../../contract/spec-tables.ts';
import type { Reply } from './rig.ts';

export const ADA = {
  username: 'ada',
  first_name: 'Ada',
  last_name: 'Byron',
  email_address: 'ada@example.com',
};
export const ID = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

/** Where a value is not exactly the documented fields of the documented types. */
function shapeProblems(table: Table, value: unknown, at = 'body'): readonly string[] {
  const found = Object.keys(Object(value));
  const expected = Object.keys(table);
  return [
    ...found.filter((name) => !expected.includes(name)).map((name) => `${at}.${name} is not documented`),
    ...expected.filter((name) => !found.includes(name)).map((name) => `${at}.${name} is missing`),
    ...Object.entries(table).flatMap(([name, type]) =>
      typeProblems(type, Object(value)[name], `${at}.${name}`),
    ),
  ];
}

/** The documented values that can be missing; they are null then. */
const CAN_BE_MISSING =
  /(article_parent|seo_banner_url|article_review_date|parent_id|thumbnail_url|icon_url|description|image_url|isDraft|article_relationships|parent_idTocategories)$/;

function typeProblems(type: FieldType, value: unknown, at: string): readonly string[] {
  const unless = (holds: boolean) => (holds ? [] : [`${at} is ${JSON.stringify(value)}`]);
  if (value === null) return unless(type === 'string or null' || CAN_BE_MISSING.test(at));
  if (type === 'timestamp')
    return unless(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/.test(JSON.stringify(value).slice(1, -1)));
  if (typeof type === 'string') {
    return unless(typeof value === (type === 'number' || type === 'boolean' ? type : 'string'));
  }
  if ('object' in type) return shapeProblems(type.object, value, at);
  if (!Array.isArray(value)) return unless(false);
  return 'array' in type ? value.flatMap((item) => shapeProblems(type.array, item, at)) : [];
}

const CAPABILITIES =
  'location, if-match, idempotency-key, read-lang, edit-lang, full-lists, last-edited, keeps-html, list-etag';

export function expectReply(name: RouteName, { status, headers, body }: Reply, wanted = 200): void {
  expect({
    status,
    // The tables show a message on every reply but two lists; the service sends exactly what they show.
    shape: shapeProblems(ENDPOINTS[name][3], body),
    contract: ROUTES[name].reply.safeParse(body).error,
    capabilities: headers.get('kb-capabilities'),
  }).toEqual({ status: wanted, shape: [], contract: undefined, capabilities: CAPABILITIES });
}
