import type { About, Habit, Json } from '../service/habit.ts';

type Shape = (body: Json, about: About) => unknown;

const shaped = (shape: Shape): Habit => ({ shapes: () => shape });

/** Changes each row of a list. */
const rows =
  (change: (row: Json) => Json, kind?: About['kind']): Shape =>
  (body, about) =>
    about.reply === 'list' && (kind === undefined || about.kind === kind) && Array.isArray(body['data'])
      ? { ...body, data: body['data'].map((row) => change(row as Json)) }
      : body;

/** Changes the record of a single read. */
const data =
  (change: (record: Json) => Json): Shape =>
  (body, about) =>
    about.reply === 'read' && typeof body['data'] === 'object' && body['data'] !== null
      ? { ...body, data: change(body['data'] as Json) }
      : body;

const both =
  (change: (record: Json) => Json): Shape =>
  (body, about) =>
    data(change)(rows(change)(body, about) as Json, about);

const without = (record: Json, isDropped: (value: unknown) => boolean): Json =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => !isDropped(value)));
const mapped = (record: Json, change: (value: unknown, name: string) => unknown): Json =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
const deep = (value: unknown, change: (value: unknown) => unknown): unknown => {
  const changed = change(value);
  if (Array.isArray(changed)) return changed.map((each: unknown) => deep(each, change));
  if (typeof changed === 'object' && changed !== null)
    return mapped(changed as Json, (each) => deep(each, change));
  return changed;
};
const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((each) => renamed(each, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [rename(name), renamed(each, rename)]),
  );
};
/** Every object with fields that nobody asked for. */
const widened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(widened);
  if (typeof value !== 'object' || value === null) return value;
  return { ...mapped(value as Json, widened), $type: 'x', links: { self: null } };
};
const TEXTS = new Set(['name', 'content', 'excerpt', 'description', 'long_description']);
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const PLAIN_NUMBER = /^\d{1,15}$/;

