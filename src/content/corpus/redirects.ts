import { posix } from 'node:path';
import { familyOf } from '../../model/key.ts';
import { pageAddress } from '../../model/address/page-address.ts';
import { lastOf, type Redirect } from '../../model/address/redirect.ts';
import type { ContentOptions, RedirectLine } from '../options.ts';
import type { Report } from './checks.ts';
import { placeOf, slugOf } from './corpus.ts';
import type { Corpus, SourceFile } from './corpus.ts';

/** The addresses that lead elsewhere, as files and kbsync.yaml say. */
interface Claim extends RedirectLine {
  /** Of the page that it leads to; undefined: a line of kbsync.yaml. */
  readonly file?: SourceFile;
}

/**
 * Old addresses of pages by `aliases` of files and `redirects` of kbsync.yaml, each with the address of today, in one step. What
 * cannot be meant is reported and leads nowhere: a page's own address, a circle, an address that two claim, and a page that no
 * file makes. Addresses of drafts are nobody's yet.
 */
export function redirectsOf(
  corpus: Corpus,
  { urls, redirects = [] }: Pick<ContentOptions, 'urls' | 'redirects'>,
  report: Report,
): readonly Redirect[] {
  const addressOf = (file: SourceFile): string =>
    pageAddress(urls, file.place.kind, file.place.lang, slugOf(file));
  const pages = new Map<string, SourceFile>();
  for (const file of corpus.files) pages.set(plainPath(addressOf(file)), file);
  const claims: readonly Claim[] = [...fileClaims(corpus, addressOf), ...redirects];
  const byFrom = new Map<string, Claim>();
  const said = new Set<string>();
  for (const claim of claims) {
    const from = plainPath(claim.from);
    const first = byFrom.get(from);
    const page = pages.get(from);
    if (page !== undefined) {
      const reason = page === claim.file ? 'itself' : 'live';
      report(claim.at, { code: 'wrong-redirect', from: claim.from, reason, other: page.shown });
    } else if (claim.file !== undefined && said.has(`${familyOf(claim.file.key)} ${from}`)) {
      // A translation has copied the lines of its original, whose language comes first.
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
  const isOurs = ourAddress(urls, new Set(corpus.files.map(({ place }) => place.lang)));
  return [...byFrom.values()].flatMap((claim) => {
    const end = lastOf(claim, byFrom, plainPath);
    const wrong = (reason: 'circle' | 'dead'): readonly Redirect[] => {
      report(claim.at, { code: 'wrong-redirect', from: claim.from, reason, other: claim.to });
      return [];
    };
    if (end === undefined) return wrong('circle');
    const page = end.file ?? pages.get(plainPath(end.to));
    if (page === undefined && isOurs(plainPath(end.to))) return wrong('dead');
    if (page?.document.isDraft === true || page?.document.fields['status'] === 'draft') return [];
    return [
      {
        from: claim.from,
        to: end.to,
        ...(page === undefined ? {} : { kind: page.place.kind, lang: page.place.lang }),
      },
    ];
  });
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

/** Without host, query and the slash at its end, as it is read: servers of pages tell no difference. */
export function plainPath(address: string): string {
  const path = address
    .replace(/^https?:\/\/[^/]*/i, '')
    .replace(/[?#].*$/, '')
    .replace(/(.)\/+$/, '$1');
  try {
    return decodeURI(path).normalize('NFC');
  } catch {
    return path;
  }
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
