import { posix } from 'node:path';
import { decoded } from '../../model/address/percent.ts';

/** Sources of pages, by their names. */
export const PAGE = /\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown|qmd|rmd)$/i;

export function parts(url: string): {
  readonly path: string;
  readonly query: string;
  readonly anchor: string;
} {
  const hash = url.indexOf('#');
  const bare = hash < 0 ? url : url.slice(0, hash);
  const question = bare.indexOf('?');
  return {
    path: decoded(question < 0 ? bare : bare.slice(0, question)).normalize('NFC'),
    query: question < 0 ? '' : bare.slice(question),
    anchor: hash < 0 ? '' : url.slice(hash),
  };
}

export /** `path` as seen from the folder of `from`, with a slash at its end kept; undefined when it leaves the content folder. */
function joined(from: string, path: string): string | undefined {
  const segments = from.split('/').slice(0, -1);
  for (const segment of path.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return `${segments.join('/')}${/(?:^|\/)\.{0,2}$/.test(path) ? '/' : ''}`;
}

export /** From the content folder, with `..` where it leads out. */
function diskPath(from: string, path: string): string {
  return posix.normalize(posix.join(posix.dirname(from), path));
}

export /** Without the slashes around it, `index.html` and `.html`. */
function plainAddress(path: string): string {
  return path.replaceAll(/^\/+|(?<!\/)\/+$/g, '').replace(/(?:^|\/)index\.html$|\.html$/, '');
}

export function withoutStart(address: string, start: string): string {
  const bare = start.replaceAll(/^\/+|(?<!\/)\/+$/g, '');
  return bare !== '' && address.startsWith(`${bare}/`) ? address.slice(bare.length + 1) : address;
}

export function relativePath(from: string, to: string): string {
  const here = from.split('/').slice(0, -1);
  const there = to.split('/');
  let shared = 0;
  while (shared < here.length && here[shared] === there[shared]) shared += 1;
  return `${'../'.repeat(here.length - shared)}${there.slice(shared).join('/')}`;
}
