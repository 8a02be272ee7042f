import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { kbsync } from '../support/command.ts';
import { hasCorpora, reasonWithoutCorpora, unpackCorpus } from '../support/corpus.ts';
import type { Served } from '../support/served.ts';
import { serve } from '../support/served.ts';

if (!hasCorpora) console.log(reasonWithoutCorpora());

/** What a real repository has wrong, by code: found by `kbsync check`, told with its place, and let pass on request. */
const CORPORA = {
  'cncf-glossary': ['dead-link', 'dead-anchor'],
  'hetzner-tutorials': ['missing-image', 'dead-anchor'],
  'otel-docs': ['dead-link', 'missing-image', 'dead-anchor'],
} as const;

/** A file as the test reads it: front matter by another parser than the product's, everything else not at all. */
interface File {
  readonly kind: 'articles' | 'categories' | 'tags';
  readonly lang: string;
  readonly translationKey: string;
  readonly matter: Readonly<Record<string, unknown>>;
}

function filesOf(folder: string): readonly File[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => {
      const [lang = '', kind = '', ...rest] = path.split('/');
      const text = readFileSync(join(folder, path), 'utf8').replaceAll('\r\n', '\n');
      // `core` leaves dates and numbers like 007 as they stand in the file wherever a string was meant.
      const matter = parse(text.slice(4, text.indexOf('\n---', 4)), { schema: 'core' }) as Record<
        string,
        unknown
      >;
      const own = matter['translationKey'];
      return {
        kind: kind as File['kind'],
        lang: lang === 'zh-cn' ? 'zh-CN' : lang,
        translationKey: typeof own === 'string' ? own : rest.join('/').replace(/\.md$/, ''),
        matter,
      };
    });
}

