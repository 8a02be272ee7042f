import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Refusal } from '../refusal.ts';
import { dimensionsOf } from './dimensions.ts';
import { drawing } from './drawing.ts';
import { PICTURE_NAME, SVG, typeOf } from './format.ts';
import type { FileRecord } from './records.ts';

/** A picture that unpacks to more is a mistake, or meant to fill the memory of whoever looks at it. */
const PIXELS_MAX = 100_000_000;
/** A drawing is read as a whole, and a larger one is no drawing for a page. */
const SVG_BYTES_MAX = 2 * 1024 * 1024;

export interface Examined {
  readonly kept: Buffer;
  readonly file: Omit<FileRecord, 'addedAt' | 'askedAt'>;
}

/**
 * What is kept of bytes that were sent, judged by the bytes alone.
 * @throws Refusal 400 they are not those of the digest · 413 the picture is too large · 415 no format that is taken; ThreadError
 */
export async function examined(digest: string, name: string, bytes: Buffer): Promise<Examined> {
  const found = await digestOf(bytes);
  if (found !== digest)
    throw new Refusal(400, `the body has the SHA-256 ${found}, not the one in the address`);
  const type = await typeOf(bytes);
  if (type === undefined) {
    throw new Refusal(
      415,
      `${name} is of no format that is taken here: a picture, video, sound, PDF, archive or text`,
    );
  }
  if (PICTURE_NAME.test(name) && !type.startsWith('image/')) {
    throw new Refusal(415, `${name} has the name of a picture, and its bytes are ${type}`);
  }
  const isSvg = type === SVG;
  if (isSvg && bytes.length > SVG_BYTES_MAX) {
    throw new Refusal(
      413,
      `${name} is a drawing of ${bytes.length} bytes; the most for an SVG is ${SVG_BYTES_MAX}`,
    );
  }
  const kept = isSvg ? Buffer.from(await drawing(bytes.toString('utf8'))) : bytes;
  const sides = dimensionsOf(type, kept);
  if (sides !== undefined && !isSvg && sides.width * sides.height > PIXELS_MAX) {
    throw new Refusal(413, `${name} has ${sides.width} × ${sides.height} pixels; the most is ${PIXELS_MAX}`);
  }
  return {
    kept,
    file: {
      digest,
      keptDigest: kept === bytes ? digest : await digestOf(kept),
      type,
      name,
      bytes: kept.length,
      width: sides?.width ?? null,
      height: sides?.height ?? null,
    },
  };
}

const SLICE_BYTES = 1024 * 1024;

/** Slice by slice: to look at 25 MB at once keeps everybody else waiting, and a thread of Node's own would copy them first. */
async function digestOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    hash.update(bytes.subarray(at, at + SLICE_BYTES));
    await setImmediate();
  }
  return hash.digest('hex');
}
