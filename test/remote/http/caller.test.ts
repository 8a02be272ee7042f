import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { fields, lists } from '../support/replies.ts';
import { API_KEY, failureOf, json, rig, virtualClock } from '../support/support.ts';

test('Retry-After holds back every request, not only the one that got it', async () => {
  const clock = virtualClock();
  let count = 0;
  const starts: number[] = [];
  const { remote } = rig({
    clock,
    send: () => {
      starts.push(clock.now());
      count++;
      return Promise.resolve(
        count === 1 ? json({}, { status: 429, headers: { 'retry-after': '60' } }) : json(lists.tag),
      );
    },
    concurrencyMax: 1,
  });
  const begin = clock.now();
  await Promise.all([remote.list('tag'), remote.list('tag'), remote.list('tag')]);
  expect(starts.map((at) => at - begin >= 60_000)).toEqual([false, true, true, true]);
});

test('refusals slow the client down and clean answers speed it up', async () => {
  let isBusy = false;
  const { remote } = rig({
    send: async () => {
      await wait(0);
      return isBusy ? json({}, { status: 429 }) : json(lists.tag);
    },
    concurrencyMax: 16,
  });
  expect(remote.atOnce()).toBe(4);
  await Promise.all(Array.from({ length: 100 }, () => remote.list('tag')));
  expect(remote.atOnce()).toBe(16);
  isBusy = true;
  await Promise.allSettled(Array.from({ length: 40 }, () => remote.list('tag')));
  expect(remote.atOnce()).toBeLessThan(8);
});

test('an outage is not answered with a flood: 50 retries in all', async () => {
  const { remote } = rig({ send: () => Promise.resolve(new Response('', { status: 500 })) });
  await Promise.allSettled(Array.from({ length: 100 }, () => remote.list('tag')));
  expect(remote.requests()).toBe(150);
});

test('an interrupted run sends nothing more and leaves no read waiting', async () => {
  const controller = new AbortController();
  const { remote } = rig({
    send: () => new Promise(() => undefined),
    signal: controller.signal,
    concurrencyMax: 2,
  });
  const running = Array.from({ length: 5 }, () => failureOf(remote.list('tag')));
  await wait(1);
  controller.abort();
  for (const error of await Promise.all(running)) expect(error.code).toBe('aborted');
  expect(remote.requests()).toBe(2);
  expect((await failureOf(remote.create('tag', fields.tag, {}))).code).toBe('aborted');
  expect(remote.requests()).toBe(2);
});

test('a write under way at the interrupt gets its answer, or is unclear after a grace', async () => {
  for (const isAnswered of [true, false]) {
    const controller = new AbortController();
    const clock = virtualClock();
    let release: (response: Response) => void = () => undefined;
    let end: () => void = () => undefined;
    const { remote } = rig({
      clock: { now: () => clock.now(), sleep: () => new Promise((done) => (end = done)) },
      send: () => new Promise((done) => (release = done)),
      signal: controller.signal,
    });
    const creating = remote.create('tag', fields.tag, {}).then(
      () => 'done',
      (error: unknown) => String(error),
    );
    await wait(1);
    controller.abort();
    if (isAnswered) release(json({ success: true }));
    else end();
    expect(await creating).toMatch(
      isAnswered ? /^done$/ : /interrupted before the answer came; the change may have been made/,
    );
  }
});

test('the key stays out of errors and events, also when a transport or service repeats it', async () => {
  const repeats = [
    () => Promise.reject(new TypeError(`Headers.append: "Bearer ${API_KEY}" is an invalid header value.`)),
    () => Promise.resolve(json({ success: false, message: `Bearer ${API_KEY}` }, { status: 401 })),
    () =>
      Promise.resolve(
        new Response('', { status: 302, headers: { location: `https://x.example/?key=${API_KEY}` } }),
      ),
    () => Promise.resolve(new Response('', { headers: { 'content-type': `x/${API_KEY}` } })),
    () => Promise.resolve(json({ ...lists.tag, data: [{ id: { [API_KEY]: 1 } }] })),
  ];
  for (const send of repeats) {
    const { remote, events } = rig({ send });
    const error = await failureOf(remote.list('tag'));
    expect(inspect([error, error.cause, error.stack, events], { depth: 9 })).not.toContain(API_KEY);
  }
});
