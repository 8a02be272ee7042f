import type { Corpus, SourceFile } from '../../corpus/corpus.ts';
import type { Foreign } from '../../presets/preset.ts';
import { PAGE, diskPath, joined, parts, plainAddress, relativePath } from '../written-address.ts';

/** A link as a file has it, and where it may lead. */
export interface WrittenLink {
  readonly from: SourceFile;
  readonly url: string;
  readonly isImage: boolean;
  /** Without query and anchor, decoded, with `/`. */
  readonly path: string;
  readonly query: string;
  readonly anchor: string;
  /** Query and anchor. */
  readonly rest: string;
  /** It begins with `/`. */
  readonly isRooted: boolean;
  /** It is there, by its path from the root of the repository. */
  readonly isInRepository: boolean;
  /** What an alias at its beginning (`@assets/a.png`) means. */
  readonly alias: string | undefined;
  /** From the content folder; undefined: it leads out of it. */
  readonly wanted: string | undefined;
  /** The same with `..` where it leads out; undefined for a link from the root. */
  readonly onDisk: string | undefined;
  /** The address that a browser makes of it, without slashes around it. */
  readonly siteAddress: string;
}

export function writtenLink(
  { corpus, foreign }: { readonly corpus: Corpus; readonly foreign: Foreign },
  from: SourceFile,
  url: string,
  isImage: boolean,
): WrittenLink {
  const { path: said, query, anchor } = parts(url);
  const alias = foreign.alias(said);
  const plain = said.replaceAll('\\', '/');
  const isSource = isImage || PAGE.test(plain);
  const source =
    isSource && foreign.isFromRepository && plain.startsWith('/') ? corpus.inRepository(plain) : undefined;
  // A picture that the settings' folder does not hold is never sent.
  const isInRepository = source !== undefined && (!isImage || corpus.exists(source));
  const path = isInRepository ? relativePath(from.path, source) : plain;
  const isRooted = path.startsWith('/');
  return {
    from,
    url,
    isImage,
    path,
    query,
    anchor,
    rest: `${query}${anchor}`,
    isRooted,
    isInRepository,
    alias,
    wanted: isRooted ? path.slice(1) : joined(from.path, path),
    onDisk: isRooted ? undefined : (alias ?? diskPath(from.path, path)),
    siteAddress: plainAddress(addressIn(foreign, from, path)),
  };
}

export function isOnDisk({ onDisk, isInRepository }: WrittenLink, corpus: Corpus): boolean {
  return isInRepository || (onDisk !== undefined && corpus.exists(onDisk));
}

/** The address, from the root, that a browser makes of a link of a page; `..` stops at the root. */
function addressIn(foreign: Foreign, from: SourceFile, path: string): string {
  if (path.startsWith('/')) return path;
  return new URL(encodeURI(path), `https://a.invalid/${encodeURI(foreign.address(from.path))}`).pathname;
}
