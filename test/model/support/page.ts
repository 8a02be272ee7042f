import * as fc from 'fast-check';

/** A small page of everything that Markdown can say. Words and addresses are plain, so that a change of one is a change of sense. */
export type Block =
  | { readonly is: 'heading'; readonly level: 2 | 3; readonly inlines: readonly Inline[] }
  | { readonly is: 'paragraph'; readonly inlines: readonly Inline[] }
  | { readonly is: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly is: 'quote'; readonly inlines: readonly Inline[] }
  | { readonly is: 'code'; readonly language: string; readonly text: string }
  | { readonly is: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

export type Inline =
  | { readonly is: 'text' | 'strong' | 'em' | 'code'; readonly text: string }
  | { readonly is: 'link'; readonly text: string; readonly href: string }
  | { readonly is: 'image'; readonly alt: string; readonly src: string };

export type Page = readonly Block[];

const word = fc.stringMatching(/^[a-zé]{2,8}$/);
const words = fc.array(word, { minLength: 1, maxLength: 5 }).map((each) => each.join(' '));
const address = fc
  .tuple(fc.constantFrom('https://example.org/', '/en/articles/', 'https://cdn.example.com/img/'), word)
  .map(([start, end]) => start + end);
const inline: fc.Arbitrary<Inline> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ is: fc.constant('text' as const), text: words }) },
  fc.record({ is: fc.constantFrom('strong' as const, 'em' as const, 'code' as const), text: words }),
  fc.record({ is: fc.constant('link' as const), text: words, href: address }),
  fc.record({ is: fc.constant('image' as const), alt: words, src: address }),
);
const inlines = fc.array(inline, { minLength: 1, maxLength: 4 });
const row = fc.array(words, { minLength: 2, maxLength: 2 });
const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ is: fc.constant('heading' as const), level: fc.constantFrom(2 as const, 3 as const), inlines }),
  { weight: 3, arbitrary: fc.record({ is: fc.constant('paragraph' as const), inlines }) },
  fc.record({
    is: fc.constant('list' as const),
    isOrdered: fc.boolean(),
    items: fc.array(inlines, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ is: fc.constant('quote' as const), inlines }),
  fc.record({ is: fc.constant('code' as const), language: fc.constantFrom('sh', 'js'), text: words }),
  fc.record({
    is: fc.constant('table' as const),
    head: row,
    rows: fc.array(row, { minLength: 1, maxLength: 2 }),
  }),
);

export const anyPage: fc.Arbitrary<Page> = fc.array(block, { minLength: 1, maxLength: 5 });

/** How one writer spells a page; another one spells the same page otherwise. */
export interface Spelling {
  readonly strong: 'strong' | 'b';
  readonly em: 'em' | 'i';
  readonly quote: '"' | "'";
  readonly between: string;
  readonly within: string;
  readonly isUpperCase: boolean;
  readonly letter: (letter: string) => string;
  readonly comment: string;
  readonly isSwapped: boolean;
}

export const USUAL: Spelling = {
  strong: 'strong',
  em: 'em',
  quote: '"',
  between: '\n',
  within: ' ',
  isUpperCase: false,
  letter: (letter) => letter,
  comment: '',
  isSwapped: false,
};

export const anySpelling: fc.Arbitrary<Spelling> = fc.record({
  strong: fc.constantFrom('strong' as const, 'b' as const),
  em: fc.constantFrom('em' as const, 'i' as const),
  quote: fc.constantFrom('"' as const, "'" as const),
  between: fc.constantFrom('', '\n', '\r\n  ', '\n<!-- a comment -->\n', '<p></p>'),
  within: fc.constantFrom(' ', '  ', '\n', '\t '),
  isUpperCase: fc.boolean(),
  letter: fc.constantFrom(
    (letter: string) => letter,
    (letter: string) => letter.normalize('NFD'),
    (letter: string) => (letter === 'é' ? '&eacute;' : letter),
    (letter: string) => `&#${letter.codePointAt(0) ?? 0};`,
  ),
  comment: fc.constantFrom('', '<!-- seen by nobody -->'),
  isSwapped: fc.boolean(),
});

export function htmlOf(page: Page, spelling: Spelling = USUAL): string {
  return page.map((each) => blockHtml(each, spelling)).join(spelling.between);
}

function blockHtml(block: Block, spelling: Spelling): string {
  const run = (each: readonly Inline[]): string =>
    each.map((one) => inlineHtml(one, spelling)).join(spelling.within);
  const element = (name: string, content: string, attributes: Attributes = []): string =>
    tagged(name, content, attributes, spelling);
  switch (block.is) {
    case 'heading':
      return element(`h${block.level}`, run(block.inlines));
    case 'paragraph':
      return element('p', run(block.inlines) + spelling.comment);
    case 'quote':
      return element('blockquote', element('p', run(block.inlines)));
    case 'list':
      return element(
        block.isOrdered ? 'ol' : 'ul',
        block.items.map((item) => element('li', run(item))).join(spelling.between),
      );
    case 'code':
      return element('pre', element('code', block.text, [['class', `language-${block.language}`]]));
    case 'table': {
      const line = (name: string, cells: readonly string[]): string =>
        element('tr', cells.map((cell) => element(name, cell)).join(spelling.between.replace('<p></p>', '')));
      const rows = block.rows.map((cells) => line('td', cells)).join('');
      return element('table', element('thead', line('th', block.head)) + element('tbody', rows));
    }
  }
}

