import type { MdastNode, MdastPluginDefinition, MdastVisitorContext } from 'satteri';
import { withColonsAlone } from './definition-lists.ts';
import { mayHaveEmojiCodes, withEmoji } from './emoji-codes.ts';
import { headingBraces } from './heading-braces.ts';
import { HEADING_BADGE, headingIds } from './heading-id.ts';
import type { HeadingBraces } from './heading-braces.ts';
import type { HeadingIds } from './heading-id.ts';
import type { AlertKind, Labels } from '../labels.ts';
import { satteri } from '../parsers.ts';
import type { Spot } from '../source-text.ts';

/**
 * GitHub-flavoured Markdown by satteri; this is the only file that knows it. Heading ids as the files' own system makes them, or
 * as `## Title {#id}` says; footnotes; task lists; `> [!NOTE]` becomes
 * `<div class="admonition note"><p class="admonition-title">Note</p>…</div>`.
 */
export const RENDERER = 'satteri 0.10.5, kbsync 3';

/** A table of n columns writes n cells for each of its rows, however short the source: the cap keeps pages sane. */
export const TABLE_CELLS_MAX = 200_000;

/** What a text contains, as far as other files and checks need it. Spots count from the body's first line. */
export interface MarkdownScan {
  readonly headingIds: readonly string[];
  readonly links: readonly MarkdownLink[];
  readonly html: readonly { readonly value: string; readonly spot: Spot }[];
  /** Signs stand in place of codes. */
  readonly hasEmoji: boolean;
  readonly hasDefinitions: boolean;
  /** The HTML before links are resolved and before it is made safe: good for looking at, not for sending. */
  readonly rendered: string;
}

export interface MarkdownLink {
  /** As CommonMark reads it: entities and backslashes resolved, percent-encoding as written. */
  readonly url: string;
  readonly isImage: boolean;
  readonly spot: Spot;
  /** A definition that no link of the text uses: no reader sees it. */
  readonly isUnused?: true;
}

export interface MarkdownHooks {
  /** The address to write for a link or image. */
  readonly url: (url: string) => string;
  /** The raw HTML to write for a piece of raw HTML. */
  readonly html: (value: string) => string;
  readonly labels: Labels;
  /** Undefined: as GitHub makes them. */
  readonly headingIds?: HeadingIds | undefined;
  readonly extensions?: MarkdownExtensions | undefined;
}

/** What some layouts read besides GitHub's Markdown. */
export interface MarkdownExtensions {
  /** A term, and below it `: what it means`, are a list of definitions. */
  readonly hasDefinitionLists?: boolean;
  /** `:rocket:` is the sign. */
  readonly hasEmojiCodes?: boolean;
}

export function scanMarkdown(
  written: string,
  idOf: HeadingIds = headingIds(),
  { hasDefinitionLists = false, hasEmojiCodes = false }: MarkdownExtensions = {},
): MarkdownScan {
  const body = hasDefinitionLists ? withColonsAlone(written) : written;
  const scan: MutableScan = {
    headingIds: [],
    links: [],
    html: [],
    imageDefinitions: new Set(),
    linkDefinitions: new Set(),
    definitions: [],
  };
  const { html: rendered } = satteri().markdownToHtml(body, {
    features: { ...FEATURES, definitionList: hasDefinitionLists },
    mdastPlugins: [scanPlugin(scan, body, idOf), ...emojiPlugin(body, hasEmojiCodes)],
  });
  for (const { identifier, url, spot } of scan.definitions) {
    const isImage = scan.imageDefinitions.has(identifier);
    scan.links.push({
      url,
      isImage,
      spot,
      ...(isImage || scan.linkDefinitions.has(identifier) ? {} : { isUnused: true as const }),
    });
  }
  const hasEmoji = hasEmojiCodes && mayHaveEmojiCodes(body);
  const hasDefinitions = hasDefinitionLists && rendered.includes('<dl>');
  return {
    headingIds: scan.headingIds,
    links: scan.links,
    html: scan.html,
    hasEmoji,
    hasDefinitions,
    rendered,
  };
}

export function renderMarkdown(body: string, hooks: MarkdownHooks): string {
  const { footnotes: label, backTo: backLabel } = hooks.labels;
  const definitionList = hooks.extensions?.hasDefinitionLists === true;
  const features = { ...FEATURES, gfm: { footnotes: { label, backLabel } }, definitionList };
  const text = definitionList ? withColonsAlone(body) : body;
  const emoji = emojiPlugin(text, hooks.extensions?.hasEmojiCodes === true);
  const mdastPlugins = [renderPlugin(hooks, text), ...emoji];
  return satteri().markdownToHtml(text, { features, mdastPlugins }).html;
}

