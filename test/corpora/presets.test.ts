import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { convert } from '../../src/content/convert.ts';
import type { ContentOptions } from '../../src/content/options.ts';
import type { PresetName } from '../../src/content/presets/names.ts';
import { parseKey } from '../../src/model/key.ts';
import { hasCorpora, reasonWithoutCorpora, unpackCorpus } from '../support/corpus.ts';
import type { ProblemCode } from '../../src/model/problem.ts';
import { OPTIONS, folderOf, loadFrom } from '../content/support/support.ts';
import type { Loaded } from '../content/support/support.ts';

if (!hasCorpora) process.stderr.write(`${reasonWithoutCorpora()}\n`);

interface Report {
  readonly articles: Readonly<Record<string, number>>;
  readonly categories: Readonly<Record<string, number>>;
  readonly tags: Readonly<Record<string, number>>;
}

const RAW: Readonly<Record<string, Partial<ContentOptions>>> = {
  'otel-docs': { preset: 'hugo', contentDir: 'content' },
  'otel-docs-prev': { preset: 'hugo', contentDir: 'content' },
  'hetzner-tutorials': {
    preset: 'plain',
    contentDir: 'tutorials',
    fields: { excerpt: 'short_description', categories: 'cta', articleReviewDate: 'date' },
    defaults: { categories: ['general'] },
  },
  'cncf-glossary': {
    preset: 'hugo',
    contentDir: 'content',
    fields: { categories: 'category' },
    defaults: { categories: ['general'] },
    components: { 'sign-language-section': 'drop' },
  },
};

/** What these repositories have wrong, and what has no meaning outside them. */
const ALLOWED = [
  'dead-link',
  'dead-anchor',
  'missing-image',
  'missing-field',
  'excerpt-long',
  'unknown-component',
] as const;

/** Pages of the neutral form with `build.render` other than `always`, counted by hand (`grep -rlE '^build: .*render: (link|never)'`). */
const UNRENDERED: Readonly<Record<string, number>> = { 'otel-docs': 20, 'otel-docs-prev': 20 };

/** One odd file each, by the system it comes from: what is said of it, at which line and column; nothing where it is right. */
const ODDITIES: readonly (readonly [file: string, preset: PresetName, problems: readonly string[]])[] = [
  ['blank-line-before-front-matter.md', 'hugo', ['1:2 front-matter-yaml']],
  ['bom-crlf-yaml.md', 'hugo', []],
  ['bom-lf-yaml.md', 'docusaurus', []],
  ['category-block-scalar.md', 'vitepress', []],
  ['crlf space in name.md', 'plain', ['448:1 html-dropped']],
  ['excerpt-251.md', 'jekyll', ['4:14 excerpt-long']],
  ['mdx-rtl-ar.mdx', 'starlight', []],
  ['mixed-eol.mdx', 'starlight', ['12:1 unknown-component']],
  [
    'multi-line-description.mdx',
    'starlight',
    ['18:1 unknown-component', '59:1 unknown-component', '66:5 unknown-component', '… 16'],
  ],
  ['negative-order-fa.md', 'jekyll', []],
  ['no-front-matter-%.md', 'plain', []],
  ['no-front-matter-dot.md', 'plain', []],
  ['not-a-map.md', 'hugo', []],
  ['rtl-ar.md', 'jekyll', []],
  ['toml-front-matter.cn.md', 'hugo', []],
  ['toml-front-matter.en.md', 'hugo', []],
  ['very-large-851k.md', 'plain', ['1:1 beyond-limit', '8:1 raw-syntax']],
  ['yaml-anchors-only.md', 'hugo', []],
  ['yaml-duplicate-key.md', 'hugo', ['6:1 front-matter-yaml']],
  ['zero-bytes.md', 'plain', []],
];

