import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load as loadYaml } from 'js-yaml';
import { expect, test } from 'vitest';
import { loadFrom } from './support/support.ts';

const root = join(import.meta.dirname, '../..');

test('content-example loads without a problem and shows every feature', async () => {
  const { records, problems, languages } = await loadFrom(root, {
    contentDir: 'content-example',
    keepsFiles: true,
  });
  expect(problems).toEqual([]);
  expect(languages).toEqual(['en', 'de', 'fr']);
  const of = (kind: string) =>
    [...records.values()].filter((record) => record.kind === kind && record.isOriginal);
  expect(of('article').length).toBeGreaterThanOrEqual(12);
  expect(of('category').length).toBe(4);
  expect(of('tag').length).toBe(4);
  expect(of('category').some(({ fields }) => typeof fields['categoryParent'] === 'string')).toBe(true);
  expect(of('article').filter(({ fields }) => fields['status'] === 'draft')).toHaveLength(1);
  for (const field of ['excerpt', 'ordering', 'seoBannerUrl', 'articleReviewDate', 'hideFromSearch']) {
    expect(of('article').some(({ fields }) => fields[field] !== undefined)).toBe(true);
  }
  for (const record of records.values())
    expect(record.body?.render() ?? '').not.toMatch(/href="[^"]*\.md|src="(?!\/files\/)/);
});

test('the config of content-example needs no host of images', () => {
  const config = loadYaml(readFileSync(join(root, 'content-example/kbsync.yaml'), 'utf8'));
  expect(config).toEqual({ baseUrl: 'http://127.0.0.1:4000', content: '.', defaultLanguage: 'en' });
});
