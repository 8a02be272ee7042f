import { ARTICLES, articleBody } from './rig.ts';
import { GONE, type LedgerEntry, type Outcome, saw, settled, type Value, wrote } from './ledger.ts';
import type { Random } from './random.ts';

/** What the clients of a disturbed service did and found. */
export interface Tally {
  acknowledged: number;
  refused: number;
  unclear: number;
  reads: number;
  readonly wrong: string[];
}

export interface Load {
  /** Addresses of the replicas; they change when one is started again. */
  readonly urls: () => readonly string[];
  readonly key: string;
  readonly random: Random;
  readonly entries: LedgerEntry[];
  /** Slugs that several clients try to get, and the ids that were acknowledged for each. */
  readonly contested: Map<string, string[]>;
  readonly tally: Tally;
  readonly isOver: () => boolean;
}

const PATIENCE_MS = 3000;
const EDITS_MAX = 6;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly title: string | undefined;
}

/** Undefined: no answer came. */
async function ask(
  load: Load,
  method: string,
  path: string,
  options: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer | undefined> {
  const { body, headers } = options;
  try {
    const response = await fetch(load.random.pick(load.urls()) + path, {
      method,
      headers: { authorization: `Bearer ${load.key}`, 'content-type': 'application/json', ...headers },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    const reply = (await response.json()) as { readonly data?: { readonly name?: string } };
    return { status: response.status, headers: response.headers, title: reply.data?.name };
  } catch {
    return undefined;
  }
}

function outcomeOf(load: Load, what: string, answer: Answer | undefined): Outcome {
  const outcome = classOf(answer);
  if (outcome === 'other') load.tally.wrong.push(`${what}: ${answer?.status}`);
  if (outcome === 'yes') load.tally.acknowledged += 1;
  if (outcome === 'refused') load.tally.refused += 1;
  if (outcome === 'unclear') load.tally.unclear += 1;
  return outcome === 'other' ? 'unclear' : outcome;
}

/** A 503 with Retry-After promises that nothing was written; one without does not say. */
function classOf(answer: Answer | undefined): Outcome | 'other' {
  if (answer === undefined) return 'unclear';
  const { status, headers } = answer;
  if (status === 200 || status === 201) return 'yes';
  if (status === 412) return 'stale';
  if (status === 503) return headers.has('retry-after') ? 'refused' : 'unclear';
  return 'other';
}

const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Makes, edits and deletes records of its own until the load is over; every fifth slug is one that others want too. */
export async function write(load: Load, name: string): Promise<void> {
  for (let n = 0; !load.isOver(); n += 1) {
    if (n % 5 === 4) await contest(load, `hot-${n}`);
    const entry = await create(load, `${name}-${n}`);
    if (entry === undefined) continue;
    load.entries.push(entry);
    const edits = load.random.below(EDITS_MAX);
    for (let value = 1; value <= edits && !load.isOver(); value += 1) await edit(load, entry, value);
    if (load.random.chance(0.3)) await edit(load, entry, GONE);
  }
}

/** A create is repeated under its Idempotency-Key until it is answered, and is done once. */
async function create(load: Load, slug: string): Promise<LedgerEntry | undefined> {
  while (!load.isOver()) {
    const answer = await ask(load, 'PUT', ARTICLES, {
      body: articleBody({ slug, title: '0' }),
      headers: { 'idempotency-key': slug },
    });
    if (outcomeOf(load, `create ${slug}`, answer) !== 'yes' || answer === undefined) {
      await pause(50);
      continue;
    }
    const id = answer.headers.get('location')?.split('/').at(-1) ?? '';
    const etag = answer.headers.get('etag') ?? '';
    return { id, slug, value: 0, etag, pending: new Set(), refused: new Set(), seen: new Set(), floor: 0 };
  }
  return undefined;
}

async function contest(load: Load, slug: string): Promise<void> {
  const answer = await ask(load, 'PUT', ARTICLES, { body: articleBody({ slug, title: '0' }) });
  if (answer?.status === 409 || outcomeOf(load, `contest ${slug}`, answer) !== 'yes' || !answer) return;
  const winners = [...(load.contested.get(slug) ?? []), answer.headers.get('location') ?? ''];
  load.contested.set(slug, winners);
  if (winners.length > 1) load.tally.wrong.push(`${slug}: ${winners.length} creates were acknowledged`);
}

async function edit(load: Load, entry: LedgerEntry, value: Value): Promise<void> {
  const before = entry.value;
  if (before === GONE) return;
  const path = `${ARTICLES}/${entry.id}`;
  const headers = { 'if-match': entry.etag };
  // Before the answer, because a reader may see it before.
  const answer =
    value === GONE
      ? await ask(load, 'DELETE', path, { headers })
      : await ask(load, 'POST', path, {
          body: articleBody({ slug: entry.slug, title: String(value), lang: 'en' }),
          headers,
        });
  // A delete that was carried out although its answer was lost.
  const isGone = answer?.status === 404 && entry.pending.has(GONE);
  const outcome = isGone ? 'stale' : outcomeOf(load, `${entry.slug} to ${value}`, answer);
  load.tally.wrong.push(...wrote(entry, value, outcome, answer?.headers.get('etag') ?? ''));
  if (outcome === 'stale' || outcome === 'unclear') await settle(load, entry);
  await pause(5);
}

async function settle(load: Load, entry: LedgerEntry): Promise<void> {
  while (!load.isOver()) {
    const answer = await ask(load, 'GET', `${ARTICLES}/${entry.id}`);
    const value = answer && valueOf(answer);
    if (answer !== undefined && value !== undefined) {
      load.tally.wrong.push(...settled(entry, value, answer.headers.get('etag') ?? ''));
      return;
    }
    await pause(50);
  }
}

function valueOf({ status, title }: Answer): Value | undefined {
  if (status === 404) return GONE;
  return status === 200 ? Number(title) : undefined;
}

/** Reads any record from any replica until the load is over. */
export async function read(load: Load): Promise<void> {
  while (!load.isOver()) {
    await pause(5);
    if (load.entries.length === 0) continue;
    // Mostly the newest, which are being written.
    const recent = load.random.chance(0.8) ? load.entries.slice(-12) : load.entries;
    const entry = load.random.pick(recent);
    const { floor } = entry;
    const answer = await ask(load, 'GET', `${ARTICLES}/${entry.id}`);
    const value = answer && valueOf(answer);
    if (value === undefined) {
      if (answer && answer.status !== 503) load.tally.wrong.push(`read ${entry.slug}: ${answer.status}`);
      continue;
    }
    load.tally.reads += 1;
    load.tally.wrong.push(...saw(entry, value, floor));
  }
}
