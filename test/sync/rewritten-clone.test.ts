import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Send } from '../../src/remote/remote.ts';
import { plain } from '../support/odd-services/headers.ts';
import { oddService } from '../support/odd-services/odd-services.ts';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

/** A service that writes each text into one line. */
const inOneLine: (send: Send) => Send = (send) => async (request) => {
  if (request.method === 'GET') return send(request);
  const text = await request.text();
  const { method, headers, url } = request;
  return send(new Request(url, { method, headers, body: text.replaceAll(String.raw`\n`, ' ') }));
};

let rig: Rig;
beforeEach(async () => {
  rig = await createRig();
  rig.wrap = oddService([plain(), () => inOneLine], { now: rig.clock.now, harm: [] });
});
afterEach(() => rig.close());

const files = (body: string) =>
  desiredState({
    'article/a@en': { body: `<p>${body}</p>\n<pre><code>b\n</code></pre>` },
    'article/b@en': {},
  });

test('an edit that a clone without a state left alone is overwritten on demand, and the next edit arrives', async () => {
  await rig.sync(files('one'));
  const [a] = (await rig.editor().list('article')).items.filter(({ name }) => name === 'a in en');
  const read = await rig.editor().read('article', a?.id ?? '', undefined);
  if (read.state !== 'found') throw new Error('it cannot be read');
  const { fields, stamp = '' } = read.record;
  const content = `${String(fields['content'])} ${stamp}`;
  await rig.editor().edit('article', a?.id ?? '', 'en', { ...fields, content, title: 'By an editor' }, {});
  expect((await rig.sync(files('one more'))).summary).toMatchObject({ updated: 1, drift: 1 });
  rig.forget();
  const clone = await rig.sync(files('one more'));
  expect(clone.plan.drift).toMatchObject([{ fields: [{ field: 'title' }] }]);
  await rig.sync(files('one more'));
  const ours = { onDrift: 'overwrite', onConflict: 'local', adopt: 'local' } as const;
  expect((await rig.sync(files('one more'), ours)).summary).toMatchObject({ updated: 1 });
  expect((await rig.sync(files('one more'))).summary).toMatchObject({ updated: 0, drift: 0 });
  expect((await rig.sync(files('two'))).summary).toMatchObject({ updated: 1, conflict: 0 });
});

/** It puts an anchor into each heading, cuts tables into paragraphs, and says no word that kbsync knows. */
const inItsOwnWay: (send: Send) => Send = (send) => async (request) => {
  if (request.method === 'GET') return send(request);
  const text = await request.text();
  const { method, headers, url } = request;
  const body = text
    .replaceAll(/<h2>(.*?)<\/h2>/g, '<h2>$1<a href=\\"#x\\">#</a></h2>')
    .replaceAll(/<\/?(?:table|tbody|tr|input)[^>]*>/g, '')
    .replaceAll(/<(\/?)td>/g, '<$1p>')
    .replaceAll(/<!--.*?-->/g, '');
  await send(new Request(url, { method, headers, body }));
  return Response.json({ ok: true });
};

test('a service that rewrites texts and gives no clear answer is in sync after one more run, without a conflict with our own texts', async () => {
  rig.wrap = oddService([plain(), () => inItsOwnWay], { now: rig.clock.now, harm: [] });
  const page = (words: string) => ({
    body: `<h2>Steps</h2>\n<p>${words}</p>\n<table><tbody><tr><td>One</td><td>Two</td></tr></tbody></table>`,
  });
  const both = (words: string) =>
    desiredState({ 'article/a@en': page(words), 'article/a@fr': page(`${words} en français`) });
  await rig.sync(both('One'));
  rig.clock.advance(120_000);
  await rig.sync(both('One'));
  expect((await rig.sync(both('One'))).summary).toMatchObject({ unchanged: 2, conflict: 0, drift: 0 });
  await rig.sync(both('Another'));
  expect((await rig.sync(both('Another'))).summary).toMatchObject({ unchanged: 2, conflict: 0, drift: 0 });
  const { items } = await rig.editor().list('article');
  expect(items).toHaveLength(1);
});

