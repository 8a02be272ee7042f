import type { Kind } from '../../../src/model/key.ts';
import type { Send } from '../../../src/remote/remote.ts';
import {
  askedOf,
  changedResponse,
  inner,
  isList,
  isRead,
  itemsOf,
  jsonOf,
  languagesFieldOf,
  listOf,
  PATH_OF,
  readOf,
  recordOf,
} from './seam.ts';
import type { Json, Oddity } from './seam.ts';

/** Deleting a category deletes what is in it, or takes it out of the category. */
export function categoryInUse(what: 'cascades' | 'orphans'): Oddity {
  return ({ harm }) =>
    (send) =>
    async (request) => {
      const asked = askedOf(request);
      if (asked.method !== 'DELETE' || asked.kind !== 'category' || asked.id === undefined) {
        return send(request);
      }
      const { id } = asked;
      for (const row of await listOf('category', request, send)) {
        const shown = await readOf('category', row.id, request, send);
        if (shown === undefined || recordOf(shown)['parent_id'] !== id) continue;
        harm.push(`category ${row.name} lost its parent`);
        await send(inner(request, 'POST', `categories/${row.id}`, { categoryParent: null, lang: 'en' }));
      }
      for (const row of await listOf('article', request, send)) {
        for (const lang of ['en', ...row.languages]) {
          const shown = await readOf('article', row.id, request, send, lang);
          if (shown === undefined) continue;
          const data = recordOf(shown);
          const links = data['article_relationships'] as readonly { category_id: string }[];
          if (!links.some(({ category_id }) => category_id === id)) continue;
          harm.push(`article ${row.name} was in the deleted category`);
          if (what === 'cascades') await deleteWhole(row.id, request, send);
          else await send(inner(request, 'POST', `articles/${row.id}`, withoutCategory(data, id, lang)));
        }
      }
      return send(request);
    };
}

function withoutCategory(data: Json, id: string, lang: string): Json {
  const links = data['article_relationships'] as readonly { category_id: string }[];
  return {
    title: data['name'],
    slug: data['slug'],
    excerpt: data['excerpt'],
    ordering: data['order_by'],
    status: data['status'],
    content: data['content'],
    categories: links.filter((link) => link.category_id !== id).map((link) => ({ value: link.category_id })),
    lang,
  };
}

async function deleteWhole(id: string, request: Request, send: Send): Promise<void> {
  const row = (await listOf('article', request, send)).find((each) => each.id === id);
  for (const lang of row?.languages ?? []) {
    const shown = await readOf('article', id, request, send, lang);
    if (shown !== undefined)
      await send(inner(request, 'DELETE', `articles/${String(recordOf(shown)['id'])}`));
  }
  await send(inner(request, 'DELETE', `articles/${id}`));
}

/**
 * Deleting an original deletes its translations, or leaves them behind: listed as records of their own whose parent is
 * gone.
 */
export function translationsOfDeleted(what: 'cascade' | 'stay'): Oddity {
  return ({ harm }) => {
    const ghosts = new Map<string, { readonly kind: Kind; readonly item: Json; readonly reply: Json }>();
    return (send) => async (request) => {
      const asked = askedOf(request);
      const ghost = ghosts.get(asked.id ?? '');
      if (ghost !== undefined && isRead(asked)) return Response.json(ghost.reply);
      if (ghost !== undefined && asked.method === 'DELETE') {
        ghosts.delete(asked.id ?? '');
        return Response.json({ success: true, message: 'gone' });
      }
      if (asked.method === 'DELETE' && asked.kind !== undefined && asked.id !== undefined) {
        const { kind, id } = asked;
        const row = (await listOf(kind, request, send)).find((each) => each.id === id);
        for (const lang of row?.languages ?? []) {
          const reply = await readOf(kind, id, request, send, lang);
          if (row === undefined || reply === undefined) continue;
          harm.push(`the ${lang} translation of ${row.name} lost its original`);
          const { id: ownId, name } = recordOf(reply);
          await send(inner(request, 'DELETE', `${PATH_OF[kind]}/${String(ownId)}`));
          const item = { ...row.item, id: ownId, name, [languagesFieldOf(kind)]: [] };
          if (what === 'stay') ghosts.set(String(ownId), { kind, item, reply });
        }
      }
      const response = await send(request);
      if (!isList(asked)) return response;
      const body = await jsonOf(response);
      const extra = [...ghosts.values()].filter(({ kind }) => kind === asked.kind).map(({ item }) => item);
      return changedResponse(response, { ...body, data: [...itemsOf(body), ...extra] });
    };
  };
}
