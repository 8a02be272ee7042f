import { join } from 'node:path';
import { acquireLock, thisProcess } from '../../base/lock.ts';
import { BaseError } from '../../base/base.ts';
import { realDisk } from '../../base/disk/real-disk.ts';
import type { MachineClock } from '../../machine/machine.ts';
import { digestOfText } from '../../model/digest.ts';
import { removeFolder, removeGitLocks } from './folders.ts';
import type { Git } from './run-git.ts';

/** A bare copy of a repository that all knowledge bases from it share. */
export interface Mirror {
  readonly path: string;
  /** The commit that a branch or, if there is none of that name, a tag points to; undefined: neither is there. */
  commitOf(ref: string): Promise<string | undefined>;
  branches(): Promise<readonly string[]>;
}

export interface MirrorTools {
  readonly git: Git;
  readonly clock: Pick<MachineClock, 'now' | 'sleep'>;
  readonly signal?: AbortSignal | undefined;
}

const WAIT_MS = 100;
/** Beside a first clone of a large repository, others wait at most this long. */
const WAIT_MS_MAX = 30 * 60_000;

/**
 * Works on the mirror under its lock. A fetch that began at `sinceMs` or later is new enough, so a hundred knowledge bases
 * of one repository cost one fetch a round. @throws GitError
 */
export async function withMirror<T>(
  folder: string,
  { repository, sinceMs }: { readonly repository: string; readonly sinceMs: number },
  tools: MirrorTools,
  work: (mirror: Mirror) => Promise<T>,
): Promise<T> {
  const mirrors = join(folder, 'mirrors');
  const path = join(mirrors, `${digestOfText(repository).slice(0, 16)}.git`);
  await realDisk.makeDirectory(mirrors);
  const lock = await waitForLock(`${path}.lock`, tools);
  try {
    await fetchInto(path, { repository, sinceMs }, tools);
    const { git } = tools;
    return await work({
      path,
      commitOf: (ref) => commitOf(path, ref, git),
      branches: () => branchesOf(path, git),
    });
  } finally {
    await lock.release();
  }
}

async function waitForLock(file: string, { clock, signal }: MirrorTools): ReturnType<typeof acquireLock> {
  const endMs = clock.now() + WAIT_MS_MAX;
  for (;;) {
    try {
      return await acquireLock(realDisk, file, thisProcess);
    } catch (error) {
      if (!(error instanceof BaseError) || error.code !== 'locked') throw error;
      if (clock.now() > endMs || signal?.aborted === true) throw error;
      await clock.sleep(WAIT_MS, signal);
    }
  }
}

async function fetchInto(
  path: string,
  { repository, sinceMs }: { readonly repository: string; readonly sinceMs: number },
  { git, clock }: MirrorTools,
): Promise<void> {
  const stampFile = `${path}.json`;
  const stamp = await readStamp(stampFile);
  if (stamp.git !== undefined) await waitForEnd(stamp.git, clock);
  if (stamp.git !== undefined) await removeGitLocks(path);
  if (!stamp.isMade) {
    await removeFolder(path);
    await git.run(['init', '--quiet', '--bare', '--template=', path]);
    await git.run(['--git-dir', path, 'config', 'remote.origin.url', repository]);
  }
  if (stamp.isMade && stamp.git === undefined && stamp.fetchedMs >= sinceMs) return;
  const startedMs = clock.now();
  const writing: Promise<void>[] = [];
  await git
    .run(
      [
        '--git-dir',
        path,
        'fetch',
        '--quiet',
        '--prune',
        '--no-tags',
        '--no-write-fetch-head',
        'origin',
        '+refs/heads/*:refs/heads/*',
        '+refs/tags/*:refs/tags/*',
      ],
      {
        onStart: (pid) => {
          const start = thisProcess.startTimeOf(pid) ?? '';
          writing.push(writeStamp(stampFile, { ...stamp, isMade: true, git: { pid, start } }));
        },
      },
    )
    .catch(async (error: unknown) => {
      await Promise.all(writing);
      await writeStamp(stampFile, { isMade: true, fetchedMs: stamp.fetchedMs });
      throw error;
    });
  await Promise.all(writing);
  await writeStamp(stampFile, { isMade: true, fetchedMs: startedMs });
}

interface Stamp {
  readonly isMade: boolean;
  /** When the last fetch that ended well began. */
  readonly fetchedMs: number;
  /** A fetch that nobody saw the end of: its run was killed. */
  readonly git?: { readonly pid: number; readonly start: string };
}

async function readStamp(file: string): Promise<Stamp> {
  const bytes = await realDisk.read(file);
  if (bytes === undefined) return { isMade: false, fetchedMs: 0 };
  try {
    // Written whole by writeStamp; a disk that loses power can leave it empty, and then the mirror is made again.
    return JSON.parse(new TextDecoder().decode(bytes)) as Stamp;
  } catch {
    return { isMade: false, fetchedMs: 0 };
  }
}

async function writeStamp(file: string, stamp: Stamp): Promise<void> {
  await realDisk.write(`${file}.tmp`, JSON.stringify(stamp));
  await realDisk.rename(`${file}.tmp`, file);
}

/** A killed run leaves its git alive: it ends by itself, and until then nobody else fetches. */
async function waitForEnd(
  { pid, start }: { readonly pid: number; readonly start: string },
  clock: Pick<MachineClock, 'sleep' | 'now'>,
): Promise<void> {
  const endMs = clock.now() + WAIT_MS_MAX;
  while (clock.now() < endMs) {
    const now = thisProcess.startTimeOf(pid);
    if (now === undefined || (start !== '' && now !== start)) return;
    await clock.sleep(WAIT_MS);
  }
}

async function commitOf(path: string, ref: string, git: Git): Promise<string | undefined> {
  const names = [`refs/heads/${ref}`, `refs/tags/${ref}`];
  const shown = await git.run([
    '--git-dir',
    path,
    'for-each-ref',
    '--format=%(refname) %(objectname) %(*objectname)',
    ...names,
  ]);
  for (const name of names) {
    const line = shown.split('\n').find((each) => each.startsWith(`${name} `));
    const [, own = '', tagged = ''] = line?.split(' ') ?? [];
    if (own !== '') return tagged === '' ? own : tagged;
  }
  return undefined;
}

async function branchesOf(path: string, git: Git): Promise<readonly string[]> {
  const shown = await git.run([
    '--git-dir',
    path,
    'for-each-ref',
    '--format=%(refname:lstrip=2)',
    'refs/heads',
  ]);
  return shown.split('\n').filter((name) => name !== '');
}
