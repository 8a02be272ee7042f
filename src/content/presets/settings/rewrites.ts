import { literalPattern } from '../../../text/literal-pattern.ts';

interface Rewrite {
  readonly from: RegExp;
  readonly to: (found: RegExpExecArray) => string;
}

/** `:locale`, `:rest*`, `(.*)`; other signs of path-to-regexp are not read. */
const PARAMETER = /:([A-Za-z_]\w*)(\*|\(\.\*\))?|\(\.\*\)/g;
const RULES_MAX = 500;
const PATTERN_CHARS_MAX = 300;
const PARAMETERS_MAX = 4;

/**
 * Where VitePress puts a file by `rewrites`, whose first rule that fits counts
 * (https://vitepress.dev/guide/routing#route-rewrites): `{ 'translated/:locale/(.*)': ':locale/(.*)' }`.
 */
export function rewriter(rules: unknown): (path: string) => string {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) return (path) => path;
  const exact = new Map<string, string>();
  const patterns: Rewrite[] = [];
  for (const [from, to] of Object.entries(rules).slice(0, RULES_MAX)) {
    if (typeof to !== 'string' || from.length + to.length > PATTERN_CHARS_MAX) continue;
    if (from.search(PARAMETER) < 0) exact.set(from, to);
    else patterns.push(...rewriteOf(from, to));
  }
  return (path) => {
    const said = exact.get(path);
    if (said !== undefined) return said;
    for (const { from, to } of patterns) {
      const found = from.exec(path);
      if (found !== null) return to(found);
    }
    return path;
  };
}

function rewriteOf(from: string, to: string): readonly Rewrite[] {
  const names: string[] = [];
  let unnamed = 0;
  let pattern = '';
  let behind = 0;
  for (const { 0: whole, 1: name = String(unnamed), 2: wide, index } of from.matchAll(PARAMETER)) {
    if (whole.startsWith('(')) unnamed += 1;
    names.push(name);
    const isWide = wide !== undefined || whole.startsWith('(');
    pattern += `${literalPattern(from.slice(behind, index))}${isWide ? '(.*)' : '([^/]+)'}`;
    behind = index + whole.length;
  }
  const isRead = !/[()*+?{}]/.test(from.replaceAll(PARAMETER, '') + to.replaceAll(PARAMETER, ''));
  if (!isRead || names.length > PARAMETERS_MAX) return [];
  return [
    {
      from: new RegExp(`^${pattern}${literalPattern(from.slice(behind))}$`),
      to: (found) => {
        let next = 0;
        return to.replaceAll(PARAMETER, (whole: string, name?: string) => {
          const at = names.indexOf(name ?? String(next));
          if (whole.startsWith('(')) next += 1;
          return found[at + 1] ?? '';
        });
      },
    },
  ];
}
