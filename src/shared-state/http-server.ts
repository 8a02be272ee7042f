import { randomBytes } from 'node:crypto';
import type { BaseError } from '../base/base.ts';
import { parseDocument } from '../base/shared/document-text.ts';
import type { NumberedDocument } from '../base/shared/document-text.ts';
import type { StoreFailure } from '../base/shared/shared-store.ts';
import { SendError } from '../remote/http/send-error.ts';
import type { Send } from '../remote/remote.ts';
import { createAsk } from './ask.ts';
import type { Answer, AskOptions } from './ask.ts';

export interface HttpStateOptions extends AskOptions {
  /** Without user and password. */
  readonly address: string;
  readonly send: Send & { close(): Promise<void> };
  /** Where a server has other addresses or methods for its lock (GitLab). */
  readonly lock?: { readonly address?: string; readonly method?: string };
  readonly unlock?: { readonly address?: string; readonly method?: string };
  readonly updateMethod?: string;
}

/** The requests of the protocol. What needs no answer of its own is repeated while nothing came through. */
export interface StateServer {
  /** For messages: the address without what may hold a token. */
  readonly name: string;
  readonly lockMethod: string;
  /** @throws BaseError `not-readable` */
  readonly get: () => Promise<NumberedDocument>;
  /** Never sent a second time where the first may have arrived; undefined: nobody knows whether it did. @throws BaseError `not-writable` */
  readonly put: (body: string, id: string) => Promise<Answer | undefined>;
  /** @throws BaseError `not-readable` */
  readonly lock: (info: string) => Promise<Answer>;
  /** `info` is the whole lock, as it was asked for or as the server told it. @throws BaseError of this code */
  readonly unlock: (info: string, code: StoreFailure) => Promise<Answer>;
  /** Whether somebody holds the lock, and what the server says of it; where nobody does, it is free again afterwards. */
  readonly holder: () => Promise<Answer | undefined>;
  readonly unexpected: (answer: Answer, what: string, code: StoreFailure) => BaseError;
}

const LEASE_S = 300;

export function stateServer(options: HttpStateOptions): StateServer {
  const { address } = options;
  const { origin, pathname } = new URL(address);
  // What follows may hold a token.
  const name = `${origin}${pathname}`;
  const lockAt = { address: options.lock?.address ?? address, method: options.lock?.method ?? 'LOCK' };
  const unlockAt = {
    address: options.unlock?.address ?? address,
    method: options.unlock?.method ?? 'UNLOCK',
  };

  const { ask, repeated, unreachable, unexpected } = createAsk(name, options);

  const get = async (): Promise<NumberedDocument> => {
    const answer = await repeated({ method: 'GET', address }, 'not-readable');
    const isEmpty =
      answer.status === 404 || answer.status === 204 || (answer.status === 200 && answer.text.trim() === '');
    if (isEmpty) return { serial: 0, fence: 0, document: {} };
    if (answer.status !== 200) throw unexpected(answer, 'the state cannot be read', 'not-readable');
    return parseDocument(answer.text, name);
  };

  const put = async (body: string, id: string): Promise<Answer | undefined> => {
    try {
      return await ask({ method: options.updateMethod ?? 'POST', address: withId(address, id), body }, false);
    } catch (error) {
      if (error instanceof SendError && error.code !== 'not-sent') return undefined;
      throw unreachable(error, 'not-writable');
    }
  };

  const lock = (info: string): Promise<Answer> =>
    repeated({ ...lockAt, body: info, headers: { timeout: `Second-${LEASE_S}` } }, 'not-readable');

  const unlock = (info: string, code: StoreFailure): Promise<Answer> =>
    repeated({ ...unlockAt, body: info }, code);

  const holder = async (): Promise<Answer | undefined> => {
    const probe = JSON.stringify({
      ID: randomBytes(16).toString('hex'),
      Operation: 'kbsync',
      Info: '',
      Who: '',
      Version: '',
      Created: new Date(0).toISOString(),
      Path: '',
    });
    const answer = await lock(probe);
    if (answer.status === 409 || answer.status === 423) return answer;
    if (answer.status !== 200) throw unexpected(answer, 'its lock cannot be looked at', 'not-readable');
    await unlock(probe, 'not-readable');
    return undefined;
  };

  return { name, lockMethod: lockAt.method, get, put, lock, unlock, holder, unexpected };
}

function withId(address: string, id: string): string {
  const url = new URL(address);
  url.searchParams.set('ID', id);
  return url.href;
}
