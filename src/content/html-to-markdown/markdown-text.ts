import { once } from '../../model/once.ts';
import type { ConstructName, Unsafe as Pattern } from 'mdast-util-to-markdown';
import type { MdastRoot } from './mdast.ts';
import { spacedBlanks } from './hast.ts';
import { mdastGfm, mdastToMarkdown } from '../parsers.ts';

/** The tree as text, in one style: `-` lists, fences, `*` emphasis, `\` line breaks, blanks that do not break as `&nbsp;`. */
export function markdownText(root: MdastRoot): string {
  const { toMarkdown, defaultHandlers } = mdastToMarkdown();
  const gfm = gfmExtension();
  const patternsFor = createPatterns();
  const startOf = createStarts();
  const text: TextHandle = (guarded, parent, state, info) => {
    // Code with attributes is raw tags with a text between them.
    const node = { ...guarded, value: spacedBlanks(guarded.value) };
    const { unsafe } = state;
    state.unsafe = patternsFor(info.before + node.value + info.after, unsafe);
    const safe = defaultHandlers.text(node, parent, state, info).replaceAll('\u00A0', '&nbsp;');
    state.unsafe = unsafe;
    // `\{#id}` would still be an id: satteri takes attributes off before it reads escapes.
    return state.stack.includes('headingAtx') ? safe.replaceAll('{', '&#123;') : safe;
  };
  // Of what follows, only the first character is asked for.
  const peek: TextHandle = (node, parent, state, info) =>
    startOf(spacedBlanks(node.value), state) ?? text(node, parent, state, info);
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
      text: Object.assign(text, { peek }),
    },
  });
}

type TextHandle = ReturnType<typeof mdastToMarkdown>['defaultHandlers']['text'];

type TextState = Parameters<TextHandle>[2];

const gfmExtension = once(() => mdastGfm().gfmToMarkdown({ tablePipeAlign: false }));

/** The first character of a text as it will be written, if that is certain without writing the text: no pattern can match there. */
function createStarts() {
  const byCharacter = new Map<string, readonly Start[]>();
  return (text: string, { unsafe, stack }: Pick<TextState, 'unsafe' | 'stack'>): string | undefined => {
    const [first = ''] = text;
    // These are written in our own way.
    if (first === '\u00A0' || first === '{') return undefined;
    const known = byCharacter.get(first) ?? unsafe.flatMap((pattern) => startsOf(pattern, first));
    byCharacter.set(first, known);
    const isUnsafe = known.some(
      ({ constructs, pattern }) =>
        (constructs === undefined || constructs.some((name) => stack.includes(name))) && pattern.test(text),
    );
    return isUnsafe ? undefined : first;
  };
}

/** A pattern that can match at the start of a text, in these constructs or, undefined, everywhere. */
interface Start {
  readonly constructs: readonly ConstructName[] | undefined;
  readonly pattern: RegExp;
}

function startsOf({ character, before, atBreak, after, inConstruct }: Pattern, first: string): Start[] {
  // Nothing stands before the text.
  if (character !== first || before !== undefined || atBreak === true) return [];
  const constructs = typeof inConstruct === 'string' ? [inConstruct] : (inConstruct ?? undefined);
  return [{ constructs, pattern: new RegExp(after === undefined ? '' : `^.(?:${after})`, 's') }];
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
