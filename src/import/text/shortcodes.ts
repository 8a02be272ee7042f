/** WordPress's own shortcodes as what they show, and the names of the others, which stay as they are written. */
export function withoutShortcodes(html: string): { readonly html: string; readonly left: readonly string[] } {
  const shown = html
    .replaceAll(/\[(?:wp_)?caption\b[^\]]*\]([\s\S]*?)\[\/(?:wp_)?caption\]/gi, (_, inner: string) =>
      captioned(inner),
    )
    .replaceAll(/\[embed\b[^\]]*\]\s*(https?:[^\s\]]+)\s*\[\/embed\]/gi, (_, url: string) => linked(url))
    .replaceAll(
      /\[(code|sourcecode)\b([^\]]*)\]([\s\S]*?)\[\/\1\]/gi,
      (_, __, attributes: string, code: string) => codeBlock(attributes, code),
    );
  const closed = [...shown.matchAll(/\[\/([a-z][\w-]*)\]/gi)].map(([, name = '']) => name);
  const open = [...shown.matchAll(/\[([a-z][\w-]*)(?:\s+[\w-]+=(?:"[^"]*"|'[^']*'|[^\s\]]+))*\s*\/?\]/gi)]
    .filter(
      ([whole, name = '']) =>
        whole.includes('=') || closed.includes(name) || /^(?:gallery|audio|video|playlist)$/.test(name),
    )
    .map(([, name = '']) => name);
  return { html: shown, left: [...new Set(open)] };
}

/** `<img …> the caption`, or `<a><img></a> the caption`. */
function captioned(inner: string): string {
  const picture = /^\s*(?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?/i.exec(inner)?.[0];
  if (picture === undefined) return inner;
  const caption = inner.slice(picture.length).trim();
  return caption === ''
    ? picture
    : `\n\n<figure>${picture.trim()}<figcaption>${caption}</figcaption></figure>\n\n`;
}

function linked(url: string): string {
  const address = url.replaceAll('"', '%22').replaceAll('<', '%3C');
  return `\n\n<a href="${address}">${address}</a>\n\n`;
}

function codeBlock(attributes: string, code: string): string {
  const language = /\blang(?:uage)?=["']?([\w+#-]+)/i.exec(attributes)?.[1];
  const escaped = /&(?:lt|gt|amp);/.test(code)
    ? code
    : code.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const named = language === undefined ? '' : ` class="language-${language}"`;
  return `\n\n<pre><code${named}>${escaped.replace(/^\n/, '')}</code></pre>\n\n`;
}
