import type { SearchMiss } from '../../contract/index.ts';
import type { Sql, Store } from '../store/store.ts';
import { isoDate } from '../time.ts';

/** What is kept at most. Of more, those asked least go, and of these the oldest. */
const MISSES_MAX = 2000;
const KEPT_MICROS = 90 * 86_400_000_000;
const QUERY_CHARS_MAX = 80;
const DIGITS_MAX = 4;

/** Of mail and of the web: `://`, `www.`, and what an address says behind its question mark. */
const ADDRESS = /@|:\/\/|\bwww\.|[?&][^\s=&]+=/;

/**
 * A query as it is counted: in small letters, with single spaces. Undefined: it may say who asked, so nobody keeps it. That is
 * a query with an address of mail or of the web, one with five or more digits (numbers of orders, accounts and telephones), and
 * a long one, also where they are written in full width.
 */
export function countedQuery(query: string): string | undefined {
  const text = query
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  if (text === '' || text.length > QUERY_CHARS_MAX) return undefined;
  const plain = text.normalize('NFKC');
  const digits = plain.match(/\p{Nd}/gu)?.length ?? 0;
  return digits > DIGITS_MAX || ADDRESS.test(plain) ? undefined : text;
}

/** Counts searches that found nothing. `query` is one of `countedQuery`, `at` in microseconds since 1970. */
export async function countMiss(
  store: Store,
  { query, language }: { readonly query: string; readonly language: string },
  { times, at }: { readonly times: number; readonly at: number },
): Promise<void> {
  const { id: siteId } = store.knowledgeBase;
  await store.write(async (sql) => {
    await forgetOld(sql, siteId, at);
    await sql.run(
      `insert into search_misses (site_id, language, query, times, last_at) values (?, ?, ?, ?, ?)
       on conflict (site_id, language, query) do update
         set times = search_misses.times + excluded.times, last_at = excluded.last_at`,
      siteId,
      language,
      query,
      times,
      at,
    );
    const row = await sql.get<{ readonly kept: number }>(
      'select count(*) as kept from search_misses where site_id = ?',
      siteId,
    );
    if (Number(row?.kept) <= MISSES_MAX) return;
    await sql.run(
      `delete from search_misses where site_id = ? and (language, query) in (
         select language, query from search_misses where site_id = ?
         order by times, last_at, language, query limit ?)`,
      siteId,
      siteId,
      Number(row?.kept) - MISSES_MAX,
    );
  });
}

/** For the start of the service, which may count none any more. `now` in microseconds since 1970. */
export async function forgetOldMisses(store: Store, now: number): Promise<void> {
  await store.write((sql) => forgetOld(sql, store.knowledgeBase.id, now));
}

async function forgetOld(sql: Sql, siteId: string, now: number): Promise<void> {
  await sql.run('delete from search_misses where site_id = ? and last_at < ?', siteId, now - KEPT_MICROS);
}

interface Row {
  readonly query: string;
  readonly language: string;
  readonly times: number;
  readonly last_at: number;
}

/** Those asked most often first. */
export async function listMisses(
  sql: Sql,
  siteId: string,
  { now, count }: { readonly now: number; readonly count: number },
): Promise<readonly SearchMiss[]> {
  const rows = await sql.all<Row>(
    `select query, language, times, last_at from search_misses where site_id = ? and last_at >= ?
     order by times desc, last_at desc, language, query limit ?`,
    siteId,
    now - KEPT_MICROS,
    count,
  );
  return rows.map(({ query, language, times, last_at }) => ({
    query,
    language,
    times,
    last_date: isoDate(last_at),
  }));
}
