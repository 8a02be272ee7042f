import { CodedError } from '../model/coded-error.ts';
import type { Send } from '../remote/remote.ts';

/**
 * `git`: git failed · `forge`: the forge failed, or said no · `not-ours`: somebody else committed to the branch ·
 * `moved`: the branch changed while it was written.
 */
export class ForgeError extends CodedError<'git' | 'forge' | 'not-ours' | 'moved'> {
  override readonly name = 'ForgeError';
}

/** A pull request, or a merge request. */
export interface ChangeRequest {
  readonly number: number;
  readonly state: 'open' | 'closed' | 'merged';
  readonly body: string;
  readonly url: string;
}

export interface RequestText {
  readonly title: string;
  readonly body: string;
}

export interface Branches {
  /** The branch that is proposed. */
  readonly from: string;
  /** The branch that it is for. */
  readonly into: string;
}

/** A place where people review branches. Every call throws ForgeError if it is not answered as it should be. */
export interface Forge {
  /** The newest first; only those of this repository itself, not of its forks. */
  list(branches: Branches): Promise<readonly ChangeRequest[]>;
  open(branches: Branches, text: RequestText): Promise<ChangeRequest>;
  /** With `state`, it is closed. */
  edit(request: ChangeRequest, change: { readonly body: string; readonly state?: 'closed' }): Promise<void>;
}

/** A job of a forge, as its variables describe it. */
export interface ForgeJob {
  readonly name: 'GitHub' | 'GitLab';
  /** The origin to connect to. */
  readonly origin: string;
  /** The branch that the job is about; undefined for a tag. */
  readonly branch: string | undefined;
  /** The commit that the job is about. */
  readonly commit: string | undefined;
  /** The job is for a pull request, which may come from a fork. */
  readonly isForRequest: boolean;
  /** Why nothing can be asked of the forge. */
  readonly missing: string | undefined;
  readonly connect: (send: Send) => Forge;
}
