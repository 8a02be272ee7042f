import { dirname, join } from 'node:path';
import type { BaseStore, LoadedBase } from '../base/base.ts';
import type { History, RunHead } from '../base/history/history.ts';
import type { PreImage } from '../base/trash.ts';
import type { Files } from '../machine/machine.ts';
import type { Clock } from '../model/clock.ts';
import type { Emit } from '../model/event.ts';
import type { Key } from '../model/key.ts';
import type { Capabilities, KnownRecord } from '../model/record.ts';
import type { BaseUrl } from '../remote/address.ts';
import type { RemoteClient } from '../remote/client.ts';
import type { SendOptions } from '../remote/http/send.ts';
import type { Send } from '../remote/remote.ts';
import type { SyncOptions } from '../sync/options.ts';
import type { SyncPolicy } from '../sync/report.ts';
import type { Access } from './access.ts';
import { openShared, type StatePlaceOptions } from './shared.ts';
import { historyFolder, type RunLog } from './run-log.ts';
import type { RepositoryNames } from '../model/repository.ts';

/** What a session uses of this machine. */
export interface SessionMachine {
  readonly clock: Clock;
  /** In [0, 1). */
  random(): number;
  /** Connections to one origin. */
  connect(origin: string): Promise<Connection>;
}

/** Closing cuts what is under way. */
export type Connection = Send & { close(): Promise<void> };

/** Who asks whom, and how. */
export interface ClientOptions {
  readonly machine: SessionMachine;
  readonly access: Access;
  readonly emit: Emit;
  readonly signal?: AbortSignal;
  readonly concurrencyMax: number;
  /** Sits out a Retry-After of any length; else one beyond a minute ends the run. */
  readonly waits?: boolean | undefined;
  readonly defaultLanguage: string;
  /** What the state knows of the service. */
  readonly capabilities?: Capabilities;
  /** Stands between the client and the connection. */
  readonly wrap?: (send: Send) => Send;
  /** Called before the connection is cut: what fails then is no news. */
  readonly beforeClose?: () => void;
}

export interface StateOptions extends StatePlaceOptions {
  /** No lock, no write. */
  readonly readOnly: boolean;
  /** Whose run it is; undefined: of a folder that nothing names. */
  readonly repository?: RepositoryNames;
  /** What the log of this run begins with; undefined: nothing of it is logged. */
  readonly log?: RunLog | undefined;
}

/** What a run works with, for as long as it lasts. */
export interface Session {
  readonly remote: RemoteClient;
  /** `load` gives `loaded`: the state is read once. */
  readonly base: BaseStore;
  readonly loaded: LoadedBase;
  /** What createSync takes. */
  readonly syncOptions: (policy: SyncPolicy) => Promise<SyncOptions>;
}

