import { editedText } from './edits.ts';
import { NOTHING } from './family.ts';
import type { Found, Source } from './family.ts';

/** What stands around a formula. `either`: set apart if it is alone in its lines, else in the line. */
export interface FormulaSigns {
  readonly kind: 'inline' | 'block' | 'either';
  readonly open: string;
  readonly close: string;
}

/** `$…$` and `$$…$$`, as plugins for KaTeX and MathJax read them. */
export const DOLLARS: readonly FormulaSigns[] = [
  { kind: 'inline', open: '$', close: '$' },
  { kind: 'either', open: '$$', close: '$$' },
];

/** The same and environments of TeX, as Pandoc hands them on. */
export const PANDOC: readonly FormulaSigns[] = [
  ...DOLLARS,
  { kind: 'block', open: String.raw`\begin{`, close: String.raw`\end{` },
];

/** `$$…$$` alone: kramdown and GitBook. */
export const TWO_DOLLARS: readonly FormulaSigns[] = DOLLARS.slice(1);

/** For `variable('formulas')`. */
export function formulaSigns(signs: readonly FormulaSigns[]): string {
  return signs.map(({ kind, open, close }) => `${kind} ${open} ${close}`).join('\n');
}

/**
 * TeX, which is no Markdown: `_` and `*` are no emphasis, `<` is no tag, `\\` and braces stay. It is sent as Pandoc, Sphinx and Arithmatex send it, `\(…\)` and `\[…\]` in an
 * element of the class `math`: MathJax and KaTeX draw it, and without them it reads as TeX. Only where the settings turn it on. As with Arithmatex's `smart_dollar` and Pandoc, `$5 and
 * $6` is money: no blank inside the signs, no digit behind them (https://facelessuser.github.io/pymdown-extensions/extensions/arithmatex/).
 */
export function formulas({ body, context, isTaken }: Source): Found {
  const said = body.includes('$') || body.includes('\\') ? context.page?.variable('formulas') : undefined;
  if (said === undefined) return NOTHING;
  const signs = said
    .split('\n')
    .map(signsIn)
    .sort((a, b) => b.open.length - a.open.length);
  const edits = [];
  const nextOpening = openings(body, signs);
  const closing = closings(body, isTaken);
  const endOfParagraph = paragraphEnds(body);
  for (let at = 0; at < body.length;) {
    const next = nextOpening(at);
    if (next === undefined) break;
    const end =
      isTaken(next.start) || isEscaped(body, next.start)
        ? -1
        : endOf(body, next, { closing, endOfParagraph });
    at = end < 0 ? next.start + next.signs.open.length : end;
    if (end >= 0) edits.push({ start: next.start, end, text: shown(body, next, end) });
  }
  return edits.length === 0 ? NOTHING : { edits };
}

