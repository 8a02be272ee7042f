import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { bytesOf, digestOf } from '../../../src/site/http/reply.ts';

// Larger than one slice, which holds 524,288 code units or bytes.
test.each([
  ['one byte', 'a'.repeat(1_200_000)],
  ['two code units, in order', '😀'.repeat(600_000)],
  ['two code units, over each border', `a${'😀'.repeat(600_000)}`],
  ['half a sign', `${'a'.repeat(524_287)}\ud83d${'b'.repeat(10)}`],
])('a long text of signs of %s is the same bytes in slices', async (_, text) => {
  const bytes = await bytesOf(text);
  expect(Buffer.from(text).equals(bytes)).toBe(true);
  expect(await digestOf(bytes)).toBe(createHash('sha256').update(bytes).digest('base64url'));
});
