import {
  type Env,
  type Files,
  type MachineClock,
  realClock,
  realFiles,
  realRandom,
} from '../machine/machine.ts';
import { runProgram, type RunProgram } from '../machine/run-program.ts';
import { packageVersion } from '../machine/versions.ts';
import type { SendOptions } from '../remote/http/send.ts';
import { connect, type Connection } from '../session/session.ts';

export interface Output {
  readonly write: (text: string) => void;
  readonly isTTY: boolean;
  /** Columns; 80 where a terminal does not say. */
  readonly columns: number;
}

/** Everything the command needs from outside, so `main` runs in a test as it runs in a terminal. */
export interface World {
  readonly version: string;
  readonly cwd: string;
  readonly env: Env;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Both ends of a conversation are a terminal. */
  readonly canAsk: boolean;
  readonly clock: MachineClock;
  readonly files: Files;
  random(): number;
  /** Runs a program that the settings name. */
  readonly runProgram: RunProgram;
  /** One line typed by a person, without the line end; empty when the input ends. */
  ask(question: string): Promise<string>;
  /** Calls back at each SIGINT or SIGTERM until the returned function is called. */
  onSignal(listener: (signal: 'SIGINT' | 'SIGTERM') => void): () => void;
  /** Ends the process at once. */
  leave(code: number): void;
  /** Connections to one origin; closing cuts what is under way. */
  connect(origin: string, options?: Omit<SendOptions, 'origin'>): Promise<Connection>;
}

export function realWorld(): World {
  return {
    version: packageVersion(),
    cwd: process.cwd(),
    env: process.env,
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    canAsk: process.stdin.isTTY && process.stderr.isTTY,
    clock: realClock,
    files: realFiles,
    random: realRandom,
    runProgram,
    ask,
    onSignal,
    leave: (code) => process.exit(code),
    connect,
  };
}

function output(stream: NodeJS.WriteStream): Output {
  let isLost = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`kbsync plan | head`) is not a failure.
    if (error.code === 'EPIPE' || isLost) return;
    isLost = true;
    // What the run does is not for its output alone: it goes on, and fails at its end.
    process.once('exit', () => (process.exitCode ||= 1));
    if (stream === process.stderr) return;
    const why = error.message.replace(/^\w+: |, write$/g, '');
    const code = error.code === undefined ? '' : ` (${error.code})`;
    process.stderr.write(
      `error[output]: the output is not complete, because it cannot be written: ${why}${code}\n`,
    );
  });
  return {
    write: (text) => {
      stream.write(text);
    },
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns > 0 ? stream.columns : 80;
    },
  };
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await Promise.race([
      terminal.question(question),
      new Promise<string>((resolve) => terminal.once('close', () => resolve(''))),
    ]);
  } finally {
    terminal.close();
  }
}

function onSignal(listener: (signal: 'SIGINT' | 'SIGTERM') => void): () => void {
  const onInterrupt = (): void => listener('SIGINT');
  const onTerminate = (): void => listener('SIGTERM');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return () => {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onTerminate);
  };
}
