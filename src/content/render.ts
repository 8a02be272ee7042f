import { renderMarkdown } from './markdown.ts';
import { labelsFor } from './labels.ts';
import { isOnlyComments, withAddresses } from './raw-html.ts';
import { sanitise } from './sanitize.ts';

export interface RenderOptions {
  /** Address as written → address to write; others stay. */
  readonly links: ReadonlyMap<string, string>;
  readonly html: 'sanitize' | 'trust';
  readonly needsSanitiser: boolean;
  readonly lang: string;
}

/** A body as the service gets it, without stamp. */
export function renderedBody(body: string, options: RenderOptions): string {
  const url = (written: string): string => options.links.get(written) ?? written;
  const html = renderMarkdown(body, {
    url,
    html: (value) => (isDropped(value, options.html) ? '' : withAddresses(value, url)),
    labels: labelsFor(options.lang),
  });
  const aligned = html.replaceAll(CELL_STYLE, '<$1 align="$2">');
  // Last of all: what the sanitiser takes away at the end leaves its line ends.
  return (options.needsSanitiser ? sanitise(aligned) : aligned).trimEnd();
}

/** As GitHub writes it: `align` survives where `style` is stripped, by our own sanitiser first of all. */
const CELL_STYLE = /<(t[hd]) style="text-align: (left|right|center)">/g;

/** Comments show nothing; and one that looks like our stamp must never be taken for it, whatever the mode. */
function isDropped(value: string, mode: 'sanitize' | 'trust'): boolean {
  return isOnlyComments(value) && (mode === 'sanitize' || value.includes('<!-- kbsync '));
}
