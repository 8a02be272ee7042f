import { createApi } from './api.ts';
import type { About, Habit, Handler, Json, Surroundings } from './habit.ts';
import { createReplies } from './replies.ts';
import { PLAIN } from './rules.ts';
import type { Rules } from './rules.ts';
import type { Actor } from './row.ts';
import { createSite } from './site.ts';
import type { Site } from './site.ts';

export interface Twin {
  readonly site: Site;
  /** The service as the world reaches it. */
  readonly fetch: Handler;
}

export interface TwinOptions {
  readonly habits: readonly Habit[];
  /** Key → whose it is. */
  readonly keys: ReadonlyMap<string, Actor>;
  readonly now: () => number;
  readonly seed: number;
}

/** A service made from the API text alone, with these habits; of two habits about one thing the later one decides. */
export function createTwin({ habits, keys, now, seed }: TwinOptions): Twin {
  const rules: Rules = Object.assign({}, PLAIN, ...habits.map(({ rules }) => rules ?? {}));
  const random = seeded(seed);
  const site = createSite({ rules, stores: habits.flatMap(({ stores }) => stores ?? []), now, random });
  const around: Surroundings = { now, random, rows: () => site.rows };
  const shapes = habits.flatMap(({ shapes }) => (shapes === undefined ? [] : [shapes(around)]));
  const writes = habits.flatMap(({ writes }) => writes ?? []);
  const shows = habits.flatMap(({ shows }) => (shows === undefined ? [] : [shows(around)]));
  const replies = createReplies(site, shows, now);
  const api = createApi({
    site,
    replies,
    keys,
    around,
    shape: (body, about) => shapes.reduce<unknown>((shaped, shape) => shape(shaped as Json, about), body),
    write: (text: string, about: About) => writes.reduce((written, write) => write(written, about), text),
  });
  const gateways = habits.flatMap(({ gateway }) => (gateway === undefined ? [] : [gateway(around)]));
  return { site, fetch: gateways.reduce<Handler>((next, gateway) => gateway(next), api) };
}

/** mulberry32 */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
