import { elementsIn, treeOf } from '../../../src/site/text/tree.ts';

const ELEMENTS =
  /^(?:script|style|iframe|object|embed|form|button|svg|math|meta|link|base|template|textarea|body|marquee|noscript|xmp)$/;
const ATTRIBUTES = /^(?:on.*|style|srcdoc|formaction|action)$/;
const ADDRESS = /^(?:javascript|vbscript|data):/i;

/** What of some HTML could do harm; by a parser, not by patterns: text that looks like a tag is harmless. */
export function harmIn(html: string): readonly string[] {
  return elementsIn(treeOf(html)).flatMap(({ name, attributes }) => [
    ...(ELEMENTS.test(name) ? [name] : []),
    ...Object.entries(attributes)
      .filter(
        ([attribute, value]) =>
          ATTRIBUTES.test(attribute) || ADDRESS.test(value.replaceAll(/[\s\p{Cc}]/gu, '')),
      )
      .map(([attribute, value]) => `${attribute}=${value}`),
  ]);
}

/** Where some HTML dresses up as the page around it. */
export function disguiseIn(html: string): readonly string[] {
  return elementsIn(treeOf(html)).flatMap(({ attributes: { id = '', class: names = '' } }) => [
    ...(id.startsWith('site-') ? [id] : []),
    ...(/\b(?:skip|top|preview|menu)\b/.test(names) ? [names] : []),
  ]);
}
