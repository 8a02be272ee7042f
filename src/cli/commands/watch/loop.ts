import { relative, resolve, sep } from 'node:path';
import type { FileWatch } from '../../../content/files/watch-files.ts';
import { watchFiles } from '../../../content/files/watch-files.ts';
import type { Turns } from '../../../sync/watch/turns.ts';
import type { Batches } from '../../../sync/watch/batches.ts';
import { createBatches } from '../../../sync/watch/batches.ts';
import { failureOf } from '../../run/failure.ts';
import type { CommonFlags } from '../../flags.ts';
import { counted, lasting } from '../../print/terminal/numbers.ts';
import { visible } from '../../../model/visible.ts';
import { loadSettings, shown, type Settings } from '../../../config/settings.ts';
import type { World } from '../../world.ts';

export interface WatchLoop {
  readonly settings: Settings;
  readonly flags: CommonFlags;
  readonly world: World;
  readonly signal: AbortSignal;
  readonly live: Turns;
  readonly note: (sentence: string) => void;
  /** Looks at every file again and again: the disk tells of no change. */
  readonly poll?: boolean;
  /** Reads the settings again; default: as they were read first. */
  readonly reload?: () => Promise<Settings>;
}

type LoopEnd = 'stopped' | 'settings';

/**
 * Watches the content folder and the settings, and takes every batch of changes to `live`, first of all everything.
 * Ends when `signal` says so, when the settings have become others, and by throwing what `live` throws.
 */
export async function watchLoop(loop: WatchLoop): Promise<LoopEnd> {
  const { settings, world, signal, live, note, poll = false } = loop;
  const end = openEnd<LoopEnd>();
  let files: FileWatch | undefined;
  const watch = watchOf(loop, end.fail, () => files?.isBusy() ?? false);
  const stop = (): void => end.done('stopped');
  try {
    const config = resolve(world.cwd, settings.configFile ?? 'kbsync.yaml');
    // Watched before it is read: what changes in between is a batch of its own.
    files = await watchFiles({
      folder: settings.contentDir,
      scope: { include: settings.file.include ?? [], exclude: settings.file.exclude ?? [] },
      files: [config],
      onChange: (path) => {
        if (path === config)
          void settingsChanged(loop).then((isOther) => isOther && end.done('settings'), end.fail);
        else watch.changed(relative(world.cwd, path).split(sep).join('/').normalize('NFC'));
      },
      onFailure: end.fail,
      onReturn: () => note(`${visible(shown(settings.contentDir, world))}/ is there again`),
      poll,
    });
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    else watch.everything();
    return await end.promise;
  } finally {
    signal.removeEventListener('abort', stop);
    await files?.close();
    await watch.stop();
    await live.save();
  }
}

function watchOf(
  { world, live, note }: WatchLoop,
  onFailure: (error: unknown) => void,
  isBusy: () => boolean,
): Batches {
  return createBatches({
    clock: world.clock,
    random: () => world.random(),
    run: (batch) => live.turn(batch),
    onWait: (delayMs, waiting) => {
      const what = waiting === 0 ? '' : `${counted(waiting, 'change')} waiting, `;
      note(`… ${what}next try in ${lasting(delayMs)}`);
    },
    onFailure,
    isBusy,
    dateMs: () => live.dateMs(),
  });
}

/** Settings that cannot be read leave those of before in force. */
async function settingsChanged({ settings, flags, world, note, reload }: WatchLoop): Promise<boolean> {
  try {
    const now = await (reload?.() ?? loadSettings(flags, world));
    if (JSON.stringify(now) === JSON.stringify(settings)) return false;
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    note(`x ${visible(failure.message)}; keeping the previous settings`);
    return false;
  }
  note(`${visible(settings.configFile ?? 'kbsync.yaml')} changed: restarting`);
  return true;
}

interface OpenEnd<T> {
  readonly promise: Promise<T>;
  readonly done: (value: T) => void;
  readonly fail: (error: unknown) => void;
}

function openEnd<T>(): OpenEnd<T> {
  const ends: { done?: (value: T) => void; fail?: (error: unknown) => void } = {};
  const promise = new Promise<T>((resolve, reject) => {
    ends.done = resolve;
    ends.fail = reject;
  });
  // It may fail while nobody waits for it yet.
  promise.catch(() => undefined);
  return { promise, done: (value) => ends.done?.(value), fail: (error) => ends.fail?.(error) };
}
