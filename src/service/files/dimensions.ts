/** In pixels, as a browser shows the picture. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** What the header of a picture says; undefined: it says nothing that can be read. Nothing is decoded. */
export function dimensionsOf(type: string, bytes: Buffer): Dimensions | undefined {
  const found = readers[type]?.(bytes);
  return found === undefined || found.width < 1 || found.height < 1 ? undefined : found;
}

const readers: Readonly<Record<string, (bytes: Buffer) => Dimensions | undefined>> = {
  'image/png': (bytes) =>
    bytes.length < 24 ? undefined : sized(bytes.readUInt32BE(16), bytes.readUInt32BE(20)),
  'image/gif': (bytes) =>
    bytes.length < 10 ? undefined : sized(bytes.readUInt16LE(6), bytes.readUInt16LE(8)),
  'image/bmp': (bytes) =>
    bytes.length < 26 ? undefined : sized(bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22))),
  'image/x-icon': (bytes) =>
    bytes.length < 8 ? undefined : sized((bytes[6] ?? 0) || 256, (bytes[7] ?? 0) || 256),
  'image/jpeg': jpeg,
  'image/webp': webp,
  'image/avif': avif,
  'image/svg+xml': (bytes) => svg(bytes.subarray(0, 64 * 1024).toString('utf8')),
};

function sized(width: number, height: number): Dimensions {
  return { width, height };
}

const EXIF_TURNED = 5;

/** ITU T.81, B.1: segments up to the frame header. A picture that Exif turns by a quarter is shown with its sides swapped. */
function jpeg(bytes: Buffer): Dimensions | undefined {
  let isTurned = false;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return isTurned ? sized(height, width) : sized(width, height);
    }
    const length = bytes.readUInt16BE(at + 2);
    if (marker === 0xe1) isTurned = orientation(bytes.subarray(at + 4, at + 2 + length)) >= EXIF_TURNED;
    at += 2 + Math.max(length, 2);
  }
  return undefined;
}

/** Exif 2.3, 4.6.4: tag 0x0112 of the first directory; 1 where there is none. */
function orientation(exif: Buffer): number {
  if (exif.length < 14 || exif.toString('latin1', 0, 6) !== 'Exif\0\0') return 1;
  const tiff = exif.subarray(6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number): number =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const entries = short(directory);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) break;
    if (short(at) === 0x0112) return short(at + 8);
  }
  return 1;
}

/** RFC 9649 */
function webp(bytes: Buffer): Dimensions | undefined {
  if (bytes.length < 30) return undefined;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return sized(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8 ':
      return sized(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  }
  return undefined;
}

/** The largest spatial extent that is named (ISO/IEC 23008-12, 6.5.3): tiles and thumbnails have smaller ones. */
function avif(bytes: Buffer): Dimensions | undefined {
  const head = bytes.subarray(0, 64 * 1024);
  let largest: Dimensions | undefined;
  for (let at = head.indexOf('ispe'); at >= 0 && at + 16 <= head.length; at = head.indexOf('ispe', at + 4)) {
    const found = sized(head.readUInt32BE(at + 8), head.readUInt32BE(at + 12));
    if (largest === undefined || found.width * found.height > largest.width * largest.height) largest = found;
  }
  return largest;
}

/** SVG 2, 8.2: `width` and `height` in pixels, else what the view box says. */
function svg(text: string): Dimensions | undefined {
  const tag = /<svg\b[^>]*>/.exec(text)?.[0] ?? '';
  const pixels = (name: string): number =>
    Number(
      new RegExp(`\\s${name}\\s*=\\s*["']\\s*(\\d{1,6}(?:\\.\\d{1,6})?)(?:px)?\\s*["']`).exec(tag)?.[1] ?? 0,
    );
  const [width, height] = [pixels('width'), pixels('height')];
  if (width > 0 && height > 0) return rounded(width, height);
  const box =
    /\sviewBox\s*=\s*["']([^"']{1,80})["']/
      .exec(tag)?.[1]
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const [, , boxWidth = 0, boxHeight = 0] = box;
  if (!(boxWidth > 0 && boxHeight > 0)) return undefined;
  if (width > 0) return rounded(width, (width * boxHeight) / boxWidth);
  return rounded(boxWidth, boxHeight);
}

function rounded(width: number, height: number): Dimensions {
  return sized(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
}
