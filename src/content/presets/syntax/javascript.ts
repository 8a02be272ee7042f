/** `'text'`, `"text"`, `` `text` ``, a number or a truth value; undefined where JavaScript has to be run. */
export function literalText(expression: string): string | undefined {
  const inside = expression.trim();
  const [, double, single, template] =
    /^(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\$]|\\.|\$(?!\{))*)`)$/.exec(inside) ?? [];
  const quoted = double ?? single ?? template;
  if (quoted !== undefined) {
    return quoted.replaceAll(/\\(.)/g, (_, char: string) =>
      char === 'n' ? '\n' : char === 't' ? '\t' : char,
    );
  }
  return /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(inside) ? inside : undefined;
}

/** Texts of `['a', "b"]`; undefined where it is something else. */
export function literalTexts(expression: string): readonly string[] | undefined {
  const inside = /^\s*\[([\s\S]*)\]\s*$/.exec(expression)?.[1];
  if (inside === undefined) return undefined;
  const items = [...inside.matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`$]*)`/g)];
  const rest = inside.replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`$]*`|[\s,]/g, '');
  return rest === '' ? items.map(([, a, b, c]) => a ?? b ?? c ?? '') : undefined;
}

/**
 * The offset behind the brace that closes the one at `start`, strings, templates and comments of JavaScript passed over;
 * -1 where there is none before `limit`.
 */
export function behindBraces(text: string, start: number, limit: number): number {
  let depth = 0;
  const end = Math.min(text.length, limit);
  for (let at = start; at < end; at += 1) {
    const char = text.charAt(at);
    if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (char === '"' || char === "'") {
      const close = behindString(text, at, end);
      // An apostrophe in the text of an element, not a string.
      if (close > 0) at = close - 1;
    } else if (char === '`') {
      const close = behindTemplate(text, at, end);
      if (close < 0) return -1;
      at = close - 1;
    } else if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2);
      if (close < 0 || close >= end) return -1;
      at = close + 1;
    } else if (text.startsWith('//', at) && text.charAt(at - 1) !== ':') {
      const close = text.indexOf('\n', at);
      if (close < 0 || close >= end) return -1;
      at = close;
    }
  }
  return -1;
}

function behindString(text: string, start: number, end: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < end; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === quote) return at + 1;
    else if (char === '\n') return -1;
  }
  return -1;
}

function behindTemplate(text: string, start: number, end: number): number {
  for (let at = start + 1; at < end; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '`') return at + 1;
    else if (text.startsWith('${', at)) {
      const close = behindBraces(text, at + 1, end);
      if (close < 0) return -1;
      at = close - 1;
    }
  }
  return -1;
}
