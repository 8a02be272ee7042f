/** A part of a template of Go, as far as shortcodes of Hugo use them. */
export type Node =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'output'; readonly pipe: Pipe }
  | { readonly is: 'set'; readonly name: string; readonly pipe: Pipe }
  | {
      readonly is: 'if' | 'with' | 'range';
      /** `$key, $value := …` of a `range`, `$value := …` of others. */
      readonly names: readonly string[];
      readonly pipe: Pipe;
      readonly whenTrue: readonly Node[];
      readonly otherwise: readonly Node[];
    };

/** Commands joined by `|`; each is a function or a value with its arguments. */
export type Pipe = readonly (readonly Term[])[];

export type Term =
  | { readonly is: 'value'; readonly value: string | number | boolean | undefined }
  /** `.Get`, `$.Inner`, `site.Params.x`, `$name.x`, `.`, a function's name. */
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'pipe'; readonly pipe: Pipe };

const CHARS_MAX = 20_000;
const DEPTH_MAX = 30;
/** A comment, or what may hold texts with `}}` in them. */
const ACTION =
  /\{\{(-?)(\s*\/\*[\s\S]*?\*\/\s*|(?:"(?:[^"\\\n]|\\.)*"|`[^`]*`|[^"`}]|\}(?!\})){0,2000}?)(-?)\}\}/g;
const TOKEN = /\s*(?:"((?:[^"\\\n]|\\.)*)"|`([^`]*)`|(-?\d+(?:\.\d+)?)(?![\w.])|(:=|=|\||\(|\))|([$.\w]+))/y;

/** The template's parts; undefined where it has something that is not known here (`define`, `block`). */
export function parsedTemplate(source: string): readonly Node[] | undefined {
  if (source.length > CHARS_MAX) return undefined;
  const stack: Open[] = [{ nodes: [] }];
  let from = 0;
  let isTrimmed = false;
  const addText = (to: number, trimsEnd: boolean): void => {
    const text = source.slice(from, to);
    const begun = isTrimmed ? text.trimStart() : text;
    const whole = trimsEnd ? begun.trimEnd() : begun;
    if (whole !== '') stack.at(-1)?.nodes.push({ is: 'text', text: whole });
  };
  for (const { 0: whole, 1: before = '', 2: inside = '', 3: behind = '', index } of source
    // Behind the last end no action begins.
    .slice(0, source.lastIndexOf('}}') + 2)
    .matchAll(ACTION)) {
    addText(index, before === '-');
    from = index + whole.length;
    isTrimmed = behind === '-';
    const action = inside.trim();
    if (/^\/\*[\s\S]*\*\/$/.test(action)) continue;
    if (!isTaken(action, stack) || stack.length > DEPTH_MAX) return undefined;
  }
  addText(source.length, false);
  return stack.length === 1 ? stack[0]?.nodes : undefined;
}

/** What is open: the parts go into `nodes`. */
interface Open {
  nodes: Node[];
  /** Of an `if`, what its `else` belongs to. */
  readonly closes?: () => void;
  readonly startsElse?: () => void;
}

function isTaken(action: string, stack: Open[]): boolean {
  const [word = ''] = /^\w+/.exec(action) ?? [];
  const top = stack.at(-1);
  if (top === undefined) return false;
  if (word === 'if' || word === 'with' || word === 'range')
    return isOpened(word, action.slice(word.length), stack);
  if (word === 'else') {
    const [, again, pipe = ''] = /^else\s+(if|with)\b([\s\S]*)$/.exec(action) ?? [];
    if (top.startsElse === undefined || (action !== 'else' && again === undefined)) return false;
    top.startsElse();
    return again === undefined || isOpened(again === 'if' ? 'if' : 'with', pipe, stack, true);
  }
  if (word === 'end') {
    if (top.closes === undefined) return false;
    top.closes();
    return true;
  }
  if (/^(?:define|block|template|break|continue|return)$/.test(word)) return false;
  const [, name, rest] = /^(\$\w+)\s*:?=([\s\S]*)$/.exec(action) ?? [];
  const pipe = pipeOf(rest ?? action);
  if (pipe === undefined) return false;
  top.nodes.push(name === undefined ? { is: 'output', pipe } : { is: 'set', name, pipe });
  return true;
}

/** `isChained`: it is the `if` of an `else if`, which ends with the one around it. */
function isOpened(word: 'if' | 'with' | 'range', text: string, stack: Open[], isChained = false): boolean {
  const [said = '', first, second] = /^\s*(\$\w+)(?:\s*,\s*(\$\w+))?\s*:=/.exec(text) ?? [];
  const pipe = pipeOf(text.slice(said.length));
  const around = stack.at(-1);
  if (pipe === undefined || around === undefined || (second !== undefined && word !== 'range')) return false;
  const names = [first, second].filter((name) => name !== undefined);
  const whenTrue: Node[] = [];
  const otherwise: Node[] = [];
  const open: Open = {
    nodes: whenTrue,
    startsElse: () => {
      open.nodes = otherwise;
    },
    closes: () => {
      stack.pop();
      around.nodes.push({ is: word, names, pipe, whenTrue, otherwise });
      if (isChained) around.closes?.();
    },
  };
  stack.push(open);
  return true;
}

function pipeOf(text: string): Pipe | undefined {
  const tokens: Term[] = [];
  const marks: (string | undefined)[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text);
    if (found === null) return undefined;
    const [, quoted, raw, number, mark, name] = found;
    marks.push(mark);
    tokens.push(
      quoted === undefined
        ? raw === undefined
          ? number === undefined
            ? named(name ?? '')
            : { is: 'value', value: Number(number) }
          : { is: 'value', value: raw }
        : { is: 'value', value: quoted.replaceAll(/\\(.)/g, (_, sign: string) => ESCAPES[sign] ?? sign) },
    );
  }
  const read = pipeFrom(tokens, marks, 0, 0);
  return read?.at === tokens.length ? read.pipe : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

function named(name: string): Term {
  if (name === 'true' || name === 'false') return { is: 'value', value: name === 'true' };
  return name === 'nil' ? { is: 'value', value: undefined } : { is: 'name', name };
}

function pipeFrom(
  tokens: readonly Term[],
  marks: readonly (string | undefined)[],
  start: number,
  depth: number,
): { readonly pipe: Pipe; readonly at: number } | undefined {
  const commands: Term[][] = [[]];
  let at = start;
  for (; at < tokens.length && marks[at] !== ')'; at += 1) {
    const token = tokens[at];
    if (marks[at] === '|') commands.push([]);
    else if (marks[at] === '(') {
      const inner = depth < DEPTH_MAX ? pipeFrom(tokens, marks, at + 1, depth + 1) : undefined;
      if (inner === undefined || marks[inner.at] !== ')') return undefined;
      commands.at(-1)?.push({ is: 'pipe', pipe: inner.pipe });
      at = inner.at;
    } else if (marks[at] !== undefined || token === undefined) return undefined;
    else commands.at(-1)?.push(token);
  }
  return commands.some((command) => command.length === 0) ? undefined : { pipe: commands, at };
}
