import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isShown } from '../../service/records/etag.ts';

/**
 * On every page. Scripts and styles come from files of ours alone, so nothing in an article could run even if the
 * sanitiser had a hole; pictures and films may come from anywhere, because articles keep them elsewhere.
 */
const SAFETY: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' https: http:",
    "media-src 'self' https: http:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** `revalidate` may be kept, and is asked for again · `forever` never changes under its address · `private` not kept. */
export type Keeping = 'revalidate' | 'forever' | 'private';

const CACHE_CONTROL: Readonly<Record<Keeping, string>> = {
  revalidate: 'no-cache',
  forever: 'public, max-age=31536000, immutable',
  private: 'private, no-store',
};

export interface Content {
  readonly status?: number;
  readonly type: string;
  readonly text: string | Uint8Array;
  readonly keeping: Keeping;
  readonly language?: string;
}

const GZIP_BYTES_MIN = 1000;
/** A page of many megabytes is made ready in slices, with a look at the event loop after each: nobody waits for all of it. */
const SLICE_LENGTH = 512 * 1024;
/** In threads of Node's own: a long text takes too long for the event loop. */
const gzipped = promisify(gzip);

/** SHA-256 as base64url. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < bytes.length; start += SLICE_LENGTH) {
    if (start > 0) await setImmediate();
    hash.update(bytes.subarray(start, start + SLICE_LENGTH));
  }
  return hash.digest('base64url');
}

/** A text in UTF-8. */
export async function bytesOf(text: string): Promise<Uint8Array> {
  if (text.length <= SLICE_LENGTH) return Buffer.from(text);
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  let written = 0;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + SLICE_LENGTH;
    if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    written += bytes.write(text.slice(start, end), written);
    await setImmediate();
  }
  return bytes;
}

/** The first half of a sign of two code units: it is written together with the second. */
function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Content that can be sent more than once: what is the same each time is made once. */
export interface Prepared {
  /** Without the text: `plain` has it. */
  readonly content: Omit<Content, 'text'>;
  readonly plain: Uint8Array;
  readonly etag: string;
  /** For those who take it; from the first of them on. */
  gzipped?: Uint8Array;
}

export async function prepared({ text, ...content }: Content): Promise<Prepared> {
  const plain = typeof text === 'string' ? await bytesOf(text) : text;
  return { content, plain, etag: `W/"${(await digestOf(plain)).slice(0, 22)}"` };
}

/** Long answers that some reader still takes: the same bytes are there once, however many wait for them. */
const underWay = new Map<string, WeakRef<Uint8Array>>();
const collected = new FinalizationRegistry<string>((etag) => {
  if (underWay.get(etag)?.deref() === undefined) underWay.delete(etag);
});

/** A long body; who waits for the same one shares its bytes. */
export async function sharedReply(request: Request, content: Content): Promise<Response> {
  const made = await prepared(content);
  const known = underWay.get(made.etag)?.deref();
  if (known !== undefined) return preparedReply(request, { ...made, plain: known });
  underWay.set(made.etag, new WeakRef(made.plain));
  collected.register(made.plain, made.etag);
  return preparedReply(request, made);
}

/** A body with what browsers and caches need: validators, compression, and a 304 to who has it already. */
export async function contentReply(request: Request, content: Content): Promise<Response> {
  return preparedReply(request, await prepared(content));
}

export async function preparedReply(request: Request, reply: Prepared): Promise<Response> {
  const { content, plain, etag } = reply;
  const { status = 200, type, keeping, language } = content;
  const headers = new Headers({
    ...SAFETY,
    'Cache-Control': CACHE_CONTROL[keeping],
    // The page is another one as Markdown, with another colour or in a preview; redirects by language are not kept.
    Vary: keeping === 'forever' ? 'Accept-Encoding' : 'Accept, Accept-Encoding, Cookie',
    ...(language === undefined ? {} : { 'Content-Language': language }),
  });
  if (status === 200 && keeping !== 'private') headers.set('ETag', etag);
  const known = request.headers.get('if-none-match') ?? '';
  if (status === 200 && keeping !== 'private' && isShown(known, { etag, exists: true })) {
    return new Response(null, { status: 304, headers });
  }
  headers.set('Content-Type', type);
  const accepts = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(request.headers.get('accept-encoding') ?? '');
  const body = accepts && plain.length >= GZIP_BYTES_MIN ? await gzippedOf(reply) : plain;
  if (body !== plain) headers.set('Content-Encoding', 'gzip');
  headers.set('Content-Length', String(body.length));
  return new Response(request.method === 'HEAD' ? null : body, { status, headers });
}

async function gzippedOf(reply: Prepared): Promise<Uint8Array> {
  // A copy: what zlib gives holds the whole of its buffer in memory.
  reply.gzipped ??= new Uint8Array(await gzipped(reply.plain, { level: 5 }));
  return reply.gzipped;
}

/** To a path of this site. */
export function redirect(
  status: 301 | 302 | 303 | 308,
  path: string,
  headers: Readonly<Record<string, string>> = {},
) {
  return new Response(null, {
    status,
    headers: { ...SAFETY, Location: path, 'Cache-Control': 'no-cache', ...headers },
  });
}

export function textReply(status: number, text: string, headers: Readonly<Record<string, string>> = {}) {
  return new Response(text, {
    status,
    headers: { ...SAFETY, 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  });
}
