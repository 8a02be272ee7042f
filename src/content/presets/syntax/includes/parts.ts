import { smallest } from '../../../../text/many.ts';
import type { PartOfFile } from './form.ts';
import { literalPattern } from '../../../../text/literal-pattern.ts';

/** `3:7`, `3:`, `:7` or `3`, counted from 1; undefined where the text is no range. */
export function lineRange(
  written: string,
  text: string,
  separator: ':' | ',' | '-' = ':',
): string | undefined {
  const found = /^(\d*)(?:([:,-])(\d*))?$/.exec(written);
  if (found === null || (found[2] !== undefined && found[2] !== separator)) return undefined;
  const [, from = '', mark, to = ''] = found;
  if (from === '' && to === '') return mark === undefined ? undefined : text;
  const first = from === '' ? 1 : Math.max(1, Number(from));
  const last = mark === undefined ? first : to === '' ? Infinity : Number(to);
  return text
    .split('\n')
    .slice(first - 1, last)
    .join('\n');
}

const MARK =
  /(?:ANCHOR(?:_END)?:[ \t]*[\w-]+|-{1,2}8<-{1,2}[ \t]*\[(?:start|end):|#(?:end)?region\b|<\/?[A-Za-z][\w-]*>[ \t]*(?:-->|\*\/)?[ \t]*$)/;

/**
 * What stands between the marks of a region: `ANCHOR: name` of mdBook, `--8<-- [start:name]`, `#region name`, `<name>` in a comment of DocFX. Lines that are marks
 * themselves go.
 */
export function region(name: string, text: string): PartOfFile {
  const lines = text.split('\n');
  const id = literalPattern(name);
  const start = new RegExp(
    String.raw`(?:ANCHOR:[ \t]*${id}|-8<-{1,2}[ \t]*\[start:[ \t]*${id}\]|#region[ \t]+${id}|(?:\/\/|#|<!--|--|')[ \t]*<${id}>)(?![\w-])`,
    'i',
  );
  const end = new RegExp(
    String.raw`(?:ANCHOR_END:[ \t]*${id}(?![\w-])|-8<-{1,2}[ \t]*\[end:[ \t]*${id}\]|#endregion\b|(?:\/\/|#|<!--|--|')[ \t]*<\/${id}>)`,
    'i',
  );
  const from = lines.findIndex((line) => start.test(line));
  if (from < 0) return { missing: `it has no part \`${name}\`` };
  const to = lines.findIndex((line, index) => index > from && end.test(line));
  return { text: withoutMarks(lines.slice(from + 1, to < 0 ? undefined : to).join('\n')) };
}

/** Without the lines that mark regions for others. */
export function withoutMarks(text: string): string {
  if (!/ANCHOR|8<-|region/.test(text)) return text;
  return text
    .split('\n')
    .filter((line) => !(MARK.test(line) && /ANCHOR(?:_END)?:|8<-{1,2}[ \t]*\[|#(?:end)?region\b/.test(line)))
    .join('\n');
}

/** Lines that start at the same column as the least indented one. */
export function dedented(text: string): string {
  const lines = text.split('\n');
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const least = smallest(indents, 200);
  return least === 0 ? text : lines.map((line) => line.slice(Math.min(least, line.length))).join('\n');
}

/** The language of a block of code by a file's extension. */
export function languageOf(file: string): string {
  const extension = /\.([A-Za-z0-9]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  return NAMES[extension] ?? extension;
}

const NAMES: Readonly<Record<string, string>> = {
  py: 'python',
  rs: 'rust',
  cs: 'csharp',
  js: 'js',
  ts: 'ts',
  rb: 'ruby',
  sh: 'bash',
  yml: 'yaml',
  md: 'markdown',
  kt: 'kotlin',
  ps1: 'powershell',
};
