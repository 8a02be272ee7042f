import { expect, test } from 'vitest';
import { pageSigns } from '../../../src/remote/wire/pages.ts';

const PATH = '/api/v2/articles';
const data = [{ id: '1' }, { id: '2' }];
const signsOf = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  pageSigns({ value: { success: true, data, ...body }, headers }, PATH);

test.each([
  ['Zendesk', { next_page: 'https://help.test/api/v2/articles?page=2', count: 9 }, '?page=2'],
  ['Django REST framework', { next: 'http://help.test/api/v2/articles/?page=2', previous: null }, '?page=2'],
  ['.NET', { NextPageUrl: 'https://help.test/api/v2/articles?page=2' }, '?page=2'],
  ['Laravel', { links: { next: 'https://help.test/api/v2/articles?page=2' }, meta: {} }, '?page=2'],
  ['JSON:API', { links: { next: { href: '/api/v2/articles?page%5Bnumber%5D=2' } } }, '?page%5Bnumber%5D=2'],
  ['HAL', { _links: { next: { href: '?start=25&limit=25' } } }, '?start=25&limit=25'],
  ['Fractal', { meta: { pagination: { links: { next: '/articles?page=2' } } } }, '?page=2'],
  ['OData', { '@odata.nextLink': 'https://help.test/api/v2/articles?$skip=2' }, '?$skip=2'],
])('reads on where the answer says so: %s', (_, body, next) => {
  expect(signsOf(body)).toMatchObject({ next });
});

test('reads on where a Link header says so', () => {
  const link =
    '<https://a.test/api/v2/articles?page=1>; rel="prev", <https://a.test/api/v2/articles?p=3>; rel=next';
  expect(signsOf({}, { link })).toEqual({ next: '?p=3' });
  expect(signsOf({}, { link: '</api/v2/articles?page=9>; rel="last"' })).toEqual({});
});

test.each([
  ['another list', { next: 'https://help.test/api/v2/tags?page=2' }, 'it names next'],
  ['an address without a query', { next: '/api/v2/articles' }, 'it names next'],
  ['a page object', { pages: { next: { page: 2, starting_after: 'x' } } }, 'it names next'],
  ['a number', { next_page: 2 }, 'it names next_page'],
  ['a flag', { meta: { has_more: true } }, 'has_more is true'],
  ['a cursor', { next_cursor: 'abc' }, 'it names next_cursor'],
  ['Spring', { last: false, totalElements: 9 }, 'last is false'],
  ['page numbers', { pagination: { page: 1, total_pages: 3 } }, 'total_pages is 3'],
  ['page numbers without a page', { total_pages: 3 }, 'total_pages is 3'],
  ['a flag of a service whose names begin with capitals', { Meta: { HasMore: true } }, 'HasMore is true'],
  ['page numbers of such a service', { PageInfo: { PageNumber: 1, TotalPages: 3 } }, 'TotalPages is 3'],
  ['a cursor with hyphens', { 'next-cursor': 'abc' }, 'it names next-cursor'],
])('knows that there is more, and asks nothing: %s', (_, body, why) => {
  expect(signsOf(body).more).toEqual({ why, isCertain: true });
  expect(signsOf(body).next).toBeUndefined();
});

test.each([
  ['Spring or Strapi', { pagination: { page: 1, total_pages: 3 } }, '?page=2'],
  ['Ghost', { meta: { pagination: { page: 1, limit: 2, pages: 2, total: 3, next: 2 } } }, '?page=2'],
  ['pages that count from 0', { page: 0, totalPages: 2 }, '?page=1'],
  ['Spring Data', { page: { size: 2, number: 0, totalElements: 5, totalPages: 3 } }, '?page=1'],
  ['Drupal', { pager: { current_page: 0, total_items: 5, total_pages: 3 } }, '?page=1'],
  ['pages without a number', { total_pages: 3 }, '?page=2'],
  ['Jira', { startAt: 0, maxResults: 2, total: 9 }, '?startAt=2'],
  ['an offset', { meta: { offset: 0, total: 9 } }, '?offset=2'],
  ['Slack', { next_cursor: 'a=' }, '?cursor=a%3D'],
])('asks where such services go on: %s', (_, body, guess) => {
  expect(signsOf(body)).toMatchObject({ guess });
});

test.each([
  ['WordPress', { 'x-wp-total': '3', 'x-wp-totalpages': '2' }, 'total_pages is 2'],
  ['GitLab', { 'x-total': '3', 'x-total-pages': '2', 'x-page': '1' }, 'total_pages is 2'],
  ['Yii', { 'x-pagination-page-count': '2', 'x-pagination-current-page': '1' }, 'total_pages is 2'],
])('knows the headers that tell of pages: %s', (_, headers, why) => {
  expect(signsOf({}, headers)).toMatchObject({ more: { why, isCertain: true }, guess: '?page=2' });
});

test('the last page is known by how many were read', () => {
  const last = (body: object, headers: Readonly<Record<string, string>> = {}) =>
    pageSigns({ value: { success: true, data, ...body }, headers }, PATH, { pages: 2, rows: 4 });
  const bodies = [{ page: 3, pages: 3 }, { page: 2, pages: 3 }, { pages: 3 }, { offset: 4, total: 6 }];
  for (const body of bodies) expect(last(body)).not.toHaveProperty('guess');
  expect(last({ page: 1, pages: 3 })).not.toHaveProperty('guess');
  expect(last({}, { 'x-wp-totalpages': '3' })).toEqual({});
  expect(last({ page: 3, total_pages: 3 })).toEqual({});
});

test.each([
  ['page', { page: 3, total_pages: 3 }],
  ['number', { meta: { number: 25, total_pages: 3 } }],
])('a first answer that tells another `%s` than the first is not the whole list', (_, body) => {
  expect(signsOf(body)).toEqual({ more: { why: 'total_pages is 3', isCertain: true } });
});

test('a number of records may count others too', () => {
  expect(signsOf({ total: 3 })).toEqual({
    count: 3,
    more: { why: 'total is 3', isCertain: false },
    guess: '?page=2',
    isOnlyCounted: true,
  });
});

test.each([
  ['nothing', {}],
  ['the last page', { next_page: null, links: { next: '' }, has_more: false, next_cursor: null, last: true }],
  ['the count of rows with numbers as names', { data: { 0: data[0], 2: data[1] }, total: 2 }],
  ['the count of what is there', { count: 2, meta: { total: '2' } }],
  ['one page, counted from 0', { page: 0, total_pages: 1 }],
  ['links to pages by their numbers', { links: [{ url: '/api/v2/articles?page=2', label: '2' }] }],
  ['the limit of the API text', { limit: 25 }],
])('takes a list for whole: %s', (_, body) => {
  expect(signsOf(body).more).toBeUndefined();
  expect(signsOf(body).next).toBeUndefined();
});

test.each([
  ['Django REST framework', { next: null, previous: null, count: 2 }, true],
  ['Zendesk', { next_page: null, previous_page: null, count: 2 }, true],
  ['Laravel', { links: { first: '?page=1', next: null }, meta: { total: 2 } }, true],
  ['a count without a place for a next page, which may be of this page', { count: 2 }, undefined],
  ['no count', { next: null }, undefined],
  ['a count of more', { next: null, count: 3 }, undefined],
  ['another sign of more', { next: null, count: 2, has_more: true }, undefined],
])(
  'knows that a list is whole if the answer leaves its next page empty and counts its rows: %s',
  (_, body, isWhole) => {
    expect(signsOf(body).isWhole).toBe(isWhole);
  },
);
