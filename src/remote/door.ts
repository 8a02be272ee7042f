import { RemoteError } from './error.ts';

export interface Door {
  /** Carries out a write, and notes whether it is let in. */
  watched<T>(write: () => Promise<T>): Promise<T>;
}

/** So many refusals are no firewall that dislikes one page. */
const REFUSED_MAX = 20;

/**
 * Tells a key that may only read from one record that may not be written: a 403 is the record's, until that many writes
 * were refused, in the same words of the service itself, and not one was accepted. Then it is the key's (`unauthorized`).
 */
export function createDoor(): Door {
  let refused = 0;
  let words: string | undefined;
  let isOpen = false;
  return {
    async watched(write) {
      try {
        const answer = await write();
        isOpen = true;
        return answer;
      } catch (error) {
        if (!(error instanceof RemoteError) || error.code !== 'forbidden' || isOpen) throw error;
        const { serviceMessage, message, request, status } = error;
        refused = serviceMessage !== undefined && serviceMessage === words ? refused + 1 : 1;
        words = serviceMessage;
        if (refused < REFUSED_MAX) throw error;
        throw new RemoteError(
          'unauthorized',
          `${message}; so were the ${refused} writes before it and none was accepted: this API key may only read`,
          { request, status, serviceMessage },
        );
      }
    },
  };
}
