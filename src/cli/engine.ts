import type { BaseState, DesiredState } from '../model/record.ts';
import type { Plan } from '../plan/plan.ts';
import type { Planned, SyncOptions } from '../sync/create-sync.ts';
import type { SyncPolicy, SyncReport } from '../sync/report.ts';
import type { BaseUrl } from '../remote/base-url.ts';
import { addressFrom, apiKeyFor } from './address.ts';
import { CliError } from './cli-error.ts';
import { annotate, printFindings, readContent, type FilesRead } from './files-run.ts';
import { setupFlags, type CommonFlags } from './flags.ts';
import { EXIT } from './exit.ts';
import { stoppedDocument } from './json.ts';
import type { PlanContext } from './print-plan.ts';
import { eventPrinter, type EventPrinter } from './print-event.ts';
import { findingSum, type Finding } from './print-problems.ts';
import { reportText } from './print-report.ts';
import { outcomesOf } from './outcomes.ts';
import type { LabelOf, ValueStyle } from './print-value.ts';
import { ageOf, clientIn, trashOf, withBase, withConnection } from './resources.ts';
import { screen as screenOf, type Screen } from './screen.ts';
import { loadSettings, shown, type Settings } from './settings.ts';
import { stopOnSignal } from './stop.ts';
import type { World } from './world.ts';

/** What plan, sync and apply work with once files, key and state are in order. */
export interface Engine {
  readonly findings: readonly Finding[];
  readonly screen: Screen;
  readonly printer: EventPrinter;
  readonly origin: string;
  readonly policy: SyncPolicy;
  readonly settings: Settings;
  readonly desired: DesiredState;
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
  readonly command: 'plan' | 'sync' | 'apply' | 'resolve' | 'restore';
  /** No lock, no write. */
  readonly readOnly: boolean;
  readonly policy: (settings: Settings) => SyncPolicy;
}

/**
 * Everything before the first request: settings, address, key, files, problems, state and its lock; then `use`, and
 * everything is given back whatever happens. Errors in the content end the run here, with all of them shown.
 */
export async function withEngine(
  flags: CommonFlags,
  world: World,
  options: EngineOptions,
  use: (engine: Engine) => Promise<number>,
): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = eventPrinter(screen, world.clock);
  const stop = stopOnSignal(world, printer);
  try {
    printer.emit({ type: 'phase', phase: 'read files' });
    const run = { flags, world, options, screen, printer, signal: stop.signal };
    const prepared = await prepare(run);
    // What was deleted comes back whatever is wrong in the files of now.
    if (!prepared.files.hasErrors || options.command === 'restore') return await withSync(run, prepared, use);
    printer.close();
    return await stopForProblems(prepared.files, run);
  } finally {
    stop.dispose();
    printer.close();
  }
}

interface Run {
  readonly flags: CommonFlags;
  readonly world: World;
  readonly options: EngineOptions;
  readonly screen: Screen;
  readonly printer: EventPrinter;
  readonly signal: AbortSignal;
}

interface Prepared {
  readonly settings: Settings;
  readonly address: BaseUrl;
  readonly apiKey: string;
  readonly files: FilesRead;
}

async function prepare({ flags, world, options, screen }: Run): Promise<Prepared> {
  const settings = await loadSettings(flags, world);
  const address = addressOf(settings);
  const apiKey = apiKeyFor(address, world.env);
  if (!screen.canRedraw) {
    const what = `${shown(settings.contentDir, world)} ${screen.glyphs.arrow} ${address.href}`;
    screen.talk(`kbsync ${world.version} ${options.command} ${what}`);
  }
  return { settings, address, apiKey, files: await readContent(settings, flags, world) };
}

