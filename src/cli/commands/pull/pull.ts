import { urlsOf } from '../../../config/content-options.ts';
import { dirname, join } from 'node:path';
import type { LoadedContent } from '../../../content/options.ts';
import { presetNamed } from '../../../content/presets/names.ts';
import type { Preset } from '../../../content/presets/preset.ts';
import { BaseError } from '../../../base/base.ts';
import { digestOfText } from '../../../model/digest.ts';
import type { BaseRecord } from '../../../model/record.ts';
import type { Remote } from '../../../remote/remote.ts';
import { RemoteError } from '../../../remote/error.ts';
import type { PullOptions } from '../../../sync/pull/context.ts';
import type { PullReport } from '../../../sync/pull/report.ts';
import { isPartlyPublishable, publishable } from '../../../sync/publishable.ts';
import { accessOf, type Access } from '../../../session/access.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { filesOfKeys, formerFiles, namedFiles, pathFilter, pathOf } from './paths.ts';
import { setupFlags } from '../../flags.ts';
import { EXIT } from '../../run/exit.ts';
import { printFindings } from '../../run/read-files.ts';
import { readForService, type Asked } from '../../run/read-for-service.ts';
import type { PullFlags } from './command.ts';
import { eventPrinter, reopening, type EventPrinter } from '../../print/terminal/events.ts';
import { findingSum, type Finding } from '../../print/problems.ts';
import { pullDocument, pullLines } from './print.ts';
import { withAssets } from './assets.ts';
import { CONCURRENCY } from '../../run/policy.ts';
import { openState, withSession } from '../../../session/session.ts';
import { statePlaceOf } from '../../../session/shared.ts';
import { screen as screenOf, type Screen } from '../../print/terminal/screen.ts';
import { visible } from '../../../model/visible.ts';
import { loadSettings, shown, type Settings } from '../../../config/settings.ts';
import { keepHeapSmall } from '../../run/small-heap.ts';
import { stopOnSignal } from '../../run/stop.ts';
import type { World } from '../../world.ts';
import type { Proposing } from './propose.ts';
import type { ProposalEnd } from '../../../forge/propose.ts';
import { repositoryNames } from '../../../session/repository.ts';

/** `kbsync pull`: the knowledge base as files, and the state that makes the next sync find them in sync. */
export async function pull(paths: readonly string[], flags: PullFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = reopening(() => eventPrinter(screen, world.clock));
  const stop = stopOnSignal(world, printer);
  try {
    const settings = await loadSettings(flags, world);
    const access = accessOf(settings, world.env);
    printer.emit({ type: 'phase', phase: 'read files' });
    const content = await contentOrNothing(settings, flags, world, { access, signal: stop.signal });
    const faults = content.findings.filter(({ severity }) => severity === 'error');
    const sum = findingSum(faults, content.loaded.state.fileCount);
    const isPartly = isPartlyPublishable(content.loaded);
    if (faults.length > 0 && (!isPartly || !screen.isJson)) {
      printer.close();
      await printFindings(faults, screen.complain, { screen, world, hasFrames: false });
      printer.reopen();
    }
    if (faults.length > 0 && !isPartly) {
      screen.complain(`${sum}; nothing was read or written`);
      if (screen.isJson) screen.document(pullDocument(undefined, { findings: faults, dryRun: flags.dryRun }));
      return EXIT.failed;
    }
    if (faults.length > 0) screen.complain(`${sum}; edits of these pages wait until they are fixed\n`);
    const proposing = flags.propose
      ? await (await import('./propose.ts')).proposing(paths, flags, settings, world)
      : undefined;
    return await withService(
      {
        paths,
        flags,
        world,
        screen,
        printer,
        settings,
        access,
        signal: stop.signal,
        proposing,
        faultCount: faults.length,
      },
      content.loaded,
    );
  } finally {
    stop.dispose();
    printer.close();
  }
}

interface PullRun {
  readonly paths: readonly string[];
  readonly flags: PullFlags;
  readonly world: World;
  readonly screen: Screen;
  readonly printer: EventPrinter;
  readonly settings: Settings;
  readonly access: Access;
  readonly signal: AbortSignal;
  /** No file is written here, and the state only learns which pages the new files are: the files do not have the edits before they are merged. */
  readonly proposing: Proposing | undefined;
  /** Errors in the files before the pull. */
  readonly faultCount: number;
}

