/** Of the texts that are kept. Shorter ones cost less than they take to be found, longer ones too much memory. */
const CHARS_MIN = 1_000;
const CHARS_MAX = 50_000;
const KEPT_MAX = 64;

interface Kept {
  readonly text: string;
  readonly bytes: Buffer;
}

/** Whether it is worth finding again. */
export function isLong(text: string): boolean {
  return text.length >= CHARS_MIN;
}

const kept: Kept[] = [];
let oldest = 0;

/**
 * A text as JSON, in UTF-8. The stamp, the base and the request of a body ask for the same text one after the other, with those of other
 * records between them: it is written once. Nobody may change the bytes.
 */
export function jsonBytes(text: string): Buffer {
  if (!isLong(text) || text.length > CHARS_MAX) return Buffer.from(JSON.stringify(text));
  for (const one of kept) if (one.text === text) return one.bytes;
  const bytes = Buffer.from(JSON.stringify(text));
  kept[oldest] = { text, bytes };
  oldest = (oldest + 1) % KEPT_MAX;
  return bytes;
}
