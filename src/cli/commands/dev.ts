import { dirname, join, relative } from 'node:path';
import type { ReadingMemory } from '../../content/options.ts';
import { problemMessage, showPlace, type Problem } from '../../model/problem.ts';
import type { Send } from '../../remote/remote.ts';
import type { Store } from '../../service/store/store.ts';
import { liveReload, type LiveReload } from '../../site/live-reload.ts';
import { createLive } from '../../sync/live.ts';
import type { LiveEvent } from '../../sync/live-event.ts';
import { CliError } from '../cli-error.ts';
import { withStore } from '../database.ts';
import { EXIT } from '../exit.ts';
import { readContent } from '../files-run.ts';
import type { DevFlags } from '../flags.ts';
import { liveSession } from '../live-session.ts';
import { counted } from '../numbers.ts';
import { pageAddress } from '../page-address.ts';
import { visible } from '../plain.ts';
import { policyOf } from '../policy.ts';
import { eventPrinter } from '../print-event.ts';
import { watchPrinter } from '../print-watch.ts';
import { screen as screenOf, type Screen } from '../screen.ts';
import { loadSettings, shown, type Settings } from '../settings.ts';
import { stopOnSignal } from '../stop.ts';
import { watchLoop } from '../watch-loop.ts';
import type { World } from '../world.ts';

/** The service is asked inside this process; its state must not change with the port. */
const INSIDE = 'http://127.0.0.1';

/** `kbsync dev`: the files as pages, which load again when a file is saved; until Ctrl-C. Nothing leaves this machine. */
export async function dev(flags: DevFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = eventPrinter(screen, world.clock);
  const stop = stopOnSignal(world, printer);
  try {
    for (;;) {
      const settings = await devSettings(flags, world);
      const file = flags.db ?? relative(world.cwd, join(dirname(settings.stateFile), 'dev.db'));
      // Where the pages are, for editors and scripts; empty while nothing answers.
      await world.files.writeText(urlFile(settings), '');
      const options = { file, mustExist: false, defaultLanguage: settings.file.defaultLanguage ?? 'en' };
      const end = await withStore(options, world, (store) =>
        serveAndWatch({ flags, world, screen, settings, store, signal: stop.signal }),
      );
      if (end === 'stopped') return EXIT.done;
    }
  } finally {
    stop.dispose();
    printer.close();
  }
}

function urlFile({ stateFile }: Settings): string {
  return join(dirname(stateFile), 'dev.url');
}

/** A state of its own, and the addresses of the site that shows the pages. */
async function devSettings(flags: DevFlags, world: World): Promise<Settings> {
  const settings = await loadSettings({ ...flags, allow: [] }, world);
  const { articleUrl: _, categoryUrl: __, tagUrl: ___, ...file } = settings.file;
  const folder = dirname(settings.stateFile);
  return {
    ...settings,
    file,
    stateFile: join(folder, 'dev.state.json'),
    cacheFile: flags.cache ? join(folder, 'dev.cache.json') : undefined,
  };
}

interface Dev {
  readonly flags: DevFlags;
  readonly world: World;
  readonly screen: Screen;
  readonly settings: Settings;
  readonly store: Store;
  readonly signal: AbortSignal;
}

async function serveAndWatch(dev: Dev): Promise<'stopped' | 'settings'> {
  const { flags, world, store, screen, signal } = dev;
  const [{ createApp }, { createKey, revokeKey }, { createSite }, { siteBeside }] = await Promise.all([
    import('../../service/app.ts'),
    import('../../service/keys.ts'),
    import('../../site/create-site.ts'),
    import('../../site/beside.ts'),
  ]);
  const { clock } = world;
  const onFailure = (error: unknown, request: string): void => {
    screen.complain(
      `${visible(request)}  500\n${visible(error instanceof Error ? error.message : String(error))}`,
    );
  };
  const api = createApp({ store, clock, onFailure });
  const { key, prefix } = await createKey({ store, clock, name: 'dev' });
  const previewToken = 'dev';
  const site = createSite({ store, onFailure, previewToken });
  const live = liveReload(siteBeside(api, site), { reload: flags.liveReload, overlay: flags.overlay });
  const listening = await listenOn(live, flags);
  await world.files.writeText(urlFile(dev.settings), `${listening.url}/\n`);
  try {
    return await watchInside(dev, { live, url: listening.url, send: api.fetch, apiKey: key, signal });
  } finally {
    live.close();
    await world.files.writeText(urlFile(dev.settings), '');
    await listening.close();
    await revokeKey({ store, clock, prefix });
  }
}

async function listenOn({ app }: LiveReload, { host, port }: DevFlags) {
  const { listen } = await import('../../service/listen.ts');
  try {
    return await listen(app, { host, port, drainMs: 1000 });
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE')) throw cause;
    const help = 'choose another with --port; --port 0 takes a free one';
    throw new CliError('file', `port ${port} on ${visible(host)} is taken`, { help, cause });
  }
}

interface Inside {
  readonly live: LiveReload;
  readonly url: string;
  readonly send: Send;
  readonly apiKey: string;
  readonly signal: AbortSignal;
}

async function watchInside(
  { flags, world, screen, settings }: Dev,
  { live: pages, url, send, apiKey, signal }: Inside,
): Promise<'stopped' | 'settings'> {
  const { clock } = world;
  const print = watchPrinter({
    screen,
    now: () => clock.now(),
    setup: '',
    pageOf: pageAddress(settings, url),
  });
  const session = liveSession({
    settings,
    world,
    policy: policyOf({ ...MIRROR, ...flags })(settings),
    address: { href: INSIDE },
    apiKey,
    send,
    emit: () => undefined,
    signal,
  });
  const say = (event: LiveEvent): void => {
    if (event.type === 'problems') pages.problems(event.problems.filter(isError).map(shownProblem));
    print.event(event);
    if ((event.type === 'sent' && event.result.outcome === 'done') || event.type === 'many') pages.changed();
    if (event.type !== 'whole' || !event.isFirst) return;
    pages.changed();
    print.note(
      `${counted(event.fileCount, 'file')} at ${url}/; watching ${shown(settings.contentDir, world)}/  (Ctrl-C ends)`,
    );
    void openWhereWanted(flags, world, url);
  };
  // Pictures that no server has yet are no reason to show no page.
  const allow = [...flags.allow, 'image-not-hosted'];
  const memory: ReadingMemory = { entries: new Map() };
  const load = async () => (await readContent(settings, { ...flags, allow }, world, memory)).content;
  const live = createLive({ load, open: session.open, clock, say });
  try {
    const note = (sentence: string): void => print.note(sentence);
    return await watchLoop({
      settings,
      flags,
      world,
      signal,
      live,
      note,
      reload: () => devSettings(flags, world),
    });
  } finally {
    await session.close();
  }
}

/** Nobody else writes to this database: the files are always right. */
const MIRROR = {
  prune: false,
  onConflict: 'local',
  onDrift: 'overwrite',
  adopt: 'local',
  allowVanished: true,
  allowCheckout: true,
  allowScopeChange: true,
  assumeComplete: true,
  allowEmptyRemote: true,
} as const;

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

function shownProblem(problem: Problem) {
  return { at: showPlace(problem.at), message: problemMessage(problem) };
}

async function openWhereWanted({ open }: DevFlags, world: World, url: string): Promise<void> {
  const isCi = (world.env['CI'] ?? '') !== '';
  if (!(open ?? (world.stdout.isTTY && !isCi))) return;
  const { openPage } = await import('../open-page.ts');
  openPage(`${url}/`);
}
