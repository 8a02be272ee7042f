import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOf, digestOfText } from '../../src/model/digest.ts';
import { jsonBytes } from '../../src/model/json-text.ts';

/** Of any characters, halves of pairs too, and long enough to be kept. */
const long = fc
  .tuple(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: fc.constantFrom('a', '"', '\n', '\ud800', 'é', '—') }),
  )
  .map(([odd, more]) => `${odd}${more}`.repeat(Math.ceil(1_000 / (odd.length + more.length))));

test('a text as JSON is what JSON.stringify writes, the first time and again', () => {
  fc.assert(
    fc.property(fc.oneof(long, fc.string({ unit: 'binary' })), (text) => {
      for (const bytes of [jsonBytes(text), jsonBytes(text)])
        expect(bytes.toString()).toBe(JSON.stringify(text));
    }),
  );
});

test('a digest is that of the JSON text, however long the text is and however many came before', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(long, fc.string())), (texts) => {
      for (const text of [...texts, ...texts])
        expect(digestOf(text)).toBe(digestOfText(JSON.stringify(text)));
    }),
  );
});