/** A title of one line with its formulas as text: signs of Markdown as character references, so they come through wherever a title is put. */
export function titleWithFormulas(title: string, source: Source): string {
  const { edits = [] } = formulas({ ...source, body: title, isTaken: () => false });
  return editedText(
    title,
    edits.map(({ text, ...edit }) => ({
      ...edit,
      text: text
        .replaceAll(/<[^<>]*>/g, '')
        .replaceAll(/\\([\\`*_{}[\]<>#~|$!^@:])/g, (_, sign: string) => `&#${sign.codePointAt(0) ?? 0};`),
    })),
  ).text;
}

interface Opening {
  readonly start: number;
  readonly signs: FormulaSigns;
}

function signsIn(line: string): FormulaSigns {
  const [kind, open = '', close = ''] = line.split(' ');
  return { kind: kind === 'block' || kind === 'either' ? kind : 'inline', open, close };
}

/** The first from a place on, of two at one place the longer one. Places are asked for in order, so the text is read once for each sign. */
function openings(body: string, all: readonly FormulaSigns[]): (from: number) => Opening | undefined {
  const known = new Map<FormulaSigns, number>();
  return (from) => {
    let first: Opening | undefined;
    for (const signs of all) {
      let start = known.get(signs) ?? -1;
      if (start < from) {
        const found = body.indexOf(signs.open, from);
        start = found < 0 ? Infinity : found;
        known.set(signs, start);
      }
      if (start < (first?.start ?? Infinity)) first = { start, signs };
    }
    return first;
  };
}

/** Behind the closing signs; below 0: it is none. A formula ends with its paragraph. */
function endOf(
  body: string,
  { start, signs }: Opening,
  {
    closing,
    endOfParagraph,
  }: {
    readonly closing: (close: string, from: number) => number;
    readonly endOfParagraph: (from: number) => number;
  },
): number {
  const { open } = signs;
  const from = start + open.length;
  // `\begin{align}` ends with `\end{align}`.
  const name = open.endsWith('{') ? /^[a-zA-Z]+\*?\}/.exec(body.slice(from, from + 30))?.[0] : '';
  if (name === undefined) return -1;
  const close = signs.close + name;
  const limit = endOfParagraph(from);
  const at = closing(close, from);
  if (at > limit) return -1;
  const inside = body.slice(from, at);
  if (inside.trim() === '') return -1;
  const isSmart = close === '$';
  if (isSmart && (inside !== inside.trim() || /[\d$]/.test(body.charAt(at + 1)))) return -1;
  return at + close.length;
}

/** The first closing signs from a place on; Infinity: there are none. Places are asked for in order, so the text is read once for each kind of them. */
function closings(body: string, isTaken: Source['isTaken']): (close: string, from: number) => number {
  const known = new Map<string, number>();
  return (close, from) => {
    const last = known.get(close) ?? -1;
    if (last >= from) return last;
    let at = body.indexOf(close, from);
    while (at >= 0 && (isTaken(at) || (close.startsWith('$') && isEscaped(body, at))))
      at = body.indexOf(close, at + 1);
    const found = at < 0 ? Infinity : at;
    known.set(close, found);
    return found;
  };
}

/** Where the paragraph of a place ends. Places are asked for in order. */
function paragraphEnds(body: string): (from: number) => number {
  let end = -1;
  return (from) => {
    if (end < from) {
      BLANK_LINE.lastIndex = from;
      end = BLANK_LINE.exec(body)?.index ?? body.length;
    }
    return end;
  };
}

const BLANK_LINE = /\n[ \t>]*(?=\n|$)/g;

function isEscaped(body: string, at: number): boolean {
  let start = at;
  while (body.charAt(start - 1) === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

function shown(body: string, { start, signs }: Opening, end: number): string {
  const isWhole = signs.open.endsWith('{');
  const inside = isWhole
    ? body.slice(start, end)
    : body.slice(start + signs.open.length, end - signs.close.length);
  const isApart = signs.kind === 'block' || (signs.kind === 'either' && isAlone(body, start, end));
  // bookdown's label of an equation.
  const labels = [...inside.matchAll(/\(\\#(eq:[\w-]{1,200})\)/g)].map(([, label = '']) => label);
  const lines = inside.replaceAll(/\(\\#eq:[\w-]{1,200}\)/g, '').split('\n');
  const tex = lines
    .map((line, index) => (index === lines.length - 1 ? line : line.replace(/(?<!\\)%.*$/, '')))
    .map((line, index) => (index === 0 ? line : line.replace(/^[ \t]*(?:>[ \t]?)+/, '')).trim())
    .filter((line) => line !== '')
    .join(' ');
  const [kind, open, close] = isApart ? ['display', '[', ']'] : ['inline', '(', ')'];
  const text = `\\${open}${tex}\\${close}`
    .replaceAll('&', '&amp;')
    .replaceAll(/[\\`*_{}[\]<>#~|$!^@:]/g, String.raw`\$&`);
  return `${labels.map((label) => `<a id="${label}"></a>`).join('')}<span class="math ${kind}">${text}</span>`;
}

/** Nothing but marks of lists and quotes before it in its line, and nothing or a label of Quarto behind it. */
function isAlone(body: string, start: number, end: number): boolean {
  const before = body.slice(body.lastIndexOf('\n', start - 1) + 1, start);
  const newline = body.indexOf('\n', end);
  const behind = body.slice(end, newline < 0 ? body.length : newline);
  return (
    /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*$/.test(before) &&
    /^\s*(?:\{#eq-[^{}\n]{0,300}\}\s*)?$/.test(behind)
  );
}
