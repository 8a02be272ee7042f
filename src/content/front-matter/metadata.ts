import type { Spot } from '../source-text.ts';

const KEY = /^ {0,3}([A-Za-z0-9_-]+):\s*(.*)$/;
const MORE = /^(?: {4}|\t)\s*(.*)$/;
const BEGIN = /^-{3}(?:\s.*)?$/;
const END = /^(?:-{3}|\.{3})(?:\s.*)?$/;

/** `offset`: where the text below begins. Keys are in small letters, as both programs keep them. */
interface Metadata {
  readonly values: ReadonlyMap<string, string>;
  readonly spots: ReadonlyMap<string, Spot>;
  readonly offset: number;
  readonly bodyLine: number;
}

/**
 * Lines `Key: value` above the text up to an empty line, longer values indented by four (MultiMarkdown). MkDocs reads them where no YAML stands
 * (https://www.mkdocs.org/user-guide/writing-your-docs/#meta-data), Python-Markdown between lines `---` too
 * (https://python-markdown.github.io/extensions/meta_data/), and that is what Pelican has.
 */
export function metadata(text: string): Metadata {
  const values = new Map<string, string>();
  const spots = new Map<string, Spot>();
  let offset = 0;
  let number = 1;
  let key: string | undefined;
  const lineAt = (from: number): string => {
    const end = text.indexOf('\n', from);
    return text.slice(from, end < 0 ? text.length : end);
  };
  const pass = (line: string): void => {
    offset = Math.min(text.length, offset + line.length + 1);
    number += 1;
  };
  if (BEGIN.test(lineAt(0))) pass(lineAt(0));
  while (offset < text.length) {
    const line = lineAt(offset);
    if (line.trim() === '' || END.test(line)) {
      pass(line);
      break;
    }
    const [, name, first = ''] = KEY.exec(line) ?? [];
    const more = name === undefined && key !== undefined ? MORE.exec(line)?.[1] : undefined;
    if (name === undefined && more === undefined) break;
    key = name?.toLowerCase() ?? key ?? '';
    const before = values.get(key);
    values.set(key, `${before === undefined ? '' : `${before} `}${(more ?? first).trim()}`);
    if (before === undefined) spots.set(key, { line: number, column: line.length - first.length + 1 });
    pass(line);
  }
  return values.size === 0
    ? { values, spots, offset: 0, bodyLine: 1 }
    : { values, spots, offset, bodyLine: number };
}

/** The text below such lines. */
export function bodyBelowMetadata(text: string): string {
  return text.slice(metadata(text).offset);
}
