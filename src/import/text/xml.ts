import { htmlparser2 } from '../../content/parsers.ts';

export interface XmlHandler {
  /** Names as they are written; `offset` in UTF-16 units. */
  readonly open: (name: string, attributes: Readonly<Record<string, string>>, offset: number) => void;
  /** `isVerbatim`: out of a CDATA section. */
  readonly text: (text: string, isVerbatim: boolean) => void;
  /** `isImplied`: there is no such end tag; a later one, or the end of the file, closed the element. */
  readonly close: (name: string, isImplied: boolean) => void;
}

/** Nobody nests deeper; the parser's work grows with the square of the depth. */
const DEPTH_MAX = 1000;

/**
 * Reads XML from its start to its end, well-formed or not; false where it is nested so deeply that the rest is not
 * read. Entities are the five of XML and numbers: what a DTD
 * declares is never expanded, and nothing is fetched. With `keepEntities` all stay as they are written.
 */
export function readXml(
  xml: string,
  handler: XmlHandler,
  { keepEntities = false }: { readonly keepEntities?: boolean } = {},
): boolean {
  const { Parser } = htmlparser2();
  const text = xml.replace(/^\uFEFF/, '');
  let depth = 0;
  let isSelfClosed = false;
  let isVerbatim = false;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        if (depth > DEPTH_MAX) throw TOO_DEEP;
        isSelfClosed = text[parser.endIndex - 1] === '/';
        handler.open(name, attributes, parser.startIndex);
      },
      oncdatastart: () => {
        isVerbatim = true;
      },
      oncdataend: () => {
        isVerbatim = false;
      },
      ontext: (data) => handler.text(data, isVerbatim),
      onclosetag: (name, isImplied) => {
        // The parser calls the end of `<br/>` implied as well.
        depth -= 1;
        handler.close(name, isImplied && !isSelfClosed);
        isSelfClosed = false;
      },
    },
    { xmlMode: true, decodeEntities: !keepEntities },
  );
  try {
    parser.end(text);
  } catch (error) {
    if (error === TOO_DEEP) return false;
    throw error;
  }
  return true;
}

/** The one way to stop the parser for good. */
const TOO_DEEP = new Error('too deep');
