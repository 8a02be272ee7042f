import type { Answered, Observe } from '../../service/observe.ts';
import type { ServiceApp } from '../../service/app.ts';
import { visible } from '../plain.ts';
import type { Screen } from '../screen.ts';
import type { World } from '../world.ts';
import type { ServeFlags } from './serve-flags.ts';

/** What is told about a running service, and to whom. */
export interface Watch {
  /** Undefined when nobody listens: then requests are not timed either. */
  readonly observe: Observe | undefined;
  readonly metricsApp: ServiceApp | undefined;
  readonly failed: (error: unknown, request: string) => void;
  readonly note: (message: string) => void;
}

/** `--log`: JSON lines by pino on stderr. `--verbose`: a line for people. `--metrics-port`: counters. */
export async function watchOf(flags: ServeFlags, screen: Screen, world: World): Promise<Watch> {
  const log = flags.log ? await jsonLog(world) : undefined;
  const metrics = flags.metricsPort === undefined ? undefined : await metricsOf();
  const listeners: readonly Observe[] = [
    ...(log === undefined ? [] : [log.answered]),
    ...(metrics === undefined ? [] : [metrics.observe]),
    ...(flags.verbose && log === undefined ? [(answered: Answered) => screen.talk(lineOf(answered))] : []),
  ];
  return {
    observe:
      listeners.length === 0 ? undefined : (answered) => listeners.forEach((listen) => listen(answered)),
    metricsApp: metrics?.app,
    failed: (error, request) => {
      if (log !== undefined) return log.failed(error, request);
      const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return screen.complain(`${visible(request)}  500\n${why}`);
    },
    note: (message) => (log === undefined ? screen.talk(message) : log.note(message)),
  };
}

async function jsonLog(world: World) {
  const { pino } = await import('pino');
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: world.stderr.write },
  );
  return {
    answered: ({ requestId, method, path, status, durationMs, keyPrefix }: Answered) =>
      logger[status >= 500 ? 'error' : 'info'](
        { requestId, method, path, status, durationMs: Math.round(durationMs * 1000) / 1000, key: keyPrefix },
        'answered',
      ),
    failed: (error: unknown, request: string) => logger.error({ err: error, request }, 'failed'),
    note: (message: string) => logger.info(message),
  };
}

async function metricsOf() {
  const [{ createMetrics, createMetricsApp }, { processGauges }] = await Promise.all([
    import('../../service/metrics.ts'),
    import('../../service/listen.ts'),
  ]);
  const metrics = createMetrics(processGauges);
  return { observe: metrics.observe, app: createMetricsApp(metrics) };
}

function lineOf({ method, path, status, durationMs }: Answered): string {
  return `${method} ${visible(path)}  ${status}  ${Math.round(durationMs)} ms`;
}
