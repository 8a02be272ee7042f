import type { PastRun } from '../../base/history/history.ts';
import type { Settings } from '../../config/settings.ts';
import { SetupError } from '../../config/setup-error.ts';
import { didYouMean } from '../../content/suggest.ts';
import { visible } from '../../model/visible.ts';
import { historyFolder } from '../../session/run-log.ts';

export interface Runs {
  /** Of one knowledge base, the oldest first. */
  readonly runs: readonly PastRun[];
}

/** The runs that the history still knows. `origin` undefined: of every knowledge base. @throws BaseError */
export async function openRuns(
  { stateFile }: Pick<Settings, 'stateFile'>,
  origin: string | undefined,
): Promise<Runs> {
  const { openPastRuns } = await import('../../base/history/history-file.ts');
  const past = openPastRuns(historyFolder(stateFile));
  const runs: PastRun[] = [];
  for (const name of await past.names()) {
    const run = await past.read(name);
    if (run !== undefined && (origin === undefined || run.head.origin === origin)) runs.push(run);
  }
  return { runs };
}

/** The run of this name; `last` is the last one that wrote. @throws SetupError */
export function runNamed(name: string, runs: readonly PastRun[]): PastRun {
  const found = name === 'last' ? runs.at(-1) : runs.find(({ head }) => head.run === name);
  if (found !== undefined) return found;
  const names = runs.map(({ head }) => head.run);
  throw new SetupError('usage', `there is no run \`${visible(name)}\`${didYouMean(name, names)}`, {
    help: names.length === 0 ? 'no run of this machine has written anything yet' : 'kbsync log lists them',
  });
}
