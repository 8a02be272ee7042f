import type { BaseStore, LoadedBase } from '../../../base/base.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { loadSettings } from '../../../config/settings.ts';
import { didYouMean } from '../../../content/suggest.ts';
import { keyOf, parseKey, type Key } from '../../../model/key.ts';
import type { BaseRecord } from '../../../model/record.ts';
import { revisionText } from '../../../model/revision.ts';
import { visible } from '../../../model/visible.ts';
import { addressOf } from '../../../session/access.ts';
import { openState, readState } from '../../../session/session.ts';
import { statePlaceOf } from '../../../session/shared.ts';
import { EXIT } from '../../run/exit.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import { tableLines } from '../../print/terminal/text.ts';
import type { World } from '../../world.ts';
import type { StateFlags } from './command.ts';

/** `kbsync state list` */
export async function listState(flags: StateFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const { state, open } = await looked(flags, world);
  const records = [...state.records.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  if (screen.isJson) {
    const shown = records.map(({ key, id, ownership }) => ({ key, id, ownership }));
    const { origin, serial, revision } = state;
    screen.document({
      format: JSON_FORMAT,
      origin,
      serial,
      ...(revision === undefined ? {} : { revision }),
      records: shown,
    });
    return EXIT.done;
  }
  for (const line of tableLines(records.map(({ key, id }) => [visible(key), visible(id)])))
    screen.answer(line);
  const unclear = open.length === 0 ? '' : `, ${counted(open.length, 'write')} with an unknown outcome`;
  const from = state.revision === undefined ? '' : `, written from ${visible(revisionText(state.revision))}`;
  screen.talk(`${counted(records.length, 'record')} of ${visible(state.origin)}${from}${unclear}`);
  return EXIT.done;
}

/** `kbsync state show KEY`: as JSON, because that is what it is. */
export async function showState(key: string, flags: StateFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const record = known(key, await looked(flags, world));
  if (screen.isJson) screen.document({ format: JSON_FORMAT, record });
  else screen.answer(JSON.stringify(record, undefined, 2));
  return EXIT.done;
}

/** `kbsync state rm KEY…` */
export async function removeFromState(
  keys: readonly string[],
  flags: StateFlags,
  world: World,
): Promise<number> {
  const screen = screenOf(world, flags);
  await changed(flags, { world, command: 'state rm' }, (loaded) => {
    const gone = new Set(keys.map((key) => closedRecord(key, loaded).key));
    return new Map([...loaded.state.records].filter(([key]) => !gone.has(key)));
  });
  screen.answer(`forgot ${counted(new Set(keys).size, 'record')}`);
  screen.talk('they stay in the knowledge base; the next sync knows a record with our stamp again');
  return EXIT.done;
}

/** `kbsync state mv FROM TO` */
export async function moveInState(
  from: string,
  to: string,
  flags: StateFlags,
  world: World,
): Promise<number> {
  const screen = screenOf(world, flags);
  await changed(flags, { world, command: 'state mv' }, (loaded) => {
    const record = closedRecord(from, loaded);
    const key = otherKey(record.key, to);
    if (loaded.state.records.has(key))
      throw new SetupError('refused', `the state knows a record of \`${visible(to)}\` already`);
    const records = new Map(loaded.state.records);
    records.delete(record.key);
    return records.set(key, { ...record, key });
  });
  screen.answer(`${visible(from)} is ${visible(to)} now`);
  return EXIT.done;
}

async function looked(flags: StateFlags, world: World): Promise<LoadedBase> {
  const settings = await loadSettings(flags, world);
  return readState(await statePlaceOf(settings, world, 'state'), addressOf(settings));
}

type Records = ReadonlyMap<Key, BaseRecord>;

/** Under the lock, as a run would do it. */
async function changed(
  flags: StateFlags,
  { world, command }: { readonly world: World; readonly command: string },
  change: (loaded: LoadedBase) => Records,
): Promise<void> {
  const settings = await loadSettings(flags, world);
  const place = await statePlaceOf(settings, world, command);
  const { base, loaded } = await openState({ ...place, readOnly: false }, addressOf(settings));
  await closing(base, () => base.save({ ...loaded.state, records: change(loaded) }));
}

async function closing(base: Pick<BaseStore, 'close'>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await base.close();
  }
}

/** @throws SetupError for a key that the state does not know */
function known(text: string, { state }: LoadedBase): BaseRecord {
  const record = [...state.records.values()].find(({ key }) => (key as string) === text);
  if (record !== undefined) return record;
  throw new SetupError(
    'usage',
    `the state knows no record \`${visible(text)}\`${didYouMean(text, [...state.records.keys()])}`,
    { help: 'kbsync state list prints the keys' },
  );
}

/** @throws SetupError also for a record with a write whose outcome is not known: only a run can find that out */
function closedRecord(text: string, loaded: LoadedBase): BaseRecord {
  const record = known(text, loaded);
  if (!loaded.open.some(({ key }) => key === record.key)) return record;
  throw new SetupError('refused', `a write of \`${visible(text)}\` has an unknown outcome`, {
    help: 'kbsync sync finds out what came of it; run it first',
  });
}

function otherKey(from: Key, to: string): Key {
  const [old, next] = [parseKey(from), parseKey(to)];
  if (next === undefined) {
    throw new SetupError('usage', `\`${visible(to)}\` is not a key`, {
      help: 'a key is like article/getting-started/install@en',
    });
  }
  if (old?.kind !== next.kind || old.lang !== next.lang)
    throw new SetupError(
      'usage',
      `\`${visible(to)}\` is of another kind or language than \`${visible(from)}\``,
    );
  return keyOf(next.kind, next.path, next.lang);
}
