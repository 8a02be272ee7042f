import { digestOfText } from '../../../model/digest.ts';
import { finite, idText, isoTime, objectsIn, parsedJson, said, text } from '../../text/json-values.ts';
import { textOfHtml } from '../../text/plain-text.ts';
import type {
  InputText,
  ReaderOptions,
  Skipped,
  SourcePlace,
  SourceRecord,
  SourceTag,
  System,
} from '../../record.ts';
import { markdownHtml } from './cards.ts';
import { lexicalHtml } from './lexical.ts';
import { mobiledocHtml } from './mobiledoc.ts';
import { isJsonObject, type JsonObject } from '../../../text/json-value.ts';
import { isUrl } from '../../../text/url.ts';

/** Ghost: its export of any version (JSON), and the shapes of its API and of its migration tools. */
export const ghost: System = {
  extensions: ['.json'],
  open: (options) => {
    const records: SourceRecord[] = [];
    const skipped: Skipped[] = [];
    return {
      read: (file) => readExport(file, options, { records, skipped }),
      end: () => ({ records, skipped }),
    };
  },
  linkNames: (url, from) => {
    const slug = slugMeant(url, from.addresses[0]);
    return slug === undefined ? [] : [`slug ${slug}`];
  },
};

interface Out {
  readonly records: SourceRecord[];
  readonly skipped: Skipped[];
}

function readExport({ path, text: source }: InputText, options: ReaderOptions, out: Out): void {
  const parsed = parsedJson(path, source);
  if ('skipped' in parsed) return void out.skipped.push(parsed.skipped);
  const tables = tablesIn(parsed.value, '', 0);
  let count = 0;
  for (const { value, where } of tables) {
    const context = contextOf(value, options);
    for (const [index, post] of postsOf(value).entries()) {
      count += 1;
      const at = { file: path, where: `${where}posts[${index}]` };
      // The migration tools keep a record's address beside it.
      const inner =
        isJsonObject(post) && isJsonObject(post['data']) ? { ...post['data'], url: post['url'] } : post;
      if (isJsonObject(inner)) out.records.push(record(inner, at, context));
      else out.skipped.push({ at, what: 'post', reason: 'broken', why: 'it is not an object' });
    }
  }
  if (count > 0) return;
  const why = 'there are no posts in it';
  out.skipped.push({ at: { file: path, where: 'file' }, what: 'file', reason: 'kind', why });
}

/** Objects with posts: the tables of an export, below `data`, with or without the `db` around them. */
function tablesIn(
  value: unknown,
  where: string,
  depth: number,
): readonly { readonly value: JsonObject; readonly where: string }[] {
  if (depth > 4) return [];
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, index) =>
      tablesIn(each, `${where.replace(/\.$/, '')}[${index}].`, depth + 1),
    );
  }
  if (!isJsonObject(value)) return [];
  if (Array.isArray(value['posts'])) return [{ value, where }];
  return Object.entries(value).flatMap(([name, each]) =>
    name === 'data' || name === 'db' || Object.keys(value).length === 1
      ? tablesIn(each, `${where}${name}.`, depth + 1)
      : [],
  );
}

function postsOf(value: JsonObject): readonly unknown[] {
  return Array.isArray(value['posts']) ? value['posts'] : [];
}

interface Context {
  readonly site: string | undefined;
  readonly tags: ReadonlyMap<string, SourceTag>;
  /** Post → ids of its tags in their order. */
  readonly tagged: ReadonlyMap<string, readonly string[]>;
  readonly meta: ReadonlyMap<string, JsonObject>;
}

function contextOf(value: JsonObject, { site }: ReaderOptions): Context {
  const tagged = new Map<string, { readonly tag: string; readonly order: number }[]>();
  for (const row of objectsIn(value['posts_tags'])) {
    const post = idText(row['post_id']) ?? '';
    const tag = { tag: idText(row['tag_id']) ?? '', order: finite(row['sort_order']) ?? 0 };
    tagged.set(post, [...(tagged.get(post) ?? []), tag]);
  }
  return {
    site,
    tags: new Map(objectsIn(value['tags']).map((tag) => [idText(tag['id']) ?? '', tagOf(tag)])),
    tagged: new Map(
      [...tagged].map(([post, tags]) => [post, tags.sort((a, b) => a.order - b.order).map(({ tag }) => tag)]),
    ),
    meta: new Map(objectsIn(value['posts_meta']).map((row) => [idText(row['post_id']) ?? '', row])),
  };
}

