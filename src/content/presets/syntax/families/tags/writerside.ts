import type { Edit } from '../../../preset.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { boxKind } from '../../parts/boxes.ts';
import { argument, boldLine, markdownText } from '../../parts/part-rule.ts';
import type { Tag, TagSyntax } from '../../tag.ts';
import { tagArguments } from '../../tag.ts';
import { outsideComments } from '../components.ts';
import { writtenTags } from '../jsx-tags.ts';
import type { WrittenTag } from '../jsx-tags.ts';
import { escapedHtml } from '../../../../../text/escaped-html.ts';

/** What is for the site and its editors alone. */
const UNSEEN = new Set(
  'show-structure primary-label secondary-label link-summary card-summary web-summary var help-id category'.split(
    ' ',
  ),
);
const BLOCKS = new Set([
  ...UNSEEN,
  ...'tabs tab procedure step chapter deflist def note tip warning tldr compare snippet if seealso cards contents'.split(
    ' ',
  ),
]);
/** Elements of a line and lists, by what HTML calls them; `''`: only the text is kept. */
const INLINE: Readonly<Record<string, string>> = {
  control: 'strong',
  'ui-path': 'strong',
  title: 'strong',
  path: 'code',
  shortcut: 'kbd',
  emphasis: 'em',
  list: 'ul',
  tooltip: '',
  include: '',
};
const FORMATS: Readonly<Record<string, string>> = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 'del',
  superscript: 'sup',
  subscript: 'sub',
};

const TITLE = /^\[\/\/\]:[ \t]*#[ \t]*\(title:[ \t]*([^\n]{1,500})\)[ \t]*$/m;
const ATTRIBUTES = /[ \t]*\{[ \t]*([\w-]+="[^"\n{}]*"(?:[ \t]+[\w-]+="[^"\n{}]*")*)[ \t]*\}/g;

/**
 * Writerside: `[//]: # (title: …)` is the title, `{style="note"}` below a quote makes it a box, `{id="x"}` names a heading or a block, other attributes say how something looks. Its elements
 * become HTML and our parts (https://www.jetbrains.com/help/writerside/markup-reference.html).
 */
export function writerside({ body, isTaken }: Source): Found {
  const edits: Edit[] = [];
  const tags: Tag[] = [];
  const title = TITLE.exec(body);
  if (title !== null && !isTaken(title.index))
    edits.push({ start: title.index, end: title.index + title[0].length, text: `# ${title[1] ?? ''}\n` });
  for (const { 0: whole, 1: inside = '', index } of body.matchAll(ATTRIBUTES))
    if (!isTaken(index)) edits.push(...attributeEdits(body, index, whole, tagArguments(inside).named));
  const ends: string[] = [];
  for (const tag of writtenTags(body, outsideComments(body, isTaken))) {
    if (BLOCKS.has(tag.name)) tags.push({ ...tag, syntax: WRITERSIDE });
    else {
      const text = htmlOf(tag, ends);
      if (text !== undefined) edits.push({ start: tag.start, end: tag.end, text });
    }
  }
  return tags.length + edits.length === 0 ? NOTHING : { tags, edits };
}

/** A tag of a line as HTML; `ends` are the names that open ones have to be closed by. */
function htmlOf({ name, form, args: { named } }: WrittenTag, ends: string[]): string | undefined {
  const source = named['src'];
  if (form !== 'close' && (name === 'video' || name === 'resource') && source !== undefined) {
    const shown = escapedHtml(source);
    return `<a href="${shown}">${shown}</a>`;
  }
  if (name !== 'format' && !Object.hasOwn(INLINE, name)) return undefined;
  const ordered = name === 'list' && /^(?:decimal|alpha)/.test(named['type'] ?? named['style'] ?? '');
  const html =
    form === 'close'
      ? (ends.pop() ?? '')
      : ordered
        ? 'ol'
        : ((name === 'format' ? FORMATS[named['style'] ?? ''] : INLINE[name]) ?? '');
  if (form === 'open') ends.push(html);
  if (form === 'self') {
    const key = named['key'];
    return key === undefined ? '' : `<kbd>${escapedHtml(key)}</kbd>`;
  }
  return html === '' ? '' : `<${form === 'close' ? '/' : ''}${html}>`;
}

function attributeEdits(
  body: string,
  start: number,
  whole: string,
  { id, style, type }: Readonly<Record<string, string>>,
): readonly Edit[] {
  const end = start + whole.length;
  const lineStart = body.lastIndexOf('\n', start - 1) + 1;
  const before = body.slice(lineStart, start);
  const isAlone = before.trim() === '' && /^[ \t]*(?:\n|$)/.test(body.slice(end, end + 200));
  const anchor = id === undefined ? '' : `<a id="${escapedHtml(id)}"></a>`;
  const gone = { start, end };
  if (!isAlone) {
    const isHeading = /^ {0,3}#{1,6}[ \t]/.test(before);
    return [{ ...gone, text: isHeading && id !== undefined && /^[\w:.-]+$/.test(id) ? ` {#${id}}` : '' }];
  }
  const kind = boxKind(style ?? type ?? '');
  const quote = kind === undefined ? undefined : quoteAbove(body, lineStart);
  return [
    ...(kind === undefined || quote === undefined
      ? []
      : [{ start: quote.start, end: quote.start, text: `${quote.mark}[!${kind.toUpperCase()}]\n` }]),
    { ...gone, text: anchor === '' ? '' : `\n${anchor}` },
  ];
}

/** Where the quote begins that ends in the line above, and what its lines begin with. */
function quoteAbove(
  body: string,
  index: number,
): { readonly start: number; readonly mark: string } | undefined {
  const start = blockStart(body, index);
  const mark = /^[ \t]*>/.exec(body.slice(start, index))?.[0];
  return mark === undefined ? undefined : { start, mark: `${mark} ` };
}

/** The start of the first of the lines above without a blank one between. */
export function blockStart(body: string, index: number): number {
  let start = index;
  while (start > 0) {
    const line = body.lastIndexOf('\n', start - 2) + 1;
    if (body.slice(line, start).trim() === '') break;
    start = line;
  }
  return start;
}

const WRITERSIDE: TagSyntax = {
  what: 'component',
  shown: ({ name }) => `<${name}>`,
  meaning: (part) => {
    const { name, args } = part.tag;
    if (UNSEEN.has(name)) return { as: 'drop', isMeant: true };
    const title = argument(part, 'title');
    if (name === 'chapter' && title !== undefined) {
      const id = args.named['id'];
      return { as: 'labelled', label: `### ${markdownText(title)}${id === undefined ? '' : ` {#${id}}`}` };
    }
    if (/^(?:tabs|tab|step|note|tip|warning)$/.test(name)) return undefined;
    return title === undefined ? { as: 'keep' } : { as: 'labelled', label: boldLine(title) };
  },
};
