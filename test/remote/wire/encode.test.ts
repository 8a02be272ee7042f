import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBody, editBody } from '../../../src/remote/wire/encode.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 2_000 });
const STAMP = '\n<!-- kbsync 1 article/a@en title:0123456789 -->';

test('a body is the JSON of its fields, whatever the texts, with a stamp, with two and without one', () => {
  fc.assert(
    fc.property(
      text,
      text,
      fc.constantFrom('', STAMP, `${STAMP}${STAMP}`, `${STAMP}\nx`),
      (title, html, end) => {
        const shown = { title: `t${title}`, excerpt: title, slug: 's', ordering: 0, status: 'draft' };
        const fields = { ...shown, categories: ['c'], content: `${html}${end}` };
        const wanted = { ...fields, categories: [{ value: 'c' }] };
        expect(JSON.parse(createBody('article', fields, 'PUT').toString())).toEqual(wanted);
        const target = { id: 'a', lang: 'fr' };
        expect(JSON.parse(editBody('article', target, fields, 'POST').toString())).toEqual({
          ...wanted,
          lang: 'fr',
        });
      },
    ),
  );
});

test('a body that has nothing but its text is JSON too', () => {
  const body = editBody('category', { id: 'c', lang: undefined }, { longDescription: 'x' }, 'POST');
  expect(JSON.parse(body.toString())).toEqual({ longDescription: 'x' });
});
