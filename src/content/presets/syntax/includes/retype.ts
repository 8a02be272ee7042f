import { posix } from 'node:path';
import type { IncludeForm } from './form.ts';

const INCLUDE = /\{\{-?[ \t]*include[ \t]+(["'])([^"'\n]+)\1[ \t]*-?\}\}/g;
const SNIPPET = /^([ \t]*):::code[ \t]+source="([^"\n]+)"([^\n]*)$/gm;

/**
 * Retype: `{{ include "name" }}` is a file of the page's folder or of `_includes` there, then of each folder above; `.md` may be missing. `:::code source="file"
 * range="2-5" language="js" :::` is code of a file.
 */
export const RETYPE: IncludeForm = {
  name: 'include',
  *find(text, { file }) {
    for (const found of text.matchAll(INCLUDE)) {
      const [whole, , written = ''] = found;
      yield { start: found.index, end: found.index + whole.length, files: placesOf(file, written) };
    }
    for (const { 0: whole, 1: lead = '', 2: path = '', 3: rest = '', index } of text.matchAll(SNIPPET)) {
      const range = /\brange="([\d,\s-]+)"/.exec(rest)?.[1];
      const language = /\blanguage="([\w#+-]+)"/.exec(rest)?.[1] ?? posix.extname(path).slice(1);
      yield {
        start: index + lead.length,
        end: index + whole.length,
        files: [posix.join(posix.dirname(file), path)],
        code: language,
        part: (source) => ({ text: range === undefined ? source : linesOf(source, range) }),
      };
    }
  },
};

function placesOf(file: string, written: string): readonly string[] {
  const names = /\.\w+$/.test(written) ? [written] : [written, `${written}.md`];
  if (written.startsWith('..')) return names.map((name) => posix.join(posix.dirname(file), name));
  const folders: string[] = [];
  for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
    folders.push(folder);
    if (folder === '.' || folder === '/' || folder === '') break;
  }
  return folders.flatMap((folder) =>
    ['.', '_includes'].flatMap((inside) => names.map((name) => posix.join(folder, inside, name))),
  );
}

/** `2,12-24`: lines by their numbers. */
export function linesOf(text: string, range: string): string {
  const lines = text.split('\n');
  return range
    .split(',')
    .flatMap((part) => {
      const [from = '', to = from] = part.trim().split('-');
      return lines.slice(Math.max(0, Number(from) - 1), to === '' ? undefined : Number(to));
    })
    .join('\n');
}
