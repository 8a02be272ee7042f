import { BaseError } from '../../base/base.ts';
import { ContentError } from '../../content/options.ts';
import { ForgeError } from '../../forge/forge.ts';
import { RemoteError, type RemoteErrorCode } from '../../remote/error.ts';
import { isLongWait } from '../../remote/http/retry.ts';
import { RemoteSetupError } from '../../remote/address.ts';
import { StoreError } from '../../service/store/store.ts';
import { SetupError } from '../../config/setup-error.ts';
import { visible } from '../../model/visible.ts';
import { EXIT } from './exit.ts';

/** A failure in words, with the exit code it leads to. */
export interface Failure {
  readonly code: string;
  readonly exit: number;
  readonly message: string;
  readonly help?: string;
}

/** What a known error means to the person at the keyboard; undefined for a bug, which bin.ts reports. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof SetupError) {
    const exit = { usage: EXIT.usage, config: EXIT.usage, refused: EXIT.refused, file: EXIT.failed }[
      error.code
    ];
    return { code: error.code, exit, message: error.message, ...helpful(error.help) };
  }
  if (error instanceof RemoteSetupError)
    return { code: error.code, exit: EXIT.usage, message: error.message };
  if (error instanceof RemoteError) {
    return {
      code: error.code,
      exit: error.code === 'aborted' ? EXIT.interrupted : isLongWait(error) ? EXIT.partly : EXIT.failed,
      message: error.message,
      ...helpful(remoteHelp(error)),
    };
  }
  if (error instanceof ContentError) return { code: error.code, exit: EXIT.failed, message: error.message };
  if (error instanceof BaseError) {
    const isDisk = error.code === 'not-writable' || error.code === 'not-readable';
    const exit = isDisk ? EXIT.failed : EXIT.refused;
    return { code: error.code, exit, message: error.message };
  }
  if (error instanceof ForgeError) {
    const exit = { git: EXIT.failed, forge: EXIT.failed, 'not-ours': EXIT.refused, moved: EXIT.partly }[
      error.code
    ];
    return { code: error.code, exit, message: error.message };
  }
  if (error instanceof StoreError) {
    const isRefusal = ['schema', 'language', 'unsafe'].includes(error.code);
    return { code: error.code, exit: isRefusal ? EXIT.refused : EXIT.failed, message: error.message };
  }
  return systemFailure(error);
}

/** What to look at, in the names that the user gave key and address. */
function remoteHelp(error: RemoteError): string | undefined {
  const { code, request, status, field, names } = error;
  if (isLongWait(error)) return 'run again then; with --wait, kbsync waits for it';
  if (field !== undefined) return 'docs/reference/gaps.md lists what kbsync needs of an answer, and why';
  // A page, not an answer of the API: nobody behind it has looked at the key.
  if (code === 'forbidden' && error.serviceMessage === undefined) return STOPPED_BEFORE;
  const { key, address } = names ?? { key: 'KBSYNC_API_KEY', address: '`baseUrl`' };
  const help = status === 404 && request.startsWith('GET ') ? NO_SUCH_PATH : REMOTE_HELP[code];
  return help?.replace('KBSYNC_API_KEY', key).replaceAll('`baseUrl`', address);
}

/**
 * A missing record is handled before and never comes here, so a 404 means that the path is wrong, or that the service hides
 * what a key may not see (RFC 9110, 15.5.4).
 */
const NO_SUCH_PATH =
  'is `baseUrl` the address of the knowledge base? kbsync adds /api/v2 to it; some services answer so to a key that they do not know: check KBSYNC_API_KEY too';

const STOPPED_BEFORE =
  'a firewall or a browser check in front of the service stopped the request, so the key may be fine; run again, and if it stays so, ask for a rule there that lets kbsync through';

const REMOTE_HELP: Readonly<Partial<Record<RemoteErrorCode, string>>> = {
  unauthorized: 'check KBSYNC_API_KEY: is it the key of this knowledge base, and not revoked?',
  forbidden:
    'check that KBSYNC_API_KEY may read and write this knowledge base, and that no firewall blocks the requests',
  'not-sent': 'check `baseUrl` and the network; nothing was changed, running again is safe',
  unclear: 'running again is safe: the next run first looks up what this one left open',
  redirect:
    'set `baseUrl` to the address that answers without a redirect; kbsync follows no redirect, so the key goes nowhere else',
  'not-understood': 'is `baseUrl` the address of the knowledge base and not of its website?',
  throttled: 'the service asks for fewer requests: try later or with --concurrency 1',
};

/** Full disks and missing rights are failures, not bugs. */
function systemFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  return { code: 'file', exit: EXIT.failed, message: visible(error.message) };
}

function helpful(help: string | undefined): { readonly help?: string } {
  return help === undefined ? {} : { help };
}