type Reply = { readonly data: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;

/** Every record of a kind and language over the API, by slug. */
async function recordsBySlug(served: Served, kind: File['kind'], languages: readonly string[]) {
  const list = (await served.get(`/api/v2/${kind}`)) as { data: { id: string }[] };
  const bySlug = new Map<string, Reply>();
  for (const { id } of list.data) {
    for (const lang of languages) {
      const reply = (await served.get(`/api/v2/${kind}/${id}?lang=${lang}`)) as Reply;
      if (reply['newVersion'] === false) bySlug.set(`${lang} ${String(reply.data['slug'])}`, reply);
    }
  }
  return bySlug;
}

describe.skipIf(!hasCorpora)('real docs go through `kbsync sync` into `kbsync serve`', () => {
  let corpora = '';
  beforeAll(() => {
    corpora = unpackCorpus('dev-neutral');
  });
  afterAll(() => rmSync(corpora, { recursive: true, force: true }));

  for (const [name, allowed] of Object.entries(CORPORA)) {
    test(`${name}: every record and translation arrives with the right fields`, async () => {
      const served = await serve();
      const cwd = mkdtempSync(join(tmpdir(), 'kbsync-corpus-'));
      const content = join(corpora, 'neutral/dev', name);
      writeFileSync(
        join(cwd, 'kbsync.yaml'),
        `baseUrl: ${served.url}\ncontent: ${JSON.stringify(content)}\nlanguages: { zh-cn: zh-CN }\nignoreKeys: [sourcePath]\nassets: { baseUrl: https://cdn.example.com/ }\n`,
      );
      const env = { KBSYNC_API_KEY: served.key };

      // A plan, because a sync sends the files without errors.
      const refused = await kbsync(['plan', '--json'], { cwd, env });
      const { problems } = JSON.parse(refused.stdout) as {
        problems: { code: string; severity: string; file: string; line: number; column: number }[];
      };
      const errors = problems.filter(({ severity }) => severity === 'error');
      expect(refused.code).toBe(1);
      expect([...new Set(errors.map(({ code }) => code))].sort()).toEqual([...allowed].sort());
      expect(errors.every(({ file, line, column }) => file.endsWith('.md') && line > 0 && column > 0)).toBe(
        true,
      );

      const allow = allowed.flatMap((code) => ['--allow', code]);
      const first = await kbsync(['sync', '--json', ...allow], { cwd, env });
      expect(first.code).toBe(0);
      const report = JSON.parse(first.stdout) as {
        summary: Record<string, number>;
        blocked?: { key: string }[];
      };

      const files = filesOf(content);
      const originals = new Set(
        files
          .filter(({ lang }) => lang === 'en')
          .map(({ kind, translationKey }) => `${kind} ${translationKey}`),
      );
      const orphans = files.filter(
        ({ lang, kind, translationKey }) => lang !== 'en' && !originals.has(`${kind} ${translationKey}`),
      );
      expect(report.summary).toMatchObject({
        created: files.length - orphans.length,
        failed: 0,
        conflict: 0,
        pending: 0,
      });

      const orphanKeys = new Set(orphans);
      const languages = [...new Set(files.map(({ lang }) => lang))];
      const [articles, categories, tags] = await Promise.all(
        (['articles', 'categories', 'tags'] as const).map((kind) => recordsBySlug(served, kind, languages)),
      );
      const wrong: string[] = [];
      for (const file of files.filter((each) => !orphanKeys.has(each))) {
        const found = { articles, categories, tags }[file.kind]?.get(
          `${file.lang} ${String(file.matter['slug'])}`,
        );
        wrong.push(...differences(file, found));
      }
      expect(wrong).toEqual([]);
      expect((articles?.size ?? 0) + (categories?.size ?? 0) + (tags?.size ?? 0)).toBe(
        files.length - orphans.length,
      );

      const second = await kbsync(['sync', '--json', ...allow], { cwd, env });
      expect(second.code).toBe(0);
      const again = JSON.parse(second.stdout) as { summary: Record<string, number>; requests: number };
      expect(again.summary).toMatchObject({
        created: 0,
        updated: 0,
        unchanged: files.length - orphans.length,
      });
      expect(again.requests).toBe(3);
      const plain = await kbsync(['sync', ...allow], { cwd, env });
      expect(plain.stdout).toContain('in sync');
      await served.close();
    }, 240_000);
  }

  test('the step from one snapshot of otel-docs to the next plans exactly the records that differ', async () => {
    const served = await serve();
    const cwd = mkdtempSync(join(tmpdir(), 'kbsync-step-'));
    const folder = (name: string) => join(corpora, 'neutral/dev', name);
    const content = join(cwd, 'content');
    writeFileSync(
      join(cwd, 'kbsync.yaml'),
      `baseUrl: ${served.url}\ncontent: content\nignoreKeys: [sourcePath]\nassets: { baseUrl: https://cdn.example.com/ }\nallow: [dead-link, dead-anchor, missing-image, unknown-category]\n`,
    );
    const env = { KBSYNC_API_KEY: served.key };
    cpSync(folder('otel-docs-prev'), content, { recursive: true });
    expect((await kbsync(['sync', '--json'], { cwd, env })).code).toBe(0);
    rmSync(content, { recursive: true });
    cpSync(folder('otel-docs'), content, { recursive: true });
    const planned = await kbsync(['plan', '--json'], { cwd, env });
    const plan = JSON.parse(planned.stdout) as {
      changes: { action: string; key: string }[];
      conflicts: unknown[];
      drift: unknown[];
    };
    expect(plan.conflicts).toEqual([]);
    expect(plan.drift).toEqual([]);

    const before = byKey(filesWithText(folder('otel-docs-prev')));
    const after = byKey(filesWithText(folder('otel-docs')));
    const hasOriginal = (key: string) => after.has(key.replace(/@[^@]+$/, '@en'));
    const created = [...after.keys()].filter((key) => !before.has(key) && hasOriginal(key));
    const textChanged = [...after]
      .filter(([key, text]) => before.has(key) && before.get(key) !== text && hasOriginal(key))
      .map(([key]) => key);
    const planOf = (action: string) =>
      plan.changes
        .filter((change) => change.action === action)
        .map(({ key }) => key)
        .sort();
    expect(planOf('create')).toEqual(created.sort());
    expect(planOf('delete')).toEqual([]);
    const updated = planOf('update');
    // A file whose text is the same can still change: a page it links to has a new address or is gone. Nothing else may.
    const relinked = updated.filter((key) => !textChanged.includes(key));
    const silent = textChanged.filter((key) => !updated.includes(key));
    expect(silent.filter((key) => !onlyUnsentDiffers(before.get(key) ?? '', after.get(key) ?? ''))).toEqual(
      [],
    );
    for (const key of relinked) expect(after.get(key)).toMatch(/\]\(|\]: |href=/);

    expect((await kbsync(['sync', '--json'], { cwd, env })).code).toBe(0);
    const end = JSON.parse((await kbsync(['plan', '--json'], { cwd, env })).stdout) as { changes: unknown[] };
    expect(end.changes).toEqual([]);
    await served.close();
  }, 240_000);
});

