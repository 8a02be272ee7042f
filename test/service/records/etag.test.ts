import { describe, expect, test } from 'vitest';
import { checkPreconditions, isShown } from '../../../src/service/records/etag.ts';

const FOUND = { what: 'article 1', etag: '"1.2"', exists: true } as const;

function answerTo(headers: { readonly ifMatch?: string; readonly ifNoneMatch?: string }): number {
  try {
    checkPreconditions({ ifMatch: undefined, ifNoneMatch: undefined, ...headers }, FOUND);
    return 200;
  } catch (error) {
    if (error instanceof Error && 'status' in error) return Number(error.status);
    throw error;
  }
}

describe('a list of entity tags', () => {
  test.each([
    ['"1.2"', 200],
    [' "1.2" ', 200],
    ['"x", "1.2"', 200],
    ['"a,b" ,"1.2",', 200],
    ['*', 200],
    ['"1.3"', 412],
    ['W/"1.2"', 412],
    // What is no list, though the right tag is in it.
    ['1.2', 400],
    ['x"1.2"', 400],
    ['"1.2" "1.3"', 400],
    ['w/"1.2"', 400],
    ['"1.2', 400],
    ['*, "1.2"', 400],
    ['', 412],
    [',', 412],
  ])('If-Match: %s is answered with %i', (ifMatch, status) => {
    expect(answerTo({ ifMatch })).toBe(status);
  });

  test.each([
    ['"1.3"', 200],
    ['W/"1.2"', 412],
    ['*', 412],
    ['"1.3" "1.4"', 400],
    ['1.2', 400],
  ])('If-None-Match: %s of a write is answered with %i', (ifNoneMatch, status) => {
    expect(answerTo({ ifNoneMatch })).toBe(status);
  });

  test('that is malformed never hides a record from a read', () => {
    expect(isShown('W/"1.2"', FOUND)).toBe(true);
    expect(isShown('x"1.2"', FOUND)).toBe(false);
  });

  test('of any length is read in one go', () => {
    const tags = Array.from({ length: 2000 }, (_, at) => `"${at}"`).join(', ');
    expect(answerTo({ ifMatch: `${tags}, "1.2"` })).toBe(200);
    expect(answerTo({ ifMatch: `${tags} x` })).toBe(400);
  });
});
