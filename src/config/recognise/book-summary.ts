import { sampleOf } from '../../text/many.ts';
import { posix } from 'node:path';
import { sideFile, valueAt } from '../../content/presets/pages/side-file.ts';
import { NO_PAGE, PAGE, pathsBelow } from './pages-in.ts';
import { proseOf } from './prose.ts';
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

/**
 * `.gitbook.yaml` that is left from a time before another generator: there is no summary, no page holds a block of GitBook
 * (https://gitbook.com/docs/creating-content/formatting/markdown), and many hold `::: name`, which GitBook shows as it is typed.
 */
export async function isBookLeftBehind(
  tree: RepositoryTree,
  { because, content }: { readonly because: string; readonly content: string },
): Promise<boolean> {
  if (!/^\.gitbook\.ya?ml$/.test(posix.basename(because))) return false;
  const summary = summaryOf(tree, because) ?? posix.join(content, 'SUMMARY.md');
  if (tree.paths.includes(summary)) return false;
  const pages = pathsBelow(tree, content)
    .filter((path) => PAGE.test(path) && !NO_PAGE.test(path))
    .map((path) => posix.join(content, path));
  const looked = sampleOf(pages, LOOKED_AT_MAX);
  await tree.load(looked);
  const texts = looked.map((path) => proseOf(tree, path));
  const others = texts.filter((text) => /^[ \t]*:{3,}[ \t]*[A-Za-z]/m.test(text));
  return others.length > looked.length / 10 && !texts.some((text) => /^[ \t]*\{%[ \t]*[a-z]/m.test(text));
}

const LOOKED_AT_MAX = 60;

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
