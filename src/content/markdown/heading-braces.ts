/** What braces at the end of a heading say. */
export interface HeadingBraces {
  readonly id: string | undefined;
  readonly classes: readonly string[];
  /** What of them is text for readers, with the blanks in front of it; without any, the parser may have left a backslash. */
  readonly text: string;
}

/** `{#id .class key=value}`, and `{: …}` as kramdown has it. */
const ATTRIBUTES =
  /^\{:?[ \t]*(?:[#.][^\s{}#]+|[\w:-]+=(?:"[^"{}]*"|[^\s"{}]+))(?:[ \t]+(?:[#.][^\s{}#]+|[\w:-]+=(?:"[^"{}]*"|[^\s"{}]+)))*[ \t]*\}$/;
/** A comment of MDX with an id (https://docusaurus.io/docs/markdown-features/toc#heading-ids); without the sign if it is nothing else. */
const COMMENT = /^\{\/\*(?:[ \t]*#([^\s*{}]+)[^{}]*|([\w-]+)|[^{}]*)\*\/\}$/;
const BRACES = /([ \t]*)(\\?)(\{[^{}\n]*\})[ \t]*(?:#+[ \t]*)?(?:\n[ \t>]*(?:=+|-+)[ \t]*)?$/;

/**
 * The parser takes all words in braces at the end of a heading for attributes: `## GET /users/{name}`. Here only a list of attributes is one, and of
 * that only ids and classes reach the page. `source` is the heading as it was written, of which the parser took something.
 */
export function headingBraces(source: string): HeadingBraces {
  const [, blank = '', escape = '', braces = ''] = BRACES.exec(source) ?? [];
  const comment = COMMENT.exec(braces);
  if (comment !== null) return { id: comment[1] ?? comment[2], classes: [], text: '' };
  if (escape === '' && ATTRIBUTES.test(braces)) {
    const words = braces.replaceAll(/=(?:"[^"]*"|[^\s}]+)/g, '=').match(/(?<=[\s{:])[#.][^\s{}#]+/g) ?? [];
    const [, quoted, bare] = /[\s{:]id=(?:"([^"]*)"|([^\s}]+))/.exec(braces) ?? [];
    return {
      id: words.findLast((word) => word.startsWith('#'))?.slice(1) ?? quoted ?? bare,
      classes: words.filter((word) => word.startsWith('.')).map((word) => word.slice(1)),
      text: '',
    };
  }
  return { id: undefined, classes: [], text: escape === '' ? `${blank}${braces}` : braces };
}
