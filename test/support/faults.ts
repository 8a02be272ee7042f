import { SendError } from '../../src/remote/http/send-error.ts';
import type { Send } from '../../src/remote/remote.ts';

/** What may happen to one request: it is lost on the way, carried out with its answer lost, or answered with something else. */
export type Fault =
  | { readonly how: 'refused' }
  | { readonly how: 'lost-before' }
  | { readonly how: 'lost-after' }
  | {
      readonly how: 'answer';
      readonly status: number;
      readonly body: string;
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Carried out, then answered otherwise. */
  | { readonly how: 'answer-after'; readonly status: number; readonly body: string; readonly type?: string };

export type FaultFor = (request: Request, count: number) => Fault | undefined;

/** A service between which and the client some requests go wrong. `count` numbers the requests from 0. */
export function faulty(send: Send, faultFor: FaultFor): Send {
  let count = 0;
  return async (request) => {
    const fault = faultFor(request, count);
    count += 1;
    switch (fault?.how) {
      case undefined:
        return send(request);
      case 'refused':
        throw new SendError('not-sent', 'connect ECONNREFUSED', { isTimeout: false, cause: undefined });
      case 'lost-before':
        throw reset();
      case 'lost-after':
        await send(request);
        throw reset();
      case 'answer':
        return answer(fault);
      case 'answer-after':
        await send(request);
        return answer(fault);
    }
  };
}

function reset(): Error {
  return new SendError('unclear', 'socket hang up', { isTimeout: false, cause: undefined });
}

function answer(fault: {
  status: number;
  body: string;
  type?: string;
  headers?: Readonly<Record<string, string>>;
}): Response {
  return new Response(fault.body, {
    status: fault.status,
    headers: { 'content-type': fault.type ?? 'application/json', ...fault.headers },
  });
}
