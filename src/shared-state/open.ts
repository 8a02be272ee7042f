import type { SharedStore } from '../base/shared/shared-store.ts';
import { SetupError } from '../config/setup-error.ts';
import { decoded } from '../model/address/percent.ts';
import { visible } from '../model/visible.ts';
import type { Env } from '../machine/machine.ts';
import type { Send } from '../remote/remote.ts';
import type { SharedStateSetting } from '../config/settings.ts';
import { checkBound, checkEncrypted, parseStateAddress } from './address.ts';
import { urlOf } from '../text/url.ts';

export interface OpenOptions extends SharedStateSetting {
  readonly env: Env;
  /** The folder of the configuration: its repository is the one whose remote keeps a state of git. */
  readonly root: string;
  /** Connections to one origin. */
  readonly connect: (origin: string) => Promise<Send & { close(): Promise<void> }>;
  readonly clock: { now(): number; sleep(delayMs: number): Promise<void> };
}

/** The store behind an address; nothing is sent yet. @throws SetupError */
export async function openSharedStore(options: OpenOptions): Promise<SharedStore> {
  const address = parseStateAddress(options);
  const { env, clock } = options;
  if (address.kind !== 'git') checkBound(address, options, env);
  if (address.kind === 'postgres') checkEncrypted(address.url, options, env);
  const sleep = (delayMs: number): Promise<void> => clock.sleep(delayMs);
  const user = env['KBSYNC_STATE_USERNAME'] ?? '';
  const password = env['KBSYNC_STATE_PASSWORD'] ?? '';
  switch (address.kind) {
    case 'http': {
      const { httpState } = await import('./http.ts');
      const { url } = address;
      const own = { user: decoded(url.username), password: decoded(url.password) };
      url.username = '';
      url.password = '';
      const [lock, unlock] = [endpoint(env, 'LOCK', url), endpoint(env, 'UNLOCK', url)];
      const authorization = authorizationOf(
        { user: user || own.user, password: password || own.password },
        env['KBSYNC_STATE_TOKEN'] ?? '',
      );
      return httpState({
        address: url.href,
        send: await options.connect(url.origin),
        authorization,
        lock,
        unlock,
        ...text('updateMethod', env['KBSYNC_STATE_UPDATE_METHOD']),
        sleep,
      });
    }
    case 'postgres': {
      const [{ postgresLine }, { postgresState }] = await Promise.all([
        import('./postgres-line.ts'),
        import('./postgres.ts'),
      ]);
      const { url } = address;
      // Ours, and no parameter that the driver knows.
      const row = url.searchParams.get('state') ?? 'default';
      url.searchParams.delete('state');
      // In the address, because the driver takes what is there and nothing beside it.
      if (user !== '') url.username = encodeURIComponent(user);
      if (password !== '') url.password = encodeURIComponent(password);
      const line = postgresLine(url.href);
      return postgresState({
        line,
        name: `postgres://${url.host}${url.pathname} (state ${visible(row)})`,
        row,
        sleep,
      });
    }
    case 'git': {
      const [{ gitState }, { runGit }] = await Promise.all([import('./git.ts'), import('../machine/git.ts')]);
      return gitState({
        ref: address.ref,
        run: (args, input = {}) => runGit(args, { ...input, cwd: options.root }),
        nowMs: () => clock.now(),
      });
    }
  }
}

function authorizationOf(
  { user, password }: Readonly<Record<'user' | 'password', string>>,
  token: string,
): string | undefined {
  if (token !== '') return `Bearer ${token}`;
  if (user === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** A lock's address and method, where a server has others than Terraform's defaults. @throws SetupError */
function endpoint(
  env: Env,
  name: 'LOCK' | 'UNLOCK',
  { origin }: URL,
): { readonly address?: string; readonly method?: string } {
  const own = `KBSYNC_STATE_${name}_ADDRESS`;
  const source = (env[own] ?? '') === '' ? 'KBSYNC_STATE_LOCK_ADDRESS' : own;
  const address = env[source] ?? '';
  if (address !== '' && urlOf(address)?.origin !== origin) {
    throw new SetupError('refused', `${source} is no address of ${origin}, where the state is`, {
      help: `write it like ${origin}/…; the password goes to one origin only`,
    });
  }
  return {
    ...(address === '' ? {} : { address: new URL(address).href }),
    ...text('method', env[`KBSYNC_STATE_${name}_METHOD`]),
  };
}

function text<Name extends string>(name: Name, value: string | undefined): { readonly [N in Name]?: string } {
  // A computed name widens to an index signature.
  return (value === undefined || value === '' ? {} : { [name]: value }) as { readonly [N in Name]?: string };
}
