import { access, readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { PRESET_NAMES } from '../../src/content/presets/names.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { NEVER_ALLOWED, PROBLEM_SEVERITY, type ProblemCode } from '../../src/model/problem.ts';
import { EXIT } from '../../src/cli/run/exit.ts';
import { REPORT_FORMATS } from '../../src/cli/flags.ts';
import { fakeWorld, SMALL } from '../cli/support/fake-world.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): Promise<string> => readFile(join(ROOT, file), 'utf8');
const DOCS = (await readdir(join(ROOT, 'docs'), { recursive: true }))
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.replaceAll('\\', '/').replace(/\.md$/, ''));
/** A decision tells of its day; what it names may have changed since. */
const pages = await Promise.all(
  DOCS.filter((name) => !name.startsWith('decisions/')).map(async (name) => ({
    name,
    text: await read(`docs/${name}.md`),
  })),
);
function textOf(name: string): string {
  const page = pages.find((one) => one.name === name);
  if (page === undefined) throw new Error(`test: no page docs/${name}.md`);
  return page.text;
}
const blocks = (text: string, language: string): readonly string[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)]
    .filter(([, found]) => found === language)
    .map(([, , block = '']) => block);

async function sources(): Promise<readonly string[]> {
  const names = await readdir(join(ROOT, 'src'), { recursive: true });
  return Promise.all(names.filter((name) => name.endsWith('.ts')).map((name) => read(`src/${name}`)));
}

test('the tables of settings, front matter, commands and flags are what the program says', async () => {
  const world = await fakeWorld();
  for (const [page, names] of [
    ['reference/configuration', ['config']],
    ['reference/front-matter', ['article', 'category', 'tag']],
    ['reference/fleet', ['fleet']],
    ['reference/commands', ['commands']],
  ] as const) {
    for (const name of names) {
      expect(textOf(page)).toContain((await world.run('schema', name, '--markdown')).stdout);
    }
  }
  await world.close();
});

/** A line of prose may begin with the name of the program; in a block of code it begins a command. */
function withoutSentences(text: string): string {
  return text
    .split(/^(```[^]*?^```)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/^kbsync /gm, 'It ')))
    .join('');
}

