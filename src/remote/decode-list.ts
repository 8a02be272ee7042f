import { HEADERS, ROUTES } from '../contract/index.ts';
import { fingerprint } from '../model/fingerprint.ts';
import type { ListView } from '../model/fingerprint.ts';
import type { Kind } from '../model/key.ts';
import type { ListedRecord } from '../model/record.ts';
import type { Answer } from './answer.ts';
import type { RemoteList } from './remote.ts';
import type { CleanText } from './remote-text.ts';
import { conform, notUnderstood } from './wire.ts';

/** Throws `not-understood` for anything but a list of the documented items, each id once. */
export function decodeList(
  kind: Kind,
  { value, headers }: Answer,
  context: { readonly request: string; readonly clean: CleanText },
): RemoteList {
  const list = decodeKind(kind, value, context);
  const seen = new Set<string>();
  for (const { id } of list.items) {
    if (seen.has(id))
      throw notUnderstood(context.request, `the id ${context.clean(id)} is in the list twice`);
    seen.add(id);
  }
  const total = headers[HEADERS.totalCount.toLowerCase()];
  return total !== undefined && /^\d{1,9}$/.test(total) ? { ...list, total: Number(total) } : list;
}

function decodeKind(
  kind: Kind,
  value: unknown,
  context: { readonly request: string; readonly clean: CleanText },
): RemoteList {
  switch (kind) {
    case 'article': {
      const reply = conform(ROUTES.listArticles.reply, value, context);
      const items = reply.data.map((item) =>
        listed(kind, item.id, {
          name: item.name,
          languages: codes(item.other_articles),
          status: item.status,
          lastEdited: item.last_edited_date ?? '',
        }),
      );
      return { items, limit: reply.limit, languages: reply.languages };
    }
    case 'category': {
      const reply = conform(ROUTES.listCategories.reply, value, context);
      const items = reply.data.map((item) =>
        listed(kind, item.id, {
          name: item.name,
          languages: codes(item.other_categories_categories_language_parentTocategories),
          ordering: item.order_by ?? 0,
          parentName: item.other_categories_categories_parent_idTocategories?.name ?? '',
          inUse: [item.article_relationships ?? []].flat().length > 0,
        }),
      );
      return { items };
    }
    case 'tag': {
      const reply = conform(ROUTES.listTags.reply, value, context);
      const items = reply.data.map((item) =>
        listed(kind, item.id, {
          name: item.name,
          languages: codes(item.other_tags),
          slug: item.slug,
          inUse: item.tag_relationship.length > 0,
        }),
      );
      const articleIds = new Set(
        reply.data.flatMap((item) => item.tag_relationship.map((link) => link.article_id)),
      );
      return { items, languages: reply.languages, articleIds: [...articleIds] };
    }
  }
}

function listed(kind: Kind, id: string, view: ListView): ListedRecord {
  const { name, slug, languages } = view;
  return {
    kind,
    id,
    name,
    languages,
    view,
    seen: fingerprint(kind, view),
    ...(slug === undefined ? {} : { slug }),
  };
}

function codes(entries: readonly { readonly language: string }[]): readonly string[] {
  return entries.length === 0 ? [] : [...new Set(entries.map((entry) => entry.language))].sort();
}