test('a service that makes slugs and gives no clear answer gets all translations in one run', async () => {
  const making: (send: Send) => Send = (send) => async (request) => {
    if (request.method !== 'POST') return send(request);
    const text = await request.text();
    const { method, headers, url } = request;
    await send(new Request(url, { method, headers, body: text.replace(/"slug":"/, '"slug":"x-') }));
    return Response.json({ ok: true });
  };
  rig.wrap = oddService([plain(), () => making], { now: rig.clock.now, harm: [] });
  const files = desiredState({
    'article/a@en': {},
    'article/b@en': {},
    'article/a@fr': {},
    'article/b@fr': {},
  });
  const { results } = await rig.sync(files);
  expect(results.map(({ key, outcome }) => [key, outcome])).toEqual([
    ['article/a@en', 'done'],
    ['article/b@en', 'done'],
    ['article/a@fr', 'failed'],
    ['article/b@fr', 'failed'],
  ]);
  expect(results[3]?.message).toContain('the service stored the slug "x-');
  expect((await rig.sync(files)).summary).toMatchObject({ drift: 2, conflict: 0, updated: 0 });
});

test('an editor’s sign is not taken for that of an edit which got lost', async () => {
  const serve = (more: (send: Send) => Send) => {
    rig.wrap = oddService([plain(), () => more], { now: rig.clock.now, harm: [] });
  };
  const html = (sign: string) => `<p>Type 5 ${sign} 3.</p>`;
  const sum = (sign: string) => desiredState({ 'article/a@en': { body: html(sign) } });
  serve((send) => send);
  await rig.sync(sum('+'));
  let isDown = false;
  serve((send) => (request) => {
    isDown ||= request.method !== 'GET';
    return isDown ? Promise.resolve(new Response('gone', { status: 504 })) : send(request);
  });
  expect((await rig.sync(sum('-'))).summary).toMatchObject({ pending: 1 });
  serve((send) => send);
  rig.clock.advance(120_000);
  const [item] = (await rig.editor().list('article')).items;
  const read = await rig.editor().read('article', item?.id ?? '');
  const { fields = {} } = read.state === 'found' ? read.record : {};
  await rig.editor().edit('article', item?.id ?? '', 'en', { ...fields, content: html('*') }, {});
  expect((await rig.sync(sum('-'))).summary).toMatchObject({ conflict: 1, unchanged: 0 });
  expect((await rig.sync(sum('/'))).summary).toMatchObject({ conflict: 1, updated: 0 });
});

test('an editor’s link in a page that a lost create made is not taken for the service’s own', async () => {
  const html = (page: string) => `<p>Read <a href="https://docs.example.com/${page}">more</a>.</p>`;
  const linked = (page: string) => desiredState({ 'article/a@en': { body: html(page) } });
  let isDown = false;
  const losing: (send: Send) => Send = (send) => async (request) => {
    const answer = isDown ? undefined : await send(request);
    isDown ||= request.method !== 'GET';
    return answer === undefined || isDown ? new Response('gone', { status: 504 }) : answer;
  };
  rig.wrap = oddService([plain(), () => losing], { now: rig.clock.now, harm: [] });
  expect((await rig.sync(linked('one'))).summary).toMatchObject({ pending: 1 });
  rig.wrap = oddService([plain()], { now: rig.clock.now, harm: [] });
  rig.clock.advance(120_000);
  const [item] = (await rig.editor().list('article')).items;
  const read = await rig.editor().read('article', item?.id ?? '');
  const { fields = {} } = read.state === 'found' ? read.record : {};
  await rig.editor().edit('article', item?.id ?? '', 'en', { ...fields, content: html('editor') }, {});
  expect((await rig.sync(linked('one'))).summary).toMatchObject({ conflict: 1, unchanged: 0 });
  expect((await rig.sync(linked('two'))).summary).toMatchObject({ conflict: 1, updated: 0 });
});
