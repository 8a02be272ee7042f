import { resolve } from 'node:path';
import { BaseError } from '../../../base/base.ts';
import type { LoadedBase } from '../../../base/base.ts';
import { statePaths } from '../../../base/load.ts';
import { thisProcess } from '../../../base/lock.ts';
import { openSharedForReading, takeLease } from '../../../base/shared/shared-base.ts';
import type { Lease, SharedDocument, SharedStore } from '../../../base/shared/shared-store.ts';
import { parseState, stateText } from '../../../base/state/state-text.ts';
import { openBase } from '../../../base/store.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { loadSettings, shown, type Settings } from '../../../config/settings.ts';
import { visible } from '../../../model/visible.ts';
import { addressOf } from '../../../session/access.ts';
import { readState } from '../../../session/session.ts';
import { statePlaceOf, type SharedState } from '../../../session/shared.ts';
import { EXIT } from '../../run/exit.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { screen as screenOf, type Screen } from '../../print/terminal/screen.ts';
import type { World } from '../../world.ts';
import type { StateFlags, StatePullFlags, StatePushFlags } from './command.ts';

/** `kbsync state pull`: the text of a state file. */
export async function pullState(flags: StatePullFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const settings = await loadSettings(flags, world);
  const place = await statePlaceOf(settings, world, 'state pull');
  if (flags.previous) {
    const text = await previousText(settings, place.shared, world);
    if (text === undefined) throw new SetupError('refused', 'no state before the last save is kept there');
    screen.answer(text.trimEnd());
    return EXIT.done;
  }
  const { state, open } = await readState(place, addressOf(settings));
  screen.answer(stateText({ state }).trimEnd());
  if (open.length > 0)
    screen.talk(`${counted(open.length, 'write')} with an unknown outcome: not in the copy`);
  return EXIT.done;
}

async function previousText(
  { stateFile }: Settings,
  shared: SharedState | undefined,
  world: World,
): Promise<string | undefined> {
  if (shared === undefined) return world.files.readText(statePaths(stateFile).previous);
  return withStore(shared, async (store) => (await store.read()).previous);
}

/** `kbsync state push [FILE]` */
export async function pushState(
  given: string | undefined,
  flags: StatePushFlags,
  world: World,
): Promise<number> {
  const screen = screenOf(world, flags);
  const settings = await loadSettings(flags, world);
  const shared = await sharedOf(settings, world, 'state push');
  const push = { settings, shared, flags, screen, world };
  return given === undefined ? pushOwn(push) : pushCopy(resolve(world.cwd, given), push);
}

interface Push {
  readonly settings: Settings;
  readonly shared: SharedState;
  readonly flags: StatePushFlags;
  readonly screen: Screen;
  readonly world: World;
}

/** State and journal as they are, under both locks; then the files get other names, so no run takes them for the state. */
async function pushOwn({ settings, shared, flags, screen, world }: Push): Promise<number> {
  const { href: origin } = addressOf(settings);
  const { stateFile } = settings;
  const paths = statePaths(stateFile);
  const there = await Promise.all([paths.state, paths.journal].map((file) => world.files.readText(file)));
  if (there.every((text) => text === undefined)) {
    throw new SetupError('usage', `there is no state file ${shown(stateFile, world)}`, {
      help: 'kbsync state push FILE puts a copy there',
    });
  }
  const local = await openBase({ file: stateFile, origin, readOnly: false });
  try {
    const loaded = await local.load();
    const [state, journal] = await Promise.all(
      [paths.state, paths.journal].map((file) => world.files.readText(file)),
    );
    const document = {
      ...(state === undefined ? {} : { state }),
      ...(journal === undefined ? {} : { journal }),
    };
    await write({ shared, origin, flags }, document);
    for (const file of [paths.state, paths.journal]) {
      const text = await world.files.readText(file);
      if (text === undefined) continue;
      await world.files.writeText(`${file}.pushed`, text);
      await world.files.remove(file);
    }
    told(loaded, { screen });
    screen.talk(`${shown(paths.state, world)} is ${shown(paths.state, world)}.pushed now`);
    return EXIT.done;
  } finally {
    await local.close();
  }
}

