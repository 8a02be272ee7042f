import type { Plan } from '../../plan/plan.ts';
import type { Migrating, MigrateRun, Prepared } from '../../sync/migrate/migrate.ts';
import { addressFrom, apiKeyFor } from '../address.ts';
import { CliError } from '../cli-error.ts';
import { EXIT, planExit, syncExit } from '../exit.ts';
import { faultsDocument, migrationDocument } from '../migrate-document.ts';
import type { MigrateFlags } from '../migrate-flags.ts';
import { checkRedirects, saveRedirects } from '../migrate-redirects.ts';
import { stateFileOf, withMigration, type MigrationRun, type Watch } from '../migrate-services.ts';
import { counted } from '../numbers.ts';
import { eventPrinter } from '../print-event.ts';
import { faultLines, migrateLines, migrationPlanLines, type Shown } from '../print-migrate.ts';
import { reopening } from '../reopening-printer.ts';
import { screen as screenOf } from '../screen.ts';
import { loadSettings } from '../settings.ts';
import { SOURCE, TARGET } from '../sides.ts';
import { stopOnSignal } from '../stop.ts';
import type { World } from '../world.ts';

/** `kbsync migrate`: one knowledge base into another. The source is only read. */
export async function migrate(flags: MigrateFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = reopening(() => eventPrinter(screen, world.clock));
  const stop = stopOnSignal(world, printer);
  try {
    checkFlags(flags);
    await checkRedirects({ flags, world });
    const settings = await loadSettings({ ...flags, allow: [], cache: false }, world);
    const from = addressFrom(flags.from, '--from');
    const to = addressFrom(flags.to, '--to');
    if (from.href === to.href)
      throw new CliError('usage', `--from and --to name one knowledge base, ${from.href}`);
    const keys = {
      from: apiKeyFor(from, world.env, SOURCE.keys),
      to: apiKeyFor(to, world.env, TARGET.keys),
    };
    const stateFile = stateFileOf(flags.state, { from, to, settings }, world);
    const run = { flags, world, screen, printer, settings, from, to, keys, stateFile, signal: stop.signal };
    return await withMigration(run, (migration, watch) => migrateAndPrint(migration, run, watch));
  } finally {
    stop.dispose();
    printer.close();
  }
}

function checkFlags(flags: MigrateFlags): void {
  if (flags.redirectsAll && flags.redirects === undefined)
    throw new CliError('usage', '--redirects-all needs --redirects FILE');
  if (flags.prune && flags.skipUnreadable)
    throw new CliError('usage', '--prune cannot go with --skip-unreadable', {
      help: 'what the source does not show would be deleted on the target',
    });
}

async function migrateAndPrint(migration: Migrating, run: MigrationRun, watch: Watch): Promise<number> {
  const { flags, screen, printer, world } = run;
  const prepared = await migration.prepare();
  const shown = (): Shown => ({
    from: run.from.href,
    to: run.to.href,
    prepared,
    dryRun: flags.dryRun,
    requests: watch.requests(),
    durationMs: world.clock.now() - watch.startMs,
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
