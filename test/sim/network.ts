import type { Exchange, FastSend, PlainRequest, PlainResponse } from '../../src/remote/http/exchange.ts';
import { Crash } from '../support/simulated-disk.ts';
import type { Chance } from './random.ts';
import type { Look, Personality, SimService } from './service.ts';

/** What may happen to a request on its way. `crash-…`: the process that sent it dies. */
export const FAULTS = [
  'refused',
  'lost-before',
  'lost-after',
  '500-before',
  '500-after',
  '502-html-after',
  '200-html-before',
  '200-html-after',
  'cut-after',
  '429',
  '503',
  '503-after',
  'late',
] as const;
export type FaultName = (typeof FAULTS)[number];

export type Weather = (
  request: PlainRequest,
  index: number,
) => FaultName | 'crash-before' | 'crash-after' | undefined;

export interface Process {
  readonly name: string;
  isDead: boolean;
}

export interface NetworkOptions {
  readonly service: SimService;
  readonly personality: Personality;
  readonly chance: Chance;
  readonly advance: (ms: number) => void;
  readonly now: () => number;
  /** Somebody else may act before each request. */
  readonly between: () => void;
  readonly trace: (line: string) => void;
  readonly takeLooks: () => readonly Look[];
  readonly received: (looks: readonly Look[]) => void;
  readonly sendError: (code: 'not-sent' | 'unclear', message: string) => Error;
}

export interface Network {
  /** What one process sends through. */
  sendOf(process: Process, weather: Weather): FastSend & { readonly exchange: Exchange };
  /** Carries out what was late and is due. */
  arriveLate(): void;
  requests(): number;
  /** When the request that is being carried out was sent. */
  sentMs(): number;
}

const HTML = Buffer.from('<!doctype html><title>Bad gateway</title>');
/** A create that arrives later than the settle time is a duplicate that no client can prevent (reliability.md 8.2). */
const LATE_MS_MAX = 45_000;

export function createNetwork(options: NetworkOptions): Network {
  const { service, personality, chance, advance, now, between, trace, sendError } = options;
  const late: { readonly atMs: number; readonly request: PlainRequest; readonly by: string }[] = [];
  let count = 0;
  let sentMs = 0;

  const arriveLate = (): void => {
    for (const each of late.splice(0).sort((a, b) => a.atMs - b.atMs)) {
      if (each.atMs > now()) late.push(each);
      else trace(`late ${each.request.method} ${service.handle(each.request, each.by).status}`);
    }
  };

  const underWeather = (
    request: PlainRequest,
    process: Process,
    fault: ReturnType<Weather>,
  ): PlainResponse => {
    const handle = (): PlainResponse => service.handle(request, process.name);
    switch (fault) {
      case undefined:
        return handle();
      case 'crash-before':
        process.isDead = true;
        throw new Crash('killed before the request left');
      case 'crash-after':
        handle();
        process.isDead = true;
        throw new Crash('killed before the answer came');
      case 'refused':
        throw sendError('not-sent', 'connect ECONNREFUSED');
      case 'lost-before':
        throw sendError('unclear', 'socket hang up');
      case 'lost-after':
        handle();
        throw sendError('unclear', 'socket hang up');
      case 'late':
        // Without If-Match a late edit overwrites what came after it, and nobody can prevent that: only creates are late.
        if (request.method !== 'PUT') throw sendError('unclear', 'timeout');
        late.push({ atMs: now() + chance.below(LATE_MS_MAX), request, by: process.name });
        throw sendError('unclear', 'timeout');
      default:
        return answered(fault, handle);
    }
  };

  return {
    arriveLate,
    requests: () => count,
    sentMs: () => sentMs,
    sendOf(process, weather) {
      const exchange: Exchange = async (request) => {
        if (process.isDead) throw new Crash('the process is dead');
        const fault = weather(request, count);
        count += 1;
        const leftMs = now();
        advance(chance.happens(0.05) ? 1000 + chance.below(5000) : 20 + chance.below(30));
        arriveLate();
        between();
        sentMs = leftMs;
        const path = request.url.slice(request.url.indexOf('/api/v2/') + 8);
        try {
          const response = underWeather(request, process, fault);
          trace(`${process.name} ${request.method} ${path} ${fault ?? ''} ${response.status}`);
          const looks = options.takeLooks();
          // The answer takes its time too.
          await Promise.resolve();
          options.received(looks);
          return personality.headers ? response : withoutHeaders(response);
        } catch (error) {
          trace(`${process.name} ${request.method} ${path} ${fault ?? ''} ${(error as Error).message}`);
          throw error;
        }
      };
      const unused = (): never => {
        throw new Error('bug: the simulation exchanges plain values');
      };
      return Object.assign(unused as unknown as FastSend, { exchange });
    },
  };
}

function withoutHeaders(response: PlainResponse): PlainResponse {
  const type = response.headers['content-type'];
  const wait = response.headers['retry-after'];
  return {
    ...response,
    headers: {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(wait === undefined ? {} : { 'retry-after': wait }),
    },
  };
}

function answered(fault: FaultName, handle: () => PlainResponse): PlainResponse {
  const whole = fault.endsWith('-after') ? handle() : undefined;
  switch (fault) {
    case '502-html-after':
      return page(502);
    case '200-html-before':
    case '200-html-after':
      return page(200);
    case 'cut-after': {
      const response = whole ?? handle();
      return { ...response, body: response.body.subarray(0, Math.floor(response.body.length / 2)) };
    }
    case '429':
      return said(429, { 'retry-after': '2' });
    case '503':
    case '503-after':
      return said(503, { 'retry-after': '3' });
    default:
      return said(500, {});
  }
}

function page(status: number): PlainResponse {
  return { status, headers: { 'content-type': 'text/html' }, body: HTML };
}

function said(status: number, headers: Readonly<Record<string, string>>): PlainResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from('{"success":false,"message":"an accident"}'),
  };
}
