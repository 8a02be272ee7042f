import { decoded } from '../../../model/address/percent.ts';
import type { Skipped } from '../../record.ts';
import { isUrl } from '../../../text/url.ts';

/** Addresses that people could open. */
export function publicly(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.map((url) => url.trim()).filter((url) => /^https?:\/\/[^/]/i.test(url)))];
}

/** A `guid` tells items apart and is no address: one that is that of the site itself would send everybody to this item. */
export function itemGuid(guid: string, site = ''): string {
  const plain = guid.trim();
  if (!isUrl(plain)) return plain;
  const { pathname, search } = new URL(plain);
  const [named] = pagesMeant(plain, undefined);
  return search === '' && (pathname === '/' || named === pagesMeant(site, undefined)[0]) ? '' : plain;
}

/** What links may say that mean an item: its address, and the short forms with its number. */
export function siteNames(
  urls: readonly string[],
  { id, site }: { readonly id: string; readonly site: string | undefined },
): readonly string[] {
  const names = urls.flatMap((url) => pagesMeant(url, undefined));
  const host = hostOf(site ?? urls.find((url) => hostOf(url) !== undefined) ?? '');
  return [...new Set([...names, ...(host === undefined ? [] : [`${host}?${id}`])])];
}

/** An address by what it means: `host/path`, or `host?123` for `?p=123`; empty for what is no page. */
export function pagesMeant(url: string, base: string | undefined): readonly string[] {
  const plain = url.trim();
  if (plain === '' || plain.startsWith('#') || !isUrl(plain, base)) return [];
  const { protocol, host, pathname, searchParams } = new URL(plain, base);
  if (!/^https?:$/.test(protocol)) return [];
  const id = searchParams.get('p') ?? searchParams.get('page_id');
  const name = host.replace(/^www\./, '');
  if (id !== null && /^\d+$/.test(id)) return [`${name}?${id}`];
  return [
    `${name}${decoded(pathname)
      .replace(/(?<!\/)\/+$/, '')
      .toLowerCase()}/`,
  ];
}

/** The same, for addresses on the site of a record that stood at `base`. */
export function pagesOfSite(url: string, base: string | undefined): readonly string[] {
  if (base === undefined || !isUrl(url, base)) return [];
  return hostOf(new URL(url, base).href) === hostOf(base) ? pagesMeant(url, base) : [];
}

function hostOf(url: string): string | undefined {
  return isUrl(url) ? new URL(url).host.replace(/^www\./, '') : undefined;
}

/** Types whose items are articles, without being asked: WordPress's own and those of plug-ins for help centres. */
const ARTICLE_TYPES = new Set(
  'post page docs doc kb knowledgebase ht_kb epkb_post_type_1 helphub_version manual_documentation'.split(
    ' ',
  ),
);

/** Why an item of this type and status does not come; undefined: it does. `items`: what an export calls them. */
export function whyLeft(
  { type, status }: { readonly type: string; readonly status: string },
  { types, items }: { readonly types: readonly string[]; readonly items: 'items' | 'posts' },
): Pick<Skipped, 'reason' | 'why'> | undefined {
  if (!ARTICLE_TYPES.has(type) && !types.includes(type))
    return { reason: 'kind', why: `it is of type ${type}; --type ${type} takes such ${items} for articles` };
  const reason = skippedStatus(status);
  return reason === undefined ? undefined : { reason, why: `its status is ${status}` };
}

function skippedStatus(status: string): 'trash' | 'kind' | undefined {
  if (status === 'trash' || status === 'auto-draft') return 'trash';
  return status === 'inherit' ? 'kind' : undefined;
}
