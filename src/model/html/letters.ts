import type { Digest } from '../digest.ts';
import { digestOfText } from '../digest.ts';
import type { FieldValue } from '../fields.ts';
import { textOf } from './losses.ts';
import { isParsable, parseHtml } from './tree.ts';

/** The letters and digits of a text or an HTML text: what is left of it if a service changes its signs, spaces and markup. */
export function lettersOf(value: FieldValue | undefined): string {
  if (typeof value !== 'string' || !isParsable(value)) return '';
  return textOf(parseHtml(value)).replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** undefined: there are none to know it by. */
export function lettersDigest(value: FieldValue | undefined): Digest | undefined {
  const letters = lettersOf(value);
  return letters === '' ? undefined : digestOfText(letters);
}
