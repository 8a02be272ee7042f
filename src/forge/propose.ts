import type { Branches, ChangeRequest, Forge } from './forge.ts';
import { ForgeError } from './forge.ts';
import type { Repository, Tip } from './branch.ts';

/**
 * `opened` and `updated`: the request shows these edits · `unchanged`: it showed them before · `closed`: nothing is left,
 * so it was closed · `none`: nothing is left, and none was open · `declined`: somebody closed the request with just these edits.
 */
export type ProposalState = 'opened' | 'updated' | 'unchanged' | 'closed' | 'none' | 'declined';

export interface ProposalEnd {
  readonly state: ProposalState;
  readonly branch: string;
  readonly url?: string;
}

export interface ProposalInput {
  readonly repository: Pick<Repository, 'draft' | 'tip' | 'push'>;
  readonly forge: Forge;
  readonly branches: Branches;
  /** New contents, relative to the repository's folder; none: nothing is left to propose. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly title: string;
  /** Begins with a hidden line that is the same for the same edits, and for no others. */
  readonly body: string;
  /** What a request says when nothing is left. */
  readonly closing: string;
  /** Something could not be read: whether nothing is left is not known. */
  readonly isIncomplete: boolean;
}

/**
 * Keeps one branch and one request for it. A branch to which somebody else committed stays as it is; a request that
 * somebody closed is not opened again until the edits are others.
 * @throws ForgeError
 */
export async function propose(input: ProposalInput): Promise<ProposalEnd> {
  const { repository, forge, branches, files, title } = input;
  const { from } = branches;
  const tip = await repository.tip(from);
  const requests = await forge.list(branches);
  const open = requests.find(({ state }) => state === 'open');
  const draft = files.size === 0 ? undefined : await repository.draft(files, title);
  if (draft === undefined) return withdrawn(input, tip, open);
  const last = requests[0];
  if (open === undefined && last?.state === 'closed' && markOf(last.body) === markOf(input.body))
    return { state: 'declined', branch: from, url: last.url };
  const isPushed = tip?.tree === draft.tree;
  if (!isPushed) {
    if (tip?.isOurs === false) throw notOurs(from, open);
    await repository.push(from, tip, draft.commit);
  }
  const text = { title, body: input.body };
  if (open === undefined)
    return { state: 'opened', branch: from, url: (await forge.open(branches, text)).url };
  const isSaid = sameText(open.body, input.body);
  if (!isSaid) await forge.edit(open, { body: input.body });
  return { state: isPushed && isSaid ? 'unchanged' : 'updated', branch: from, url: open.url };
}

async function withdrawn(
  { repository, forge, branches: { from }, closing, isIncomplete }: ProposalInput,
  tip: Tip | undefined,
  open: ChangeRequest | undefined,
): Promise<ProposalEnd> {
  const url = open === undefined ? {} : { url: open.url };
  if (isIncomplete) return { state: open === undefined ? 'none' : 'unchanged', branch: from, ...url };
  if (tip?.isOurs === false) {
    if (open === undefined) return { state: 'none', branch: from };
    throw notOurs(from, open);
  }
  if (open !== undefined) await forge.edit(open, { body: closing, state: 'closed' });
  if (tip !== undefined) await repository.push(from, tip, undefined);
  return { state: open === undefined ? 'none' : 'closed', branch: from, ...url };
}

function notOurs(branch: string, open: ChangeRequest | undefined): ForgeError {
  const where = open === undefined ? `the branch ${branch}` : `the branch ${branch} (${open.url})`;
  return new ForgeError(
    'not-ours',
    `somebody else committed to ${where}, so it stays as it is; merge it, or delete the branch, and the next run starts anew`,
  );
}

function markOf(body: string): string {
  return body.split(/\r?\n/, 1)[0] ?? '';
}

/** Forges change line ends, and take blanks from the end. */
function sameText(a: string, b: string): boolean {
  const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim();
  return plain(a) === plain(b);
}
