import { posix } from 'node:path';
import type { Recognised } from './recognised.ts';
import type { RepositoryTree } from './tree.ts';
import { decoded } from '../../model/address/percent.ts';

/** A text about the repository that is no page, and that readers of the repository take as the list of its pages. */
export interface ContentsPage {
  /** From the working directory. */
  readonly file: string;
  /** How many of the pages it links to. */
  readonly pages: number;
}

/** Fewer links are no list of pages. */
const PAGES_MIN = 3;

/** The README at the root of the content, if it is no page and links to at least half of the pages, and nothing else is the first page. */
export async function contentsPage(
  tree: RepositoryTree,
  { content, files }: Pick<Recognised, 'content' | 'files'>,
): Promise<ContentsPage | undefined> {
  const pages = new Set(files);
  const file = tree.paths.find(
    (path) => posix.dirname(path) === content && /^readme\.(?:md|markdown)$/i.test(posix.basename(path)),
  );
  if (file === undefined || pages.has(posix.basename(file)) || files.some(isFirstPage)) return undefined;
  await tree.load([file]);
  const text = tree.readText(file) ?? '';
  const linked = new Set(
    [...text.matchAll(ADDRESS)].flatMap(({ 1: inBrackets, 2: bare = '' }) =>
      pathsOf(inBrackets ?? bare, content).filter((path) => pages.has(path)),
    ),
  );
  return linked.size >= PAGES_MIN && linked.size * 2 >= pages.size ? { file, pages: linked.size } : undefined;
}

/** Of `[text](a.md)`, `[text](<my page.md>)`, and `[name]: a.md` in a line of its own. */
const ADDRESS = /(?:\]\(|^ {0,3}\[[^\]\n]{1,200}\]:)\s*(?:<([^<>\n]{1,500})>|([^\s()<>]{1,500}))/gm;

/** The content has its first page: its own, or one for each language. */
function isFirstPage(path: string): boolean {
  return /^(?:[a-z]{2,3}(?:[-_][a-z\d]{2,4})?\/)?index\.(?:mdx?|markdown)$/i.test(path);
}

/** The file that an address of a README means, from the content folder: a relative one, or the file's page on the host of the repository. */
function pathsOf(address: string, content: string): readonly string[] {
  const [, onHost] = /^https:\/\/[^/]+\/.+?\/(?:blob|tree)\/[^/]+\/([^?#]+)/.exec(address) ?? [];
  if (onHost !== undefined) return [posix.relative(content, decoded(onHost))];
  return /^[a-z][a-z\d+.-]*:/i.test(address)
    ? []
    : [posix.normalize(decoded(address.replace(/[?#].*$/, '')))];
}
