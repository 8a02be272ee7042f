import type { SyncSummary } from '../../../model/sync-summary.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { runBase, type SyncCall } from '../../../fleet/runs/run-base.ts';
import { postJson } from '../../../fleet/runs/post.ts';
import type { SyncEnd } from '../../../fleet/runs/verdict.ts';
import { chosenBases, loadFleet } from '../../../fleet/settings/settings.ts';
import { EXIT } from '../../run/exit.ts';
import { failureOf } from '../../run/failure.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import type { Output, World } from '../../world.ts';
import { syncCommand } from '../sync/command.ts';
import { sync } from '../sync/sync.ts';
import type { FleetRunFlags } from './command.ts';
import { exitOf } from './exit.ts';
import { runDocument, runLine } from './print.ts';

/** `kbsync fleet run NAME`: one run of one knowledge base in this process. Workers and `--once` start this too. */
export async function fleetRun(name: string, flags: FleetRunFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const fleet = await loadFleet(flags.file, world);
  const [base] = chosenBases(fleet, [name]);
  if (base === undefined) throw new SetupError('usage', 'there is no such knowledge base');
  const stop = new AbortController();
  const off = world.onSignal(() => stop.abort());
  try {
    const { verdict, outcome } = await runBase(fleet, base, {
      env: world.env,
      clock: world.clock,
      files: world.files,
      post: postJson,
      sync: (call) => syncIn(call, world),
      sinceMs: flags.since ?? world.clock.now(),
      signal: stop.signal,
    });
    if (screen.isJson) screen.document({ format: JSON_FORMAT, name, ...runDocument(verdict, outcome) });
    else screen.answer(runLine(name, verdict));
    return stop.signal.aborted ? EXIT.interrupted : exitOf(verdict);
  } finally {
    off();
  }
}

/** `kbsync sync` in a folder of its own; what it would print is read here. */
async function syncIn(call: SyncCall, world: World): Promise<SyncEnd> {
  let out = '';
  const silent: Output = { write: () => undefined, isTTY: false, columns: 80 };
  const stdout: Output = { ...silent, write: (text) => (out += text) };
  const inner: World = {
    ...world,
    cwd: call.cwd,
    env: call.env,
    stdout,
    stderr: silent,
    canAsk: false,
    runProgram: noProgram,
  };
  const argv = ['--json', '--quiet', '--yes', '--no-color', '--state', call.state];
  if (call.environment !== undefined) argv.push('--env', call.environment);
  if (call.prune) argv.push('--prune');
  const flags = syncCommand().parse(argv, { from: 'user' }).opts();
  try {
    const exit = await sync(flags, inner);
    const document = JSON.parse(out) as SyncDocument;
    const [problem] = document.problems ?? [];
    const isStopped = exit === EXIT.failed && problem !== undefined && document.durationMs === undefined;
    const refusal = document.refusals?.[0]?.message;
    const failure = isStopped
      ? { code: 'problems', message: `${problem.file}:${problem.line}: ${problem.message}` }
      : exit === EXIT.refused && refusal !== undefined
        ? { code: 'refused', message: refusal }
        : undefined;
    const reason = exit === EXIT.done ? undefined : reasonIn(document);
    // The counts have those that are pending.
    const blocked = document.blocked?.filter(({ reason: why }) => why !== 'pending').length;
    return { exit, counts: document.summary, blocked, failure, reason };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    return { exit: failure.exit, failure: { code: failure.code, message: failure.message } };
  }
}

/** The first fault in a file, change that failed, conflict, or blocked record, and how many more of its kind there are. */
function reasonIn({
  problems = [],
  results = [],
  conflicts = [],
  blocked = [],
}: SyncDocument): string | undefined {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const [error] = errors;
  const [change] = failed;
  const [conflict] = conflicts;
  const [held] = blocked;
  if (error !== undefined)
    return `${error.file}:${error.line}: ${error.message}${more(errors.length - 1, 'error')}`;
  if (change !== undefined)
    return `${change.key}: ${change.message ?? 'failed'}${more(failed.length - 1, 'failed change')}`;
  if (conflict !== undefined) return `conflict at ${conflict.key}${more(conflicts.length - 1, 'conflict')}`;
  if (held !== undefined) return `${held.key}: ${held.message}${more(blocked.length - 1, 'blocked record')}`;
  return undefined;
}

function more(count: number, what: string): string {
  return count === 0 ? '' : ` (and ${counted(count, `more ${what}`)})`;
}

/** Whoever may write to a repository must not run what they like on the fleet's machine. */
const noProgram: World['runProgram'] = () =>
  Promise.resolve({
    code: undefined,
    why: 'a fleet runs no command of a repository; run kbsync sync there',
    stdout: '',
    stderr: '',
  });

/** What is read of the document of `sync --json` (print/json.ts). */
interface SyncDocument {
  readonly summary: SyncSummary;
  readonly durationMs?: number;
  readonly problems?: readonly {
    readonly severity: string;
    readonly message: string;
    readonly file: string;
    readonly line: number;
  }[];
  readonly refusals?: readonly { readonly message: string }[];
  readonly results?: readonly { readonly key: string; readonly outcome: string; readonly message?: string }[];
  readonly conflicts?: readonly { readonly key: string; readonly code: string }[];
  readonly blocked?: readonly { readonly key: string; readonly reason: string; readonly message: string }[];
}
