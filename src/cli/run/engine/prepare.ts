import type { SyncPolicy } from '../../../sync/report.ts';
import { type FilesRead } from '../read-files.ts';
import { readForService } from '../read-for-service.ts';
import { type AboutFlags, type CommonFlags } from '../../flags.ts';
import { narrowed, wantedBy } from '../choice.ts';
import type { Wanted } from '../../../sync/choice.ts';
import { type EventPrinter } from '../../print/terminal/events.ts';
import { accessOf, type Access } from '../../../session/access.ts';
import { type Screen } from '../../print/terminal/screen.ts';
import { loadSettings, shown, type Settings } from '../../../config/settings.ts';
import type { World } from '../../world.ts';

export interface EngineOptions {
  readonly command: 'plan' | 'sync' | 'apply' | 'resolve' | 'restore' | 'undo';
  /** No lock, no write. */
  readonly readOnly: boolean;
  readonly policy: (settings: Settings) => SyncPolicy;
  /** The run that this one takes back. */
  readonly undoes?: string;
  /** Errors in the files do not stop the run. */
  readonly ignoresProblems?: boolean;
}

export interface CommandRun {
  readonly flags: CommonFlags & Partial<AboutFlags>;
  readonly world: World;
  readonly options: EngineOptions;
  readonly screen: Screen;
  readonly printer: EventPrinter;
}

export interface SignalledRun extends CommandRun {
  readonly signal: AbortSignal;
}

export interface Prepared {
  readonly settings: Settings;
  readonly access: Access;
  /** undefined: the run is about all. */
  readonly wanted: Wanted | undefined;
  readonly files: FilesRead;
}

export async function prepare({ flags, world, options, screen }: CommandRun): Promise<Prepared> {
  const settings = await loadSettings(flags, world);
  const access = accessOf(settings, world.env);
  if (!screen.canRedraw) {
    const what = `${shown(settings.contentDir, world)} ${screen.glyphs.arrow} ${access.address.href}`;
    screen.talk(`kbsync ${world.version} ${options.command} ${what}`);
  }
  const wanted = await wantedBy(flags, settings, world);
  const read = await readForService(settings, flags, world, { access });
  return { settings, access, wanted, files: read };
}

/** What concerns a partial run: other findings are not told. */
export function shownOf({ files, wanted }: Prepared): FilesRead {
  return wanted === undefined ? files : narrowed(files, wanted);
}
