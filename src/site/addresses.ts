import { decoded } from '../model/address/percent.ts';
import { type Kind, PATHS } from '../service/kind.ts';

/** Where a record is read: `/fr/articles/installer`, the addresses that `kbsync sync` writes into links. */
export function pageOf(kind: Kind, language: string, slug: string): string {
  return `/${language}/${PATHS[kind]}/${encodeURIComponent(slug)}`;
}

export function homeOf(language: string): string {
  return `/${language}/`;
}

export function tagsOf(language: string): string {
  return `/${language}/tags/`;
}

export function releasesOf(language: string): string {
  return `/${language}/releases`;
}

export function searchOf(language: string, query = '', page = 1): string {
  const asked = query === '' ? '' : `?q=${encodeURIComponent(query)}`;
  return `/${language}/search${asked}${asked === '' || page === 1 ? '' : `&page=${page}`}`;
}

/** Where the search field asks for suggestions while somebody types. */
export function suggestionsOf(language: string): string {
  return `/${language}/search.json`;
}

/** Where the form below an article is sent. */
export const FEEDBACK_PATH = '/_site/feedback';
/** What is shown once it was. */
export const THANKS_ID = 'site-thanks';

/** What an address names. */
export type Place =
  | { readonly type: 'home' | 'tags' | 'search' | 'suggestions' | 'releases' | 'nothing' }
  | { readonly type: 'record'; readonly kind: Kind; readonly slug: string };

export interface Address {
  /** The language code that it begins with, as it was written. */
  readonly language: string;
  readonly place: Place;
  /** Its last word, for a guess at what was meant. */
  readonly last: string;
  /** The same address in a language, as the site writes it: with a slash at the end of start page and tags alone. */
  readonly pathIn: (language: string) => string;
}

/** Takes a path apart, the inverse of what stands above; undefined: it begins with no language code. */
export function addressOf(path: string): Address | undefined {
  const language = languageIn(path);
  if (language === undefined) return undefined;
  const given = path.split('/').slice(2);
  const words = given.at(-1) === '' ? given.slice(0, -1) : given;
  const plain = words.map(decoded);
  // No text of a record has NUL, and PostgreSQL refuses a statement that asks for it.
  const isText = !plain.some((word) => word.includes('\0'));
  const place: Place = isText ? placeOf(plain) : { type: 'nothing' };
  const isFolder = place.type === 'home' || place.type === 'tags';
  const rest = words.filter((word) => word !== '').join('/');
  return {
    language,
    place,
    last: isText ? (plain.at(-1) ?? '') : '',
    pathIn: (other) => `/${other}/${rest}${isFolder && rest !== '' ? '/' : ''}`,
  };
}

function placeOf([folder = '', slug, ...rest]: readonly string[]): Place {
  if (folder === '' && slug === undefined) return { type: 'home' };
  if (slug === undefined && (folder === 'tags' || folder === 'search' || folder === 'releases')) {
    return { type: folder };
  }
  if (slug === undefined && folder === 'search.json') return { type: 'suggestions' };
  const kind = KINDS.find((one) => PATHS[one] === folder);
  if (kind === undefined || slug === undefined || rest.length > 0) return { type: 'nothing' };
  return { type: 'record', kind, slug };
}

const KINDS: readonly Kind[] = ['article', 'category', 'tag'];

/** `/api` is no language, though three letters might be. */
function languageIn(path: string): string | undefined {
  const code = /^\/([a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4})(?:\/|$)/i.exec(path)?.[1];
  return code?.toLowerCase() === 'api' ? undefined : code;
}