test('every command in the documentation exists, with its flags', async () => {
  const world = await fakeWorld();
  const wrong: string[] = [];
  for (const { name, text } of pages) {
    const lines = withoutSentences(text).matchAll(
      /(?:npx |`|\$\(|^)kbsync ([a-z]+)((?: --?[\w-]+| [\w.]+)*)/gm,
    );
    for (const [line, command = '', rest = ''] of lines) {
      const hasOwn = ['serve', 'fleet', 'state', 'translations'].includes(command);
      const below = hasOwn ? (/^(?: [a-z]+)*/.exec(rest)?.[0].split(' ').slice(1) ?? []) : [];
      const { exit, stdout } = await world.run(command, ...below, '--help');
      if (exit !== EXIT.done) wrong.push(`${name}: ${line}`);
      for (const [flag] of rest.matchAll(/--[a-z-]+/g)) {
        if (!stdout.includes(flag)) wrong.push(`${name}: ${line}: ${flag}`);
      }
    }
  }
  await world.close();
  expect(wrong).toEqual([]);
});

test('every link from page to page leads to a file, and to a heading that is there', async () => {
  const all = new Map<string, string>();
  for (const page of [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...DOCS.map((name) => `docs/${name}.md`),
  ])
    all.set(page, (await read(page)).replaceAll(/^```[\s\S]*?^```/gm, ''));
  const dead: string[] = [];
  for (const [page, text] of all) {
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)[^)]*\)/g)) {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path).replaceAll('\\', '/');
      const isThere = await access(join(ROOT, file)).then(
        () => true,
        () => false,
      );
      if (!isThere || (anchor !== undefined && !anchorsOf(all.get(file) ?? '').includes(anchor)))
        dead.push(`${page}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
});

/** The ids that GitHub gives to the headings of a page. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('no page of the package links to one that the package leaves out', () => {
  const linked = pages.filter(
    ({ name, text }) =>
      name !== 'ARCHITECTURE' && /\]\([^)\s]*(?:decisions\/|ARCHITECTURE|CONTRIBUTING|benchmarks)/.test(text),
  );
  expect(linked.map(({ name }) => name)).toEqual([]);
});

test('no page holds the marks of an unfinished merge', async () => {
  const files = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...DOCS.map((name) => `docs/${name}.md`)];
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await read(file) })));
  expect(texts.filter(({ text }) => /^(<{7}|>{7}) /m.test(text)).map(({ file }) => file)).toEqual([]);
});

test('every page is of one kind, and the README leads to it', async () => {
  const kinds = new Set(DOCS.map((name) => name.split('/')[0]));
  expect(kinds).toEqual(new Set(['ARCHITECTURE', 'decisions', 'guides', 'operations', 'reference']));
  const readme = await read('README.md');
  const generators = textOf('reference/generators/README');
  const isLed = (name: string): boolean =>
    readme.includes(`(docs/${name}.md`) ||
    generators.includes(`(${name.replace('reference/generators/', '')}.md)`);
  expect(pages.map(({ name }) => name).filter((name) => !isLed(name))).toEqual([]);
  const described = PRESET_NAMES.filter((name) => name !== 'kbsync');
  expect(described.filter((name) => !generators.includes(`(${name}.md)`))).toEqual([]);
});

test('every exit code and every format is explained', () => {
  for (const code of Object.values(EXIT)) expect(textOf('reference/exit-codes')).toContain(`| ${code} |`);
  for (const format of REPORT_FORMATS) expect(textOf('guides/ci')).toContain(`| \`${format}\` |`);
});

test('every code of a problem is explained, with its severity, and no other', () => {
  const page = textOf('reference/problems');
  const rows = [...page.matchAll(/^\| (`[^|]+) \| (\**)(error|warning)\2 \|/gm)].flatMap(
    ([, cell = '', bold, severity]) =>
      [...cell.matchAll(/`([\w-]+)`/g)].map(([, code]) => [code, severity, bold === '**'] as const),
  );
  expect(rows).toEqual(
    Object.entries(PROBLEM_SEVERITY).map(([code, severity]) => [
      code,
      severity,
      NEVER_ALLOWED.has(code as ProblemCode), // a key of the table
    ]),
  );
});

test('every code of an error that the library throws is explained', async () => {
  const page = textOf('reference/library');
  const types = (await sources()).flatMap((text) => [
    ...text.matchAll(/^export type (?:Base|Remote)ErrorCode =([^;]*);/gm),
  ]);
  const codes = types.flatMap(([, union = '']) => [...union.matchAll(/'([\w-]+)'/g)].map(([, code]) => code));
  expect(codes.length).toBeGreaterThan(15);
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});

test('every variable of the environment that the code reads is explained', async () => {
  const explained = textOf('reference/configuration') + textOf('guides/shared-state');
  const found = (await sources()).flatMap((text) => [
    ...text.matchAll(/['"`](KBSYNC_[A-Z_]+[A-Z]|DATABASE_URL|NO_COLOR|FORCE_COLOR)['"`]/g),
  ]);
  const names = new Set(found.map(([, name = '']) => name));
  expect(names.size).toBeGreaterThan(12);
  expect([...names].filter((name) => !explained.includes(`\`${name}\``))).toEqual([]);
});

test('the workflows are YAML, and the action has every input and output they name', async () => {
  const action = parse(await read('action.yml')) as {
    readonly inputs: object;
    readonly outputs: object;
  };
  const [workflow = '', gitlab = ''] = blocks(textOf('guides/ci'), 'yaml');
  const { jobs, concurrency } = parse(workflow) as {
    readonly concurrency: object;
    readonly jobs: { readonly kbsync: { readonly steps: readonly { uses?: string; with?: object }[] } };
  };
  expect(Object.keys(concurrency)).toEqual(['group', 'cancel-in-progress']);
  const step = jobs.kbsync.steps.find(({ uses }) => uses?.includes('/kbsync@'));
  expect(Object.keys(step?.with ?? {})).toEqual(['api-key', 'origin']);
  for (const name of Object.keys(step?.with ?? {})) expect(Object.keys(action.inputs)).toContain(name);
  for (const name of Object.keys(action.outputs)) expect(textOf('guides/ci')).toContain(`\`${name}\``);
  expect(Object.keys(parse(gitlab) as object)).toEqual(['default', 'check', 'plan', 'sync']);
});

test('the commands that CI runs do what the page says', async () => {
  const world = await fakeWorld(SMALL);
  const [, gitlab = ''] = blocks(textOf('guides/ci'), 'yaml');
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
  const { tasks } = JSON.parse(blocks(textOf('guides/editors'), 'json')[0] ?? '') as {
    readonly tasks: readonly { readonly problemMatcher: { readonly pattern: { readonly regexp: string } } }[];
  };
  const found = new RegExp(tasks[0]?.problemMatcher.pattern.regexp ?? '', 'm').exec(stdout);
  expect(found?.slice(1, 6)).toEqual(['content/en/articles/a.md', '3', '8', 'error', 'unknown-tag']);
  expect(parseConfig(blocks(textOf('guides/editors'), 'yaml')[0] ?? '', 'editors.md').ok).toBe(true);
});

test('the guide names every site generator that is read', () => {
  const layouts =
    /## 1\. The repository\n([\s\S]*?)`hugo\.toml`/.exec(textOf('guides/git-docs'))?.[1]?.toLowerCase() ?? '';
  const generators = PRESET_NAMES.filter((name) => name !== 'kbsync' && name !== 'plain');
  expect(generators.filter((name) => !layouts.includes(name))).toEqual([]);
});

test('every message that troubleshooting quotes is one of ours', async () => {
  const named = { '${names.key}': 'KBSYNC_API_KEY', '${names.origin}': 'KBSYNC_ORIGIN' };
  let all = (await sources()).join('\n');
  for (const [hole, name] of Object.entries(named)) all = all.replaceAll(hole, name);
  const quoted = [...textOf('operations/troubleshooting').matchAll(/^ {4}(.+)$/gm)].map(
    ([, text = '']) => text,
  );
  expect(quoted.length).toBeGreaterThan(5);
  expect(quoted.filter((text) => !all.includes(text))).toEqual([]);
});
