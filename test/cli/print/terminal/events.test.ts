import { expect, test } from 'vitest';
import { eventPrinter, type EventPrinter } from '../../../../src/cli/print/terminal/events.ts';
import { screen } from '../../../../src/cli/print/terminal/screen.ts';
import type { World } from '../../../../src/cli/world.ts';
import { golden } from '../../support/golden.ts';

/** Only what the printer uses of the world: a clock by hand and a stderr that is kept. */
function rig(options: {
  isTTY: boolean;
  columns?: number;
  verbose?: boolean;
  quiet?: boolean;
  env?: Record<string, string>;
}) {
  let nowMs = Date.UTC(2026, 10, 20, 10, 41, 0);
  let text = '';
  const timers: { atMs: number; callback: () => void }[] = [];
  const clock = {
    now: () => nowMs,
    sleep: () => Promise.resolve(),
    after: (delayMs: number, callback: () => void) => {
      const timer = { atMs: nowMs + delayMs, callback };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  };
  const output = {
    write: (more: string) => void (text += more),
    isTTY: options.isTTY,
    columns: options.columns ?? 90,
  };
  // The printer sees no more of the world than this.
  const world = {
    env: options.env ?? { LC_ALL: 'C.UTF-8' },
    stdout: output,
    stderr: output,
    clock,
  } as unknown as World;
  const view = screen(world, {
    json: false,
    quiet: options.quiet ?? false,
    verbose: options.verbose ?? false,
    color: false,
  });
  const printer = eventPrinter(view, clock);
  return {
    printer,
    text: () => text,
    draws: () => text.split('\r').filter((line) => line.includes('/')).length,
    advance: (ms: number) => {
      nowMs += ms;
      for (const timer of timers.filter(({ atMs }) => atMs <= nowMs)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.callback();
      }
    },
  };
}

function progress(printer: EventPrinter, done: number, total = 2000): void {
  printer.emit({ type: 'progress', done, total, failed: 0 });
}

test('a terminal gets one line that is redrawn and gone at the end', async () => {
  const { printer, text, advance } = rig({ isTTY: true });
  printer.watch(() => 4);
  printer.emit({ type: 'phase', phase: 'read files' });
  progress(printer, 0);
  advance(32_000);
  progress(printer, 1204);
  printer.emit({
    type: 'retry',
    method: 'PUT',
    path: '/api/v2/articles',
    reason: 'PUT /api/v2/articles: 503',
    attempt: 2,
    delayMs: 4000,
  });
  advance(1000);
  progress(printer, 2000);
  printer.close();
  progress(printer, 1);
  expect(text().endsWith('\r\u001b[K')).toBe(true);
  const printedText = text().replaceAll('\r', '<CR>').replaceAll('\u001b[K', '<EL>\n');
  expect(printedText).toBe(await golden('progress-terminal', 'stderr.txt', printedText));
});

test('the line is drawn at most ten times a second', () => {
  const { printer, draws, advance } = rig({ isTTY: true });
  for (let i = 1; i <= 1000; i += 1) {
    progress(printer, i);
    advance(1);
  }
  expect(draws()).toBeLessThanOrEqual(11);
});

test('the elapsed time goes on while nothing is answered', () => {
  const { printer, text, advance } = rig({ isTTY: true });
  progress(printer, 10);
  advance(1000);
  advance(1000);
  expect(text()).toContain('0:02');
});

test('no line is wider than the terminal', () => {
  for (const columns of [1, 10, 20, 40, 60, 80]) {
    const { printer, text, advance } = rig({ isTTY: true, columns });
    progress(printer, 0);
    advance(32_000);
    progress(printer, 1204);
    printer.emit({ type: 'phase', phase: 'read service' });
    const lines = text()
      .split('\r')
      .map((line) => line.replace('\u001b[K', ''));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(Math.max(1, columns - 1));
  }
});

test('elsewhere there is a plain line every 30 s and no redrawing', async () => {
  const { printer, text, advance } = rig({ isTTY: false });
  for (let i = 0; i <= 130; i += 1) {
    progress(printer, i * 15);
    advance(1000);
  }
  printer.close();
  expect(text()).not.toContain('\r');
  const printedText = text();
  expect(printedText).toBe(await golden('progress-plain', 'stderr.txt', printedText));
});

test('a short run in CI prints no progress', () => {
  const { printer, text } = rig({ isTTY: false });
  progress(printer, 1);
  progress(printer, 2000);
  printer.close();
  expect(text()).toBe('');
});

test('a service in trouble makes one line every 5 s, with the number of the others', () => {
  const { printer, text, advance } = rig({ isTTY: false });
  const retry = {
    type: 'retry',
    method: 'GET',
    path: '/x',
    reason: 'GET /x: 503',
    attempt: 2,
    delayMs: 500,
  } as const;
  for (let i = 0; i < 40; i += 1) printer.emit(retry);
  advance(5000);
  printer.emit(retry);
  expect(text()).toBe(
    '! GET /x: 503; try 2 in 0.5 s\n! GET /x: 503; try 2 in 0.5 s; 39 more since the last line\n',
  );
});

test('requests and outcomes are shown with --verbose only', () => {
  for (const verbose of [false, true]) {
    const { printer, text } = rig({ isTTY: false, verbose });
    printer.emit({ type: 'request', method: 'GET', path: '/api/v2/tags', status: 200, durationMs: 3.6 });
    printer.emit({
      type: 'request',
      method: 'PUT',
      path: '/api/v2/tags',
      status: undefined,
      durationMs: 30_000,
    });
    expect(text()).toBe(
      verbose ? '  GET /api/v2/tags  200  4 ms\n  PUT /api/v2/tags  no answer  30000 ms\n' : '',
    );
  }
});

test('--quiet draws nothing', () => {
  const { printer, text } = rig({ isTTY: true, quiet: true });
  printer.emit({ type: 'phase', phase: 'write' });
  progress(printer, 5);
  printer.emit({ type: 'note', text: 'x' });
  printer.close();
  expect(text()).toBe('');
});

test('notes with control characters are shown, not obeyed', () => {
  const { printer, text } = rig({ isTTY: false });
  printer.emit({ type: 'note', text: 'title \u001b]0;evil\u0007' });
  expect(text()).toBe('title \\x1b]0;evil\\x07\n');
});
