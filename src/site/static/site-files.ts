import pLimit from 'p-limit';
import { decoded } from '../../model/address/percent.ts';
import { escaped } from '../html.ts';

/** One file of a site that needs no service. */
export interface SiteFile {
  /** Below the folder of the site, with `/` between folders. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Of a page for people. */
  readonly isPage: boolean;
}

/** A file that was handed on. */
export type FileName = Omit<SiteFile, 'bytes'>;

/** Takes a file; of two with one name the later one counts. */
export type Keep = (file: SiteFile) => Promise<void>;

/** What answers an address as the service does. */
export type Answer = (request: Request) => Promise<Response>;

/** Some wait for threads, and others are made meanwhile. */
const AT_ONCE = 32;
/** Lists of pages name their parts by whole addresses. */
const PARTS = /(https?:\/\/[^/\s]+)(\/[^\s()<>"]*\.(?:txt|xml))/g;
const LINKS = /\s(?:href|src)="(\/[^"#?]*)/g;

/**
 * All files that can be reached from some addresses, each as the service answers it. Each is handed on as soon as it is made, and
 * only its name is kept. A page lies in a folder of its own, as
 * `index.html`, because every server of files finds it there. A page for which there was no room (503) is asked for again when
 * no other is on its way.
 */
export async function siteFiles(
  answer: Answer,
  origin: string,
  seeds: readonly string[],
  keep: Keep,
): Promise<readonly FileName[]> {
  const files = new Map<string, FileName>();
  const known = new Set(seeds);
  const refused: string[] = [];
  const limit = pLimit(AT_ONCE);
  const ask = async (path: string): Promise<readonly string[] | 'refused'> => {
    const found = await fileAt(answer, origin, path);
    if (found === 'refused') return found;
    if (found.file !== undefined) {
      const { file, isPage } = found.file;
      files.set(file, { file, isPage });
      await keep(found.file);
    }
    return found.links;
  };
  const follow = async (links: readonly string[]): Promise<void> => {
    const next = links.filter((link) => !known.has(link) && known.add(link));
    await Promise.all(next.map(visit));
  };
  const visit = async (path: string): Promise<void> => {
    const links = await limit(() => ask(path));
    if (links === 'refused') refused.push(path);
    else await follow(links);
  };
  await Promise.all([...known].map(visit));
  for (const path of refused) {
    const links = await ask(path);
    if (links === 'refused') throw new Error(`bug: ${path} has no room, though it is alone`);
    await follow(links);
  }
  return [...files.values()];
}

interface Found {
  readonly file: SiteFile | undefined;
  readonly links: readonly string[];
}

async function fileAt(answer: Answer, origin: string, path: string): Promise<Found | 'refused'> {
  const response = await answer(new Request(origin + path, { headers: { accept: 'text/html' } }));
  const location = response.headers.get('location');
  if (location !== null) {
    const { pathname } = new URL(location, origin + path);
    return { file: redirectFile(path, pathname), links: [pathname] };
  }
  if (response.status === 503) return 'refused';
  if (response.status !== 200) return { file: undefined, links: [] };
  const bytes = new Uint8Array(await response.arrayBuffer());
  const type = response.headers.get('content-type') ?? '';
  const isPage = type.startsWith('text/html');
  const text = type.startsWith('image/') ? '' : new TextDecoder().decode(bytes);
  if (!isPage) {
    const parts = text.matchAll(PARTS);
    const links = [...parts].flatMap(([, at, part = '']) => (at === origin ? [part] : []));
    return { file: { file: plainName(path), bytes, isPage }, links };
  }
  const links = [...text.matchAll(LINKS)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
  return {
    file: { file: pageName(path), bytes, isPage },
    links: links.filter((link) => !link.startsWith('//')),
  };
}

export function pageFile(path: string, text: string): SiteFile {
  return { file: pageName(path), bytes: new TextEncoder().encode(text), isPage: true };
}

function pageName(path: string): string {
  const folder = plainName(path).replace(/\/$/, '');
  return folder === '' ? 'index.html' : `${folder}/index.html`;
}

/** The page at an address that only leads on; under the name itself if that is one of a page. */
export function redirectFile(path: string, to: string): SiteFile {
  const page = pageFile(path, redirectPage(to));
  return /\.html?$/i.test(path) ? { ...page, file: plainName(path) } : page;
}

/** As servers of files look for what browsers ask for: those follow `..` first. What would lead out stays as it was escaped. */
function plainName(path: string): string {
  return new URL(`http://localhost${path}`).pathname
    .slice(1)
    .split('/')
    .map((part) => {
      const name = decoded(part);
      return /^\.{1,2}$|[/\\\0]/.test(name) ? part : name;
    })
    .join('/');
}

/** A server of files cannot redirect: the page does. */
function redirectPage(to: string): string {
  const address = escaped(to);
  return `<!doctype html>
<meta charset="utf-8">
<title>${address}</title>
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url=${address}">
<p><a href="${address}">${address}</a></p>
`;
}
