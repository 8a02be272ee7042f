import type { LoadedContent } from '../../content/options.ts';
import { pathOf } from '../../model/key.ts';
import { visible } from '../../model/visible.ts';
import type { BaseState, DesiredState } from '../../model/record.ts';
import { familyToCome } from '../../plan/compare.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Planned } from '../../sync/create-sync.ts';
import type { SyncOptions } from '../../sync/options.ts';
import type { OutcomeMemory } from '../../sync/outcome/known-outcome.ts';
import type { SyncPolicy, SyncReport } from '../../sync/report.ts';
import { annotate, printFindings, writeFindings, type FilesRead } from './read-files.ts';
import { readForService } from './read-for-service.ts';
import { setupFlags, type AboutFlags, type CommonFlags } from '../flags.ts';
import { chosenFrom, narrowed, wantedBy } from './choice.ts';
import type { LoadedBase } from '../../base/base.ts';
import type { Remote } from '../../remote/remote.ts';
import type { Choice, Wanted } from '../../sync/choice.ts';
import { EXIT } from './exit.ts';
import { stoppedDocument } from '../print/json.ts';
import type { PlanContext } from '../print/plan-context.ts';
import { eventPrinter, type EventPrinter } from '../print/events.ts';
import { counted } from '../print/numbers.ts';
import { findingSum, type Finding } from '../print/problems.ts';
import { reportText } from '../print/report.ts';
import { outcomesOf } from '../../session/outcome-file.ts';
import type { LabelOf, ValueStyle } from '../print/value.ts';
import { accessOf, type Access } from '../../session/access.ts';
import { stateAgeMs, withSession, type ClientOptions, type StateOptions } from '../../session/session.ts';
import { screen as screenOf, type Screen } from '../print/screen.ts';
import { loadSettings, shown, type Settings } from '../../config/settings.ts';
import { errorOfMore, isPartlyPublishable, publishable } from '../../sync/publishable.ts';
import { stopOnSignal } from './stop.ts';
import type { World } from '../world.ts';
import { repositoryNames } from '../../session/repository.ts';
import { syncUploading, type Uploading } from './upload-run.ts';
import { statePlaceOf } from '../../session/shared.ts';
import { runLog, type RunLog } from '../../session/run-log.ts';
import { checkoutOf } from '../../session/revision.ts';

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

