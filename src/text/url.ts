const NOT_ASCII = /[^\p{ASCII}]/u;

/**
 * Whether a text is an address, by itself or from a base. `URL.canParse` says no to each address with a letter such as `é` in Node 20
 * and 22, once V8 calls it directly, after some thousand calls; so this and `urlOf` are the only ways to ask.
 */
export function isUrl(text: string, base?: string | URL): boolean {
  const from = base?.toString();
  if (!NOT_ASCII.test(text) && (from === undefined || !NOT_ASCII.test(from))) return URL.canParse(text, from);
  try {
    return new URL(text, from).href !== '';
  } catch {
    return false;
  }
}

/** The address; undefined if the text is none. */
export function urlOf(text: string, base?: string | URL): URL | undefined {
  return isUrl(text, base) ? new URL(text, base) : undefined;
}
