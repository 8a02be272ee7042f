import type { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { SetupError } from '../../config/setup-error.ts';

/** What is used of graphile-worker. Its own types are not imported, because the package may not be there. */
export interface Graphile {
  readonly Logger: new (factory: () => (level: string, message: string) => void) => unknown;
  readonly run: (options: RunnerOptions) => Promise<Runner>;
  readonly makeWorkerUtils: (options: { pgPool: Pool; schema: string; logger: unknown }) => Promise<Utils>;
  readonly parseCronItems: (items: readonly CronItem[]) => readonly unknown[];
}

export interface RunnerOptions {
  readonly pgPool: Pool;
  readonly schema: string;
  readonly concurrency: number;
  readonly pollInterval: number;
  readonly noHandleSignals: boolean;
  readonly forbiddenFlags: () => Promise<string[]>;
  readonly logger: unknown;
  readonly taskList: Readonly<Record<string, (payload: unknown) => Promise<void>>>;
  readonly parsedCronItems: readonly unknown[];
  readonly events: EventEmitter;
}

export interface Runner {
  readonly stop: () => Promise<void>;
  readonly promise: Promise<void>;
}

export interface JobOptions {
  readonly queueName: string;
  readonly jobKey: string;
  readonly jobKeyMode: 'replace' | 'preserve_run_at';
  readonly maxAttempts: number;
  readonly flags?: readonly string[];
  readonly runAt?: Date;
}

export interface Utils {
  addJob(task: string, payload: unknown, options: JobOptions): Promise<unknown>;
  migrate(): Promise<void>;
  forceUnlockWorkers(ids: readonly string[]): Promise<void>;
  cleanup(options: { readonly tasks: readonly string[] }): Promise<void>;
  release(): Promise<void>;
}

export interface CronItem {
  readonly task: string;
  readonly match: string;
  readonly identifier: string;
  readonly payload: Readonly<Record<string, string>>;
  readonly options: Omit<JobOptions, 'flags' | 'runAt'> & { readonly backfillPeriod: number };
}

const PACKAGE: string = 'graphile-worker';

/** Loads the engine of jobs. @throws SetupError if it is not installed */
export async function loadGraphile(
  load: (name: string) => Promise<unknown> = (name) => import(name),
): Promise<Graphile> {
  try {
    return (await load(PACKAGE)) as Graphile; // the peer dependency in package.json names the versions
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw cause;
    throw new SetupError('usage', `${PACKAGE} is not installed; the workers of a fleet need it`, {
      help: `npm install ${PACKAGE}@0.17 beside kbsync, or kbsync fleet --once, which needs no database`,
      cause,
    });
  }
}
