import { dirname, join, resolve } from 'node:path';
import type { BaseStore, LoadedBase } from '../base/base.ts';
import type { Spool } from '../content/content-folder.ts';
import { digestOfText } from '../model/digest.ts';
import type { BaseUrl } from '../remote/base-url.ts';
import type { RemoteClient } from '../remote/client.ts';
import type { Send } from '../remote/remote.ts';
import type { Migrating } from '../sync/migrate/migrate.ts';
import type { SyncPolicy } from '../sync/report.ts';
import { defaultLanguageOf, policyOfMigration, sitesOf, type MigrateFlags } from './migrate-flags.ts';
import type { ReopeningPrinter } from './reopening-printer.ts';
import { clientIn, trashOf, withBase, withConnection } from './resources.ts';
import type { Screen } from './screen.ts';
import type { Settings } from './settings.ts';
import { keepHeapSmall } from './small-heap.ts';
import { ofSide, onlyReads, SOURCE, TARGET, type Side } from './sides.ts';
import type { World } from './world.ts';

/** Everything that is known before the first request. */
export interface MigrationRun {
  readonly flags: MigrateFlags;
  readonly world: World;
  readonly screen: Screen;
  readonly printer: ReopeningPrinter;
  readonly settings: Settings;
  readonly from: BaseUrl;
  readonly to: BaseUrl;
  readonly keys: { readonly from: string; readonly to: string };
  readonly stateFile: string;
  readonly signal: AbortSignal;
}

export interface Watch {
  readonly requests: () => { readonly source: number; readonly target: number };
  readonly startMs: number;
}

/** One for each pair of addresses; names of the records lie beside it. */
export function stateFileOf(
  flag: string | undefined,
  { from, to, settings }: Pick<MigrationRun, 'from' | 'to' | 'settings'>,
  world: World,
): string {
  if (flag !== undefined) return resolve(world.cwd, flag);
  const host = ({ href }: BaseUrl): string => new URL(href).host.replaceAll(/[^\w.-]+/g, '-');
  const pair = digestOfText(`${from.href} ${to.href}`).slice(0, 8);
  return join(dirname(settings.stateFile), `migrate.${host(from)}-to-${host(to)}.${pair}.json`);
}

/** Both services, the state and its lock, for as long as `use` lasts. */
export async function withMigration(
  run: MigrationRun,
  use: (migration: Migrating, watch: Watch) => Promise<number>,
): Promise<number> {
  const { flags, world, settings, from, to, stateFile } = run;
  const { openSpool } = await import('../content/content-folder.ts');
  keepHeapSmall();
  const policy = policyOfMigration(flags, settings);
  return withBase({ ...settings, stateFile }, to.href, flags.dryRun, (base, loaded) =>
    withConnection(run, from.origin, (fromSend) =>
      withConnection(run, to.origin, async (toSend) => {
        const spool = openSpool();
        try {
          const source = await clientOf(SOURCE, run, { send: onlyReads(fromSend), policy });
          const target = await clientOf(TARGET, run, { send: toSend, policy, loaded });
          const migration = await migratingOf(run, { source, target, base, loaded, spool, policy });
          const requests = () => ({ source: source.requests(), target: target.requests() });
          return await use(migration, { requests, startMs: world.clock.now() });
        } finally {
          spool.close();
        }
      }),
    ),
  );
}

async function clientOf(
  side: Side,
  { flags, world, printer, from, to, keys, settings, signal }: MigrationRun,
  { send, policy, loaded }: Pick<Services, 'policy'> & { readonly send: Send; readonly loaded?: LoadedBase },
): Promise<RemoteClient> {
  const isSource = side === SOURCE;
  const remote = await clientIn(world, {
    baseUrl: isSource ? from.href : to.href,
    apiKey: isSource ? keys.from : keys.to,
    send,
    emit: printer.emit,
    concurrencyMax: policy.concurrencyMax,
    ...(loaded === undefined ? {} : { capabilities: loaded.state.capabilities }),
    defaultLanguage: defaultLanguageOf(flags, settings),
    signal,
  });
  printer.watch(remote.atOnce);
  return ofSide(remote, side);
}

interface Services {
  readonly source: RemoteClient;
  readonly target: RemoteClient;
  readonly base: BaseStore;
  readonly loaded: LoadedBase;
  readonly spool: Spool;
  readonly policy: SyncPolicy;
}

async function migratingOf(run: MigrationRun, services: Services): Promise<Migrating> {
  const { flags, world, printer, settings, from, to, stateFile, signal } = run;
  const [{ createMigration }, { namesFile }] = await Promise.all([
    import('../sync/migrate/migrate.ts'),
    import('../sync/migrate/names-file.ts'),
  ]);
  const urls = sitesOf(flags, settings);
  return createMigration({
    ...services,
    sourceUrl: from.href,
    from: { origin: from.origin, urls: urls.from },
    to: { origin: to.origin, urls: urls.to },
    names: namesFile(`${stateFile}.names`, from.href),
    defaultLanguage: defaultLanguageOf(flags, settings),
    skipUnreadable: flags.skipUnreadable,
    verify: flags.verify,
    emit: printer.emit,
    clock: world.clock,
    random: () => world.random(),
    signal,
    saveTrash: await trashOf({ ...settings, stateFile }, world),
  });
}