type Attributes = readonly (readonly [string, string])[];

function inlineHtml(inline: Inline, spelling: Spelling): string {
  const text = (each: string): string => Array.from(each, (letter) => lettersOf(letter, spelling)).join('');
  switch (inline.is) {
    case 'text':
      return text(inline.text);
    case 'strong':
    case 'em':
      return tagged(spelling[inline.is], text(inline.text), [], spelling);
    case 'code':
      return tagged('code', text(inline.text), [], spelling);
    case 'link':
      return tagged(
        'a',
        text(inline.text),
        [
          ['href', inline.href],
          ['title', 'there'],
        ],
        spelling,
      );
    case 'image':
      return tag(
        'img',
        [
          ['src', inline.src],
          ['alt', inline.alt],
        ],
        spelling,
      );
  }
}

function lettersOf(letter: string, { letter: spelt, within }: Spelling): string {
  return letter === ' ' ? within : spelt(letter);
}

function tagged(name: string, content: string, attributes: Attributes, spelling: Spelling): string {
  return `${tag(name, attributes, spelling)}${content}</${cased(name, spelling)}>`;
}

function tag(name: string, attributes: Attributes, spelling: Spelling): string {
  const { quote, isSwapped } = spelling;
  const ordered = isSwapped ? attributes.toReversed() : attributes;
  const written = ordered.map(([key, value]) => ` ${cased(key, spelling)}=${quote}${value}${quote}`);
  return `<${cased(name, spelling)}${written.join('')}>`;
}

function cased(name: string, { isUpperCase }: Spelling): string {
  return isUpperCase ? name.toUpperCase() : name;
}

/** Another page that differs in one thing that a reader meets: a word, an address, a picture, the order, a list, a cell. */
export function changedPage(page: Page, seed: number): Page {
  const at = seed % page.length;
  const block = page[at];
  if (block === undefined) throw new Error('a page has a block');
  const before = page.slice(0, at);
  const after = page.slice(at + 1);
  const choice = Math.floor(seed / page.length);
  switch (choice % 4) {
    case 0:
      return [...before, changedBlock(block, Math.floor(choice / 4)), ...after];
    case 1:
      return [
        ...before,
        block,
        { is: 'paragraph', inlines: [{ is: 'text', text: 'added words' }] },
        ...after,
      ];
    case 2:
      return page.length > 1
        ? [...before, ...after]
        : [{ is: 'paragraph', inlines: [{ is: 'text', text: 'other' }] }];
    default:
      return [...before, otherKind(block), ...after];
  }
}

function changedBlock(block: Block, seed: number): Block {
  switch (block.is) {
    case 'code':
      return { ...block, text: `${block.text} -v` };
    case 'table':
      return seed % 2 === 0
        ? {
            ...block,
            rows: block.rows.map((cells) => cells.toReversed()),
            head: block.head.map((cell) => `${cell}x`),
          }
        : { ...block, rows: [...block.rows, ['one', 'more']] };
    case 'list':
      return { ...block, items: [...block.items.slice(0, -1), changedRun(block.items.at(-1) ?? [], seed)] };
    case 'heading':
    case 'paragraph':
    case 'quote':
      return { ...block, inlines: changedRun(block.inlines, seed) };
  }
}

function changedRun(run: readonly Inline[], seed: number): readonly Inline[] {
  const at = seed % run.length;
  return run.map((inline, index) => (index === at ? changedInline(inline, seed) : inline));
}

function changedInline(inline: Inline, seed: number): Inline {
  switch (inline.is) {
    case 'text':
    case 'strong':
    case 'em':
    case 'code':
      return seed % 2 === 0
        ? { ...inline, text: `${inline.text}s` }
        : { ...inline, text: `not ${inline.text}` };
    case 'link':
      return { ...inline, href: `${inline.href}2` };
    case 'image':
      return seed % 2 === 0
        ? { ...inline, src: `${inline.src}.png` }
        : { ...inline, alt: `${inline.alt} now` };
  }
}

function otherKind(block: Block): Block {
  switch (block.is) {
    case 'heading':
      return { is: 'paragraph', inlines: block.inlines };
    case 'paragraph':
      return { is: 'list', isOrdered: false, items: [block.inlines] };
    case 'quote':
      return { is: 'paragraph', inlines: block.inlines };
    case 'list':
      return { ...block, isOrdered: !block.isOrdered };
    case 'code':
      return { is: 'paragraph', inlines: [{ is: 'text', text: block.text }] };
    case 'table':
      return { is: 'list', isOrdered: false, items: [[{ is: 'text', text: block.head.join(' ') }]] };
  }
}
