import { posix } from 'node:path';

const MARKDOWN = /(\]\(\s*<?)((?!(?:[a-z][a-z0-9+.-]*:|[/#?@~<])).[^\s()>]*)/gi;
const ATTRIBUTE = /(\s(?:src|href)=["'])((?!(?:[a-z][a-z0-9+.-]*:|[/#?@~{])).[^"'\s]*)/gi;

/** Relative links and pictures of a text of `from` as they are written in `to`. */
export function rebased(text: string, from: string, to: string): string {
  const here = posix.dirname(to);
  const there = posix.dirname(from);
  if (here === there) return text;
  const moved = (_: string, head: string, address: string): string => {
    const path = posix.relative(here, posix.join(there, address));
    return `${head}${path.startsWith('.') ? path : `./${path}`}`;
  };
  return text.replaceAll(MARKDOWN, moved).replaceAll(ATTRIBUTE, moved);
}
