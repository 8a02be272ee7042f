import type { Edition } from '../data/edition.ts';
import { ADDRESSES_PER_FILE, llms, robots, sitemap, sitemapEntries, sitemapIndex } from './feeds.ts';
import type { SiteFrame } from '../pages/layout.ts';
import { contentReply, textReply } from '../http/reply.ts';

const FILES = /^\/(?:robots\.txt|llms\.txt|favicon\.ico|sitemap(?:-([1-9]\d{0,3}))?\.xml)$/;

/** Whether a path is one of the files that programs look for. */
export function isFile(path: string): boolean {
  return FILES.test(path);
}

/** `robots.txt`, `llms.txt`, the icon's old name, and the sitemap with its parts; read now, written when the store is free. */
export async function findFile(
  request: Request,
  path: string,
  frame: SiteFrame,
  edition: Edition,
): Promise<() => Response | Promise<Response>> {
  const { origin, languages, assets } = frame;
  const kept = { keeping: 'revalidate' } as const;
  const type = 'text/plain; charset=utf-8';
  if (path === '/robots.txt') return () => contentReply(request, { type, text: robots(origin), ...kept });
  if (path === '/favicon.ico') return () => contentReply(request, { ...assets.icon, ...kept });
  if (path === '/llms.txt') {
    const text = await llms(edition, frame);
    return () => contentReply(request, { type, text, ...kept });
  }
  const entries = await sitemapEntries(edition, languages);
  const parts = Math.ceil(entries.length / ADDRESSES_PER_FILE);
  const part = FILES.exec(path)?.[1];
  const xml = { type: 'application/xml; charset=utf-8', ...kept };
  if (part === undefined) {
    return () =>
      contentReply(request, {
        ...xml,
        text: parts > 1 ? sitemapIndex(parts, origin) : sitemap(entries, origin),
      });
  }
  if (Number(part) > parts) return () => textReply(404, `The sitemap has ${parts} parts.`);
  const start = (Number(part) - 1) * ADDRESSES_PER_FILE;
  return () =>
    contentReply(request, {
      ...xml,
      text: sitemap(entries.slice(start, start + ADDRESSES_PER_FILE), origin),
    });
}
