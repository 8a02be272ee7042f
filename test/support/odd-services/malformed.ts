import type { Fault } from '../faults.ts';

const HTML = '<!doctype html><title>Sign in</title>';

function answer(status: number, body: string, type = 'application/json'): Fault {
  return { how: 'answer', status, body, type };
}

/** Answers that are no clear yes, or no answer of this API at all, given in place of the service's own. */
export const MALFORMED: Readonly<Record<string, Fault>> = {
  'an empty body': answer(200, ''),
  'a login page': answer(200, HTML, 'text/html'),
  'a login page called JSON': answer(200, HTML),
  'plain text': answer(200, 'OK', 'text/plain'),
  'a cut body': answer(200, '{"success":true,"data":[{"id":"a'),
  null: answer(200, 'null'),
  'an array': answer(200, '[]'),
  'no success': answer(200, '{"data":[]}'),
  'success as another text': answer(200, '{"success":"perhaps","data":[]}'),
  'success in a prototype': answer(200, '{"__proto__":{"success":true},"data":[]}'),
  'success without data': answer(200, '{"success":true}'),
  'data null': answer(200, '{"success":true,"data":null}'),
  'data of another shape': answer(200, '{"success":true,"data":{"items":[]}}'),
  'an item without id': answer(200, '{"success":true,"data":[{"name":"x"}],"limit":25,"languages":[]}'),
  'success false': answer(200, '{"success":false,"message":"no"}'),
  'a redirect': { how: 'answer', status: 302, body: '', headers: { location: '/login' } },
  '400': answer(400, '{"success":false,"message":"no"}'),
  '401': answer(401, '{"success":false,"message":"unknown key"}'),
  '404 in HTML': answer(404, HTML, 'text/html'),
  '404 in JSON': answer(404, '{"success":false,"message":"not found"}'),
  '500': answer(500, '{"success":false,"message":"boom"}'),
  '502 in HTML': answer(502, HTML, 'text/html'),
};
