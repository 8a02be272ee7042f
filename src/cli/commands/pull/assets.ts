import { createDownload } from '../../../remote/http/download.ts';
import { keepsFiles } from '../../../remote/keeps-files.ts';
import type { Remote, Send } from '../../../remote/remote.ts';
import { SetupError } from '../../../config/setup-error.ts';
import type { PullOptions } from '../../../sync/pull/context.ts';
import type { PullFlags } from './command.ts';
import type { Settings } from '../../../config/settings.ts';
import { hostFlag } from '../../run/host-flag.ts';
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
  { origin, remote }: { readonly origin: string; readonly remote: Remote },
  use: (assets: Pick<PullOptions, 'assets'>) => Promise<number>,
): Promise<number> {
  if (!flags.assets && flags.assetHost.length === 0) return use({});
  await checkAssets(settings, remote);
  const hosts = new Set(flags.assetHost.map(hostFlag));
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

/** Files that name images of the folder would not pass the next check if no service kept them, and they were published nowhere. */
async function checkAssets({ file }: Settings, remote: Remote): Promise<void> {
  const { baseUrl, upload } = file.assets ?? {};
  if (baseUrl !== undefined || upload !== undefined || (await keepsFiles(remote))) return;
  throw new SetupError(
    'usage',
    'this service keeps no files, so --assets needs `assets.baseUrl`, the address where the files of the content folder are published',
    {
      help: 'in kbsync.yaml:  assets: { baseUrl: https://cdn.example.com/docs/ }',
    },
  );
}
