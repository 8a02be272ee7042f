import micromatch from 'micromatch';
import type { Key } from './key.ts';
import { familyOf, langOf, pathOf } from './key.ts';

/**
 * A name as people write it: a key or a glob. It stands for every record one of whose names fits:
 *
 *     article/billing/refunds@de    the key
 *     article/billing/refunds       the same in every language
 *     billing/refunds@de            the same of every kind
 *     billing/refunds               the same of every kind, in every language
 */
export interface NameMatcher {
  readonly word: string;
  readonly test: (name: string) => boolean;
}

export function matcherOf(word: string): NameMatcher {
  const plain = word.replace(/^\.\//, '').replace(/\/$/, '/**');
  const isGlob = micromatch.matcher(plain, { dot: true });
  return { word, test: (name) => name === plain || isGlob(name) };
}

export function namesOf(key: Key): readonly string[] {
  const family = familyOf(key);
  const path = pathOf(family);
  return [key, family, path, `${path}@${langOf(key)}`];
}

/** Records that a setting names, with a file or without. */
export interface NamedRecords {
  readonly has: (key: Key) => boolean;
  /** Words that none of these records fits. */
  readonly unmatched: (keys: Iterable<Key>) => readonly string[];
}

export function namedRecords(words: readonly string[]): NamedRecords {
  const matchers = words.map(matcherOf);
  const fits = (key: Key, { test }: NameMatcher): boolean => namesOf(key).some(test);
  return {
    has: (key) => matchers.some((matcher) => fits(key, matcher)),
    unmatched: (keys) => {
      const all = [...keys];
      return matchers.filter((matcher) => !all.some((key) => fits(key, matcher))).map(({ word }) => word);
    },
  };
}
