import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fits } from '../../src/contract/fits.ts';
import { ROUTES, type Route } from '../../src/contract/index.ts';
import * as replies from '../remote/replies.ts';

const schemas = Object.entries<Route>(ROUTES).map(([name, { reply }]) => ({ name, reply }));
const samples: readonly unknown[] = Object.values(replies).filter((value) => typeof value === 'object');

/** Any JSON in any place of a sample, members left out included. */
const damage = fc.record({
  sample: fc.constantFrom(...samples),
  steps: fc.array(fc.nat({ max: 30 }), { maxLength: 5 }),
  change: fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 })),
});

function damaged(value: unknown, [step, ...rest]: readonly number[], change: unknown): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return change;
  const names = Object.keys(value);
  const name = names[step % Math.max(1, names.length)];
  if (name === undefined) return change;
  const inner: unknown = Reflect.get(value, name);
  const made = damaged(inner, rest, change);
  if (Array.isArray(value)) {
    return value.map((item: unknown, at) => (String(at) === name ? (made ?? null) : item));
  }
  const entries = Object.entries(value).filter(([each]) => each !== name || made !== undefined);
  return Object.fromEntries(entries.map(([each, held]) => [each, each === name ? made : held]));
}

describe('fits', () => {
  test.each(schemas)('says of every sample what zod says: $name', ({ reply }) => {
    for (const sample of samples) expect(fits(reply, sample)).toBe(reply.safeParse(sample).success);
  });

  test('takes a documented answer of every kind', () => {
    const taken = samples.filter((sample) => schemas.some(({ reply }) => fits(reply, sample)));
    expect(taken.length).toBeGreaterThanOrEqual(6);
  });

  test('says of damaged answers what zod says', () => {
    fc.assert(
      fc.property(damage, ({ sample, steps, change }) => {
        const value = damaged(sample, steps, change);
        for (const { reply } of schemas) expect(fits(reply, value)).toBe(reply.safeParse(value).success);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['a transform', z.string().transform((text) => text.length)],
    ['a default', z.string().default('text')],
    ['a format', z.email()],
    ['a coercion', z.coerce.string()],
    ['a refinement', z.array(z.string()).max(1)],
    ['a text of a greatest length', z.string().max(10)],
    ['a text of one length', z.string().length(4)],
    ['a text of a pattern', z.string().regex(/text/)],
    ['a text that is trimmed', z.string().trim()],
    ['a text with two checks', z.string().min(1).max(10)],
    ['an object that drops what it does not know', z.object({})],
    ['an object that refuses what it does not know', z.strictObject({})],
  ])('leaves %s to zod', (_, schema) => {
    for (const value of ['text', 'a@example.com', [], {}]) expect(fits(schema, value)).toBe(false);
  });
});
