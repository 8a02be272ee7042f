import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';

/** What a browser and the site make of bytes; undefined: neither a known format nor text. By the bytes alone. */
export async function typeOf(bytes: Buffer): Promise<string | undefined> {
  const found = SIGNATURES.find(([, matches]) => matches(bytes))?.[0];
  if (found !== undefined) return found;
  if (!(await isText(bytes))) return undefined;
  return isSvg(bytes.toString('utf8', 0, HEAD_BYTES)) ? SVG : 'text/plain; charset=utf-8';
}

export const SVG = 'image/svg+xml';
/** Endings of names that promise a picture. */
export const PICTURE_NAME = /\.(?:png|apng|jpe?g|gif|webp|avif|bmp|ico|svg)$/i;

type Matches = (bytes: Buffer) => boolean;

const starts =
  (text: string, at = 0): Matches =>
  (bytes) =>
    bytes.toString('latin1', at, at + text.length) === text;

/** ISO base media: the brand of the first box. */
const brand =
  (...names: readonly string[]): Matches =>
  (bytes) =>
    starts('ftyp', 4)(bytes) && names.includes(bytes.toString('latin1', 8, 12));

const riff =
  (form: string): Matches =>
  (bytes) =>
    starts('RIFF')(bytes) && starts(form, 8)(bytes);

/** The signatures of the WHATWG's MIME Sniffing Standard that pages need, and a few formats for downloads. The list is closed on purpose. */
const SIGNATURES: readonly (readonly [type: string, matches: Matches])[] = [
  ['image/png', starts('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', starts('\xff\xd8\xff')],
  ['image/gif', (bytes) => starts('GIF87a')(bytes) || starts('GIF89a')(bytes)],
  ['image/webp', riff('WEBP')],
  ['image/avif', brand('avif', 'avis')],
  ['image/x-icon', starts('\0\0\x01\0')],
  [
    'image/bmp',
    (bytes) => starts('BM')(bytes) && bytes.length > 26 && bytes.readUInt32LE(2) === bytes.length,
  ],
  ['video/mp4', brand('isom', 'iso2', 'iso4', 'iso5', 'iso6', 'mp41', 'mp42', 'avc1', 'M4V ', 'dash')],
  ['video/quicktime', brand('qt  ')],
  ['video/webm', starts('\x1a\x45\xdf\xa3')],
  [
    'audio/mpeg',
    (bytes) => starts('ID3')(bytes) || /^\xff[\xfb\xf3\xf2]/.test(bytes.toString('latin1', 0, 2)),
  ],
  ['audio/ogg', starts('OggS')],
  ['audio/wav', riff('WAVE')],
  ['application/pdf', starts('%PDF-')],
  ['application/zip', (bytes) => starts('PK\x03\x04')(bytes) || starts('PK\x05\x06')(bytes)],
  ['application/gzip', starts('\x1f\x8b')],
  ['application/x-xz', starts('\xfd7zXZ\0')],
  ['application/x-bzip2', starts('BZh')],
  ['application/x-7z-compressed', starts('7z\xbc\xaf\x27\x1c')],
];

/** UTF-8 without control characters. Nothing is decoded, and others come in between: 25 MB would keep them waiting. */
async function isText(bytes: Buffer): Promise<boolean> {
  if (!isUtf8(bytes)) return false;
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (hasControls(bytes.subarray(at, at + PIECE_BYTES))) return false;
    await setImmediate();
  }
  return true;
}

function hasControls(bytes: Buffer): boolean {
  // By index: an iterator takes ten times as long.
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== ESCAPE) return true;
  }
  return false;
}

const PIECE_BYTES = 4 * 1024 * 1024;

const ESCAPE = 0x1b;
const HEAD_BYTES = 64 * 1024;

/** By its root element, after the declaration, comments and the document type. */
export function isSvg(start: string): boolean {
  let head = start.trimStart();
  for (;;) {
    const end = head.startsWith('<?') ? '?>' : head.startsWith('<!--') ? '-->' : undefined;
    const at = end === undefined ? -1 : head.indexOf(end);
    if (end === undefined || at === -1) break;
    head = head.slice(at + end.length).trimStart();
  }
  if (/^<!DOCTYPE/i.test(head)) {
    const named = /^<!DOCTYPE\s+(?:svg:)?svg\b/i.test(head);
    return named && /<svg[\s>/]/.test(head);
  }
  return /^<svg[\s>/]/.test(head);
}
