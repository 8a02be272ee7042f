import type { Context as Call, Hono } from 'hono';
import { INSIGHT_ROUTES, type InsightRouteName, INSIGHTS_MAX } from '../../contract/index.ts';
import { answer } from '../http/answers.ts';
import { checkedQuery, countOf } from '../http/query.ts';
import type { Sql, Store } from '../store/store.ts';
import { type Clock, nowMicros } from '../time.ts';
import { listFeedback } from './feedback.ts';
import { listMisses } from './search-misses.ts';
import { listStale } from './stale.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  /** Who asks, let in; the headers go on the answer. @throws Refusal */
  readonly admit: (
    call: Call,
    does: 'read',
  ) => Promise<{ readonly headers: Readonly<Record<string, string>> }>;
}

const COUNT = 100;

/** What readers looked for, said and read, for who has a key. */
export function addInsights(hono: Hono, { store, clock, admit }: Parts): void {
  const { id: siteId } = store.knowledgeBase;
  const lists: Readonly<Record<InsightRouteName, (sql: Sql, count: number) => Promise<readonly object[]>>> = {
    listSearchMisses: (sql, count) => listMisses(sql, siteId, { now: nowMicros(clock), count }),
    listFeedback,
    listStaleArticles: (sql, count) => listStale(sql, siteId, { now: nowMicros(clock), count }),
  };
  const messages: Readonly<Record<InsightRouteName, string>> = {
    listSearchMisses: 'searches without a result found.',
    listFeedback: 'articles with answers of readers found.',
    listStaleArticles: 'articles that somebody read found.',
  };
  // The keys of a constant are its type's keys.
  for (const name of Object.keys(INSIGHT_ROUTES) as InsightRouteName[]) {
    hono.get(INSIGHT_ROUTES[name].path, async (call) => {
      const { headers } = await admit(call, 'read');
      const count = countOf(checkedQuery(call, ['count'])['count'], INSIGHTS_MAX) ?? COUNT;
      const data = await store.read((sql) => lists[name](sql, count));
      return answer(200, { success: true, message: `${data.length} ${messages[name]}`, data }, headers);
    });
  }
}
