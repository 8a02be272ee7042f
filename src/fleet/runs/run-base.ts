import type { SyncSummary } from '../../model/sync-summary.ts';
import { randomUUID } from 'node:crypto';
import { join, sep } from 'node:path';
import { BaseError } from '../../base/base.ts';
import { realDisk } from '../../base/disk/real-disk.ts';
import { acquireLock, thisProcess } from '../../base/lock.ts';
import { ConfigError, loadSettings } from '../../config/settings.ts';
import { SetupError } from '../../config/setup-error.ts';
import type { Env, Files, MachineClock } from '../../machine/machine.ts';
import { visible } from '../../model/visible.ts';
import { realPathOf } from '../git/folders.ts';
import { withMirror } from '../git/mirror.ts';
import { createGit, GitError, type Git } from '../git/run-git.ts';
import { checkOut, commitsBehind } from '../git/tree.ts';
import {
  placesOf,
  secretAt,
  secretVariables,
  type BasePlaces,
  type Fleet,
  type KnowledgeBase,
} from '../settings/settings.ts';
import { tellChange, type Post } from './notify.ts';
import { nextOutcome, readOutcome, writeOutcome, type Outcome } from './outcome.ts';
import { verdictOf, type SyncEnd, type Verdict } from './verdict.ts';

/** One `kbsync sync` in a folder, with an environment of its own. */
export interface SyncCall {
  readonly cwd: string;
  readonly env: Env;
  readonly state: string;
  readonly environment: string | undefined;
  readonly prune: boolean;
}

export interface RunTools {
  readonly env: Env;
  readonly clock: MachineClock;
  readonly files: Files;
  readonly post: Post;
  readonly sync: (call: SyncCall) => Promise<SyncEnd>;
  /** A fetch that began at this time or later is new enough. Milliseconds since 1970. */
  readonly sinceMs: number;
  readonly signal: AbortSignal;
}

export interface BaseRun {
  readonly verdict: Verdict;
  /** What is known of the knowledge base now; undefined: no run has ended yet. */
  readonly outcome: Outcome | undefined;
}

/**
 * One run of one knowledge base: fetch, check out, sync, remember, tell. The process that calls it holds the lock of the
 * knowledge base from the first step to the last, so there is never a second run beside it, whoever started it and whatever
 * became of that process. Killed at any step, the next run takes the lock over and goes on from state and journal.
 */
export async function runBase(fleet: Fleet, base: KnowledgeBase, tools: RunTools): Promise<BaseRun> {
  const places = placesOf(fleet, base);
  await realDisk.makeDirectory(places.folder);
  let lock: Awaited<ReturnType<typeof acquireLock>>;
  try {
    lock = await acquireLock(realDisk, places.lock, thisProcess);
  } catch (error) {
    if (!(error instanceof BaseError) || error.code !== 'locked') throw error;
    const verdict = { condition: undefined, mayRetry: true, message: 'another run is under way' };
    return { verdict, outcome: await readOutcome(places.outcome) };
  }
  try {
    return await runLocked(fleet, base, { ...tools, places });
  } finally {
    await lock.release();
  }
}

/**
 * Remembers a run that ended without a word: killed, out of memory, a bug. Nothing is remembered if another run has begun since;
 * that one will say how the knowledge base stands.
 */
export async function rememberLost(
  fleet: Fleet,
  base: KnowledgeBase,
  { message, ...tools }: Pick<RunTools, 'env' | 'clock' | 'files' | 'post'> & { readonly message: string },
): Promise<void> {
  const places = placesOf(fleet, base);
  await realDisk.makeDirectory(places.folder);
  const lock = await acquireLock(realDisk, places.lock, thisProcess).catch(() => undefined);
  if (lock === undefined) return;
  try {
    const before = await readOutcome(places.outcome);
    const verdict = { condition: 'failing', mayRetry: true, message: visible(message) } as const;
    const nothing = { counts: undefined, commit: undefined, behind: undefined };
    await remember(fleet, base, { before, ran: { verdict, ...nothing }, places, ...tools });
  } finally {
    await lock.release();
  }
}

interface LockedTools extends RunTools {
  readonly places: BasePlaces;
}

async function runLocked(fleet: Fleet, base: KnowledgeBase, tools: LockedTools): Promise<BaseRun> {
  const before = await readOutcome(tools.places.outcome);
  const ran = await attempt(fleet, base, { ...tools, before });
  const verdict = tools.signal.aborted ? { ...ran.verdict, ...INTERRUPTED } : ran.verdict;
  return remember(fleet, base, { ...tools, before, ran: { ...ran, verdict } });
}

interface Ended extends Pick<LockedTools, 'places' | 'clock' | 'post' | 'env' | 'files'> {
  readonly before: Outcome | undefined;
  readonly ran: Attempt;
}

/** Writes the outcome, then tells of a change. */
async function remember(
  fleet: Fleet,
  base: KnowledgeBase,
  { before, ran, places, clock, post, env, files }: Ended,
): Promise<BaseRun> {
  const { verdict } = ran;
  const at = new Date(clock.now()).toISOString();
  const next = nextOutcome(before, { ...ran, at, id: randomUUID() });
  if (next === undefined) return { verdict, outcome: before };
  if (next !== before) await writeOutcome(places.outcome, next);
  const outcome = await tellChange(base, next, { notify: fleet.notify, root: fleet.root, env, files, post });
  if (outcome !== next) await writeOutcome(places.outcome, outcome);
  return { verdict, outcome };
}