/** Codes stand in texts alone: never in code, addresses and HTML. */
function emojiPlugin(body: string, hasEmojiCodes: boolean) {
  if (!hasEmojiCodes || !mayHaveEmojiCodes(body)) return [];
  return [
    {
      name: 'kbsync-emoji',
      text: (node, context) => {
        const shown = withEmoji(node.value);
        if (shown !== node.value) context.setProperty(node, 'value', shown);
      },
    } satisfies MdastPluginDefinition,
  ];
}

type Heading = Extract<MdastNode, { readonly type: 'heading' }>;

/** Cells that the tables of a text would write; an upper bound, found without parsing. */
export function tableCells(body: string): number {
  if (!body.includes('|')) return 0;
  let cells = 0;
  let columns = 0;
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf('\n', start);
    const end = newline < 0 ? body.length : newline;
    // Most lines of most texts start with a letter and belong to no table.
    if (columns > 0 || MAY_START_DELIMITERS.includes(body.charAt(start))) {
      const line = body.slice(start, end);
      if (/^[\s>]*$/.test(line)) columns = 0;
      else if (line.includes('|') && /^(?=[^-]*-)[-:|\s>]*$/.test(line)) columns = line.split('|').length;
      cells += columns;
    }
    start = end + 1;
  }
  return cells;
}

const MAY_START_DELIMITERS = '|:-> \t';

export const FEATURES = { gfm: true, headingAttributes: true, frontmatter: false } as const;

interface MutableScan {
  readonly headingIds: string[];
  readonly links: MarkdownLink[];
  readonly html: { readonly value: string; readonly spot: Spot }[];
  readonly imageDefinitions: Set<string>;
  readonly linkDefinitions: Set<string>;
  readonly definitions: { readonly identifier: string; readonly url: string; readonly spot: Spot }[];
}

/** Each visitor costs a crossing per node, so it is only asked for where the text can hold such a node. */
function scanPlugin(scan: MutableScan, body: string, idOf: HeadingIds) {
  const hasAttributes = body.includes('{');
  return {
    name: 'kbsync-scan',
    options: { position: true },
    heading: (node, context) => {
      const end = hasAttributes ? endOf(node, body) : undefined;
      scan.headingIds.push(idOf(wholeText(node, context, { body, end }), end?.id, codeIn(node, body)));
      if (end !== undefined) addText(end.text, node, context);
    },
    link: (node) => void scan.links.push({ url: node.url, isImage: false, spot: spotOf(node) }),
    ...(body.includes('![') && {
      image: (node) => void scan.links.push({ url: node.url, isImage: true, spot: spotOf(node) }),
      imageReference: (node) => void scan.imageDefinitions.add(node.identifier),
    }),
    ...(body.includes(']:') && {
      linkReference: (node) => void scan.linkDefinitions.add(node.identifier),
      definition: (node) =>
        void scan.definitions.push({ identifier: node.identifier, url: node.url, spot: spotOf(node) }),
    }),
    ...(body.includes('<') && {
      html: (node) => void scan.html.push({ value: node.value, spot: spotOf(node) }),
    }),
  } satisfies MdastPluginDefinition;
}

/** Entities and backslashes may stand for its characters. */
export const MAY_ALERT = /\[!|&|\\!/;

const TEXT_ONLY = { includeImageAlt: false, includeHtml: false };

/** Each visitor costs a crossing for each node, as in `scanPlugin`. */
function renderPlugin(hooks: MarkdownHooks, body: string) {
  const idOf = hooks.headingIds ?? headingIds();
  return {
    name: 'kbsync-render',
    options: { position: true },
    heading: (node, context) => {
      const end = endOf(node, body);
      const id = idOf(wholeText(node, context, { body, end }), end?.id, codeIn(node, body));
      const classes = end === undefined || end.classes.length === 0 ? {} : { className: [...end.classes] };
      context.setProperty(node, 'data', { hProperties: { id, ...classes } });
      if (end !== undefined) addText(end.text, node, context);
    },
    link: (node, context) => {
      const url = hooks.url(node.url);
      if (url !== node.url) context.setProperty(node, 'url', url);
    },
    ...(body.includes('![') && {
      image: (node, context) => {
        const url = hooks.url(node.url);
        if (url !== node.url) context.setProperty(node, 'url', url);
      },
    }),
    ...(body.includes(']:') && {
      definition: (node, context) => {
        const url = hooks.url(node.url);
        if (url !== node.url) context.setProperty(node, 'url', url);
      },
    }),
    ...(body.includes('<') && {
      html: (node, context) => {
        const value = hooks.html(node.value);
        if (value === '') context.removeNode(node);
        else if (value !== node.value) context.setProperty(node, 'value', value);
      },
    }),
    ...(MAY_ALERT.test(body) && {
      blockquote: (node, context) => {
        const first = node.children[0];
        if (first?.type !== 'paragraph') return;
        const text = first.children[0];
        const found = text?.type === 'text' ? ALERT.exec(text.value) : null;
        if (text?.type !== 'text' || found === null) return;
        const kind = alertKind(found[1] ?? '');
        const title = found[2]?.trim();
        const rest = text.value.slice(found[0].length);
        context.setProperty(node, 'data', { hName: 'div', hProperties: { className: ['admonition', kind] } });
        context.insertBefore(first, {
          type: 'paragraph',
          data: { hProperties: { className: ['admonition-title'] } },
          children: [
            { type: 'text', value: title === undefined || title === '' ? hooks.labels[kind] : title },
          ],
        });
        if (rest === '' && first.children.length === 1) context.removeNode(first);
        else if (rest === '') {
          context.removeNode(text);
          const next = first.children[1];
          if (next?.type === 'break') context.removeNode(next);
        } else context.setProperty(text, 'value', rest);
      },
    }),
  } satisfies MdastPluginDefinition;
}

/** As GitHub: the marker stands alone on the first line of the quote. `[!NOTE|Title]` is our own, for titles of other systems. */
const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)(?:\|([^\]\n]*))?\][^\S\n]*(?:\n|$)/i;

