#!/usr/bin/env node
import process from 'node:process';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { keepCompiled } from './compile-cache.ts';
import { IS_NODE_20, compileLate } from './run/compile-time.ts';

const args = process.argv.slice(2);

/** Commands that read all files and have no threads, in which a heap would not grow either. */
const READERS: ReadonlySet<string> = new Set(['check', 'plan', 'sync', 'apply']);
/** Commands that always have work for seconds. */
const LONG: ReadonlySet<string> = new Set(['build', 'import', 'migrate', 'pull']);

// V8 lets a heap grow to a multiple of what lives in it before it cleans up. Cleaning earlier takes a third off a first sync's
// memory and costs it about 5 % of CPU.
// `serve` answers for days, and is measured with V8's own rule.
if (args[0] !== 'serve') {
  setFlagsFromString('--heap-growing-percent=40');
  // The HTTP client's parser is WebAssembly, half of it one function. Making fast code of it takes 36 MB that are never given back, and
  // saves no time that can be measured.
  setFlagsFromString('--liftoff-only');
  if (!LONG.has(args[0] ?? '')) compileLate();
  if (IS_NODE_20 && READERS.has(args[0] ?? '')) keepYoungSmall();
}

// Node's warnings are for whoever writes programs; --trace-warnings and --trace-deprecation still ask for them.
const asksForWarnings = [...process.execArgv, process.env['NODE_OPTIONS'] ?? '']
  .join(' ')
  .includes('--trace-');
if (!asksForWarnings) process.removeAllListeners('warning');

// `--version` answers before the command is loaded: package managers and prompts ask it often.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  const { packageVersion } = await import('../machine/versions.ts');
  process.stdout.write(`${packageVersion()}\n`);
} else {
  await run();
}

/**
 * The young part of the heap grows to 32 MB in the first second of a run, and never shrinks. Half of it takes 11 MB off a first sync of
 * 10,000 articles, and no CPU that can be measured. Its limit is fixed before a program begins, but not how it grows: here to 16 MB in
 * one step, for which a megabyte has to outlive a collection, and then no more. Measured with Node 20 alone.
 */
function keepYoungSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=8');
  const kept: unknown[] = [];
  for (let round = 0; round < 100 && youngBytes() < 16 * 2 ** 20; round += 1)
    for (let n = 0; n < 1_000; n += 1) kept.push({ round, n });
  setFlagsFromString('--semi-space-growth-factor=1');
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}

/** The only place that catches bugs: errors that are neither a problem in the content nor a known failure. */
async function run(): Promise<void> {
  keepCompiled();
  try {
    const [{ main }, { endProcess, realWorld }] = await Promise.all([
      import('./main.ts'),
      import('./world.ts'),
    ]);
    await endProcess(await main(args, realWorld()));
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd') {
      process.stderr.write(
        'error: the folder in which this command was started is gone; change to another folder and run it there\n',
      );
      process.exitCode = 64;
      return;
    }
    const { safeStack } = await import('./safe-stack.ts');
    const { KBSYNC_API_KEY, KBSYNC_FROM_KEY, KBSYNC_TO_KEY } = process.env;
    const text = safeStack(error, [KBSYNC_API_KEY, KBSYNC_FROM_KEY, KBSYNC_TO_KEY]);
    process.stderr.write(
      `\nthis is a bug in kbsync, not in your files\n\n${text}\n\n` +
        `node ${process.version}, ${process.platform} ${process.arch}; command: ${/^[a-z]+$/.exec(args[0] ?? '')?.[0] ?? '(none)'}\n` +
        `Please report it with these lines. What was sent is in the state file; running again is safe.\n`,
    );
    process.exitCode = 1;
  }
}
