import { afterEach, beforeEach, expect, test } from 'vitest';
import { ARTICLES, articleBody } from '../../service/support/rig.ts';
import { siteRig, type SiteRig } from '../support/site-rig.ts';

let rig: SiteRig;
beforeEach(async () => {
  rig = await siteRig();
});
afterEach(() => rig.close());

test.each([
  ['/en/articles/refundz', ['/en/articles/refunds']],
  ['/fr/articles/remboursementz', ['/fr/articles/remboursements']],
  // What is shown in French under the name of its translation has no other there.
  ['/fr/articles/refundz', []],
  ['/fr/articles/invoicez', ['/fr/articles/invoices']],
  ['/en/articles/secret-planz', []],
  ['/en/articles/old-termz', []],
])('who asks for %s is offered %j', async (path, offered) => {
  const { status, text } = await rig.visit(path);
  expect(status).toBe(404);
  const list = /<ul class="plain">([\s\S]*?)<\/ul>/.exec(text)?.[1] ?? '';
  expect([...list.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(offered);
});

test('a new article is offered and named in the files for programs at once', async () => {
  const seen = async () => ({
    offered: (await rig.visit('/en/articles/quotaz')).text.includes('/en/articles/quotas'),
    inLlms: (await rig.visit('/llms.txt')).text.includes('articles/quotas'),
    inSitemap: (await rig.visit('/sitemap.xml')).text.includes('articles/quotas'),
  });
  expect(await seen()).toEqual({ offered: false, inLlms: false, inSitemap: false });
  const id = await rig.make(ARTICLES, articleBody({ title: 'Quotas', slug: 'quotas', categories: [] }));
  expect(await seen()).toEqual({ offered: true, inLlms: true, inSitemap: true });
  await rig.ask('DELETE', `${ARTICLES}/${id}`);
  expect((await rig.visit('/llms.txt')).text).not.toContain('articles/quotas');
});
