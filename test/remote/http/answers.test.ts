import { expect, test } from 'vitest';
import { RemoteError } from '../../../src/remote/error.ts';
import { API_KEY, rig } from '../support/support.ts';
import { ENDPOINTS } from '../support/endpoints.ts';
import { fields, ids } from '../support/replies.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };
const LOGIN = '<!DOCTYPE html><html><body>Sign in</body></html>';
const deep = (levels: number): string => `{"success":true,"data":${'['.repeat(levels)}${']'.repeat(levels)}}`;

/** status · body · headers · outcome of reads, creates, changes (edits and deletes). */
type Row = readonly [
  number,
  string | Uint8Array<ArrayBuffer>,
  Record<string, string>,
  string,
  string,
  string,
];
const same = (code: string): readonly [string, string, string] => [code, code, code];
const NOT_A_YES = ['not-understood', 'unclear', 'unclear'] as const;
const BROKEN = same('unclear');
/** A read of one record may prove it absent by such an answer. */
const ABSENT = ['absent|rejected', 'rejected', 'rejected'] as const;

const ANSWERS: Readonly<Record<string, Row>> = {
  // 2xx that is no JSON
  'an empty body': [200, '', JSON_TYPE, ...BROKEN],
  'an empty body without type': [200, '', {}, ...NOT_A_YES],
  '204 without a body': [204, '', {}, ...NOT_A_YES],
  'a login page': [200, LOGIN, HTML_TYPE, ...NOT_A_YES],
  'a login page as JSON': [200, LOGIN, JSON_TYPE, ...NOT_A_YES],
  'a login page without type': [200, `\n ${LOGIN}`, {}, ...NOT_A_YES],
  'an XHTML page': [
    200,
    '<?xml version="1.0"?><html/>',
    { 'content-type': 'application/xhtml+xml' },
    ...NOT_A_YES,
  ],
  'a page that begins like JSON': [200, '{% if success %}<p>true</p>', HTML_TYPE, ...NOT_A_YES],
  'plain text': [200, 'OK', { 'content-type': 'text/plain' }, ...NOT_A_YES],
  'cut JSON called text': [200, '{"success":true,"data":[', { 'content-type': 'text/plain' }, ...NOT_A_YES],
  'a list without type': [200, '[{"success":true}]', { 'content-type': '' }, ...NOT_A_YES],
  XML: [200, '<ok/>', { 'content-type': 'application/xml' }, ...NOT_A_YES],
  'JSON lines': [200, '{"success":true}\n{"success":true}', JSON_TYPE, ...BROKEN],
  NDJSON: [200, '{"success":true}\n{}', { 'content-type': 'application/x-ndjson' }, ...NOT_A_YES],
  'a picture': [200, new Uint8Array([0x89, 0x50, 0x4e, 0x47]), { 'content-type': 'image/png' }, ...NOT_A_YES],
  // 2xx with broken JSON
  'text that calls itself JSON': [200, 'OK', JSON_TYPE, ...BROKEN],
  'JSON cut in a string': [200, '{"success":true,"data":[{"id":"a', JSON_TYPE, ...BROKEN],
  'JSON cut after a value': [200, '{"success":true,"data":[', JSON_TYPE, ...BROKEN],
  'JSON with a tail': [200, '{"success":true,"data":[]}x', JSON_TYPE, ...BROKEN],
  'two JSON texts': [200, '{"success":false}{"success":true}', JSON_TYPE, ...BROKEN],
  'JSON with comments': [200, '{"success":true/*yes*/}', JSON_TYPE, ...BROKEN],
  'JSON with single quotes': [200, "{'success':true}", JSON_TYPE, ...BROKEN],
  JSONP: [200, 'cb({"success":true})', JSON_TYPE, ...BROKEN],
  NaN: [200, 'NaN', JSON_TYPE, ...BROKEN],
  'invalid UTF-8': [
    200,
    new Uint8Array([...Buffer.from('{"success":true,"message":"'), 0xff, 0x22, 0x7d]),
    JSON_TYPE,
    ...BROKEN,
  ],
  'UTF-16': [200, new Uint8Array(Buffer.from('{"success":true}', 'utf16le')), JSON_TYPE, ...BROKEN],
  '65 levels': [200, deep(65), JSON_TYPE, ...BROKEN],
  '100,000 levels': [200, deep(100_000), JSON_TYPE, ...BROKEN],
  'a PHP warning before JSON': [200, '\nWarning: x in y\n{"success":true}', JSON_TYPE, ...BROKEN],
  // 2xx JSON that is no envelope
  null: [200, 'null', JSON_TYPE, ...NOT_A_YES],
  true: [200, 'true', JSON_TYPE, ...NOT_A_YES],
  'a number': [200, '1', JSON_TYPE, ...NOT_A_YES],
  'a string': [200, '"success"', JSON_TYPE, ...NOT_A_YES],
  'an empty array': [200, '[]', JSON_TYPE, ...NOT_A_YES],
  'an array of envelopes': [200, '[{"success":true,"data":[]}]', JSON_TYPE, ...NOT_A_YES],
  'an empty object': [200, '{}', JSON_TYPE, ...NOT_A_YES],
  'another API': [200, '{"status":"ok","items":[]}', JSON_TYPE, ...NOT_A_YES],
  'data without success': [200, '{"data":[]}', JSON_TYPE, ...NOT_A_YES],
  'success in words': [200, '{"success":"yes","data":[]}', JSON_TYPE, ...NOT_A_YES],
  'success as another number': [200, '{"success":2,"data":[]}', JSON_TYPE, ...NOT_A_YES],
  'success null': [200, '{"success":null,"data":[]}', JSON_TYPE, ...NOT_A_YES],
  'success inside data': [200, '{"data":{"success":true}}', JSON_TYPE, ...NOT_A_YES],
  'success in a prototype': [200, '{"__proto__":{"success":true},"data":[]}', JSON_TYPE, ...NOT_A_YES],
  // 2xx that says no
  'success false': [200, '{"success":false}', JSON_TYPE, ...same('rejected')],
  'success 0': [200, '{"success":0}', JSON_TYPE, ...same('rejected')],
  'success as the text false': [200, '{"success":"false"}', JSON_TYPE, ...same('rejected')],
  'success false with data': [
    200,
    '{"success":false,"data":[],"message":"bad key"}',
    JSON_TYPE,
    ...same('rejected'),
  ],
  'success false, created': [
    201,
    '{"success":false,"message":"slug in use"}',
    JSON_TYPE,
    ...same('rejected'),
  ],
  'success said twice, the last counts': [
    200,
    '{"success":true,"success":false}',
    JSON_TYPE,
    ...same('rejected'),
  ],
  'a message that is no text': [200, '{"success":false,"message":{"a":1}}', JSON_TYPE, ...same('rejected')],
  // redirects
  '301 to https': [301, '', { location: 'https://kb2.example.com/api/v2/articles' }, ...same('redirect')],
  '302 to a login page': [302, LOGIN, { ...HTML_TYPE, location: '/login' }, ...same('redirect')],
  '303': [
    303,
    '{"success":true,"data":[]}',
    { ...JSON_TYPE, location: 'https://kb.example.com/x' },
    'redirect',
    'unclear',
    'unclear',
  ],
  '302 to a login page behind a folder': [
    302,
    '',
    { location: '/users/sign_in?next=1' },
    ...same('redirect'),
  ],
  '302 to a login page with an underscore': [302, '', { location: '/users/log_in' }, ...same('redirect')],
  '302 to a page of the site': [302, '', { location: '/articles/setup' }, 'redirect', 'unclear', 'unclear'],
  '302 to the start': [302, '', { location: '/' }, 'redirect', 'unclear', 'unclear'],
  '302 to a page about logins': [
    302,
    '',
    { location: '/articles/sign-in-with-sso' },
    'redirect',
    'unclear',
    'unclear',
  ],
  '302 to a record': [302, '', { location: '/api/v2/tags/7' }, 'redirect', 'unclear', 'unclear'],
  '303 to another host': [303, '', { location: 'https://sso.example.com/x' }, ...same('redirect')],
  '304': [304, '', {}, ...same('redirect')],
  '307 without a target': [307, '', {}, ...same('redirect')],
  '308 to nonsense': [308, '', { location: 'http://[' }, ...same('redirect')],
  // 4xx
  '400': [400, '{"success":false,"message":"excerpt too long"}', JSON_TYPE, ...same('rejected')],
  '400 that says success': [400, '{"success":true,"data":[]}', JSON_TYPE, ...same('rejected')],
  '400 in HTML': [400, LOGIN, HTML_TYPE, ...same('rejected')],
  '401': [401, '{"success":false,"message":"bad key"}', JSON_TYPE, ...same('unauthorized')],
  '401 in HTML': [401, LOGIN, HTML_TYPE, ...same('unauthorized')],
  '403': [403, '', {}, ...same('forbidden')],
  '404': [404, '{"success":false,"message":"not found"}', JSON_TYPE, ...ABSENT],
  '404 in HTML': [404, LOGIN, HTML_TYPE, 'not-understood', 'rejected', 'rejected'],
  '404 without a body': [404, '', {}, 'not-understood', 'rejected', 'rejected'],
  '405 in text': [405, 'no', { 'content-type': 'text/plain' }, 'not-understood', 'rejected', 'rejected'],
  '408': [408, '', {}, ...same('unclear')],
  '409': [409, '{"success":false,"message":"slug in use"}', JSON_TYPE, ...same('rejected')],
  '410': [410, '{"success":false,"message":"gone"}', JSON_TYPE, ...ABSENT],
  '412': [412, '{"success":false,"message":"stale"}', JSON_TYPE, ...same('stale')],
  '413 in HTML': [413, LOGIN, HTML_TYPE, ...same('rejected')],
  '418': [418, '{}', JSON_TYPE, ...same('rejected')],
  '422': [422, '{"success":false,"message":"no"}', JSON_TYPE, ...same('rejected')],
  '423': [423, '{"success":false,"message":"backup"}', JSON_TYPE, 'unclear', 'rejected', 'rejected'],
  '425': [425, '', {}, ...same('unclear')],
  '429': [429, '', {}, ...same('throttled')],
  '429 with Retry-After': [
    429,
    '{"success":false}',
    { ...JSON_TYPE, 'retry-after': '1' },
    ...same('throttled'),
  ],
  // 5xx
  '500': [500, '{"success":false,"message":"oops"}', JSON_TYPE, ...same('unclear')],
  '500 that says success': [500, '{"success":true,"data":[]}', JSON_TYPE, ...same('unclear')],
  '500 in HTML': [500, LOGIN, HTML_TYPE, ...same('unclear')],
  '501': [501, '', {}, ...same('unclear')],
  '502 in HTML': [502, LOGIN, HTML_TYPE, ...same('unclear')],
  '503': [503, '', {}, ...same('unclear')],
  '503 with Retry-After': [503, '', { 'retry-after': '1' }, 'throttled', 'unclear', 'throttled'],
  '503 with a Retry-After that says nothing': [503, '', { 'retry-after': 'soon' }, ...same('unclear')],
  '504': [504, '', {}, ...same('unclear')],
  '599': [599, '{"success":true}', JSON_TYPE, ...same('unclear')],
};

