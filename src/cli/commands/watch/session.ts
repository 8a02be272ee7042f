import type { Emit } from '../../../model/event.ts';
import type { Settings } from '../../../config/settings.ts';
import type { Access } from '../../../session/access.ts';
import { openSession, type SessionMachine } from '../../../session/session.ts';
import type { Sync } from '../../../sync/create-sync.ts';
import type { SyncOptions } from '../../../sync/options.ts';
import type { StatePlaceOptions } from '../../../session/shared.ts';
import type { SyncPolicy } from '../../../sync/report.ts';
import type { RunLog } from '../../../session/run-log.ts';
import type { RepositoryNames } from '../../../model/repository.ts';

export interface LiveSession {
  /** Opens the state and starts a run with it; an earlier one is closed first. */
  readonly open: () => Promise<Sync>;
  /** Gives the lock of the state back. */
  readonly close: () => Promise<void>;
}

export interface LiveSessionOptions {
  readonly log: RunLog | undefined;
  readonly settings: Settings;
  readonly place: StatePlaceOptions;
  readonly machine: SessionMachine;
  readonly policy: SyncPolicy;
  readonly choose?: SyncOptions['choose'];
  readonly checkout?: SyncOptions['checkout'];
  readonly renames?: SyncOptions['renames'];
  readonly repository: RepositoryNames;
  readonly access: Access;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** What a command that keeps running syncs with: it may have to open its state more than once. */
export function liveSession({
  settings,
  place,
  policy,
  choose,
  checkout,
  renames,
  ...client
}: LiveSessionOptions): LiveSession {
  let closeOpen = (): Promise<void> => Promise.resolve();
  const close = async (): Promise<void> => {
    const last = closeOpen;
    closeOpen = () => Promise.resolve();
    await last();
  };
  const open = async (): Promise<Sync> => {
    await close();
    const { createSync } = await import('../../../sync/create-sync.ts');
    const session = await openSession({
      ...client,
      ...place,
      readOnly: false,
      concurrencyMax: policy.concurrencyMax,
      // It has no end to come to.
      waits: true,
      defaultLanguage: settings.file.defaultLanguage ?? 'en',
    });
    closeOpen = session.close;
    const options = await session.syncOptions(policy);
    return createSync({
      ...options,
      ...(choose === undefined ? {} : { choose }),
      ...(checkout === undefined ? {} : { checkout }),
      ...(renames === undefined ? {} : { renames }),
      origin: client.access.address.origin,
    });
  };
  return { open, close };
}
