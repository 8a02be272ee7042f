import type { ReadingMemory } from '../../content/options.ts';
import type { Live } from '../../sync/live.ts';
import type { LiveEvent } from '../../sync/live-event.ts';
import type { SyncReport } from '../../sync/report.ts';
import type { BatchEnd } from '../../sync/watch.ts';
import { apiKeyFor } from '../address.ts';
import { addressOf } from '../engine.ts';
import { EXIT, syncExit } from '../exit.ts';
import { readContent } from '../files-run.ts';
import { setupFlags, type WatchFlags } from '../flags.ts';
import { liveSession } from '../live-session.ts';
import { counted, lasting } from '../numbers.ts';
import { pageAddress } from '../page-address.ts';
import { visible } from '../plain.ts';
import { policyOf } from '../policy.ts';
import { eventPrinter } from '../print-event.ts';
import { watchPrinter } from '../print-watch.ts';
import { screen as screenOf, type Screen } from '../screen.ts';
import { loadSettings, shown, type Settings } from '../settings.ts';
import { stopOnSignal } from '../stop.ts';
import type { World } from '../world.ts';

/** `kbsync watch`: a whole sync, then every saved file, until Ctrl-C. Never deletes. */
export async function watch(flags: WatchFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = eventPrinter(screen, world.clock);
  const stop = stopOnSignal(world, printer);
  try {
    for (;;) {
      const end = await watchUntil({
        flags,
        world,
        screen,
        signal: stop.signal,
        line: (text) => printer.line(text),
      });
      if (end !== 'settings') return end;
    }
  } finally {
    stop.dispose();
    printer.close();
  }
}

export interface Watching {
  readonly flags: WatchFlags;
  readonly world: World;
  readonly screen: Screen;
  readonly signal: AbortSignal;
  readonly line: (text: string) => void;
}

/** Until it is stopped, or until the settings change: then all begins anew with them. */
async function watchUntil(watching: Watching): Promise<number | 'settings'> {
  const { flags, world, screen, signal } = watching;
  const settings = await loadSettings(flags, world);
  const address = addressOf(settings);
  const apiKey = apiKeyFor(address, world.env);
  const send = await world.connect(address.origin);
  const print = watchPrinter({
    screen,
    now: () => world.clock.now(),
    setup: setupFlags(flags),
    pageOf: pageAddress(settings, address.href),
  });
  const session = liveSession({
    settings,
    world,
    policy: { ...policyOf(flags)(settings), prune: false },
    address,
    apiKey,
    send,
    emit: (event) => {
      if (event.type === 'note' || (event.type === 'request' && flags.verbose)) watching.line(noteOf(event));
    },
    signal,
  });
  try {
    return await run(watching, { settings, session, print });
  } finally {
    await session.close();
    await send.close();
  }
}

function noteOf(event: { readonly type: 'note'; readonly text: string } | RequestDone): string {
  if (event.type === 'note') return visible(event.text);
  const { method, path, status, durationMs } = event;
  return `  ${method} ${visible(path)}  ${status ?? 'no answer'}  ${Math.round(durationMs)} ms`;
}

interface RequestDone {
  readonly type: 'request';
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly durationMs: number;
}

interface Parts {
  readonly settings: Settings;
  readonly session: ReturnType<typeof liveSession>;
  readonly print: ReturnType<typeof watchPrinter>;
}

async function run(watching: Watching, { settings, session, print }: Parts): Promise<number | 'settings'> {
  const { flags, world, screen, signal } = watching;
  const { createLive } = await import('../../sync/live.ts');
  let errors = 0;
  const say = (event: LiveEvent): void => {
    if (event.type === 'problems') errors = event.problems.filter(isError).length;
    print.event(event);
    if (event.type !== 'whole' || !event.isFirst) return;
    const where = flags.once ? '' : `; watching ${shown(settings.contentDir, world)}/  (Ctrl-C ends)`;
    print.note(`${firstSum(event.report, event.fileCount, errors)}${where}`);
  };
  const memory: ReadingMemory = { entries: new Map() };
  const load = async () => (await readContent(settings, flags, world, memory)).content;
  const live = createLive({ load, open: session.open, clock: world.clock, say });
  if (flags.once) {
    const end = await live.turn({ paths: [], scope: 'everything', sinceMs: world.clock.now() });
    return onceExit(live.lastReport(), end, errors);
  }
  const { watchLoop } = await import('../watch-loop.ts');
  const end = await watchLoop({ settings, flags, world, signal, live, note: print.note });
  if (end === 'stopped' && !screen.isQuiet) print.note(`state saved, ${leftOpen(live, errors)}`);
  return end === 'settings' ? end : EXIT.done;
}

function leftOpen(live: Pick<Live, 'waiting' | 'conflicts'>, errors: number): string {
  const waiting = live.waiting();
  const conflicts = live.conflicts();
  const parts = [
    waiting === 0 ? undefined : `${counted(waiting, 'change')} not sent; the next run sends them`,
    conflicts === 0 ? undefined : `${counted(conflicts, 'conflict')} open; kbsync plan shows both sides`,
    errors === 0 ? undefined : `${counted(errors, 'error')} in the files`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'nothing waiting' : parts.join('; ');
}

function isError({ severity }: { readonly severity: string }): boolean {
  return severity === 'error';
}

function firstSum(report: SyncReport, files: number, errors: number): string {
  const { plan, summary, requests, durationMs } = report;
  const sent = summary.created + summary.updated;
  const notSent = summary.failed + summary.skipped + summary.pending;
  const parts = [
    sent === 0 ? undefined : `${counted(sent, 'record')} sent`,
    plan.conflicts.length === 0 ? undefined : counted(plan.conflicts.length, 'conflict'),
    notSent === 0 ? undefined : `${notSent} not sent`,
    errors === 0 ? undefined : `${counted(errors, 'error')} in the files`,
  ].filter((part) => part !== undefined);
  const isInStep = parts.length === 0 || (parts.length === 1 && sent > 0);
  const state = isInStep && plan.refusals.length === 0 ? ['in step'] : [];
  const time = durationMs < 1000 ? [] : [lasting(durationMs)];
  return [...state, ...parts, counted(files, 'file'), counted(requests, 'request'), ...time].join(', ');
}

function onceExit(report: SyncReport | undefined, turned: BatchEnd, errors: number): number {
  if (report === undefined) return EXIT.failed;
  const exit = syncExit(report);
  if (exit !== EXIT.done) return exit;
  return errors > 0 || turned !== 'done' ? EXIT.failed : EXIT.done;
}