/** The JSON of replies, where a service writes it otherwise than the text shows. */
export const SHAPES = {
  'category-rows-with-an-empty-object': shaped(
    rows((row) => ({ ...row, article_relationships: {} }), 'category'),
  ),
  'category-rows-without-articles': shaped(
    rows(
      (row) => mapped(row, (value, name) => (name === 'article_relationships' ? undefined : value)),
      'category',
    ),
  ),
  'category-rows-with-a-list-of-articles': shaped(
    rows((row) => ({ ...row, article_relationships: [] }), 'category'),
  ),
  'nulls-are-left-out': shaped((body, about) =>
    both((record) => without(record, (value) => value === null))(
      without(body, (value) => value === null),
      about,
    ),
  ),
  'nulls-are-empty-texts': shaped(both((record) => mapped(record, (value) => (value === null ? '' : value)))),
  'empty-texts-are-null': shaped(both((record) => mapped(record, (value) => (value === '' ? null : value)))),
  'empty-values-are-left-out': shaped(
    both((record) => without(record, (value) => value === '' || value === 0 || value === false)),
  ),
  'empty-lists-are-left-out': shaped(both((record) => without(record, isEmptyList))),
  'empty-lists-are-null': shaped(
    both((record) => mapped(record, (value) => (isEmptyList(value) ? null : value))),
  ),
  'empty-lists-are-objects': shaped((body) => deep(body, (value) => (isEmptyList(value) ? {} : value))),
  'one-of-a-list-stands-alone': shaped(
    both((record) =>
      mapped(record, (value) => (Array.isArray(value) && value.length === 1 ? value[0] : value)),
    ),
  ),
  'names-in-camel-case': shaped((body) =>
    renamed(body, (name) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())),
  ),
  'names-begin-with-capitals': shaped((body) =>
    renamed(body, (name) => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())),
  ),
  'names-with-underscores-only': shaped((body) =>
    renamed(body, (name) => name.replaceAll(/_?([A-Z])/g, (_, letter: string) => `_${letter.toLowerCase()}`)),
  ),
  'texts-are-raw-and-rendered': shaped(
    both((record) =>
      mapped(record, (value, name) =>
        TEXTS.has(name) ? { raw: value, rendered: `${String(value)}\n`, protected: false } : value,
      ),
    ),
  ),
  'ids-in-capitals-in-reads': shaped(
    data((record) => ({ ...record, id: String(record['id']).toUpperCase() })),
  ),
  'message-is-null': shaped((body) => ({ ...body, message: null })),
  'message-is-an-object': shaped((body) => ({ ...body, message: { text: body['message'] } })),
  'no-message': shaped((body) =>
    mapped(body, (value, name) => (name === 'message' && body['success'] === true ? undefined : value)),
  ),
  'is-draft-false': shaped((body, { reply }) => (reply === 'read' ? { ...body, isDraft: false } : body)),
  'is-draft-empty-object': shaped((body, { reply }) => (reply === 'read' ? { ...body, isDraft: {} } : body)),
  'is-draft-names-itself': shaped((body, { reply, kind }) =>
    reply === 'read' && kind === 'article'
      ? { ...body, isDraft: { id: (body['data'] as Json | null)?.['id'] } }
      : body,
  ),
  'no-is-draft': shaped((body) => mapped(body, (value, name) => (name === 'isDraft' ? undefined : value))),
  'no-new-version-while-false': shaped((body) =>
    mapped(body, (value, name) => (name === 'newVersion' && value === false ? undefined : value)),
  ),
  'flags-are-0-and-1': shaped((body) =>
    mapped(
      deep(body, (value) => (typeof value === 'boolean' ? Number(value) : value)) as Json,
      (value, name) => (name === 'success' ? body['success'] : value),
    ),
  ),
  'flags-are-text': shaped(
    both((record) => mapped(record, (value) => (typeof value === 'boolean' ? String(value) : value))),
  ),
  'success-is-1': shaped((body) => ({ ...body, success: Number(body['success']) })),
  'success-is-text': shaped((body) => ({ ...body, success: String(body['success']) })),
  'success-is-0-and-1-as-text': shaped((body) => ({ ...body, success: String(Number(body['success'])) })),
  'a-record-is-a-list-of-one': shaped((body, { reply }) =>
    reply === 'read' ? { ...body, data: [body['data']] } : body,
  ),
  'order-0-is-null': shaped(
    both((record) => mapped(record, (value, name) => (name === 'order_by' && value === 0 ? null : value))),
  ),
  'texts-have-spaces-around': shaped(
    rows((row) =>
      mapped(row, (value, name) => (name === 'name' || name === 'status' ? ` ${String(value)} ` : value)),
    ),
  ),
  'errors-are-a-list': {
    shapes:
      () =>
      (body, { reply }) =>
        reply === 'error' ? { success: false, errors: [{ detail: body['message'] }] } : body,
  },
  'labels-are-missing': shaped((body, { reply }) =>
    reply === 'read'
      ? mapped(body, (value, name) => (name === 'categories' || name === 'tags' ? [] : value))
      : body,
  ),
  'lists-have-no-languages': shaped((body, { reply }) =>
    reply === 'list' ? mapped(body, (value, name) => (name === 'languages' ? null : value)) : body,
  ),
  'numbers-are-text': shaped((body) =>
    deep(body, (value) => (typeof value === 'number' ? String(value) : value)),
  ),
  'numbers-are-decimals': shaped(
    both((record) => mapped(record, (value, name) => (name === 'order_by' ? `${String(value)}.00` : value))),
  ),
  'ids-are-numbers-in-json': {
    rules: { ids: 'number' },
    shapes: () => (body) =>
      deep(body, (value) => (typeof value === 'string' && PLAIN_NUMBER.test(value) ? Number(value) : value)),
  },
  'ids-are-huge-numbers-in-json': {
    rules: { ids: 'huge-number' },
    writes: (text) => text.replaceAll(/"(90071992547\d{5})"/g, '$1'),
  },
  'ids-are-numbers-in-lists-only': {
    rules: { ids: 'number' },
    shapes: () => rows((row) => ({ ...row, id: Number(row['id']) })),
  },
  'ids-in-capitals-in-lists': shaped(rows((row) => ({ ...row, id: String(row['id']).toUpperCase() }))),
  'creators-without-names': shaped(
    rows((row) => mapped(row, (value, name) => (name.startsWith('users_') ? { username: 'ada' } : value))),
  ),
  'creators-are-null': shaped(
    rows((row) => mapped(row, (value, name) => (name.startsWith('users_') ? null : value))),
  ),
  'rows-come-twice': shaped((body, about) =>
    about.reply === 'list' && Array.isArray(body['data'])
      ? { ...body, data: body['data'].flatMap((row: unknown) => [row, row]) }
      : body,
  ),
  'rows-come-twice-and-differ': shaped((body, about) =>
    about.reply === 'list' && about.kind === 'category' && Array.isArray(body['data'])
      ? {
          ...body,
          data: body['data'].flatMap((row) => [
            row,
            { ...(row as Json), article_relationships: { id: 'x', category_id: (row as Json)['id'] } },
          ]),
        }
      : body,
  ),
  'lists-are-numbered-objects': shaped((body, about) =>
    about.reply === 'list' && Array.isArray(body['data'])
      ? { ...body, data: Object.fromEntries(body['data'].entries()) }
      : body,
  ),
  'an-empty-list-is-null': shaped((body, about) =>
    about.reply === 'list' && isEmptyList(body['data']) ? { ...body, data: null } : body,
  ),
  'status-in-capitals': shaped(
    both((record) =>
      mapped(record, (value, name) => (name === 'status' ? String(value).toUpperCase() : value)),
    ),
  ),
  'status-has-a-capital': shaped(
    both((record) =>
      mapped(record, (value, name) =>
        name === 'status' ? String(value).replace(/^./, (letter) => letter.toUpperCase()) : value,
      ),
    ),
  ),
  'status-in-other-words': shaped(
    both((record) =>
      mapped(record, (value, name) =>
        name === 'status' ? (value === 'published' ? 'live' : 'unpublished') : value,
      ),
    ),
  ),
  'status-in-words-of-its-own': shaped(
    both((record) =>
      mapped(record, (value, name) =>
        name === 'status' ? (value === 'published' ? 'for everybody' : 'in preparation') : value,
      ),
    ),
  ),
  'translations-are-texts': shaped(
    rows((row) =>
      mapped(row, (value, name) =>
        name.startsWith('other_') && Array.isArray(value)
          ? value.map((each) => (each as Json)['language'])
          : value,
      ),
    ),
  ),
  'translations-are-a-number': shaped(
    rows((row) =>
      mapped(row, (value, name) =>
        name.startsWith('other_') && Array.isArray(value) ? value.length : value,
      ),
    ),
  ),
  'a-parent-is-an-object': shaped(
    data((record) =>
      mapped(record, (value, name) => (name === 'language_parent' && value !== null ? { id: value } : value)),
    ),
  ),
  'links-are-plain-ids': shaped(
    data((record) =>
      mapped(record, (value, name) =>
        (name === 'tags_relationship' || name === 'article_relationships') && Array.isArray(value)
          ? value.map((each) => (each as Json)['tag_id'] ?? (each as Json)['category_id'])
          : value,
      ),
    ),
  ),
  'a-category-counts-its-articles': shaped(
    rows(
      (row) =>
        mapped(row, (value, name) => (name === 'article_relationships' ? (value === null ? 0 : 3) : value)),
      'category',
    ),
  ),
  'dates-are-objects': shaped(
    both((record) =>
      mapped(record, (value, name) =>
        /edited_date$/i.test(name) ? { date: value, timezone: 'UTC' } : value,
      ),
    ),
  ),
  'dates-in-iso': { rules: { dates: 'iso' } },
  'dates-by-the-second': { rules: { dates: 'seconds' } },
  'dates-by-the-minute': { rules: { dates: 'minutes' } },
  'dates-as-people-write': { rules: { dates: 'local' } },
  'dates-with-an-offset': { rules: { dates: 'offset' } },
  'dates-are-numbers': { rules: { dates: 'epoch' } },
  'dates-never-move': { rules: { editedMoves: 'never' } },
  'dates-move-with-the-text-only': { rules: { editedMoves: 'content' } },
  'dates-move-with-views': { rules: { editedMoves: 'view' } },
  'the-clock-is-a-year-ahead': { rules: { clockOffMs: 31_536_000_000 } },
  'the-clock-is-days-behind': { rules: { clockOffMs: -259_200_000 } },
  'last-edited-date-in-small-letters': shaped(
    data((record) =>
      mapped({ ...record, last_edited_date: record['last_edited_Date'] }, (value, name) =>
        name === 'last_edited_Date' ? undefined : value,
      ),
    ),
  ),
  'more-fields-than-the-text': shaped((body) => widened(body)),
  'summaries-differ-each-time': {
    shapes: ({ random }) =>
      rows((row) => ('ai_summary' in row ? { ...row, ai_summary: `Summary ${random()}` } : row)),
  },
  'errors-with-200': { rules: { errors: '200', unknownId: '200' } },
  'errors-with-400': { rules: { errors: '400' } },
  'errors-with-500': { rules: { errors: '500', unknownId: '500' } },
  'unknown-ids-are-400': { rules: { unknownId: '400' } },
  'unknown-ids-are-500': { rules: { unknownId: '500' } },
  'unknown-ids-are-403': { rules: { unknownId: '403' } },
  'unknown-ids-are-410': { rules: { unknownId: '410' } },
  'errors-name-a-request-id': {
    shapes:
      ({ random }) =>
      (body, { reply }) =>
        reply === 'error'
          ? { ...body, message: `${String(body['message'])} (request ${Math.floor(random() * 1e9)})` }
          : body,
  },
} as const satisfies Readonly<Record<string, Habit>>;
