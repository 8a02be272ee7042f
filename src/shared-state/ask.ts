import { BaseError } from '../base/base.ts';
import type { StoreFailure } from '../base/shared/shared-store.ts';
import { SendError } from '../remote/http/send-error.ts';
import type { Send } from '../remote/remote.ts';
import { contentMd5 } from './lock-info.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export interface Call {
  readonly method: string;
  readonly address: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where nothing was sent it can be sent again: a server that starts anew is back after some seconds. */
const WAITS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000];
export interface Ask {
  /** Again where nothing was sent; where it may have been, only what can be asked twice. */
  readonly ask: (call: Call, mayRepeat: boolean) => Promise<Answer>;
  /** What can be asked twice. @throws BaseError of this code */
  readonly repeated: (call: Call, code: StoreFailure) => Promise<Answer>;
  /** What a failed request means for the run. */
  readonly unreachable: (error: unknown, code: StoreFailure) => unknown;
  readonly unexpected: (answer: Answer, what: string, code: StoreFailure) => BaseError;
}

export interface AskOptions {
  readonly send: Send;
  /** `Basic …` or `Bearer …`; undefined: the server lets everybody in. */
  readonly authorization?: string | undefined;
  readonly sleep: (delayMs: number) => Promise<void>;
}

/** Requests to a server that keeps a state. `name` is its address without what may hold a token, for messages. */
export function createAsk(name: string, { send, authorization, sleep }: AskOptions): Ask {
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

  const ask = async (call: Call, mayRepeat: boolean): Promise<Answer> => {
    for (const waitMs of WAITS_MS) {
      try {
        const answer = await once(call);
        if (!mayRepeat || answer.status < 502 || answer.status > 504) return answer;
      } catch (error) {
        if (!(error instanceof SendError) || (error.code !== 'not-sent' && !mayRepeat)) throw error;
      }
      await sleep(waitMs);
    }
    return once(call);
  };

  const repeated = async (call: Call, code: StoreFailure): Promise<Answer> => {
    try {
      return await ask(call, true);
    } catch (error) {
      throw unreachable(error, code);
    }
  };

  const unreachable = (error: unknown, code: StoreFailure): unknown =>
    error instanceof SendError
      ? new BaseError(
          code,
          `${name} cannot be reached, and the state is there: ${error.message}. Nothing was sent to the knowledge base without it.`,
          { cause: error },
        )
      : error;

  const unexpected = ({ status }: Answer, what: string, code: StoreFailure): BaseError => {
    const why =
      status === 401 || status === 403
        ? `it answered ${status}: check KBSYNC_STATE_USERNAME and KBSYNC_STATE_PASSWORD, or KBSYNC_STATE_TOKEN`
        : `it answered ${status}`;
    return new BaseError(code, `${name}: ${what}: ${why}.`);
  };

  return { ask, repeated, unreachable, unexpected };
}
