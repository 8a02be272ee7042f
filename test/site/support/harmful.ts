/** What of a document a browser made, as far as this file needs to know it. */
interface Dom {
  readonly body: { append(element: unknown): void };
  createElement(name: string): Block;
}
interface Block {
  innerHTML: string;
  querySelectorAll(selector: string): Iterable<Found>;
  remove(): void;
}
interface Found {
  readonly localName: string;
  readonly namespaceURI: string;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
}

/** Runs in the browser: puts each text into the page as its article would be, lets it work, and tells what could do harm. */
export async function harmfulIn(
  texts: readonly string[],
): Promise<readonly { readonly at: number; readonly what: string }[]> {
  const { document } = globalThis as unknown as { readonly document: Dom };
  const elements =
    /^(?:script|style|iframe|object|embed|form|button|svg|math|meta|link|base|template|textarea|select|noscript|xmp|plaintext|title)$/;
  const found: { at: number; what: string }[] = [];
  const blocks: Block[] = [];
  for (const [at, text] of texts.entries()) {
    const block = document.createElement('div');
    block.innerHTML = text;
    document.body.append(block);
    blocks.push(block);
    for (const element of block.querySelectorAll('*')) {
      const { localName, namespaceURI, attributes } = element;
      if (elements.test(localName) || !namespaceURI.endsWith('xhtml')) found.push({ at, what: localName });
      for (const { name, value } of attributes) {
        // oxlint-disable-next-line no-control-regex -- browsers pass over them
        const scheme = value.replaceAll(/[\u0000-\u0020]/g, '').toLowerCase();
        const isScript = /^(?:javascript|vbscript|data):/.test(scheme) && name !== 'title' && name !== 'alt';
        const isHandler = /^(?:on|style$|srcdoc$|formaction$|action$)/.test(name);
        if (isHandler || isScript) found.push({ at, what: `${name}=${value}` });
      }
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (const block of blocks) block.remove();
  return found;
}
