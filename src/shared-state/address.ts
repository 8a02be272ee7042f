import { SetupError } from '../config/setup-error.ts';
import type { SharedStateSetting } from '../config/settings.ts';
import type { Env } from '../machine/machine.ts';
import { isLoopback } from '../remote/address.ts';
import { decoded } from '../model/address/percent.ts';
import { visible } from '../model/visible.ts';
import { isUrl, urlOf } from '../text/url.ts';

/** An address of a state that machines share, checked. */
export type StateAddress =
  | { readonly kind: 'http'; readonly url: URL }
  | { readonly kind: 'postgres'; readonly url: URL }
  | { readonly kind: 'git'; readonly ref: string };

/** Of an address that the environment does not give: others open files, other hosts, or change what a write promises. */
const PARAMETERS: ReadonlySet<string> = new Set(['state', 'sslmode']);
/** What may go to the place of a state. PostgreSQL's own are read by its driver. */
const SECRETS = {
  http: ['KBSYNC_STATE_PASSWORD', 'KBSYNC_STATE_TOKEN'],
  postgres: ['KBSYNC_STATE_PASSWORD', 'PGPASSWORD', 'PGPASSFILE'],
} as const;

/** Parts of git-check-ref-format(1) that matter here: no option, no path of another kind, nothing that git reads as a pattern. */
const REF = /^refs\/kbsync\/[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** @throws SetupError, which never shows a password */
export function parseStateAddress({ address, source, from }: SharedStateSetting): StateAddress {
  if (/^git:/i.test(address)) return { kind: 'git', ref: refIn(address.slice('git:'.length), source) };
  const url = urlOf(address);
  if (url === undefined || url.hostname === '') {
    throw wrong(source, 'it is not an address; write it like https://kb.example.com/api/state/docs');
  }
  if (url.password !== '' && from !== 'environment') {
    throw new SetupError(
      'refused',
      `${source} holds a password; everybody who reads the repository or the list of processes sees it`,
      {
        help: 'leave it out and set KBSYNC_STATE_PASSWORD, or set the whole address as KBSYNC_STATE',
      },
    );
  }
  if (/^postgres(ql)?:$/.test(url.protocol)) {
    const other = [...url.searchParams.keys()].find((name) => !PARAMETERS.has(name));
    if (from !== 'environment' && (other !== undefined || url.hostname.includes('%'))) {
      const what = other === undefined ? 'names a socket' : `has the parameter \`${visible(other)}\``;
      throw new SetupError('refused', `${source} ${what}, which only the environment may give`, {
        help: 'leave it out (`state` and `sslmode` are fine), or set the whole address as KBSYNC_STATE',
      });
    }
    return { kind: 'postgres', url };
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new SetupError(
      'refused',
      `${source}: ${url.host} would get the password unencrypted; write https:// (http is taken on loopback only)`,
    );
  }
  if (url.hash !== '') throw wrong(source, 'it has a fragment');
  return { kind: 'http', url };
}

/**
 * A password goes only where the environment, or who typed the command, says: a pull request can change kbsync.yaml, but not
 * where the password travels. @throws SetupError
 */
export function checkBound(
  { kind, url }: Exclude<StateAddress, { readonly kind: 'git' }>,
  { source, from }: SharedStateSetting,
  env: Env,
): void {
  const here = placeOf(url);
  const bound = env['KBSYNC_STATE_ORIGIN'] ?? '';
  if (bound !== '') {
    if (isUrl(bound) && placeOf(new URL(bound)) === here) return;
    throw new SetupError(
      'refused',
      `KBSYNC_STATE_ORIGIN does not name ${here}, where ${source} keeps the state; nothing was sent`,
      { help: `correct the address, or set KBSYNC_STATE_ORIGIN=${here}` },
    );
  }
  const secret = SECRETS[kind].find((name) => (env[name] ?? '') !== '');
  if (from !== 'file' || secret === undefined) return;
  throw new SetupError(
    'refused',
    `${secret} is set, and only ${source} says that it may go to ${here}; everybody who can change that file could have it sent elsewhere`,
    {
      help: `set KBSYNC_STATE_ORIGIN=${here} beside the password, or give the whole address as KBSYNC_STATE`,
    },
  );
}

/**
 * PostgreSQL's driver encrypts nothing unless it is told to: what the state knows would be read, and changed, on the way.
 * @throws SetupError
 */
export function checkEncrypted(url: URL, { source }: Pick<SharedStateSetting, 'source'>, env: Env): void {
  const host = url.searchParams.get('host') ?? decoded(url.hostname);
  if (host.startsWith('/') || isLoopback(host)) return;
  if (['sslmode', 'ssl'].some((name) => url.searchParams.has(name)) || (env['PGSSLMODE'] ?? '') !== '')
    return;
  throw new SetupError('refused', `${source}: the connection to ${url.host} would not be encrypted`, {
    help: 'add ?sslmode=verify-full to the address, or sslmode=disable if nobody else can read this network',
  });
}

/** `https://host[:port]`, `postgres://host:port` */
function placeOf(url: URL): string {
  if (!/^postgres(ql)?:$/.test(url.protocol)) return url.origin;
  return `postgres://${url.hostname.toLowerCase()}:${url.port === '' ? '5432' : url.port}`;
}

function refIn(ref: string, source: string): string {
  if (REF.test(ref) && !/\.\.|\.lock(\/|$)|\.(\/|$)/.test(ref)) return ref;
  throw wrong(source, `\`${visible(ref)}\` is not a ref for a state; write git:refs/kbsync/NAME`);
}

function wrong(source: string, why: string): SetupError {
  return new SetupError('usage', `${source} cannot be used: ${why}`);
}