async function withService(run: PullRun, content: LoadedContent): Promise<number> {
  const { flags, world, printer, settings, access, signal } = run;
  const paths = filesOfKeys(run.paths, content.state, world);
  const atOnce = flags.concurrency ?? settings.file.concurrency ?? CONCURRENCY;
  const session = {
    machine: world,
    access,
    emit: printer.emit,
    signal,
    ...(await statePlaceOf(settings, world, 'pull')),
    readOnly: flags.dryRun || run.proposing !== undefined,
    concurrencyMax: atOnce,
    waits: flags.wait,
    defaultLanguage: content.state.defaultLanguage,
    beforeClose: () => printer.close(),
  };
  return withSession(session, async ({ remote, base, loaded }) => {
    printer.watch(remote.atOnce);
    const wanted = {
      languages: flags.lang.length === 0 ? undefined : flags.lang,
      status: flags.status,
      isAskedFor: pathFilter(paths, settings, world),
      named: namedFiles(paths, settings, world),
      clean: flags.clean,
      dryRun: flags.dryRun,
    };
    const { origin } = access.address;
    const service = { remote, base, loaded, origin, atOnce };
    const published = { ...content, state: publishable(content, loaded.state).desired };
    return withAssets(run, service, (assets) =>
      pullAndPrint(run, published, { ...service, ...assets, wanted }),
    );
  });
}

async function pullAndPrint(
  run: PullRun,
  content: LoadedContent,
  service: Pick<PullOptions, 'remote' | 'base' | 'loaded' | 'origin' | 'atOnce' | 'wanted' | 'assets'>,
): Promise<number> {
  const { flags, world, printer, settings, signal, proposing } = run;
  const [{ pull: pullInto }, { contentFolder, openSpool }, preset] = await Promise.all([
    import('../../../sync/pull/pull.ts'),
    import('../../../content/files/folder.ts'),
    layoutOf(content, settings),
  ]);
  keepHeapSmall();
  const { file } = settings;
  const { remote } = service;
  const spool = openSpool();
  let after: readonly Finding[] = [];
  const disk = contentFolder(settings.contentDir, (path) => content.editing?.().sideFiles.has(path) === true);
  const proposal =
    proposing === undefined ? undefined : (await import('./propose.ts')).proposedFolder(disk, proposing);
  try {
    const report = await pullInto({
      ...service,
      repository: await repositoryNames(settings, world.files),
      content,
      reload: async () => {
        if (proposal !== undefined) return content;
        const reloaded = await contentOrNothing(settings, flags, world, run);
        after = reloaded.findings;
        return {
          ...reloaded.loaded,
          state: publishable(reloaded.loaded, service.loaded.state).desired,
        };
      },
      pathOf: (record) => pathOf(record, settings, world),
      folder: proposal?.folder ?? disk,
      formerFiles: (files) => formerFiles(files, settings.contentDir),
      ...(proposal === undefined ? {} : { remember: (pages) => remember(pages, run) }),
      spool,
      layout: {
        preset,
        fields: file.fields ?? {},
        values: file.values ?? {},
        defaults: file.defaults ?? {},
        urls: urlsOf(file),
        html: file.html ?? 'sanitize',
        assetsBaseUrl: file.assets?.baseUrl,
        defaultLanguage: content.state.defaultLanguage,
      },
      emit: printer.emit,
      now: () => world.clock.now(),
      signal,
    });
    const tools = flags.withTools && !flags.dryRun ? await saveTools(remote, settings, world) : [];
    const incomplete = [...report.incomplete, ...tools];
    const faults = after.filter(({ severity }) => severity === 'error');
    if (run.paths.length > 0 && report.records.length === 0 && report.unread === 0)
      throw noSuchPlace(run.paths, settings, world);
    const whole = { ...report, incomplete, requests: remote.requests() };
    if (proposal === undefined) return print(whole, { faults }, run);
    const { end, records } = await proposal.propose(whole, service.origin);
    print({ ...whole, records }, { faults, proposal: end }, run);
    return pullExit(whole);
  } finally {
    spool.close();
  }
}

/**
 * The state learns which page each new file is before anybody can merge it. If a sync holds the state, it is waited for a while; a
 * proposal goes on without it, because the next one of the same files is remembered too.
 */
async function remember(pages: readonly BaseRecord[], run: PullRun): Promise<void> {
  if (pages.length === 0) return;
  const { settings, world, access, printer, signal } = run;
  const [place, { morePulled }] = await Promise.all([
    statePlaceOf(settings, world, 'pull'),
    import('../../../sync/survey/pulled-pages.ts'),
  ]);
  const untilMs = world.clock.now() + STATE_WAIT_MS;
  for (;;) {
    try {
      const { base, loaded } = await openState({ ...place, readOnly: false }, access.address);
      try {
        await base.save({ ...loaded.state, pulled: morePulled(loaded.state.pulled ?? [], pages) });
      } finally {
        await base.close();
      }
      return;
    } catch (error) {
      if (!(error instanceof BaseError)) throw error;
      if (error.code !== 'locked' || world.clock.now() >= untilMs || signal.aborted) {
        printer.emit({ type: 'note', text: unremembered(pages.length, error) });
        return;
      }
      await world.clock.sleep(STATE_PAUSE_MS, signal).catch(() => {});
    }
  }
}

