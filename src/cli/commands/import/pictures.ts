import { SetupError } from '../../../config/setup-error.ts';
import { type PictureOptions, type Pictures } from '../../../import/files/pictures.ts';
import type { SourceRecord } from '../../../import/record.ts';
import { hostFlag } from '../../run/host-flag.ts';
import type { World } from '../../world.ts';
import type { ImportFlags } from './command.ts';

const IMAGE_MS = 60_000;
const IMAGE_BYTES_MAX = 20_000_000;

/**
 * The images of an import with `--assets`. The export may be somebody else's work: an address in it leads to no machine of a
 * private network unless `--asset-host` names the host.
 */
export async function picturesFor(
  records: readonly SourceRecord[],
  options: Omit<PictureOptions, 'download' | 'isAllowed'>,
  { assets, assetHost }: ImportFlags,
  world: World,
): Promise<Pictures | undefined> {
  if (!assets) {
    if (assetHost.length === 0) return undefined;
    throw new SetupError('usage', '--asset-host needs --assets');
  }
  const hosts = new Set(assetHost.map(hostFlag));
  const [{ importPictures }, { createDownload }, { isPublicAddress }] = await Promise.all([
    import('../../../import/files/pictures.ts'),
    import('../../../remote/http/download.ts'),
    import('../../../service/links/public-address.ts'),
  ]);
  const open: (() => Promise<void>)[] = [];
  const download = createDownload({
    connect: async (origin) => {
      const isNamed = hosts.has(new URL(origin).host);
      const connection = await world.connect(origin, {
        totalTimeoutMs: IMAGE_MS,
        bodyBytesMax: IMAGE_BYTES_MAX,
        ...(isNamed ? {} : { allowsAddress: isPublicAddress }),
      });
      open.push(() => connection.close());
      return connection;
    },
    isAllowed: () => true,
  });
  try {
    return await importPictures(records, { ...options, download, isAllowed: () => true });
  } finally {
    await Promise.all(open.map((close) => close()));
  }
}
