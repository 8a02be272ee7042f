import { randomBytes } from 'node:crypto';
import { BaseError } from '../base/base.ts';
import { documentText, parseDocument } from '../base/shared/document-text.ts';
import type { NumberedDocument } from '../base/shared/document-text.ts';
import type { Lease, LockOwner, SharedStore } from '../base/shared/shared-store.ts';
import { SendError } from '../remote/http/send-error.ts';
import type { Send } from '../remote/remote.ts';
import { contentMd5, heldBy, lockInfo } from './lock-info.ts';

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

/** Where nothing was sent it can be sent again: a server that starts anew is back after some seconds. */
const WAITS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000];
const LEASE_S = 300;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

interface Call {
  readonly method: string;
  readonly address: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A state behind the protocol of Terraform's http backend (developer.hashicorp.com/terraform/language/backend/http): GET,
 * POST with `?ID=`, LOCK and UNLOCK with the lock as JSON, 423 or 409 with the lock of the other.
 */
export function httpState(options: HttpStateOptions): SharedStore {
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

  const reading = async (call: Call): Promise<Answer> => {
    try {
      return await ask(call, true);
    } catch (error) {
      throw unreachable(error, 'not-readable');
    }
  };

  const unreachable = (error: unknown, code: 'not-readable' | 'not-writable'): unknown =>
    error instanceof SendError
      ? new BaseError(
          code,
          `${name} cannot be reached, and the state is there: ${error.message}. Nothing was sent to the knowledge base without it.`,
          { cause: error },
        )
      : error;

  const unexpected = ({ status }: Answer, what: string, code: 'not-readable' | 'not-writable'): BaseError => {
    const why =
      status === 401 || status === 403
        ? `it answered ${status}: check KBSYNC_STATE_USERNAME and KBSYNC_STATE_PASSWORD, or KBSYNC_STATE_TOKEN`
        : `it answered ${status}`;
    return new BaseError(code, `${name}: ${what}: ${why}.`);
  };

  const get = async (): Promise<NumberedDocument> => {
    const answer = await reading({ method: 'GET', address });
    const isEmpty =
      answer.status === 404 || answer.status === 204 || (answer.status === 200 && answer.text.trim() === '');
    if (isEmpty) return { serial: 0, fence: 0, document: {} };
    if (answer.status !== 200) throw unexpected(answer, 'the state cannot be read', 'not-readable');
    return parseDocument(answer.text, name);
  };

  const askLock = async (info: string): Promise<Answer> =>
    reading({ ...lockAt, body: info, headers: { timeout: `Second-${LEASE_S}` } });

  /** Whether somebody holds the lock, and what the server says of it; where nobody does, it is free again afterwards. */
  const holderNow = async (): Promise<Answer | undefined> => {
    const probe = JSON.stringify({
      ID: randomBytes(16).toString('hex'),
      Operation: 'kbsync',
      Info: '',
      Who: '',
      Version: '',
      Created: new Date(0).toISOString(),
      Path: '',
    });
    const answer = await askLock(probe);
    if (answer.status === 409 || answer.status === 423) return answer;
    if (answer.status !== 200) throw unexpected(answer, 'its lock cannot be looked at', 'not-readable');
    await reading({ ...unlockAt, body: probe });
    return undefined;
  };

  const leaseOf = async (owner: LockOwner, granted: Answer): Promise<Lease> => {
    const info = lockInfo(owner);
    const giveBack = (): Promise<Answer> => ask({ ...unlockAt, body: info }, true);
    const number = fenceIn(granted);
    const begin = async (): Promise<NumberedDocument> => {
      // There are servers that know a lock by its ID alone, and give one to everybody.
      if (number === undefined && (await holderNow()) === undefined) {
        throw new BaseError(
          'not-readable',
          `${name} gave its lock to two at once, so two runs could mix their states. ` +
            'Use another server, or git, PostgreSQL or kbsync serve.',
        );
      }
      return get();
    };
    const before = await begin().catch(async (error: unknown) => {
      // Nobody else knows this lock's id yet, and a server without leases would keep it for ever.
      await giveBack().catch(() => undefined);
      throw error;
    });
    const leaseMs = leaseIn(granted.headers);
    const fence = Math.max(number ?? 0, before.fence + 1);
    let { serial } = before;
    const lost = (answer: Answer): BaseError => {
      const holder = heldBy(answer.text);
      const who = holder.who === undefined ? '' : ` It is held by ${holder.who} now.`;
      return new BaseError(
        'locked',
        `${name}: this run's lock is lost; somebody took it away while the run was under way, or it ended.${who} Nothing more is written; run again.`,
      );
    };
    const write = async (document: NumberedDocument['document']): Promise<void> => {
      const sent = { serial: serial + 1, fence, document };
      const text = documentText(sent);
      const call = { method: options.updateMethod ?? 'POST', address: withId(address, owner.id), body: text };
      let answer: Answer | undefined;
      try {
        answer = await ask(call, false);
      } catch (error) {
        if (!(error instanceof SendError) || error.code === 'not-sent')
          throw unreachable(error, 'not-writable');
      }
      if (answer?.status === 409 || answer?.status === 423 || answer?.status === 412) throw lost(answer);
      const isClear = answer !== undefined && answer.status < 500;
      if (answer !== undefined && isClear && (answer.status < 200 || answer.status > 299))
        throw unexpected(answer, 'the state cannot be written', 'not-writable');
      // It may have been carried out or be on its way: only what is there now can say.
      if (!isClear && !(await holds(sent))) {
        throw new BaseError(
          'not-writable',
          `${name} gave no answer to a write of the state (${answer === undefined ? 'the connection ended' : answer.status}), and does not show it. ` +
            'Nothing more is written in this run; run again.',
        );
      }
      serial += 1;
    };
    const holds = async (sent: NumberedDocument): Promise<boolean> => {
      const now = await get();
      const isSame = (part: 'state' | 'journal'): boolean => now.document[part] === sent.document[part];
      return now.serial === sent.serial && now.fence === sent.fence && isSame('state') && isSame('journal');
    };
    return {
      fence,
      leaseMs,
      document: before.document,
      write,
      renew: async () => {
        const answer = await askLock(info);
        // Another number: the lock was free and is taken anew, and somebody may have held it in between.
        const isOurs =
          answer.status === 200
            ? number !== undefined && fenceIn(answer) === number
            : heldBy(answer.text).id === owner.id;
        if (!isOurs) throw lost(answer);
      },
      release: async () => {
        const answer = await giveBack().catch((error: unknown) => {
          throw unreachable(error, 'not-writable');
        });
        if (answer.status >= 200 && answer.status < 300) return;
        // Somebody else's, or nobody's: it is not ours to give back.
        if ([404, 409, 412, 423].includes(answer.status)) return;
        throw unexpected(
          answer,
          `the lock cannot be given back (kbsync state unlock ${owner.id})`,
          'not-writable',
        );
      },
    };
  };

  return {
    name,
    read: async () => (await get()).document,
    lock: async (owner) => {
      const asked = lockInfo(owner);
      const answer = await askLock(asked);
      const holder = answer.status === 409 || answer.status === 423 ? heldBy(answer.text, asked) : undefined;
      // Our own: the first answer was lost.
      if (answer.status === 200 || holder?.id === owner.id) return { lease: await leaseOf(owner, answer) };
      if (holder !== undefined) return { heldBy: holder };
      if (answer.status === 404 || answer.status === 405 || answer.status === 501) {
        throw new BaseError(
          'not-readable',
          `${name} knows no ${lockAt.method} (it answered ${answer.status}), and without a lock two runs could mix their states. ` +
            'For GitLab set KBSYNC_STATE_LOCK_ADDRESS, KBSYNC_STATE_LOCK_METHOD=POST and KBSYNC_STATE_UNLOCK_METHOD=DELETE.',
        );
      }
      throw unexpected(answer, 'the lock cannot be taken', 'not-readable');
    },
    unlock: async (id) => {
      const isDone = ({ status }: Answer): boolean => status >= 200 && status < 300;
      const first = await reading({ ...unlockAt, body: JSON.stringify({ ID: id }) });
      if (isDone(first)) return true;
      if (first.status === 401 || first.status === 403 || first.status >= 500)
        throw unexpected(first, 'the lock cannot be taken away', 'not-writable');
      // A server may compare the whole lock, so it gets what it says of it.
      const holder = await holderNow();
      if (holder === undefined || heldBy(holder.text).id !== id) return false;
      const second = await reading({ ...unlockAt, body: holder.text });
      if (isDone(second)) return true;
      throw unexpected(second, 'the lock cannot be taken away', 'not-writable');
    },
    close: () => send.close(),
  };
}

function withId(address: string, id: string): string {
  const url = new URL(address);
  url.searchParams.set('ID', id);
  return url.href;
}

/** RFC 4918, 10.7: `Timeout: Second-300`. A server that does not say so keeps the lock for ever. */
function leaseIn(headers: Headers): number | undefined {
  const seconds = numberIn(/^Second-(\d{1,9})$/i.exec(headers.get('timeout') ?? '')?.[1] ?? null);
  return seconds === undefined ? undefined : seconds * 1000;
}

/** The number of the lease, where the server has one. */
function fenceIn({ headers }: Answer): number | undefined {
  return numberIn(headers.get('kbsync-fence'));
}

function numberIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
