import pLimit from 'p-limit';
import { SetupError } from '../../../config/setup-error.ts';
import { startRun, type RunEnd } from '../../../fleet/runs/start-run.ts';
import { chosenBases, loadFleet, type Fleet, type KnowledgeBase } from '../../../fleet/settings/settings.ts';
import { EXIT } from '../../run/exit.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { lasting } from '../../print/numbers.ts';
import { screen as screenOf } from '../../print/screen.ts';
import { stoppingText } from '../../run/stop.ts';
import type { World } from '../../world.ts';
import type { FleetFlags } from './command.ts';
import { exitOf, worstExit } from './exit.ts';
import { runLine } from './print.ts';

/** `kbsync fleet`: keeps all knowledge bases of the file in sync. */
export async function fleet(names: readonly string[], flags: FleetFlags, world: World): Promise<number> {
  const loaded = await loadFleet(flags.file, world);
  if (flags.once) return once(loaded, chosenBases(loaded, names), flags, world);
  throw new SetupError('usage', 'kbsync fleet needs --once', { help: 'kbsync fleet --once' });
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
    const end = await startRun(loaded, base, options);
    ended.push({ name: base.name, end });
    if (!screen.isJson) screen.answer(`${runLine(base.name, end)} in ${lasting(end.durationMs)}`);
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
    const runs = ended.map(({ name, end: { durationMs, ...end } }) => ({
      name,
      ...end,
      durationMs: Math.round(durationMs),
    }));
    screen.document({ format: JSON_FORMAT, runs });
  }
  return stop.signal.aborted ? EXIT.interrupted : worstExit(ended.map(({ end }) => exitOf(end)));
}