function alertKind(marker: string): AlertKind {
  switch (marker.toUpperCase()) {
    case 'TIP':
      return 'tip';
    case 'IMPORTANT':
      return 'important';
    case 'WARNING':
      return 'warning';
    case 'CAUTION':
      return 'caution';
    default:
      return 'note';
  }
}

interface Positioned {
  readonly position?:
    | {
        readonly start: Spot & { readonly offset?: number | undefined };
        readonly end: { readonly offset?: number | undefined };
      }
    | undefined;
}

/** Characters that may make a heading's text differ from its source. */
const MARKUP = /[\\`*_[\]<>&!~{}\n^:@#]/;

/**
 * A heading's text without markup. Asking the parser for it copies the whole tree; where the source has no markup, which
 * is nearly everywhere, the source is the text.
 */
function headingText(node: Readonly<Heading>, context: MdastVisitorContext, body: string): string {
  const position: Positioned['position'] = node.position;
  const source = body
    .slice(position?.start.offset ?? 0, position?.end.offset ?? 0)
    .replace(/^#{1,6}[ \t]+/, '');
  if (source !== '' && !MARKUP.test(source)) return source.trimEnd();
  const text = context.textContent(node, TEXT_ONLY);
  return source.includes(BADGE) ? withoutBadges(text, source) : text;
}

/** The code of a heading, from its source: the parser's nodes cost a copy each. */
function codeIn({ position }: Positioned, body: string): readonly string[] {
  const source = body.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
  if (!source.includes('--') || !source.includes('`')) return NO_CODE;
  return [...source.matchAll(/(?<!`)(`+)(?!`)([^`]+)\1/g)].map(([, , code = '']) => code.trim());
}

const NO_CODE: readonly string[] = [];

const BADGE = `<strong class="${HEADING_BADGE}">`;

/** A badge that another system draws beside a heading is no part of its id. */
function withoutBadges(text: string, source: string): string {
  let rest = text;
  for (const piece of source.split(BADGE).slice(1)) {
    const shown = piece.slice(0, Math.max(0, piece.indexOf('<')));
    const at = rest.lastIndexOf(shown);
    if (at >= 0) rest = `${rest.slice(0, at)}${rest.slice(at + shown.length)}`;
  }
  return rest.trim();
}

function spotOf(node: Positioned): Spot {
  const start = node.position?.start;
  return { line: start?.line ?? 1, column: start?.column ?? 1 };
}

/** What braces at the end of a heading say, if the parser took them for attributes, which its types do not know. */
function endOf({ data, position }: Readonly<Heading>, body: string): HeadingBraces | undefined {
  const taken: unknown = data === undefined || data === null ? undefined : Reflect.get(data, 'hProperties');
  const at: Positioned['position'] = position;
  if (taken === undefined) return undefined;
  return headingBraces(body.slice(at?.start.offset ?? 0, at?.end.offset ?? 0));
}

interface Written {
  readonly body: string;
  readonly end: HeadingBraces | undefined;
}

/** The text with what stands in braces at its end and is no attribute. */
function wholeText(node: Readonly<Heading>, context: MdastVisitorContext, { body, end }: Written): string {
  const text = headingText(node, context, body);
  return end === undefined ? text : joined(text, end.text);
}

/** The parser leaves the backslash of `\{name}` behind. */
function joined(text: string, end: string): string {
  return `${end.startsWith('{') && text.endsWith('\\') ? text.slice(0, -1) : text}${end}`;
}

function addText(text: string, node: Readonly<Heading>, context: MdastVisitorContext): void {
  if (text === '') return;
  const last = node.children.at(-1);
  if (last?.type === 'text') context.setProperty(last, 'value', joined(last.value, text));
  else context.appendChild(node, { type: 'text', value: last === undefined ? text.trim() : text });
}
