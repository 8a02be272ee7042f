import type { Emit } from '../../model/event.ts';
import type { ApiKey, BaseUrl } from '../address.ts';
import type { Clock } from '../../model/clock.ts';
import type { FastSend } from './exchange.ts';
import type { CleanText } from './clean-text.ts';
import type { Effect } from './retry.ts';

export interface CallerOptions {
  readonly address: BaseUrl;
  readonly apiKey: ApiKey;
  readonly clean: CleanText;
  readonly send: FastSend;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly random: () => number;
  readonly concurrencyMax: number;
  readonly signal?: AbortSignal;
  /** Sits out a Retry-After of any length; else one beyond a minute ends the call. */
  readonly waits?: boolean | undefined;
  /** The address has answered as the API does, in an earlier run. */
  readonly isProved?: boolean | undefined;
}

export interface Call {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** From `/api/v2` on, ids percent-encoded, with the query. */
  readonly path: string;
  readonly effect: Effect;
  /** It names no record. */
  readonly isList?: boolean;
  readonly bytesMax: number;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** After this instant it is no longer sent: it was decided on data that is then too old. */
  readonly staleAtMs?: number | undefined;
  /** The digest of a body that was understood before: the same bytes are not parsed before they are asked for. */
  readonly knownDigest?: string | undefined;
  /** The ETag of that body: goes as If-None-Match, and a 304 is an answer then. */
  readonly knownTag?: string | undefined;
  /** Of what is written: an answer may lead to its page. */
  readonly slug?: string | undefined;
}