async function pushCopy(file: string, { settings, shared, flags, screen, world }: Push): Promise<number> {
  const { href: origin } = addressOf(settings);
  const text = await world.files.readText(file);
  if (text === undefined) throw new SetupError('usage', `there is no file ${shown(file, world)}`);
  const { state } = parseState(Buffer.from(text), shown(file, world));
  if (state.origin !== origin) {
    throw new BaseError(
      'other-origin',
      `${shown(file, world)} belongs to ${visible(state.origin)}; the settings name ${origin}`,
    );
  }
  await write({ shared, origin, flags }, { state: text });
  told({ state }, { screen });
  return EXIT.done;
}

function told({ state }: Pick<LoadedBase, 'state'>, { screen }: { readonly screen: Screen }): void {
  if (screen.isJson) screen.document({ format: JSON_FORMAT, records: state.records.size });
  else screen.answer(`pushed a state of ${counted(state.records.size, 'record')}`);
}

/** Under the lock of the store; what is there already is replaced only when asked, and never while writes are open. */
async function write(
  { shared, origin, flags }: Pick<Push, 'shared' | 'flags'> & { readonly origin: string },
  document: SharedDocument,
): Promise<void> {
  await withStore(shared, async (store) => {
    const lease = await takeLease({ store, owner: shared.owner, host: thisProcess });
    try {
      const { document: there } = lease;
      const isSame = there.state === document.state && there.journal === document.journal;
      if (isSame) return;
      if (there.state !== undefined || there.journal !== undefined)
        await checkReplacing({ store, lease, origin, isForced: flags.force });
      const previous = there.state === undefined ? {} : { previous: there.state };
      await lease.write({ ...document, ...previous });
    } finally {
      await lease.release();
    }
  });
}

async function checkReplacing({
  store,
  lease,
  origin,
  isForced,
}: {
  readonly store: SharedStore;
  readonly lease: Lease;
  readonly origin: string;
  readonly isForced: boolean;
}): Promise<void> {
  if (!isForced) {
    throw new SetupError('refused', `${store.name} holds a state already`, {
      help: 'if the file is old, move it away; --force replaces what is there',
    });
  }
  const reading = { ...store, read: () => Promise.resolve(lease.document), close: () => Promise.resolve() };
  const { open } = await openSharedForReading(reading, origin)
    .load()
    .catch((error: unknown) => {
      if (error instanceof BaseError && error.code === 'damaged') return { open: [] };
      throw error;
    });
  if (open.length === 0) return;
  throw new SetupError(
    'refused',
    `${store.name} knows of ${counted(open.length, 'write')} with an unknown outcome; without them a record could be made twice`,
    { help: 'kbsync sync finds out what came of them; run it first' },
  );
}

/** `kbsync state unlock ID` */
export async function unlockState(id: string, flags: StateFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const settings = await loadSettings(flags, world);
  const shared = await sharedOf(settings, world, 'state unlock');
  if (!flags.yes && world.canAsk) {
    const answer = await world.ask('Is the run that holds the lock dead for certain? Type yes: ');
    if (answer.trim() !== 'yes') return EXIT.refused;
  }
  const isFreed = await withStore(shared, (store) => store.unlock(id));
  if (!isFreed) throw new SetupError('refused', `no lock has the id \`${visible(id)}\``);
  screen.answer('the lock is free');
  return EXIT.done;
}

async function sharedOf(settings: Settings, world: World, command: string): Promise<SharedState> {
  const { shared } = await statePlaceOf(settings, world, command);
  if (shared !== undefined) return shared;
  throw new SetupError(
    'usage',
    `the state is the file ${shown(settings.stateFile, world)}, which one machine uses`,
    {
      help:
        command === 'state push'
          ? 'first set `state:` in kbsync.yaml to an address that machines share; kbsync state push then moves the file there'
          : 'the lock of a file ends with its run, so there is no lock to free',
    },
  );
}

async function withStore<T>(shared: SharedState, use: (store: SharedStore) => Promise<T>): Promise<T> {
  const store = await shared.store();
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