const INTERRUPTED = { condition: undefined, mayRetry: true, message: 'interrupted' } as const;

interface Attempt {
  readonly verdict: Verdict;
  readonly counts: SyncSummary | undefined;
  readonly commit: string | undefined;
  readonly behind: number | undefined;
}

async function attempt(
  fleet: Fleet,
  base: KnowledgeBase,
  tools: LockedTools & { readonly before: Outcome | undefined },
): Promise<Attempt> {
  const { env, files, signal, before } = tools;
  let commit: string | undefined;
  let behind: number | undefined;
  try {
    const key = await secretAt(base.key, { env, files, root: fleet.root, what: `key of ${base.name}` });
    const open = withoutSecrets(env, fleet);
    const git = createGit(open, signal);
    const tree = await withMirror(
      fleet.folder,
      { repository: base.repository, sinceMs: tools.sinceMs },
      { ...tools, git },
      async (mirror) => {
        commit = await mirror.commitOf(base.ref);
        if (commit === undefined) {
          throw new SetupError('refused', noSuchRef(base.ref, await mirror.branches()));
        }
        const { synced } = before ?? {};
        if (synced !== undefined)
          behind = await commitsBehind({ mirror: mirror.path, synced, head: commit }, git);
        return checkOutBase(mirror.path, commit, { git, places: tools.places });
      },
    );
    const cwd = await contentFolder(tree, base, tools);
    const end = await tools.sync({
      cwd,
      env: { ...open, KBSYNC_API_KEY: key, KBSYNC_ORIGIN: base.origin },
      state: tools.places.state,
      environment: base.environment,
      prune: base.prune,
    });
    return { verdict: verdictOf(end), counts: end.counts, commit, behind };
  } catch (error) {
    return { verdict: verdictOfFailure(error), counts: undefined, commit, behind };
  }
}

const NAMED_MAX = 5;

function noSuchRef(ref: string, branches: readonly string[]): string {
  const none = `the repository has no branch or tag \`${visible(ref)}\``;
  if (branches.length === 0) return `${none}, and no other branch; push one`;
  const named = branches.slice(0, NAMED_MAX).map((name) => `\`${visible(name)}\``);
  const more = branches.length > NAMED_MAX ? `, and ${branches.length - NAMED_MAX} more` : '';
  return `${none}; it has ${named.join(', ')}${more}; name one with \`ref:\` in fleet.yaml`;
}

function checkOutBase(
  mirror: string,
  commit: string,
  { git, places }: { readonly git: Git; readonly places: BasePlaces },
): Promise<string> {
  return checkOut({ mirror, commit, folder: places.folder, file: places.tree }, git);
}

/** Known failures before the sync; bugs go on. */
function verdictOfFailure(error: unknown): Verdict {
  if (error instanceof GitError) {
    const message = visible(error.message);
    return error.kind === 'unreachable'
      ? { condition: 'failing', mayRetry: true, message }
      : { condition: 'stopped', mayRetry: false, message };
  }
  if (error instanceof SetupError) {
    const message = error instanceof ConfigError ? error.line : error.message;
    return { condition: 'stopped', mayRetry: false, message: visible(message) };
  }
  if (error instanceof BaseError && error.code === 'locked') {
    return { condition: undefined, mayRetry: true, message: 'another run works on the mirror' };
  }
  throw error;
}

/**
 * The environment of a run holds no secret of another knowledge base, nor what would send the key elsewhere, nor a shared
 * state: the fleet keeps the states.
 */
function withoutSecrets(env: Env, fleet: Fleet): Env {
  const secret = new Set([
    ...secretVariables(fleet),
    'KBSYNC_API_KEY',
    'KBSYNC_BASE_URL',
    'KBSYNC_ORIGIN',
    'KBSYNC_FROM_KEY',
    'KBSYNC_TO_KEY',
  ]);
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !secret.has(name) && !/^KBSYNC_STATE(_|$)/.test(name)),
  );
}

/**
 * The folder with kbsync.yaml. Whoever may push to a repository decides what it says, so neither that folder nor the content
 * may lie outside of the work tree: else one repository could publish the files of another. @throws SetupError
 */
async function contentFolder(
  tree: string,
  base: KnowledgeBase,
  { env, files }: Pick<RunTools, 'env' | 'files'>,
): Promise<string> {
  const root = (await realPathOf(tree)) ?? tree;
  const cwd = await realPathOf(join(tree, base.folder));
  if (cwd === undefined || !isWithin(cwd, root)) {
    throw new SetupError('refused', `the repository has no folder \`${visible(base.folder)}\``);
  }
  const settings = await loadSettings(
    { cache: true, ...(base.environment === undefined ? {} : { env: base.environment }) },
    { cwd, env, files },
  );
  const content = await realPathOf(settings.contentDir);
  if (content !== undefined && !isWithin(content, root)) {
    throw new SetupError('refused', '`content` in kbsync.yaml leads out of the repository');
  }
  return cwd;
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}${sep}`);
}
