import { BaseError } from '../base/base.ts';
import type { StoreFailure } from '../base/shared/shared-store.ts';
import type { GitEnd, GitInput } from '../machine/git.ts';
import { gitStates } from './git-states.ts';
import type { GitStates, Tip } from './git-states.ts';

export interface GitRefOptions {
  /** `refs/kbsync/NAME` */
  readonly ref: string;
  /** Runs git in the repository. */
  readonly run: (args: readonly string[], input?: Omit<GitInput, 'cwd'>) => Promise<GitEnd>;
  readonly nowMs: () => number;
}

/** One ref of the repository's remote: read as a whole, replaced as a whole. */
export interface GitRef extends GitStates {
  /** For messages. */
  readonly name: string;
  /** @throws BaseError `not-readable`, or `damaged` when it holds something that kbsync did not write */
  readonly tip: () => Promise<Tip>;
  /**
   * Puts the commit `next` where `before` is. False: another commit is there.
   *
   * @throws BaseError `not-writable` when the remote does not take it, or cannot be reached
   */
  readonly replaced: (before: string, next: string) => Promise<boolean>;
}

/** Of one call: it may meet a network that is gone for a moment, or somebody who writes at the same time. */
export const TRIES = 4;
/** Of one call that asks the remote: ssh may wait for a person, a network for nothing. */
const REMOTE_MS_MAX = 120_000;
const NO_COMMIT = '';
/** Whatever the settings of git say: this one ref, without hooks and signatures. */
const PUSH = [
  'push',
  '--quiet',
  '--no-verify',
  '--porcelain',
  '--no-signed',
  '--no-follow-tags',
  '--recurse-submodules=no',
];

export function gitRef({ ref, run, nowMs }: GitRefOptions): GitRef {
  const name = `git:${ref}`;
  const failed = (code: StoreFailure, { stderr }: GitEnd): BaseError =>
    new BaseError(
      code,
      `${name} cannot be used, and the state is there: ${withoutSecrets(stderr)}. Nothing was sent to the knowledge base without it.`,
    );

  const git = async (
    args: readonly string[],
    input: Omit<GitInput, 'cwd'> = {},
    code: StoreFailure = 'not-readable',
  ): Promise<string> => {
    const end = await run(args, input);
    if (end.isOk) return end.stdout;
    throw failed(code, end);
  };

  const states = gitStates({ git, name, nowMs });

  let remote: string | undefined;
  const remoteName = async (): Promise<string> => {
    remote ??= await remoteOf(git, name);
    return remote;
  };

  const askRemote = (args: readonly string[]): Promise<GitEnd> => run(args, { timeoutMs: REMOTE_MS_MAX });

  const tipNow = async (): Promise<string> => {
    const from = await remoteName();
    for (let attempt = 1; ; attempt += 1) {
      const end = await askRemote(['ls-remote', '--quiet', from, ref]);
      if (end.isOk) {
        const line = end.stdout.split('\n').find((each) => each.endsWith(`\t${ref}`));
        return line?.split('\t')[0] ?? NO_COMMIT;
      }
      if (attempt === TRIES) throw failed('not-readable', end);
    }
  };

  /** Fetches what the ref holds; it may move between the two questions. */
  const tip = async (): Promise<Tip> => {
    for (let attempt = 1; ; attempt += 1) {
      const commit = await tipNow();
      if (commit === NO_COMMIT) return { commit, fence: 0, lock: undefined, blobs: {} };
      const has = async (): Promise<boolean> => (await run(['cat-file', '-e', `${commit}^{commit}`])).isOk;
      const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
      const end = (await has()) ? undefined : await askRemote([...fetch, await remoteName(), ref]);
      if (await has()) return states.tipOf(commit);
      if (attempt === TRIES) {
        throw failed('not-readable', end ?? { isOk: false, stdout: '', stderr: 'the commit is not there' });
      }
    }
  };

  const replaced = async (before: string, next: string): Promise<boolean> => {
    const to = await remoteName();
    for (let attempt = 1; ; attempt += 1) {
      const lease = `--force-with-lease=${ref}:${before}`;
      const end = await askRemote([...PUSH, lease, to, `${next}:${ref}`]);
      if (end.isOk) return true;
      // Refused, or an answer that was lost: the ref says which.
      const now = await tipNow();
      if (now === next) return true;
      if (now !== before) return false;
      if (attempt === TRIES) throw failed('not-writable', end);
    }
  };

  return { ...states, name, tip, replaced };
}

/** The remote that keeps the ref: its name, or its address if it pushes to another one than it fetches from. */
async function remoteOf(git: (args: readonly string[]) => Promise<string>, name: string): Promise<string> {
  const remotes = (await git(['remote'])).split('\n').filter((each) => each !== '');
  const found = remotes.includes('origin') ? 'origin' : remotes.length === 1 ? remotes[0] : undefined;
  if (found === undefined) {
    throw new BaseError(
      'not-readable',
      `${name} is kept in the remote \`origin\`, and this repository has ${remotes.length === 0 ? 'no remote' : `the remotes ${remotes.join(', ')}`}.`,
    );
  }
  const urlOf = async (flags: readonly string[]): Promise<string> =>
    (await git(['remote', 'get-url', ...flags, found])).trim();
  const fetching = await urlOf([]);
  const pushing = await urlOf(['--push', '--all']);
  if (pushing.includes('\n')) {
    throw new BaseError(
      'not-readable',
      `${name} is kept in the remote \`${found}\`, which pushes to more than one address; a state has one place.`,
    );
  }
  // A remote may fetch from one repository and push to another: a lock is read where it is written.
  return fetching === pushing ? found : pushing;
}

/** git shows the remote's address, which may hold a token. */
function withoutSecrets(stderr: string): string {
  return stderr
    .replaceAll(/:\/\/[^\s'"]*@/g, '://')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 400)
    .replace(/\.+$/, '');
}
