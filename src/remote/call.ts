import type { Emit } from '../model/event.ts';
import type { BaseUrl } from './base-url.ts';
import type { Clock } from './clock.ts';
import type { FastSend } from './exchange.ts';
import type { CleanText } from './remote-text.ts';
import type { RetryClass } from './retry.ts';

export interface CallerOptions {
  readonly base: BaseUrl;
  readonly apiKey: string;
  readonly clean: CleanText;
  readonly send: FastSend;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly random: () => number;
  readonly concurrencyMax: number;
  readonly signal?: AbortSignal;
}

export interface Call {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** From `/api/v2` on, ids percent-encoded, with the query. */
  readonly path: string;
  readonly retryClass: RetryClass;
  readonly bytesMax: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** After this instant it is not sent any more: what it was decided upon is too old. */
  readonly staleAtMs?: number | undefined;
  /** The digest of a body that was understood before: the same bytes are not parsed before they are asked for. */
  readonly knownDigest?: string | undefined;
}
