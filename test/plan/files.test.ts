import { expect, test } from 'vitest';
import type { Key } from '../../src/model/key.ts';
import type { LocalFile } from '../../src/model/record.ts';
import { makePlan } from '../../src/plan/making/make-plan.ts';
import { desiredState } from '../support/desired.ts';
import { emptyInput } from './support/plan-inputs.ts';

const MAP: LocalFile = { path: 'map.png', name: 'map.png', bytes: 7, read: () => undefined };
const UNUSED: LocalFile = { ...MAP, path: 'old.png', name: 'old.png' };

test('a plan names the files that its changes show, each once', () => {
  const plain = desiredState({ 'article/a@en': {}, 'article/b@en': {}, 'article/c@en': {} });
  const shows = (key: string): readonly string[] | undefined =>
    ({ 'article/a@en': ['map'], 'article/b@en': ['map', 'of-nobody'] })[key];
  const records = new Map(
    [...plain.records].map(([key, record]): [Key, typeof record] => {
      const files = shows(key);
      return [key, files === undefined ? record : { ...record, files }];
    }),
  );
  const files = new Map([
    ['map', MAP],
    ['unused', UNUSED],
  ]);
  expect(makePlan(emptyInput({ ...plain, records, files })).files).toEqual([{ name: 'map.png', bytes: 7 }]);
  // Where the service keeps no files, there is none to name.
  expect(makePlan(emptyInput({ ...plain, records })).files).toEqual([]);
});
