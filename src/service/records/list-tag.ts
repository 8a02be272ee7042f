import { hash } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Sql } from '../store/store.ts';

export type MarkedList = 'articles' | 'categories' | 'tags';

/** Goes up whenever a list is written otherwise than before: what a client kept of an older kbsync is not what it gets now. */
const FORM = 1;

/**
 * Names every byte of the list as the store's state shows it (RFC 9110, 8.8.3: a strong tag), without reading the list. Each
 * write that a list shows gives it a new mark, in its own transaction; the languages that this process enables count too.
 */
export async function listTag(sql: Sql, { rule }: Context, list: MarkedList): Promise<string> {
  const marks = await sql.all<{ readonly mark: string }>(
    'select mark from list_marks where list = ? order by shard',
    list,
  );
  const named = [FORM, rule.defaultLanguage, rule.languages ?? null, marks.map(({ mark }) => mark)];
  return `"${list}.${hash('sha256', JSON.stringify(named), 'base64url')}"`;
}
