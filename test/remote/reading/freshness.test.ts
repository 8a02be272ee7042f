import { expect, test } from 'vitest';
import { momentOf } from '../../../src/remote/reading/moment.ts';
import { article, articleReply, lists } from '../support/replies.ts';
import { failureOf, json, rig } from '../support/support.ts';
import type { Rig } from '../support/support.ts';

/** An hour before the rig's clock. */
const NOW = '2025-06-15 14:06:40.123456';
const LATER = '2025-06-15 14:46:40.123456';
const BEFORE = '2025-06-15T13:47:27.000Z';
const SAME = '2025-06-15T14:06:40.123Z';

interface Shown {
  /** Of each article in the list. */
  readonly listed: Readonly<Record<string, string>>;
  readonly translated?: readonly string[];
  readonly timezone?: string;
  /** Of each read of an article, one after the other; the last one stays. */
  readonly reads: Readonly<Record<string, readonly string[]>>;
}

interface Played extends Rig {
  readonly asked: readonly string[];
  readonly headers: readonly (string | null)[];
}

async function service({ listed, translated = [], timezone, reads }: Shown): Promise<Played> {
  const asked: string[] = [];
  const headers: (string | null)[] = [];
  const left = new Map(Object.entries(reads).map(([path, dates]) => [path, [...dates]]));
  const played = rig({
    send: (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const id = pathname.split('/').at(-1) ?? '';
      if (id === 'articles') {
        const rows = Object.entries(listed).map(([each, date]) => ({
          id: each,
          name: 'Install',
          status: 'published',
          last_edited_date: date,
          other_articles: translated.includes(each) ? [{ language: 'fr' }] : [],
        }));
        return Promise.resolve(json({ ...lists.article, timezone, data: rows }));
      }
      asked.push(id);
      headers.push(request.headers.get('cache-control'));
      const dates = left.get(id) ?? [];
      const [date] = dates.length > 1 ? dates.splice(0, 1) : dates;
      const lang = searchParams.get('lang');
      const own = lang === null ? { id } : { id: `${id}-fr`, language: lang, language_parent: id };
      return Promise.resolve(json({ ...articleReply, data: { ...article, ...own, last_edited_Date: date } }));
    },
  });
  await played.remote.list('article');
  return { ...played, asked, headers };
}

test('a read that is as new as the list says costs one request', async () => {
  const { remote, asked, headers } = await service({ listed: { a: NOW }, reads: { a: [SAME] } });
  expect(await remote.read('article', 'a')).toMatchObject({ state: 'found' });
  expect([asked, headers]).toEqual([['a'], [null]]);
});

test('an older one is read again past caches, at once and after a second, until it is as new', async () => {
  const { remote, asked, headers, clock } = await service({
    listed: { a: NOW, b: NOW },
    reads: { a: [BEFORE, BEFORE, SAME], b: [SAME] },
  });
  expect(await remote.read('article', 'a')).toMatchObject({ state: 'found' });
  expect(asked).toEqual(['a', 'b', 'a', 'a']);
  expect(headers).toEqual([null, 'no-cache', 'no-cache', 'no-cache']);
  expect(clock.slept).toEqual([1000]);
});

test('one that stays older is unknown: the message names both dates', async () => {
  const { remote, asked } = await service({ listed: { a: NOW, b: NOW }, reads: { a: [BEFORE], b: [SAME] } });
  const { message } = await failureOf(remote.read('article', 'a'));
  expect(message).toContain(`as it was on ${BEFORE}, but the list says that it was edited on ${NOW}`);
  expect(asked).toEqual(['a', 'b', 'a', 'a', 'a']);
});

test('dates of a list are not believed where no other article has the same one in both places', async () => {
  const reads = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((id) => [id, [BEFORE]]));
  const { remote, asked } = await service({
    listed: { a: NOW, b: NOW, c: NOW, d: NOW, e: NOW },
    reads,
  });
  expect(await remote.read('article', 'a')).toMatchObject({ state: 'found' });
  expect(asked).toHaveLength(4);
  expect(await remote.read('article', 'e')).toMatchObject({ state: 'found' });
  expect(asked).toHaveLength(5);
});

