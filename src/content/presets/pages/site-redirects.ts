import { posix } from 'node:path';
import type { MovedAddress } from '../preset.ts';
import { redirectsOf } from './redirected.ts';
import { scalar, sideFile, textsOf, tomlFile, valueAt } from './side-file.ts';

/** Where a list of redirects stands. */
export interface RedirectSource {
  /** From the content folder. */
  readonly file: string;
  readonly text: string;
  /** The path below which the whole site is served, in front of both addresses. */
  readonly base?: string | undefined;
}

/** What a list says, before it is known which of it a page can stand for. */
interface Rule {
  readonly from: string;
  readonly to: string;
  readonly hidesPage?: boolean;
  /** As it stands in the file, where the address is made of it. */
  readonly written?: string;
  readonly isPage?: boolean;
}

/** More than any site has by hand; each is one line of a map. */
const RULES_MAX = 20_000;

/** `{ from: to }` of addresses, as Astro and mdBook have it: targets are what a browser makes of them at the old address; `to` may be `{ destination, status }`. */
export function addressMap(value: unknown, source: RedirectSource): readonly MovedAddress[] {
  const rules = Object.entries(plainMapping(value)).flatMap(([from, to]): readonly Rule[] => {
    const [target] = textsOf(typeof to === 'object' ? valueAt(to, 'destination') : to);
    if (target === undefined || isTemporary(valueAt(to, 'status'))) return [];
    return [{ from, to: WHOLE.test(target) ? target : seenFrom(from, target, source) }];
  });
  return redirectsIn(rules, source, '');
}

/** Its names in brackets stay as they are written. */
function seenFrom(from: string, to: string, { base = '' }: RedirectSource): string {
  if (to.startsWith('/')) return to;
  return posix.join('/', base, posix.dirname(from), to);
}

/** `[{ source, destination }]`, as Mintlify, Fern, Next.js and Vercel have it. What asks for more than an address is none. */
export function sourceList(value: unknown, source: RedirectSource): readonly MovedAddress[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const permanent = entries.filter(
    (entry) =>
      ['has', 'missing'].every((key) => valueAt(entry, key) === undefined) &&
      valueAt(entry, 'permanent') !== false &&
      !isTemporary(valueAt(entry, 'statusCode')),
  );
  const rules = redirectsOf(permanent, 'source', 'destination');
  return redirectsIn(
    rules.map((rule) => ({ ...rule, hidesPage: true })),
    source,
  );
}

/** `[{ from, to }]` of Docusaurus; `from` may be a list. */
export function fromList(value: unknown, source: RedirectSource): readonly MovedAddress[] {
  return redirectsIn(redirectsOf(value, 'from', 'to'), source);
}

/** `{ old.md: new.md }` of files; `address` is what the system makes of one. */
export function fileMap(
  value: unknown,
  source: RedirectSource,
  address: (path: string) => string,
): readonly MovedAddress[] {
  const rules = Object.entries(plainMapping(value)).flatMap(([from, to]): readonly Rule[] => {
    if (typeof to !== 'string' || from.includes('#')) return [];
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(to) ?? [];
    const isPage = !WHOLE.test(to);
    return [{ from: address(from), to: isPage ? `${address(path)}${rest}` : to, written: from, isPage }];
  });
  return redirectsIn(rules, source);
}

/** The files that a host of static sites reads: `_redirects` of Netlify, Cloudflare and GitLab Pages, netlify.toml, vercel.json. */
export function hostRedirects(
  { readText }: { readonly readText: (path: string) => string | undefined },
  publicFolders: readonly string[],
): { readonly redirects: readonly MovedAddress[]; readonly text: string } {
  const redirects: MovedAddress[] = [];
  const texts: string[] = [];
  const read = (
    names: readonly string[],
    rulesOf: (source: RedirectSource) => readonly MovedAddress[],
  ): void => {
    for (const name of new Set(names.map((each) => posix.normalize(each)))) {
      const text = readText(name);
      if (text === undefined || text === '') continue;
      texts.push(text);
      redirects.push(...rulesOf({ file: name, text }));
      return;
    }
  };
  const levels = (name: string): readonly string[] =>
    ['', '../', '../../', '../../../'].map((up) => up + name);
  read([...publicFolders.map((folder) => `${folder}/_redirects`), ...levels('_redirects')], netlifyLines);
  read(levels('netlify.toml'), netlifyTables);
  read(levels('vercel.json'), (source) =>
    sourceList(valueAt(sideFile(source.text).value, 'redirects'), source),
  );
  return { redirects, text: texts.join('\n') };
}

