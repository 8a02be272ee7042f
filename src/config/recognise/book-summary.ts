import { posix } from 'node:path';
import { sideFile, valueAt } from '../../content/presets/pages/side-file.ts';
import type { RepositoryTree } from './tree.ts';

/** The summaries that settings of a book name, but for those of the usual name: they are read with all other side files. */
export function namedSummaries(tree: RepositoryTree): readonly string[] {
  const settings = tree.paths.filter((path) => /(?:^|\/)(?:book\.json|\.gitbook\.ya?ml)$/.test(path));
  return settings.flatMap((path) => summaryOf(tree, path) ?? []);
}

/** book.json that is left from a time before another generator: the book it speaks of has no summary. */
export function isBookWithoutSummary(
  tree: RepositoryTree,
  { because, content }: { readonly because: string; readonly content: string },
): boolean {
  if (posix.basename(because) !== 'book.json') return false;
  const summary = summaryOf(tree, because) ?? posix.join(content, 'SUMMARY.md');
  return !tree.paths.some((path) => path === summary || path === posix.join(content, 'LANGS.md'));
}

function summaryOf(tree: RepositoryTree, settings: string): string | undefined {
  const text = tree.readText(settings);
  if (text === undefined) return undefined;
  const { value } = sideFile(text);
  const root = valueAt(value, 'root');
  const summary = valueAt(valueAt(value, 'structure'), 'summary');
  return typeof summary === 'string'
    ? posix.join(posix.dirname(settings), typeof root === 'string' ? root : '.', summary)
    : undefined;
}
