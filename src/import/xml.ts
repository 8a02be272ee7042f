import { htmlparser2 } from '../content/lazy.ts';

export interface XmlHandler {
  /** Names as they are written; `offset` in UTF-16 units. */
  readonly open: (name: string, attributes: Readonly<Record<string, string>>, offset: number) => void;
  /** `isVerbatim`: out of a CDATA section. */
  readonly text: (text: string, isVerbatim: boolean) => void;
  /** `isImplied`: there is no such end tag; a later one, or the end of the file, closed the element. */
  readonly close: (name: string, isImplied: boolean) => void;
}

/**
 * Reads XML from its start to its end, well-formed or not. Entities are the five of XML and numbers: what a DTD
 * declares is never expanded, and nothing is fetched. With `keepEntities` all stay as they are written.
 */
export function readXml(
  xml: string,
  handler: XmlHandler,
  { keepEntities = false }: { readonly keepEntities?: boolean } = {},
): void {
  const { Parser } = htmlparser2();
  const text = xml.replace(/^\uFEFF/, '');
  let isSelfClosed = false;
  let isVerbatim = false;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
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
        handler.close(name, isImplied && !isSelfClosed);
        isSelfClosed = false;
      },
    },
    { xmlMode: true, decodeEntities: !keepEntities },
  );
  parser.end(text);
}