export interface EngineOptions {
  readonly command: 'plan' | 'sync' | 'apply' | 'resolve' | 'restore' | 'undo';
  /** No lock, no write. */
  readonly readOnly: boolean;
  readonly policy: (settings: Settings) => SyncPolicy;
  /** The run that this one takes back. */
  readonly undoes?: string;
  /** Errors in the files do not stop the run. */
  readonly ignoresProblems?: boolean;
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

/** Errors of single files hold up their own records, in a run over all records; saved plans want the files as they were. */
function mayRun({ hasErrors, content }: FilesRead, { command, ignoresProblems }: EngineOptions): boolean {
  if (!hasErrors || ignoresProblems === true) return true;
  return (command === 'plan' || command === 'sync') && isPartlyPublishable(content);
}

/** Errors come before what the run does without their files; reports and documents hold them themselves. */
async function showErrors(
  { findings, content }: FilesRead,
  { flags, screen, world, options }: CommandRun,
): Promise<void> {
  const isText = !screen.isJson && (flags.format === undefined || flags.format === 'text');
  if (!isText || options.ignoresProblems === true) return;
  const errors = findings.filter(({ severity }) => severity === 'error');
  await writeFindings(errors, screen.complain, { screen, world, hasFrames: screen.stderr.isTTY });
  const held = counted(content.faulty.length, 'record waits', 'records wait');
  const them = errors.length === 1 ? 'it is' : 'they are';
  screen.complain(`${findingSum(errors, content.state.fileCount)}; ${held} until ${them} fixed\n`);
}

interface CommandRun {
  readonly flags: CommonFlags & Partial<AboutFlags>;
  readonly world: World;
  readonly options: EngineOptions;
  readonly screen: Screen;
  readonly printer: EventPrinter;
}

interface SignalledRun extends CommandRun {
  readonly signal: AbortSignal;
}

interface Prepared {
  readonly settings: Settings;
  readonly access: Access;
  /** undefined: the run is about all. */
  readonly wanted: Wanted | undefined;
  readonly files: FilesRead;
}

async function prepare({ flags, world, options, screen }: CommandRun): Promise<Prepared> {
  const settings = await loadSettings(flags, world);
  const access = accessOf(settings, world.env);
  if (!screen.canRedraw) {
    const what = `${shown(settings.contentDir, world)} ${screen.glyphs.arrow} ${access.address.href}`;
    screen.talk(`kbsync ${world.version} ${options.command} ${what}`);
  }
  const wanted = await wantedBy(flags, settings, world);
  const read = await readForService(settings, flags, world, { access });
  return { settings, access, wanted, files: read };
}

/** What concerns a partial run: other findings are not told. */
function shownOf({ files, wanted }: Prepared): FilesRead {
  return wanted === undefined ? files : narrowed(files, wanted);
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
    const syncOptions = { ...(await made.syncOptions(policy)), doubts, ...sentFrom, origin };
    const { createSync } = await import('../../sync/create-sync.ts');
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

interface FilesNow {
  readonly desired: () => DesiredState;
  readonly outcomes: OutcomeMemory | undefined;
  /** undefined: no command publishes files. */
  readonly uploading: Uploading | undefined;
}

/** What the files want: they are read again when a command has published some of them, because only then their addresses are known. */
function filesNow(
  { flags, world, options, printer, signal }: SignalledRun,
  { settings, access, files }: Prepared,
  { base, policy }: { readonly base: LoadedBase; readonly policy: SyncPolicy },
): FilesNow {
  const bound = { version: world.version, address: access.address.href, base, policy };
  const desiredIn = (read: FilesRead): DesiredState =>
    read.hasErrors && options.ignoresProblems !== true
      ? publishable(read.content, base.state).desired
      : read.content.state;
  const outcomesIn = (read: FilesRead) => outcomesOf(settings.cacheFile, { ...bound, content: read.content });
  let desired = desiredIn(files);
  let outcomes = outcomesIn(files);
  const { uploads } = files;
  if (uploads === undefined) return { desired: () => desired, outcomes, uploading: undefined };
  return {
    desired: () => desired,
    outcomes: latest(() => outcomes),
    uploading: {
      upload: (digests) => {
        printer.emit({ type: 'note', text: `uploading ${counted(digests.size, 'file')}` });
        const pending = [...(desired.files ?? [])].filter(([digest]) => digests.has(digest));
        return uploads.upload(new Map(pending), signal);
      },
      again: async () => {
        const read = await readForService(settings, flags, world, { access, uploads });
        outcomes = outcomesIn(read);
        desired = desiredIn(read);
        return desired;
      },
    },
  };
}

/** How a plan of this run is shown. The age of the state is that from before the run. */
async function contextOf({ flags, world, screen }: CommandRun, prepared: Prepared) {
  const { settings, access, files } = prepared;
  const { findings } = shownOf(prepared);
  const ageMs = await stateAgeMs(settings.stateFile, world);
  return (
    plan: Plan,
    desired: DesiredState,
    {
      choice,
      loaded,
      remote,
    }: { readonly choice: Choice | undefined; readonly loaded: LoadedBase; readonly remote: Remote },
  ): PlanContext => ({
    content: shown(settings.contentDir, world),
    baseUrl: access.address.href,
    fileCount: desired.fileCount,
    languages: desired.languages,
    stateAgeMs: ageMs,
    hasSharedState: settings.sharedState !== undefined && !loaded.isNew,
    warnings: findings.filter(({ severity }) => severity === 'warning'),
    isVerbose: flags.verbose,
    style: styleOf(plan, screen),
    setup: setupFlags(flags),
    partial: choice,
    uploads: files.uploads !== undefined,
    oldAddresses: remote.capabilities().redirects === 'yes' ? ('redirect' as const) : ('die' as const),
    isPublic: (key) => desired.records.get(key)?.fields['status'] !== 'draft',
  });
}

/** Of the files as they were read last. */
function latest(outcomes: () => OutcomeMemory | undefined): OutcomeMemory {
  return {
    read: () => outcomes()?.read(),
    beforeEdits: () => outcomes()?.beforeEdits?.(),
    write: (outcome) => outcomes()?.write(outcome),
    writeAfter: (outcome, checksum) => outcomes()?.writeAfter?.(outcome, checksum),
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
  const { checkoutDoubts } = await import('../../session/checkout.ts');
  return checkoutDoubts(contentDir, world.files);
}

function styleOf(plan: Plan, screen: Screen): ValueStyle {
  const { outPaint, glyphs, isVerbose } = screen;
  return { paint: outPaint, glyphs, labelOf: labelsOf(plan), widthMax: isVerbose ? 100 : 32 };
}

async function stopForProblems(
  { findings, content }: FilesRead,
  { flags, screen, world, options }: CommandRun,
): Promise<number> {
  const command = options.command === 'plan' ? 'plan' : 'sync';
  const document = stoppedDocument(command, findings);
  const report = reportText(flags.format, { command, findings, notices: [], document }, world);
  const end = `${findingSum(findings, content.state.fileCount)}; nothing was sent${stoppingWords(content)}`;
  if (report !== undefined) {
    screen.answer(report);
    if (flags.format !== 'github') annotate(findings, screen, world);
    screen.complain(end);
    return EXIT.failed;
  }
  if (screen.isJson) {
    screen.document(document);
    annotate(findings, screen, world);
  } else {
    const hasFrames = screen.stderr.isTTY;
    await printFindings(findings, screen.complain, { screen, world, hasFrames });
  }
  screen.complain(end);
  return EXIT.failed;
}

/** Errors of single files hold up their own records only; one of another kind, among them, is what stops the run. */
function stoppingWords(content: LoadedContent): string {
  const wider = content.faulty.length === 0 ? undefined : errorOfMore(content);
  if (wider === undefined) return '';
  return `: the error at ${visible(wider.at.file)} may concern any record, so the other files wait for it`;
}

function labelsOf(plan: Plan): LabelOf {
  return (id) => {
    const family = familyToCome(id);
    return plan.labels[id] ?? (family === undefined ? id : pathOf(family));
  };
}
