import type { ArticleReply, CategoryReply, TagReply } from '../contract/index.ts';
import { canonicalFields } from '../model/canonical.ts';
import { bodyFieldOf } from '../model/fields.ts';
import type { Fields } from '../model/fields.ts';
import type { Kind } from '../model/key.ts';
import type { KnownRecord } from '../model/record.ts';
import { splitStamp } from '../model/stamp.ts';

/** A single read's answer, whatever its kind, in the words of the model. */
export interface Decoded {
  /** Of the record that was shown; a translation may have an id of its own. */
  readonly id: string;
  readonly language: string | null;
  readonly languageParent: string | null;
  readonly isNewVersion: boolean;
  readonly fields: Fields;
  readonly stamp?: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly openDraft?: string;
}

export type Reply =
  | { readonly kind: 'article'; readonly reply: ArticleReply }
  | { readonly kind: 'category'; readonly reply: CategoryReply }
  | { readonly kind: 'tag'; readonly reply: TagReply };

/**
 * Body field names, references as ids, the body without its stamp, every value in the canonical form of
 * model/canonical.ts: a remote null is `''` for a text or body, null for an address, parent or date, `false` for
 * `hideFromSearch`, 0 for an ordering. The desired side uses the same function, so a value the author clears (`''` or
 * null) equals one the service never had.
 */
export function decode({ kind, reply }: Reply): Decoded {
  const { data } = reply;
  const raw =
    kind === 'article'
      ? articleFields(reply)
      : kind === 'category'
        ? categoryFields(reply)
        : tagFields(reply);
  const bodyName = bodyFieldOf(kind);
  const { body, stamp } = splitStamp(String(raw[bodyName] ?? ''));
  const openDraft = kind === 'article' ? reply.isDraft?.id : undefined;
  return {
    id: data.id,
    language: data.language,
    languageParent: data.language_parent,
    isNewVersion: reply.newVersion,
    fields: canonicalFields(kind, { ...raw, [bodyName]: body }),
    ...(stamp === undefined ? {} : { stamp }),
    labels: kind === 'article' ? labelsOf(reply) : new Map(),
    // The API may name the record itself as its draft; only another record is a copy in which an edit would be lost.
    ...(typeof openDraft === 'string' && openDraft !== data.id ? { openDraft } : {}),
  };
}

function articleFields({ data }: ArticleReply): Fields {
  return {
    title: data.name,
    slug: data.slug,
    categories: data.article_relationships.map((link) => link.category_id),
    tags: data.tags_relationship.map((link) => link.tag_id),
    excerpt: data.excerpt,
    ordering: data.order_by,
    status: data.status,
    hideFromSearch: data.hide_from_search,
    seoBannerUrl: data.seo_banner_url,
    articleReviewDate: data.article_review_date,
    content: data.content,
  };
}

function categoryFields({ data }: CategoryReply): Fields {
  return {
    name: data.name,
    slug: data.slug,
    priority: data.order_by,
    categoryParent: data.parent_id,
    description: data.description,
    thumbnailUrl: data.thumbnail_url,
    iconUrl: data.icon_url,
    longDescription: data.long_description,
  };
}

function tagFields({ data }: TagReply): Fields {
  return {
    name: data.name,
    slug: data.slug,
    description: data.description,
    longDescription: data.long_description,
  };
}

function labelsOf(reply: ArticleReply): ReadonlyMap<string, string> {
  return new Map([...reply.categories, ...reply.tags].map(({ value, label }) => [value, label]));
}

/** `lang` is the language asked for; `id` the one the record was asked by, which edits address. */
export function knownRecord(
  decoded: Decoded,
  asked: {
    readonly kind: Kind;
    readonly id: string;
    readonly lang: string;
    readonly etag: string | undefined;
  },
  readAtMs: number,
): KnownRecord {
  const { fields, stamp, labels, openDraft } = decoded;
  return {
    kind: asked.kind,
    id: asked.id,
    ownId: decoded.id,
    lang: asked.lang,
    fields,
    labels,
    readAtMs,
    ...(stamp === undefined ? {} : { stamp }),
    ...(openDraft === undefined ? {} : { openDraft }),
    ...(asked.etag === undefined ? {} : { etag: asked.etag }),
  };
}
