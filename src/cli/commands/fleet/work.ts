import { SetupError } from '../../../config/setup-error.ts';
import { createBoard } from '../../../fleet/http/board.ts';
import { createHook } from '../../../fleet/http/hook.ts';
import { standingsOf } from '../../../fleet/runs/standings.ts';
import { secretAt, type Fleet } from '../../../fleet/settings/settings.ts';
import { startWorkers, type Workers } from '../../../fleet/workers/workers.ts';
import type { Listening } from '../../../service/listen.ts';
import { EXIT } from '../../run/exit.ts';
import { listenOn } from '../../run/listen.ts';
import { stoppingText } from '../../run/stop.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted, lasting } from '../../print/terminal/numbers.ts';
import { screen as screenOf, type Screen } from '../../print/terminal/screen.ts';
import type { World } from '../../world.ts';
import type { FleetFlags } from './command.ts';
import { runLine } from './print.ts';
import { runAndRemember } from './run-and-remember.ts';

/** A worker: takes jobs of the fleet from the database until Ctrl-C or SIGTERM; runs under way are asked to stop first. */
export async function work(loaded: Fleet, flags: FleetFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const url = world.env['DATABASE_URL'] ?? '';
  if (url === '') {
    throw new SetupError('usage', 'the workers of a fleet need PostgreSQL: DATABASE_URL is not set', {
      help: 'export DATABASE_URL=postgres://…, or kbsync fleet --once, which needs no database',
    });
  }
  const standings = await standingsOf(loaded);
  const isNew = new Set(
    standings.filter(({ condition }) => condition === 'never-run').map(({ name }) => name),
  );
  const workers = await startWorkers({
    fleet: loaded,
    url,
    clock: world.clock,
    first: loaded.bases.filter(({ name }) => isNew.has(name)),
    run: (base, sinceMs, signal) =>
      runAndRemember(loaded, base, { cwd: world.cwd, env: world.env, sinceMs, signal }, world),
    onEnd: (base, end) => screen.talk(`${runLine(base.name, end)} (${lasting(end.durationMs)})`),
    note: screen.talk,
  });
  const stopped = untilStopped(workers, screen, world);
  const open: Listening[] = [];
  try {
    const { page, hook } = await listenForAll(loaded, workers, { flags, world });
    open.push(...[page, hook].filter((one) => one !== undefined));
    if (screen.isJson) {
      const addresses = {
        ...(page === undefined ? {} : { page: `${page.url}/fleet` }),
        ...(hook === undefined ? {} : { hook: `${hook.url}/hook` }),
      };
      screen.document({ format: JSON_FORMAT, knowledgeBases: loaded.bases.length, ...addresses });
    }
    screen.talk(
      `working on ${counted(loaded.bases.length, 'knowledge base')}, ${loaded.atOnce} at once; Ctrl-C ends`,
    );
    if (page !== undefined) screen.talk(`page at ${page.url}/fleet, metrics at ${page.url}/metrics`);
    if (hook !== undefined) screen.talk(`pushes at ${hook.url}/hook`);
    await Promise.race([stopped, workers.ended]);
  } finally {
    await Promise.all(open.map((one) => one.close()));
    await workers.stop();
  }
  return EXIT.done;
}

async function listenForAll(
  loaded: Fleet,
  workers: Workers,
  { flags, world }: { readonly flags: FleetFlags; readonly world: World },
): Promise<{ readonly page: Listening | undefined; readonly hook: Listening | undefined }> {
  const page =
    flags.port === undefined
      ? undefined
      : await listenOn(
          createBoard(() => standingsOf(loaded)),
          { port: flags.port, host: flags.host },
        );
  if (flags.hookPort === undefined) return { page, hook: undefined };
  if (loaded.hookSecret === undefined) {
    throw new SetupError('usage', '--hook-port needs the secret that pushes are signed with', {
      help: 'add webhook: { secret: { variable: FLEET_HOOK_SECRET } } to the file',
    });
  }
  const { env, files } = world;
  const secret = await secretAt(loaded.hookSecret, { env, files, root: loaded.root, what: '`webhook`' });
  const app = createHook({ secret, bases: loaded.bases, ask: (base) => workers.ask(base) });
  return { page, hook: await listenOn(app, { port: flags.hookPort, host: flags.hookHost }) };
}

/** The first signal lets runs end in order, the second one leaves at once; both are safe. */
function untilStopped(workers: Workers, screen: Screen, world: World): Promise<void> {
  return new Promise((resolve, reject) => {
    let isStopping = false;
    const off = world.onSignal((name) => {
      if (isStopping) return world.leave(EXIT.interrupted);
      isStopping = true;
      screen.talk(stoppingText(name));
      workers.stop().then(resolve, reject).finally(off);
      return undefined;
    });
  });
}