describe.skipIf(!hasCorpora)('repositories of other systems, in place', () => {
  let raw = '';
  let neutral = '';
  beforeAll(() => {
    raw = unpackCorpus('dev-raw');
    neutral = unpackCorpus('dev-neutral');
  });
  afterAll(() => {
    for (const folder of [raw, neutral]) rmSync(folder, { recursive: true, force: true });
  });

  const optionsOf = (name: string) => ({
    ...RAW[name],
    allow: new Set<ProblemCode>(ALLOWED),
    assetsBaseUrl: 'https://cdn.test',
  });
  const known = new Map<string, Promise<Loaded>>();
  const read = (name: string): Promise<Loaded> => {
    const loaded = known.get(name) ?? loadFrom(join(raw, 'dev', name), optionsOf(name));
    known.set(name, loaded);
    return loaded;
  };

  test.each(['otel-docs', 'otel-docs-prev', 'hetzner-tutorials'])(
    '%s makes the records of its neutral form, key by key',
    async (name) => {
      const { records } = await read(name);
      // A tutorial is the one file `01.en.md` of its folder; the neutral form names it by the folder.
      const keys = [...records.keys()].map((key) => key.replace('/01@', '@'));
      const unrendered = unrenderedKeys(join(raw, 'dev', name, RAW[name]?.contentDir ?? ''));
      const all = neutralKeys(join(neutral, 'neutral/dev', name));
      // The neutral form also holds pages that Hugo itself does not write: redirects and what has had its day.
      expect(keys.sort()).toEqual(all.filter((key) => !unrendered.has(key)));
      expect(all.filter((key) => unrendered.has(key))).toHaveLength(UNRENDERED[name] ?? 0);
    },
  );

  test('cncf-glossary makes the articles of its neutral form; terms differ where lists and rare words do', async () => {
    const { records } = await read('cncf-glossary');
    const report = reportOf(join(neutral, 'neutral/dev/cncf-glossary'));
    const counts = countsOf([...records.keys()]);
    expect(counts['article']).toEqual(report.articles);
    // Five names of the three articles that list several categories; the neutral form files these under `general`.
    expect(counts['category']).toEqual({ ...report.categories, en: 14, fr: 6, ja: 5 });
    // Words that no two articles agree on stay tags of their own, with an original; `architecture` has one witness in Urdu.
    expect(counts['tag']).toEqual({ ...report.tags, en: 19, hi: 15, ur: 4 });
  });

  test.each([
    [
      'otel-docs',
      {
        'dead-link': 61,
        'dead-anchor': 2,
        // Without `siteUrl`: what the site makes of data or mounts, the other sections of the site, and 12 pages with `build.render: link`.
        'outside-link': 1265,
        'missing-image': 141,
        'html-dropped': 55,
        'orphan-translation': 5,
        // Two pages each name an address. Hugo puts the language before an alias only where each language has its own host.
        'wrong-redirect': 3,
      },
    ],
    ['cncf-glossary', { 'outside-link': 27, 'dead-anchor': 2, 'orphan-translation': 7 }],
    ['hetzner-tutorials', { 'outside-link': 10, 'missing-image': 174, 'dead-anchor': 5, 'excerpt-long': 3 }],
  ])('%s: what is wrong is what the repository has wrong', async (name, expected) => {
    const { problems } = await read(name);
    const counts: Partial<Record<string, number>> = {};
    for (const { code } of problems) {
      if (code !== 'unknown-component') counts[code] = (counts[code] ?? 0) + 1;
    }
    expect(counts).toEqual(expected);
  });

  test.each(['otel-docs', 'hetzner-tutorials', 'cncf-glossary'])(
    '%s converted to our layout makes the same records',
    async (name) => {
      const options = optionsOf(name);
      const before = await read(name);
      const out = folderOf({});
      for (const { path, text } of (
        await convert({ ...OPTIONS, cwd: join(raw, 'dev', name), ...options })
      ).files()) {
        mkdirSync(dirname(join(out, 'content', path)), { recursive: true });
        writeFileSync(join(out, 'content', path), text, { flag: 'wx' });
      }
      const after = await loadFrom(out, {
        allow: options.allow,
        assetsBaseUrl: options.assetsBaseUrl,
      });
      expect([...after.records.keys()].sort()).toEqual([...before.records.keys()].sort());
      const differing = [...before.records].flatMap(([key, record]) => {
        const other = after.records.get(key);
        const isSame =
          JSON.stringify([record.fields, record.initial]) ===
            JSON.stringify([other?.fields, other?.initial]) &&
          record.body?.render() === other?.body?.render();
        return isSame ? [] : [key];
      });
      expect(differing).toEqual([]);
    },
  );

  test.each(ODDITIES)('%s by %s: %j is all that is said of it', async (file, preset, expected) => {
    const folder = folderOf({});
    mkdirSync(join(folder, 'content'), { recursive: true });
    for (const name of file === 'toml-front-matter.cn.md' ? [file, 'toml-front-matter.en.md'] : [file]) {
      cpSync(join(raw, 'dev/oddities', name), join(folder, 'content', name));
    }
    const { places } = await loadFrom(folder, {
      preset,
      siteUrl: 'https://site.test',
      languages: preset === 'hugo' ? { cn: 'zh' } : {},
    });
    const lines = places.map((place) => place.replace(`content/${file}:`, ''));
    expect([...lines.slice(0, 3), ...(lines.length > 3 ? [`… ${lines.length}`] : [])]).toEqual(expected);
  });

  test('every odd file has its diagnosis', () => {
    const files = readdirSync(join(raw, 'dev/oddities')).filter((name) => /\.mdx?$/.test(name));
    expect(ODDITIES.map(([file]) => file).sort()).toEqual(files.sort());
    expect(files).toHaveLength(20);
  });
});

function unrenderedKeys(folder: string): ReadonlySet<string> {
  return new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
      const [, lang, path = '', index] = /^([^/]+)\/(.+?)(\/_index|\/index)?\.md$/.exec(file) ?? [];
      const isUnrendered =
        lang !== undefined &&
        /^build: .*render: (link|never)/m.test(readFileSync(join(folder, file), 'utf8'));
      return isUnrendered ? [`${index === '/_index' ? 'category' : 'article'}/${path}@${lang}`] : [];
    }),
  );
}

function neutralKeys(folder: string): readonly string[] {
  const kinds: Readonly<Record<string, string>> = {
    articles: 'article',
    categories: 'category',
    tags: 'tag',
  };
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .flatMap((file) => {
      const [, lang, kind = '', path] = /^([^/]+)\/(articles|categories|tags)\/(.+)\.md$/.exec(file) ?? [];
      if (lang === undefined) return [];
      const named = /^translationKey: ["']?(.+?)["']?$/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1];
      return [`${kinds[kind]}/${named ?? path}@${lang}`];
    })
    .sort();
}

function reportOf(folder: string): Report {
  // Written by the conversion of the corpus; its shape is in the type.
  return JSON.parse(readFileSync(join(folder, '_convert-report.json'), 'utf8')) as Report;
}

function countsOf(keys: readonly string[]): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const counts: Record<string, Record<string, number>> = {};
  for (const { kind, lang } of keys.map(parseKey).filter((parts) => parts !== undefined)) {
    const byLang = (counts[kind] ??= {});
    byLang[lang] = (byLang[lang] ?? 0) + 1;
  }
  return counts;
}
