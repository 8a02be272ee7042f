import { BaseError } from '../base/base.ts';
import { ContentError } from '../content/options.ts';
import { RemoteError, type RemoteErrorCode } from '../remote/error.ts';
import { RemoteSetupError } from '../remote/setup-error.ts';
import { StoreError } from '../service/store/store.ts';
import { CliError } from './cli-error.ts';
import { EXIT } from './exit.ts';
import { visible } from './plain.ts';

/** A failure in words, with the exit code it leads to. */
export interface Failure {
  readonly code: string;
  readonly exit: number;
  readonly message: string;
  readonly help?: string;
}

/** What a known error means to the person at the keyboard; undefined for a bug, which bin.ts reports. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof CliError) {
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
      exit: error.code === 'aborted' ? EXIT.interrupted : EXIT.failed,
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
  if (error instanceof StoreError) {
    const isRefusal = ['schema', 'language', 'unsafe'].includes(error.code);
    return { code: error.code, exit: isRefusal ? EXIT.refused : EXIT.failed, message: error.message };
  }
  return systemFailure(error);
}

/** Where two knowledge bases take part, the message says of which it is. */
function remoteHelp({ code, message, request, status }: RemoteError): string | undefined {
  const [key, flag] = message.startsWith('source: ')
    ? ['KBSYNC_FROM_KEY', '--from']
    : message.startsWith('target: ')
      ? ['KBSYNC_TO_KEY', '--to']
      : ['KBSYNC_API_KEY', '`baseUrl`'];
  const help = status === 404 && request.startsWith('GET ') ? NO_SUCH_PATH : REMOTE_HELP[code];
  return help?.replace('KBSYNC_API_KEY', key ?? '').replaceAll('`baseUrl`', flag ?? '');
}

/** A record that is gone is no failure; so it is the path that is not there. */
const NO_SUCH_PATH = 'is `baseUrl` the address of the knowledge base? kbsync puts /api/v2 behind it';

const REMOTE_HELP: Readonly<Partial<Record<RemoteErrorCode, string>>> = {
  unauthorized: 'check KBSYNC_API_KEY: is it the key of this knowledge base, and not revoked?',
  'not-sent': 'check `baseUrl` and the network; nothing was changed, running again is safe',
  unclear: 'running again is safe: what this run left open is looked up first',
  redirect:
    'set `baseUrl` to the address that answers without a redirect; kbsync follows none, so that the key stays where it was sent',
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
