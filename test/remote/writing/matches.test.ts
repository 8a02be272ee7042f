import { expect, test } from 'vitest';
import type { Send } from '../../../src/remote/remote.ts';
import { articleReply, fields } from '../support/replies.ts';
import { failureOf, json, rig } from '../support/support.ts';

/** Refuses every If-Match; each read shows the next of the tags, the last one for ever. */
function refusing(tags: readonly string[]): { readonly send: Send; readonly sent: (string | null)[] } {
  let reads = 0;
  const sent: (string | null)[] = [];
  return {
    sent,
    send: async (request) => {
      if (request.method === 'GET') {
        const etag = tags[Math.min(reads++, tags.length - 1)] ?? '';
        return json(articleReply, { headers: etag === '' ? {} : { etag } });
      }
      const ifMatch = request.headers.get('if-match');
      sent.push(ifMatch);
      return ifMatch === null
        ? json({ success: true, message: 'done' })
        : json({ success: false, message: 'The record was changed.' }, { status: 412 });
    },
  };
}

async function tagOf(remote: ReturnType<typeof rig>['remote'], id: string): Promise<string | undefined> {
  const result = await remote.read('article', id);
  if (result.state !== 'found') throw new Error(result.state);
  return result.record.etag;
}

test.each(['W/"7"', 'w/"7"', ' W/"7"'])('the weak tag %s is no tag for If-Match', async (tag) => {
  const { remote } = rig({ send: refusing([tag]).send });
  expect(await tagOf(remote, articleReply.data.id)).toBeUndefined();
});

test('a tag that was refused and is shown again proves that If-Match only refuses', async () => {
  const { send } = refusing(['"7-gzip"']);
  const { remote } = rig({ send, capabilities: { 'if-match': 'yes' } });
  const { id } = articleReply.data;
  const ifMatch = (await tagOf(remote, id)) ?? '';
  expect(await failureOf(remote.edit('article', id, 'en', fields.article, { ifMatch }))).toMatchObject({
    code: 'stale',
    status: 412,
  });
  expect(remote.capabilities()['if-match']).toBe('yes');
  await tagOf(remote, id);
  expect(remote.capabilities()['if-match']).toBe('no');
});

test.each([
  [400, 'Precondition not supported'],
  [501, 'Not implemented'],
] as const)(
  'a service that answers each If-Match with %i (%s) gets the edit without it',
  async (status, message) => {
    const send: Send = async (request) => {
      if (request.method === 'GET') return json(articleReply, { headers: { etag: '"7"' } });
      return request.headers.get('if-match') === null
        ? json({ success: true, message: 'done' })
        : json({ success: false, message }, { status });
    };
    const { remote } = rig({ send });
    const { id } = articleReply.data;
    const ifMatch = (await tagOf(remote, id)) ?? '';
    // `stale`: the caller reads the record again and decides anew.
    expect(await failureOf(remote.edit('article', id, 'en', fields.article, { ifMatch }))).toMatchObject({
      code: 'stale',
      status,
    });
    expect(remote.capabilities()['if-match']).toBe('no');
  },
);

test.each([
  [400, 'The slug is taken.'],
  [409, 'ETag mismatch: somebody has changed this record.'],
  [409, 'The slug "etag" is taken.'],
] as const)(
  'another refusal of an edit with If-Match is one of the edit: %i (%s)',
  async (status, message) => {
    const send: Send = async (request) =>
      request.method === 'GET'
        ? json(articleReply, { headers: { etag: '"7"' } })
        : json({ success: false, message }, { status });
    const { remote } = rig({ send });
    const { id } = articleReply.data;
    const ifMatch = (await tagOf(remote, id)) ?? '';
    expect(await failureOf(remote.edit('article', id, 'en', fields.article, { ifMatch }))).toMatchObject({
      code: 'rejected',
    });
    expect(remote.capabilities()['if-match']).toBeUndefined();
  },
);

test('a record that somebody else wrote in between proves nothing', async () => {
  const { send } = refusing(['"7"', '"8"']);
  const { remote } = rig({ send, capabilities: { 'if-match': 'yes' } });
  const { id } = articleReply.data;
  const ifMatch = (await tagOf(remote, id)) ?? '';
  await failureOf(remote.edit('article', id, 'en', fields.article, { ifMatch }));
  await tagOf(remote, id);
  expect(remote.capabilities()['if-match']).toBe('yes');
});

test('a record that is refused twice, with another tag each time, proves it too', async () => {
  const { send } = refusing(['"1"', '"2"', '"3"']);
  const { remote } = rig({ send });
  const { id } = articleReply.data;
  for (const expected of [undefined, 'no']) {
    const ifMatch = (await tagOf(remote, id)) ?? '';
    await failureOf(remote.remove('article', id, { ifMatch }));
    expect(remote.capabilities()['if-match']).toBe(expected);
  }
});
