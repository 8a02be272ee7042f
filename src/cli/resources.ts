import { dirname, join } from 'node:path';
import type { BaseStore, LoadedBase } from '../base/base.ts';
import type { PreImage } from '../base/trash.ts';
import type { Emit } from '../model/event.ts';
import type { Capabilities, KnownRecord } from '../model/record.ts';
import type { Key } from '../model/key.ts';
import type { RemoteClient } from '../remote/client.ts';
import type { Send } from '../remote/remote.ts';
import type { EventPrinter } from './print-event.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

/** What is cut off at the end of a run that failed is no news: nothing is shown of it. */
export async function withConnection(
  { world, printer }: { readonly world: World; readonly printer: EventPrinter },
  origin: string,
  use: (send: Send) => Promise<number>,
): Promise<number> {
  const send = await world.connect(origin);
  try {
    return await use(send);
  } finally {
    printer.close();
    await send.close();
  }
}

interface ClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly send: Send;
  readonly emit: Emit;
  readonly concurrencyMax: number;
  /** What the state knows of the service. */
  readonly capabilities?: Capabilities;
  readonly defaultLanguage: string;
  readonly signal: AbortSignal;
}

/** A client of the service with the world's clock. */
export async function clientIn(
  world: World,
  { capabilities = {}, ...options }: ClientOptions,
): Promise<RemoteClient> {
  const { createRemote } = await import('../remote/client.ts');
  return createRemote({ ...options, capabilities, clock: world.clock, random: () => world.random() });
}

/** The state is read once: the client wants what it says of the service before the run wants the rest. */
export async function withBase(
  settings: Settings,
  origin: string,
  readOnly: boolean,
  use: (base: BaseStore, loaded: LoadedBase) => Promise<number>,
): Promise<number> {
  const { openBase } = await import('../base/store.ts');
  const store = await openBase({ file: settings.stateFile, origin, readOnly });
  try {
    const loaded = await store.load();
    return await use({ ...store, load: () => Promise.resolve(loaded) }, loaded);
  } finally {
    await store.close();
  }
}

/** Where the last sight of a record goes before it is deleted: `.kbsync/trash/<time of the run>/`. */
export async function trashOf(
  { stateFile }: Pick<Settings, 'stateFile'>,
  { clock }: Pick<World, 'clock'>,
): Promise<(key: Key, record: KnownRecord) => Promise<void>> {
  const { openTrash } = await import('../base/trash.ts');
  const trash = openTrash(join(dirname(stateFile), 'trash'));
  const startedMs = clock.now();
  const run = new Date(startedMs).toISOString().replaceAll(/[:.]/g, '-');
  return (key, record) => {
    const { kind, id, lang, fields, labels } = record;
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

/** Milliseconds since the last sync; undefined when there was none. */
export async function ageOf(file: string, world: World): Promise<number | undefined> {
  const modifiedMs = await world.files.modifiedMs(file);
  return modifiedMs === undefined ? undefined : Math.max(0, world.clock.now() - modifiedMs);
}
