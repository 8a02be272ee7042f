import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context as Call, Hono } from 'hono';
import {
  HEADERS,
  REDIRECT_BYTES_MAX,
  REDIRECT_LINES_MAX,
  REDIRECT_ROUTES,
  type RedirectLine,
  redirectSetBody,
  REPOSITORY_NAME,
} from '../../contract/index.ts';
import { plainAddress } from '../../text/plain-address.ts';
import { validate } from '../api/validate.ts';
import { answer } from '../http/answers.ts';
import { createBodyRoom } from '../http/body-room.ts';
import { checkedQuery } from '../http/query.ts';
import { readJson } from '../http/request-body.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import { type Clock, nowMicros } from '../time.ts';
import { readSet, replaceSet, toldSets } from './sets.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  /** Who asks, let in; the headers go on the answer. @throws Refusal */
  readonly admit: (
    call: Call,
    does: 'read' | 'write',
  ) => Promise<{ readonly headers: Readonly<Record<string, string>> }>;
}

const PATH = REDIRECT_ROUTES.readRedirects.path;
const LIMITS = {
  bytesMax: REDIRECT_BYTES_MAX,
  depthMax: 8,
  // A line is an object of three values.
  valuesMax: 4 * REDIRECT_LINES_MAX + 100,
};

/** Sets of old addresses, for who has a key. */
export function addRedirects(hono: Hono, { store, clock, admit }: Parts): void {
  const { id: siteId } = store.knowledgeBase;
  const room = createBodyRoom({ bytesMax: 2 * REDIRECT_BYTES_MAX, waitingMax: 16 });
  hono.get(PATH, async (call) => {
    const { headers } = await admit(call, 'read');
    const repository = repositoryIn(call);
    const { set, told } = await store.read(async (sql) => ({
      set: await readSet(sql, siteId, repository),
      told: await toldSets(sql, siteId),
    }));
    const data = { repository, ...(set ?? { tag: '', redirects: [] }) };
    const message = set === undefined ? 'The repository has no old addresses.' : 'Old addresses found.';
    return answer(200, { success: true, message, data }, { ...headers, [HEADERS.redirectSets]: told });
  });
  hono.put(PATH, async (call) => {
    const { headers } = await admit(call, 'write');
    const repository = repositoryIn(call);
    const declared = Number(call.req.header('content-length') ?? REDIRECT_BYTES_MAX);
    const { claimed, told, tag } = await room(Math.min(declared, REDIRECT_BYTES_MAX), async () => {
      const body = await readJson(call.req.raw, LIMITS);
      // Each of the three takes up to 60 ms for a set of the largest size.
      await nextTurn();
      const { tag, redirects } = validate(redirectSetBody, body);
      await nextTurn();
      checkLines(redirects);
      return store.write(async (sql) => ({
        claimed: await replaceSet(sql, siteId, { repository, tag, redirects, nowMicros: nowMicros(clock) }),
        told: await toldSets(sql, siteId),
        tag,
      }));
    });
    const data = { repository, tag, claimed };
    return answer(
      200,
      { success: true, message: 'The old addresses are kept.', data },
      { ...headers, [HEADERS.redirectSets]: told },
    );
  });
}

function repositoryIn(call: Call): string {
  const { repository } = checkedQuery(call, ['repository']);
  if (repository !== undefined && REPOSITORY_NAME.test(repository)) return repository;
  throw new Refusal(
    400,
    'repository: is needed in the query: 1 to 80 letters, digits and . _ / -, like ?repository=acme-docs',
  );
}

/** @throws Refusal 400 for an address that two lines have, and for lines that lead to each other in a circle */
function checkLines(redirects: readonly RedirectLine[]): void {
  const lines = new Map<string, number>();
  for (const [index, { from }] of redirects.entries()) {
    const first = lines.get(from);
    if (first !== undefined) throw refusal(index, `${from} is the old address of redirects.${first} too`);
    lines.set(from, index);
  }
  /** Lines that are known to lead somewhere. */
  const ending = new Set<number>();
  for (const start of lines.values()) {
    const way = new Set<number>();
    for (let at: number | undefined = start; at !== undefined && !ending.has(at);) {
      const line: RedirectLine | undefined = redirects[at];
      if (way.has(at) || line === undefined)
        throw refusal(at, `${line?.from ?? ''} leads to ${line?.to ?? ''} and from there back to itself`);
      way.add(at);
      at = line.to.startsWith('/') ? lines.get(plainAddress(line.to)) : undefined;
    }
    for (const each of way) ending.add(each);
  }
}

function refusal(index: number, why: string): Refusal {
  return new Refusal(400, `redirects.${index}: ${why}`);
}
