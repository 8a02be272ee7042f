import type { RunEvent } from '../../../model/event.ts';
import { grouped, minutes } from './numbers.ts';
import { cut } from './text.ts';
import type { Screen } from './screen.ts';
import type { MachineClock } from '../../../machine/machine.ts';

const DRAW_EVERY_MS = 100;
const TICK_MS = 1000;

export type Progress = Extract<RunEvent, { type: 'progress' }>;

/** One line on stderr that is redrawn in place, at most 10 times a second, and is gone at the end. */
export interface ProgressBar {
  /** What is going on while nothing can be counted. */
  phase(text: string): void;
  progress(event: Progress, elapsedMs: number): void;
  watch(atOnce: () => number): void;
  /** Lets `print` write above the line. */
  above(print: () => void): void;
  close(): void;
}

export function progressBar(screen: Screen, clock: MachineClock): ProgressBar {
  let drawn = '';
  let status = '';
  let drawnAtMs = -Infinity;
  let isClosed = false;
  let atOnce: (() => number) | undefined;
  let last: { readonly event: Progress; readonly startMs: number } | undefined;
  let cancelTick = (): void => undefined;

  function draw(text: string, isUrgent: boolean): void {
    status = text;
    if (isClosed || (!isUrgent && clock.now() - drawnAtMs < DRAW_EVERY_MS)) return;
    drawnAtMs = clock.now();
    drawn = text;
    screen.stderr.write(`\r${text}\u001b[K`);
  }

  function clear(): void {
    if (drawn !== '') screen.stderr.write('\r\u001b[K');
    drawn = '';
  }

  // The elapsed time goes on while a slow answer is awaited.
  function tick(): void {
    cancelTick = clock.after(TICK_MS, () => {
      if (last !== undefined) {
        draw(barText({ ...last.event, atOnce: atOnce?.() }, clock.now() - last.startMs, screen), false);
      }
      tick();
    });
  }
  tick();

  return {
    phase: (text) => draw(cut(`${text} …`, Math.max(1, screen.stderr.columns - 1)), true),
    progress: (event, elapsedMs) => {
      last = { event, startMs: clock.now() - elapsedMs };
      draw(barText({ ...event, atOnce: atOnce?.() }, elapsedMs, screen), event.done === event.total);
    },
    watch: (ask) => {
      atOnce = ask;
    },
    above: (print) => {
      clear();
      print();
      if (status !== '') draw(status, true);
    },
    close: () => {
      if (isClosed) return;
      cancelTick();
      clear();
      isClosed = true;
    },
  };
}

type Shown = Progress & { readonly atOnce: number | undefined };

/** Never wider than the terminal: a line that wraps cannot be redrawn. Cut before it is painted. */
function barText(event: Shown, elapsedMs: number, { glyphs, errPaint, stderr }: Screen): string {
  const width = 24;
  const share = event.total === 0 ? 1 : event.done / event.total;
  const full = Math.min(width, Math.floor(share * width));
  const head = full < width ? glyphs.half : '';
  const bar =
    errPaint.green(glyphs.full.repeat(full) + head) +
    errPaint.dim(glyphs.empty.repeat(Math.max(0, width - full - head.length)));
  const room = stderr.columns - 1;
  const text = figures(event, elapsedMs).join('  ');
  return room < width + 12 ? cut(text, Math.max(1, room)) : `${bar}  ${cut(text, room - width - 2)}`;
}

function figures(event: Shown, elapsedMs: number): readonly string[] {
  const share = event.total === 0 ? 1 : event.done / event.total;
  const rate = elapsedMs < 500 ? 0 : event.done / (elapsedMs / 1000);
  const left = event.total - event.done;
  return [
    `${grouped(event.done)}/${grouped(event.total)}`,
    `${Math.floor(share * 100)} %`,
    ...(rate === 0 ? [] : [`${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`]),
    ...(event.atOnce === undefined ? [] : [`${event.atOnce} at once`]),
    `${grouped(event.failed)} failed`,
    minutes(elapsedMs),
    ...(rate === 0 || left === 0 ? [] : [`ETA ${minutes((left / rate) * 1000)}`]),
  ];
}
