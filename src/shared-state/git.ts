import { BaseError } from '../base/base.ts';
import type { HeldBy, Lease, LockOwner, SharedDocument, SharedStore } from '../base/shared/shared-store.ts';
import type { GitEnd, GitInput } from '../machine/git.ts';
import { heldBy, lockInfo } from './lock-info.ts';

export interface GitStateOptions {
  /** `refs/kbsync/NAME` */
  readonly ref: string;
  /** Runs git in the repository. */
  readonly run: (args: readonly string[], input?: Omit<GitInput, 'cwd'>) => Promise<GitEnd>;
  readonly nowMs: () => number;
}

const LEASE_MS = 300_000;
/** git has no clock of its own: the clocks of two machines may differ by so much. */
const CLOCKS_DIFFER_MS = 300_000;
const TRIES = 4;
/** Of one call that asks the remote: ssh may wait for a person, a network for nothing. */
const REMOTE_MS_MAX = 120_000;
const FILES = { state: 'state.json', previous: 'state.prev.json', journal: 'journal.ndjson' } as const;
const LOCK = 'lock.json';
const HEAD = 'kbsync.json';
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
const AUTHOR = { name: 'kbsync', email: 'kbsync@localhost' };

/** What the ref holds: one commit, whose tree is the document, its number and its lock. */
interface Tip {
  /** NO_COMMIT: there is no ref. */
  readonly commit: string;
  readonly fence: number;
  /** The text of the lock. */
  readonly lock: string | undefined;
  readonly blobs: Readonly<Partial<Record<keyof typeof FILES, string>>>;
}

/**
 * A state in a ref of the repository's remote. Each change is a commit without a parent that replaces the one before:
 * `git push --force-with-lease` names the commit that it replaces, and the remote refuses it when there is another one.
 */
