import { ofEdition, type Edition } from '../data/edition.ts';
import { ADDRESSES_PER_FILE, robots, sitemap, sitemapEntries, sitemapIndex } from './feeds.ts';
import { llms } from './llms.ts';
import type { SiteFrame } from '../pages/layout.ts';
import { contentReply, sharedReply, textReply } from '../http/reply.ts';

/** `/llms.txt`, `/fr/llms.txt`, `/fr/llms-2.txt`, `/fr/llms-full.txt`. */
const LLMS = /^\/(?:([a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4})\/)?llms(?:-([1-9]\d{0,3}|full))?\.txt$/i;
const FILES = /^\/(?:robots\.txt|favicon\.ico|sitemap(?:-([1-9]\d{0,3}))?\.xml)$/;

/** A list's entry takes as much memory as so many characters. */
const CHARS_PER_ENTRY = 800;

/** Whether a path is one of the files that programs look for. */
export function isFile(path: string): boolean {
  return FILES.test(path) || LLMS.test(path);
}

export interface FileParts {
  readonly frame: SiteFrame;
  readonly edition: Edition;
  /** All pages of the edition's language in one text. */
  readonly fullText: (edition: Edition) => Promise<string>;
}

/** `robots.txt`, the `llms.txt` of each language, the icon's old name, and the sitemap with its parts; read now, written when the store is free. */
export async function findFile(
  request: Request,
  path: string,
  { frame, edition, fullText }: FileParts,
): Promise<() => Response | Promise<Response>> {
  const { origin, languages, assets } = frame;
  // Each looks at all articles, and programs ask for them again and again.
  const remembered = async (make: () => Promise<string | undefined>): Promise<string | undefined> => {
    const read = async () => ({ text: await make() });
    const entriesIn = ({ text = '' }: { readonly text: string | undefined }) => text.length / CHARS_PER_ENTRY;
    return (await ofEdition(edition, `file ${origin}${path}`, read, entriesIn)).text;
  };
  const kept = { keeping: 'revalidate' } as const;
  const type = 'text/plain; charset=utf-8';
  if (path === '/robots.txt') return () => contentReply(request, { type, text: robots(origin), ...kept });
  if (path === '/favicon.ico') return () => contentReply(request, { ...assets.icon, ...kept });
  const asked = LLMS.exec(path);
  if (asked !== null) {
    const [, given, part] = asked;
    const wanted = given ?? edition.defaultLanguage;
    const language = languages.find((one) => one.toLowerCase() === wanted.toLowerCase());
    const own = language === undefined ? undefined : { ...edition, language };
    if (own !== undefined && part === 'full') {
      return async () => sharedReply(request, { type, text: await fullText(own), ...kept });
    }
    const number = part === undefined ? undefined : Number(part);
    const text = own && (await remembered(() => llms(own, frame, number)));
    if (text === undefined) return () => textReply(404, 'There is no such list of pages.');
    return () => contentReply(request, { type, text, ...kept });
  }
  const part = FILES.exec(path)?.[1];
  const xml = { type: 'application/xml; charset=utf-8', ...kept };
  if (part === undefined) {
    const text = await remembered(async () => {
      const entries = await sitemapEntries(edition, languages);
      const parts = partsIn(entries);
      return parts > 1 ? sitemapIndex(parts, origin) : sitemap(entries, origin);
    });
    return () => contentReply(request, { ...xml, text: text ?? '' });
  }
  const entries = await sitemapEntries(edition, languages);
  if (Number(part) > partsIn(entries))
    return () => textReply(404, `The sitemap has ${partsIn(entries)} parts.`);
  const start = (Number(part) - 1) * ADDRESSES_PER_FILE;
  return () =>
    contentReply(request, {
      ...xml,
      text: sitemap(entries.slice(start, start + ADDRESSES_PER_FILE), origin),
    });
}

function partsIn({ length }: readonly unknown[]): number {
  return Math.ceil(length / ADDRESSES_PER_FILE);
}
