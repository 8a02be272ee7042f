import { expect, test } from 'vitest';
import { siteFiles } from '../../../src/site/static/site-files.ts';

const ORIGIN = 'http://localhost';
const HTML = { 'content-type': 'text/html; charset=utf-8' };

const keep = (): Promise<void> => Promise.resolve();

/** A site of 60 pages that answers 503 while it makes two others. */
function crowdedSite() {
  let underWay = 0;
  const asked: string[] = [];
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    if (underWay >= 2) return new Response('', { status: 503, headers: { 'retry-after': '1' } });
    underWay += 1;
    await new Promise<void>((resolve) => setImmediate(resolve));
    underWay -= 1;
    const links = pathname === '/' ? Array.from({ length: 60 }, (_, at) => `/page-${at}`) : ['/', '/late'];
    return new Response(links.map((link) => `<a href="${link}">x</a>`).join(''), { headers: HTML });
  };
  return { answer, asked };
}

test('a page for which there was no room is asked for again, and what it links to is found', async () => {
  const { answer, asked } = crowdedSite();
  const files = await siteFiles(answer, ORIGIN, ['/'], keep);
  expect(files).toHaveLength(62);
  expect(files.map(({ file }) => file)).toContain('late/index.html');
  expect(asked.length).toBeGreaterThan(62);
});

test('a page that finds no room though it is alone is no missing page', async () => {
  const answer = (): Promise<Response> => Promise.resolve(new Response('', { status: 503 }));
  await expect(siteFiles(answer, ORIGIN, ['/'], keep)).rejects.toThrow('bug: / has no room');
});
