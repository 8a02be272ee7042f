import { expect, test } from 'vitest';
import type { RemoteError } from '../../../src/remote/error.ts';
import { stopsEverything } from '../../../src/remote/read-many.ts';
import type { Send } from '../../../src/remote/remote.ts';
import { fields } from '../support/replies.ts';
import { failureOf, json, rig } from '../support/support.ts';

const forbidden = (message = 'This key may read only.') => json({ success: false, message }, { status: 403 });
const page = () =>
  new Response('<!doctype html><title>Blocked</title>', {
    status: 403,
    headers: { 'content-type': 'text/html' },
  });

function writing(send: Send): () => Promise<RemoteError> {
  const { remote } = rig({ send });
  return () => failureOf(remote.create('tag', fields.tag, {}));
}

test('a 403 speaks of one request; the next is sent', async () => {
  const error = await writing(async () => forbidden())();
  expect(error.code).toBe('forbidden');
  expect(error.message).toContain('the service does not allow this request (403): This key may read only.');
  expect(stopsEverything(error)).toBe(false);
});

test('a page of a firewall is not the word of the service, however often it comes', async () => {
  const write = writing(async () => page());
  for (let n = 0; n < 40; n++) {
    const error = await write();
    expect(error.code).toBe('forbidden');
    expect(error.message).toContain('something in front of the service does not allow this request');
  }
});

test('twenty refusals in the same words and no write accepted are the key', async () => {
  const write = writing(async () => forbidden());
  for (let n = 0; n < 19; n++) expect((await write()).code).toBe('forbidden');
  const error = await write();
  expect(stopsEverything(error)).toBe(true);
  expect(error.message).toContain('none was accepted: this API key may only read');
});

test('after one accepted write, refusals are the records’ for the rest of the run', async () => {
  let count = 0;
  const { remote } = rig({
    send: async () => (count++ === 5 ? json({ success: true, message: 'done' }) : forbidden()),
  });
  const codes = new Set<string>();
  for (let n = 0; n < 60; n++) {
    const call = remote.create('tag', fields.tag, {});
    if (n === 5) await call;
    else codes.add((await failureOf(call)).code);
  }
  expect([...codes]).toEqual(['forbidden']);
});
