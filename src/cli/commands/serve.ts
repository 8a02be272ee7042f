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
import { screen as screenOf, type Screen } from '../screen.ts';
import { withSite } from '../with-site.ts';
import type { World } from '../world.ts';
import type { ServeFlags } from './serve-flags.ts';

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
      const onFailure = (error: unknown, request: string): void => {
        const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
        screen.complain(`${visible(request)}  500\n${why}`);
      };
      const api = createApp({
        store,
        clock: world.clock,
        ...(languages === undefined ? {} : { languages }),
        onFailure,
      });
      const app = await withSite(api, flags, { store, languages, onFailure });
      const listening = await listenOn(flags.verbose ? spoken(app, screen, world) : app, flags);
      const stopped = untilStopped(listening, screen, world); // before the address is known to anybody
      if (screen.isJson) screen.document({ format: JSON_FORMAT, url: listening.url, db: flags.db });
      else screen.answer(listening.url);
      screen.talk(
        `knowledge base ${visible(flags.db)}, default language ${store.site.defaultLanguage}; Ctrl-C ends`,
      );
      screen.talk(keyNote);
      await stopped;
      return EXIT.done;
    },
  );
}

async function listenOn(app: ServiceApp, { port, host }: ServeFlags): Promise<Listening> {
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

function untilStopped(listening: Listening, screen: Screen, world: World): Promise<void> {
  return new Promise((resolve, reject) => {
    let isStopping = false;
    const off = world.onSignal((name) => {
      if (isStopping) return world.leave(EXIT.interrupted);
      isStopping = true;
      screen.talk(stoppingText(name));
      listening
        .close()
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

function spoken(app: ServiceApp, screen: Screen, world: World): ServiceApp {
  const answer = app.fetch.bind(app);
  return {
    fetch: async (request) => {
      const startMs = world.clock.now();
      const response = await answer(request);
      const { pathname, search } = new URL(request.url);
      const durationMs = Math.round(world.clock.now() - startMs);
      screen.talk(`${request.method} ${visible(pathname + search)}  ${response.status}  ${durationMs} ms`);
      return response;
    },
  };
}
