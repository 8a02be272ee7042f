import { isKind, type Key, type Kind } from '../key.ts';
import { withoutSlashes } from '../../text/plain-address.ts';
import { decoded } from './percent.ts';
import { wholeAddress } from './page-address.ts';
import { urlOf } from '../../text/url.ts';

/** An address that was a page's, and where that page is now. Paths from the root, or whole addresses. */
export interface Redirect {
  readonly from: string;
  readonly to: string;
  /** Of the record; undefined: the address is none of a record. */
  readonly kind?: Kind;
  readonly lang?: string;
  readonly key?: Key;
}

/** A line of a set that the service keeps: `from` is plain (plain-address.ts). */
export interface OldAddress {
  readonly from: string;
  readonly to: string;
  /** Of the record that it leads to, as the files name it. */
  readonly key?: string;
}

/** What a redirect may lead from and to: a path from the root or a whole address, in one line. */
export const REDIRECT_ADDRESS = /^(?:\/|https?:\/\/)\P{Cc}*$/iu;

export const REDIRECT_FORMS = ['csv', 'nginx', 'netlify', 'cloudflare'] as const;
export type RedirectForm = (typeof REDIRECT_FORMS)[number];

/** First line of every map of ours: of plans, imports and migrations. */
const REDIRECTS_HEAD = 'from,to,kind,lang';

/** RFC 4180. A spreadsheet does not take a cell for a formula. */
export function redirectsCsv(redirects: readonly Redirect[]): string {
  const lines = redirects.map(({ from, to, kind = '', lang = '' }) =>
    [from, to, kind, lang].map((text) => csvCell(/^[=+@\t\r-]/.test(text) ? `'${text}` : text)).join(','),
  );
  return `${[REDIRECTS_HEAD, ...lines].join('\r\n')}\r\n`;
}

/** The redirects as a server takes them: all are permanent. `origin` goes before paths where a server wants whole addresses. */
export function redirectsText(redirects: readonly Redirect[], form: RedirectForm, origin: string): string {
  switch (form) {
    case 'csv':
      return redirectsCsv(redirects);
    case 'nginx':
      return nginxMap(redirects);
    case 'netlify':
      return lines([MARK, ...redirects.map(({ from, to }) => `${literal(pathOf(from))} ${asSent(to)} 301`)]);
    case 'cloudflare':
      // A list of bulk redirects: source, target, status.
      return lines(
        redirects.map(({ from, to }) =>
          [wholeAddress(asSent(from), origin), wholeAddress(asSent(to), origin), '301']
            .map(csvCell)
            .join(','),
        ),
      );
  }
}

/** Redirects that lead to others lead to the end of these; of two with one address the later counts, a circle leads nowhere. */
export function inOneStep(
  redirects: readonly Redirect[],
  plain: (address: string) => string,
): readonly Redirect[] {
  const byFrom = new Map(redirects.map((redirect) => [plain(redirect.from), redirect]));
  return [...byFrom.values()].flatMap((redirect) => {
    const last = lastOf(redirect, byFrom, plain);
    return last === undefined ? [] : [{ ...redirect, to: last.to }];
  });
}

/** The last redirect of the chain that `first` begins; undefined: the chain is a circle. `byFrom` goes by plain addresses. */
export function lastOf<Step extends Pick<Redirect, 'from' | 'to'>>(
  first: Step,
  byFrom: ReadonlyMap<string, Step>,
  plain: (address: string) => string,
): Step | undefined {
  const seen = new Set([plain(first.from)]);
  let last = first;
  for (;;) {
    const to = plain(last.to);
    if (seen.has(to)) return undefined;
    const next = byFrom.get(to);
    if (next === undefined) return last;
    seen.add(to);
    last = next;
  }
}

/** Whether a text is a map of this form that kbsync wrote: any other file is not ours to replace. */
export function isRedirectFile(text: string, form: RedirectForm): boolean {
  if (form === 'csv') return text.startsWith(`${REDIRECTS_HEAD}\r\n`);
  if (form === 'cloudflare') return /^(?:[^\r\n]+,301\n)+$/.test(text);
  return text.startsWith(`${MARK}\n`);
}

