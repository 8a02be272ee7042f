import { dirname, join, resolve } from 'node:path';
import type { HistoryBound, RunHead } from '../base/history/history.ts';
import type { Settings } from '../config/settings.ts';
import type { Env, Files } from '../machine/machine.ts';
import { gitPlace } from './checkout.ts';

/** What the log of a run begins with, but for the time and the address; and how many such logs are kept. */
export interface RunLog extends Pick<RunHead, 'command' | 'who' | 'commit' | 'undoes'> {
  readonly bound: HistoryBound;
}

export const HISTORY_DEFAULTS = { runs: 30, megabytes: 200 } as const;

/** Variables that name a person, most telling first: a CI's, then the machine's. */
const WHO = ['GITHUB_ACTOR', 'GITLAB_USER_LOGIN', 'USER', 'USERNAME'];
const COMMIT = ['GITHUB_SHA', 'CI_COMMIT_SHA'];

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
  const commit = (await headCommit(contentDir, files)) ?? firstOf(COMMIT, env);
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

function firstOf(names: readonly string[], env: Env): string | undefined {
  return names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
}

/** The commit that is checked out, as git's own folder tells it; undefined where refs are kept in another way. */
async function headCommit(inside: string, files: Files): Promise<string | undefined> {
  const git = (await gitPlace(inside, files))?.git;
  if (git === undefined) return undefined;
  const head = (await files.readText(join(git, 'HEAD')))?.trim() ?? '';
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (ref === undefined) return commitIn(head);
  const common = (await files.readText(join(git, 'commondir')))?.trim() ?? '.';
  const shared = resolve(git, common);
  const packed = (await files.readText(join(shared, 'packed-refs'))) ?? '';
  const line = packed.split('\n').find((each) => each.endsWith(` ${ref}`));
  return commitIn((await files.readText(join(shared, ref)))?.trim() ?? line?.split(' ')[0] ?? '');
}

function commitIn(text: string): string | undefined {
  return /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
}
