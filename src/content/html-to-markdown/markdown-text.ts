import type { MdastRoot } from './mdast.ts';
import { mdastGfm, mdastToMarkdown } from './lazy.ts';

/** The tree as text, in one style: `-` lists, fences, `*` emphasis, `\` line breaks, blanks that do not break as `&nbsp;`. */
export function markdownText(root: MdastRoot): string {
  const { toMarkdown, defaultHandlers } = mdastToMarkdown();
  return toMarkdown(root, {
    bullet: '-',
    emphasis: '*',
    fences: true,
    rule: '-',
    resourceLink: true,
    listItemIndent: 'one',
    extensions: [mdastGfm().gfmToMarkdown({ tablePipeAlign: false })],
    handlers: {
      text: (node, parent, state, info) => {
        const safe = defaultHandlers.text(node, parent, state, info).replaceAll('\u00A0', '&nbsp;');
        // `\{#id}` would still be an id: satteri takes attributes off before it reads escapes.
        return state.stack.includes('headingAtx') ? safe.replaceAll('{', '&#123;') : safe;
      },
    },
  });
}
