import { createDownload } from '../../../remote/http/download.ts';
import type { Send } from '../../../remote/remote.ts';
import { SetupError } from '../../../config/setup-error.ts';
import type { PullOptions } from '../../../sync/pull/context.ts';
import type { PullFlags } from './command.ts';
import type { Settings } from '../../../config/settings.ts';
import type { World } from '../../world.ts';

export interface AssetRun {
  readonly flags: PullFlags;
  readonly world: World;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

/** Connections for the images of a pull, for as long as `use` lasts; none are made without `--assets`. */
export async function withAssets(
  { flags, world, settings, signal }: AssetRun,
  origin: string,
  use: (assets: Pick<PullOptions, 'assets'>) => Promise<number>,
): Promise<number> {
  if (!flags.assets && flags.assetHost.length === 0) return use({});
  checkAssets(settings);
  const hosts = new Set(flags.assetHost.map(hostOf));
  const open: (Send & { close(): Promise<void> })[] = [];
  const isAllowed = (url: URL): boolean =>
    url.origin === origin || (url.protocol === 'https:' && hosts.has(url.host));
  const download = createDownload({
    connect: async (to) => {
      const connection = await world.connect(to);
      open.push(connection);
      return connection;
    },
    isAllowed,
    signal,
  });
  try {
    return await use({ assets: { download, isAllowed } });
  } finally {
    await Promise.all(open.map((connection) => connection.close()));
  }
}

/** Files that name images of the folder would not pass the next check without the address that they are served at. */
function checkAssets({ file }: Settings): void {
  if (file.assets?.baseUrl !== undefined) return;
  throw new SetupError(
    'usage',
    '--assets needs `assets.baseUrl`: where the files of the content folder are published',
    {
      help: 'in kbsync.yaml:  assets: { baseUrl: https://cdn.example.com/docs/ }',
    },
  );
}

function hostOf(text: string): string {
  const url = URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : undefined;
  if (
    url !== undefined &&
    url.pathname === '/' &&
    url.username === '' &&
    url.search === '' &&
    url.hash === '' &&
    !text.includes('/')
  )
    return url.host;
  throw new SetupError('usage', `--asset-host ${text} is not a host name`, {
    help: 'write the host alone: --asset-host cdn.example.com',
  });
}
