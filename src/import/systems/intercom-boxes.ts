import { classesOf, parseHtml } from '../../content/html-to-markdown/hast.ts';
import type { ElementContent, HastContent } from '../../content/html-to-markdown/hast.ts';
import { htmlOf } from '../../content/html-to-markdown/serialise.ts';
import { labelsFor } from '../../content/labels.ts';
import { unlessTooDeep } from '../unless-too-deep.ts';

/** Intercom's coloured boxes as the notes that our files know; everything else stays as it is. */
export function withBoxes(html: string, lang: string): string {
  if (!html.includes('intercom-interblocks-callout')) return html;
  const title: ElementContent = {
    type: 'element',
    tagName: 'p',
    properties: { className: ['admonition-title'] },
    children: [{ type: 'text', value: labelsFor(lang).note }],
  };
  const boxed = <N extends HastContent>(node: N): N => {
    if (node.type !== 'element') return node;
    const children = node.children.map(boxed);
    if (!classesOf(node).includes('intercom-interblocks-callout')) return { ...node, children };
    return {
      ...node,
      tagName: 'div',
      properties: { className: ['admonition', 'note'] },
      children: [title, ...children],
    };
  };
  return unlessTooDeep(() => htmlOf(parseHtml(html).children.map(boxed)), html);
}
