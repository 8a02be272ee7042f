import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProblemCode } from '../../src/model/problem.ts';
import { hasCorpora, reasonWithoutCorpora, unpackCorpus } from '../support/corpus.ts';
import { loadFrom } from './support/support.ts';

interface Report {
  readonly articles: Readonly<Record<string, number>>;
  readonly categories: Readonly<Record<string, number>>;
  readonly tags: Readonly<Record<string, number>>;
}

/** What the real texts have wrong, by code, and so which codes have to be allowed. */
const CORPORA: readonly (readonly [
  name: string,
  problems: Readonly<Partial<Record<ProblemCode, number>>>,
])[] = [
  [
    'otel-docs',
    {
      'dead-link': 1166,
      'missing-image': 141,
      'dead-anchor': 27,
      'html-dropped': 55,
      'orphan-translation': 5,
      'raw-syntax': 235,
    },
  ],
  ['cncf-glossary', { 'dead-link': 1, 'dead-anchor': 2, 'orphan-translation': 7, 'raw-syntax': 7 }],
  ['hetzner-tutorials', { 'missing-image': 174, 'dead-anchor': 5 }],
];

if (!hasCorpora) process.stderr.write(`${reasonWithoutCorpora()}\n`);

describe.skipIf(!hasCorpora)('real documentation', () => {
  let root = '';
  beforeAll(() => {
    root = unpackCorpus('dev-neutral');
  });
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });

  test.each(CORPORA)('%s: every file makes its record, and its faults are named', async (name, expected) => {
    const folder = join(root, 'neutral/dev', name);
    const { records, problems } = await loadFrom(folder, {
      contentDir: '.',
      languages: { 'zh-cn': 'zh-CN' },
      fields: { categoryParent: 'parent' },
      ignoreKeys: ['sourcePath'],
      assetsBaseUrl: 'https://cdn.example.com',
      allow: new Set(['dead-link', 'dead-anchor', 'missing-image']),
    });
    const counts: Partial<Record<string, number>> = {};
    for (const { code } of problems) counts[code] = (counts[code] ?? 0) + 1;
    expect(counts).toEqual(expected);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const report = JSON.parse(readFileSync(join(folder, '_convert-report.json'), 'utf8')) as Report;
    for (const [kind, byLanguage] of [
      ['article', report.articles],
      ['category', report.categories],
      ['tag', report.tags],
    ] as const) {
      const found: Record<string, number> = {};
      for (const record of records.values()) {
        if (record.kind !== kind) continue;
        const folderName = record.at.file.split('/')[0] ?? '';
        found[folderName] = (found[folderName] ?? 0) + 1;
      }
      expect(found).toEqual(byLanguage);
    }
    let chars = 0;
    for (const record of records.values()) chars += record.body?.render().length ?? 0;
    expect(chars).toBeGreaterThan(500_000);
  });
});
