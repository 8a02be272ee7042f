import { posix } from 'node:path';
import type { IncludeForm, PartOfFile } from './form.ts';

const DIRECTIVE =
  /\{%-?\s*(include|include-markdown)\s+(?:"((?:[^"\\\n]|\\.){1,300})"|'((?:[^'\\\n]|\\.){1,300})')((?:[^%]|%(?!\})){0,1000})%\}/g;
const OPTION = /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"']+))/g;

/**
 * The plugin `include-markdown` of MkDocs: `{% include-markdown "a.md" start="…" end="…" heading-offset=1 %}` and `{% include "a.yml" %}`, in code as well. A path with `./` or `../`
 * counts from the page, another one from the content folder, in versions before 6 from the page
 * (https://pypi.org/project/mkdocs-include-markdown-plugin/).
 */
export const INCLUDE_MARKDOWN: IncludeForm = {
  name: 'include-markdown',
  isInCode: true,
  *find(text, { file, variable }) {
    if (!text.includes('{%') || variable('include-markdown') === undefined) return;
    for (const { 0: whole, 1: name, 2: double, 3: single = '', 4: rest = '', index } of text.matchAll(
      DIRECTIVE,
    )) {
      const path = (double ?? single).replaceAll(/\\(.)/g, '$1');
      // Files of other sites, and many at once.
      if (/^[a-z]+:|[*?]|^\//i.test(path)) continue;
      const options = new Map<string, string>();
      for (const [, key = '', a, b, bare = ''] of rest.matchAll(OPTION))
        options.set(key.replaceAll('-', '_'), a ?? b ?? bare);
      const isMarkdown = name === 'include-markdown';
      const beside = posix.join(posix.dirname(file), path);
      const offset = Number(options.get('heading_offset') ?? 0);
      yield {
        start: index,
        end: index + whole.length,
        files: /^\.{1,2}\//.test(path) ? [beside] : [posix.normalize(path), beside],
        part: (all) => between(all, options.get('start'), options.get('end')),
        ...(isMarkdown && options.get('rewrite_relative_urls') !== 'false' ? { isRebased: true } : {}),
        ...(isMarkdown && offset !== 0 ? { adapt: (part: string) => shifted(part, offset) } : {}),
      };
    }
  },
};

/** Behind the first `start` and up to the `end` behind it; a mark that the file does not have is none, as the plugin says in a warning. */
function between(text: string, start: string | undefined, end: string | undefined): PartOfFile {
  const [open, close] = [start, end].map((mark) => (mark === undefined ? undefined : escapes(mark)));
  const from = open === undefined ? -1 : text.indexOf(open);
  if (open !== undefined && from < 0) return { missing: `it has no \`${open}\`` };
  const behind = open === undefined ? text : text.slice(from + open.length);
  const to = close === undefined ? -1 : behind.indexOf(close);
  return { text: to < 0 ? behind : behind.slice(0, to) };
}

function escapes(written: string): string {
  return written.replaceAll(/\\([nt\\"'])/g, (_, sign: string) =>
    sign === 'n' ? '\n' : sign === 't' ? '\t' : sign,
  );
}

/** Headings some levels deeper, or higher, outside of fences. */
function shifted(text: string, offset: number): string {
  let fence: string | undefined;
  return text
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
        fence = fence === undefined ? mark : undefined;
      if (fence !== undefined || mark !== undefined) return line;
      return line.replace(/^#{1,6}(?=[ \t])/, (marks) =>
        '#'.repeat(Math.min(6, Math.max(1, marks.length + offset))),
      );
    })
    .join('\n');
}
