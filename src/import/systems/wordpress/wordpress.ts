import { decoded } from '../../../model/address/percent.ts';
import { digestOfText } from '../../../model/digest.ts';
import { addAll } from '../../../text/many.ts';
import { classicHtml } from '../../text/classic-html.ts';
import { isoTime, said } from '../../text/json-values.ts';
import { textOfHtml } from '../../text/plain-text.ts';
import type { Harvest, Skipped, SourceRecord, SourceTag, System } from '../../record.ts';
import { withoutShortcodes } from '../../text/shortcodes.ts';
import { restPosts } from './rest.ts';
import { itemGuid, pagesMeant, pagesOfSite, publicly, siteNames, whyLeft } from './addresses.ts';
import { withPageTree } from './page-tree.ts';
import type { Page } from './page-tree.ts';
import { categoryId, nameOf, roleOf } from './taxonomies.ts';
import { readWxr } from './wxr.ts';
import type { Wxr, WxrItem } from './wxr.ts';

/** WordPress: its export (WXR of any version), several files of one site at once, and answers of its REST interface. */
export const wordpress: System = {
  extensions: ['.xml', '.json'],
  open: ({ types }) => {
    const files: Wxr[] = [];
    const records: SourceRecord[] = [];
    const pages: Page[] = [];
    const skipped: Skipped[] = [];
    return {
      read: (file) => {
        if (/^\s*[[{]/.test(file.text.replace(/^\uFEFF/, ''))) {
          const rest = restPosts(file, types);
          addAll(records, rest.categories);
          addAll(pages, rest.pages);
          addAll(skipped, rest.skipped);
          return;
        }
        const wxr = readWxr(file);
        files.push(wxr);
        addAll(skipped, wxr.skipped);
        if (wxr.items.length + wxr.terms.length > 0 || wxr.skipped.length > 0) return;
        const why = 'there are no items in it: is it an export of WordPress?';
        skipped.push({ at: { file: file.path, where: 'file' }, what: 'file', reason: 'kind', why });
      },
      end: () => {
        const found = harvest(files, types);
        return {
          records: [...records, ...withPageTree(pages), ...found.records],
          skipped: [...skipped, ...found.skipped],
        };
      },
    };
  },
  linkNames: (url, from) => pagesOfSite(url, from.addresses[0]),
};

function harvest(files: readonly Wxr[], types: readonly string[]): Harvest {
  const pictures = new Map<string, string>();
  for (const { values } of files.flatMap(({ items }) => items)) {
    const url = said(values.get('wp:attachment_url'));
    const id = values.get('wp:post_id');
    if (url !== undefined && id !== undefined) pictures.set(id, url);
  }
  const trees = new Set(
    files.flatMap(({ terms }) =>
      terms.filter(({ parent }) => parent !== undefined).map(({ taxonomy }) => taxonomy),
    ),
  );
  const skipped: Skipped[] = [];
  const articles = files.flatMap((wxr) =>
    wxr.items.flatMap((item) => {
      const made = article(item, { wxr, types, pictures, trees });
      if (!('reason' in made)) return [made];
      skipped.push(made);
      return [];
    }),
  );
  return { records: [...categories(files, articles, trees), ...withPageTree(articles)], skipped };
}

interface Article extends Page {
  readonly terms: readonly { readonly domain: string; readonly nicename: string; readonly name: string }[];
  readonly site: string | undefined;
}

interface Around {
  readonly wxr: Wxr;
  readonly types: readonly string[];
  readonly pictures: ReadonlyMap<string, string>;
  /** Lists whose terms have terms above them. */
  readonly trees: ReadonlySet<string>;
}

function article(item: WxrItem, { wxr, types, pictures, trees }: Around): Article | Skipped {
  const { at, values, terms, meta } = item;
  const value = (name: string): string => values.get(name) ?? '';
  const title = textOfHtml(value('title'));
  const postId = said(value('wp:post_id')) ?? digestOfText(`${title} ${value('link')}`).slice(0, 8);
  const type = said(value('wp:post_type')) ?? 'post';
  const status = said(value('wp:status')) ?? 'draft';
  const what = `${type} ${postId} ${JSON.stringify(title)}`;
  const left = whyLeft({ type, status }, { types, items: 'items' });
  if (left !== undefined) return { at, what, ...left };
  const group = terms.find(({ domain }) => domain === 'post_translations')?.nicename;
  const own = terms.filter(
    ({ domain, nicename }) => roleOf(domain, trees) === 'category' && nicename !== 'uncategorized',
  );
  const named = own.map((term) => ({ ...term, nicename: nameOf(term.nicename, term.name) }));
  const { html, left: shortcodes } = shownHtml(value('content:encoded'));
  const urls = [value('link'), itemGuid(value('guid'), wxr.site)];
  const restricted =
    said(value('wp:post_password')) === undefined
      ? status === 'private'
        ? 'it was private'
        : undefined
      : 'it has a password';
  const record: SourceRecord = {
    kind: 'article',
    id: group ?? postId,
    mark: postId,
    lang: said(terms.find(({ domain }) => domain === 'language')?.nicename ?? '') ?? said(wxr.language),
    title,
    slug: said(decoded(value('wp:post_name'))),
    html,
    summary:
      said(textOfHtml(value('excerpt:encoded'))) ?? said(textOfHtml(meta.get('_yoast_wpseo_metadesc') ?? '')),
    parents: [...new Set(named.map(({ domain, nicename }) => categoryId(domain, nicename)))],
    tags: terms.filter(({ domain }) => roleOf(domain, trees) === 'tag').map(tagOf),
    isDraft: status !== 'publish',
    restricted,
    position: Number.parseInt(value('wp:menu_order'), 10) || 0,
    updated: isoTime(value('wp:post_modified_gmt')) ?? isoTime(value('wp:post_date_gmt')),
    author: said(value('dc:creator')),
    addresses: publicly(urls),
    names: siteNames(urls, { id: postId, site: wxr.site }),
    bannerUrl: pictures.get(meta.get('_thumbnail_id') ?? ''),
    hideFromSearch: meta.get('_yoast_wpseo_meta-robots-noindex') === '1',
    notes: shortcodes.map((name) => `the shortcode [${name}] stays as it is written`),
    at,
  };
  return { record, postId, parentId: said(value('wp:post_parent')), terms: named, site: wxr.site };
}

function tagOf({ nicename, name }: { readonly nicename: string; readonly name: string }): SourceTag {
  return { name: textOfHtml(name), slug: said(decoded(nicename)) };
}

/** Blocks are HTML already; the old editor's text becomes it. */
function shownHtml(content: string): { readonly html: string; readonly left: readonly string[] } {
  const { html, left } = withoutShortcodes(content);
  return { html: html.includes('<!-- wp:') || html.trim() === '' ? html : classicHtml(html), left };
}

/** The lists of categories that are used, completed by those that only items name: parts of an export have no list. */
function categories(
  files: readonly Wxr[],
  articles: readonly Article[],
  trees: ReadonlySet<string>,
): readonly SourceRecord[] {
  const made = new Map<string, SourceRecord>();
  // WordPress's own list comes whole; those of plug-ins belong to types that may not come.
  const used = new Set(['category', ...articles.flatMap(({ terms }) => terms.map(({ domain }) => domain))]);
  for (const wxr of files) {
    for (const { at, taxonomy, slug, name, parent, description } of wxr.terms) {
      const nicename = nameOf(slug, name);
      const id = categoryId(taxonomy, nicename);
      const isWanted = used.has(taxonomy) && roleOf(taxonomy, trees) === 'category';
      if (!isWanted || nicename === 'uncategorized' || nicename === '' || made.has(id)) continue;
      made.set(id, {
        ...category(taxonomy, { nicename, name }, wxr.site),
        lang: said(wxr.language),
        summary: said(textOfHtml(description)),
        parents: parent === undefined ? [] : [categoryId(taxonomy, nameOf(parent, ''))],
        at,
      });
    }
  }
  for (const { record, terms, site } of articles) {
    for (const term of terms) {
      const id = categoryId(term.domain, term.nicename);
      if (made.has(id)) continue;
      made.set(id, { ...category(term.domain, term, site), lang: record.lang, at: record.at });
    }
  }
  return [...made.values()];
}

function category(
  taxonomy: string,
  { nicename, name }: { readonly nicename: string; readonly name: string },
  site: string | undefined,
): Omit<SourceRecord, 'lang' | 'at'> {
  return {
    kind: 'category',
    id: categoryId(taxonomy, nicename),
    mark: taxonomy === 'category' ? nicename : taxonomy,
    title: said(textOfHtml(name)) ?? nicename,
    slug: said(decoded(nicename)),
    html: '',
    parents: [],
    tags: [],
    isDraft: false,
    addresses: [],
    names:
      site === undefined
        ? []
        : pagesMeant(`${site.replace(/(?<!\/)\/+$/, '')}/${taxonomy}/${nicename}/`, undefined),
    notes: [],
  };
}
