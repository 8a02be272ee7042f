import { EXIT } from './exit.ts';
import type { EventPrinter } from '../print/terminal/events.ts';
import type { World } from '../world.ts';

const GRACE_MS = 30_000;

/**
 * Ctrl-C and SIGTERM: the first one stops new sends and lets what is under way be answered, for 30 s at most; the
 * second one leaves at once. Both are safe: intents are on disk before they are sent.
 */
export function stopOnSignal(
  world: World,
  printer: EventPrinter,
): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  let cancelGrace: (() => void) | undefined;
  const leave = (): void => {
    printer.close();
    world.leave(EXIT.interrupted);
  };
  const off = world.onSignal((name) => {
    if (controller.signal.aborted) return leave();
    controller.abort();
    printer.line(stoppingText(name));
    cancelGrace = world.clock.after(GRACE_MS, leave);
    return undefined;
  });
  return {
    signal: controller.signal,
    dispose: () => {
      off();
      cancelGrace?.();
    },
  };
}

export function stoppingText(name: 'SIGINT' | 'SIGTERM'): string {
  const text = 'stopping: finishing what is under way';
  return name === 'SIGINT' ? `${text}, Ctrl-C again leaves now` : text;
}
