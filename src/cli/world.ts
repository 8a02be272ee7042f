import {
  type Env,
  type Files,
  type MachineClock,
  realClock,
  realFiles,
  realRandom,
} from '../machine/machine.ts';
import { runProgram, type RunProgram } from '../machine/run-program.ts';
import { EXIT } from './run/exit.ts';
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

let isInterrupted = false;

function onSignal(listener: (signal: 'SIGINT' | 'SIGTERM') => void): () => void {
  const hear = (signal: 'SIGINT' | 'SIGTERM'): void => {
    isInterrupted = true;
    listener(signal);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, hear);
  return () => {
    // Whoever was interrupted is about to end. Without a listener the next signal would kill the process, and no exit code be left.
    if (isInterrupted) for (const signal of signals) process.on(signal, leaveInterrupted);
    for (const signal of signals) process.off(signal, hear);
  };
}

function leaveInterrupted(): void {
  process.exit(EXIT.interrupted);
}

/**
 * Ends the process with this exit code: by itself, when all output is written, or, after a signal, as soon as it is. Node takes
 * the listeners of signals away before a process has ended by itself, but not when it is told to exit.
 */
export async function endProcess(code: number): Promise<void> {
  process.exitCode = code;
  if (!isInterrupted) return;
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => void stream.write('', () => resolve()));
  }
  process.exit();
}
