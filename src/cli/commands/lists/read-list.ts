import { accessOf } from '../../../session/access.ts';
import type { CommonFlags } from '../../flags.ts';
import { eventPrinter } from '../../print/terminal/events.ts';
import { withClient } from '../../../session/session.ts';
import { screen as screenOf, type Screen } from '../../print/terminal/screen.ts';
import { loadSettings, type Settings } from '../../../config/settings.ts';
import { stopOnSignal } from '../../run/stop.ts';
import type { Remote, ToolName } from '../../../remote/remote.ts';
import type { World } from '../../world.ts';

interface ToolRead<T> {
  readonly items: readonly T[];
  readonly screen: Screen;
  readonly settings: Settings;
}

export interface Tool<T> {
  readonly name: ToolName;
  readonly itemOf: (row: Readonly<Record<string, unknown>>) => T;
  readonly count?: number | undefined;
}

/** Where a command reads, and what it prints on. */
export interface Reading {
  readonly remote: Remote;
  readonly screen: Screen;
  readonly settings: Settings;
}

/** One of the service's own lists, in one request; then `use`. @throws SetupError, RemoteError */
export async function withTool<T>(
  { name, itemOf, count }: Tool<T>,
  asked: { readonly flags: CommonFlags; readonly world: World },
  use: (read: ToolRead<T>) => number,
): Promise<number> {
  return withReading(asked, async ({ remote, ...reading }) => {
    const rows = await remote.tool(name, count === undefined ? {} : { count });
    return () => use({ items: rows.map(itemOf), ...reading });
  });
}

/** Reads from the service. `read` returns a function, which is called after everything else is printed. @throws SetupError, RemoteError */
export async function withReading(
  { flags, world }: { readonly flags: CommonFlags; readonly world: World },
  read: (reading: Reading) => Promise<() => number>,
): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = eventPrinter(screen, world.clock);
  const stop = stopOnSignal(world, printer);
  try {
    const settings = await loadSettings(flags, world);
    const client = {
      machine: world,
      access: accessOf(settings, world.env),
      emit: printer.emit,
      signal: stop.signal,
      concurrencyMax: 1,
      defaultLanguage: settings.file.defaultLanguage ?? 'en',
      beforeClose: () => printer.close(),
    };
    return await withClient(client, async (remote) => {
      const use = await read({ remote, screen, settings });
      printer.close();
      return use();
    });
  } finally {
    stop.dispose();
    printer.close();
  }
}
