import { spawn } from 'node:child_process';
import type { Env } from '../../machine/machine.ts';
import type { Fleet, KnowledgeBase } from '../settings/settings.ts';
import { secretVariables } from '../settings/settings.ts';
import { CONDITIONS, type Condition } from './verdict.ts';

/** What a process of `kbsync fleet run` printed at its end. */
export interface RunEnd {
  readonly condition: Condition | undefined;
  readonly mayRetry: boolean;
  readonly message: string;
  /** The process said nothing at its end: it was killed, or met a bug. */
  readonly isLost: boolean;
  readonly durationMs: number;
}

export interface StartOptions {
  readonly cwd: string;
  readonly env: Env;
  readonly sinceMs: number;
  readonly signal: AbortSignal;
}

const OUTPUT_CHARS_MAX = 200_000;

/**
 * A run in a process of its own, which holds the lock and the key; nothing of this process is needed for it to end well. The
 * signal asks it to stop (SIGTERM); it finishes what is under way.
 */
export function startRun(
  fleet: Fleet,
  base: KnowledgeBase,
  { cwd, env, sinceMs, signal }: StartOptions,
): Promise<RunEnd> {
  const bin = process.argv[1] ?? '';
  const args = [...process.execArgv, bin, 'fleet', 'run', base.name, '--file', fleet.file, '--json'];
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...args, '--since', String(Math.round(sinceMs))], {
      cwd,
      env: envOf(fleet, base, env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stop = (): void => void child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (out.length < OUTPUT_CHARS_MAX) out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err = (err + text).slice(-OUTPUT_CHARS_MAX);
    });
    const end = (fallback: string): void => {
      signal.removeEventListener('abort', stop);
      resolve({ ...(endIn(out) ?? lost(fallback)), durationMs: performance.now() - startedMs });
    };
    child.on('error', (error) => end(`the run cannot be started: ${error.message}`));
    child.on('close', (code, name) => {
      const said = err.trim().split('\n').at(-1) ?? '';
      end(name === null ? `the run ended with ${code ?? '?'}: ${said}` : `the run was ended by ${name}`);
    });
  });
}

/** Only the secrets that this run needs. */
function envOf(fleet: Fleet, base: KnowledgeBase, env: Env): NodeJS.ProcessEnv {
  const own = new Set(
    [base.key, fleet.notify].flatMap((place) => (place && 'variable' in place ? place.variable : [])),
  );
  const others = new Set(secretVariables(fleet).filter((name) => !own.has(name)));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !others.has(name)));
}

/** A run that was killed, or that met a bug, left its state and journal on disk: another one may go on. */
function lost(message: string): Omit<RunEnd, 'durationMs'> {
  return { condition: undefined, mayRetry: true, message, isLost: true };
}

function endIn(text: string): Omit<RunEnd, 'durationMs'> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    if ('error' in value) return stoppedBy(value.error);
    const { condition, mayRetry, message } = value as Partial<Record<string, unknown>>;
    if (typeof mayRetry !== 'boolean' || typeof message !== 'string') return undefined;
    return { condition: CONDITIONS.find((one) => one === condition), mayRetry, message, isLost: false };
  } catch {
    return undefined;
  }
}

/** The run could not begin: fleet.yaml was changed meanwhile, or its folder cannot be written. */
function stoppedBy(error: unknown): Omit<RunEnd, 'durationMs'> {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
  return { condition: 'stopped', mayRetry: false, message, isLost: false };
}