export function gitState({ ref, run, nowMs }: GitStateOptions): SharedStore {
  let remote: string | undefined;
  const name = `git:${ref}`;

  const failed = (code: 'not-readable' | 'not-writable', { stderr }: GitEnd): BaseError =>
    new BaseError(
      code,
      `${name} cannot be used, and the state is there: ${withoutSecrets(stderr)}. Nothing was sent to the knowledge base without it.`,
    );

  const git = async (
    args: readonly string[],
    input: Omit<GitInput, 'cwd'> = {},
    code: 'not-readable' | 'not-writable' = 'not-readable',
  ): Promise<string> => {
    const end = await run(args, input);
    if (end.isOk) return end.stdout;
    throw failed(code, end);
  };

  const remoteName = async (): Promise<string> => {
    if (remote !== undefined) return remote;
    const remotes = (await git(['remote'])).split('\n').filter((each) => each !== '');
    const found = remotes.includes('origin') ? 'origin' : remotes.length === 1 ? remotes[0] : undefined;
    if (found === undefined) {
      throw new BaseError(
        'not-readable',
        `${name} is kept in the remote \`origin\`, and this repository has ${remotes.length === 0 ? 'no remote' : `the remotes ${remotes.join(', ')}`}.`,
      );
    }
    const fetching = await urlOf(found, []);
    const pushing = await urlOf(found, ['--push', '--all']);
    if (pushing.includes('\n')) {
      throw new BaseError(
        'not-readable',
        `${name} is kept in the remote \`${found}\`, which pushes to more than one address; a state has one place.`,
      );
    }
    // A remote may fetch from one repository and push to another: a lock is read where it is written.
    remote = fetching === pushing ? found : pushing;
    return remote;
  };

  const urlOf = async (of: string, flags: readonly string[]): Promise<string> =>
    (await git(['remote', 'get-url', ...flags, of])).trim();

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
  const fetched = async (): Promise<Tip> => {
    for (let attempt = 1; ; attempt += 1) {
      const commit = await tipNow();
      if (commit === NO_COMMIT) return { commit, fence: 0, lock: undefined, blobs: {} };
      const has = async (): Promise<boolean> => (await run(['cat-file', '-e', `${commit}^{commit}`])).isOk;
      const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
      const end = (await has()) ? undefined : await askRemote([...fetch, await remoteName(), ref]);
      if (await has()) return readTip(commit);
      if (attempt === TRIES) {
        throw failed('not-readable', end ?? { isOk: false, stdout: '', stderr: 'the commit is not there' });
      }
    }
  };

  const readTip = async (commit: string): Promise<Tip> => {
    const blobs = new Map(
      (await git(['ls-tree', commit])).split('\n').flatMap((line) => {
        const [, blob = '', path = ''] = /^\d+ blob ([0-9a-f]+)\t(.*)$/.exec(line) ?? [];
        return path === '' ? [] : [[path, blob] as const];
      }),
    );
    const head = await blobText(blobs.get(HEAD));
    const fence = fenceIn(head ?? '');
    if (fence === undefined) {
      throw new BaseError(
        'damaged',
        `${name} holds something that kbsync did not write. kbsync does not treat it as empty; name another ref.`,
      );
    }
    const named = Object.entries(FILES).flatMap(([part, path]) => {
      const blob = blobs.get(path);
      return blob === undefined ? [] : [[part, blob]];
    });
    return { commit, fence, lock: await blobText(blobs.get(LOCK)), blobs: Object.fromEntries(named) };
  };

  const blobText = async (blob: string | undefined): Promise<string | undefined> =>
    blob === undefined ? undefined : git(['cat-file', 'blob', blob]);

  const documentOf = async ({ blobs }: Tip): Promise<SharedDocument> => {
    const document: { -readonly [Part in keyof SharedDocument]: SharedDocument[Part] } = {};
    for (const part of ['state', 'previous', 'journal'] as const) {
      const text = await blobText(blobs[part]);
      if (text !== undefined) document[part] = text;
    }
    return document;
  };

  const blobOf = async (text: string): Promise<string> =>
    (await git(['hash-object', '-w', '--stdin'], { stdin: text }, 'not-writable')).trim();

  /** A commit that follows no other, so what the remote keeps does not grow. */
  const commitOf = async (tip: Omit<Tip, 'commit'>): Promise<string> => {
    const entries: [path: string, blob: string][] = [
      [HEAD, await blobOf(`${JSON.stringify({ kbsync: 'shared-state', format: 1, fence: tip.fence })}\n`)],
      ...(tip.lock === undefined ? [] : [[LOCK, await blobOf(tip.lock)] as [string, string]]),
    ];
    for (const [part, path] of Object.entries(FILES)) {
      const blob = tip.blobs[part as keyof typeof FILES]; // the keys of a constant are its type's keys
      if (blob !== undefined) entries.push([path, blob]);
    }
    const lines = entries.map(([path, blob]) => `100644 blob ${blob}\t${path}\n`).join('');
    const tree = (await git(['mktree'], { stdin: lines }, 'not-writable')).trim();
    const date = `@${Math.floor(nowMs() / 1000)} +0000`;
    const env = {
      GIT_AUTHOR_NAME: AUTHOR.name,
      GIT_AUTHOR_EMAIL: AUTHOR.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: AUTHOR.name,
      GIT_COMMITTER_EMAIL: AUTHOR.email,
      GIT_COMMITTER_DATE: date,
    };
    // The time of a lock is in its text, so two commits of one second differ where it matters.
    const args = ['-c', 'commit.gpgSign=false', 'commit-tree', tree, '-m', 'State of kbsync'];
    return (await git(args, { env }, 'not-writable')).trim();
  };

  /**
   * Puts `next` where `before` is. False: another commit is there.
   *
   * @throws BaseError `not-writable` when the remote does not take it, or cannot be reached
   */
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

  const leaseOf = (owner: LockOwner, taken: Tip, document: SharedDocument): Lease => {
    let tip = taken;
    let written = document;
    const lost = (): BaseError =>
      new BaseError(
        'locked',
        `${name}: this run's lock is lost; somebody took it away while the run was under way, or it ended. Nothing more is written; run again.`,
      );
    const change = async (next: Omit<Tip, 'commit' | 'fence'>): Promise<void> => {
      const commit = await commitOf({ ...next, fence: tip.fence });
      if (!(await replaced(tip.commit, commit))) throw lost();
      tip = { ...next, fence: tip.fence, commit };
    };
    return {
      fence: taken.fence,
      leaseMs: LEASE_MS,
      document,
      write: async (given) => {
        const blobs: Partial<Record<keyof typeof FILES, string>> = {};
        for (const part of ['state', 'previous', 'journal'] as const) {
          const text = given[part];
          if (text === undefined) continue;
          const known = text === written[part] ? tip.blobs[part] : undefined;
          blobs[part] = known ?? (await blobOf(text));
        }
        await change({ blobs, lock: lockText(owner, taken.fence) });
        written = given;
      },
      renew: () => change({ blobs: tip.blobs, lock: lockText(owner, taken.fence) }),
      release: async () => {
        const commit = await commitOf({ blobs: tip.blobs, fence: tip.fence, lock: undefined });
        await replaced(tip.commit, commit);
      },
    };
  };

  const lockText = (owner: LockOwner, fence: number): string =>
    `${lockInfo(owner, { fence, until: new Date(nowMs() + LEASE_MS).toISOString() })}\n`;

  /** When others take the lock, by their own clocks. */
  const endOf = ({ until }: HeldBy): Pick<HeldBy, 'until'> => {
    const ms = Date.parse(until ?? '') + CLOCKS_DIFFER_MS;
    return Number.isFinite(ms) ? { until: new Date(ms).toISOString() } : {};
  };

  const isFree = (lock: HeldBy | undefined, id: string): boolean => {
    if (lock === undefined || lock.id === id) return true;
    const until = Date.parse(lock.until ?? '');
    return Number.isFinite(until) && nowMs() > until + CLOCKS_DIFFER_MS;
  };

  return {
    name,
    read: async () => documentOf(await fetched()),
    lock: async (owner) => {
      for (let attempt = 1; ; attempt += 1) {
        const tip = await fetched();
        const holder = tip.lock === undefined ? undefined : heldBy(tip.lock);
        if (holder !== undefined && !isFree(holder, owner.id))
          return { heldBy: { ...holder, ...endOf(holder) } };
        // Before the lock is taken: what cannot be read leaves no lock behind.
        const document = await documentOf(tip);
        const next = { blobs: tip.blobs, fence: tip.fence + 1, lock: lockText(owner, tip.fence + 1) };
        const commit = await commitOf(next);
        if (await replaced(tip.commit, commit))
          return { lease: leaseOf(owner, { ...next, commit }, document) };
        if (attempt === TRIES) {
          throw new BaseError(
            'locked',
            `${name}: other kbsync runs keep taking this lock; run again when they are done.`,
          );
        }
      }
    },
    unlock: async (id) => {
      const tip = await fetched();
      if (tip.lock === undefined || heldBy(tip.lock).id !== id) return false;
      return replaced(tip.commit, await commitOf({ ...tip, lock: undefined }));
    },
    close: () => Promise.resolve(),
  };
}

function fenceIn(head: string): number | undefined {
  const [, fence] = /^\{"kbsync":"shared-state","format":1,"fence":(\d{1,15})\}\n$/.exec(head) ?? [];
  return fence === undefined ? undefined : Number(fence);
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