test('what was edited at once may be old in a cache all together: articles of other ages are asked too', async () => {
  const { remote, asked } = await service({
    listed: { a: LATER, b: LATER, c: LATER, d: LATER, e: NOW, f: '2025-06-12 10:00:00' },
    reads: { a: [BEFORE], b: [BEFORE], c: [BEFORE], d: [BEFORE], e: [BEFORE], f: ['2025-06-12T10:00:00Z'] },
  });
  const { message } = await failureOf(remote.read('article', 'a'));
  expect(message).toContain('the list says');
  expect(asked.slice(0, 4)).toEqual(['a', 'b', 'e', 'f']);
});

test('an article with translations is read again once in a run: the list may mean an edit of theirs', async () => {
  const { remote, asked } = await service({
    listed: { a: NOW, b: NOW, c: NOW },
    translated: ['a', 'c'],
    reads: { a: [BEFORE], b: [SAME], c: [BEFORE] },
  });
  expect(await remote.read('article', 'a')).toMatchObject({ state: 'found' });
  expect(asked).toEqual(['a', 'b', 'a', 'a', 'a']);
  expect(await remote.read('article', 'c')).toMatchObject({ state: 'found' });
  expect(asked).toHaveLength(6);
});

test('a list’s date of more than a day ago is not asked about', async () => {
  const { remote, asked } = await service({
    listed: { a: '2025-06-10 10:00:00.000000', b: NOW },
    reads: { a: ['2025-06-09T10:00:07.000Z'], b: [SAME] },
  });
  expect(await remote.read('article', 'a')).toMatchObject({ state: 'found' });
  expect(asked).toEqual(['a']);
});

test('no read of a run is older than the one before it, of a translation either', async () => {
  const { remote, asked } = await service({ listed: {}, reads: { a: [SAME, BEFORE] } });
  await remote.read('article', 'a', 'fr');
  const { message } = await failureOf(remote.read('article', 'a', 'fr'));
  expect(message).toContain('but an earlier read says that it was edited on');
  expect(asked.filter((id) => id === 'a')).toHaveLength(5);
});

test('an article that the site took back to an earlier version is no older copy once a list says so', async () => {
  const listed: Record<string, string> = { a: NOW, b: NOW };
  const { remote, asked } = await service({ listed, reads: { a: [SAME, BEFORE], b: [SAME] } });
  await remote.read('article', 'a');
  listed['a'] = '2025-06-15 13:47:27.000000';
  await remote.list('article');
  expect(await remote.read('article', 'a')).toMatchObject({ state: 'found' });
  expect(asked).toEqual(['a', 'a']);
});

test('what a list could not show of its dates, one that comes ten minutes later may', async () => {
  const shown = { listed: { a: NOW, b: NOW }, reads: { a: [BEFORE], b: [BEFORE, SAME] } };
  const { remote, clock } = await service(shown);
  expect(await remote.read('article', 'a')).toMatchObject({ state: 'found' });
  await clock.sleep(600_000);
  await remote.list('article');
  expect((await failureOf(remote.read('article', 'a'))).message).toContain('the list says');
});

test('a list in the time of a zone does not make a read look old that came after an edit', async () => {
  const { remote, asked } = await service({
    listed: { a: '2025-06-16 03:06:40.123456', b: '2025-06-16 03:06:40.123456' },
    reads: { a: [SAME, '2025-06-15T14:06:52.000Z', BEFORE], b: [SAME] },
  });
  await remote.read('article', 'a');
  await remote.read('article', 'a');
  expect(asked).toEqual(['a', 'b', 'a']);
});

test('a first read that is older by whole hours tells no zone: another article does', async () => {
  const { remote, asked } = await service({
    listed: { a: NOW, b: NOW },
    reads: { a: ['2025-06-15T12:06:40.000Z'], b: [SAME] },
  });
  expect((await failureOf(remote.read('article', 'a'))).message).toContain('the list says');
  expect(asked).toEqual(['a', 'b', 'a', 'a', 'a']);
});

test('a read with the date of the last sync is old once the list has another, whatever other articles say', async () => {
  const { remote, asked } = await service({
    listed: { a: NOW, b: NOW },
    reads: { a: [BEFORE], b: [BEFORE] },
  });
  remote.learnDates((id) => (id === 'a' ? '2025-06-15 13:47:27.000000' : undefined));
  expect((await failureOf(remote.read('article', 'a'))).message).toContain('the list says');
  expect(asked).toEqual(['a', 'a', 'a', 'a']);
  expect(await remote.read('article', 'b')).toMatchObject({ state: 'found' });
});

