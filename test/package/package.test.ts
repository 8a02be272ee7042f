import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const MEBIBYTE = 2 ** 20;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
let packed: Packed;

/** A project of somebody else with the packed kbsync in its node_modules; its dependencies are the ones installed here. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kbsync-consumer-'));
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  // npm prints this shape.
  const [only] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })) as readonly Packed[];
  if (only === undefined) throw new Error('test: npm packed nothing');
  packed = only;
  const home = join(folder, 'node_modules/kbsync');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', home, '--strip-components=1']);
  symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'));
  mkdirSync(join(folder, 'node_modules/@types'));
  symlinkSync(join(ROOT, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package holds what users run and read, and nothing of its making', () => {
  const paths = packed.files.map(({ path }) => path);
  const allowed =
    /^(dist\/|content-example\/|docs\/(\w+\/){0,2}[\w-]+\.md$|LICENSE$|README\.md$|package\.json$)/;
  expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
  expect(paths.filter((path) => /\.test\.|\.tsbuildinfo$|\.map$|(^|\/)\./.test(path))).toEqual([]);
  for (const path of [
    'dist/cli/bin.js',
    'dist/types/index.d.ts',
    'dist/kbsync.schema.json',
    'README.md',
    'docs/guides/ci.md',
  ]) {
    expect(paths).toContain(path);
  }
  console.log(`packed ${packed.size} bytes, unpacked ${packed.unpackedSize}, ${paths.length} files`);
  expect(packed.size).toBeLessThan(2 * MEBIBYTE);
  expect(packed.unpackedSize).toBeLessThan(7 * MEBIBYTE);
});

test('every module that an entry point loads, at once or later, is in the package', () => {
  const home = join(folder, 'node_modules/kbsync');
  const queue = [
    'dist/cli/bin.js',
    ...['index', 'contract', 'service'].map((name) => `dist/library/${name}.js`),
    ...[
      'service/threads/article-text',
      'service/threads/drawing',
      'site/threads/text',
      'site/threads/colours',
    ].map((name) => `dist/${name}.js`),
  ];
  const seen = new Set(queue);
  for (const path of queue) {
    const source = readFileSync(join(home, path), 'utf8');
    for (const [, specifier = ''] of source.matchAll(
      /(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"'\n]+\.js)["']/g,
    )) {
      const target = join(dirname(path), specifier);
      if (seen.has(target)) continue;
      seen.add(target);
      queue.push(target);
    }
  }
  const paths = new Set(packed.files.map(({ path }) => path));
  expect(queue.filter((path) => !paths.has(path))).toEqual([]);
  expect(queue.length).toBeGreaterThan(300);
});

/** The programs of docs/reference/library.md, each with the output that the page shows below it. */
const PROGRAMS = [
  ...readFileSync(join(ROOT, 'docs/reference/library.md'), 'utf8').matchAll(
    /^```ts\n([\s\S]*?)^```\n\n```\n([\s\S]*?)^```/gm,
  ),
].map(([, source = '', output = '']) => ({ source, output }));

/** A process of its own: the programs are waited for in this one. */
const SERVICE = `import { createApp, createKey, listen, openSqlite, systemClock } from 'kbsync/service';
const store = openSqlite({ file: ':memory:', defaultLanguage: 'en' });
const { key } = await createKey({ store, clock: systemClock, name: 'consumer' });
const { url } = await listen(createApp({ store, clock: systemClock }), { port: 0 });
console.log(JSON.stringify({ url, key }));
`;

const CONSUMER = `import { createClient, createSync, loadContent, RemoteError, type Client, type RunEvent } from 'kbsync';
import { ROUTES, type ArticleCreateBody } from 'kbsync/contract';

const [url = '', key = ''] = process.argv.slice(2);
const events: RunEvent[] = [];
const kb: Client = createClient({ url, key, onEvent: (event) => void events.push(event) });
const body: ArticleCreateBody = {
  title: 'Sso', slug: 'sso', categories: [], tags: [], excerpt: '', ordering: 0, status: 'draft', content: '<p>x</p>',
};
const { id = '' } = await kb.articles.create(body, { idempotencyKey: 'one' });
const again = await kb.articles.create(body, { idempotencyKey: 'one' });
const seen = await kb.articles.get(id);
await kb.articles.edit(id, { ...body, title: 'SSO', lang: 'en', articleReviewDate: '2030-01-01' }, { ifMatch: seen.etag ?? '' });
const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
    return 'no error';
  } catch (error) {
    return error instanceof RemoteError ? error.code : error;
  }
};
const codes = [
  await codeOf(kb.articles.edit(id, { ...body, lang: 'en' }, { ifMatch: seen.etag ?? '' })),
  await codeOf(kb.articles.create({ ...body, title: '' })),
  await codeOf(kb.categories.delete('..')),
  await codeOf(createClient({ url, key: 'kb_wrong' }).tags.list()),
];
const dates = (await kb.reviewDates()).map(({ name }) => name);
const lists = [(await kb.links()).length, (await kb.versions({ count: 2 })).length, (await kb.categories.list()).data.length];
const missing = await kb.articles.get(id, { lang: 'fr' });
await kb.articles.delete(id);
const make: (options: Parameters<typeof createSync>[0]) => ReturnType<typeof createSync> = createSync;
console.log(JSON.stringify({
  same: again.id === id, title: seen.data.name, codes, dates, lists, missing: missing.newVersion,
  path: ROUTES.listArticles.path, left: (await kb.articles.list()).data.length,
  counted: kb.requests() === events.length, kinds: [typeof make, typeof loadContent],
}));
await kb.close();
`;

