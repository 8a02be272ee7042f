import { escapedHtml } from '../../../../text/escaped-html.ts';
import { literalText } from '../javascript.ts';
import type { Part } from '../tag.ts';

/**
 * What a tag says about its own inside: `set:html` and `set:text` of Astro (https://docs.astro.build/en/reference/directives-reference/#sethtml) and `dangerouslySetInnerHTML` of React.
 * Undefined: nothing, or nothing that is written there.
 */
export function innerHtml({ tag: { args } }: Part): string | undefined {
  const html = args.named['set:html'] ?? htmlOf(args.computed?.['dangerouslySetInnerHTML'] ?? '');
  // An empty line would end the HTML.
  if (html !== undefined) return html.replaceAll(/\n(?=[ \t]*(?:\n|$))/g, '&#10;');
  const text = args.named['set:text'];
  return text === undefined ? undefined : escapedHtml(text);
}

/** `{ __html: 'text' }` */
function htmlOf(object: string): string | undefined {
  const head = /^\{\s*["']?__html["']?\s*:/.exec(object)?.[0];
  if (head === undefined || !object.endsWith('}')) return undefined;
  return literalText(object.slice(head.length, -1).trim().replace(/,$/, ''));
}