/** A job is paid by the minute; a sync of a few pages is done by then. */
const STATE_WAIT_MS = 60_000;
const STATE_PAUSE_MS = 1000;

function unremembered(pages: number, { message }: BaseError): string {
  const files = pages === 1 ? 'the new file' : 'the new files';
  return (
    `note: the state could not be written, so it does not remember which page of the site ${files} of this proposal came from ` +
    `(${message}) The next kbsync pull --propose writes it. Until then, merge only what nobody changes on the site`
  );
}

function noSuchPlace(paths: readonly string[], { contentDir }: Settings, world: World): SetupError {
  const named = paths.map((path) => `\`${visible(path)}\``).join(', ');
  return new SetupError('usage', `no record of the knowledge base has its file at ${named}`, {
    help: `paths count from here or from ${shown(contentDir, world)}: en/articles/billing, or en/articles/billing/refunds.md; the key of a record that has a file, as kbsync plan prints it, is taken too`,
  });
}

function print(
  report: PullReport,
  { faults, proposal }: { readonly faults: readonly Finding[]; readonly proposal?: ProposalEnd },
  { screen, printer, flags, settings, world, faultCount }: PullRun,
): number {
  printer.close();
  const { dryRun } = flags;
  if (screen.isJson) screen.document(pullDocument(report, { findings: faults, dryRun, proposal }));
  else {
    const folder = shown(settings.contentDir, world);
    const html = settings.file.html ?? 'sanitize';
    const setup = setupFlags(flags);
    for (const line of pullLines(report, { screen, dryRun, folder, html, proposal, setup }))
      screen.answer(line);
    if (faults.length > faultCount) {
      screen.complain(
        `${findingSum(faults, report.records.length)} in the files as they are now; kbsync check shows them`,
      );
    }
  }
  return pullExit(report);
}

function pullExit(report: PullReport): number {
  if (report.interrupted) return EXIT.interrupted;
  const isPartial = report.incomplete.length > 0 || (report.assets?.failed.length ?? 0) > 0;
  if (isPartial || report.records.some(({ action }) => action === 'left')) return EXIT.partly;
  const isOpen = report.records.some(({ action }) => action === 'copied' || action === 'deleted');
  return isOpen ? EXIT.conflicts : EXIT.done;
}

async function layoutOf({ editing }: LoadedContent, { file }: Settings): Promise<Preset> {
  if (editing !== undefined) return editing().presetWith([]);
  const preset = presetNamed(file.preset ?? 'kbsync');
  if (preset !== 'kbsync')
    throw new SetupError(
      'usage',
      `there is no content folder yet, and pull starts none in the layout \`${preset}\``,
      {
        help: 'name the folder with --content, or pull into kbsync’s own layout with a kbsync.yaml that names no preset',
      },
    );
  const { kbsyncPreset } = await import('../../../content/presets/layouts/kbsync.ts');
  return kbsyncPreset(file.languages ?? {});
}

/** A folder that is not there yet is an empty one. */
async function contentOrNothing(
  settings: Settings,
  flags: PullFlags,
  world: World,
  asked: Asked,
): Promise<{ readonly loaded: LoadedContent; readonly findings: readonly Finding[] }> {
  if ((await world.files.list(settings.contentDir)) !== undefined) {
    // A language that is asked for may be one that the files do not have yet.
    const how: Asked = { ...asked, use: 'editing' };
    const read = await readForService(settings, { ...flags, lang: [] }, world, how);
    return { loaded: read.content, findings: read.findings };
  }
  const defaultLanguage = settings.file.defaultLanguage ?? 'en';
  const state = {
    records: new Map(),
    defaultLanguage,
    languages: [],
    fileCount: 0,
    scopeDigest: digestOfText(''),
  };
  return { loaded: { state, problems: [], faulty: [] }, findings: [] };
}

/** What could not be had, in words. */
async function saveTools(remote: Remote, settings: Settings, world: World): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const name of ['versions', 'links', 'reviews'] as const) {
    try {
      const items = await remote.tool(name);
      const file = join(dirname(settings.stateFile), 'tools', `${name}.json`);
      await world.files.writeText(file, `${JSON.stringify(items, undefined, 2)}\n`);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      missing.push(`${name}: ${error.message}`);
    }
  }
  return missing;
}