function response([status, body, headers]: Row): Response {
  return new Response(status === 204 || status === 304 ? null : body, { status, headers });
}

test('there are at least 60 answers', () => {
  expect(Object.keys(ANSWERS).length).toBeGreaterThanOrEqual(60);
});

test.each(ENDPOINTS)(
  '$name: every answer that is no clear yes has its class',
  async ({ effect, isSingle, call }) => {
    const outcomes: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const [name, row] of Object.entries(ANSWERS)) {
      const { remote, events } = rig({ send: () => Promise.resolve(response(row)) });
      outcomes[name] = await call(remote).then(
        (value) => (isAbsent(value) ? 'absent' : `done: ${JSON.stringify(value)}`),
        (error: unknown) => (error instanceof RemoteError ? error.code : `crash: ${String(error)}`),
      );
      const column = row[effect === 'read' ? 3 : effect === 'create' ? 4 : 5];
      expected[name] = column === 'absent|rejected' ? (isSingle === true ? 'absent' : 'rejected') : column;
      expect(JSON.stringify(events)).not.toContain(API_KEY);
    }
    expect(outcomes).toEqual(expected);
  },
);

test.each([
  ['login', '/help/articles/login', 'unclear'],
  ['login', '/en/login/', 'unclear'],
  ['sign in', '/help/sign%20in', 'unclear'],
  ['setup', '/help/articles/login', 'redirect'],
  ['login', '/users/sign_in', 'redirect'],
])('302 after an article with the slug %s to %s is %s', async (slug, location, code) => {
  const send = () => Promise.resolve(new Response('', { status: 302, headers: { location } }));
  const { remote } = rig({ send });
  const article = { ...fields.article, slug };
  for (const call of [
    () => remote.create('article', article, {}),
    () => remote.edit('article', ids.article, 'en', article, {}),
  ])
    await expect(call()).rejects.toMatchObject({ code });
});

