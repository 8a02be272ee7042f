import type { Answer } from './answer.ts';
import { readAnswer } from './answer.ts';
import type { Call, CallerOptions } from './call.ts';
import { RemoteError } from '../error.ts';
import { exchangeOver } from './exchange.ts';
import type { PlainResponse } from './exchange.ts';
import type { Interrupt } from './interrupt.ts';
import type { CleanText } from './clean-text.ts';
import { createPace } from './pace.ts';
import { comeBack } from './retry-after.ts';
import { isLongWait } from './retry.ts';
import { SendError } from './send-error.ts';
import { urlOf } from '../../text/url.ts';

export interface Attempt {
  /** Sends the request exactly once, unless the run is interrupted before. Throws RemoteError. */
  attempt(call: Call): Promise<Answer>;
  /** Sent so far. */
  requests(): number;
  /** Whether a request that was refused with 429 may be sent again: others got answers, or few were refused. */
  isWorthWaiting(): boolean;
}

/** One try of a call. A refusal for the number of requests holds back all: it speaks of the client, not of the request. */
export function createAttempt(options: CallerOptions, interrupt: Interrupt): Attempt {
  const { address, clean, clock, emit, send } = options;
  const common = { authorization: `Bearer ${options.apiKey}`, 'content-type': 'application/json' };
  let requests = 0;
  const pace = createPace(() => clock.now());

  const exchange = exchangeOver(send);

  /** Some frameworks write every address with a slash at its end, and redirect those without. */
  let endsWithSlash = false;
  const spelled = (path: string): string => (endsWithSlash ? withSlash(path) : path);

  const answered = async (
    call: Call,
    request: string,
    sawStatus: (status: number) => void,
  ): Promise<Answer> => {
    const { method, path, body, bytesMax, effect, knownDigest, knownTag, slug } = call;
    const asked = knownTag === undefined ? call.headers : { ...call.headers, 'if-none-match': knownTag };
    const headers = asked === undefined ? common : { ...common, ...asked };
    let sentAtMs = clock.now();
    const ask = (): Promise<PlainResponse> =>
      exchange({ method, url: `${address.href}${spelled(path)}`, headers, body, bytesMax });
    // Another request may learn of the slash while this one is under way.
    const isWithout = !endsWithSlash;
    let response = await ask();
    if (isWithout && isSentToSlash(response, `${address.href}${path}`)) {
      endsWithSlash = true;
      requests++;
      sentAtMs = clock.now();
      response = await ask();
    }
    sawStatus(response.status);
    const isConditional = knownTag !== undefined;
    const context = {
      request,
      effect,
      base: address,
      nowMs: clock.now(),
      sentAtMs,
      clean,
      knownDigest,
      isConditional,
      slug,
    };
    return readAnswer(response, context);
  };

  return {
    async attempt(call) {
      const { method, path } = call;
      const request = `${method} ${path}`;
      for (let waitMs = pace.untilMs() - clock.now(); waitMs > 0; waitMs = pace.untilMs() - clock.now()) {
        if (isLongWait({ retryAfterMs: waitMs }) && options.waits !== true)
          throw new RemoteError('not-sent', `${request}: not sent: ${comeBack(pace.untilMs())}`, {
            request,
            retryAfterMs: waitMs,
          });
        await interrupt.sleep(waitMs, request);
      }
      interrupt.check(request);
      // Waiting for its turn, or for the service's Retry-After, may have taken minutes.
      if (call.staleAtMs !== undefined && clock.now() > call.staleAtMs)
        throw new RemoteError('stale', `${request}: not sent: the record was read too long ago`, {
          request,
        });
      requests++;
      const startMs = clock.now();
      let status: number | undefined;
      const sawStatus = (seen: number): void => {
        status = seen;
      };
      try {
        const whole = (): Promise<Answer> => answered(call, request, sawStatus);
        const answer = await interrupt.whole(whole, request, call.effect !== 'read');
        pace.answered();
        return answer;
      } catch (error) {
        const failed = remoteError(error, call, request, clean);
        if (failed instanceof RemoteError) pace.refused(failed, startMs);
        throw failed;
      } finally {
        emit({ type: 'request', method, path, status, durationMs: clock.now() - startMs });
      }
    },
    requests: () => requests,
    isWorthWaiting: () => pace.isWorthWaiting(),
  };
}

function withSlash(path: string): string {
  return path.replace(/(?=\?|$)/, '/');
}

/**
 * Whether all that the answer asks for is a slash at the end of the same address of the same host. Whoever redirects has
 * not carried the request out, so it may be sent again; the key goes where it went before.
 */
function isSentToSlash({ status, headers }: PlainResponse, url: string): boolean {
  const { location } = headers;
  if (![301, 302, 307, 308].includes(status) || location === undefined) return false;
  return urlOf(location, url)?.href === new URL(withSlash(url)).href;
}

function remoteError(error: unknown, call: Call, request: string, clean: CleanText): unknown {
  if (error instanceof RemoteError) return error;
  if (error instanceof Error && error.message.startsWith('bug:')) return error;
  const code = error instanceof SendError ? error.code : 'unclear';
  const reason = clean(error instanceof Error ? error.message : String(error));
  return new RemoteError(code, `${request}: ${failedWords(code, call)}: ${reason}`, {
    request,
    // A foreign error may quote the request's headers: whoever logs a cause would log the key.
    cause: error instanceof SendError ? error : undefined,
  });
}

function failedWords(code: SendError['code'], call: Call): string {
  if (code === 'not-sent') return 'not sent';
  return call.effect === 'read' ? 'no answer' : 'no answer; the change may have been made';
}
