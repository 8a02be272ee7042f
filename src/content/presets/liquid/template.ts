/** A piece of Liquid, with its place in the text. */
export type Node =
  | { readonly as: 'text'; readonly start: number; readonly end: number }
  | { readonly as: 'output'; readonly start: number; readonly end: number; readonly expression: string }
  | {
      readonly as: 'tag';
      readonly start: number;
      readonly end: number;
      readonly name: string;
      readonly words: string;
    }
  | Block;

/** A tag with its end: `if`, `unless`, `case`, `for`, `capture`, `highlight`. */
export interface Block {
  readonly as: 'block';
  readonly name: string;
  readonly words: string;
  readonly start: number;
  readonly end: number;
  readonly branches: readonly Branch[];
}

/** From a tag (`if`, `elsif`, `else`, `when`) to the next. */
export interface Branch {
  readonly name: string;
  readonly words: string;
  /** Of its tag. */
  readonly start: number;
  /** Behind its tag. */
  readonly from: number;
  readonly to: number;
  readonly nodes: readonly Node[];
}

/** Arguments are a few words; what is longer has lost its end. */
const PIECE =
  /\{%(-?)\s*(\w+)\b((?:[^%]|%(?!\})){0,4000}?)(-?)%\}|\{\{(-?)((?:[^{}]|\{(?!\{)|\}(?!\})){0,1000}?)(-?)\}\}/g;
const BLOCKS = new Set(['if', 'unless', 'case', 'for', 'capture', 'highlight']);
const MIDDLE = new Set(['elsif', 'else', 'when']);
/** What stands in them is text. */
const VERBATIM = new Set(['raw', 'comment']);

interface Open {
  readonly name: string;
  readonly words: string;
  readonly start: number;
  readonly branches: Branch[];
  branch: { name: string; words: string; start: number; from: number; nodes: Node[] };
}

/** The pieces of a template; a block without an end, and an end without a block, is a tag. */
export function parsed(source: string): readonly Node[] {
  const top: Node[] = [];
  const open: Open[] = [];
  let cursor = 0;
  const nodes = (): Node[] => open.at(-1)?.branch.nodes ?? top;
  const text = (end: number): void => {
    if (end > cursor) nodes().push({ as: 'text', start: cursor, end });
  };
  const pieces = new RegExp(PIECE);
  for (let found = pieces.exec(source); found !== null; found = pieces.exec(source)) {
    const [whole, left = '', name, words = '', right = '', outLeft = '', expression = '', outRight = ''] =
      found;
    const start = left + outLeft === '' ? found.index : blankBefore(source, found.index, cursor);
    const end =
      right + outRight === '' ? found.index + whole.length : blankBehind(source, found.index + whole.length);
    text(start);
    cursor = end;
    pieces.lastIndex = end;
    const last = open.at(-1);
    if (name === undefined) nodes().push({ as: 'output', start, end, expression: expression.trim() });
    else if (VERBATIM.has(name)) {
      const close = new RegExp(`\\{%-?\\s*end${name}\\s*-?%\\}`, 'g');
      close.lastIndex = end;
      const closed = close.exec(source);
      cursor = closed === null ? source.length : closed.index + closed[0].length;
      const inside = closed === null || name !== 'raw' ? '' : source.slice(end, closed.index);
      nodes().push({ as: 'tag', start, end: cursor, name, words: inside });
      pieces.lastIndex = cursor;
    } else if (BLOCKS.has(name)) {
      open.push({
        name,
        words: words.trim(),
        start,
        branches: [],
        branch: { name, words: words.trim(), start, from: end, nodes: [] },
      });
    } else if (last !== undefined && MIDDLE.has(name)) {
      last.branches.push({ ...last.branch, to: start });
      last.branch = { name, words: words.trim(), start, from: end, nodes: [] };
    } else if (last !== undefined && name === `end${last.name}`) {
      open.pop();
      const { branch, branches, name: block, words: said, start: from } = last;
      nodes().push({
        as: 'block',
        name: block,
        words: said,
        start: from,
        end,
        branches: [...branches, { ...branch, to: start }],
      });
    } else nodes().push({ as: 'tag', start, end, name, words: words.trim() });
  }
  text(source.length);
  // What was never closed is left as it stands.
  return open.length === 0 ? top : [];
}

function blankBefore(source: string, index: number, least: number): number {
  let at = index;
  while (at > least && /\s/.test(source.charAt(at - 1))) at -= 1;
  return at;
}

function blankBehind(source: string, index: number): number {
  let at = index;
  while (at < source.length && /\s/.test(source.charAt(at))) at += 1;
  return at;
}
