import { digestOfText } from '../../../model/digest.ts';
import { finite, idText, isoTime, objectsIn, parsedJson, said, text } from '../../text/json-values.ts';
import { textOfHtml } from '../../text/plain-text.ts';
import type { InputText, Skipped, SourcePlace, SourceRecord } from '../../record.ts';
import { itemGuid, publicly, siteNames, whyLeft } from './addresses.ts';
import type { Page } from './page-tree.ts';
import { categoryId, roleOf } from './taxonomies.ts';
import { isJsonObject, type JsonObject } from '../../../text/json-value.ts';

export interface RestPosts {
  readonly categories: readonly SourceRecord[];
  readonly pages: readonly Page[];
  readonly skipped: readonly Skipped[];
}

/** An answer does not say which terms lie below others. */
const NO_TREES: ReadonlySet<string> = new Set();

/** Posts and pages as the REST interface gives them (`/wp-json/wp/v2/posts?_embed`): one, or a list. */
export function restPosts({ path, text: source }: InputText, types: readonly string[]): RestPosts {
  const parsed = parsedJson(path, source);
  if ('skipped' in parsed) return { categories: [], pages: [], skipped: [parsed.skipped] };
  const isList = Array.isArray(parsed.value);
  const posts = (isList ? objectsIn(parsed.value) : isJsonObject(parsed.value) ? [parsed.value] : []).flatMap(
    (value, index) =>
      isJsonObject(value['content']) && isJsonObject(value['title'])
        ? [{ value, at: { file: path, where: isList ? `[${index}]` : 'file' } }]
        : [],
  );
  const skipped: Skipped[] = [];
  const made = posts.flatMap(({ value, at }) => {
    const each = post(value, at, types);
    if (!('reason' in each)) return [each];
    skipped.push(each);
    return [];
  });
  if (posts.length === 0) {
    const why = 'there are no posts or pages in it';
    skipped.push({ at: { file: path, where: 'file' }, what: 'file', reason: 'kind', why });
  }
  return {
    categories: made.flatMap(({ categories }) => categories),
    pages: made.map(({ page }) => page),
    skipped,
  };
}

function post(
  value: JsonObject,
  at: SourcePlace,
  types: readonly string[],
): { readonly categories: readonly SourceRecord[]; readonly page: Page } | Skipped {
  const title = textOfHtml(rendered(value['title']));
  const type = said(value['type']) ?? 'post';
  const status = said(value['status']) ?? 'draft';
  const id =
    idText(value['id']) ?? said(value['slug']) ?? digestOfText(`${title} ${text(value['date'])}`).slice(0, 8);
  const what = `${type} ${id} ${JSON.stringify(title)}`;
  const left = whyLeft({ type, status }, { types, items: 'posts' });
  if (left !== undefined) return { at, what, ...left };
  const terms = termsOf(value);
  const categories = terms.filter(
    ({ taxonomy, slug }) => roleOf(taxonomy, NO_TREES) === 'category' && slug !== 'uncategorized',
  );
  const urls = [text(value['link']), itemGuid(rendered(value['guid']))];
  const isProtected = isJsonObject(value['content']) && value['content']['protected'] === true;
  const lang = said(value['lang']);
  const record: SourceRecord = {
    kind: 'article',
    id,
    mark: id,
    lang,
    title,
    slug: said(value['slug']),
    html: rendered(value['content']),
    summary: said(textOfHtml(rendered(value['excerpt']))),
    parents: categories.map(({ taxonomy, slug }) => categoryId(taxonomy, slug)),
    tags: terms.filter(({ taxonomy }) => roleOf(taxonomy, NO_TREES) === 'tag'),
    isDraft: status !== 'publish',
    restricted: isProtected ? 'it has a password' : status === 'private' ? 'it was private' : undefined,
    position: finite(value['menu_order']) ?? 0,
    updated: isoTime(value['modified_gmt']),
    addresses: publicly(urls),
    names: siteNames(urls, { id, site: undefined }),
    bannerUrl:
      said(embedded(value, 'wp:featuredmedia')[0]?.['source_url']) ??
      said(value['jetpack_featured_media_url']),
    notes: [],
    at,
  };
  const named = categories.map(({ taxonomy, slug, name }): SourceRecord => {
    const made = {
      kind: 'category',
      id: categoryId(taxonomy, slug),
      mark: slug,
      lang,
      title: name,
      slug,
      html: '',
      at,
    } as const;
    return { ...made, parents: [], tags: [], isDraft: false, addresses: [], names: [], notes: [] };
  });
  return { categories: named, page: { record, postId: id, parentId: idText(value['parent']) } };
}

interface Term {
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
}

/** Names of terms are in an answer that was asked for with `_embed`; ids alone name nothing. */
function termsOf(value: JsonObject): readonly Term[] {
  return embedded(value, 'wp:term').flatMap((term): Term[] => {
    const slug = said(term['slug']);
    const name = textOfHtml(text(term['name']));
    return slug === undefined || name === '' ? [] : [{ taxonomy: text(term['taxonomy']), slug, name }];
  });
}

function embedded(value: JsonObject, name: string): readonly JsonObject[] {
  const all = isJsonObject(value['_embedded']) ? value['_embedded'][name] : undefined;
  return objectsIn(Array.isArray(all) ? all.flat() : []);
}

function rendered(value: unknown): string {
  return isJsonObject(value) ? text(value['rendered']) : text(value);
}
