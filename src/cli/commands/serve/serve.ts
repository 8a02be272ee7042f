import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { ServiceApp } from '../../../service/app.ts';
import type { Listening } from '../../../service/listen.ts';
import type { Gauges } from '../../../service/http/metrics.ts';
import type { Store } from '../../../service/store/store.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import { DATABASE_URL, databaseFlag, fileBytesOf, withStore } from './database.ts';
import type { FileOptions } from '../../../service/files/routes.ts';
import { EXIT } from '../../run/exit.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { listenOn } from '../../run/listen.ts';
import { keepHeapSmall } from '../../run/small-heap.ts';
import { stoppingText } from '../../run/stop.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import { withSite } from './site.ts';
import type { World } from '../../world.ts';
import type { ServeFlags } from './command.ts';
import { type ServiceLog, serviceLog } from './log.ts';
import type { LinkChecker } from '../../../service/links/checker.ts';
import { urlOf } from '../../../text/url.ts';

/** `kbsync serve`: the included knowledge base, until Ctrl-C or SIGTERM; answers under way are finished first. */
export async function serve(flags: ServeFlags, world: World): Promise<number> {
  keepHeapSmall();
  const screen = screenOf(world, flags);
  const languages = languagesOf(flags.languages);
  const defaultLanguage = languages?.[0] ?? (await languageOfFiles(flags, world));
  return withStore(
    { file: flags.db, mustExist: false, ...(defaultLanguage === undefined ? {} : { defaultLanguage }) },
    world,
    async (opened) => {
      const { createApp } = await import('../../../service/app.ts');
      const { tellOutages } = await import('../../../service/store/outages.ts');
      const { indexMissing } = await import('../../../service/search/index-articles.ts');
      const { forgetOldMisses } = await import('../../../service/insights/search-misses.ts');
      const { nowMicros } = await import('../../../service/time.ts');
      await indexMissing(opened);
      await forgetOldMisses(opened, nowMicros(world.clock));
      const keyNote = await keyNoteOf(flags, opened, world);
      const state: State = { isStopping: false, gauges: () => ({}) };
      const log = await serviceLog(flags, { screen, world, gauges: () => state.gauges() });
      const store = tellOutages(opened, log.outage, () => world.clock.now());
      const api = createApp({
        store,
        clock: world.clock,
        isStopping: () => state.isStopping,
        onFailure: log.failed,
        ...(languages === undefined ? {} : { languages }),
        ...(flags.rateLimit === undefined ? {} : { requestsPerMinute: flags.rateLimit }),
        ...(flags.cors === undefined ? {} : { corsOrigin: originOf(flags.cors) }),
        ...(await filesOf(flags, opened, world)),
        insights: true,
        ...(await teamStatesOf(flags, world)),
        redirects: flags.site,
      });
      const preview = await previewOf(flags, world);
      const siteUrl = flags.siteUrl ?? world.env['KBSYNC_SITE_URL'] ?? '';
      const siteFlags = siteUrl === '' ? flags : { ...flags, siteUrl };
      const app = await withSite(api, siteFlags, {
        store,
        clock: world.clock,
        languages,
        root: world.cwd,
        files: world.files,
        onFailure: log.failed,
        ...preview,
      });
      const watched = await withObserver(app, log, world);
      const listening = await listenOn(watched, { ...flags, onFailure: log.failed });
      state.gauges = () => ({ ...listening.gauges(), ...store.gauges() });
      const metrics = await listenForMetrics(log.metricsApp, flags);
      const checking = await startChecking(flags, { store, world, log });
      const stopped = untilStopped({ listening, state, flags, log, world }); // before the address is known to anybody
      if (screen.isJson) screen.document({ format: JSON_FORMAT, url: listening.url, db: flags.db });
      else screen.answer(listening.url);
      // With --log, a program reads stderr: every line of it is JSON.
      const tell = flags.log ? log.note : screen.talk;
      tell(
        `knowledge base ${visible(flags.db)}, default language ${store.knowledgeBase.defaultLanguage}; Ctrl-C ends`,
      );
      tell(keyNote);
      if (metrics !== undefined) tell(`metrics at ${metrics.url}/metrics`);
      await stopped;
      await Promise.all([metrics?.close(), checking?.stop()]);
      return EXIT.done;
    },
  );
}

async function filesOf(
  { db, fileMb, filesMb }: ServeFlags,
  store: Store,
  world: World,
): Promise<{ readonly files?: FileOptions }> {
  if (filesMb === 0) return {};
  const bytes = await fileBytesOf(db, store, world);
  return { files: { bytes, fileBytesMax: fileMb * 1e6, allBytesMax: filesMb * 1e6 } };
}

/** Around the site as well, so its pages are counted too. */
async function withObserver(app: ServiceApp, { observe }: ServiceLog, { clock }: World): Promise<ServiceApp> {
  if (observe === undefined) return app;
  const [{ observed }, { createNewId }] = await Promise.all([
    import('../../../service/http/observe.ts'),
    import('../../../service/ids.ts'),
  ]);
  const answer = app.fetch.bind(app);
  return { fetch: observed(answer, { observe, now: () => clock.now(), newRequestId: createNewId(clock) }) };
}

async function listenForMetrics(
  app: ServiceApp | undefined,
  { metricsPort, metricsHost }: ServeFlags,
): Promise<Listening | undefined> {
  return app === undefined || metricsPort === undefined
    ? undefined
    : listenOn(app, { port: metricsPort, host: metricsHost });
}

interface State {
  isStopping: boolean;
  /** Those of the server, once it listens. */
  gauges: Gauges;
}

interface Running {
  readonly listening: Listening;
  readonly state: State;
  readonly flags: ServeFlags;
  readonly log: ServiceLog;
  readonly world: World;
}

