import { expect, test } from 'vitest';
import { stopsEverything } from '../../../src/remote/read-many.ts';
import { failureOf, json, rig } from '../support/support.ts';

const busy = (seconds: string) =>
  json(
    { success: false, message: 'Too many requests' },
    { status: 429, headers: { 'retry-after': seconds } },
  );

test('a Retry-After beyond a minute ends the call with the time to come back, and holds back the others', async () => {
  let sent = 0;
  const { remote, clock } = rig({
    send: async () => {
      sent++;
      return busy('3600');
    },
  });
  const error = await failureOf(remote.list('tag'));
  expect(error.message).toBe(
    'GET /api/v2/tags: the service asks for fewer requests (429): Too many requests; ' +
      'it asks to come back at 2025-06-15 16:06:40 UTC',
  );
  expect(stopsEverything(error)).toBe(true);
  const next = await failureOf(remote.list('article'));
  expect(next.code).toBe('not-sent');
  expect(next.message).toBe(
    'GET /api/v2/articles: not sent: it asks to come back at 2025-06-15 16:06:40 UTC',
  );
  expect([sent, clock.slept]).toEqual([1, []]);
});

test('a minute is waited for', async () => {
  let sent = 0;
  const { remote, clock } = rig({
    send: async () => (sent++ === 0 ? busy('60') : json({ success: true, data: [], languages: [] })),
  });
  await remote.list('tag');
  expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(60_000);
});

test('whoever waits sits out an hour', async () => {
  let sent = 0;
  const { remote, clock } = rig({
    waits: true,
    send: async () => (sent++ === 0 ? busy('3600') : json({ success: true, data: [], languages: [] })),
  });
  await remote.list('tag');
  expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(3_600_000);
});

test('many requests that wait listen to the interrupt once', async () => {
  const stop = new AbortController();
  const listeners: unknown[] = [];
  const add = stop.signal.addEventListener.bind(stop.signal);
  Object.assign(stop.signal, {
    addEventListener: (...args: Parameters<typeof add>) => {
      listeners.push(args[0]);
      add(...args);
    },
  });
  let sent = 0;
  const { remote } = rig({
    signal: stop.signal,
    send: async () => (sent++ % 2 === 0 ? busy('1') : json({ success: true, data: [], languages: [] })),
  });
  await Promise.all(Array.from({ length: 40 }, () => remote.list('tag')));
  expect(listeners).toEqual(['abort']);
});
