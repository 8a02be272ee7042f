import { setImmediate as nextTurn } from 'node:timers/promises';
import { MORE_SETS, type RedirectLine } from '../../contract/index.ts';
import type { Sql, Transaction } from '../store/store.ts';

export interface RedirectSet {
  readonly tag: string;
  readonly redirects: readonly RedirectLine[];
}

/** An address that another repository had before. */
export interface Claimed {
  readonly from: string;
  readonly by: string;
}

interface Row {
  readonly old_path: string;
  readonly target: string;
  readonly record_key: string | null;
}

const HEADER_CHARS_MAX = 2_000;
const CLAIMED_MAX = 100;
/** Some milliseconds. */
const TURN_ROWS = 500;

/** Which sets there are, as the header of lists tells it: `acme-docs=3f2a, shop=90bc`, the oldest first. */
export async function toldSets(sql: Sql, siteId: string): Promise<string> {
  const sets = await sql.all<{ readonly repository: string; readonly tag: string }>(
    'select repository, tag from redirect_sets where site_id = ? order by made_at, repository limit 101',
    siteId,
  );
  let told = '';
  for (const { repository, tag } of sets) {
    const next = `${told === '' ? '' : `${told}, `}${repository}=${tag}`;
    if (next.length > HEADER_CHARS_MAX) return `${told}, ${MORE_SETS}`;
    told = next;
  }
  return told;
}

/** Undefined: the repository has none. The lines are in the order of their old addresses. */
export async function readSet(
  sql: Sql,
  siteId: string,
  repository: string,
): Promise<RedirectSet | undefined> {
  const set = await sql.get<{ readonly tag: string }>(
    'select tag from redirect_sets where site_id = ? and repository = ?',
    siteId,
    repository,
  );
  if (set === undefined) return undefined;
  const rows = await rowsOf(sql, siteId, repository);
  return {
    tag: set.tag,
    redirects: rows.map(({ old_path: from, target: to, record_key: key }) => ({
      from,
      to,
      ...(key === null ? {} : { key }),
    })),
  };
}

/** Where an old address leads; of several sets that have it, the one that was there first. `from`: as a set names it. */
export async function findTarget(sql: Sql, siteId: string, from: string): Promise<string | undefined> {
  // None is named with NUL, and PostgreSQL refuses a statement that asks for it.
  if (from.includes('\0')) return undefined;
  const row = await sql.get<{ readonly target: string }>(
    `select r.target from redirects r
     join redirect_sets s on s.site_id = r.site_id and s.repository = r.repository
     where r.site_id = ? and r.old_path = ? order by s.made_at, s.repository limit 1`,
    siteId,
    from,
  );
  return row?.target;
}

/**
 * Makes these lines the set of the repository, and answers which of them another one had before. A set without lines is none. Only
 * rows that differ are written.
 */
export async function replaceSet(
  sql: Transaction,
  siteId: string,
  {
    repository,
    tag,
    redirects,
    nowMicros,
  }: RedirectSet & {
    readonly repository: string;
    readonly nowMicros: number;
  },
): Promise<readonly Claimed[]> {
  // Holds the set until the transaction ends: this comes first.
  await sql.run(
    `insert into redirect_sets (site_id, repository, tag, made_at) values (?, ?, ?, ?)
     on conflict (site_id, repository) do update set tag = excluded.tag`,
    siteId,
    repository,
    tag,
    nowMicros,
  );
  const before = new Map((await rowsOf(sql, siteId, repository)).map((row) => [row.old_path, row]));
  const wanted = new Map(redirects.map((line) => [line.from, line]));
  const gone = [...before.keys()].filter((from) => !wanted.has(from));
  const fresh = redirects.filter(({ from, to, key = null }) => {
    const row = before.get(from);
    return row?.target !== to || row.record_key !== key;
  });
  for (const [index, from] of gone.entries()) {
    await sql.run(
      'delete from redirects where site_id = ? and old_path = ? and repository = ?',
      siteId,
      from,
      repository,
    );
    if (index % TURN_ROWS === TURN_ROWS - 1) await nextTurn();
  }
  for (const [index, { from, to, key = null }] of fresh.entries()) {
    await sql.run(
      `insert into redirects (site_id, old_path, repository, target, record_key) values (?, ?, ?, ?, ?)
       on conflict (site_id, old_path, repository)
       do update set target = excluded.target, record_key = excluded.record_key`,
      siteId,
      from,
      repository,
      to,
      key,
    );
    if (index % TURN_ROWS === TURN_ROWS - 1) await nextTurn();
  }
  if (redirects.length > 0) return claimedBefore(sql, siteId, repository);
  await sql.run('delete from redirect_sets where site_id = ? and repository = ?', siteId, repository);
  return [];
}

function rowsOf(sql: Sql, siteId: string, repository: string): Promise<readonly Row[]> {
  return sql.all<Row>(
    `select old_path, target, record_key from redirects
     where site_id = ? and repository = ? order by old_path`,
    siteId,
    repository,
  );
}

function claimedBefore(sql: Sql, siteId: string, repository: string): Promise<readonly Claimed[]> {
  return sql.all<Claimed>(
    `select other.old_path as "from", min(other.repository) as "by" from redirects own
     join redirects other on other.site_id = own.site_id and other.old_path = own.old_path
       and other.repository <> own.repository
     join redirect_sets os on os.site_id = other.site_id and os.repository = other.repository
     join redirect_sets ms on ms.site_id = own.site_id and ms.repository = own.repository
     where own.site_id = ? and own.repository = ?
       and (os.made_at < ms.made_at or (os.made_at = ms.made_at and os.repository < ms.repository))
     group by other.old_path order by other.old_path limit ${CLAIMED_MAX}`,
    siteId,
    repository,
  );
}
