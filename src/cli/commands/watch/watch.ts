import type { WatchFlags } from './command.ts';
import type { LoadedContent } from '../../../content/options.ts';
import type { ReadingMemory } from '../../../content/reading/readings.ts';
import type { Turns } from '../../../sync/watch/turns.ts';
import type { WatchEvent } from '../../../sync/watch/event.ts';
import type { Key } from '../../../model/key.ts';
import type { BaseState, DesiredState } from '../../../model/record.ts';
import { choiceOf, type Choice } from '../../../sync/choice.ts';
import type { SyncPolicy, SyncReport } from '../../../sync/report.ts';
import type { BatchEnd } from '../../../sync/watch/batches.ts';
import { accessOf, type Access } from '../../../session/access.ts';
import { chosenFrom, wantedBy } from '../../run/choice.ts';
import { EXIT, syncExit } from '../../run/exit.ts';
import { readUploaded } from '../../run/read-for-service.ts';
import { setupFlags } from '../../flags.ts';
import { liveSession } from './session.ts';
import { counted, lasting } from '../../print/terminal/numbers.ts';
import { pagesOf } from '../../../config/content-options.ts';
import { visible } from '../../../model/visible.ts';
import { policyOf } from '../../run/policy.ts';
import { eventPrinter } from '../../print/terminal/events.ts';
import { watchPrinter } from './print.ts';
import { screen as screenOf, type Screen } from '../../print/terminal/screen.ts';
import { loadSettings, shown, type Settings } from '../../../config/settings.ts';
import { stopOnSignal } from '../../run/stop.ts';
import type { World } from '../../world.ts';
import { repositoryNames } from '../../../session/repository.ts';
import type { Uploads } from '../../../session/uploads.ts';
import { statePlaceOf } from '../../../session/shared.ts';
import { checkoutOf } from '../../../session/revision.ts';
import { runLog } from '../../../session/run-log.ts';

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