const FILES = {
  'content/en/categories/start.md': '---\nname: Start\n---\n',
  'content/en/articles/hello.md': '---\ntitle: Hello\ncategories: [start]\n---\n\nThe first article.\n',
  'kbsync.yaml': 'content: content\n',
};

test('a project of somebody else imports library, contract and service, with their types', async () => {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    write(name, text);
  }
  write('service.ts', SERVICE);
  write('consumer.ts', CONSUMER);
  const pages = PROGRAMS.map((_, index) => `page-${index}.ts`);
  expect(pages).toHaveLength(4);
  for (const [index, { source }] of PROGRAMS.entries()) write(`page-${index}.ts`, source);
  const flags = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = [tsc, ...flags, 'service.ts', 'consumer.ts', ...pages];
  execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  // As a bundler finds the files, and with every check of types that people turn on.
  const checks = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler', '--verbatimModuleSyntax'];
  const rest = ['--target', 'es2023', '--types', 'node', '--skipLibCheck', 'false'];
  execFileSync(
    process.execPath,
    [tsc, ...checks, ...bundler, ...rest, 'service.ts', 'consumer.ts', ...pages],
    { cwd: folder, encoding: 'utf8', stdio: 'pipe' },
  );

  const service = spawn(process.execPath, ['service.js'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface({ input: service.stdout }), 'line')) as unknown as [string];
    // Printed by SERVICE.
    const { url, key } = JSON.parse(line) as { readonly url: string; readonly key: string };
    const run = (...argv: readonly string[]): string => {
      const env = { ...process.env, KBSYNC_API_KEY: key };
      return execFileSync(process.execPath, argv, { cwd: folder, encoding: 'utf8', env });
    };
    expect(JSON.parse(run('consumer.js', url, key))).toEqual({
      same: true,
      title: 'Sso',
      codes: ['stale', 'rejected', 'rejected', 'unauthorized'],
      dates: ['SSO'],
      lists: [0, 0, 0],
      missing: true,
      path: '/api/v2/articles',
      left: 0,
      counted: true,
      kinds: ['function', 'function'],
    });
    for (const [index, { output }] of PROGRAMS.entries()) {
      const compiled = readFileSync(join(folder, `page-${index}.js`), 'utf8');
      write(`page-${index}.js`, compiled.replaceAll('https://help.example.com', url));
      expect(run(`page-${index}.js`)).toBe(output);
    }
  } finally {
    service.kill();
  }
});

test('the command runs from the packed files', () => {
  const bin = join(folder, 'node_modules/kbsync/dist/cli/bin.js');
  expect(execFileSync(process.execPath, [bin, '--version'], { encoding: 'utf8' })).toMatch(
    /^\d+\.\d+\.\d+\n$/,
  );
});

test('the service of the packed command shows its site, with style and script', async () => {
  const bin = join(folder, 'node_modules/kbsync/dist/cli/bin.js');
  const args = [
    bin,
    'serve',
    '--db',
    join(folder, 'kb.sqlite'),
    '--key-file',
    join(folder, 'key'),
    '--port',
    '0',
  ];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const ended = once(child, 'close').then(() => ['it ended']);
    const [url] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
    expect(url).toMatch(/^http:/);
    const page = await fetch(`${String(url)}/en/`);
    expect(page.status).toBe(200);
    const assets = [...(await page.text()).matchAll(/"(\/_site\/[^"]+\.\w+)"/g)].map(([, path = '']) => path);
    expect(new Set(assets.map((path) => path.replace(/.*\./, '')))).toEqual(new Set(['css', 'js', 'svg']));
    for (const path of assets) expect((await fetch(`${String(url)}${path}`)).status).toBe(200);
  } finally {
    child.kill();
  }
});
