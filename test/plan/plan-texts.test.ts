import { expect, test } from 'vitest';
import { planTexts } from '../../src/plan/plan-texts.ts';
import { keyFrom, lived } from './support/plan-model.ts';

const BEFORE = {
  'article/a@en': { fields: { categories: ['category/c'] }, body: '<p>old</p>' },
  'category/c@en': {},
};

test('the page of a change shows the whole text of both sides', () => {
  const after = { ...BEFORE, 'article/a@en': { ...BEFORE['article/a@en'], body: '<p>new</p>' } };
  const { before, after: wanted } = planTexts(lived(BEFORE, after))(keyFrom('article/a@en'));
  expect(before?.['content']).toBe('<p>old</p>');
  expect(wanted?.['content']).toBe('<p>new</p>');
  expect(wanted?.['categories']).toEqual(['id-category/c']);
});

test('a new record has no text before, and names records that are yet to be made', () => {
  const files = {
    ...BEFORE,
    'article/b@en': { fields: { categories: ['category/new'] }, body: '<p>b</p>' },
    'category/new@en': {},
  };
  const { before, after } = planTexts(lived(BEFORE, files))(keyFrom('article/b@en'));
  expect(before).toBeUndefined();
  expect(after).toMatchObject({ content: '<p>b</p>', categories: ['new:category/new'] });
});

test('a record whose file is gone has no text after', () => {
  const { 'category/c@en': category } = BEFORE;
  const texts = planTexts(lived(BEFORE, { 'category/c@en': category }))(keyFrom('article/a@en'));
  expect(texts.before?.['content']).toBe('<p>old</p>');
  expect(texts.after).toBeUndefined();
});

test('a record without a body of ours has fields alone', () => {
  const { after } = planTexts(lived(BEFORE, BEFORE))(keyFrom('category/c@en'));
  expect(after).toEqual({ name: 'c in en', slug: 'c' });
});
