import { dirname, join, resolve } from 'node:path';
import type { LoadedBase } from '../../../base/base.ts';
import type { Spool } from '../../../content/files/folder.ts';
import { digestOfText } from '../../../model/digest.ts';
import type { RemoteClient } from '../../../remote/client.ts';
import type { Send } from '../../../remote/remote.ts';
import type { SyncOptions } from '../../../sync/options.ts';
import type { Migrating } from '../../../sync/migrate/migrate.ts';
import { defaultLanguageOf, policyOfMigration, sitesOf } from './policy.ts';
import type { MigrateFlags } from './command.ts';
import type { ReopeningPrinter } from '../../print/terminal/events.ts';
import type { Access } from '../../../session/access.ts';
import { withClient, withSession } from '../../../session/session.ts';
import type { Screen } from '../../print/terminal/screen.ts';
import { isStateAddress, type Settings } from '../../../config/settings.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { keepHeapSmall } from '../../run/small-heap.ts';
import { ofParty, onlyReads, SOURCE, TARGET } from './parties.ts';
import type { World } from '../../world.ts';

/** Everything that is known before the first request. */
export interface MigrationRun {
  readonly flags: MigrateFlags;
  readonly world: World;
  readonly screen: Screen;
  readonly printer: ReopeningPrinter;
  readonly settings: Settings;
  readonly from: Access;
  readonly to: Access;
  readonly stateFile: string;
  readonly signal: AbortSignal;
}

export interface Meter {
  readonly requests: () => { readonly source: number; readonly target: number };
  readonly startMs: number;
}

/** One for each pair of addresses; names of the records lie beside it. */
export function stateFileOf(
  flag: string | undefined,
  { from, to, settings }: Pick<MigrationRun, 'from' | 'to' | 'settings'>,
  world: World,
): string {
  if (flag !== undefined) {
    if (!isStateAddress(flag)) return resolve(world.cwd, flag);
    throw new SetupError('usage', '--state takes a file here: a migration keeps its state on one machine');
  }
  const host = ({ address }: Access): string => new URL(address.href).host.replaceAll(/[^\w.-]+/g, '-');
  const pair = digestOfText(`${from.address.href} ${to.address.href}`).slice(0, 8);
  return join(dirname(settings.stateFile), `migrate.${host(from)}-to-${host(to)}.${pair}.json`);
}

/** Both services, the state and its lock, for as long as `use` lasts. */
export async function withMigration(
  run: MigrationRun,
  use: (migration: Migrating, meter: Meter) => Promise<number>,
): Promise<number> {
  const { flags, settings, stateFile, printer, world } = run;
  const { openSpool } = await import('../../../content/files/folder.ts');
  keepHeapSmall();
  const policy = policyOfMigration(flags, settings);
  const client = {
    machine: world,
    emit: printer.emit,
    signal: run.signal,
    concurrencyMax: policy.concurrencyMax,
    waits: flags.wait,
    defaultLanguage: defaultLanguageOf(flags, settings),
    beforeClose: () => printer.close(),
  };
  const toTarget = { ...client, access: run.to, stateFile, readOnly: flags.dryRun };
  return withSession(toTarget, ({ remote, loaded, base, syncOptions }) =>
    withClient({ ...client, access: run.from, wrap: onlyReads }, async (reading) => {
      const spool = openSpool();
      const reader = await world.connect(run.from.address.origin);
      try {
        printer.watch(remote.atOnce);
        const source = ofParty(reading, SOURCE);
        const target = ofParty(remote, TARGET);
        const options = await syncOptions(policy);
        const services = { ...options, source, target, base, loaded, spool, ask: reader };
        const migration = await migratingOf(run, services);
        const requests = () => ({ source: source.requests(), target: target.requests() });
        return await use(migration, { requests, startMs: world.clock.now() });
      } finally {
        spool.close();
        await reader.close();
      }
    }),
  );
}

interface Services extends Omit<SyncOptions, 'remote'> {
  readonly source: RemoteClient;
  readonly target: RemoteClient;
  readonly loaded: LoadedBase;
  readonly spool: Spool;
  readonly ask: Send;
}

async function migratingOf(run: MigrationRun, services: Services): Promise<Migrating> {
  const { flags, settings, from, to, stateFile } = run;
  const [{ createMigration }, { namesFile }] = await Promise.all([
    import('../../../sync/migrate/migrate.ts'),
    import('../../../sync/migrate/names-file.ts'),
  ]);
  const urls = sitesOf(flags, settings);
  return createMigration({
    ...services,
    sourceUrl: from.address.href,
    from: { origin: from.address.origin, urls: urls.from },
    to: { origin: to.address.origin, urls: urls.to },
    names: namesFile(`${stateFile}.names`, from.address.href),
    defaultLanguage: defaultLanguageOf(flags, settings),
    skipUnreadable: flags.skipUnreadable,
    verify: flags.verify,
  });
}
