import { resolve } from 'node:path';
import type { ServiceApp } from '../../service/app.ts';
import type { Listening } from '../../service/listen.ts';
import type { Store } from '../../service/store/store.ts';
import { CliError } from '../cli-error.ts';
import { databaseFlag, withStore } from '../database.ts';
import { EXIT } from '../exit.ts';
import { JSON_FORMAT } from '../json.ts';
import { counted } from '../numbers.ts';
import { visible } from '../plain.ts';
import { stoppingText } from '../stop.ts';
import { screen as screenOf } from '../screen.ts';
import { withSite } from '../with-site.ts';
import type { World } from '../world.ts';
import type { ServeFlags } from './serve-flags.ts';
import { startChecking } from './serve-links.ts';
import { type Watch, watchOf } from './serve-watch.ts';

/** `kbsync serve`: the bundled knowledge base, until Ctrl-C or SIGTERM; answers under way are finished first. */
export async function serve(flags: ServeFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const languages = languagesOf(flags.languages);
  const [defaultLanguage] = languages ?? [];
  return withStore(
    { file: flags.db, mustExist: false, ...(defaultLanguage === undefined ? {} : { defaultLanguage }) },
    world,
    async (store) => {
      const { createApp } = await import('../../service/app.ts');
      const { indexMissing } = await import('../../service/search-index.ts');
      await indexMissing(store);
      const keyNote = await keyNoteOf(flags, store, world);
      const watch = await watchOf(flags, screen, world);
      const state = { isStopping: false };
      const api = createApp({
        store,
        clock: world.clock,
        isStopping: () => state.isStopping,
        onFailure: watch.failed,
        ...(languages === undefined ? {} : { languages }),
        ...(flags.rateLimit === undefined ? {} : { requestsPerMinute: flags.rateLimit }),
        ...(flags.cors === undefined ? {} : { corsOrigin: originOf(flags.cors) }),
      });
      const app = await withSite(api, flags, { store, languages, onFailure: watch.failed });
      const listening = await listenOn(await told(app, watch, world), flags);
      const metrics = await listenForMetrics(watch.metricsApp, flags);
      const checking = await startChecking(flags, { store, world, watch });
      const stopped = untilStopped({ listening, state, flags, watch, world }); // before the address is known to anybody
      if (screen.isJson) screen.document({ format: JSON_FORMAT, url: listening.url, db: flags.db });
      else screen.answer(listening.url);
      screen.talk(
        `knowledge base ${visible(flags.db)}, default language ${store.site.defaultLanguage}; Ctrl-C ends`,
      );
      screen.talk(keyNote);
      if (metrics !== undefined) screen.talk(`metrics at ${metrics.url}/metrics`);
      await stopped;
      await Promise.all([metrics?.close(), checking?.stop()]);
      return EXIT.done;
    },
  );
}

async function listenOn(
  app: ServiceApp,
  { port, host }: Pick<ServeFlags, 'port' | 'host'>,
): Promise<Listening> {
  const { listen } = await import('../../service/listen.ts');
  try {
    return await listen(app, { port, host });
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE')) throw cause;
    throw new CliError('file', `port ${port} on ${visible(host)} is taken`, {
      help: 'choose another with --port; --port 0 takes a free one',
      cause,
    });
  }
}

/** Around the site as well, so that its pages are counted too. */
async function told(app: ServiceApp, { observe }: Watch, { clock }: World): Promise<ServiceApp> {
  if (observe === undefined) return app;
  const [{ observed }, { createNewId }] = await Promise.all([
    import('../../service/observe.ts'),
    import('../../service/ids.ts'),
  ]);
  const answer = app.fetch.bind(app);
  return { fetch: observed(answer, { observe, now: () => clock.now(), newRequestId: createNewId(clock) }) };
}

async function listenForMetrics(
  app: ServiceApp | undefined,
  { metricsPort, host }: ServeFlags,
): Promise<Listening | undefined> {
  return app === undefined || metricsPort === undefined
    ? undefined
    : listenOn(app, { port: metricsPort, host });
}

interface Running {
  readonly listening: Listening;
  readonly state: { isStopping: boolean };
  readonly flags: ServeFlags;
  readonly watch: Watch;
  readonly world: World;
}

/** First not ready, so that a load balancer looks elsewhere; then, after `--stop-delay`, closed as answers end. */
function untilStopped({ listening, state, flags, watch, world }: Running): Promise<void> {
  return new Promise((resolve, reject) => {
    const off = world.onSignal((name) => {
      if (state.isStopping) return world.leave(EXIT.interrupted);
      state.isStopping = true;
      watch.note(stoppingText(name));
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
  const { createKey, listKeys } = await import('../../service/keys.ts');
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
    throw new CliError('refused', `${visible(flags.keyFile)} holds no live key of ${visible(flags.db)}`, {
      help: 'move the file away, and a new key is made there',
    });
  }
  return `the key is in ${visible(flags.keyFile)}`;
}

function languagesOf(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const codes = text.split(',').map((code) => code.trim());
  const wrong = codes.find((code) => !/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(code));
  if (wrong === undefined) return codes;
  throw new CliError('usage', `--languages: \`${visible(wrong)}\` is not a language code`, {
    help: 'codes with commas between, the default one first: en,fr,pt-BR',
  });
}

function originOf(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : undefined;
  if (origin === text && /^https?:/.test(text)) return text;
  throw new CliError('usage', `--cors: \`${visible(text)}\` is not an origin`, {
    help: 'scheme, host and port, nothing after: https://editor.example.com',
  });
}