/** Fields that are shown in the wire's names, against the front matter; names what differs. */
function differences(file: File, reply: Reply | undefined): readonly string[] {
  const { matter, kind, lang } = file;
  const where = `${lang} ${kind} ${file.translationKey}`;
  if (reply === undefined) return [`${where}: is not there`];
  const { data } = reply;
  const pairs: [string, unknown, unknown][] = [
    ['slug', matter['slug'], data['slug']],
    ['language', lang === 'en' ? null : lang, data['language']],
  ];
  if (kind === 'articles') {
    const labels = (name: string) => (reply[name] as { value: string }[]).length;
    pairs.push(
      ['title', String(matter['title']), data['name']],
      ['excerpt', matter['excerpt'] ?? '', data['excerpt']],
      ['ordering', matter['ordering'], data['order_by']],
      ['status', matter['status'], data['status']],
      ['hideFromSearch', matter['hideFromSearch'] ?? false, data['hide_from_search']],
      ['categories', (matter['categories'] as unknown[]).length, labels('categories')],
      ['tags', (matter['tags'] as unknown[]).length, labels('tags')],
    );
    const review = matter['articleReviewDate'];
    if (typeof review === 'string')
      pairs.push(['articleReviewDate', Date.parse(review), Date.parse(String(data['article_review_date']))]);
    if (typeof data['content'] !== 'string' || !/<!-- kbsync 1 .* -->$/.test(data['content']))
      pairs.push(['stamp', true, false]);
  } else {
    pairs.push(['name', String(matter['name']), data['name']]);
    if (matter['description'] !== undefined)
      pairs.push(['description', matter['description'], data['description']]);
    if (matter['priority'] !== undefined) pairs.push(['priority', matter['priority'], data['order_by']]);
  }
  return pairs
    .filter(([, wanted, found]) => JSON.stringify(wanted) !== JSON.stringify(found))
    .map(
      ([field, wanted, found]) =>
        `${where}: ${field} is ${JSON.stringify(found)}, the file says ${JSON.stringify(wanted)}`,
    );
}

function filesWithText(folder: string): readonly (readonly [string, string])[] {
  const singular = { articles: 'article', categories: 'category', tags: 'tag' } as const;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => {
      const [lang = '', kind = '', ...rest] = path.split('/');
      const text = readFileSync(join(folder, path), 'utf8');
      const own = /^translationKey: *(.+)$/m.exec(text)?.[1] ?? rest.join('/').replace(/\.md$/, '');
      return [`${singular[kind as File['kind']]}/${own}@${lang}`, text] as const;
    });
}

function byKey(files: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(files);
}

/** Differences that no field of the API carries: where the page lies upstream, and spacing that Markdown ignores. */
function onlyUnsentDiffers(before: string, after: string): boolean {
  const sent = (text: string) => text.replaceAll(/^sourcePath:.*$/gm, '').replaceAll(/\s+/g, ' ');
  return sent(before) === sent(after);
}
