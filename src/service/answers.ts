import { CAPABILITY_TOKENS, HEADERS } from '../contract/index.ts';
import { Refusal } from './refusal.ts';
import { StoreError } from './store/store.ts';

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
  return new Response(JSON.stringify(body), { status, headers: { ...COMMON_HEADERS, ...headers } });
}

/** The answer to what a handler threw. What is no refusal and no known failure of the store is told to `onFailure`. */
export function answerFailure(error: unknown, onFailure: (error: unknown) => void): Response {
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
        return refuse(
          new Refusal(503, `nothing was written: ${error.message}; try again`, {
            'Retry-After': RETRY_AFTER_SECONDS,
          }),
        );
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
  return answer(500, { success: false, message: 'the service failed; the cause is in its log' });
}

function refuse({ status, message, headers }: Refusal): Response {
  return answer(status, { success: false, message }, headers);
}
