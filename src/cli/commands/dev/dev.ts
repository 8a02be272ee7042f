import { dirname, join, relative } from 'node:path';
import type { ReadingMemory } from '../../../content/reading/readings.ts';
import { problemMessage, showPlace, type Problem } from '../../../model/problem.ts';
import type { Send } from '../../../remote/remote.ts';
import type { Store } from '../../../service/store/store.ts';
import { liveReload, type LiveReload } from './live-reload.ts';
import { createTurns } from '../../../sync/watch/turns.ts';
import type { WatchEvent } from '../../../sync/watch/event.ts';
import { visible } from '../../../model/visible.ts';
import { fileBytesOf, withStore } from '../serve/database.ts';
import { EXIT } from '../../run/exit.ts';
import { readContent } from '../../run/read-files.ts';
import type { DevFlags } from './command.ts';
import { checkApiKey, type BaseUrl } from '../../../remote/address.ts';
import { borrowed } from '../../../session/session.ts';
import { liveSession } from '../watch/session.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { pagesOf } from '../../../config/content-options.ts';
import { MIRROR, onlyNamed, policyFrom } from '../../run/policy.ts';
import { eventPrinter } from '../../print/terminal/events.ts';
import { watchPrinter } from '../watch/print.ts';
import { screen as screenOf, type Screen } from '../../print/terminal/screen.ts';
import { loadSettings, shown, type Settings } from '../../../config/settings.ts';
import { listenOn } from '../../run/listen.ts';
import { stopOnSignal } from '../../run/stop.ts';
import { watchLoop } from '../watch/loop.ts';
import type { World } from '../../world.ts';
import { repositoryNames } from '../../../session/repository.ts';

/** The service is asked inside this process; its state must not change with the port. */
const INSIDE: BaseUrl = { href: 'http://127.0.0.1', origin: 'http://127.0.0.1' };

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
        serveAndWatch({ flags, world, screen, settings, store, file, signal: stop.signal }),
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
  const { sharedState: ____, ...settings } = await loadSettings(flags, world);
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
  /** Of the database, from the working directory. */
  readonly file: string;
  readonly signal: AbortSignal;
}

async function serveAndWatch(dev: Dev): Promise<'stopped' | 'settings'> {
  const { flags, world, store, screen, signal } = dev;
  const [
    { createApp },
    { createKey, revokeKey },
    { createSite },
    { siteBeside },
    { siteLook, SITE_SETTINGS },
  ] = await Promise.all([
    import('../../../service/app.ts'),
    import('../../../service/keys/keys.ts'),
    import('../../../site/create-site.ts'),
    import('../../../site/with-service.ts'),
    import('../../run/site-look.ts'),
  ]);
  const { clock } = world;
  const onFailure = (error: unknown, request: string): void => {
    screen.complain(
      `${visible(request)}  500\n${visible(error instanceof Error ? error.message : String(error))}`,
    );
  };
  const api = createApp({
    store,
    clock,
    onFailure,
    files: { bytes: await fileBytesOf(dev.file, store, world) },
  });
  const { key, prefix } = await createKey({ store, clock, name: 'dev' });
  const previewToken = 'dev';
  const look = await siteLook(dev.settings.file.site ?? {}, {
    root: dev.settings.root,
    called: SITE_SETTINGS,
  });
  const site = createSite({
    store,
    onFailure,
    previewToken,
    ...look,
    tellsOutdated: dev.settings.file.site?.outdatedNotice ?? true,
  });
  const live = liveReload(siteBeside(api, site), { reload: flags.liveReload, overlay: flags.overlay });
  const listening = await listenOn(live.app, { host: flags.host, port: flags.port, drainMs: 1000 });
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

interface Inside {
  readonly live: LiveReload;
  readonly url: string;
  readonly send: Send;
  readonly apiKey: string;
  readonly signal: AbortSignal;
}

async function watchInside(
  { flags, world, screen, settings, file }: Dev,
  { live: pages, url, send, apiKey, signal }: Inside,
): Promise<'stopped' | 'settings'> {
  const { clock } = world;
  const print = watchPrinter({
    screen,
    now: () => clock.now(),
    setup: '',
    preview: file,
    pageOf: pagesOf(settings, url),
  });
  const session = liveSession({
    settings,
    place: { stateFile: settings.stateFile },
    machine: { clock, random: () => world.random(), connect: borrowed(send) },
    policy: policyFrom({ ...MIRROR, languages: onlyNamed(flags.lang) }, {})(settings),
    repository: await repositoryNames(settings, world.files),
    // Its knowledge base is this machine's own.
    log: undefined,
    access: { address: INSIDE, apiKey: checkApiKey(apiKey) },
    emit: () => undefined,
    signal,
  });
  const say = (event: WatchEvent): void => {
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
  const load = async () =>
    (await readContent(settings, { ...flags, allow }, world, { memory, keepsFiles: true })).content;
  const live = createTurns({ load, open: session.open, clock, say });
  try {
    const note = (sentence: string): void => print.note(sentence);
    return await watchLoop({
      settings,
      flags,
      world,
      signal,
      live,
      note,
      poll: flags.poll,
      reload: () => devSettings(flags, world),
    });
  } finally {
    await session.close();
  }
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

function shownProblem(problem: Problem) {
  return { at: showPlace(problem.at), message: problemMessage(problem) };
}

async function openWhereWanted({ open }: DevFlags, world: World, url: string): Promise<void> {
  const isCi = (world.env['CI'] ?? '') !== '';
  if (!(open ?? (world.stdout.isTTY && !isCi))) return;
  const { openPage } = await import('./open-page.ts');
  openPage(`${url}/`);
}