/** First not ready, so a load balancer looks elsewhere; then, after `--stop-delay`, closed as answers end. */
function untilStopped({ listening, state, flags, log, world }: Running): Promise<void> {
  return new Promise((resolve, reject) => {
    const off = world.onSignal((name) => {
      if (state.isStopping) return world.leave(EXIT.interrupted);
      state.isStopping = true;
      log.note(stoppingText(name));
      const delayed = flags.stopDelay === 0 ? Promise.resolve() : world.clock.sleep(flags.stopDelay * 1000);
      delayed
        .then(() => listening.close())
        .then(resolve, reject)
        .finally(() => off());
      return undefined;
    });
  });
}

/** What to tell about keys; makes the key of `--key-file` when the file is missing. */
async function keyNoteOf(flags: ServeFlags, store: Store, world: World): Promise<string> {
  const { createKey, listKeys } = await import('../../../service/keys/keys.ts');
  const live = (await listKeys({ store })).filter((key) => key.revokedAt === undefined);
  if (flags.keyFile === undefined) {
    return live.length === 0
      ? `no key yet: kbsync serve keys create${databaseFlag(flags.db)} --name laptop`
      : `${counted(live.length, 'key')}; another: kbsync serve keys create${databaseFlag(flags.db)} --name laptop`;
  }
  const file = resolve(world.cwd, flags.keyFile);
  const text = (await world.files.readText(file))?.trim();
  if (text === undefined) {
    const { key } = await createKey({ store, clock: world.clock, name: 'key-file' });
    await world.files.writeText(file, `${key}\n`, { isNew: true, mode: 0o600 });
    return `made a key: export KBSYNC_API_KEY="$(cat ${visible(flags.keyFile)})"`;
  }
  if (!live.some((key) => text.startsWith(`kb_${key.prefix}_`))) {
    throw new SetupError('refused', `${visible(flags.keyFile)} holds no live key of ${visible(flags.db)}`, {
      help: 'name another file with --key-file, or move this one away; a new key is made there',
    });
  }
  return `the key is in ${visible(flags.keyFile)}`;
}

/** The token of `--preview-token-file`; a flag could be read by every process of the machine. */
async function previewOf(
  { previewTokenFile }: ServeFlags,
  world: World,
): Promise<{ readonly previewToken?: string }> {
  return previewTokenFile === undefined
    ? {}
    : { previewToken: await secretIn(previewTokenFile, 'token', world) };
}

/** The key of `--state-key-file`. */
async function teamStatesOf(
  { stateKeyFile }: ServeFlags,
  world: World,
): Promise<{ readonly teamStates?: { readonly key: string } }> {
  return stateKeyFile === undefined
    ? {}
    : { teamStates: { key: await secretIn(stateKeyFile, 'key', world) } };
}

/** What a file holds; a new one where there is none. */
async function secretIn(name: string, what: 'token' | 'key', world: World): Promise<string> {
  const file = resolve(world.cwd, name);
  const given = (await world.files.readText(file))?.trim();
  if (given === undefined) {
    const made = randomBytes(TOKEN_BYTES).toString('base64url');
    await world.files.writeText(file, `${made}\n`, { isNew: true, mode: 0o600 });
    return made;
  }
  if (given.length >= TOKEN_CHARS_MIN) return given;
  throw new SetupError('refused', `${visible(name)} holds a ${what} of ${given.length} characters`, {
    help: `a safe ${what} has at least ${TOKEN_CHARS_MIN}; move the file away, and kbsync makes a new one there`,
  });
}

const TOKEN_BYTES = 24;
const TOKEN_CHARS_MIN = 16;

/** For a new file without `--languages`: the language of the originals in this folder, so a sync of them finds its own default. */
async function languageOfFiles({ db }: ServeFlags, world: World): Promise<string | undefined> {
  if (db === DATABASE_URL || (await world.files.modifiedMs(resolve(world.cwd, db))) !== undefined)
    return undefined;
  const { ConfigError, loadSettings } = await import('../../../config/settings.ts');
  try {
    return (await loadSettings({ cache: false }, world)).file.defaultLanguage;
  } catch (error) {
    // Every command that reads the files says what is wrong with their settings.
    if (error instanceof ConfigError || error instanceof SetupError) return undefined;
    throw error;
  }
}

function languagesOf(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const codes = text.split(',').map((code) => code.trim());
  const wrong = codes.find((code) => !/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(code));
  if (wrong === undefined) return codes;
  throw new SetupError('usage', `--languages: \`${visible(wrong)}\` is not a language code`, {
    help: 'codes with commas between, the default one first: en,fr,pt-BR',
  });
}

function originOf(text: string): string {
  const origin = urlOf(text)?.origin;
  if (origin === text && /^https?:/.test(text)) return text;
  throw new SetupError('usage', `--cors: \`${visible(text)}\` is not an origin`, {
    help: 'scheme, host and port, nothing after: https://editor.example.com',
  });
}

/** `--check-links`: undefined without it, because a knowledge base asks nobody anything unless it was told to. */
async function startChecking(
  { checkLinks, allowPrivateLinks }: ServeFlags,
  { store, world, log }: { readonly store: Store; readonly world: World; readonly log: ServiceLog },
): Promise<LinkChecker | undefined> {
  if (!checkLinks) return undefined;
  const [{ startLinkChecker }, { resolveHost, sendLink }] = await Promise.all([
    import('../../../service/links/checker.ts'),
    import('../../../service/links/request.ts'),
  ]);
  return startLinkChecker({
    store,
    clock: world.clock,
    send: sendLink,
    resolve: resolveHost,
    allowPrivate: allowPrivateLinks,
    onFailure: (error) => log.failed(error, 'checking links'),
  });
}
