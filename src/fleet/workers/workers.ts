import { EventEmitter } from 'node:events';
import { Pool } from 'pg';
import type { MachineClock } from '../../machine/machine.ts';
import type { RunEnd } from '../runs/start-run.ts';
import { crontabOf } from '../settings/schedule.ts';
import type { Fleet, KnowledgeBase } from '../settings/settings.ts';
import { loadGraphile, type JobOptions } from './graphile.ts';
import { createPresence } from './presence.ts';

export interface WorkersOptions {
  readonly fleet: Fleet;
  /** Address of the PostgreSQL database. */
  readonly url: string;
  readonly clock: MachineClock;
  /** Knowledge bases that run at once, whatever the schedule says. */
  readonly first: readonly KnowledgeBase[];
  /** One run, in a process of its own. */
  readonly run: (base: KnowledgeBase, sinceMs: number, signal: AbortSignal) => Promise<RunEnd>;
  readonly onEnd: (base: KnowledgeBase, end: RunEnd) => void;
  readonly note: (text: string) => void;
}

export interface Workers {
  /** Runs the knowledge base soon. A request that meets one that waits is the same; one that meets a run comes after it. */
  ask(base: KnowledgeBase): Promise<void>;
  /** Takes no more jobs, asks runs to stop, and waits until they have ended. */
  stop(): Promise<void>;
  /** Rejects if the workers cannot go on. */
  readonly ended: Promise<void>;
}

const TASK = 'run';
/** The delays grow as e to the power of the tries, to six hours; the schedule begins anew. */
const TRIES_MAX = 25;
const POLL_MS = 1000;
/** A run waits this long for more pushes: those of a burst come together. */
const BURST_MS = 2000;
const SWEEP_MS = 3000;
const MINUTE_MS = 60_000;

/** Starts to work on the jobs of the fleet, together with all other processes that do. @throws SetupError */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { fleet, url, clock, first, run, onEnd, note } = options;
  const { schema, atOnce, perHost, bases } = fleet;
  const graphile = await loadGraphile();
  const logger = new graphile.Logger(() => (level, message) => {
    if (level === 'error' && !message.includes('Failed task')) note(message);
  });
  const pgPool = new Pool({ connectionString: url, max: atOnce + 4 });
  pgPool.on('error', () => undefined); // the next query says it
  const utils = await graphile.makeWorkerUtils({ pgPool, schema, logger });
  await utils.migrate();

  const stopping = new AbortController();
  const events = new EventEmitter();
  let workerId: string | undefined;
  events.on('pool:create', ({ workerPool }: { readonly workerPool: { readonly id: string } }) => {
    workerId = workerPool.id;
  });
  const byName = new Map(bases.map((base) => [base.name, base]));
  let presence: Awaited<ReturnType<typeof createPresence>> | undefined;
  let tellPresent: () => void = () => undefined;
  const isPresent = new Promise<void>((resolve) => (tellPresent = resolve));

  const work = async (payload: unknown): Promise<void> => {
    await isPresent;
    const base = byName.get(nameIn(payload));
    if (base === undefined || presence === undefined) return; // it is no longer in the file
    const { signal } = stopping;
    const end = await presence.withPlace(base.origin, signal, () =>
      run(base, sinceMs(payload, clock), signal),
    );
    onEnd(base, end);
    if (end.mayRetry) throw new Error(end.message); // graphile-worker tries again, later each time
  };

  const runner = await graphile.run({
    pgPool,
    schema,
    concurrency: atOnce,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger,
    events,
    taskList: { [TASK]: work },
    parsedCronItems: graphile.parseCronItems(
      bases.map((base) => ({
        task: TASK,
        match: crontabOf(base.schedule, base.name),
        identifier: base.name,
        payload: { name: base.name },
        options: { ...jobOptions(base), backfillPeriod: backfillMs(base.schedule) },
      })),
    ),
    forbiddenFlags: async () => {
      const { rows } = await pgPool.query<{ readonly flag: string }>(
        `select flag from "${schema}".jobs, lateral jsonb_object_keys(flags) as flag
         where locked_at is not null group by flag having count(*) >= $1`,
        [perHost],
      );
      return rows.map(({ flag }) => flag);
    },
  });
  presence = await createPresence({ url, schema, perHost, clock, utils, workerId: () => workerId, note });
  tellPresent();
  const ask = async (
    base: KnowledgeBase,
    jobKeyMode: JobOptions['jobKeyMode'] = 'replace',
  ): Promise<void> => {
    const nowMs = clock.now();
    const payload = { name: base.name, at: new Date(nowMs).toISOString() };
    const runAt = new Date(nowMs + BURST_MS);
    await utils.addJob(TASK, payload, { ...jobOptions(base), jobKeyMode, runAt, flags: [base.origin] });
  };
  for (const base of first) await ask(base, 'preserve_run_at');
  const sweeping = sweepAgain(presence, { clock, signal: stopping.signal });
  let stopped: Promise<void> | undefined;
  return {
    ask,
    ended: runner.promise,
    stop() {
      stopped ??= (async () => {
        const done = runner.stop();
        stopping.abort();
        await done;
        await sweeping;
        await presence.close();
        await utils.release();
        await pgPool.end();
      })();
      return stopped;
    },
  };
}

/** The queue of its name makes runs of a knowledge base wait for each other, the key makes requests one. */
function jobOptions({ name }: KnowledgeBase): Omit<JobOptions, 'flags' | 'runAt'> {
  return { queueName: name, jobKey: name, jobKeyMode: 'replace', maxAttempts: TRIES_MAX };
}

/** What was missed while no worker was there is made up for: the last hour, or the last day of rare schedules. */
function backfillMs(schedule: string): number {
  const isOften = schedule.endsWith('m') || schedule.startsWith('*');
  return (isOften ? 65 : 25 * 60) * MINUTE_MS;
}

function nameIn(payload: unknown): string {
  const { name } = (payload ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' ? name : '';
}

/** When the run was asked for: a fetch that began before may not have seen the push. */
function sinceMs(payload: unknown, clock: MachineClock): number {
  const { at, _cron } = (payload ?? {}) as {
    readonly at?: string;
    readonly _cron?: { readonly ts?: string };
  };
  const ms = Date.parse(at ?? _cron?.ts ?? '');
  return Number.isNaN(ms) ? clock.now() : ms;
}

async function sweepAgain(
  presence: { sweep(): Promise<void> },
  { clock, signal }: { readonly clock: MachineClock; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    // A database that is away for a moment is asked again.
    await presence.sweep().catch(() => undefined);
    await clock.sleep(SWEEP_MS, signal);
  }
}
