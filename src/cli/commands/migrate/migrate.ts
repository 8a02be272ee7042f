import type { Plan } from '../../../plan/plan.ts';
import type { Migrating, MigrateRun, Prepared } from '../../../sync/migrate/migrate.ts';
import { addressFrom, apiKeyFor } from '../../../session/access.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { EXIT, planExit, syncExit } from '../../run/exit.ts';
import { faultsDocument, migrationDocument } from './document.ts';
import type { MigrateFlags } from './command.ts';
import { checkRedirects, saveRedirects } from './redirects.ts';
import { stateFileOf, withMigration, type MigrationRun, type Meter } from './services.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { eventPrinter, reopening } from '../../print/terminal/events.ts';
import { faultLines, migrateLines, migrationPlanLines, type Shown } from './print.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import { loadSettings } from '../../../config/settings.ts';
import { SOURCE, TARGET } from './parties.ts';
import { stopOnSignal } from '../../run/stop.ts';
import type { World } from '../../world.ts';

/** `kbsync migrate`: one knowledge base into another. The source is only read. */
export async function migrate(flags: MigrateFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = reopening(() => eventPrinter(screen, world.clock));
  const stop = stopOnSignal(world, printer);
  try {
    checkFlags(flags);
    await checkRedirects({ flags, world });
    const settings = await loadSettings({ ...flags, state: undefined, cache: false }, world);
    const from = addressFrom(flags.from, '--from');
    const to = addressFrom(flags.to, '--to');
    if (from.href === to.href)
      throw new SetupError('usage', `--from and --to name one knowledge base, ${from.href}`);
    const access = {
      from: { address: from, apiKey: apiKeyFor(from, world.env, SOURCE.keys) },
      to: { address: to, apiKey: apiKeyFor(to, world.env, TARGET.keys) },
    };
    const stateFile = stateFileOf(flags.state, { ...access, settings }, world);
    const run = { flags, world, screen, printer, settings, ...access, stateFile, signal: stop.signal };
    return await withMigration(run, (migration, meter) => migrateAndPrint(migration, run, meter));
  } finally {
    stop.dispose();
    printer.close();
  }
}

function checkFlags(flags: MigrateFlags): void {
  if (flags.redirectsAll && flags.redirects === undefined)
    throw new SetupError('usage', '--redirects-all needs --redirects FILE');
  if (flags.prune && flags.skipUnreadable)
    throw new SetupError('usage', '--prune cannot go with --skip-unreadable', {
      help: 'what the source does not show would be deleted on the target',
    });
}

async function migrateAndPrint(migration: Migrating, run: MigrationRun, meter: Meter): Promise<number> {
  const { flags, screen, printer, world } = run;
  const prepared = await migration.prepare();
  const shown = (): Shown => ({
    from: run.from.address.href,
    to: run.to.address.href,
    prepared,
    dryRun: flags.dryRun,
    requests: meter.requests(),
    durationMs: world.clock.now() - meter.startMs,
    screen,
  });
  if (prepared.faults.length > 0) {
    printer.close();
    for (const line of faultLines(shown())) screen.complain(line);
    if (screen.isJson) screen.document(faultsDocument(shown()));
    return EXIT.refused;
  }
  if (flags.dryRun) {
    const plan = await migration.plan(prepared);
    printer.close();
    if (screen.isJson) screen.document(migrationDocument({ plan }, shown()));
    else for (const line of migrationPlanLines(plan, shown())) screen.answer(line);
    return planExit(plan, { exitCode: false });
  }
  let isDeclined = false;
  const end = await migration.run(prepared, async (plan) => {
    const isWanted = await wanted(plan, shown(), run);
    isDeclined = !isWanted;
    return isWanted;
  });
  printer.close();
  if (isDeclined) screen.complain('nothing was sent');
  if (screen.isJson) screen.document(migrationDocument({ ...end, plan: end.report.plan }, shown()));
  else if (!isDeclined) for (const line of migrateLines(end, shown())) screen.answer(line);
  if (isDeclined) return EXIT.refused;
  await saveRedirects(prepared, end, run);
  return exitOf(end, prepared);
}

/** A person is shown the plan and asked; a script has said what it wants. */
async function wanted(
  plan: Plan,
  shown: Shown,
  { flags, world, printer, screen }: MigrationRun,
): Promise<boolean> {
  if (flags.yes || !world.canAsk || screen.isJson) return true;
  printer.close();
  for (const line of migrationPlanLines(plan, shown)) screen.complain(line);
  const deletes = plan.changes.filter(({ action }) => action === 'delete').length;
  const writes = counted(plan.changes.length - deletes, 'record');
  const also = deletes === 0 ? '' : ` and delete ${counted(deletes, 'record')}`;
  const answer = await world.ask(`Write ${writes}${also} to ${shown.to}? [y/N] `);
  printer.reopen();
  return /^y(es)?$/i.test(answer.trim());
}

/** As a sync's; and what is not equal in the end, or was left out, is not done. */
function exitOf({ report, verification, unverified }: MigrateRun, { leftOut }: Prepared): number {
  const exit = syncExit(report);
  if (exit !== EXIT.done) return exit;
  const isEqual = unverified === undefined && (verification?.differences ?? []).length === 0;
  return isEqual && leftOut.length === 0 ? EXIT.done : EXIT.partly;
}
