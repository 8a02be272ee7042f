import { isAscii, isUtf8 } from 'node:buffer';

/**
 * The text, without a byte order mark; undefined: the bytes are not UTF-8. A strict TextDecoder says the same, but gives each text two
 * bytes a character: twice the memory, and slower to search.
 */
export function utf8Text(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.length - start);
  return buffer.toString(isAscii(buffer) ? 'latin1' : 'utf8');
}
