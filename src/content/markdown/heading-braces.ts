/** What braces at the end of a heading say. */
export interface HeadingBraces {
  readonly id: string | undefined;
  readonly classes: readonly string[];
  /** What of them is text for readers, with the blanks in front of it; without any, the parser may have left a backslash. */
  readonly text: string;
}

/** One of `{#id .class key=value}`. */
const ATTRIBUTE = String.raw`(?:([#.])([^\s{}#]+)|([\w:-]+)=(?:"([^"{}]*)"|'([^'{}]*)'|([^\s"'{}]+)))`;
const EACH = new RegExp(ATTRIBUTE, 'g');
/** Also `{: …}`, as kramdown has it. */
const ATTRIBUTES = new RegExp(String.raw`^\{:?[ \t]*(${ATTRIBUTE}(?:[ \t]+${ATTRIBUTE})*)[ \t]*\}$`);
/** A comment of MDX with an id (https://docusaurus.io/docs/markdown-features/toc#heading-ids); without the sign if it is nothing else. */
const COMMENT = /^\{\/\*(?:[ \t]*#([^\s*{}]+)(?![^\s*{}])[^{}]*|([\w-]+)|[^{}]*)\*\/\}$/;
const BLANK = /\s/;
/** An id or a class. */
const NAMES = /(?:^|\s)(?:[#.]|(?:id|class)=)/;
const BRACES = /^(\{[^{}\n]*\})[ \t]*(?:#+[ \t]*)?(?:\n[ \t>]*(?:=+|-+)[ \t]*)?$/;

/**
 * The parser takes all words in braces at the end of a heading for attributes: `## GET /users/{name}`. Here only a list of attributes is one, and of
 * that only ids and classes reach the page. `source` is the heading as it was written, of which the parser took something.
 */
export function headingBraces(source: string): HeadingBraces {
  const start = source.lastIndexOf('{');
  const braces = start < 0 ? undefined : BRACES.exec(source.slice(start))?.[1];
  if (braces === undefined) return { id: undefined, classes: [], text: '' };
  const comment = COMMENT.exec(braces);
  if (comment !== null) return { id: comment[1] ?? comment[2], classes: [], text: '' };
  const isEscaped = source[start - 1] === '\\';
  const listed = isEscaped ? undefined : ATTRIBUTES.exec(braces)?.[1];
  // `up{job="api"}` is a metric with its labels.
  const isGlued = start > 0 && !BLANK.test(source[start - 1] ?? '') && !NAMES.test(listed ?? '');
  const attributes = isGlued ? undefined : listed;
  if (attributes !== undefined) return { ...idAndClasses(attributes), text: '' };
  return { id: undefined, classes: [], text: isEscaped ? braces : `${blanksBefore(source, start)}${braces}` };
}

function idAndClasses(attributes: string): Pick<HeadingBraces, 'id' | 'classes'> {
  const classes: string[] = [];
  let id: string | undefined;
  let named: string | undefined;
  for (const [, sign, word = '', name, double, single, bare] of attributes.matchAll(EACH)) {
    if (sign === '#') id = word;
    else if (sign === '.') classes.push(word);
    else if (name === 'id') named ??= double ?? single ?? bare;
  }
  return { id: id ?? named, classes };
}

function blanksBefore(source: string, end: number): string {
  let start = end;
  while (' \t'.includes(source[start - 1] ?? '\n')) start -= 1;
  return source.slice(start, end);
}
