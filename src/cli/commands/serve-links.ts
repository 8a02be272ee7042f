import type { LinkChecker } from '../../service/link-checker.ts';
import type { Store } from '../../service/store/store.ts';
import type { World } from '../world.ts';
import type { ServeFlags } from './serve-flags.ts';
import type { Watch } from './serve-watch.ts';

/** `--check-links`: undefined without it, because a knowledge base asks nobody anything unless it was told to. */
export async function startChecking(
  { checkLinks, allowPrivateLinks }: ServeFlags,
  { store, world, watch }: { readonly store: Store; readonly world: World; readonly watch: Watch },
): Promise<LinkChecker | undefined> {
  if (!checkLinks) return undefined;
  const [{ startLinkChecker }, { resolveHost, sendLink }] = await Promise.all([
    import('../../service/link-checker.ts'),
    import('../../service/link-request.ts'),
  ]);
  return startLinkChecker({
    store,
    clock: world.clock,
    send: sendLink,
    resolve: resolveHost,
    allowPrivate: allowPrivateLinks,
    onFailure: (error) => watch.failed(error, 'checking links'),
  });
}
