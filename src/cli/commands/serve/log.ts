import type { Answered, Observe } from '../../../service/http/observe.ts';
import type { Gauges } from '../../../service/http/metrics.ts';
import type { ServiceApp } from '../../../service/app.ts';
import { visible } from '../../../model/visible.ts';
import type { Screen } from '../../print/terminal/screen.ts';
import type { World } from '../../world.ts';
import type { ServeFlags } from './command.ts';

/** What a running service reports, and where. */
export interface ServiceLog {
  /** Undefined when nobody listens: then requests are not timed either. */
  readonly observe: Observe | undefined;
  readonly metricsApp: ServiceApp | undefined;
  readonly failed: (error: unknown, request: string) => void;
  /** The database begins to fail, with the cause, or works again, without one. */
  readonly outage: (message: string, cause: unknown) => void;
  readonly note: (message: string) => void;
}

/** `--log`: JSON lines by pino on stderr. `--verbose`: a line for people. `--metrics-port`: counters. */
export async function serviceLog(
  flags: ServeFlags,
  { screen, world, gauges }: { readonly screen: Screen; readonly world: World; readonly gauges: Gauges },
): Promise<ServiceLog> {
  const log = flags.log ? await jsonLog(world) : undefined;
  const metrics = flags.metricsPort === undefined ? undefined : await metricsOf(gauges);
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
    outage: (message, cause) => {
      if (log !== undefined) return log.outage(message, cause);
      return cause === undefined ? screen.talk(message) : screen.complain(visible(message));
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
    answered: ({ requestId, method, path, status, durationMs, from, keyPrefix }: Answered) => {
      const ms = Math.round(durationMs * 1000) / 1000;
      logger[status >= 500 ? 'error' : 'info'](
        { requestId, method, path, status, durationMs: ms, from, key: keyPrefix },
        'answered',
      );
    },
    failed: (error: unknown, request: string) => logger.error({ err: error, request }, 'failed'),
    outage: (message: string, cause: unknown) =>
      cause === undefined ? logger.info(message) : logger.error({ err: cause }, message),
    note: (message: string) => logger.info(message),
  };
}

async function metricsOf(gauges: Gauges) {
  const [{ createMetrics, createMetricsApp }, { watchProcess }] = await Promise.all([
    import('../../../service/http/metrics.ts'),
    import('../../../service/listen.ts'),
  ]);
  const ofProcess = watchProcess();
  const metrics = createMetrics(() => ({ ...ofProcess(), ...gauges() }));
  return { observe: metrics.observe, app: createMetricsApp(metrics) };
}

function lineOf({ method, path, status, durationMs }: Answered): string {
  return `${method} ${visible(path)}  ${status}  ${Math.round(durationMs)} ms`;
}
