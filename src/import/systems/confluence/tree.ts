import { readXml } from '../../text/xml.ts';
import { escapedHtml } from '../../../text/escaped-html.ts';

/** An element of the storage format. Texts are HTML: entities as they are written, CDATA escaped. */
export interface StorageNode {
  readonly name: string;
  /** As they are written, entities included. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (StorageNode | string)[];
}

/** Deeper ones are left out with their text kept, so no reader of the tree runs out of stack. */
const DEPTH_MAX = 200;

/** The storage format as a tree; tags that do not fit are closed where the reader notices. */
export function storageTree(xhtml: string): { readonly root: StorageNode; readonly isWhole: boolean } {
  const root: StorageNode = { name: '', attributes: {}, children: [] };
  const stack = [root];
  let tooDeep = 0;
  const isWhole = readXml(
    xhtml,
    {
      open: (name, attributes) => {
        if (stack.length > DEPTH_MAX) {
          tooDeep += 1;
          return;
        }
        const node: StorageNode = { name: name.toLowerCase(), attributes, children: [] };
        stack.at(-1)?.children.push(node);
        stack.push(node);
      },
      text: (text, isVerbatim) => void stack.at(-1)?.children.push(isVerbatim ? escapedHtml(text) : text),
      close: () => {
        if (tooDeep > 0) tooDeep -= 1;
        else if (stack.length > 1) stack.pop();
      },
    },
    { keepEntities: true },
  );
  return { root, isWhole };
}

export function elements({ children }: StorageNode): readonly StorageNode[] {
  return children.filter((child) => typeof child !== 'string');
}

export function child(node: StorageNode, name: string): StorageNode | undefined {
  return elements(node).find((each) => each.name === name);
}

/** A macro's parameter as HTML text; the unnamed one is `''`. */
export function parameter(macro: StorageNode, name: string): string | undefined {
  const found = elements(macro).find(
    (each) => each.name === 'ac:parameter' && (each.attributes['ac:name'] ?? '') === name,
  );
  return found === undefined ? undefined : textIn(found).trim();
}

/** Texts without elements, still HTML. */
export function textIn({ children }: StorageNode): string {
  return children.map((each) => (typeof each === 'string' ? each : textIn(each))).join('');
}

export interface StorageOptions {
  /** The address of a file that is attached to the page; undefined: not known. */
  readonly attachment: (name: string) => string | undefined;
  /** The address of a page by its title; undefined: not known. */
  readonly page: (title: string, space: string | undefined) => string | undefined;
  /** Of the text: the titles of boxes are in its language. */
  readonly lang: string;
}

/** What conversion of one page notes. */
export interface Notes {
  readonly options: StorageOptions;
  readonly said: Set<string>;
  summary: string | undefined;
  /** Converts what is in an element. */
  readonly inner: (node: StorageNode) => string;
}