test('after an edit of this run a read from before is late, and proves nothing of the list', async () => {
  const { remote } = await service({ listed: { a: NOW, b: NOW }, reads: { a: [BEFORE], b: [BEFORE] } });
  remote.learnDates(() => '2025-06-15 13:47:27.000000');
  const fields = {
    title: 'A',
    slug: 'a',
    categories: [],
    excerpt: '',
    ordering: 0,
    status: 'published',
    content: '',
  };
  await remote.edit('article', 'a', 'en', fields, {});
  expect(await remote.read('article', 'a')).toMatchObject({ state: 'found' });
  expect((await failureOf(remote.read('article', 'b'))).message).toContain('the list says');
});

test('a list that names a zone has its dates in that zone or in UTC, and in no other', async () => {
  const old = { listed: { a: NOW, b: NOW }, reads: { a: ['2025-06-15T12:06:40.000Z'], b: [SAME] } };
  const { message } = await failureOf(
    (await service({ ...old, timezone: 'UTC' })).remote.read('article', 'a'),
  );
  expect(message).toContain('the list says');
  const { remote, asked } = await service({ ...old, timezone: 'Europe/Berlin' });
  expect(await remote.read('article', 'a')).toMatchObject({ state: 'found' });
  expect(asked).toEqual(['a']);
});

test('two dates that name their zones are compared as they are', async () => {
  const { remote } = await service({
    listed: { a: '2025-06-15T14:06:40Z', b: '2025-06-15T14:06:40Z' },
    reads: { a: ['2025-06-15T12:06:40.000Z'], b: [SAME] },
  });
  expect((await failureOf(remote.read('article', 'a'))).message).toContain('the list says');
});

test('once a date of that day was the same in both places, a read that is whole hours older is one from before', async () => {
  const { remote } = await service({
    listed: { a: NOW, b: NOW },
    reads: { a: ['2025-06-15T12:06:40.000Z'], b: [SAME] },
  });
  await remote.read('article', 'b');
  const { message } = await failureOf(remote.read('article', 'a'));
  expect(message).toContain('the list says');
});

test('nor does a zone hide a read that is old', async () => {
  const { remote } = await service({
    listed: { a: '2025-06-15 09:06:40', b: '2025-06-15 09:06:40' },
    reads: { a: [BEFORE], b: [SAME] },
  });
  await remote.read('article', 'b');
  const { message } = await failureOf(remote.read('article', 'a'));
  expect(message).toContain('the list says');
});

test.each([
  ['2025-06-15 15:06:40.123456', 'an hour of a zone', 'ab'],
  ['2025-06-15 19:51:40', 'a zone of quarters', 'ab'],
  ['2025-06-15 09:06:40', 'a zone of the west', 'a'],
  ['2025-06-15T16:06:40+02:00', 'an offset', 'a'],
  ['2025-06-15 14:06:41', 'a second that was rounded', 'a'],
  ['2025-06-15 14:06', 'minutes alone', 'a'],
  ['1749996400', 'seconds since 1970', 'a'],
  ['15.06.2025, 18:00:00', 'what people write', 'a'],
])('%s of a list is not later than 14:06:40 (%s)', async (listed, _, read) => {
  const { remote, asked } = await service({
    listed: { a: listed, b: listed },
    reads: { a: [SAME], b: [SAME] },
  });
  await remote.read('article', 'a');
  expect(asked.join('')).toBe(read);
});

test.each([
  ['2026-01-05 09:00:00.123456', '2026-01-05T09:00:00.000Z'],
  ['2026-01-05T09:00:00Z', '2026-01-05T09:00:00.000Z'],
  ['2026-01-05T11:00:00+0200', '2026-01-05T09:00:00.000Z'],
  ['1767603600000', '2026-01-05T09:00:00.000Z'],
  ['2026-13-05 09:00:00', undefined],
  ['2026-01-05', undefined],
  ['', undefined],
])('the date %j is %s', (text, iso) => {
  const moment = momentOf(text);
  expect(moment === undefined ? undefined : new Date(Math.floor(moment.atS) * 1000).toISOString()).toBe(iso);
});
