import { RemoteError } from '../error.ts';

export interface Door {
  /** Carries out a write, and notes whether it is let in. */
  watched<T>(write: () => Promise<T>): Promise<T>;
}

/** A firewall that refuses single pages does not refuse so many in a row. */
const REFUSED_MAX = 20;

/**
 * Finds out whether a 403 concerns one record or the key. It concerns the record, until the service has refused so many
 * writes in the same words and has accepted none. Then the key may only read (`unauthorized`).
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
          `${message}; so were the ${refused - 1} writes before it and none was accepted: this API key may only read`,
          { request, status, serviceMessage },
        );
      }
    },
  };
}
