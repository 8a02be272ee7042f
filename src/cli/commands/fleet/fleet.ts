import pLimit from 'p-limit';
import { SetupError } from '../../../config/setup-error.ts';
import type { RunEnd } from '../../../fleet/runs/start-run.ts';
import { chosenBases, loadFleet, type Fleet, type KnowledgeBase } from '../../../fleet/settings/settings.ts';
import { visible } from '../../../model/visible.ts';
import { EXIT } from '../../run/exit.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { lasting } from '../../print/terminal/numbers.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import { stoppingText } from '../../run/stop.ts';
import type { World } from '../../world.ts';
import type { FleetFlags } from './command.ts';
import { exitOf, worstExit } from './exit.ts';
import { runLine } from './print.ts';
import { runAndRemember } from './run-and-remember.ts';

/** `kbsync fleet`: keeps all knowledge bases of the file in sync. */
export async function fleet(names: readonly string[], flags: FleetFlags, world: World): Promise<number> {
  const loaded = await loadFleet(flags.file, world);
  const bases = chosenBases(loaded, names);
  if (flags.print !== undefined) return print(flags.print, { ...loaded, bases }, world);
  if (flags.once) return once(loaded, bases, flags, world);
  if (names.length > 0) {
    throw new SetupError(
      'usage',
      'names need --once or --print, because a worker takes every knowledge base',
      {
        help: `kbsync fleet --once ${names.map(visible).join(' ')}`,
      },
    );
  }
  const { work } = await import('./work.ts');
  return work(loaded, flags, world);
}

async function print(form: 'k8s' | 'github', loaded: Fleet, world: World): Promise<number> {
  const text =
    form === 'k8s'
      ? (await import('../../../fleet/manifests/kubernetes.ts')).kubernetesManifest(loaded)
      : (await import('../../../fleet/manifests/github.ts')).githubWorkflow(loaded);
  world.stdout.write(text);
  return EXIT.done;
}

/** Each knowledge base once, at most `atOnce` together, and `perHost` against one origin. */
async function once(
  loaded: Fleet,
  bases: readonly KnowledgeBase[],
  flags: FleetFlags,
  world: World,
): Promise<number> {
  const screen = screenOf(world, flags);
  const stop = new AbortController();
  const off = world.onSignal((name) => {
    if (stop.signal.aborted) return world.leave(EXIT.interrupted);
    screen.talk(stoppingText(name));
    stop.abort();
    return undefined;
  });
  const sinceMs = world.clock.now();
  const all = pLimit(loaded.atOnce);
  const hosts = new Map<string, ReturnType<typeof pLimit>>();
  const ended: { readonly name: string; readonly end: RunEnd }[] = [];
  const run = async (base: KnowledgeBase): Promise<void> => {
    if (stop.signal.aborted) return;
    const options = { cwd: world.cwd, env: world.env, sinceMs, signal: stop.signal };
    const end = await runAndRemember(loaded, base, options, world);
    ended.push({ name: base.name, end });
    const isQuiet = screen.isJson || (screen.isQuiet && end.condition === 'in-sync');
    if (!isQuiet) screen.answer(`${runLine(base.name, end)} (${lasting(end.durationMs)})`);
  };
  try {
    await Promise.all(
      bases.map((base) => {
        const host = hosts.get(base.origin) ?? pLimit(loaded.perHost);
        hosts.set(base.origin, host);
        return host(() => all(() => run(base)));
      }),
    );
  } finally {
    off();
  }
  if (screen.isJson) {
    const runs = ended.map(({ name, end: { condition, mayRetry, message, durationMs } }) => ({
      name,
      condition,
      mayRetry,
      message,
      durationMs: Math.round(durationMs),
    }));
    screen.document({ format: JSON_FORMAT, runs });
  }
  return stop.signal.aborted ? EXIT.interrupted : worstExit(ended.map(({ end }) => exitOf(end)));
}
