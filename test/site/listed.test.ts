import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isListed, listedSql } from '../../src/service/listed.ts';
import { ARTICLES, articleBody } from '../service/support/rig.ts';
import { siteRig, type SiteRig } from './support/site-rig.ts';

test.each([
  [{ status: 'published', isHidden: false }, [true, true]],
  [{ status: 'published', isHidden: true }, [false, false]],
  [{ status: 'draft', isHidden: false }, [false, true]],
  [{ status: 'draft', isHidden: true }, [false, false]],
])('%j is listed for a reader, and for one who sees drafts: %j', (article, answers) => {
  expect([isListed(article), isListed(article, true)]).toEqual(answers);
});

describe('an article that is hidden from search', () => {
  let rig: SiteRig;
  beforeAll(async () => {
    rig = await siteRig();
    const [tag, billing] = [rig.ids['tag'], rig.ids['billing']];
    for (const [title, slug] of [
      ['Unlisted zebra', 'unlisted-zebra'],
      ['Zebra', 'zebra'],
    ] as const) {
      await rig.make(
        ARTICLES,
        articleBody({
          title,
          slug,
          ordering: 40,
          hideFromSearch: slug !== 'zebra',
          categories: [{ value: billing }],
          tags: [{ value: tag }],
          content: '<p>Stripes of a zebra.</p>',
        }),
      );
      await rig.visit(`/en/articles/${slug}`, { 'user-agent': 'Mozilla/5.0' });
    }
  });
  afterAll(() => rig.close());

  test.each([
    '/llms.txt',
    '/en/llms-full.txt',
    '/sitemap.xml',
    '/en/search?q=zebra',
    '/en/search?q=zebrq',
    '/en/search.json?q=zeb',
    '/en/index.md',
    '/en/categories/billing.md',
    '/en/tags/refund.md',
  ])('is not in %s, and one that is not hidden is', async (path) => {
    const { status, text } = await rig.visit(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).toContain('articles/zebra');
    expect(text).not.toContain('articles/unlisted-zebra');
  });

  test.each([
    ['/en/', /<h2[^>]*>\s*Recently updated[^]*?<\/section>/],
    ['/en/articles/refunds', /<section class="related">[^]*?<\/section>/],
    ['/en/articles/zebra-', /<main[^]*<\/main>/],
  ])('%s does not propose it', async (path, part) => {
    const shown = part.exec((await rig.visit(path)).text)?.[0] ?? '';
    expect(shown).toContain('/articles/zebra"');
    expect(shown).not.toContain('/articles/unlisted-zebra"');
  });

  test('keeps its page and its place in its topic, and search engines are asked to leave it', async () => {
    expect((await rig.visit('/en/categories/billing')).text).toContain('/articles/unlisted-zebra"');
    const { status, text } = await rig.visit('/en/articles/unlisted-zebra');
    expect(status).toBe(200);
    expect(text).toContain('<meta name="robots" content="noindex"');
    expect(text).not.toContain('application/ld+json');
  });
});

test('the rule is written down in one place', () => {
  const folder = join(import.meta.dirname, '../../src');
  const sources = ['service', 'site'].flatMap((room) =>
    readdirSync(join(folder, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, room, name)),
  );
  const own = sources.filter((file) => /hide_from_search\s*(?:=|<>)\s*\d/.test(readFileSync(file, 'utf8')));
  expect(own.map((file) => file.slice(folder.length + 1))).toEqual(['service/listed.ts']);
  expect(listedSql('a')).toBe(`(a.status = 'published' and a.hide_from_search = 0)`);
});
