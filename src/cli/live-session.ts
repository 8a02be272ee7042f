import type { BaseStore } from '../base/base.ts';
import type { Emit } from '../model/event.ts';
import type { Send } from '../remote/remote.ts';
import type { Sync } from '../sync/create-sync.ts';
import type { SyncPolicy } from '../sync/report.ts';
import { clientIn, trashOf } from './resources.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

export interface LiveSession {
  /** Opens the state and makes a run of it; whatever was open before is closed first. */
  readonly open: () => Promise<Sync>;
  /** Gives the lock of the state back. */
  readonly close: () => Promise<void>;
}

export interface LiveSessionOptions {
  readonly settings: Settings;
  readonly world: World;
  readonly policy: SyncPolicy;
  readonly address: { readonly href: string };
  readonly apiKey: string;
  readonly send: Send;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** What a command that keeps running syncs with: it may have to open its state more than once. */
export function liveSession(options: LiveSessionOptions): LiveSession {
  const { settings, world, policy, address, apiKey, send, emit, signal } = options;
  let base: BaseStore | undefined;
  const close = async (): Promise<void> => {
    const before = base;
    base = undefined;
    await before?.close();
  };
  const open = async (): Promise<Sync> => {
    await close();
    const [{ openBase }, { createSync }] = await Promise.all([
      import('../base/store.ts'),
      import('../sync/create-sync.ts'),
    ]);
    base = await openBase({ file: settings.stateFile, origin: address.href, readOnly: false });
    const { clock } = world;
    const random = (): number => world.random();
    const remote = await clientIn(world, {
      baseUrl: address.href,
      apiKey,
      send,
      emit,
      concurrencyMax: policy.concurrencyMax,
      defaultLanguage: settings.file.defaultLanguage ?? 'en',
      signal,
    });
    const saveTrash = await trashOf(settings, world);
    return createSync({ remote, base, policy, emit, clock, random, signal, saveTrash });
  };
  return { open, close };
}