function tagOf(tag: JsonObject): SourceTag {
  const inner = isJsonObject(tag['data']) ? tag['data'] : tag;
  return {
    name: text(inner['name']),
    slug: said(inner['slug']),
    description: said(textOfHtml(text(inner['description']))),
  };
}

function record(post: JsonObject, at: SourcePlace, { site, tags, tagged, meta }: Context): SourceRecord {
  const title = text(post['title']);
  const slug = said(post['slug']);
  const id =
    idText(post['id']) ??
    idText(post['uuid']) ??
    slug ??
    digestOfText(`${title} ${text(post['html'])}`).slice(0, 8);
  const more = meta.get(id);
  const status = text(post['status']);
  const visibility = said(post['visibility']) ?? 'public';
  const inline = Array.isArray(post['tags']) ? objectsIn(post['tags']).map(tagOf) : undefined;
  const named = inline ?? (tagged.get(id) ?? []).flatMap((tag) => tags.get(tag) ?? []);
  const { html, notes } = postHtml(post);
  const address = /^https?:\/\//.test(text(post['url'])) ? text(post['url']) : addressAt(site, slug);
  const isMarked = html.includes('__GHOST_URL__');
  const banner = said(post['feature_image']) ?? said(post['image']) ?? said(more?.['og_image']);
  const bannerUrl = banner === undefined ? undefined : publicUrl(banner, address ?? site);
  return {
    kind: 'article',
    id,
    mark: id.length > 12 ? id.slice(-8) : id,
    lang: said(post['locale']) ?? said(post['language']),
    title,
    slug,
    html: html.replaceAll('__GHOST_URL__', ''),
    summary:
      said(post['custom_excerpt']) ?? said(post['meta_description']) ?? said(more?.['meta_description']),
    parents: [],
    tags: named.filter(({ name }) => name.trim() !== '' && !name.startsWith('#')),
    isDraft: status !== 'published',
    restricted:
      visibility !== 'public'
        ? `only ${visibility} may read it`
        : status === 'sent'
          ? 'it was sent by e-mail only'
          : undefined,
    updated: isoTime(post['updated_at']),
    author: idText(post['author_id']),
    addresses: address === undefined ? [] : [address],
    names: slug === undefined ? [] : [`slug ${slug}`],
    bannerUrl,
    notes: [
      ...notes,
      ...(isMarked && site === undefined
        ? ['its addresses begin with __GHOST_URL__; --site names the address of the old site']
        : []),
      ...(banner !== undefined && bannerUrl === undefined
        ? [`its picture ${banner.slice(0, 80)} has no full address; --site completes it`]
        : []),
      ...(post['featured'] === true || post['featured'] === 1 ? ['it was featured'] : []),
    ],
    at,
  };
}

function addressAt(site: string | undefined, slug: string | undefined): string | undefined {
  return site === undefined || slug === undefined ? undefined : `${site}/${slug}/`;
}

function publicUrl(url: string, base: string | undefined): string | undefined {
  const plain = url.replace('__GHOST_URL__', '');
  if (!isUrl(plain, base)) return undefined;
  const full = new URL(plain, base);
  return /^https?:$/.test(full.protocol) ? full.href : undefined;
}

/** The last part of a path on the same site, whatever permalinks it has; pages of tags and authors are none. */
function slugMeant(url: string, base: string | undefined): string | undefined {
  const plain = url.trim();
  const site = base ?? 'https://ghost.invalid/';
  if (plain === '' || plain.startsWith('#') || !isUrl(plain, site)) return undefined;
  const { origin, pathname } = new URL(plain, site);
  if (origin !== new URL(site).origin || /^\/(?:tag|author|content|assets|ghost)\//.test(pathname))
    return undefined;
  return /([^/]+)\/?$/.exec(pathname)?.[1];
}

/** A post as HTML: as Ghost rendered it, or else out of what its editors keep. */
function postHtml(post: JsonObject): { readonly html: string; readonly notes: readonly string[] } {
  const html = said(post['html']);
  if (html !== undefined) return { html, notes: [] };
  const lexical = parsed(post['lexical']);
  if (lexical !== undefined) return lexicalHtml(lexical);
  const mobiledoc = parsed(post['mobiledoc']);
  if (mobiledoc !== undefined) return mobiledocHtml(mobiledoc);
  const markdown = said(post['markdown']);
  return { html: markdown === undefined ? '' : markdownHtml(markdown), notes: [] };
}

function parsed(value: unknown): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  try {
    const made: unknown = JSON.parse(text(value));
    return isJsonObject(made) ? made : undefined;
  } catch {
    return undefined;
  }
}
