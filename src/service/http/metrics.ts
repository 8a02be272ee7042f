import type { Observe } from './observe.ts';

export interface Metrics {
  readonly observe: Observe;
  /** The text of Prometheus' exposition format, version 0.0.4. */
  text(): string;
}

/** Values that are read when somebody asks: memory, CPU time, what waits. Names end in a unit. */
export type Gauges = () => Readonly<Record<string, number>>;

const HELP: Readonly<Record<string, string>> = {
  process_cpu_seconds_total: 'Processor time of the process, of all its threads.',
  process_resident_memory_bytes: 'Memory of the process.',
  process_uptime_seconds: 'Time since the start.',
  nodejs_heap_used_bytes: 'JavaScript heap in use.',
  nodejs_eventloop_delay_p50_seconds:
    'Delay of the event loop since the last scrape, with 10 ms of sampling in it.',
  nodejs_eventloop_delay_p99_seconds: 'The same, 99th percentile.',
  nodejs_eventloop_delay_p999_seconds: 'The same, 99.9th percentile.',
  nodejs_eventloop_delay_max_seconds: 'The same, longest.',
  http_connections: 'Open connections.',
  http_answers_waiting_bytes: 'Bytes of answers that wait for their readers.',
  http_connections_cut_total: 'Connections that were closed because their client kept others out.',
  database_reads_waiting: 'Reads that wait for the database.',
  database_writes_waiting: 'Writes that wait for the database.',
  database_bytes: 'Size of the database file and its log.',
};

const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

interface Series {
  readonly labels: string;
  readonly counts: number[];
  sumSeconds: number;
  count: number;
}

/**
 * Requests by method, route and status, and how long they took. Written by hand, because it is one counter, one histogram
 * and a few gauges: prom-client brings OpenTelemetry's API and a digest for percentiles that Prometheus works out itself.
 */
export function createMetrics(gauges: Gauges): Metrics {
  const series = new Map<string, Series>();
  return {
    observe({ method, route, status, durationMs }) {
      const known = /^(?:GET|HEAD|PUT|POST|DELETE|OPTIONS)$/.test(method) ? method : 'other';
      const labels = `method="${known}",route="${route}",status="${status}"`;
      let one = series.get(labels);
      if (one === undefined) {
        one = { labels, counts: BOUNDS_SECONDS.map(() => 0), sumSeconds: 0, count: 0 };
        series.set(labels, one);
      }
      const seconds = durationMs / 1000;
      const at = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound);
      if (at !== -1) one.counts[at] = (one.counts[at] ?? 0) + 1;
      one.sumSeconds += seconds;
      one.count += 1;
    },
    text() {
      const lines = [
        '# HELP kbsync_http_request_duration_seconds Time from a request to its answer.',
        '# TYPE kbsync_http_request_duration_seconds histogram',
        ...[...series.values()].flatMap(linesOf),
      ];
      for (const [name, value] of Object.entries(gauges())) {
        const full = `kbsync_${name}`;
        if (HELP[name] !== undefined) lines.push(`# HELP ${full} ${HELP[name]}`);
        lines.push(`# TYPE ${full} ${name.endsWith('_total') ? 'counter' : 'gauge'}`, `${full} ${value}`);
      }
      return `${lines.join('\n')}\n`;
    },
  };
}

function linesOf({ labels, counts, sumSeconds, count }: Series): readonly string[] {
  const name = 'kbsync_http_request_duration_seconds';
  let below = 0;
  const buckets = BOUNDS_SECONDS.map((bound, at) => {
    below += counts[at] ?? 0;
    return `${name}_bucket{${labels},le="${bound}"} ${below}`;
  });
  return [
    ...buckets,
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sumSeconds}`,
    `${name}_count{${labels}} ${count}`,
  ];
}

/** `/metrics` for a port of its own: what it tells is for the operator, and a scraper has no key. */
export function createMetricsApp(metrics: Metrics): {
  readonly fetch: (request: Request) => Promise<Response>;
} {
  return {
    fetch: async ({ method, url }) => {
      const isAsked = new URL(url).pathname === '/metrics' && (method === 'GET' || method === 'HEAD');
      return isAsked
        ? new Response(metrics.text(), {
            headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
          })
        : new Response('only /metrics is here\n', { status: 404, headers: { 'Content-Type': 'text/plain' } });
    },
  };
}
