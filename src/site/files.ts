import type { Store } from '../service/store/store.ts';
import { ADDRESSES_PER_FILE, llms, robots, sitemap, sitemapEntries, sitemapIndex } from './feeds.ts';
import type { SiteFrame } from './layout.ts';
import { contentReply, textReply } from './reply.ts';

const FILES = /^\/(?:robots\.txt|llms\.txt|favicon\.ico|sitemap(?:-([1-9]\d{0,3}))?\.xml)$/;

/** Whether a path is one of the files that programs look for. */
export function isFile(path: string): boolean {
  return FILES.test(path);
}

/** `robots.txt`, `llms.txt`, the icon's old name, and the sitemap with its parts. */
export async function answerFile(
  request: Request,
  path: string,
  frame: SiteFrame,
  store: Store,
): Promise<Response> {
  const { origin, defaultLanguage, languages, assets } = frame;
  const kept = { keeping: 'revalidate' } as const;
  const type = 'text/plain; charset=utf-8';
  if (path === '/robots.txt') return contentReply(request, { type, text: robots(origin), ...kept });
  if (path === '/favicon.ico') return contentReply(request, { ...assets.icon, ...kept });
  const readingOf = (sql: Parameters<Parameters<Store['read']>[0]>[0]) => ({
    sql,
    siteId: store.site.id,
    defaultLanguage,
    language: defaultLanguage,
    drafts: false,
  });
  if (path === '/llms.txt') {
    const text = await store.read((sql) => llms(readingOf(sql), frame));
    return contentReply(request, { type, text, ...kept });
  }
  const entries = await store.read((sql) => sitemapEntries(readingOf(sql), languages));
  const parts = Math.ceil(entries.length / ADDRESSES_PER_FILE);
  const part = FILES.exec(path)?.[1];
  const xml = { type: 'application/xml; charset=utf-8', ...kept };
  if (part === undefined) {
    const text = parts > 1 ? sitemapIndex(parts, origin) : sitemap(entries, origin);
    return contentReply(request, { ...xml, text });
  }
  if (Number(part) > parts) return textReply(404, `The sitemap has ${parts} parts.`);
  const start = (Number(part) - 1) * ADDRESSES_PER_FILE;
  return contentReply(request, {
    ...xml,
    text: sitemap(entries.slice(start, start + ADDRESSES_PER_FILE), origin),
  });
}
