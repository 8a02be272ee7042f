import { codeBlock } from './article-body.ts';
import { sanitise } from './sanitise.ts';
import { type Element, type Node, textOf, treeOf } from './tree.ts';

/** HTML as Markdown for programs that read it: structure, links and code stay, decoration goes. */
export function markdownOf(html: string, address: string): string {
  return `${blocks(treeOf(sanitise(html)), address).trim()}\n`;
}

const INLINE = new Set(
  'a abbr b bdi bdo cite code del dfn em i ins kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr img br input'.split(
    ' ',
  ),
);

/** Blocks with an empty line between; a run of text and inline tags is a paragraph. */
function blocks(nodes: readonly Node[], address: string): string {
  const parts: string[] = [];
  let run: Node[] = [];
  const flush = (): void => {
    const text = inline(run, address).trim();
    if (text !== '') parts.push(text);
    run = [];
  };
  for (const node of nodes) {
    if (typeof node === 'string' || INLINE.has(node.name)) run.push(node);
    else {
      flush();
      const text = block(node, address);
      if (text.trim() !== '') parts.push(text);
    }
  }
  flush();
  return parts.join('\n\n');
}

function block(element: Element, address: string): string {
  const { name, children, attributes } = element;
  switch (name) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return `${'#'.repeat(Number(name.slice(1)))} ${inline(children, address).trim()}`;
    case 'p':
    case 'dt':
    case 'summary':
      return inline(children, address).trim();
    case 'hr':
      return '---';
    case 'pre': {
      const text = textOf(children).replace(/\n$/, '');
      const fence = fenceFor(text);
      return `${fence}${codeBlock(element)?.language ?? ''}\n${text}\n${fence}`;
    }
    case 'blockquote':
      return prefixed(blocks(children, address), '> ', '> ');
    case 'ul':
    case 'ol':
      return list(element, address);
    case 'table':
      return table(element, address);
    case 'div':
      return (attributes['class'] ?? '').includes('admonition')
        ? prefixed(blocks(children, address), '> ', '> ')
        : blocks(children, address);
    default:
      return blocks(children, address);
  }
}

function list({ name, children, attributes }: Element, address: string): string {
  const items = children.filter((node): node is Element => typeof node !== 'string' && node.name === 'li');
  const first = Number(attributes['start'] ?? 1);
  const isLoose = items.some(({ children }) =>
    children.some((node) => typeof node !== 'string' && node.name === 'p'),
  );
  return items
    .map((item, index) => {
      const mark = name === 'ol' ? `${first + index}. ` : '- ';
      return prefixed(blocks(item.children, address), mark, ' '.repeat(mark.length));
    })
    .join(isLoose ? '\n\n' : '\n');
}

function table(element: Element, address: string): string {
  const rows = rowsIn(element).map((row) =>
    row.children
      .filter((cell): cell is Element => typeof cell !== 'string')
      .map((cell) =>
        inline(cell.children, address)
          .trim()
          .replaceAll('|', String.raw`\|`)
          .replaceAll('\n', ' '),
      ),
  );
  const [head, ...rest] = rows;
  if (head === undefined) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rest.map(line)].join('\n');
}

function rowsIn(element: Element): readonly Element[] {
  return element.children.flatMap((node) => {
    if (typeof node === 'string') return [];
    return node.name === 'tr' ? [node] : rowsIn(node);
  });
}

function inline(nodes: readonly Node[], address: string): string {
  return nodes.map((node) => (typeof node === 'string' ? plain(node) : tag(node, address))).join('');
}

function tag(element: Element, address: string): string {
  const { name, children, attributes } = element;
  const content = (): string => inline(children, address);
  switch (name) {
    case 'a': {
      const text = content();
      return attributes['href'] === undefined || text.trim() === ''
        ? text
        : `[${text}](${absolute(attributes['href'], address)})`;
    }
    case 'img':
      return attributes['src'] === undefined
        ? ''
        : `![${attributes['alt'] ?? ''}](${absolute(attributes['src'], address)})`;
    case 'code':
    case 'kbd':
    case 'samp': {
      const text = textOf(children);
      return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
    }
    case 'strong':
    case 'b':
      return `**${content()}**`;
    case 'em':
    case 'i':
      return `*${content()}*`;
    case 'del':
    case 's':
      return `~~${content()}~~`;
    case 'br':
      return '\\\n';
    case 'input':
      return attributes['checked'] === undefined ? '[ ] ' : '[x] ';
    default:
      return INLINE.has(name) ? content() : ` ${blocks([element], address).replaceAll(/\s+/g, ' ')} `;
  }
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<]/g, (char) => `\\${char}`);
}

function absolute(href: string, address: string): string {
  try {
    return new URL(href, address).href;
  } catch {
    return href;
  }
}

function fenceFor(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  return '`'.repeat(longest + 1);
}

function prefixed(text: string, first: string, rest: string): string {
  return text
    .split('\n')
    .map((line, index) =>
      (line === '' && rest.trim() === '' ? '' : (index === 0 ? first : rest) + line).trimEnd(),
    )
    .join('\n');
}
