import type { AddressForm } from './address.ts';
import { canonicalAddress, isSameAddress } from './address.ts';
import type { Rewriting } from './rewritings.ts';
import type { HtmlElement, HtmlNode } from './tree.ts';

/** How two texts are looked at: as a browser shows them, and beyond that without what these rewritings change. */
export interface Look {
  readonly without: ReadonlySet<Rewriting>;
  /** `https://help.example.com`, for addresses that stand with or without it. */
  readonly origin?: string | undefined;
  /** `https://help.example.com/en/articles/install`, where it is known: addresses may be relative to it. */
  readonly page?: string | undefined;
  /** Names of parameters that this service adds to addresses. */
  readonly parameters?: ReadonlySet<string> | undefined;
}

/**
 * One tree for all that a browser shows alike: other names of the same look, attributes that change nothing, marks and
 * paragraphs without content, neighbouring marks that are one. What the look leaves out is taken off as well.
 */
export function shapedNodes(nodes: readonly HtmlNode[], look: Look, code: Code = ''): readonly HtmlNode[] {
  return joined(
    nodes.flatMap((node) =>
      typeof node === 'string' ? shapedText(node, look, code) : shaped(node, look, code),
    ),
  );
}

/** Where blanks or letters stand as they are typed: in preformatted text, or in code that runs in a line. */
type Code = '' | 'pre' | 'code';

function shapedText(text: string, { without }: Look, code: Code): string {
  const composed = ASCII.test(text) ? text : text.normalize('NFC');
  return plainSigns(composed, without, code !== '');
}

const ASCII = /^[\0-\x7F]*$/;

/** Blanks and printers' signs as a keyboard types them, as far as the look leaves them out. */
export function plainSigns(text: string, without: Look['without'], isCode = false): string {
  let plain = text;
  if (without.has('blanks')) plain = plain.replaceAll(INVISIBLE, '').replaceAll(BLANKS, ' ');
  if (without.has('typography') && !isCode)
    for (const [sign, typed] of TYPOGRAPHY) plain = plain.replaceAll(sign, typed);
  return plain;
}

/** No-break, figure, thin and the other blanks of Unicode, all of which a reader sees as one. */
const BLANKS = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g;
/** Zero-width blanks and joiners, the soft hyphen, the byte order mark. */
const INVISIBLE = /[\u00AD\u200B-\u200D\u2060\uFEFF]/g;
const TYPOGRAPHY = [
  [/[“”„‟«»]|``|''/g, '"'],
  [/[‘’‚‛]/g, "'"],
  [/…/g, '...'],
  [/[-‐‑‒–—―]+/g, '-'],
] as const;

function shaped(element: HtmlElement, look: Look, code: Code): readonly HtmlNode[] {
  const { without } = look;
  const name = nameOf(element, without);
  const inner = name === 'pre' || name === 'textarea' ? 'pre' : code === '' && CODE.has(name) ? 'code' : code;
  const children = shapedNodes(element.children, look, inner);
  const attributes = attributesOf(name, element.attributes, look);
  if (name === 'img' && without.has('emoji') && EMOJI.test(attributes.get('alt') ?? ''))
    return [attributes.get('alt') ?? ''];
  if (name === 'a' && without.has('autolinks') && isAutolink(children, attributes, look)) return children;
  if (without.has('wrappers') && BOXES.has(name)) return asParagraphs(children);
  if (isUnwrapped(name, attributes, code, without)) return children;
  // A mark around a blank is a blank; a paragraph without content takes no room.
  if (attributes.size === 0 && children.every(isBlank)) {
    if (name === 'p') return [];
    if (MARKS.has(name)) return children;
  }
  return [{ name, attributes, children: BLOCKS.has(name) ? withoutLastBreak(children) : children }];
}

const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Component})+$/u;
const CODE = new Set(['code', 'kbd', 'samp', 'tt', 'script', 'style']);

const SAME_LOOK: Readonly<Record<string, string>> = { b: 'strong', i: 'em', s: 'del', strike: 'del' };
const SAME_MARK: Readonly<Record<string, string>> = {
  ins: 'u',
  tt: 'code',
  samp: 'code',
  kbd: 'code',
  cite: 'em',
  dfn: 'em',
  var: 'em',
};

function nameOf({ name }: HtmlElement, without: Look['without']): string {
  return SAME_LOOK[name] ?? (without.has('marks') ? SAME_MARK[name] : undefined) ?? name;
}

/** Marks whose neighbours of the same name and attributes are one mark. */
const MARKS = new Set(['strong', 'em', 'del', 'u', 'code', 'span', 'sub', 'sup', 'small', 'mark']);

/** Boxes around blocks, or instead of a paragraph. */
const BOXES = new Set(
  'div section article main header footer aside nav center figure hgroup search'.split(' '),
);
const WRAPPERS = new Set('span bdi nobr wbr picture thead tbody tfoot colgroup col'.split(' '));
const STYLE_ELEMENTS = new Set(['font', 'big', 'basefont']);

function isUnwrapped(
  name: string,
  attributes: ReadonlyMap<string, string>,
  code: Code,
  without: Look['without'],
): boolean {
  if ((name === 'span' || name === 'a') && attributes.size === 0) return true;
  if (without.has('styles') && STYLE_ELEMENTS.has(name)) return true;
  if (!without.has('wrappers')) return false;
  return WRAPPERS.has(name) || (code === 'pre' && name === 'code');
}

