import { HEADERS } from '../contract/index.ts';

const EXPOSED = [
  'Location',
  'ETag',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  ...Object.values(HEADERS),
];
const ALLOWED = ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', HEADERS.idempotencyKey];
const KEPT_SECONDS = 600;

/**
 * Lets pages of one origin read the answers. Credentials of the browser stay out: the key travels in a header that the page
 * has to set itself. Without this the service says nothing about origins, and browsers keep pages of others out.
 */
export function withCors(
  answer: (request: Request) => Promise<Response>,
  origin: string,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
    if (isPreflight && request.headers.get('origin') === origin) {
      return new Response(null, {
        status: 204,
        headers: {
          'Access-Control-Allow-Origin': origin,
          'Access-Control-Allow-Methods': 'GET, PUT, POST, DELETE',
          'Access-Control-Allow-Headers': ALLOWED.join(', '),
          'Access-Control-Max-Age': String(KEPT_SECONDS),
          Vary: 'Origin',
        },
      });
    }
    const response = await answer(request);
    response.headers.append('Vary', 'Origin');
    if (request.headers.get('origin') === origin) {
      response.headers.set('Access-Control-Allow-Origin', origin);
      response.headers.set('Access-Control-Expose-Headers', EXPOSED.join(', '));
    }
    return response;
  };
}
