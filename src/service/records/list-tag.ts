import { hash } from 'node:crypto';
import type { Context } from '../context.ts';
import { HOLD_SHARD } from '../store/migrations.ts';
import type { Sql, Transaction } from '../store/store.ts';
import { together } from '../store/together.ts';

const LISTS = ['articles', 'categories', 'tags'] as const;
export type MarkedList = (typeof LISTS)[number];

/** Goes up whenever a list is written otherwise than before: what a client kept of an older kbsync is not what it gets now. */
const FORM = 1;

/**
 * Names every byte of the list as the store's state shows it (RFC 9110, 8.8.3: a strong tag), without reading the list. Each
 * write that a list shows gives it a new mark, in its own transaction; the languages that this process enables count too.
 */
export async function listTag(sql: Sql, context: Context, list: MarkedList): Promise<string> {
  const marks = await sql.all<{ readonly mark: string }>(
    'select mark from list_marks where list = ? order by shard',
    list,
  );
  return tagOf(
    context,
    list,
    marks.map(({ mark }) => mark),
  );
}

function tagOf({ rule }: Context, list: MarkedList, marks: readonly string[]): string {
  const named = [FORM, rule.defaultLanguage, rule.languages ?? null, marks];
  return `"${list}.${hash('sha256', JSON.stringify(named), 'base64url')}"`;
}

/** From one tag of a list to the next one, by one write alone. */
export interface ListStep {
  readonly before: string;
  readonly after: string;
}

/**
 * Does the work, and tells which lists it moved. No other write is part of a step: a list whose tag was `before` is, with this
 * write and nothing else, the list of `after`.
 */
export async function withListSteps<T>(
  sql: Transaction,
  context: Context,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly steps: readonly ListStep[] }> {
  const { value, before, after } = await (sql.dialect === 'sqlite'
    ? alone(sql, work)
    : amongOthers(sql, work));
  const steps = LISTS.map((list) => ({
    before: tagOf(context, list, marksOf(before, list)),
    after: tagOf(context, list, marksOf(after, list)),
  }));
  return { value, steps: steps.filter((step) => step.before !== step.after) };
}

interface Mark {
  readonly list: string;
  readonly shard: number;
  readonly mark: string;
}

interface Marked<T> {
  readonly value: T;
  readonly before: readonly Mark[];
  readonly after: readonly Mark[];
}

/** SQLite has one writer at a time, and moves the marks with each statement. */
async function alone<T>(sql: Transaction, work: () => Promise<T>): Promise<Marked<T>> {
  const before = await allMarks(sql);
  const value = await work();
  return { value, before, after: await allMarks(sql) };
}

/**
 * PostgreSQL moves the marks at the end of the transaction, in the rows of this connection. They are held from before they are
 * read, because another writer may share them; all other rows stay as they are in `before`, whoever writes them meanwhile.
 */
async function amongOthers<T>(sql: Transaction, work: () => Promise<T>): Promise<Marked<T>> {
  const value = await work();
  const own = 'select list, shard, mark from list_marks where shard = pg_backend_pid() % 16 order by list';
  const [, , , before, , moved] = await together([
    sql.get(HOLD_SHARD),
    // A row that is not there yet cannot be held.
    sql.run(
      `insert into list_marks
       select list, pg_backend_pid() % 16, md5(random()::text || clock_timestamp()::text || txid_current()::text)
       from (values ('articles'), ('categories'), ('tags')) as lists (list) order by list
       on conflict do nothing`,
    ),
    sql.all(`${own} for update`),
    allMarks(sql),
    sql.run('set constraints all immediate'),
    sql.all<Mark>(own),
  ]);
  const others = before.filter(({ shard }) => moved.every((row) => row.shard !== shard));
  return { value, before, after: [...others, ...moved] };
}

function allMarks(sql: Sql): Promise<readonly Mark[]> {
  return sql.all<Mark>('select list, shard, mark from list_marks');
}

function marksOf(marks: readonly Mark[], list: MarkedList): readonly string[] {
  return marks
    .filter((row) => row.list === list)
    .sort((a, b) => a.shard - b.shard)
    .map(({ mark }) => mark);
}
