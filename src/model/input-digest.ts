import type { Digest } from './digest.ts';
import { digestOfText } from './digest.ts';
import { bodyFieldOf } from './fields.ts';
import type { Kind } from './key.ts';
import type { DesiredBody } from './record.ts';

/**
 * Of everything that the HTML of a body depends on: 16 digits for all but the text, then the 16 of the text as it is written. A page
 * whose links lead elsewhere, because the pages around it were moved, is another input, and still the same text.
 */
export function inputDigestOf(text: Digest, others: readonly unknown[]): Digest {
  return (digestOfText(JSON.stringify(others)) + text) as Digest; // two digests
}

/** The digest of the text alone; undefined: the input is the HTML itself, of which nothing was written. */
export function textOfInput(input: Digest): string | undefined {
  return input.length > DIGITS ? input.slice(DIGITS) : undefined;
}

const DIGITS = 16;

/** A text without a word: what the file says is that there is none. */
export function emptyBody(kind: Kind): DesiredBody {
  return { field: bodyFieldOf(kind), inputDigest: digestOfText(''), render: () => '' };
}
