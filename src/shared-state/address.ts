import { SetupError } from '../config/setup-error.ts';
import { isLoopback } from '../remote/address.ts';
import { visible } from '../model/visible.ts';

/** An address of a state that machines share, checked. */
export type StateAddress =
  | { readonly kind: 'http'; readonly url: URL }
  | { readonly kind: 'postgres'; readonly url: URL }
  | { readonly kind: 'git'; readonly ref: string };

export interface GivenAddress {
  readonly address: string;
  /** Where it was given, for messages. */
  readonly source: string;
  /** It comes from the environment, so it may hold a password. */
  readonly isSecret: boolean;
}

/** Parts of git-check-ref-format(1) that matter here: no option, no path of another kind, nothing that git reads as a pattern. */
const REF = /^refs\/kbsync\/[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** @throws SetupError, which never shows a password */
export function parseStateAddress({ address, source, isSecret }: GivenAddress): StateAddress {
  if (/^git:/i.test(address)) return { kind: 'git', ref: refIn(address.slice('git:'.length), source) };
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.hostname === '') {
    throw wrong(source, 'it is not an address; write it like https://kb.example.com/api/state/docs');
  }
  if (url.password !== '' && !isSecret) {
    throw new SetupError(
      'refused',
      `${source} holds a password; everybody who reads the repository or the list of processes sees it`,
      {
        help: 'leave it out and set KBSYNC_STATE_PASSWORD, or set the whole address as KBSYNC_STATE',
      },
    );
  }
  if (/^postgres(ql)?:$/.test(url.protocol)) return { kind: 'postgres', url };
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new SetupError(
      'refused',
      `${source}: ${url.host} would get the password unencrypted; write https:// (http is taken on loopback only)`,
    );
  }
  if (url.hash !== '') throw wrong(source, 'it has a fragment');
  return { kind: 'http', url };
}

function refIn(ref: string, source: string): string {
  if (REF.test(ref) && !/\.\.|\.lock(\/|$)|\.(\/|$)/.test(ref)) return ref;
  throw wrong(source, `\`${visible(ref)}\` is not a ref for a state; write git:refs/kbsync/NAME`);
}

function wrong(source: string, why: string): SetupError {
  return new SetupError('usage', `${source} cannot be used: ${why}`);
}
