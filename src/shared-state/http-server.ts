import { randomBytes } from 'node:crypto';
import { BaseError } from '../base/base.ts';
import { parseDocument } from '../base/shared/document-text.ts';
import type { NumberedDocument } from '../base/shared/document-text.ts';
import { SendError } from '../remote/http/send-error.ts';
import type { Send } from '../remote/remote.ts';
import { contentMd5 } from './lock-info.ts';

export interface HttpStateOptions {
  /** Without user and password. */
  readonly address: string;
  readonly send: Send & { close(): Promise<void> };
  /** `Basic …` or `Bearer …`; undefined: the server lets everybody in. */
  readonly authorization?: string | undefined;
  /** Where a server has other addresses or methods for its lock (GitLab). */
  readonly lock?: { readonly address?: string; readonly method?: string };
  readonly unlock?: { readonly address?: string; readonly method?: string };
  readonly updateMethod?: string;
  readonly sleep: (delayMs: number) => Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

type FailureCode = 'not-readable' | 'not-writable';

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
  readonly unlock: (info: string, code: FailureCode) => Promise<Answer>;
  /** Whether somebody holds the lock, and what the server says of it; where nobody does, it is free again afterwards. */
  readonly holder: () => Promise<Answer | undefined>;
  readonly unexpected: (answer: Answer, what: string, code: FailureCode) => BaseError;
}

/** Where nothing was sent it can be sent again: a server that starts anew is back after some seconds. */
const WAITS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000];
const LEASE_S = 300;

interface Call {
  readonly method: string;
  readonly address: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function stateServer(options: HttpStateOptions): StateServer {
  const { address, send, authorization } = options;
  const { origin, pathname } = new URL(address);
  // What follows may hold a token.
  const name = `${origin}${pathname}`;
  const lockAt = { address: options.lock?.address ?? address, method: options.lock?.method ?? 'LOCK' };
  const unlockAt = {
    address: options.unlock?.address ?? address,
    method: options.unlock?.method ?? 'UNLOCK',
  };

  const once = async ({ method, address: url, body, headers = {} }: Call): Promise<Answer> => {
    const response = await send(
      new Request(url, {
        method,
        headers: {
          ...(authorization === undefined ? {} : { authorization }),
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-md5': contentMd5(body) }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      }),
    );
    return { status: response.status, text: await response.text(), headers: response.headers };
  };

  /** Again where nothing was sent; where it may have been, only what can be asked twice. */
  const ask = async (call: Call, mayRepeat: boolean): Promise<Answer> => {
    for (const waitMs of WAITS_MS) {
      try {
        const answer = await once(call);
        if (!mayRepeat || answer.status < 502 || answer.status > 504) return answer;
      } catch (error) {
        if (!(error instanceof SendError) || (error.code !== 'not-sent' && !mayRepeat)) throw error;
      }
      await options.sleep(waitMs);
    }
    return once(call);
  };

  const repeated = async (call: Call, code: FailureCode): Promise<Answer> => {
    try {
      return await ask(call, true);
    } catch (error) {
      throw unreachable(error, code);
    }
  };

  const unreachable = (error: unknown, code: FailureCode): unknown =>
    error instanceof SendError
      ? new BaseError(
          code,
          `${name} cannot be reached, and the state is there: ${error.message}. Nothing was sent to the knowledge base without it.`,
          { cause: error },
        )
      : error;

  const unexpected = ({ status }: Answer, what: string, code: FailureCode): BaseError => {
    const why =
      status === 401 || status === 403
        ? `it answered ${status}: check KBSYNC_STATE_USERNAME and KBSYNC_STATE_PASSWORD, or KBSYNC_STATE_TOKEN`
        : `it answered ${status}`;
    return new BaseError(code, `${name}: ${what}: ${why}.`);
  };

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

  const unlock = (info: string, code: FailureCode): Promise<Answer> =>
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