/** First line of files whose form has comments. */
const MARK = '# redirects, written by kbsync';

/**
 * A path that stands for itself alone in `_redirects`, where `*` stands for any text and `:name` for any part (documentation of Netlify,
 * *Redirect options*, and of Cloudflare Pages, *Redirects*).
 */
function literal(path: string): string {
  return path.replaceAll('*', '%2A').replaceAll(/:(?=[a-z_])/gi, '%3A');
}

/** For the `http` block; a server answers by it with `if ($kbsync_moved) { return 301 $kbsync_moved; }`. */
function nginxMap(redirects: readonly Redirect[]): string {
  const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  // nginx compares the path decoded; in what it answers with, `$` begins a name.
  const rows = redirects.flatMap(({ from, to }) =>
    bothSlashes(decoded(pathOf(from))).map(
      (path) => [path, `  ${quoted(path)} ${quoted(asSent(to).replaceAll('$', '%24'))};`] as const,
    ),
  );
  return lines([
    MARK,
    '# include in `http`, and in `server`: if ($kbsync_moved) { return 301 $kbsync_moved; }',
    ...bucketSize(rows.map(([path]) => path)),
    'map $uri $kbsync_moved {',
    '  default "";',
    ...new Set(rows.map(([, row]) => row)),
    '}',
  ]);
}

/** In bytes. */
const POINTER = 8;

/**
 * nginx does not start if a path of a map is longer than its buckets, which are of 64 bytes unless it is told otherwise (its
 * documentation, *Setting up hashes*). A bucket has two pointers beside the path and its length (ngx_hash.c).
 */
function bucketSize(paths: readonly string[]): readonly string[] {
  const longest = paths.reduce((most, path) => Math.max(most, Buffer.byteLength(path)), 0);
  const bytes = 2 ** Math.ceil(Math.log2(Math.ceil((longest + 2) / POINTER) * POINTER + 2 * POINTER));
  return bytes <= 64
    ? []
    : [`map_hash_bucket_size ${bytes}; # take this line out if nginx calls it a duplicate`];
}

function bothSlashes(path: string): readonly string[] {
  const bare = withoutSlashes(path);
  return /\.[a-z0-9]+$/i.test(bare) || bare === '/' ? [bare] : [bare, `${bare}/`];
}

/** One cell of CSV (RFC 4180). */
function csvCell(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The path of an address as it is sent, without its host. */
function pathOf(address: string): string {
  return inParts(address).pathname;
}

/** An address as browsers send it and answers name it: in ASCII, without blanks (RFC 3986). */
function asSent(address: string): string {
  const { origin, pathname, search, hash } = inParts(address);
  return (address.startsWith('/') ? '' : origin) + pathname + search + hash;
}

/** A path may begin with two slashes: they are no host. */
function inParts(address: string): Pick<URL, 'origin' | 'pathname' | 'search' | 'hash'> {
  const whole = address.startsWith('/') ? `http://localhost${address}` : address;
  return (
    urlOf(whole) ?? {
      origin: '',
      pathname: encodeURI(address.replaceAll(/\p{Cs}/gu, '�')),
      search: '',
      hash: '',
    }
  );
}

function lines(rows: readonly string[]): string {
  return rows.length === 0 ? '' : `${rows.join('\n')}\n`;
}

/** A map of ours, or one that begins with the same two columns. Undefined: its first line says that it is none. */
export function redirectsFrom(csv: string): readonly Redirect[] | undefined {
  const [head = [], ...rows] = csvRows(csv.replace(/^\uFEFF/, ''));
  if (head[0]?.trim().toLowerCase() !== 'from' || head[1]?.trim().toLowerCase() !== 'to') return undefined;
  const plain = (text: string): string => text.trim().replace(/^'(?=[=+@-])/, '');
  return rows.flatMap(([from = '', to = '', kind = '', lang = '']) => {
    if (plain(from) === '' || plain(to) === '') return [];
    return [{ from: plain(from), to: plain(to), ...(isKind(kind) && lang !== '' ? { kind, lang } : {}) }];
  });
}

function csvRows(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, bare = '', end = ''] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
  )) {
    row.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}
