import { digestOfText } from '../../model/digest.ts';
import type { JsonObject } from '../../text/json-value.ts';
import type { Answer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { RemoteError } from '../error.ts';
import { stopsEverything } from '../read-many.ts';
import type { More } from '../remote.ts';
import { pageSigns } from '../wire/pages.ts';
import { rowsOf, type Reading } from '../wire/reply.ts';
import { idOf } from '../wire/values.ts';

export type GetList = (path: string, known?: Pick<Call, 'knownDigest' | 'knownTag'>) => Promise<Answer>;

export interface WholeList {
  /** The first answer, with the rows of all pages. */
  readonly answer: Answer;
  /** Of the bytes of all pages; undefined: the list has one page. */
  readonly digest?: string;
  readonly more?: More;
  /** The list has pages, or could have some, and each of its records was read. */
  readonly isRead?: true;
}

/** Records come and go while pages are read. So often a list is read again until two readings agree. */
const READINGS_MAX = 4;

/**
 * The whole of a list that comes in pages. While they are read, rows move from page to page: one that moves forward is missing.
 * So the number of records has to be the one that the service tells, or a second reading has to show the same records.
 */
export async function wholeList(
  first: Answer,
  path: string,
  get: GetList,
  reading: Reading,
): Promise<WholeList> {
  const { next, guess, isOnlyCounted } = pageSigns(first, path);
  if (next === undefined && guess === undefined) return firstPage(first, path);
  let pages = await readPages(first, path, get, reading);
  if (isOnlyCounted === true && pages.rowCount <= rowsOf(first.value, reading).length)
    return firstPage(first, path);
  for (let readings = 1; readings < READINGS_MAX && pages.more === undefined; readings += 1) {
    if (pages.count === pages.ids.size) return joined(pages, { isRead: true });
    const again = await readPages(await get(path, { knownDigest: '' }), path, get, reading);
    const isSame = again.order === pages.order;
    pages = again;
    if (!isSame || again.more !== undefined) continue;
    if (!hidesOne(again)) return joined(again, { isRead: true });
    if (!again.hasRowTwice) return joined(again, { more: { why: countedWords(again), isCertain: true } });
  }
  const { more: open = { why: 'its pages change while they are read', isCertain: true } } = pages;
  return joined(pages, { more: open });
}

/**
 * Where a row came twice, its place on the other page was another row's: a list that moves in each reading hides the same one. And a page
 * whose address nobody told may be another one than the next. A list with a row for each language may count its rows.
 */
function hidesOne({ count, ids, rowCount, hasRowTwice, hasGuess }: Pages): boolean {
  return (hasRowTwice || hasGuess) && count !== undefined && ids.size < count && rowCount !== count;
}

function countedWords({ count, rowCount }: Pages): string {
  return `it counts ${count} records, and its pages show ${rowCount}`;
}

/** The first page alone, and what it says of more. */
export function firstPage(answer: Answer, path: string): WholeList {
  const { next, more, isWhole } = pageSigns(answer, path);
  const open = next === undefined ? more : { why: 'it names a next page', isCertain: true };
  return {
    answer,
    ...(open === undefined ? {} : { more: open }),
    ...(isWhole === true ? { isRead: true } : {}),
  };
}

interface Pages {
  readonly first: Answer;
  readonly rows: readonly JsonObject[];
  readonly ids: ReadonlySet<string>;
  /** Without those that came twice. */
  readonly rowCount: number;
  /** Of the ids, in their order. */
  readonly order: string;
  readonly digests: readonly string[];
  /** Of all records, if each page tells the same: a record that was deleted meanwhile hides another one between two pages. */
  readonly count: number | undefined;
  /** A row with one id and language came twice. */
  readonly hasRowTwice: boolean;
  /** A page was asked for by a query that no answer names. */
  readonly hasGuess: boolean;
  readonly more?: More;
}

const COUNTED: More = { why: 'it counts more records', isCertain: false };

/** Endless pages end here. */
const PAGES_MAX = 10_000;

async function readPages(first: Answer, path: string, get: GetList, reading: Reading): Promise<Pages> {
  const rows: JsonObject[] = [];
  const ids = new Set<string>();
  const order: string[] = [];
  const digests: string[] = [];
  const asked = new Set<string>();
  const named = new Set<string>();
  const counts = new Set<number | undefined>();
  let answer = first;
  let hasGuess = false;
  let asksForNumber = false;
  /** Why there is more, if it is not known that the service has pages at such an address. */
  let unproved: More | undefined;
  for (;;) {
    const before = named.size;
    const page = rowsOf(answer.value, reading);
    const rowsBefore = { pages: digests.length, rows: rows.length };
    for (const row of page) {
      const id = idOf(row['id']) ?? '';
      ids.add(id);
      order.push(id);
      named.add(JSON.stringify([id, row['language'] ?? null]));
      rows.push(row);
    }
    digests.push(answer.digest ?? '');
    const { next: address, guess, more, count: told } = pageSigns(answer, path, rowsBefore);
    const next = address ?? guess;
    counts.add(told);
    const count = counts.size === 1 ? told : undefined;
    const rowCount = named.size;
    const hasRowTwice = rowCount < rows.length;
    const read = {
      first,
      rows,
      ids,
      rowCount,
      order: order.join('\n'),
      digests,
      count,
      hasRowTwice,
      hasGuess,
    };
    const isOver = page.length > 0 && rowCount === before;
    // It does not know the query, or its first page has another number.
    const isOtherPage = isOver || (page.length === 0 && asksForNumber);
    if (isOtherPage && unproved !== undefined) return { ...read, more: unproved };
    // The number of all records is more than the last page holds.
    if (next === undefined) return { ...read, ...(more?.isCertain === true ? { more } : {}) };
    // Some show the last page for each number behind it.
    if (isOver && (count === ids.size || count === rowCount)) return read;
    if (isOver || asked.has(next) || asked.size >= PAGES_MAX)
      return { ...read, more: { why: 'its pages come to no end', isCertain: true } };
    asked.add(next);
    unproved = address === undefined ? (more ?? COUNTED) : undefined;
    asksForNumber = next.startsWith('?page=');
    hasGuess ||= address === undefined;
    const query = `${path}${next}`;
    const answered = await (unproved === undefined
      ? get(query, { knownDigest: '' })
      : answerOrNone(() => get(query, { knownDigest: '' })));
    if (answered === undefined) return { ...read, ...(more === undefined ? {} : { more }) };
    answer = answered;
  }
}

/** A service that does not know the query of a next page may refuse it. */
async function answerOrNone(get: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await get();
  } catch (error) {
    if (error instanceof RemoteError && (error.code === 'redirect' || !stopsEverything(error)))
      return undefined;
    throw error;
  }
}

function joined({ first, rows, digests }: Pages, end: Pick<WholeList, 'more' | 'isRead'>): WholeList {
  const value = { ...first.value, data: end.isRead === true ? rows : lastOfEach(rows) };
  const digest = `pages:${digestOfText(digests.join(' '))}`;
  return { answer: { ...first, value }, digest, ...end };
}

/** A row that moved while the pages were read is in two of them, and may say two things of its record. */
function lastOfEach(rows: readonly JsonObject[]): readonly JsonObject[] {
  return [...new Map(rows.map((row) => [idOf(row['id']) ?? row, row] as const)).values()];
}