/** `/old /new 301`; what asks for a country, a cookie or a query is none. */
function netlifyLines(source: RedirectSource): readonly MovedAddress[] {
  const rules = source.text.split(/\r?\n/).flatMap((line): readonly Rule[] => {
    const words = line
      .replace(/(?:^|\s)#.*$/, '')
      .trim()
      .split(/\s+/);
    const [from = '', to = '', status = '301', ...more] = words;
    const isRule = PERMANENT.test(status) && more.length === 0 && to !== '';
    return isRule ? [{ from, to, hidesPage: status.endsWith('!') }] : [];
  });
  return redirectsIn(rules, source);
}

function netlifyTables(source: RedirectSource): readonly MovedAddress[] {
  const tables = valueAt(tomlFile(source.text).value, 'redirects');
  const rules = (Array.isArray(tables) ? tables : []).flatMap((table: unknown): readonly Rule[] => {
    const [from] = textsOf(valueAt(table, 'from'));
    const [to] = textsOf(valueAt(table, 'to'));
    const isAsking = ['query', 'conditions', 'signed'].some((key) => valueAt(table, key) !== undefined);
    if (from === undefined || to === undefined || isAsking) return [];
    const isPermanent = !isTemporary(valueAt(table, 'status'));
    return isPermanent ? [{ from, to, hidesPage: valueAt(table, 'force') === true }] : [];
  });
  return redirectsIn(rules, source);
}

const PERMANENT = /^30[18]!?$/;
const WHOLE = /^https?:\/\//i;

function isTemporary(status: unknown): boolean {
  return status !== undefined && !PERMANENT.test(scalar(status) ?? '');
}

/** `*`, `:splat`, `:path*`, `[...slug]` at the end of an address: any rest. */
const ANY_REST = /(?:\*|:splat|:\w+\*|:\w+\(\.\*\)|\[\.{3}\w+\])$/;
const PATTERN = /[*()[\]{}]|\/:\w/;

function redirectsIn(
  rules: readonly Rule[],
  { file, text, base = '' }: RedirectSource,
  targetBase = base,
): readonly MovedAddress[] {
  const below = (address: string, front: string): string =>
    WHOLE.test(address) ? address : `${front.replace(/(?<!\/)\/+$/, '')}/${address.replace(/^\/+/, '')}`;
  const lines = lineFinder(text);
  return rules.slice(0, RULES_MAX).flatMap((rule): readonly MovedAddress[] => {
    const { from, to, hidesPage = false, written = from, isPage = false } = rule;
    // Domains of the host, and addresses that browsers read as other hosts.
    if (WHOLE.test(from) || /^\/[/\\]/.test(from) || /^\/[/\\]/.test(to)) return [];
    if (/^[a-z][a-z0-9+.-]*:/i.test(to) && !WHOLE.test(to)) return [];
    // The page is still there, and only a script in it may send readers of that part on.
    if (from.includes('#')) return [];
    const hasRest = ANY_REST.test(from) && ANY_REST.test(to) && !WHOLE.test(to);
    const [bareFrom, bareTo] = hasRest
      ? [from.replace(ANY_REST, ''), to.replace(ANY_REST, '')]
      : [from.replace(/\?.*$/s, ''), to];
    if (PATTERN.test(bareFrom) || (PATTERN.test(bareTo) && !WHOLE.test(bareTo))) return [];
    return [
      {
        from: below(bareFrom, base),
        to: below(bareTo, targetBase),
        hasRest,
        hidesPage,
        isPage,
        file,
        line: lines(written),
      },
    ];
  });
}

/** The line that first holds a text. */
function lineFinder(text: string): (wanted: string) => number {
  const lines = text.split('\n');
  let last = 0;
  return (wanted) => {
    // Lists are read from the top, so the next is most often below.
    const below = lines.findIndex((line, index) => index >= last && line.includes(wanted));
    const found = below >= 0 ? below : lines.findIndex((line) => line.includes(wanted));
    last = Math.max(0, found);
    return Math.max(1, found + 1);
  };
}

function plainMapping(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