function isAutolink(
  children: readonly HtmlNode[],
  attributes: ReadonlyMap<string, string>,
  look: Look,
): boolean {
  const [text, ...more] = children;
  const href = attributes.get('href');
  if (typeof text !== 'string' || more.length > 0 || href === undefined) return false;
  return isSameAddress(text, href, addressForm(look));
}

/** What a box holds, with a paragraph around each text that has none. */
function asParagraphs(children: readonly HtmlNode[]): readonly HtmlNode[] {
  const out: HtmlNode[] = [];
  let run: HtmlNode[] = [];
  const close = (): void => {
    if (!run.every(isBlank)) out.push({ name: 'p', attributes: new Map(), children: run });
    run = [];
  };
  for (const child of children) {
    if (typeof child === 'string' || !BLOCKS.has(child.name)) run.push(child);
    else {
      close();
      out.push(child);
    }
  }
  close();
  return out;
}

function isBlank(node: HtmlNode): boolean {
  return typeof node === 'string' && /^[ \t\n\f\r]*$/.test(node);
}

/** The line break that ends a block is not seen; the one before it is. */
function withoutLastBreak(children: readonly HtmlNode[]): readonly HtmlNode[] {
  const end = children.findLastIndex((child) => !isBlank(child));
  const last = children[end];
  if (typeof last !== 'object' || last.name !== 'br') return children;
  const before = children.slice(0, end);
  const hasText = before.some((child) =>
    typeof child === 'string' ? !isBlank(child) : !BLOCKS.has(child.name),
  );
  return hasText ? before : children;
}

/** Neighbouring texts are one text, and neighbouring marks of one kind are one mark. */
function joined(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  const out: HtmlNode[] = [];
  for (const node of nodes) {
    const last = out.at(-1);
    if (typeof node === 'string') {
      if (typeof last === 'string') out[out.length - 1] = last + node;
      else if (node !== '') out.push(node);
    } else if (typeof last === 'object' && isSameMark(last, node)) {
      out[out.length - 1] = { ...last, children: joined([...last.children, ...node.children]) };
    } else out.push(node);
  }
  return out;
}

function isSameMark(a: HtmlElement, b: HtmlElement): boolean {
  return a.name === b.name && MARKS.has(a.name) && a.attributes.size === 0 && b.attributes.size === 0;
}

/** Elements that stand between paragraphs; everything else runs in the text. */
export const BLOCKS: ReadonlySet<string> = new Set(
  `address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption
  figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol option optgroup p pre search section
  summary table tbody td tfoot th thead tr ul`.split(/\s+/),
);

function attributesOf(
  name: string,
  attributes: ReadonlyMap<string, string>,
  look: Look,
): ReadonlyMap<string, string> {
  const found = [...attributes].flatMap(([attribute, value]): [string, string][] => {
    const rewriting = rewritingOf(name, attribute);
    if (rewriting !== undefined && look.without.has(rewriting)) return [];
    return canonicalAttribute(name, attribute, value, look);
  });
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Attributes without which a page says something else. */
const MEANT = new Set(
  'href src poster data alt colspan rowspan start reversed value type checked'.split(' '),
);
const OF_LINKS = new Set(['rel', 'target', 'download', 'referrerpolicy', 'ping', 'hreflang']);
const OF_STYLE = new Set(
  'style align valign width height border bgcolor color face size cellpadding cellspacing nowrap hspace vspace'.split(
    ' ',
  ),
);

/** The rewriting that an attribute belongs to; undefined for one that is meant. */
function rewritingOf(name: string, attribute: string): Rewriting | undefined {
  if (attribute === 'id' || attribute === 'name') return 'ids';
  if (attribute === 'class') return 'classes';
  if (OF_STYLE.has(attribute)) return 'styles';
  if (name === 'a' && OF_LINKS.has(attribute)) return 'link-attributes';
  return MEANT.has(attribute) ? undefined : 'attributes';
}

const ADDRESSES = new Set(['href', 'src', 'poster', 'cite', 'data']);
const FLAGS = new Set(
  'checked disabled open controls loop muted autoplay hidden reversed selected multiple readonly required allowfullscreen playsinline default'.split(
    ' ',
  ),
);
const DEFAULTS: Readonly<Record<string, string>> = {
  start: '1',
  colspan: '1',
  rowspan: '1',
  class: '',
  style: '',
  id: '',
};

function canonicalAttribute(name: string, attribute: string, value: string, look: Look): [string, string][] {
  if (FLAGS.has(attribute)) return [[attribute, '']];
  if (ADDRESSES.has(attribute)) return [[attribute, canonicalAddress(value, addressForm(look))]];
  const plain =
    attribute === 'class' ? [...new Set(words(value))].sort().join(' ') : value.normalize('NFC').trim();
  if (plain === DEFAULTS[attribute]) return [];
  if (attribute !== 'style') return [[attribute, plain]];
  const style = canonicalStyle(plain);
  const align = /^t[dh]$/.test(name) ? /^text-align:(left|right|center)$/.exec(style)?.[1] : undefined;
  return [align === undefined ? [attribute, style] : ['align', align]];
}

function addressForm(look: Look): AddressForm {
  const { without, origin, page, parameters } = look;
  return {
    isPlace: without.has('addresses'),
    isDirect: without.has('proxies'),
    isUnsigned: without.has('signatures'),
    parameters,
    origin,
    page,
  };
}

/** `text-align : center ;` and `text-align:center` are one style. */
function canonicalStyle(style: string): string {
  return style
    .split(';')
    .map((rule) =>
      rule
        .replace(/\s*:\s*/, ':')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((rule) => rule !== '')
    .join(';');
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
