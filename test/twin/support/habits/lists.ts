import type { Habit } from '../service/habit.ts';

const cut = (rows: number): Habit['rules'] => ({ listCut: { article: rows, category: rows, tag: rows } });

/** What lists show, in which order, and when. */
export const LISTS = {
  'newest-first': { rules: { listOrder: 'newest' } },
  'last-edited-first': { rules: { listOrder: 'edited' } },
  'any-order': { rules: { listOrder: 'random' } },
  'limit-is-the-length': { rules: { limitSays: 'length' } },
  'limit-is-not-said': { rules: { limitSays: 'none' } },
  'limit-is-1000': { rules: { limitSays: 1000 } },
  'articles-cut-at-25': { rules: { listCut: { article: 25 } } },
  'articles-cut-at-25-newest': { rules: { listCut: { article: 25 }, listCutKeeps: 'newest' } },
  'articles-cut-at-25-last-edited': { rules: { listCut: { article: 25 }, listCutKeeps: 'edited' } },
  'articles-cut-at-20': { rules: { listCut: { article: 20 } } },
  'all-cut-at-10': { rules: { ...cut(10), limitSays: 10 } },
  'categories-and-tags-cut-at-10': { rules: { listCut: { category: 10, tag: 10 } } },
  'tags-cut-at-7': { rules: { listCut: { tag: 7 } } },
  'all-cut-at-10-unsaid': { rules: { ...cut(10), limitSays: 'none' } },
  'articles-cut-at-20-limit-1000': { rules: { listCut: { article: 20 }, limitSays: 1000 } },
  'no-drafts-in-lists': { rules: { listDrafts: false } },
  'no-drafts-in-lists-ids-told': { rules: { listDrafts: false, createTells: 'location' } },
  'creates-are-unlisted-drafts': {
    rules: { listDrafts: false, createSets: { status: 'draft' }, slugTaken: 'allow' },
  },
  'creates-are-unlisted-drafts-ids-told': {
    rules: {
      listDrafts: false,
      createSets: { status: 'draft' },
      slugTaken: 'suffix',
      createTells: 'location',
    },
  },
  'no-drafts-at-all': { rules: { listDrafts: false, hidesDrafts: true } },
  'translations-are-rows': { rules: { listTranslations: true } },
  'lists-lag-3-s': { rules: { createListedMs: 3000 } },
  'lists-lag-a-minute': { rules: { createListedMs: 60_000 } },
  'creates-take-2-s': { rules: { createVisibleMs: 2000, createStatus: 202 } },
  'creates-take-2-s-ids-told': {
    rules: { createVisibleMs: 2000, createStatus: 202, createTells: 'location' },
  },
  'edits-take-2-s': { rules: { editVisibleMs: 2000 } },
  'deletes-take-2-s': { rules: { deleteVisibleMs: 2000 } },
  'a-replica-is-behind': { rules: { staleEvery: 5, staleMs: 5000 } },
  'deleted-rows-stay-listed': { rules: { deletes: 'listed-404' } },
  'deleted-rows-have-a-status': { rules: { deletes: 'status' } },
  'trashed-rows-have-a-status': { rules: { deletes: 'status', deletedStatus: 'trashed' } },
  'deleted-rows-have-a-date': {
    rules: { deletes: 'status', deletedStatus: 'published' },
    shapes:
      ({ rows }) =>
      (body, { kind }) => {
        const dated = (record: unknown): unknown => {
          if (typeof record !== 'object' || record === null || !('id' in record)) return record;
          const atMs = rows().find((row) => row.kind === kind && row.id === record.id)?.deleted?.atMs;
          return { ...record, deleted_at: atMs === undefined ? null : new Date(atMs).toISOString() };
        };
        const { data } = body;
        return { ...body, data: Array.isArray(data) ? data.map(dated) : dated(data) };
      },
  },
  'tags-name-translations-too': {
    shapes:
      ({ rows }) =>
      (body, { reply, kind }) => {
        if (reply !== 'list' || kind !== 'tag' || !Array.isArray(body['data'])) return body;
        const translations = rows().filter(
          (row) => row.kind === 'article' && row.original !== undefined && row.deleted === undefined,
        );
        const data = body['data'].map((tag: Readonly<Record<string, unknown>>) => ({
          ...tag,
          tag_relationship: [
            ...(tag['tag_relationship'] as readonly unknown[]),
            ...translations
              .filter(({ stored }) => (stored['tags'] as readonly string[]).includes(String(tag['id'])))
              .map(({ id }) => ({ id: `t-${id}`, article_id: id, tag_id: tag['id'] })),
          ],
        }));
        return { ...body, data };
      },
  },
  'deletes-unpublish': { rules: { deletes: 'unpublishes' } },
  'deletes-are-dropped': { rules: { deletes: 'says-yes' } },
  'deletes-are-refused': { rules: { deletes: 'refuses' } },
  'deleted-slugs-stay-taken': { rules: { slugsStayTaken: true } },
  'a-create-revives-the-deleted': { rules: { createWithSlug: 'revives' } },
  'a-create-edits-the-namesake': { rules: { createWithSlug: 'upserts' } },
  'originals-take-translations-along': { rules: { deleteOriginal: 'cascades' } },
  'originals-leave-translations-behind': { rules: { deleteOriginal: 'orphans' } },
  'categories-take-articles-along': { rules: { deleteCategory: 'cascades' } },
  'categories-let-articles-go': { rules: { deleteCategory: 'detaches' } },
} as const satisfies Readonly<Record<string, Habit>>;
