import { emptyBase } from '../../../base/memory-base.ts';
import type { Settings } from '../../../config/settings.ts';
import type { Emit } from '../../../model/event.ts';
import type { Key } from '../../../model/key.ts';
import type { DesiredState } from '../../../model/record.ts';
import { checkApiKey, type BaseUrl } from '../../../remote/address.ts';
import type { ServiceApp } from '../../../service/app.ts';
import type { Store } from '../../../service/store/store.ts';
import { borrowed, withClient } from '../../../session/session.ts';
import type { SyncReport } from '../../../sync/report.ts';
import { MIRROR, onlyNamed, policyFrom } from '../../run/policy.ts';
import type { World } from '../../world.ts';

/** The service is asked inside this process. */
const INSIDE: BaseUrl = { href: 'http://127.0.0.1', origin: 'http://127.0.0.1' };

export interface Filling {
  readonly desired: DesiredState;
  readonly settings: Settings;
  readonly languages: readonly string[];
  readonly world: World;
  /** Told of each record that is stored. */
  readonly onStored: (key: Key) => void;
}

/** Sends the files to an empty knowledge base the way that a sync does, so its pages are those of the service. */
export async function fillStore(
  store: Store,
  api: ServiceApp,
  { desired, settings, languages, world, onStored }: Filling,
): Promise<SyncReport> {
  const emit: Emit = (event) => {
    if (event.type === 'outcome' && event.outcome === 'done') onStored(event.key);
  };
  const [{ createKey }, { createSync }] = await Promise.all([
    import('../../../service/keys/keys.ts'),
    import('../../../sync/create-sync.ts'),
  ]);
  const { clock } = world;
  const { key } = await createKey({ store, clock, name: 'build' });
  const policy = policyFrom({ ...MIRROR, languages: onlyNamed(languages) }, {})(settings);
  const random = (): number => world.random();
  return withClient(
    {
      machine: { clock, random, connect: borrowed(api.fetch) },
      access: { address: INSIDE, apiKey: checkApiKey(key) },
      emit: () => undefined,
      concurrencyMax: policy.concurrencyMax,
      defaultLanguage: settings.file.defaultLanguage ?? 'en',
    },
    (remote) =>
      createSync({
        remote,
        base: emptyBase(INSIDE.href),
        policy,
        emit,
        clock,
        random,
        saveTrash: () => Promise.resolve(),
      }).sync(desired),
  );
}
