import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { HEADERS } from '../../contract/index.ts';

/**
 * Lets pages of one origin read the answers. Credentials of the browser stay out: the key travels in a header that the page
 * has to set itself. Without this the service says nothing about origins, and browsers keep pages of others out.
 */
export function corsFor(origin: string): MiddlewareHandler {
  return cors({
    origin: [origin],
    allowMethods: ['GET', 'PUT', 'POST', 'DELETE'],
    allowHeaders: [
      'Authorization',
      'Content-Type',
      'If-Match',
      'If-None-Match',
      'Prefer',
      HEADERS.idempotencyKey,
    ],
    exposeHeaders: [
      'Location',
      'ETag',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      ...Object.values(HEADERS),
    ],
    maxAge: 600,
  });
}
