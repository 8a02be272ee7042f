import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

// The fields that these tests read.
interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
        readonly steps: readonly { readonly run?: string }[];
      }
    >
  >;
}
const { engines, scripts } = JSON.parse(read('package.json')) as {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};
const workflow = parse(read('.github/workflows/ci.yml')) as Workflow;

test('every file and folder that the pages for contributors name is there', () => {
  const pages = ['CONTRIBUTING.md', 'docs/ARCHITECTURE.md', 'docs/operations/reliability.md'];
  const gone = pages.flatMap((page) =>
    [
      ...read(page).matchAll(
        /`((?:src|test|scripts|bench|docs|\.github|\.devcontainer|\.ci)(?:\/[\w./-]+)?)`/g,
      ),
    ]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => `${page}: ${path}`),
  );
  expect(gone).toEqual([]);
});

test('the architecture says of every folder of src which folders it imports', () => {
  const rows = [...read('docs/ARCHITECTURE.md').matchAll(/^\| `src\/([\w-]+)` \|.*\| ([^|]+) \|$/gm)].map(
    ([, name = '', imports = '']) => [name, imports.split(', ').sort()] as const,
  );
  const layers = [...read('test/architecture.test.ts').matchAll(/^ {2}'?([\w-]+)'?: \[([^\]]*)\],$/gm)].map(
    ([, name = '', inside = '']) => [name, [...inside.matchAll(/'([\w-]+)'/g)].map(([, to]) => to)] as const,
  );
  const names = layers.map(([name]) => name);
  const words = ([name, imports]: readonly [string, readonly (string | undefined)[]]): string[] => {
    const left = names.filter((each) => each !== name && each !== 'library' && !imports.includes(each));
    return name === 'cli'
      ? [`all but ${left.join(' and ')}`]
      : imports.length === 0
        ? ['–']
        : imports.map(String).sort();
  };
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(layers.map((layer) => [layer[0], words(layer)])),
  );
});

test('every npm script that a page or the workflow runs is one', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    '.github/workflows/ci.yml',
    '.github/pull_request_template.md',
    '.ci/run',
  ];
  const unknown = pages.flatMap((page) =>
    [...read(page).matchAll(/npm run ([\w:]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => scripts[name] === undefined)
      .map((name) => `${page}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('the workflow runs what npm run check runs, all tests, and every even Node from the oldest that kbsync runs on', () => {
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps.map(({ run = '' }) => run));
  for (const part of (scripts['check'] ?? '').split(' && '))
    expect(steps).toContain(part.replace(/^oxfmt/, 'npx oxfmt'));
  expect(steps).toEqual(expect.arrayContaining(['npm test', 'npm run test:long', 'npm run coverage']));
  const nodes = workflow.jobs['test']?.strategy?.matrix.node ?? [];
  expect(nodes).toEqual([20, 22, 24, 26]);
  expect(engines.node).toBe(`>=${nodes[0]}.19`);
  for (const node of nodes.slice(1)) expect(read('.ci/run')).toContain(`on_node ${node}`);
});

test('the templates and settings for contributors are YAML and JSON', () => {
  for (const file of ['ISSUE_TEMPLATE/bug.yml', 'ISSUE_TEMPLATE/feature.yml']) {
    expect(Object.keys(parse(read(`.github/${file}`)) as object)).toEqual([
      'name',
      'description',
      'labels',
      'body',
    ]);
  }
  const { updates } = parse(read('.github/dependabot.yml')) as {
    readonly updates: readonly { readonly 'package-ecosystem': string }[];
  };
  expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions', 'docker']);
  const container = JSON.parse(read('.devcontainer/devcontainer.json')) as {
    readonly postCreateCommand: string;
  };
  expect(container.postCreateCommand).toBe('npm ci');
});
