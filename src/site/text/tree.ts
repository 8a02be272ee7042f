import { Parser } from 'htmlparser2';

export type Node = string | Element;

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
}

/** HTML as a tree; any text is HTML, nothing throws, comments are left out. */
export function treeOf(html: string): readonly Node[] {
  const root: Node[] = [];
  const open: Node[][] = [root];
  const parser = new Parser({
    onopentag(name, attributes) {
      const children: Node[] = [];
      open.at(-1)?.push({ name, attributes, children });
      open.push(children);
    },
    onclosetag() {
      if (open.length > 1) open.pop();
    },
    ontext(text) {
      open.at(-1)?.push(text);
    },
  });
  parser.end(html);
  return root;
}

/** The text of nodes, without tags, as it stands. */
export function textOf(nodes: readonly Node[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');
}

/** Every element among and below the nodes, each before those inside it. */
export function elementsIn(nodes: readonly Node[]): readonly Element[] {
  const elements: Element[] = [];
  const walk = (inside: readonly Node[]): void => {
    for (const node of inside) {
      if (typeof node === 'string') continue;
      elements.push(node);
      walk(node.children);
    }
  };
  walk(nodes);
  return elements;
}