/** State, connections, client and run, for as long as `use` lasts. */
async function withSync(
  run: Run,
  { settings, address, apiKey, files }: Prepared,
  use: (engine: Engine) => Promise<number>,
): Promise<number> {
  const { flags, world, options, screen, printer, signal } = run;
  const { state: desired } = files.content;
  const asked = options.policy(settings);
  const policy = asked.prune ? { ...asked, doubts: await doubtsOf(settings, world) } : asked;
  const stateAgeMs = await ageOf(settings.stateFile, world);
  const { emit } = printer;
  const { clock } = world;
  const random = (): number => world.random();
  return withBase(settings, address.href, options.readOnly, (base, loaded) =>
    withConnection(run, address.origin, async (send) => {
      const wire = { baseUrl: address.href, apiKey, send, emit, signal };
      const [remote, { createSync }] = await Promise.all([
        clientIn(world, {
          ...wire,
          concurrencyMax: policy.concurrencyMax,
          capabilities: loaded.state.capabilities,
          defaultLanguage: desired.defaultLanguage,
        }),
        import('../sync/create-sync.ts'),
      ]);
      printer.watch(remote.atOnce);
      const saveTrash = await trashOf(settings, world);
      const syncOptions = { remote, base, policy, emit, clock, random, signal, saveTrash };
      const bound = {
        version: world.version,
        address: address.href,
        content: files.content,
        base: loaded,
        policy,
      };
      const outcomes = outcomesOf(settings.cacheFile, bound);
      const sync = createSync({ ...syncOptions, outcomes });
      return use({
        findings: files.findings,
        screen,
        printer,
        origin: address.href,
        policy,
        settings,
        desired,
        base: loaded.state,
        syncOptions,
        plan: () => sync.plan(desired),
        sync: (confirm) => sync.sync(desired, confirm),
        context: (plan) => ({
          content: shown(settings.contentDir, world),
          baseUrl: address.href,
          fileCount: desired.fileCount,
          languages: desired.languages,
          stateAgeMs,
          warnings: files.findings,
          isVerbose: flags.verbose,
          style: styleOf(plan, screen),
          setup: setupFlags(flags),
        }),
      });
    }),
  );
}

async function doubtsOf({ contentDir }: Settings, world: World): Promise<readonly string[]> {
  const { checkoutDoubts } = await import('./checkout.ts');
  return checkoutDoubts(contentDir, world.files);
}

function styleOf(plan: Plan, screen: Screen): ValueStyle {
  const { outPaint, glyphs, isVerbose } = screen;
  return { paint: outPaint, glyphs, labelOf: labelsOf(plan), widthMax: isVerbose ? 100 : 32 };
}

/** @throws CliError when there is no address, or one that cannot be used */
export function addressOf(settings: Settings): BaseUrl {
  if (settings.baseUrl !== undefined) return addressFrom(settings.baseUrl, settings.baseUrlSource);
  throw new CliError('usage', 'there is no address of a knowledge base', {
    help:
      settings.configFile === undefined
        ? 'write a kbsync.yaml with kbsync init, or give --base-url https://help.example.com'
        : `add \`baseUrl: https://help.example.com\` to ${settings.configFile}`,
  });
}

async function stopForProblems(
  { findings, content }: FilesRead,
  { flags, screen, world, options }: Run,
): Promise<number> {
  const command = options.command === 'plan' ? 'plan' : 'sync';
  const document = stoppedDocument(command, findings);
  const report = reportText(flags.format, { command, findings, notices: [], document }, world);
  if (report !== undefined) {
    screen.answer(report);
    if (flags.format !== 'github') annotate(findings, screen, world);
    screen.complain(`${findingSum(findings, content.state.fileCount)}; nothing was sent`);
    return EXIT.failed;
  }
  if (screen.isJson) {
    screen.document(document);
    annotate(findings, screen, world);
  } else {
    const hasFrames = screen.stderr.isTTY;
    await printFindings(findings, screen.complain, { screen, world, hasFrames });
  }
  screen.complain(`${findingSum(findings, content.state.fileCount)}; nothing was sent`);
  return EXIT.failed;
}

function labelsOf(plan: Plan): LabelOf {
  return (id) => {
    const known = plan.labels[id];
    if (known !== undefined) return known;
    const family = id.startsWith('new:') ? id.slice('new:'.length) : id;
    return id.startsWith('new:') ? family.slice(family.indexOf('/') + 1) : id;
  };
}
