/** Makes text that came from outside fit to be shown: without the key, without control characters, not endless. */
export type CleanText = (text: string) => string;

const CHARS_MAX = 300;
// Control characters, bidirectional overrides and line separators: they can drive a terminal or forge a line.
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

export function createCleanText(apiKey: string): CleanText {
  const secrets = [...new Set([apiKey, encodeURIComponent(apiKey), Buffer.from(apiKey).toString('base64')])];
  return (text) => {
    // Cut generously before the replacements, so a huge text costs nothing and no half of a key is left at the end.
    let clean = text.length > 20_000 ? text.slice(0, 20_000) : text;
    for (const secret of secrets) clean = clean.replaceAll(secret, '[key]');
    clean = clean.replaceAll(CONTROL, escaped);
    return clean.length > CHARS_MAX ? `${clean.slice(0, CHARS_MAX - 1)}…` : clean;
  };
}

function escaped(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase();
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
}
