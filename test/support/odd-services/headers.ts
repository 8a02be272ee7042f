import { seededRandom } from '../random.ts';
import { askedOf, changedRequest, changedResponse, jsonOf, refusal } from './seam.ts';
import type { Oddity } from './seam.ts';

const EXTRA = ['KB-Capabilities', 'KB-Last-Edited', 'X-Total-Count', 'Location', 'ETag'];

/** The spec and nothing more: none of the headers by which our own service fills its gaps, but for those in `keep`. */
export function plain(...keep: readonly string[]): Oddity {
  return () => (send) => async (request) => {
    const response = await send(await changedRequest(request, { without: ['If-Match', 'Idempotency-Key'] }));
    for (const name of EXTRA) if (!keep.includes(name)) response.headers.delete(name);
    return response;
  };
}

/** Everything that our service offers but the id of a new record. */
export const noLocation: Oddity = () => (send) => async (request) => {
  const response = await send(request);
  const tokens = (response.headers.get('KB-Capabilities') ?? '').split(', ');
  response.headers.set('KB-Capabilities', tokens.filter((token) => token !== 'location').join(', '));
  response.headers.delete('Location');
  return response;
};

/** The create's answer names the id in its body: `{"data":{"id":…}}`. */
export const idInBody: Oddity = () => (send) => async (request) => {
  const response = await send(request);
  const id = response.headers.get('Location')?.split('/').at(-1);
  if (request.method !== 'PUT' || id === undefined) return response;
  return changedResponse(response, { ...(await jsonOf(response)), data: { id: decodeURIComponent(id) } });
};

/** At most `most` requests in a second; the others are refused before anything is done. */
export function rateLimited(most: number, retryAfter: string | undefined): Oddity {
  return ({ now }) => {
    let second = 0;
    let count = 0;
    return (send) => async (request) => {
      const current = Math.floor(now() / 1000);
      if (current !== second) count = 0;
      second = current;
      count += 1;
      if (count <= most) return send(request);
      return refusal(429, 'slow down', retryAfter === undefined ? {} : { 'Retry-After': retryAfter });
    };
  };
}

/** One request of `nth`, by chance, is refused before anything is done. */
export function refusesEach(nth: number, retryAfter: string | undefined): Oddity {
  return () => {
    const random = seededRandom(nth);
    return (send) => async (request) => {
      if (random() * nth >= 1) return send(request);
      return refusal(503, 'busy', retryAfter === undefined ? {} : { 'Retry-After': retryAfter });
    };
  };
}

/** Errors come as `200` with `success: false`. */
export const errorsAs200: Oddity = () => (send) => async (request) => {
  const response = await send(request);
  return response.status < 400 || response.status === 401
    ? response
    : changedResponse(response, await jsonOf(response), 200);
};

/** An id that is not there is answered with `status` instead of 404. */
export function notFoundAs(status: number): Oddity {
  return () => (send) => async (request) => {
    const response = await send(request);
    if (response.status !== 404) return response;
    const { id = '' } = askedOf(request);
    return changedResponse(response, { success: false, message: `cannot read ${id}` }, status);
  };
}

/** A delete is done and answered 404, as behind a proxy that repeats requests. */
export const deleteAs404: Oddity = () => (send) => async (request) => {
  const response = await send(request);
  if (request.method !== 'DELETE' || !response.ok) return response;
  return changedResponse(response, { success: false, message: 'no such record' }, 404);
};
