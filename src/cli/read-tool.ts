import type { Link, ReviewDate, Version } from '../contract/tools.ts';
import { apiKeyFor } from './address.ts';
import { addressOf } from './engine.ts';
import type { CommonFlags } from './flags.ts';
import { padTo, visible } from './plain.ts';
import { eventPrinter } from './print-event.ts';
import { clientIn, withConnection } from './resources.ts';
import { screen as screenOf, type Screen } from './screen.ts';
import { loadSettings, type Settings } from './settings.ts';
import { stopOnSignal } from './stop.ts';
import type { World } from './world.ts';

interface Tools {
  readonly links: Link;
  readonly reviews: ReviewDate;
  readonly versions: Version;
}

interface ToolRead<T> {
  readonly items: readonly T[];
  readonly screen: Screen;
  readonly settings: Settings;
}

/** One of the service's own lists, in one request; then `use`. @throws CliError, RemoteError */
export async function withTool<N extends keyof Tools>(
  name: N,
  { flags, world, count }: { readonly flags: CommonFlags; readonly world: World; readonly count?: number },
  use: (read: ToolRead<Tools[N]>) => number,
): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = eventPrinter(screen, world.clock);
  const stop = stopOnSignal(world, printer);
  try {
    const settings = await loadSettings(flags, world);
    const address = addressOf(settings);
    const apiKey = apiKeyFor(address, world.env);
    return await withConnection({ world, printer }, address.origin, async (send) => {
      const remote = await clientIn(world, {
        baseUrl: address.href,
        apiKey,
        send,
        emit: printer.emit,
        concurrencyMax: 1,
        defaultLanguage: settings.file.defaultLanguage ?? 'en',
        signal: stop.signal,
      });
      const items = await remote.tool(name, count === undefined ? {} : { count });
      printer.close();
      // The client has held the reply against the contract of this route; `tool` names no type for all three.
      return use({ items: items as readonly Tools[N][], screen, settings });
    });
  } finally {
    stop.dispose();
    printer.close();
  }
}

/** Cells in columns, two spaces apart; a cell is text from the service and shown as such. */
export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const shown = rows.map((row) => row.map(visible));
  const widths = shown.reduce<readonly number[]>(
    (most, row) => row.map((cell, index) => Math.max(most[index] ?? 0, Math.min(cell.length, 60))),
    [],
  );
  return shown.map((row) =>
    row
      .map((cell, index) => padTo(cell, widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
