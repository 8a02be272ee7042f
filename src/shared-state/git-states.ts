import { BaseError } from '../base/base.ts';
import type { SharedDocument, StoreFailure } from '../base/shared/shared-store.ts';
import type { GitInput } from '../machine/git.ts';

/** What the ref holds: one commit, whose tree is the document, its number and its lock. */
export interface Tip {
  /** NO_COMMIT: there is no ref. */
  readonly commit: string;
  readonly fence: number;
  /** The text of the lock. */
  readonly lock: string | undefined;
  readonly blobs: Readonly<Partial<Record<keyof SharedDocument, string>>>;
}

/** States as commits of the repository here; nobody else has them before they are pushed. */
export interface GitStates {
  /** What a commit holds. @throws BaseError `damaged` when kbsync did not write it */
  readonly tipOf: (commit: string) => Promise<Tip>;
  readonly documentOf: (tip: Tip) => Promise<SharedDocument>;
  /** Writes a text into the repository here, and returns its blob. */
  readonly blobOf: (text: string) => Promise<string>;
  /** A commit that follows no other, so what the remote keeps does not grow. Nobody else has it yet. */
  readonly commitOf: (tip: Omit<Tip, 'commit'>) => Promise<string>;
}

export const PARTS = ['state', 'previous', 'journal'] as const satisfies readonly (keyof SharedDocument)[];
const FILES: Readonly<Record<keyof SharedDocument, string>> = {
  state: 'state.json',
  previous: 'state.prev.json',
  journal: 'journal.ndjson',
};
const LOCK = 'lock.json';
const HEAD = 'kbsync.json';

export interface GitStatesOptions {
  /** Runs git in the repository; throws a BaseError of this code (`not-readable`) when it fails. */
  readonly git: (
    args: readonly string[],
    input?: Omit<GitInput, 'cwd'>,
    code?: StoreFailure,
  ) => Promise<string>;
  /** For messages. */
  readonly name: string;
  readonly nowMs: () => number;
}

export function gitStates({ git, name, nowMs }: GitStatesOptions): GitStates {
  const tipOf = async (commit: string): Promise<Tip> => {
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
    const named = PARTS.flatMap((part) => {
      const blob = blobs.get(FILES[part]);
      return blob === undefined ? [] : [[part, blob]];
    });
    return { commit, fence, lock: await blobText(blobs.get(LOCK)), blobs: Object.fromEntries(named) };
  };

  const blobText = async (blob: string | undefined): Promise<string | undefined> =>
    blob === undefined ? undefined : git(['cat-file', 'blob', blob]);

  const documentOf = async ({ blobs }: Tip): Promise<SharedDocument> => {
    const document: { -readonly [Part in keyof SharedDocument]: SharedDocument[Part] } = {};
    for (const part of PARTS) {
      const text = await blobText(blobs[part]);
      if (text !== undefined) document[part] = text;
    }
    return document;
  };

  const blobOf = async (text: string): Promise<string> =>
    (await git(['hash-object', '-w', '--stdin'], { stdin: text }, 'not-writable')).trim();

  const commitOf = async (next: Omit<Tip, 'commit'>): Promise<string> => {
    const entries: [path: string, blob: string | undefined][] = [
      [HEAD, await blobOf(`${JSON.stringify({ kbsync: 'shared-state', format: 1, fence: next.fence })}\n`)],
      [LOCK, next.lock === undefined ? undefined : await blobOf(next.lock)],
      ...PARTS.map((part): [string, string | undefined] => [FILES[part], next.blobs[part]]),
    ];
    const lines = entries
      .map(([path, blob]) => (blob === undefined ? '' : `100644 blob ${blob}\t${path}\n`))
      .join('');
    const tree = (await git(['mktree'], { stdin: lines }, 'not-writable')).trim();
    // The time of a lock is in its text, so two commits of one second differ where it matters.
    const args = ['-c', 'commit.gpgSign=false', 'commit-tree', tree, '-m', 'State of kbsync'];
    return (await git(args, { env: authorAt(nowMs()) }, 'not-writable')).trim();
  };

  return { tipOf, documentOf, blobOf, commitOf };
}

function authorAt(ms: number): Readonly<Record<string, string>> {
  const date = `@${Math.floor(ms / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: 'kbsync',
    GIT_AUTHOR_EMAIL: 'kbsync@localhost',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: 'kbsync',
    GIT_COMMITTER_EMAIL: 'kbsync@localhost',
    GIT_COMMITTER_DATE: date,
  };
}

function fenceIn(head: string): number | undefined {
  const [, fence] = /^\{"kbsync":"shared-state","format":1,"fence":(\d{1,15})\}\n$/.exec(head) ?? [];
  return fence === undefined ? undefined : Number(fence);
}
