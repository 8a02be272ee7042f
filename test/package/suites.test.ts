import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import micromatch from 'micromatch';
import { expect, test } from 'vitest';
import { LONG, SLOW } from '../../vitest.config.ts';

const ROOT = join(import.meta.dirname, '../..');
const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file.replaceAll('\\', '/')}`);

test('every pattern of slow and long tests finds a file', () => {
  for (const pattern of [...SLOW, ...LONG])
    expect([pattern, micromatch(files, pattern)]).not.toEqual([pattern, []]);
});

test('CI runs the quick, the slow and the long tests, by the commands that the README names', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const run = readFileSync(join(ROOT, '.ci/run'), 'utf8');
  const projects = ['test', 'test:long'].flatMap((name) => {
    expect(run).toContain(name === 'test' ? 'npm test --' : `npm run ${name} --`);
    return [...(scripts[name] ?? '').matchAll(/--project (\w+)/g)].map(([, project]) => project);
  });
  expect(projects).toEqual(['quick', 'slow', 'long']);
});

test('a quick test needs no build: no quick file starts the built command', () => {
  const quick = micromatch(files, '**', { ignore: [...SLOW, ...LONG] });
  const built =
    /support\/command\.ts|support\/two-services\.ts|support\/lane\.ts|\.\.\/dist\/|bench\/\w+\.mjs/;
  expect(
    quick.filter(
      (file) => file !== 'test/package/suites.test.ts' && built.test(readFileSync(join(ROOT, file), 'utf8')),
    ),
  ).toEqual([]);
});
