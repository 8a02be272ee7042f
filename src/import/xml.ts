import { htmlparser2 } from '../content/lazy.ts';

export interface XmlHandler {
  /** Names as they are written; `offset` in UTF-16 units. */
  readonly open: (name: string, attributes: Readonly<Record<string, string>>, offset: number) => void;
  readonly text: (text: string) => void;
  /** `isImplied`: there is no such end tag; a later one, or the end of the file, closed the element. */
  readonly close: (name: string, isImplied: boolean) => void;
}

/**
 * Reads XML from its start to its end, well-formed or not. Entities are the five of XML and numbers: what a DTD
 * declares is never expanded, and nothing is fetched.
 */
export function readXml(xml: string, handler: XmlHandler): void {
  const { Parser } = htmlparser2();
  const text = xml.replace(/^\uFEFF/, '');
  let isSelfClosed = false;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        isSelfClosed = text[parser.endIndex - 1] === '/';
        handler.open(name, attributes, parser.startIndex);
      },
      ontext: (data) => handler.text(data),
      onclosetag: (name, isImplied) => {
        // The parser calls the end of `<br/>` implied as well.
        handler.close(name, isImplied && !isSelfClosed);
        isSelfClosed = false;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
}
