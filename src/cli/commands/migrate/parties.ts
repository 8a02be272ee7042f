import type { RemoteClient } from '../../../remote/client.ts';
import { RemoteError } from '../../../remote/error.ts';
import type { Send } from '../../../remote/remote.ts';
import type { KeyNames } from '../../../session/access.ts';

/** One of two knowledge bases of a run. */
export interface Party {
  readonly name: 'source' | 'target';
  /** The flag that names it. */
  readonly flag: '--from' | '--to';
  readonly keys: KeyNames;
}

export const SOURCE: Party = {
  name: 'source',
  flag: '--from',
  keys: { key: 'KBSYNC_FROM_KEY', origin: 'KBSYNC_FROM_ORIGIN' },
};

export const TARGET: Party = {
  name: 'target',
  flag: '--to',
  keys: { key: 'KBSYNC_TO_KEY', origin: 'KBSYNC_TO_ORIGIN' },
};

/** Lets reads through and nothing else. */
export function onlyReads(send: Send): Send {
  return (request) => {
    if (request.method === 'GET') return send(request);
    return Promise.reject(new Error(`bug: ${request.method} to a knowledge base that is only read`));
  };
}

/** The client, with errors that say which of the two services they are of. */
export function ofParty(remote: RemoteClient, party: Party): RemoteClient {
  const named = <R>(answer: Promise<R>): Promise<R> =>
    answer.catch((error: unknown) => {
      throw error instanceof RemoteError ? errorOf(error, party) : error;
    });
  return {
    ...remote,
    list: (...args) => named(remote.list(...args)),
    peek: (...args) => named(remote.peek(...args)),
    read: (...args) => named(remote.read(...args)),
    create: (...args) => named(remote.create(...args)),
    edit: (...args) => named(remote.edit(...args)),
    remove: (...args) => named(remote.remove(...args)),
    tool: (...args) => named(remote.tool(...args)),
    sideArticleIds: () => named(remote.sideArticleIds()),
  };
}

function errorOf(error: RemoteError, { name, flag, keys }: Party): RemoteError {
  const message = error.message.replaceAll('KBSYNC_API_KEY', keys.key).replaceAll('baseUrl', flag);
  const names = { key: keys.key, address: flag };
  const { request, status, retryAfterMs, serviceMessage, field, cause } = error;
  const details = { request, status, retryAfterMs, serviceMessage, field, cause, names };
  return new RemoteError(error.code, `${name}: ${message}`, details);
}
