import { utf8Text } from '../../text/utf8-text.ts';
import { Refusal } from '../refusal.ts';
import { checkJsonShape, type JsonLimits } from './json-shape.ts';

export interface BodyLimits extends JsonLimits {
  readonly bytesMax: number;
}

/**
 * The request's JSON, safe to store: UTF-8 without faults, within the limits, and without the two kinds of text that a
 * database cuts or changes silently (NUL, half a surrogate pair).
 * @throws Refusal 400, 413, 415
 */
export async function readJson(request: Request, limits: BodyLimits): Promise<unknown> {
  checkMediaType(request.headers);
  const text = utf8Text(await readBytes(request, limits.bytesMax));
  if (text === undefined) throw new Refusal(400, 'the body is not valid UTF-8');
  checkJsonShape(text, limits);
  const value = parse(text);
  checkText(value, '');
  return value;
}

function checkMediaType(headers: Headers): void {
  const given = headers.get('content-type') ?? '';
  const [type = '', ...parameters] = given.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (type !== 'application/json' || (charset !== undefined && !/^charset="?utf-8"?$/.test(charset))) {
    const found = given === '' ? 'missing' : JSON.stringify(given);
    throw new Refusal(415, `Content-Type is ${found}; it must be application/json in UTF-8`);
  }
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new Refusal(
      415,
      `Content-Encoding ${JSON.stringify(encoding)} is not taken; send the JSON as it is`,
    );
  }
}

const WHOLE_BYTES_MAX = 2 * 1024 * 1024;

/**
 * The body, counted while it arrives: what is larger is refused before it is in memory.
 * @throws Refusal 413, or 400 for a body that ends too early
 */
export async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  const tooLarge = (): Refusal =>
    new Refusal(413, `the body is larger than ${bytesMax} bytes, the most this service takes`);
  const declared = request.headers.get('content-length');
  if (Number(declared) > bytesMax) throw tooLarge();
  if (declared !== null && Number(declared) > WHOLE_BYTES_MAX) return readInto(request, Number(declared));
  if (declared !== null) {
    // HTTP/1.1 ends the body at the declared length; a Request made in memory may carry more.
    const bytes = new Uint8Array(await bytesOf(request));
    if (bytes.byteLength > bytesMax) throw tooLarge();
    return bytes;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength;
      if (length > bytesMax) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : cutOff(error);
  }
  const [first, ...more] = chunks;
  return first !== undefined && more.length === 0 ? first : Buffer.concat(chunks);
}

/** A long body is in memory once: its pieces go where they belong. */
async function readInto(request: Request, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  try {
    for await (const chunk of request.body ?? []) {
      if (at + chunk.byteLength > length)
        throw new Refusal(400, 'the body is longer than Content-Length says');
      bytes.set(chunk, at);
      at += chunk.byteLength;
    }
  } catch (error) {
    throw error instanceof Refusal ? error : cutOff(error);
  }
  if (at < length) throw cutOff(new Error(`${at} of ${length} bytes`));
  return bytes;
}

async function bytesOf(request: Request): Promise<ArrayBuffer> {
  try {
    return await request.arrayBuffer();
  } catch (error) {
    throw cutOff(error);
  }
}

function cutOff(cause: unknown): Refusal {
  const refusal = new Refusal(400, 'the body ended before it was complete');
  refusal.cause = cause;
  return refusal;
}

function parse(text: string): unknown {
  if (text.trim() === '') throw new Refusal(400, 'the body is empty; a JSON object is needed');
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? `: ${error.message.slice(0, 200)}` : '';
    throw new Refusal(400, `the body is not JSON${reason}`);
  }
}

function checkText(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new Refusal(400, `${path || 'body'}: a NUL character cannot be stored`);
    if (!isWellFormed(value)) {
      throw new Refusal(400, `${path || 'body'}: half a surrogate pair is not a character`);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      checkText(inner, path === '' ? name : `${path}.${name}`);
    }
  }
}

function isWellFormed(text: string): boolean {
  // ES2024, which Node 20 has and the compiler's library for ES2023 does not name.
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}
