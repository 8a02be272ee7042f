export interface Line {
  readonly at: number;
  readonly text: string;
  readonly indent: number;
}

export function linesOf(text: string): readonly Line[] {
  let at = 0;
  const lines: Line[] = [];
  for (const line of text.split('\n')) {
    if (line !== '' || at < text.length)
      lines.push({ at, text: line.replace(/\r$/, ''), indent: /^[ \t]*/.exec(line)?.[0].length ?? 0 });
    at += line.length + 1;
  }
  return lines;
}

export function isItem({ text }: Line): boolean {
  return /^\s*[-*+]\s/.test(text);
}

export interface ItemAround {
  /** The line that has the place. */
  readonly at: number;
  /** The line of the item's marker; `head` is that line. */
  readonly first: number;
  readonly head: Line;
}

/** The item that has this place of the text in its own lines; undefined: none has. */
export function itemAround(lines: readonly Line[], place: number): ItemAround | undefined {
  const at = lines.findLastIndex((line) => line.at <= place);
  const indent = lines[at]?.indent ?? 0;
  const first = lines.findLastIndex(
    (line, index) => index <= at && isItem(line) && (index === at || line.indent < indent),
  );
  const head = lines[first];
  return head === undefined ? undefined : { at, first, head };
}

/** Keys of YAML that say what a page is called. */
export const TITLE_KEYS = new Set(['name', 'title', 'text', 'label', 'page']);

export function markdownLabel(title: string): string {
  return title.replaceAll(/[\\[\]]/g, '\\$&');
}

/** Plain where YAML reads it as the same text. */
export function yamlScalar(title: string): string {
  const isPlain =
    /^[\p{L}\p{N}(][^\n]*$/u.test(title) &&
    !/: |:$| #|\s$/.test(title) &&
    !/^(?:true|false|null|yes|no|on|off|[\d.,_+-]+(?:e\d+)?|0x[\da-f]+|\d[\d:-]*)$/i.test(title);
  return isPlain ? title : JSON.stringify(title);
}
