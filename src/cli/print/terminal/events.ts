import type { Emit, RunEvent } from '../../../model/event.ts';
import { grouped, lasting, minutes } from './numbers.ts';
import { visible } from '../../../model/visible.ts';
import type { MachineClock } from '../../../machine/machine.ts';
import { progressBar, type Progress } from './progress-bar.ts';
import type { Screen } from './screen.ts';

const PLAIN_EVERY_MS = 30_000;
const RETRY_EVERY_MS = 5_000;

const PHASES = {
  'read files': 'reading the files',
  'read source': 'reading the source',
  'read service': 'asking the service what it has',
  plan: 'comparing',
  write: 'writing',
  settle: 'checking what is still unclear',
  verify: 'comparing both sides',
} as const;

export interface EventPrinter {
  readonly emit: Emit;
  /** Where to ask how many requests may be under way. */
  watch(atOnce: () => number): void;
  /** A line beside the bar, on stderr. */
  line(text: string): void;
  /** Takes the bar away; nothing is drawn afterwards. */
  close(): void;
}

/**
 * Shows a run under way, on stderr: on a terminal as a bar, elsewhere as plain lines, one every 30 s. `--verbose` shows
 * each request and each outcome.
 */
export function eventPrinter(screen: Screen, clock: MachineClock): EventPrinter {
  const bar = screen.canRedraw && !screen.isQuiet ? progressBar(screen, clock) : undefined;
  const retries = retryLines(screen, clock);
  let plainAtMs = clock.now();
  let progressStartMs: number | undefined;
  let isClosed = false;

  function line(text: string): void {
    if (bar === undefined || isClosed) screen.talk(text);
    else bar.above(() => screen.talk(text));
  }

  /** What one phase has done says nothing of how fast the next one is. */
  function onPhase(text: string): void {
    progressStartMs = undefined;
    bar?.phase(text);
  }

  function onProgress(event: Progress): void {
    progressStartMs ??= clock.now();
    const elapsedMs = clock.now() - progressStartMs;
    bar?.progress(event, elapsedMs);
    if (bar !== undefined || clock.now() - plainAtMs < PLAIN_EVERY_MS) return;
    plainAtMs = clock.now();
    screen.talk(plainText(event, elapsedMs, clock.now()));
  }

  function emit(event: RunEvent): void {
    if (isClosed) return;
    if (event.type === 'phase') onPhase(PHASES[event.phase]);
    else if (event.type === 'progress') onProgress(event);
    else {
      const text = event.type === 'retry' ? retries(event) : lineOf(event, screen.isVerbose);
      if (text !== undefined) line(text);
    }
  }

  return {
    emit,
    watch: (atOnce) => bar?.watch(atOnce),
    line,
    close: () => {
      isClosed = true;
      bar?.close();
    },
  };
}

function lineOf(
  event: Extract<RunEvent, { type: 'request' | 'outcome' | 'note' }>,
  isVerbose: boolean,
): string | undefined {
  if (event.type === 'note') return visible(event.text);
  if (!isVerbose) return undefined;
  if (event.type === 'request') {
    const { method, path, status, durationMs } = event;
    return `  ${method} ${visible(path)}  ${status ?? 'no answer'}  ${Math.round(durationMs)} ms`;
  }
  const message = event.message === undefined ? '' : `  ${visible(event.message)}`;
  return `  ${event.action} ${visible(event.key)}  ${event.outcome}${message}`;
}

/** A service in trouble makes thousands of retries: one line every 5 s says how many there were. */
function retryLines(screen: Screen, clock: MachineClock) {
  let shownAtMs = -Infinity;
  let hidden = 0;
  return (event: Extract<RunEvent, { type: 'retry' }>): string | undefined => {
    if (!screen.isVerbose && clock.now() - shownAtMs < RETRY_EVERY_MS) {
      hidden += 1;
      return undefined;
    }
    shownAtMs = clock.now();
    const others = hidden === 0 ? '' : `; ${grouped(hidden)} more since the last line`;
    hidden = 0;
    return `! ${visible(event.reason)}; try ${event.attempt} in ${lasting(event.delayMs)}${others}`;
  };
}

/** `10:41:32 500/2000 25 % 17/s failed 0 elapsed 0:30 eta 1:28`, UTC */
function plainText(event: Progress, elapsedMs: number, nowMs: number): string {
  const rate = elapsedMs === 0 ? 0 : event.done / (elapsedMs / 1000);
  const eta = rate === 0 ? '?' : minutes(((event.total - event.done) / rate) * 1000);
  return [
    new Date(nowMs).toISOString().slice(11, 19),
    `${event.done}/${event.total}`,
    `${event.total === 0 ? 100 : Math.floor((event.done / event.total) * 100)} %`,
    `${Math.round(rate)}/s`,
    `failed ${event.failed}`,
    `elapsed ${minutes(elapsedMs)}`,
    `eta ${eta}`,
  ].join(' ');
}

export interface ReopeningPrinter extends EventPrinter {
  /** A question closes what draws; afterwards there is much to show again. */
  readonly reopen: () => void;
}

export function reopening(open: () => EventPrinter): ReopeningPrinter {
  let printer = open();
  return {
    emit: (event) => printer.emit(event),
    watch: (atOnce) => printer.watch(atOnce),
    line: (text) => printer.line(text),
    close: () => printer.close(),
    reopen: () => {
      printer = open();
    },
  };
}
