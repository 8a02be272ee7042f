import type { RepositoryTree } from './tree.ts';

/** A block of code, also one that is set in, or a span in one line. */
const CODE = /^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[\s\S]*?^[ \t]*\1|`[^`\n]+`/gm;

/** What a page says outside of its code. The page is loaded. */
export function proseOf(tree: RepositoryTree, path: string): string {
  return (tree.readText(path) ?? '').replaceAll('\r\n', '\n').replaceAll(CODE, '');
}
