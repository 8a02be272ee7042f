import type { CapabilityLedger } from '../capabilities.ts';
import { RemoteError } from '../error.ts';

export interface Matches {
  /** Carries out a write of the record at `path`, and notes a 412 that `ifMatch` met. */
  watched<T>(path: string, ifMatch: string | undefined, write: () => Promise<T>): Promise<T>;
  /** The tag that a single read shows. */
  saw(etag: string | undefined): void;
}

/** Words of a service that takes no condition at all. With 412, and with 409, some say that somebody wrote in between. */
const CONDITION = /pre-?condition|if-match|conditional|\betag\b/i;

function refusesConditions({ status, serviceMessage, message }: RemoteError): boolean {
  if (status === 501) return true;
  const isOther = status !== undefined && status < 500 && ![409, 412, 428, 429].includes(status);
  return isOther && CONDITION.test(serviceMessage ?? message);
}

/**
 * Finds out where `If-Match` only ever refuses: a proxy puts `-gzip` into tags, a cache makes new ones with every answer.
 * Two things prove it: the tag that was refused is shown again, or the same record is refused twice. So does a
 * service that says, with another status than 409 and 412, that it takes no conditions. From then on no `If-Match` is sent, and every write stands on a read just before it.
 */
export function createMatches(ledger: CapabilityLedger): Matches {
  const refusedTags = new Set<string>();
  const refusedPaths = new Set<string>();
  const giveUp = (): void => ledger.learn({ 'if-match': 'no' });
  return {
    async watched(path, ifMatch, write) {
      try {
        return await write();
      } catch (error) {
        if (ifMatch !== undefined && error instanceof RemoteError && error.status === 412) {
          if (refusedPaths.has(path)) giveUp();
          refusedPaths.add(path);
          refusedTags.add(ifMatch);
        }
        if (ifMatch === undefined || !(error instanceof RemoteError) || !refusesConditions(error))
          throw error;
        giveUp();
        const { message, request, status, serviceMessage, names } = error;
        throw new RemoteError('stale', message, { request, status, serviceMessage, names, cause: error });
      }
    },
    saw(etag) {
      if (etag !== undefined && refusedTags.has(etag)) giveUp();
    },
  };
}
