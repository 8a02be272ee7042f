/** WordPress's own shortcodes as what they show, and the names of the others, which stay as they are written. */
export function withoutShortcodes(html: string): { readonly html: string; readonly left: readonly string[] } {
  const captions = enclosed(
    html,
    CAPTION,
    () => CAPTION_END,
    (_, inner) => captioned(inner),
  );
  const embeds = captions.replaceAll(EMBED, (_, url: string) => linked(url));
  const shown = enclosed(embeds, CODE, (name) => CODE_ENDS.get(name), codeBlock);
  const closed = new Set([...shown.matchAll(/\[\/([a-z][\w-]*)\]/gi)].map(([, name = '']) => name));
  const open = [...shown.matchAll(SHORTCODE)]
    .filter(
      ([whole, name = '']) =>
        whole.includes('=') || closed.has(name) || /^(?:gallery|audio|video|playlist)$/.test(name),
    )
    .map(([, name = '']) => name);
  return { html: shown, left: [...new Set(open)] };
}

/** Attributes contain no square brackets (WordPress's Shortcode API, "Square Brackets"), so no `[` is read twice. */
const CAPTION = /\[(?:wp_)?(caption)\b([^\][]*)\]/gi;
const CAPTION_END = /\[\/(?:wp_)?caption\]/gi;
const EMBED = /\[embed\b[^\][]*\]\s*(https?:[^\s\][]+)\s*\[\/embed\]/gi;
const CODE = /\[(code|sourcecode)\b([^\][]*)\]/gi;
const CODE_ENDS: ReadonlyMap<string, RegExp> = new Map([
  ['code', /\[\/code\]/gi],
  ['sourcecode', /\[\/sourcecode\]/gi],
]);
/** Each value can be read in one way alone: with two, each attribute in front of a fault would double the time. */
const SHORTCODE = /\[([a-z][\w-]*)(?:\s+[\w-]+=(?:"[^"]*"|'[^']*'|[^\s"'\][]+))*\s*\/?\]/gi;

/** Writes what stands between a shortcode and its end, in one walk: an end that is missing is looked for once. */
function enclosed(
  html: string,
  open: RegExp,
  endOf: (name: string) => RegExp | undefined,
  put: (attributes: string, inner: string) => string,
): string {
  const missing = new Set<RegExp>();
  let written = '';
  let from = 0;
  for (const { 0: whole, 1: name = '', 2: attributes = '', index } of html.matchAll(open)) {
    const end = endOf(name.toLowerCase());
    if (index < from || end === undefined || missing.has(end)) continue;
    const start = index + whole.length;
    end.lastIndex = start;
    const closing = end.exec(html);
    if (closing === null) missing.add(end);
    else {
      written += html.slice(from, index) + put(attributes, html.slice(start, closing.index));
      from = closing.index + closing[0].length;
    }
  }
  return written + html.slice(from);
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
