import { gemoji } from '../parsers.ts';

/** `:rocket:`, also several without a blank between. Beside letters, digits and colons it is none: `10:30:45`, `std::x::y`. */
const CODES = /(?<![\w:]):[a-z\d_+-]{1,50}:(?::[a-z\d_+-]{1,50}:)*(?![\w:])/g;
/** The parser makes links of bare addresses, whose text it is all the same. */
const ADDRESSES_OR_CODES = new RegExp(String.raw`(?::\/\/|\bwww\.)\S*|${CODES.source}`, 'g');

/** Whether a text may have codes; only then is the list of all names loaded. */
export function mayHaveEmojiCodes(text: string): boolean {
  return text.search(CODES) >= 0;
}

/** A text with signs in place of the codes that GitHub knows; other codes and addresses stay as they are. */
export function withEmoji(text: string): string {
  return replaced(text, (sign) => sign);
}

export function withoutEmojiCodes(text: string): string {
  return replaced(text, () => '');
}

function replaced(text: string, write: (sign: string) => string): string {
  if (!mayHaveEmojiCodes(text)) return text;
  const { nameToEmoji } = gemoji();
  return text.replaceAll(ADDRESSES_OR_CODES, (found) =>
    /^(?:w|:\/)/.test(found)
      ? found
      : found.replaceAll(/:([^:]+):/g, (code, name: string) =>
          Object.hasOwn(nameToEmoji, name) ? write(nameToEmoji[name] ?? code) : code,
        ),
  );
}
