import { checkLink, type LinkCheckOptions, type LinkFinding } from './check.ts';
import { type Store, StoreError } from '../store/store.ts';
import { type Clock, nowMicros } from '../time.ts';

export interface LinkCheckerOptions extends Pick<LinkCheckOptions, 'send' | 'resolve' | 'allowPrivate'> {
  readonly store: Store;
  readonly clock: Clock & { sleep(delayMs: number, signal?: AbortSignal): Promise<void> };
  readonly onFailure?: (error: unknown) => void;
}

export interface LinkChecker {
  /** Breaks off what is under way; its links are checked again when their claim has run out. */
  stop(): Promise<void>;
}

const BATCH = 50;
const HOSTS_AT_ONCE = 8;
const SAME_HOST_MS = 1000;
const IDLE_MS = 30_000;
const SECOND = 1_000_000;
const CLAIM_MICROS = 600 * SECOND;
const DAY_MICROS = 86_400 * SECOND;
const FIRST_RETRY_MICROS = 300 * SECOND;
/** So many checks in a row without an answer make a link broken. */
const FAILURES_MAX = 3;

/** Keeps `working` of the links fresh in the background, together with the other replicas on the same database. */
export function startLinkChecker(options: LinkCheckerOptions): LinkChecker {
  const { clock, onFailure } = options;
  const controller = new AbortController();
  const { signal } = controller;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        if ((await checkDueLinks(options, signal)) === 0) await clock.sleep(IDLE_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        // The store is busy or restarts: the links wait.
        if (!(error instanceof StoreError)) onFailure?.(error);
        await clock.sleep(IDLE_MS, signal);
      }
    }
  };
  const running = run();
  return {
    stop() {
      controller.abort();
      return running;
    },
  };
}

/** Checks one batch of the links that are due; answers how many. */
export async function checkDueLinks(options: LinkCheckerOptions, signal: AbortSignal): Promise<number> {
  const { store, clock } = options;
  await store.write(async (sql) => {
    for (const statement of FOLLOW_ARTICLES) await sql.run(statement);
  });
  const claimed = await claim(store, nowMicros(clock));
  const byHost = new Map<string, Claimed[]>();
  for (const one of claimed) {
    const { host } = new URL(one.url);
    byHost.set(host, [...(byHost.get(host) ?? []), one]);
  }
  const hosts = [...byHost.values()];
  const worker = async (): Promise<void> => {
    for (let links = hosts.pop(); links !== undefined; links = hosts.pop()) {
      for (const [at, one] of links.entries()) {
        if (at > 0) await clock.sleep(SAME_HOST_MS, signal);
        if (signal.aborted) return;
        const finding = await checkLink(one.url, validatorsOf(one), { ...options, signal });
        await keep(store, one, { finding, now: nowMicros(clock) });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(HOSTS_AT_ONCE, hosts.length) }, worker));
  return claimed.length;
}

/** The checks follow the articles: new addresses come, those that nobody links to go, new links share what is known. */
const FOLLOW_ARTICLES = [
  `insert into link_checks (url, next_at, claimed_until, failures)
   select distinct url, 0, 0, 0 from links l where not exists (select 1 from link_checks c where c.url = l.url)
   on conflict do nothing`,
  'delete from link_checks where not exists (select 1 from links l where l.url = link_checks.url)',
  `update links set working = (select c.working from link_checks c where c.url = links.url),
     checked_at = (select c.checked_at from link_checks c where c.url = links.url)
   where checked_at is null
     and exists (select 1 from link_checks c where c.url = links.url and c.checked_at is not null)`,
];

interface Claimed {
  readonly url: string;
  readonly failures: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
}

/** Claims run out, so links of a replica that died are checked by another. */
function claim(store: Store, now: number): Promise<readonly Claimed[]> {
  return store.write(async (sql) => {
    // Rows that another replica is claiming at this moment are passed over, not waited for; SQLite has one writer.
    const skip = sql.dialect === 'postgres' ? 'for update skip locked' : '';
    const due = await sql.all<Claimed>(
      `select url, failures, etag, last_modified from link_checks
       where next_at <= ? and claimed_until <= ? order by next_at, url limit ${BATCH} ${skip}`,
      now,
      now,
    );
    for (const { url } of due) {
      await sql.run('update link_checks set claimed_until = ? where url = ?', now + CLAIM_MICROS, url);
    }
    return due;
  });
}

async function keep(
  store: Store,
  { url, failures: before }: Claimed,
  { finding, now }: { readonly finding: LinkFinding; readonly now: number },
): Promise<void> {
  const { state, said, validators } = finding;
  const failures = state === 'failed' ? before + 1 : 0;
  const working = state === 'working' ? 1 : state === 'broken' || failures >= FAILURES_MAX ? 0 : null;
  await store.write(async (sql) => {
    await sql.run(
      `update link_checks set working = coalesce(?, working), checked_at = ?, next_at = ?, claimed_until = 0,
         failures = ?, etag = ?, last_modified = ?, said = ? where url = ?`,
      working,
      now,
      now + waitMicros(finding, failures),
      failures,
      validators.etag,
      validators.lastModified,
      said,
      url,
    );
    await sql.run(
      'update links set working = coalesce(?, working), checked_at = ? where url = ?',
      working,
      now,
      url,
    );
  });
}

/** A day, or sooner while nothing is certain: 5 minutes, doubled each time, or as long as the server asks for. */
function waitMicros({ state, retryAfterSeconds = 0 }: LinkFinding, failures: number): number {
  if (state !== 'failed') return DAY_MICROS;
  const backoff = FIRST_RETRY_MICROS * 2 ** Math.min(failures - 1, 10);
  return Math.min(DAY_MICROS, Math.max(backoff, retryAfterSeconds * SECOND));
}

function validatorsOf({ etag, last_modified }: Claimed) {
  return { etag, lastModified: last_modified };
}
