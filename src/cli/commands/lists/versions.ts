import { EXIT } from '../../run/exit.ts';
import type { VersionsFlags } from './command.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { tableLines } from '../../print/terminal/text.ts';
import { withTool } from './read-list.ts';
import { releaseOf } from '../../../remote/wire/decode-tools.ts';
import type { World } from '../../world.ts';

/** `kbsync versions`: the release versions as the service lists them. */
export async function versions(flags: VersionsFlags, world: World): Promise<number> {
  const { count } = flags;
  const tool = {
    name: 'versions',
    itemOf: (row: Readonly<Record<string, unknown>>) => ({ row, ...releaseOf(row) }),
    count: flags.released ? undefined : count,
  } as const;
  return withTool(tool, { flags, world }, ({ items, screen }) => {
    const shown = items
      .filter((version) => !flags.released || version.isReleased)
      .slice(0, count ?? items.length);
    if (screen.isJson) {
      screen.document({
        format: JSON_FORMAT,
        versions: shown.map(({ row }) => row),
        summary: { shown: shown.length },
      });
      return EXIT.done;
    }
    const rows = shown.map((version) => [
      version.version,
      version.isReleased ? 'released' : 'not released',
      version.isActive ? 'active' : '',
      version.date,
      counted(version.features, 'feature'),
      version.name,
    ]);
    for (const line of tableLines(rows)) screen.answer(line);
    screen.answer(counted(shown.length, 'version'));
    return EXIT.done;
  });
}
