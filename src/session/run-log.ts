import { dirname, join } from 'node:path';
import type { HistoryBound, RunHead } from '../base/history/history.ts';
import type { Settings } from '../config/settings.ts';
import type { Env, Files } from '../machine/machine.ts';
import { firstOf, revisionOf } from './revision.ts';

/** What the log of a run begins with, but for the time and the address; and how many such logs are kept. */
export interface RunLog extends Pick<RunHead, 'command' | 'who' | 'commit' | 'undoes'> {
  readonly bound: HistoryBound;
}

const HISTORY_DEFAULTS = { runs: 30, megabytes: 200 } as const;

/** Variables that name a person, most telling first: a CI's, then the machine's. */
const WHO = ['GITHUB_ACTOR', 'GITLAB_USER_LOGIN', 'USER', 'USERNAME'];

/** Who runs what, at which commit; undefined: kbsync.yaml turns the history off. */
export async function runLog(
  settings: Pick<Settings, 'contentDir' | 'file'>,
  { env, files }: { readonly env: Env; readonly files: Files },
  command: string,
): Promise<RunLog | undefined> {
  const bound = historyBound(settings);
  if (bound.runs === 0) return undefined;
  return { command, bound, ...(await runner(settings.contentDir, { env, files })) };
}

/** Who runs, and at which commit, as far as that is known. */
export async function runner(
  contentDir: string,
  { env, files }: { readonly env: Env; readonly files: Files },
): Promise<Pick<RunLog, 'who' | 'commit'>> {
  const who = firstOf(WHO, env);
  const commit = (await revisionOf(contentDir, { env, files }))?.commit;
  return { ...(who === undefined ? {} : { who }), ...(commit === undefined ? {} : { commit }) };
}

export function historyBound({ file }: Pick<Settings, 'file'>): HistoryBound {
  const { runs = HISTORY_DEFAULTS.runs, megabytes = HISTORY_DEFAULTS.megabytes } = file.history ?? {};
  return { runs, bytes: megabytes * 1_000_000 };
}

/** Beside the state. */
export function historyFolder(stateFile: string): string {
  return join(dirname(stateFile), 'history');
}
