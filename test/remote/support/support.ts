import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { RunEvent } from '../../../src/model/event.ts';
import { checkApiKey, parseBaseUrl } from '../../../src/remote/address.ts';
import { createRemote } from '../../../src/remote/client.ts';
import type { RemoteClient, RemoteOptions } from '../../../src/remote/client.ts';
import type { Clock } from '../../../src/model/clock.ts';
import { RemoteError } from '../../../src/remote/error.ts';
import type { Send } from '../../../src/remote/remote.ts';

export const API_KEY = checkApiKey('kb_canary-7Q/x+9=secret');

/** A clock whose sleeps are over at once and move it on. */
export function virtualClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  let nowMs = 1_750_000_000_000;
  return {
    slept,
    now: () => nowMs,
    sleep(ms) {
      slept.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
  };
}

export interface Rig {
  readonly remote: RemoteClient;
  readonly events: RunEvent[];
  readonly clock: ReturnType<typeof virtualClock>;
}

export function rig(options: Partial<RemoteOptions> & Pick<RemoteOptions, 'send'>): Rig {
  const events: RunEvent[] = [];
  const clock = virtualClock();
  const remote = createRemote({
    address: parseBaseUrl('https://kb.example.com'),
    apiKey: API_KEY,
    emit: (event) => events.push(event),
    clock,
    random: () => 0.5,
    concurrencyMax: 8,
    capabilities: {},
    defaultLanguage: 'en',
    ...options,
  });
  return { remote, events, clock };
}

export function json(value: unknown, init: ResponseInit = {}): Response {
  return new Response(JSON.stringify(value), {
    ...init,
    headers: { 'content-type': 'application/json', ...Object.fromEntries(new Headers(init.headers)) },
  });
}

/** The RemoteError that the call throws; anything else fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<RemoteError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in outcome)) throw new Error(`no failure, but ${JSON.stringify(outcome.value)}`);
  if (!(outcome.error instanceof RemoteError)) throw outcome.error;
  return outcome.error;
}

/** A real server on loopback that ends with the test. */
export async function listening(
  listener: RequestListener,
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, server };
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** Answers by the path with its query. */
export function service(answers: Readonly<Record<string, () => Response>>): {
  readonly send: Send;
  readonly paths: string[];
} {
  const paths: string[] = [];
  return {
    paths,
    send: (request) => {
      const { pathname, search } = new URL(request.url);
      paths.push(pathname + search);
      return Promise.resolve(answers[pathname + search]?.() ?? notFound());
    },
  };
}

export const notFound = (): Response => json({ success: false, message: 'not found' }, { status: 404 });

/** A server's JSON answer. */
export function answer(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
