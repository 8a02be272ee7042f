import { CAPABILITY_TOKENS, HEADERS } from '../../contract/index.ts';
import { Refusal } from '../refusal.ts';
import { StoreError } from '../store/store.ts';
import { ThreadError } from '../thread.ts';

export type HeaderValues = Readonly<Record<string, string>>;

const RETRY_AFTER_SECONDS = '1';

/** On every answer of the API. Content is data here, never a page, so a browser is told to make nothing of it. */
const COMMON_HEADERS: HeaderValues = {
  'Content-Type': 'application/json',
  [HEADERS.capabilities]: CAPABILITY_TOKENS.join(', '),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'",
};

export function answer(status: number, body: unknown, headers: HeaderValues = {}): Response {
  return answerText(status, JSON.stringify(body), headers);
}

/** `json`: the body as it is sent. */
export function answerText(status: number, json: string, headers: HeaderValues = {}): Response {
  return new Response(json, { status, headers: { ...COMMON_HEADERS, ...headers } });
}

/** What the client has is what there is: 304 without a body. */
export function unchanged(headers: HeaderValues): Response {
  const { 'Content-Type': _, ...common } = COMMON_HEADERS;
  return new Response(null, { status: 304, headers: { ...common, ...headers } });
}

/**
 * The answer to an error of a handler. `onFailure` hears of every error that is neither a refusal nor a known failure of the store. Which
 * database it is and what ails it is in the log, and no stranger's business.
 */
export function answerFailure(
  error: unknown,
  { isRead, onFailure }: { readonly isRead: boolean; readonly onFailure: (error: unknown) => void },
): Response {
  if (error instanceof Refusal) return refuse(error);
  if (error instanceof StoreError) {
    switch (error.code) {
      case 'unique':
        return refuse(new Refusal(409, 'another record has this slug already'));
      case 'reference':
        return refuse(new Refusal(409, 'a record that this one names, or that names it, stands in the way'));
      case 'busy':
      case 'overloaded':
      case 'closed':
      case 'unsafe':
      case 'damaged':
      case 'disk': {
        const outcome = isRead ? '' : 'nothing was written: ';
        return refuse(
          new Refusal(503, `${outcome}${UNAVAILABLE[error.code]}; try again`, {
            'Retry-After': RETRY_AFTER_SECONDS,
          }),
        );
      }
      case 'unclear':
        // No Retry-After: it would say that nothing was done.
        return refuse(new Refusal(503, error.message));
      case 'schema':
      case 'unopened':
      case 'language':
        break;
    }
  }
  onFailure(error);
  if (error instanceof ThreadError) {
    const why =
      error.code === 'busy' ? 'too many long texts are being read' : 'the text could not be read in time';
    return refuse(
      new Refusal(503, `nothing was written: ${why}; try again`, { 'Retry-After': RETRY_AFTER_SECONDS }),
    );
  }
  return answer(500, { success: false, message: 'the service failed; the cause is in its log' });
}

const UNAVAILABLE = {
  busy: 'the database cannot be used now',
  overloaded: 'too many writes are waiting already',
  closed: 'the service is stopping',
  unsafe: 'the database cannot be used now',
  damaged: 'the database cannot be used now',
  disk: 'the database cannot be used now',
} as const;

function refuse({ status, message, headers }: Refusal): Response {
  return answer(status, { success: false, message }, headers);
}
