import type { MdastRoot } from './mdast.ts';
import { mdastGfm, mdastToMarkdown } from '../parsers.ts';

/** The tree as text, in one style: `-` lists, fences, `*` emphasis, `\` line breaks, blanks that do not break as `&nbsp;`. */
export function markdownText(root: MdastRoot): string {
  const { toMarkdown, defaultHandlers } = mdastToMarkdown();
  const gfm = mdastGfm().gfmToMarkdown({ tablePipeAlign: false });
  const tableHandler = gfm.extensions?.find(({ handlers }) => handlers?.table !== undefined)?.handlers?.table;
  return toMarkdown(root, {
    bullet: '-',
    emphasis: '*',
    fences: true,
    rule: '-',
    resourceLink: true,
    listItemIndent: 'one',
    extensions: [gfm],
    handlers: {
      table: (node, parent, state, info) => {
        const [head = '', rule = '', ...rows] = (tableHandler?.(node, parent, state, info) ?? '').split('\n');
        return [head, rule.replaceAll(/-+/g, '---'), ...rows].join('\n');
      },
      text: (node, parent, state, info) => {
        const safe = defaultHandlers.text(node, parent, state, info).replaceAll('\u00A0', '&nbsp;');
        // `\{#id}` would still be an id: satteri takes attributes off before it reads escapes.
        return state.stack.includes('headingAtx') ? safe.replaceAll('{', '&#123;') : safe;
      },
    },
  });
}