/** The state with its lock, a connection and a client; everything is released in the end. @throws BaseError */
export async function withSession<T>(
  options: StateOptions & ClientOptions,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openSession(options);
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

/** The same until it is closed. @throws BaseError */
export async function openSession(
  options: StateOptions & ClientOptions,
): Promise<Session & { readonly close: () => Promise<void> }> {
  const { machine, emit, signal, stateFile, repository, log, readOnly } = options;
  const { base, loaded } = await openState(options, options.access.address);
  try {
    const { capabilities } = loaded.state;
    const { remote, close } = await openClient({
      ...options,
      capabilities,
      wrap: guarded(options.wrap, base),
    });
    const { clock } = machine;
    const shared = { remote, base, emit, clock, random: () => machine.random() };
    const atMs = clock.now();
    const run = readOnly ? nameOfRun(atMs) : await nextRunName(stateFile, atMs);
    const { href: origin } = options.access.address;
    const history =
      log === undefined || readOnly ? undefined : await historyOf(stateFile, { ...log, run, atMs, origin });
    return {
      remote,
      base,
      loaded,
      syncOptions: async (policy) => ({
        ...shared,
        policy,
        ...(repository === undefined ? {} : { repository }),
        saveTrash: await trashOf(stateFile, clock, run),
        ...(history === undefined ? {} : { history }),
        ...(signal === undefined ? {} : { signal }),
      }),
      close: async () => {
        try {
          await close();
          await history?.close();
        } finally {
          await base.close();
        }
      },
    };
  } catch (error) {
    await base.close();
    throw error;
  }
}

/** No write leaves under a lease that may be another's before its answer is here. */
export function guarded(
  wrap: (send: Send) => Send = (send) => send,
  { guard }: Pick<BaseStore, 'guard'>,
): (send: Send) => Send {
  if (guard === undefined) return wrap;
  return (send) =>
    wrap((request) =>
      request.method === 'GET' || request.method === 'HEAD' ? send(request) : guard(() => send(request)),
    );
}

/** What the last sync left; `load` of the store gives what was read here. @throws BaseError */
export async function openState(
  { stateFile, shared, readOnly }: StateOptions,
  address: BaseUrl,
): Promise<Pick<Session, 'base' | 'loaded'>> {
  const { href: origin } = address;
  const { openBase } = await import('../base/store.ts');
  const store =
    shared === undefined
      ? await openBase({ file: stateFile, origin, readOnly })
      : await openShared(shared, { stateFile, readOnly, origin });
  try {
    const loaded = await store.load();
    return { base: { ...store, load: () => Promise.resolve(loaded) }, loaded };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What the last sync left, read without its lock. @throws BaseError */
export async function readState(place: StatePlaceOptions, address: BaseUrl): Promise<LoadedBase> {
  const { base, loaded } = await openState({ ...place, readOnly: true }, address);
  await base.close();
  return loaded;
}

/** A connection and a client, without a state. */
export async function withClient<T>(
  options: ClientOptions,
  use: (remote: RemoteClient) => Promise<T>,
): Promise<T> {
  const { remote, close } = await openClient(options);
  try {
    return await use(remote);
  } finally {
    await close();
  }
}

/** The same until it is closed. */
export async function openClient(
  options: ClientOptions,
): Promise<{ readonly remote: RemoteClient; readonly close: () => Promise<void> }> {
  const { machine, access, emit, signal, concurrencyMax, waits, defaultLanguage, beforeClose } = options;
  const { capabilities = {}, wrap = (send) => send } = options;
  const [{ createRemote }, connection] = await Promise.all([
    import('../remote/client.ts'),
    machine.connect(access.address.origin),
  ]);
  const remote = createRemote({
    ...access,
    send: wrap(connection),
    emit,
    ...(signal === undefined ? {} : { signal }),
    clock: machine.clock,
    random: () => machine.random(),
    concurrencyMax,
    waits,
    capabilities,
    defaultLanguage,
  });
  return {
    remote,
    close: async () => {
      beforeClose?.();
      await connection.close();
    },
  };
}

/** Connections to `origin` over HTTP. */
export async function connect(
  origin: string,
  options: Omit<SendOptions, 'origin'> = {},
): Promise<Connection> {
  const { createSend } = await import('../remote/http/send.ts');
  return createSend({ ...options, origin });
}

/** What was handed in is its owner's to close. */
export function borrowed(send: Send): () => Promise<Connection> {
  return () =>
    Promise.resolve(Object.assign((request: Request) => send(request), { close: () => Promise.resolve() }));
}

/** Where the last sight of a record goes before it is deleted: `trash/<time of the run>/` beside the state. */
export async function trashOf(
  stateFile: string,
  clock: Clock,
  named?: string,
): Promise<(key: Key, record: KnownRecord) => Promise<void>> {
  const { openTrash } = await import('../base/trash.ts');
  const trash = openTrash(trashFolder(stateFile));
  const run = named ?? (await nextRunName(stateFile, clock.now()));
  return (key, { kind, id, lang, fields, labels }) => {
    const image: PreImage = {
      key,
      kind,
      id,
      lang,
      action: 'delete',
      fields,
      labels: Object.fromEntries(labels),
      atMs: clock.now(),
    };
    return trash.keep(run, image);
  };
}

function trashFolder(stateFile: string): string {
  return join(dirname(stateFile), 'trash');
}

/**
 * `2026-11-20T10-41-32-000Z`: when the run began, and later than every run that is remembered, because the order of the
 * names says which was the last. A clock may be put back, and two runs may begin within its smallest step.
 */
async function nextRunName(stateFile: string, atMs: number): Promise<string> {
  const { openPastRuns } = await import('../base/history/history-file.ts');
  const { openTrash } = await import('../base/trash.ts');
  const past = await openPastRuns(historyFolder(stateFile)).names();
  const trashed = await openTrash(trashFolder(stateFile)).runs();
  const times = [...past, ...trashed].map((name) =>
    Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)$/, 'T$1:$2:$3.$4')),
  );
  const ms = times.reduce((latest, each) => (each >= latest ? each + 1 : latest), atMs);
  return nameOfRun(ms);
}

function nameOfRun(atMs: number): string {
  return new Date(atMs).toISOString().replaceAll(/[:.]/g, '-');
}

async function historyOf(
  stateFile: string,
  { bound, ...head }: RunLog & Pick<RunHead, 'run' | 'atMs' | 'origin'>,
): Promise<History> {
  const { openHistory } = await import('../base/history/history-file.ts');
  return openHistory(historyFolder(stateFile), { head, bound });
}

/** Milliseconds since the last sync; undefined when there was none. */
export async function stateAgeMs(
  stateFile: string,
  { files, clock }: { readonly files: Pick<Files, 'modifiedMs'>; readonly clock: Pick<Clock, 'now'> },
): Promise<number | undefined> {
  const modifiedMs = await files.modifiedMs(stateFile);
  return modifiedMs === undefined ? undefined : Math.max(0, clock.now() - modifiedMs);
}
