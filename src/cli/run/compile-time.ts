import { setFlagsFromString } from 'node:v8';

/*
 * The V8 of Node 20 compiles a function into fast code after 132 kB of its bytecode were run. A run of half a second seldom gets the time
 * back: a no-op of 6,000 articles takes 0.45 s of CPU so and 0.39 s if V8 waits seven times longer. A run of seconds does: a cold check
 * of 10,000 files takes 3.6 s of CPU, not 4.2, and 2.8 s by the clock, not 4.0, because the compiler works beside it. Later V8s count in
 * another way, and refuse the flag.
 */
export const IS_NODE_20 = process.version.startsWith('v20.');

/** For commands that are over in half a second, if nothing much has changed. */
export function compileLate(): void {
  if (IS_NODE_20) setFlagsFromString('--interrupt-budget=1000000');
}

/** As V8 does it by itself: for a run that takes seconds. */
export function compileEarly(): void {
  if (IS_NODE_20) setFlagsFromString('--interrupt-budget=135168');
}
