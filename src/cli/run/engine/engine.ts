import type { LoadedContent } from '../../../content/options.ts';
import type { BaseState, DesiredState } from '../../../model/record.ts';
import type { Plan, Renamed } from '../../../plan/plan.ts';
import type { OpenNames } from '../../../plan/renamed.ts';
import type { Planned } from '../../../sync/create-sync.ts';
import type { SyncOptions } from '../../../sync/options.ts';
import type { SyncPolicy, SyncReport } from '../../../sync/report.ts';
import { type AboutFlags, type CommonFlags } from '../../flags.ts';
import { chosenFrom } from '../choice.ts';
import type { PlanContext } from '../../print/plan/context.ts';
import { eventPrinter, type EventPrinter } from '../../print/terminal/events.ts';
import { type Finding } from '../../print/problems.ts';
import { withSession, type ClientOptions, type StateOptions } from '../../../session/session.ts';
import { screen as screenOf, type Screen } from '../../print/terminal/screen.ts';
import { type Settings } from '../../../config/settings.ts';
import { stopOnSignal } from '../stop.ts';
import type { World } from '../../world.ts';
import { repositoryNames } from '../../../session/repository.ts';
import { syncUploading } from '../upload-run.ts';
import { statePlaceOf } from '../../../session/shared.ts';
import { runLog, type RunLog } from '../../../session/run-log.ts';
import { checkoutOf } from '../../../session/revision.ts';
import type { EngineOptions, SignalledRun, Prepared } from './prepare.ts';
import { prepare, shownOf } from './prepare.ts';
import { filesNow } from './files-now.ts';
import { contextOf } from './plan-shown.ts';
import { mayRun, showErrors, stopForProblems } from './problems.ts';

/** The commands that send what the files say now; the others are about single records, or about what was. */
const SENDS_FILES: ReadonlySet<EngineOptions['command']> = new Set(['plan', 'sync', 'apply']);

/** What plan, sync and apply work with once files, key and state are in order. */
export interface Engine {
  readonly findings: readonly Finding[];
  readonly screen: Screen;
  readonly printer: EventPrinter;
  readonly origin: string;
  readonly policy: SyncPolicy;
  readonly settings: Settings;
  readonly desired: DesiredState;
  /** For who asks what files would be. */
  readonly editing: LoadedContent['editing'];
  /** What the last sync left. */
  readonly base: BaseState;
  /** What the run is made of, for commands that make another run of it. */
  readonly syncOptions: SyncOptions;
  readonly plan: () => Promise<Planned>;
  readonly sync: (confirm: (plan: Plan) => Promise<boolean>) => Promise<SyncReport>;
  /** How a plan of this run is shown. */
  readonly context: (plan: Plan) => PlanContext;
}

/**
 * Everything before the first request: settings, address, key, files, problems, state and its lock; then `use`, and
 * everything is released in the end. Errors in the content end the run here, with all of them shown.
 */
export async function withEngine(
  flags: CommonFlags & Partial<AboutFlags>,
  world: World,
  options: EngineOptions,
  use: (engine: Engine) => Promise<number>,
): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = eventPrinter(screen, world.clock);
  const run = { flags, world, options, screen, printer };
  try {
    printer.emit({ type: 'phase', phase: 'read files' });
    // Nothing is under way while files are read: Ctrl-C ends the process as it ends any other.
    const prepared = await prepare(run);
    if (mayRun(prepared.files, options)) {
      if (prepared.files.hasErrors) await showErrors(shownOf(prepared), run);
      const stop = stopOnSignal(world, printer);
      try {
        return await withSync({ ...run, signal: stop.signal }, prepared, use);
      } finally {
        stop.dispose();
      }
    }
    printer.close();
    return await stopForProblems(prepared.files, run);
  } finally {
    printer.close();
  }
}

/** State, connections, client and run, for as long as `use` lasts. */
async function withSync(
  run: SignalledRun,
  prepared: Prepared,
  use: (engine: Engine) => Promise<number>,
): Promise<number> {
  const { world, options, screen, printer } = run;
  const { settings, access, wanted, files } = prepared;
  const whole = options.policy(settings);
  const context = await contextOf(run, prepared);
  return withSession(await sessionFor(run, prepared, whole), async ({ remote, loaded, ...made }) => {
    printer.watch(remote.atOnce);
    const { state } = files.content;
    const choice = wanted === undefined ? undefined : chosenFrom(wanted, state, loaded.state);
    const only = choice === undefined ? {} : { only: { keys: choice.keys, what: 'part' as const } };
    const policy: SyncPolicy = { ...whole, ...only };
    const doubts = () => doubtsOf(settings, world);
    const isOfFiles = SENDS_FILES.has(options.command);
    const sentFrom = isOfFiles ? checkoutOf(settings.contentDir, world) : {};
    const origin = isOfFiles ? access.address.origin : undefined;
    const renames = isOfFiles ? { renames: (names: OpenNames) => renamesOf(names, prepared) } : {};
    const syncOptions = { ...(await made.syncOptions(policy)), doubts, ...sentFrom, ...renames, origin };
    const { createSync } = await import('../../../sync/create-sync.ts');
    const now = filesNow(run, prepared, { base: loaded, policy });
    const sync = createSync({ ...syncOptions, outcomes: now.outcomes });
    return use({
      findings: shownOf(prepared).findings,
      screen,
      printer,
      origin: access.address.href,
      policy,
      settings,
      desired: now.desired(),
      editing: files.content.editing,
      base: loaded.state,
      syncOptions,
      plan: () => sync.plan(now.desired()),
      sync: (confirm) =>
        now.uploading === undefined
          ? sync.sync(now.desired(), confirm)
          : syncUploading(sync, now.desired(), now.uploading, confirm),
      context: (plan) => context(plan, now.desired(), { choice, loaded, remote }),
    });
  });
}

async function sessionFor(
  { world, options, printer, signal }: SignalledRun,
  { settings, access, files }: Prepared,
  { concurrencyMax, waits }: SyncPolicy,
): Promise<StateOptions & ClientOptions> {
  return {
    machine: world,
    access,
    emit: printer.emit,
    signal,
    ...(await statePlaceOf(settings, world, options.command)),
    repository: await repositoryNames(settings, world.files),
    readOnly: options.readOnly,
    log: await logOf(options, settings, world),
    concurrencyMax,
    waits,
    defaultLanguage: files.content.state.defaultLanguage,
    beforeClose: () => printer.close(),
  };
}

async function logOf(
  { command, undoes }: EngineOptions,
  settings: Settings,
  world: World,
): Promise<RunLog | undefined> {
  const log = await runLog(settings, world, command);
  return log === undefined || undoes === undefined ? log : { ...log, undoes };
}

async function doubtsOf({ contentDir }: Settings, world: World): Promise<readonly string[]> {
  const { checkoutDoubts } = await import('../../../session/checkout.ts');
  return checkoutDoubts(contentDir, world.files);
}

async function renamesOf(names: OpenNames, { settings, files }: Prepared): Promise<readonly Renamed[]> {
  const { renamesIn } = await import('../renames.ts');
  return renamesIn(settings.contentDir, names, files.content.editing);
}
