import { codeIn } from '../code-ranges.ts';
import type { IncludeForm } from './form.ts';

const ANY = /\[!code[ \t]|highlight-(?:next-line|start|end)|\/\/ ---cut|\btwoslash\b/;

/**
 * Marks in code that generators take for orders and do not show: `// [!code focus]` of Shiki (https://shiki.style/packages/transformers), `// highlight-next-line` of Docusaurus
 * (https://docusaurus.io/docs/markdown-features/code-blocks#highlighting-with-comments) and `// ---cut---` of Twoslash (https://shikijs.github.io/twoslash/refs/notations).
 */
export const CODE_MARKS: IncludeForm = {
  name: 'code-marks',
  isInCode: true,
  *find(text, { isMdx }) {
    if (!ANY.test(text)) return;
    for (const [start, end] of codeIn(text, isMdx).fences) {
      const written = text.slice(start, end);
      const shown = ANY.test(written) ? withoutMarks(written) : written;
      if (shown !== written) yield { start, end, text: shown };
    }
  },
};

function withoutMarks(fence: string): string {
  const [first = '', ...rest] = fence.split('\n');
  const lead = /^[ \t>]*/.exec(first)?.[0] ?? '';
  // The fence's own last line is followed by the end of the text.
  const close = rest.at(-1) === '' ? 2 : 1;
  const code = rest.slice(0, -close);
  const cut = afterCuts(code, /\btwoslash\b/.test(first));
  const { lines, signs } = withSigns(cut.filter((line) => !HIGHLIGHT.test(line)));
  const isDiff = signs.some((sign) => sign !== ' ');
  const head = isDiff ? first.replace(/(`{3,}|~{3,})[ \t]*[\w+#-]*/, '$1diff') : first;
  const body = isDiff ? lines.map((line, at) => signed(line, signs[at] ?? ' ', lead)) : lines;
  return [head, ...body, ...rest.slice(-close)].join('\n');
}

const HIGHLIGHT =
  /^[ \t>]*(?:\/\/|#|\{[ \t]*\/\*|\/\*|<!--|--|%|;|REM)[ \t]*highlight-(?:next-line|start|end)[ \t]*(?:\*\/[ \t]*\}|\*\/|-->)?[ \t]*$/i;

const CUT = /^[ \t>]*\/\/ ---cut(?:-(before|after|start|end))?---[ \t]*$/;
const ORDER = /^[ \t>]*\/\/[ \t]*(?:@(?:errors|noErrors|noErrorValidation)\b.*|\^[?|][ \t]*)$/;

/** Lines that Twoslash only compiles are not shown. */
function afterCuts(lines: readonly string[], isTwoslash: boolean): readonly string[] {
  const cuts = lines.flatMap((line, at) => {
    const found = CUT.exec(line);
    return found === null ? [] : [{ at, kind: found[1] ?? 'before' }];
  });
  const from = cuts.findLast(({ kind }) => kind === 'before')?.at ?? -1;
  const to = cuts.find(({ kind, at }) => kind === 'after' && at > from)?.at ?? lines.length;
  let isCut = false;
  return lines.slice(0, to).filter((line, at) => {
    const [, kind] = CUT.exec(line) ?? [];
    if (kind === 'start') isCut = true;
    if (kind === 'end') isCut = false;
    if (at <= from || isCut || kind === 'end') return false;
    return !isTwoslash || !ORDER.test(line);
  });
}

const MARK =
  /[ \t]*(?:\{[ \t]*\/\*|\/\*|<!--|\/\/|--|#|;{1,2}|%{1,2})[ \t]*\[!code[ \t]+([\w+-]{1,20})(?::([^\]\n]{0,200}))?\][ \t]*(?:\*\/[ \t]*\}|\*\/|-->)?/g;

interface Signed {
  readonly lines: readonly string[];
  readonly signs: readonly string[];
}

/** `[!code ++]` and `[!code --:2]`: lines that a diff adds and takes away. A line of nothing but a mark is for the lines below it. */
function withSigns(written: readonly string[]): Signed {
  const lines: string[] = [];
  const signs: string[] = [];
  // Of the marks that reach a line the last one counts; one that ends sooner may stand above one that ends later.
  const open: { readonly sign: string; readonly end: number }[] = [];
  for (const line of written) {
    const at = lines.length;
    const bare = line.replaceAll(MARK, (_, name: string, count: string | undefined) => {
      const sign = name === '++' ? '+' : name === '--' ? '-' : undefined;
      if (sign !== undefined) open.push({ sign, end: at + (Number(count ?? 1) || 1) });
      return '';
    });
    if (bare !== line && !/[^ \t>]/.test(bare)) continue;
    while ((open.at(-1)?.end ?? Infinity) <= at) open.pop();
    lines.push(bare);
    signs.push(open.at(-1)?.sign ?? ' ');
  }
  return { lines, signs };
}

function signed(line: string, sign: string, lead: string): string {
  if (line.startsWith(lead)) return `${lead}${sign} ${line.slice(lead.length)}`.trimEnd();
  return line.trim() === '' ? line : `${sign} ${line}`;
}
