import type { Unsafe as Pattern } from 'mdast-util-to-markdown';
import type { MdastRoot } from './mdast.ts';
import { mdastGfm, mdastToMarkdown } from '../parsers.ts';

/** The tree as text, in one style: `-` lists, fences, `*` emphasis, `\` line breaks, blanks that do not break as `&nbsp;`. */
export function markdownText(root: MdastRoot): string {
  const { toMarkdown, defaultHandlers } = mdastToMarkdown();
  const gfm = mdastGfm().gfmToMarkdown({ tablePipeAlign: false });
  const patternsFor = createPatterns();
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
        const { unsafe } = state;
        state.unsafe = patternsFor(info.before + node.value + info.after, unsafe);
        const safe = defaultHandlers.text(node, parent, state, info).replaceAll('\u00A0', '&nbsp;');
        state.unsafe = unsafe;
        // `\{#id}` would still be an id: satteri takes attributes off before it reads escapes.
        return state.stack.includes('headingAtx') ? safe.replaceAll('{', '&#123;') : safe;
      },
    },
  });
}

/** The patterns of what must be escaped that a text can have: each is a search of its own, and most texts have few of their characters. */
function createPatterns() {
  const byCharacters = new Map<string, Pattern[]>();
  let characters: readonly string[] | undefined;
  return (text: string, all: Pattern[]): Pattern[] => {
    characters ??= [...new Set(all.map(({ character }) => character))];
    const seen = characters.filter((character) => text.includes(character)).join('');
    const known = byCharacters.get(seen) ?? all.filter(({ character }) => seen.includes(character));
    byCharacters.set(seen, known);
    return known;
  };
}
