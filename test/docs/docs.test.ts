import { access, readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../../src/cli/config-file.ts';
import { EXIT } from '../../src/cli/exit.ts';
import { REPORT_FORMATS } from '../../src/cli/report-format.ts';
import { fakeWorld, SMALL } from '../cli/fake-world.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): Promise<string> => readFile(join(ROOT, file), 'utf8');
const PAGES = [
  'ci',
  'exit-codes',
  'configuration',
  'front-matter',
  'editors',
  'troubleshooting',
  'guide-git-docs',
  'guide-writing',
  'guide-scheduled-ci',
  'how-it-works',
  'import',
];
const pages = await Promise.all(PAGES.map(async (name) => ({ name, text: await read(`docs/${name}.md`) })));
const textOf = (name: string): string => pages.find((page) => page.name === name)?.text ?? '';
const blocks = (text: string, language: string): readonly string[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)]
    .filter(([, found]) => found === language)
    .map(([, , block = '']) => block);

test('the tables of settings and front matter are what the schemas say', async () => {
  const world = await fakeWorld();
  for (const [page, names] of [
    ['configuration', ['config']],
    ['front-matter', ['article', 'category', 'tag']],
  ] as const) {
    for (const name of names) {
      expect(textOf(page)).toContain((await world.run('schema', name, '--markdown')).stdout);
    }
  }
  await world.close();
});

test('every command in the documentation exists, with its flags', async () => {
  const world = await fakeWorld();
  const wrong: string[] = [];
  for (const { name, text } of pages) {
    const lines = text.matchAll(/(?:npx |`|\$\(|^)kbsync ([a-z]+)((?: --?[\w-]+| [\w.]+)*)/gm);
    for (const [line, command = '', rest = ''] of lines) {
      const { exit, stdout } = await world.run(command, '--help');
      if (exit !== EXIT.done) wrong.push(`${name}: ${line}`);
      for (const [flag] of rest.matchAll(/--[a-z-]+/g)) {
        if (!stdout.includes(flag)) wrong.push(`${name}: ${line}: ${flag}`);
      }
    }
  }
  await world.close();
  expect(wrong).toEqual([]);
});

test('every link from page to page leads to one', async () => {
  const names = await readdir(join(ROOT, 'docs'));
  const dead: string[] = [];
  for (const page of [
    'README.md',
    ...names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ]) {
    const text = (await read(page)).replaceAll(/^```[\s\S]*?^```/gm, '');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)) {
      const file = join(ROOT, dirname(page), target);
      if (
        !(await access(file).then(
          () => true,
          () => false,
        ))
      )
        dead.push(`${page}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
});

test('every exit code and every format is explained', () => {
  for (const code of Object.values(EXIT)) expect(textOf('exit-codes')).toContain(`| ${code} |`);
  for (const format of REPORT_FORMATS) expect(textOf('ci')).toContain(`| \`${format}\` |`);
});

test('the workflows are YAML, and the action has every input and output they name', async () => {
  const action = parse(await read('action.yml')) as {
    readonly inputs: object;
    readonly outputs: object;
  };
  const [workflow = '', gitlab = ''] = blocks(textOf('ci'), 'yaml');
  const { jobs, concurrency } = parse(workflow) as {
    readonly concurrency: object;
    readonly jobs: { readonly kbsync: { readonly steps: readonly { uses?: string; with?: object }[] } };
  };
  expect(Object.keys(concurrency)).toEqual(['group', 'cancel-in-progress']);
  const step = jobs.kbsync.steps.find(({ uses }) => uses?.includes('/kbsync@'));
  expect(Object.keys(step?.with ?? {})).toEqual(['api-key', 'origin']);
  for (const name of Object.keys(step?.with ?? {})) expect(Object.keys(action.inputs)).toContain(name);
  for (const name of Object.keys(action.outputs)) expect(textOf('ci')).toContain(`\`${name}\``);
  expect(Object.keys(parse(gitlab) as object)).toEqual(['default', 'check', 'plan', 'sync']);
});

test('the commands that CI runs do what the page says', async () => {
  const world = await fakeWorld(SMALL);
  const [, gitlab = ''] = blocks(textOf('ci'), 'yaml');
  const lines = [...gitlab.matchAll(/npx kbsync (.*)/g)].map(([, line = '']) =>
    line.replace(/ > .*/, '').split(' '),
  );
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(await world.run(...line)).toMatchObject({ exit: 0 });
  expect(await world.read('plan.html')).toContain('<html');
  expect(await world.run('links', '--fail-on', 'broken')).toMatchObject({ exit: 0 });
  expect(await world.run('reviews', '--due', '30d')).toMatchObject({ exit: 0 });
  await world.close();
});

test('the problem matcher reads what check prints, and the settings shown are settings', async () => {
  const world = await fakeWorld({ 'content/en/articles/a.md': '---\ntitle: A\ntags: [x]\n---\n' });
  const { stdout } = await world.run('check');
  await world.close();
  const { tasks } = JSON.parse(blocks(textOf('editors'), 'json')[0] ?? '') as {
    readonly tasks: readonly { readonly problemMatcher: { readonly pattern: { readonly regexp: string } } }[];
  };
  const found = new RegExp(tasks[0]?.problemMatcher.pattern.regexp ?? '', 'm').exec(stdout);
  expect(found?.slice(1, 6)).toEqual(['content/en/articles/a.md', '3', '8', 'error', 'unknown-tag']);
  expect(parseConfig(blocks(textOf('editors'), 'yaml')[0] ?? '', 'editors.md').ok).toBe(true);
});

test('every message that troubleshooting quotes is one of ours', async () => {
  const names = await readdir(join(ROOT, 'src'), { recursive: true });
  const sources = await Promise.all(
    names.filter((name) => name.endsWith('.ts')).map((name) => read(`src/${name}`)),
  );
  const named = { '${names.key}': 'KBSYNC_API_KEY', '${names.origin}': 'KBSYNC_ORIGIN' };
  let all = sources.join('\n');
  for (const [hole, name] of Object.entries(named)) all = all.replaceAll(hole, name);
  const quoted = [...textOf('troubleshooting').matchAll(/^ {4}(.+)$/gm)].map(([, text = '']) => text);
  expect(quoted.length).toBeGreaterThan(5);
  expect(quoted.filter((text) => !all.includes(text))).toEqual([]);
});
