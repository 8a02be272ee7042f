import { posix } from 'node:path';
import { familyOf } from '../../model/key.ts';
import { once } from '../../model/once.ts';
import { pageAddress } from '../../model/address/page-address.ts';
import { lastOf, type Redirect } from '../../model/address/redirect.ts';
import { plainAddress, plainPath } from '../../text/plain-address.ts';
import type { ContentOptions, RedirectLine } from '../options.ts';
import type { Foreign } from '../presets/preset.ts';
import type { Report } from './checks.ts';
import { isImplied, placeOf, slugOf } from './corpus.ts';
import type { Corpus, SourceFile } from './corpus.ts';

/** The addresses that lead elsewhere, as files, kbsync.yaml and the site's own settings say. */
interface Claim extends RedirectLine {
  /** Of the page that it leads to; undefined: a line of kbsync.yaml. */
  readonly file?: SourceFile;
  /** Both addresses are of the site that the files make. */
  readonly isOfSite?: boolean;
  /** Nothing but a page can be where it leads. */
  readonly isPage?: boolean;
  /** A page at the old address is never seen there. */
  readonly hidesPage?: boolean;
}

/** Where an address of the files' own site leads here. */
export type SiteTarget =
  | { readonly to: 'page'; readonly file: SourceFile; readonly url: string }
  /** On the site itself, or nowhere that is known. */
  | { readonly to: 'site'; readonly url: string | undefined; readonly isMade?: boolean }
  | { readonly to: 'nowhere' };

/**
 * Old addresses of pages by `aliases` of files and `redirects` of kbsync.yaml, each with the address of today, in one step. What
 * cannot be meant is reported and leads nowhere: a page's own address, a circle, an address that two claim, and a page that no
 * file makes. Addresses of drafts are nobody's yet.
 */
export function redirectsOf(
  corpus: Corpus,
  { urls, redirects = [] }: Pick<ContentOptions, 'urls' | 'redirects'>,
  report: Report,
  siteTarget: (address: string) => SiteTarget,
): readonly Redirect[] {
  const addressOf = (file: SourceFile): string =>
    pageAddress(urls, file.place.kind, file.place.lang, slugOf(file));
  const pages = new Map<string, SourceFile>();
  for (const file of corpus.files) pages.set(plainPath(addressOf(file)), file);
  const claims: readonly Claim[] = [
    ...fileClaims(corpus, addressOf),
    ...redirects,
    ...siteClaims(corpus, new Set(redirects.map(({ from }) => plainPath(from)))),
  ];
  const onSite = once(() => sitePages(corpus));
  /** Who has the address there, unless the redirect leads to this very page by its other address. */
  const sitePage = ({ to, hidesPage }: Claim, from: string): SourceFile | undefined => {
    if (hidesPage === true) return undefined;
    const page = onSite().get(from);
    const target = page === undefined ? undefined : siteTarget(to);
    return target?.to === 'page' && target.file === page ? undefined : page;
  };
  const byFrom = claimsByAddress(
    claims,
    (claim, path) => (claim.isOfSite === true ? sitePage(claim, path) : pages.get(path)),
    report,
  );
  // Another host may have a page at the same path.
  const others = new Set(
    claims.flatMap(({ isOfSite, to }) => (isOfSite === true && /^https?:/i.test(to) ? [to] : [])),
  );
  const isOurs = ourAddress(urls, new Set(corpus.files.map(({ place }) => place.lang)));
  return [...byFrom.values()].flatMap((claim) => {
    const end = lastOf(claim, byFrom, (address) => (others.has(address) ? address : plainAddress(address)));
    const wrong = (reason: 'circle' | 'dead'): readonly Redirect[] => {
      report(claim.at, { code: 'wrong-redirect', from: claim.from, reason, other: claim.to });
      return [];
    };
    if (end === undefined) return wrong('circle');
    if (end.isOfSite === true) {
      const target = /^https?:/i.test(end.to) ? ({ to: 'site', url: end.to } as const) : siteTarget(end.to);
      if (target.to === 'nowhere' || (target.to === 'site' && end.isPage === true && target.isMade !== true))
        return wrong('dead');
      if (target.to === 'site') return target.url === undefined ? [] : [{ from: claim.from, to: target.url }];
      if (isDraft(target.file)) return [];
      const { kind, lang } = target.file.place;
      return [{ from: claim.from, to: target.url, kind, lang, key: target.file.key }];
    }
    const page = end.file ?? pages.get(plainPath(end.to));
    if (page === undefined && isOurs(plainPath(end.to))) return wrong('dead');
    if (page !== undefined && isDraft(page)) return [];
    return [
      {
        from: claim.from,
        to: end.to,
        ...(page === undefined ? {} : { kind: page.place.kind, lang: page.place.lang, key: page.key }),
      },
    ];
  });
}

