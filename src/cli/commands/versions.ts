import { EXIT } from '../exit.ts';
import type { VersionListFlags } from '../flags.ts';
import { JSON_FORMAT } from '../json.ts';
import { counted } from '../numbers.ts';
import { tableLines, withTool } from '../read-tool.ts';
import type { World } from '../world.ts';

/** `kbsync versions`: the release versions as the service lists them. */
export async function versions(flags: VersionListFlags, world: World): Promise<number> {
  const { count } = flags;
  const asked = { flags, world, ...(count === undefined || flags.released ? {} : { count }) };
  return withTool('versions', asked, ({ items, screen }) => {
    const shown = items
      .filter((version) => !flags.released || version.released_version)
      .slice(0, count ?? items.length);
    if (screen.isJson) {
      screen.document({ format: JSON_FORMAT, versions: shown, summary: { shown: shown.length } });
      return EXIT.done;
    }
    const rows = shown.map((version) => [
      version.version,
      version.released_version ? 'released' : 'not released',
      version.active_version ? 'active' : '',
      version.release_timestamp ?? '',
      counted(version.changelog_features.length, 'feature'),
      version.name,
    ]);
    for (const line of tableLines(rows)) screen.answer(line);
    screen.answer(counted(shown.length, 'version'));
    return EXIT.done;
  });
}
