import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siteFiles } from '../../src/site/static/site-files.ts';
import { ARTICLES, articleBody } from '../service/support/rig.ts';
import { siteRig, type SiteRig } from './support/site-rig.ts';

/** Paragraphs that Markdown has to escape: so many that the memory of a thread is not enough, however fast the machine is. */
const LONG = '<p>*a* _b_ [c](d) *e* _f_</p>'.repeat(240_000);
const AS_PROGRAM = { accept: 'text/markdown, text/html;q=0.5' };

describe('an article that is too long for Markdown', () => {
  let rig: SiteRig;
  beforeAll(async () => {
    rig = await siteRig({ texts: { markdownMs: 60_000 } }, { bodyBytesMax: 8 * 2 ** 20 });
    await rig.make(ARTICLES, articleBody({ title: 'Everything', slug: 'everything', content: LONG }));
  });
  afterAll(() => rig.close());

  test.each([
    ['/en/articles/everything.md', {}],
    ['/en/articles/everything', AS_PROGRAM],
  ])('%s is its page, with the reason', async (path, headers) => {
    const { status, headers: sent, text } = await rig.visit(path, headers);
    expect(status).toBe(200);
    expect(sent.get('content-type')).toBe('text/html; charset=utf-8');
    expect(sent.get('x-no-markdown')).toBe('too-long');
    expect(sent.get('vary')).toContain('Accept');
    expect(text).toContain('This page is too long to be made into Markdown, so here it is as HTML.');
    expect(text).toContain('<link rel="canonical" href="http://kb.test/en/articles/everything"');
    expect(rig.failures).toEqual([]);
  });

  test('readers of the page are told nothing of it, before and after', async () => {
    for (let visit = 0; visit < 2; visit += 1) {
      const { headers, text } = await rig.visit('/en/articles/everything');
      expect(headers.get('x-no-markdown')).toBe(null);
      expect(text).not.toContain('too long to be made');
    }
  });

  test('other articles are Markdown still', async () => {
    const { headers, text } = await rig.visit('/en/articles/refunds', AS_PROGRAM);
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(text).toContain('# Refunds');
  });

  test('an agent that asks for it over MCP is told where its HTML is', async () => {
    const call = { name: 'get_page', arguments: { path: '/en/articles/everything' } };
    const response = await rig.site.fetch(
      new Request('http://kb.test/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      }),
    );
    expect(await response.text()).toContain(
      'The page at /en/articles/everything has no Markdown (too-long). Read it as HTML, at http://kb.test/en/articles/everything.',
    );
  });

  test('a site of files has it as a page under the address of its Markdown', async () => {
    const files = await siteFiles(
      (request) => rig.site.fetch(request),
      'http://kb.test',
      ['/en/articles/everything.md'],
      () => Promise.resolve(),
    );
    const byName = new Map(files.map((file) => [file.file, file]));
    expect(byName.get('en/articles/everything.md/index.html')?.isPage).toBe(true);
    expect(byName.has('en/articles/everything.md')).toBe(false);
    expect(byName.get('en/articles/refunds.md')?.isPage).toBe(false);
  });
});