test.each([
  [200, 'is not the address of a knowledge base'],
  [404, 'is not the address of a knowledge base'],
  [429, 'as a proxy or a firewall sends it'],
  [502, 'as a proxy or a firewall sends it'],
  [413, 'takes no text of this size; shorten the page, or raise the limit there'],
  [423, 'it is locked for now; run again when it is free'],
])('an HTML page with %i is told as what it may be', async (status, words) => {
  const send = () => Promise.resolve(new Response(LOGIN, { status, headers: HTML_TYPE }));
  await expect(rig({ send }).remote.list('tag')).rejects.toThrow(words);
});

test('201 with nothing but the address of the record is a yes to a create, and to nothing else', async () => {
  const made = (location: string) => () =>
    Promise.resolve(new Response('', { status: 201, headers: { location } }));
  const { remote } = rig({ send: made('/api/v2/tags/t9') });
  expect(await remote.create('tag', fields.tag, {})).toMatchObject({ id: 't9' });
  await expect(remote.edit('tag', 't9', 'en', fields.tag, {})).rejects.toMatchObject({ code: 'unclear' });
  const elsewhere = rig({ send: made('/tags/t9') }).remote;
  await expect(elsewhere.create('tag', fields.tag, {})).rejects.toMatchObject({ code: 'unclear' });
});

test('a few words that are called HTML are no page', async () => {
  const send = () => Promise.resolve(new Response('true', { headers: HTML_TYPE }));
  await expect(rig({ send }).remote.list('tag')).rejects.toThrow(
    'its content type is "text/html; charset=utf-8", not JSON',
  );
});

function isAbsent(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'state' in value && value.state === 'absent';
}

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'text/json',
  'application/problem+json',
  'application/vnd.api+json',
  'text/x-json',
  'application/javascript',
  'text/plain',
  'text/html; charset=UTF-8',
  'application/octet-stream',
  '',
])('what says success is an answer, whatever its type: %s', async (type) => {
  const body = '\ufeff\r\n{"success":true,"data":[]}';
  const send = () => Promise.resolve(new Response(body, { headers: { 'content-type': type } }));
  expect((await rig({ send }).remote.list('tag')).items).toEqual([]);
});
