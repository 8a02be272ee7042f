import { behindBraces } from './javascript.ts';

const STATEMENT = /^(?:import|export)(?=[\s{*"'])/;

/** A line that a statement of a module may follow directly: it continues no paragraph. */
export function endsBlock(line: string): boolean {
  return ENDS_BLOCK.test(line);
}

const ENDS_BLOCK = /^\s*$|^\s{0,3}(?:#{1,6}\s|<|\{|(?:`{3}|~{3}))|^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,})$|>\s*$/;

/** The end of the `import` or `export` of MDX that starts here, at the end of its last line; undefined where the text is none. */
export function statementEnd(body: string, start: number): number | undefined {
  return STATEMENT.test(body.slice(start, start + 10)) ? behindStatement(body, start) : undefined;
}

/** Each character has one way through it, because several may stand in a line. */
const IMPORT = String.raw`import\s+(?:[\w*{},$][\w*{}\s,$]*?\sfrom\s*)?(?:"[^"\n]*"|'[^'\n]*')(?:\s+(?:with|assert)\s*\{[^}]*\})?[^\S\n]*`;
/** One, or several in a line. */
const IMPORTS = new RegExp(String.raw`^${IMPORT}(?:;[^\S\n]*${IMPORT})*;?[^\S\n]*(?=\n|$)`);

/** The end of the line in which a statement ends; undefined where the text is no statement. */
function behindStatement(body: string, start: number): number | undefined {
  const limit = Math.min(body.length, start + 50_000);
  const isImport = body.startsWith('import', start);
  if (isImport) {
    const found = IMPORTS.exec(body.slice(start, Math.min(limit, start + 5000)));
    return found === null ? undefined : start + found[0].length;
  }
  if (
    !/^export\s+(?:const|let|var|function|async|default|class|\{|\*|type|interface)/.test(
      body.slice(start, start + 40),
    )
  )
    return undefined;
  let depth = 0;
  for (let at = start; at < limit; at += 1) {
    const char = body.charAt(at);
    if (char === '{') {
      const behind = behindBraces(body, at, limit);
      if (behind < 0) return undefined;
      at = behind - 1;
    } else if (char === '(' || char === '[') depth += 1;
    else if (char === ')' || char === ']') depth -= 1;
    else if (char === '"' || char === "'" || char === '`') {
      const rest = new RegExp(String.raw`${char}(?:[^\\${char}]|\\[\s\S])*${char}`, 'y');
      rest.lastIndex = at;
      const length = rest.exec(body)?.[0].length;
      if (length !== undefined) at += length - 1;
    } else if (char === '\n' && depth <= 0) {
      const next = body.slice(at + 1, at + 200);
      // A blank line, or what cannot continue a statement.
      if (
        /^[^\S\n]*(?:\n|$)|^(?:import|export|#|<|-{3})/.test(next) &&
        !/(?:=>|[=+,(])[^\S\n]*$/.test(body.slice(start, at))
      )
        return at;
    }
  }
  return limit === body.length ? limit : undefined;
}