/** Until it is stopped, or until the settings change: then all begins again with them. */
async function watchUntil(watching: Watching): Promise<number | 'settings'> {
  const { flags, world, screen, signal } = watching;
  const settings = await loadSettings(flags, world);
  const access = accessOf(settings, world.env);
  const print = watchPrinter({
    screen,
    now: () => world.clock.now(),
    setup: setupFlags(flags),
    pageOf: pagesOf(settings, access.address.href),
  });
  const part = await partOf(flags, settings, world);
  const files: FilesOfNow = { editing: undefined };
  const session = liveSession({
    renames: async (names) => {
      const { renamesIn } = await import('../../run/renames.ts');
      return renamesIn(settings.contentDir, names, files.editing);
    },
    ...(part === undefined ? {} : { choose: part.choose }),
    ...checkoutOf(settings.contentDir, world),
    settings,
    place: await statePlaceOf(settings, world, 'watch'),
    machine: world,
    policy: { ...policyOf(flags)(settings), prune: false },
    repository: await repositoryNames(settings, world.files),
    log: await runLog(settings, world, 'watch'),
    access,
    emit: (event) => {
      if (event.type === 'note' || (event.type === 'request' && flags.verbose)) watching.line(noteOf(event));
    },
    signal,
  });
  try {
    return await run(watching, { settings, session, print, access, part, files });
  } finally {
    await session.close();
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

/** What tells the names of files, of the last time they were read. */
interface FilesOfNow {
  editing: LoadedContent['editing'];
}

interface Parts {
  readonly files: FilesOfNow;
  readonly settings: Settings;
  readonly session: ReturnType<typeof liveSession>;
  readonly access: Access;
  readonly print: ReturnType<typeof watchPrinter>;
  /** undefined: the runs are about all records. */
  readonly part: Part | undefined;
}

/** What partial runs are about; new files and edits join it as they come. */
interface Part {
  /** Looks at the history again, where that decides. */
  readonly refresh: () => Promise<void>;
  /** The first time, a word that fits no record is an error. */
  readonly choice: (desired: DesiredState, base: BaseState) => Choice;
  readonly choose: (desired: DesiredState, base: BaseState) => SyncPolicy['only'];
  /** Those of the files; what is missing of a chosen record counts as needed. */
  readonly chosenFiles: (desired: DesiredState) => ReadonlySet<Key>;
}

async function partOf(flags: WatchFlags, settings: Settings, world: World): Promise<Part | undefined> {
  let wanted = await wantedBy(flags, settings, world);
  if (wanted === undefined) return undefined;
  let isFirst = true;
  const choice: Part['choice'] = (desired, base) => {
    const now = wanted ?? { folder: '' };
    if (!isFirst) return choiceOf(now, { desired, base });
    const first = chosenFrom(now, desired, base);
    isFirst = false;
    return first;
  };
  return {
    refresh: async () => {
      if (flags.changedSince !== undefined) wanted = await wantedBy(flags, settings, world);
    },
    choice,
    choose: (desired, base) => ({ keys: choice(desired, base).keys, what: 'part' }),
    chosenFiles: (desired) =>
      choiceOf(wanted ?? { folder: '' }, { desired, base: { records: new Map() } }).keys,
  };
}

async function run(
  watching: Watching,
  { settings, session, print, access, part, files }: Parts,
): Promise<number | 'settings'> {
  const { flags, world, screen, signal } = watching;
  const { createTurns } = await import('../../../sync/watch/turns.ts');
  let errors = 0;
  let last: Choice | undefined;
  const say = (event: WatchEvent): void => {
    if (event.type === 'problems') errors = event.problems.filter(isError).length;
    print.event(event);
    if (event.type !== 'whole' || !event.isFirst) return;
    const where = flags.once ? '' : `; watching ${shown(settings.contentDir, world)}/  (Ctrl-C ends)`;
    const sum = firstSum(event.report, event.fileCount, { errors, isPartial: part !== undefined });
    print.note(`${sum}${where}`);
    if (last !== undefined) print.note(`partial: ${last.keys.size} of ${counted(last.of, 'record')}`);
  };
  const memory: ReadingMemory = { entries: new Map() };
  const chosenFiles = (desired: DesiredState) => part?.chosenFiles(desired);
  let uploads: Uploads | undefined;
  const load = async () => {
    await part?.refresh();
    const asked = { memory, access, signal: watching.signal, uploads, chosen: chosenFiles };
    const read = await readUploaded(settings, flags, world, asked);
    uploads = read.uploads;
    files.editing = read.content.editing;
    return read.content;
  };
  const chosen =
    part &&
    ((desired: DesiredState, base: BaseState) => {
      last = part.choice(desired, base);
      return last.keys;
    });
  const live = createTurns({ load, open: session.open, clock: world.clock, say, chosen });
  if (flags.once) {
    const end = await live.turn({ paths: [], scope: 'everything', sinceMs: world.clock.now() });
    return onceExit(live.lastReport(), end, errors);
  }
  const { watchLoop } = await import('./loop.ts');
  const end = await watchLoop({ settings, flags, world, signal, live, note: print.note, poll: flags.poll });
  if (end === 'stopped' && !screen.isQuiet) print.note(`state saved, ${leftOpen(live, errors)}`);
  return end === 'settings' ? end : EXIT.done;
}

function leftOpen(live: Pick<Turns, 'waiting' | 'conflicts'>, errors: number): string {
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

function firstSum(
  report: SyncReport,
  files: number,
  { errors, isPartial }: { readonly errors: number; readonly isPartial: boolean },
): string {
  const { plan, summary, requests, durationMs } = report;
  const sent = summary.created + summary.updated;
  const notSent = summary.failed + summary.skipped + summary.pending;
  const parts = [
    sent === 0 ? undefined : `${counted(sent, 'record')} sent`,
    plan.conflicts.length === 0 ? undefined : counted(plan.conflicts.length, 'conflict'),
    notSent === 0 ? undefined : `${notSent} not sent`,
    errors === 0 ? undefined : `${counted(errors, 'error')} in the files`,
  ].filter((part) => part !== undefined);
  const isInSync = parts.length === 0 || (parts.length === 1 && sent > 0);
  // Of the records that it is not about, a partial run knows nothing.
  const well = isPartial ? (sent === 0 ? ['nothing to send'] : []) : ['in sync'];
  const state = isInSync && plan.refusals.length === 0 ? well : [];
  const time = durationMs < 1000 ? [] : [lasting(durationMs)];
  return [...state, ...parts, counted(files, 'file'), counted(requests, 'request'), ...time].join(', ');
}

function onceExit(report: SyncReport | undefined, turned: BatchEnd, errors: number): number {
  if (report === undefined) return EXIT.failed;
  const exit = syncExit(report);
  if (exit !== EXIT.done) return exit;
  return errors > 0 || turned !== 'done' ? EXIT.failed : EXIT.done;
}
