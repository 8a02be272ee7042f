import { decodeHTMLStrict } from 'entities/decode';

/** A title of Markdown as readers see it: without the marks of emphasis, code and links. */
export function plainTitle(text: string): string {
  const plain = text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(?<!\\)(?:<a\s[^>]*>\s*<\/a>|<\/?[a-zA-Z][^>]*>)/g, '')
    .replaceAll(/(`+)(.+?)\1/g, '$2')
    .replaceAll(/(\*\*|__|\*|~~)(\S(?:.*?\S)?)\1/g, '$2')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
  return decodeHTMLStrict(plain).trim();
}
