/**
 * Text from files and services as a terminal or a log may show it: control characters become `\xNN`, invisible
 * characters that turn the reading direction or hide become `\u{NNNN}`. Nothing that is shown can move the cursor,
 * start a line of its own or look like another text.
 */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, escaped);
}

/** The text without the names and passwords of its addresses: `https://***@host`. */
export function withoutLogins(text: string): string {
  return text.replaceAll(/(:\/\/)[^\s/?#]*@/g, '$1***@');
}

/** Characters that a terminal obeys, or that hide. */
export const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}
