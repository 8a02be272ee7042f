import { expect, test } from 'vitest';
import { instantOf } from '../../../src/content/instant.ts';
import { load, page } from '../support/support.ts';

const at = (text: string): number => Date.parse(text);

test.each([
  ['2030-01-01', 'UTC', '2030-01-01T00:00:00.000Z'],
  ['2030-01-01', 'Europe/Paris', '2029-12-31T23:00:00.000Z'],
  ['2030-07-01', 'Europe/Paris', '2030-06-30T22:00:00.000Z'],
  ['2030-01-01T09:30', 'America/New_York', '2030-01-01T14:30:00.000Z'],
  ['2030-01-01 09:30:15', 'Asia/Kolkata', '2030-01-01T04:00:15.000Z'],
  ['2030-01-01T09:30:00+02:00', 'America/New_York', '2030-01-01T07:30:00.000Z'],
  ['2030-01-01T09:30:00Z', 'America/New_York', '2030-01-01T09:30:00.000Z'],
  // One hour after summer time began, and one before it ended, in the night of the change.
  ['2030-03-31T03:30', 'Europe/Paris', '2030-03-31T01:30:00.000Z'],
  ['2030-10-27T01:30', 'Europe/Paris', '2030-10-26T23:30:00.000Z'],
])('%s in %s is %s', (text, zone, instant) => {
  expect(instantOf(text, zone, false)).toBe(instant);
  expect(instantOf(text, zone, true)).toBe(instant);
});

test.each([
  ['2030/1/2', '2030-01-02T00:00:00.000Z'],
  ['2030-1-2 8:05', '2030-01-02T08:05:00.000Z'],
  ['2030-01-02 08:05:00 +0100', '2030-01-02T07:05:00.000Z'],
  ['2030-01-02 08:05:00 UTC', '2030-01-02T08:05:00.000Z'],
  ['Jan 2, 2030', '2030-01-02T00:00:00.000Z'],
  ['2 January 2030', '2030-01-02T00:00:00.000Z'],
  ['Wed, 02 Jan 2030 15:04:05 GMT', '2030-01-02T15:04:05.000Z'],
])('site generators read %s, and our own layout does not', (text, instant) => {
  expect(instantOf(text, 'UTC', true)).toBe(instant);
  const isOurs = /^\d{4}-\d\d-\d\d /.test(text);
  expect(instantOf(text, 'UTC', false)).toBe(isOurs ? instant : undefined);
});

test.each([
  '',
  'soon',
  '2030',
  '2030-13-01',
  '2030-02-30',
  '2030-01-01T25:00',
  '01.02.2030',
  'in 2030 maybe',
])('%s is no date', (text) => {
  expect(instantOf(text, 'UTC', true)).toBeUndefined();
});

const PAGE = page('title: A\npublishAt: 2030-01-01\nunpublishAt: 2031-01-01');

test.each([
  ['2029-12-31T23:59:59Z', 'draft', { becomes: 'published', at: '2030-01-01T00:00:00.000Z' }],
  ['2030-01-01T00:00:00Z', 'published', { becomes: 'draft', at: '2031-01-01T00:00:00.000Z' }],
  ['2030-12-31T23:59:59Z', 'published', { becomes: 'draft', at: '2031-01-01T00:00:00.000Z' }],
  ['2031-01-01T00:00:00Z', 'draft', undefined],
])('at %s the article is %s', async (now, status, scheduled) => {
  const { record, messages } = await load({ 'en/articles/a.md': PAGE }, { nowMs: at(now) });
  expect(messages).toEqual([]);
  expect(record('article', 'a').fields['status']).toBe(status);
  expect(record('article', 'a').scheduled).toEqual(scheduled);
});

test('a date without a zone is read where the settings say', async () => {
  const files = { 'en/articles/a.md': page('title: A\npublishAt: 2030-01-01') };
  const nowMs = at('2029-12-31T23:30:00Z');
  const [here, there] = [
    await load(files, { nowMs }),
    await load(files, { nowMs, timezone: 'Europe/Paris' }),
  ];
  expect(here.record('article', 'a').fields['status']).toBe('draft');
  expect(there.record('article', 'a').fields['status']).toBe('published');
});

test('a draft stays one, whatever the date', async () => {
  const { record } = await load({
    'en/articles/a.md': page('title: A\nstatus: draft\npublishAt: 2020-01-01'),
    'en/articles/b.md': page('title: B\nstatus: draft\npublishAt: 2030-01-01'),
  });
  expect(record('article', 'a').fields['status']).toBe('draft');
  expect(record('article', 'b')).toMatchObject({ fields: { status: 'draft' } });
  expect(record('article', 'b').scheduled).toBeUndefined();
});

test('a date that nobody can read is a problem, and the article is no more public for allowing it', async () => {
  const files = {
    'en/articles/a.md': page('title: A\npublishAt: next week'),
    'en/articles/b.md': page('title: B\npublishAt: 2030-01-01\nunpublishAt: 2029-01-01'),
    'en/articles/c.md': page('title: C\npublishAt: 5'),
  };
  const { places, messages } = await load(files);
  expect(places).toEqual([
    'content/en/articles/a.md:3:12 wrong-type',
    'content/en/articles/b.md:4:14 wrong-type',
    'content/en/articles/c.md:3:12 wrong-type',
  ]);
  expect(messages[0]).toContain('2030-01-01');
  expect(messages[1]).toContain('a date after `publishAt`');
  const { records } = await load(files, { allow: new Set(['wrong-type']) });
  for (const { fields } of records.values()) expect(fields['status']).toBe('draft');
});

test('only articles have dates', async () => {
  const { places } = await load({ 'en/tags/t.md': page('name: T\npublishAt: 2030-01-01') });
  expect(places).toEqual(['content/en/tags/t.md:3:12 unknown-key']);
});
