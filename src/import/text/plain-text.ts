import { parseHtml, textOf } from '../../content/html-to-markdown/hast.ts';

/** Signs that no page and no file may hold; exports have them all the same. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;

export function withoutControls(text: string): string {
  return text.replaceAll(CONTROLS, '');
}

/** One line, without the blanks and marks that only editors see. */
export function oneLine(text: string): string {
  return (
    withoutControls(text)
      // What a text becomes that was read in a wrong encoding once; no service takes it in a title.
      .replaceAll(/[\u0080-\u009F\u200B\uFEFF]/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .normalize('NFC')
  );
}

/** What a reader sees of a piece of HTML, in one line. */
export function textOfHtml(html: string): string {
  if (!/[<&]/.test(html)) return oneLine(html);
  const spaced = html.replaceAll(/<(?:br|\/p|\/li|\/h\d|\/div)\b[^>]{0,2000}>/gi, '$& ');
  return oneLine(unlessTooDeep(() => parseHtml(spaced).children.map(textOf).join(''), ''));
}

/** What `work` makes; `otherwise` where a text is nested so deeply that the stack ends. */
export function unlessTooDeep<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}
