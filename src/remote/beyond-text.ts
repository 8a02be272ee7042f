import type { CapabilityLedger } from './capabilities.ts';
import { RemoteError } from './error.ts';
import type { Answer } from './http/answer.ts';
import type { Call } from './http/call.ts';
import type { Remote } from './remote.ts';
import { claimedIn, oldAddressesIn } from './wire/decode-redirects.ts';
import { filePath, redirectsPath } from './wire/paths.ts';
import type { Reading } from './wire/reply.ts';

export interface BeyondTextOptions {
  readonly get: (path: string) => Promise<Answer>;
  readonly send: (call: Omit<Call, 'bytesMax'>) => Promise<Answer>;
  readonly ledger: CapabilityLedger;
  readonly clean: Reading['clean'];
}

type BeyondText = Pick<Remote, 'hasFile' | 'storeFile' | 'redirectSets' | 'readRedirects' | 'writeRedirects'>;

/** What our service offers beyond the API text (docs/reference/gaps.md): files, and old addresses. Both announced as capabilities. */
export function createBeyondText({ get, send, ledger, clean }: BeyondTextOptions): BeyondText {
  return {
    async hasFile(digest) {
      try {
        await get(filePath(digest));
        return ledger.now().files === 'yes';
      } catch (error) {
        if (error instanceof RemoteError && error.status === 404) return false;
        throw error;
      }
    },
    async storeFile(digest, name, bytes) {
      // Equal bytes are one file, so it may be sent again like a read.
      await send({
        method: 'PUT',
        path: `${filePath(digest)}?name=${name}`,
        effect: 'read',
        body: bytes,
        headers: { 'content-type': 'application/octet-stream' },
      });
    },
    redirectSets: () => ledger.sets(),
    async readRedirects(repository) {
      const path = redirectsPath(repository);
      const { value } = await get(path);
      return oldAddressesIn(value, { request: `GET ${path}`, clean });
    },
    async writeRedirects(repository, tag, redirects) {
      // The set is replaced as a whole, so it may be sent again like a read.
      const { value, headers } = await send({
        method: 'PUT',
        path: redirectsPath(repository),
        effect: 'read',
        body: JSON.stringify({ tag, redirects }),
      });
      ledger.read(headers);
      return claimedIn(value);
    },
  };
}
