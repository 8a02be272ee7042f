import { BaseError } from '../base/base.ts';
import type { BaseStore } from '../base/base.ts';
import { statePaths } from '../base/load.ts';
import { thisProcess } from '../base/lock.ts';
import type { SharedBaseOptions } from '../base/shared/shared-base.ts';
import type { SharedStore } from '../base/shared/shared-store.ts';
import type { Settings } from '../config/settings.ts';
import type { Env, Files, MachineClock } from '../machine/machine.ts';
import { monotonicMs } from '../machine/machine.ts';
import type { Send } from '../remote/remote.ts';
import { runner } from './run-log.ts';

type Connection = Send & { close(): Promise<void> };

/** What a shared state needs of this machine. */
export interface SharedMachine {
  readonly version: string;
  readonly env: Env;
  readonly files: Files;
  readonly clock: MachineClock;
  connect(origin: string): Promise<Connection>;
}

/** A state that machines share, and who opens it. */
export interface SharedState {
  readonly store: () => Promise<SharedStore>;
  readonly owner: SharedBaseOptions['owner'];
  readonly clock: SharedBaseOptions['clock'];
  readonly files: Pick<Files, 'modifiedMs'>;
}

/** Where the state of these settings is: in a file, or shared. */
export interface StatePlaceOptions {
  /** Absolute. */
  readonly stateFile: string;
  readonly shared?: SharedState;
}

/** `command`: what the lock says that its holder does. */
export async function statePlaceOf(
  settings: Pick<Settings, 'stateFile' | 'sharedState' | 'root' | 'contentDir'>,
  machine: SharedMachine,
  command: string,
): Promise<StatePlaceOptions> {
  const { stateFile, sharedState, root, contentDir } = settings;
  if (sharedState === undefined) return { stateFile };
  const { env, files, clock, version } = machine;
  const { who = 'somebody', commit } = await runner(contentDir, { env, files });
  const { host } = thisProcess.identity();
  return {
    stateFile,
    shared: {
      store: async () => {
        const { openSharedStore } = await import('../shared-state/open.ts');
        const connect = (origin: string): Promise<Connection> => machine.connect(origin);
        return openSharedStore({ ...sharedState, env, root, clock, connect });
      },
      owner: {
        who: `${who}@${host}`,
        command: `kbsync ${command}`,
        version,
        ...(commit === undefined ? {} : { commit }),
      },
      clock: {
        nowMs: () => clock.now(),
        monotonicMs,
        every: (delayMs, callback) => {
          let cancel = clock.after(delayMs, again);
          function again(): void {
            callback();
            cancel = clock.after(delayMs, again);
          }
          return () => cancel();
        },
      },
      files,
    },
  };
}

/** @throws BaseError `two-states` when a state file lies where it would be, and what opening a base throws */
export async function openShared(
  { store: opened, owner, clock, files }: SharedState,
  {
    stateFile,
    readOnly,
    origin,
  }: { readonly stateFile: string; readonly readOnly: boolean; readonly origin: string },
): Promise<BaseStore> {
  const { openSharedBase, openSharedForReading } = await import('../base/shared/shared-base.ts');
  const store = await opened();
  try {
    await refuseFile(stateFile, store.name, files);
  } catch (error) {
    await store.close();
    throw error;
  }
  if (readOnly) return openSharedForReading(store, origin);
  return openSharedBase({ store, origin, owner, clock, host: thisProcess });
}

/** A state file beside a shared state knows of other creates: whoever used both would make articles twice. */
async function refuseFile(stateFile: string, name: string, files: Pick<Files, 'modifiedMs'>): Promise<void> {
  const { state, journal } = statePaths(stateFile);
  for (const file of [state, journal]) {
    if ((await files.modifiedMs(file)) === undefined) continue;
    throw new BaseError(
      'two-states',
      `there are two states: ${file}, and ${name}, which the settings name. If nobody used ${name} yet, ` +
        'run `kbsync state push`, which moves the file there. If the file is old, move it away.',
    );
  }
}