/** One claim for each old address; what stands against another one is reported. */
function claimsByAddress(
  claims: readonly Claim[],
  pageAt: (claim: Claim, path: string) => SourceFile | undefined,
  report: Report,
): ReadonlyMap<string, Claim> {
  const byFrom = new Map<string, Claim>();
  const said = new Set<string>();
  for (const claim of claims) {
    // Systems that tell pages apart by a query (`/?p=12`) have many at one path.
    const from = plainAddress(claim.from);
    const path = plainPath(claim.from);
    const first = byFrom.get(from);
    const page = pageAt(claim, path);
    if (page !== undefined) {
      const reason = page === claim.file ? 'itself' : 'live';
      report(claim.at, { code: 'wrong-redirect', from: claim.from, reason, other: page.shown });
    } else if (claim.file !== undefined && said.has(`${familyOf(claim.file.key)} ${from}`)) {
      // A translation has copied the lines of its original, whose language comes first.
      continue;
    } else if (first !== undefined && claim.isOfSite === true) {
      // Front matter counts before the settings of the site.
      continue;
    } else if (first !== undefined && plainPath(first.to) !== plainPath(claim.to)) {
      report(claim.at, {
        code: 'wrong-redirect',
        from: claim.from,
        reason: 'claimed',
        other: first.at.file,
      });
    } else byFrom.set(from, claim);
    if (claim.file !== undefined) said.add(`${familyOf(claim.file.key)} ${from}`);
  }
  return byFrom;
}

function isDraft({ document }: SourceFile): boolean {
  return document.isDraft || document.fields['status'] === 'draft';
}

/** What the author says in kbsync.yaml of the same address counts, as does the first line of a list. */
function siteClaims(corpus: Corpus, said: ReadonlySet<string>): readonly Claim[] {
  const { foreign } = corpus.preset;
  if (foreign === undefined) return [];
  const known = new Set(said);
  const pages = once(() => corpus.files.map((file) => siteAddress(foreign, file)));
  const there = once(() => new Set(pages()));
  return foreign.moved.flatMap(({ from, to, hasRest, hidesPage, isPage, file, line }) => {
    const at = { file: posix.normalize(`${corpus.shown}${file}`), line, column: 1 };
    // A rest says nothing of pages that are gone; of those that are there, it says where each was.
    const pairs = hasRest
      ? pages().flatMap((page) =>
          page.startsWith(to) && !there().has(`${from}${page.slice(to.length)}`)
            ? [{ from: `${from}${page.slice(to.length)}`, to: page }]
            : [],
        )
      : [{ from, to }];
    return pairs.flatMap((pair) => {
      const plain = plainPath(pair.from);
      if (known.has(plain)) return [];
      known.add(plain);
      return [{ ...pair, at, isOfSite: true, hidesPage, isPage }];
    });
  });
}

function siteAddress({ basePath, address }: Foreign, { path }: SourceFile): string {
  return `${basePath.replace(/(?<!\/)\/+$/, '')}/${address(path)}`;
}

/** Pages by their addresses on the files' own site; without those that have another address by their front matter. */
function sitePages({ files, preset: { foreign } }: Corpus): ReadonlyMap<string, SourceFile> {
  if (foreign === undefined) return new Map();
  const hasOwnAddress = ({ document }: SourceFile): boolean =>
    (document.addresses ?? []).some((address) => !address.startsWith('xref:'));
  const own = files.filter((file) => !isImplied(file) && !hasOwnAddress(file));
  return new Map(own.map((file) => [plainPath(siteAddress(foreign, file)), file]));
}

function fileClaims(
  { files, defaultLanguage }: Corpus,
  addressOf: (file: SourceFile) => string,
): readonly Claim[] {
  const isOriginal = ({ place }: SourceFile): boolean => place.lang === defaultLanguage;
  const originalsFirst = [...files.filter(isOriginal), ...files.filter((file) => !isOriginal(file))];
  return originalsFirst.flatMap((file) => {
    const at = placeOf(file, file.document.spots['aliases']);
    return (file.document.aliases ?? []).map((alias) => ({
      from: fromRoot(alias, file, defaultLanguage),
      to: addressOf(file),
      at,
      file,
    }));
  });
}

/** An alias without a slash in front lies beside the page (Hugo). */
function fromRoot(alias: string, { place }: SourceFile, defaultLanguage: string): string {
  if (alias.startsWith('/')) return alias;
  const language = place.lang === defaultLanguage ? '' : place.lang;
  return posix.join('/', language, posix.dirname(place.path), alias);
}

/** Whether an address is one that the knowledge base would show a record at. */
function ourAddress(urls: ContentOptions['urls'], languages: ReadonlySet<string>): (path: string) => boolean {
  const forms = Object.values(urls).flatMap((template) =>
    [...languages].map((lang) => plainPath(template.replaceAll('{lang}', lang)).split('{slug}')),
  );
  return (path) =>
    forms.some(([before = '', after = '']) => {
      const slug = path.slice(before.length, after === '' ? undefined : -after.length);
      return path.startsWith(before) && path.endsWith(after) && slug !== '' && !slug.includes('/');
    });
}
