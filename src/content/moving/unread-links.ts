import { posix } from 'node:path';
import { decoded } from '../../model/address/percent.ts';
import { PAGE } from '../links/written-address.ts';

/** A link in a file that is no page, to a file that moves. */
export interface UnreadLink {
  /** From the content folder. */
  readonly file: string;
  readonly line: number;
  readonly url: string;
}

/** `](url)`, `]: url` and `href="url"`: nothing else is known of a file that is no page. */
const LINKS = /\]\(\s*<?([^)\s>]+)|^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)|\bhref\s*=\s*["']([^"']+)["']/g;

/** Files that are no pages are not written, so a move names their links. `paths` are those of all files that may have some. */
export function unreadLinks(
  paths: readonly string[],
  moved: ReadonlyMap<string, string>,
  read: (path: string) => string | undefined,
): readonly UnreadLink[] {
  const ends = new Set([...moved.keys()].flatMap((path) => [path, path.replace(PAGE, '')]));
  return paths.flatMap((file) => {
    const text = PAGE.test(file) && !moved.has(file) ? read(file) : undefined;
    if (text === undefined) return [];
    return text.split(/\r\n|\n/).flatMap((line, index) =>
      [...line.matchAll(LINKS)].flatMap(([, inline, reference, attribute]) => {
        const url = inline ?? reference ?? attribute ?? '';
        const path = decoded(url.replace(/[?#].*$/s, ''));
        if (path === '' || /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(path)) return [];
        const target = posix.join(posix.dirname(file), path).replace(/\/$/, '');
        return ends.has(target) ? [{ file, line: index + 1, url }] : [];
      }),
    );
  });
}
