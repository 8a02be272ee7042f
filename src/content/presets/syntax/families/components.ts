import { inRanges } from '../code-ranges.ts';
import type { Range } from '../code-ranges.ts';
import type { Edit } from '../../preset.ts';
import { watchAddress } from '../parts/media.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import type { Tag, TagSyntax } from '../tag.ts';
import { writtenTags } from './jsx-tags.ts';
import type { WrittenTag } from './jsx-tags.ts';
import { escapedHtml } from '../../../../text/escaped-html.ts';

/** Components by their capital letter: Vue's in VitePress, and those of exports that hold JSX in `.md`. */
export function components(source: Source): Found {
  const { body, isTaken } = source;
  if (!/<\/?[A-Z]/.test(body)) return NOTHING;
  const isText = outsideComments(body, isTaken);
  const tags = writtenTags(body, isText)
    .filter((tag) => isComponent(tag.name) && !isCapitalHtml(tag))
    .filter(({ name, form }) => form === 'self' || !isHost(body, name))
    .map((tag): Tag => ({ ...tag, syntax: COMPONENT }));
  return { tags };
}

/** Pages of old write HTML in capitals: outside MDX, the case of such a tag says nothing. `<B />` closes what HTML does not. */
function isCapitalHtml({ name, form }: Pick<WrittenTag, 'name' | 'form'>): boolean {
  return CAPITAL_VOID.has(name) || (form !== 'self' && CAPITAL_HTML.has(name));
}

const CAPITAL_VOID: ReadonlySet<string> = new Set(
  'BASEFONT BR COL EMBED HR IMG INPUT LINK META PARAM SOURCE WBR'.split(' '),
);
const CAPITAL_HTML: ReadonlySet<string> = new Set(
  (
    'A ABBR ACRONYM ADDRESS ARTICLE ASIDE AUDIO B BIG BLOCKQUOTE BUTTON CAPTION CENTER CITE CODE COLGROUP DD DEL DETAILS DFN ' +
    'DIR DIV DL DT EM FIELDSET FIGCAPTION FIGURE FONT FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER I IFRAME INS KBD LABEL LEGEND LI ' +
    'MAIN MAP MARK MENU NAV NOBR NOSCRIPT OBJECT OL OPTION P PICTURE PRE Q S SAMP SCRIPT SECTION SELECT SMALL SPAN STRIKE ' +
    'STRONG STYLE SUB SUMMARY SUP SVG TABLE TBODY TD TEXTAREA TFOOT TH THEAD TIME TR TT U UL VAR VIDEO'
  ).split(' '),
);

const FRAMES = new Set(['iframe', 'embed']);

/** Frames in HTML, where what could run is taken out: the address of what they show stays, as a link. */
export function frames({ body, context, isTaken }: Source): Found {
  if (context.keepsFrames === true || !/<(?:iframe|embed)\b/i.test(body)) return NOTHING;
  const edits: Edit[] = [];
  for (const { name, form, start, end, args } of writtenTags(body, outsideComments(body, isTaken))) {
    if (!FRAMES.has(name.toLowerCase()) || form === 'close') continue;
    const named = new Map(Object.entries(args.named).map(([key, value]) => [key.toLowerCase(), value]));
    const [src, title] = [named.get('src'), named.get('title')];
    if (src === undefined) continue;
    const address = watchAddress(src.trim());
    if (!/^https?:\/\//i.test(address)) continue;
    const close =
      new RegExp(`^[^<]*</${name}\\s*>`, 'i').exec(body.slice(end, end + CLOSE_CHARS_MAX))?.[0] ?? '';
    const shown = title === undefined || title.trim() === '' ? address : title.trim();
    edits.push({
      start,
      end: end + close.length,
      text: `<a href="${attributeText(address)}">${attributeText(shown)}</a>`,
    });
  }
  return { edits };
}

const CLOSE_CHARS_MAX = 2000;

function attributeText(text: string): string {
  return escapedHtml(text).replaceAll(/[*_`[\]]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export function isComponent(name: string): boolean {
  return /^[A-Z]|[.]/.test(name);
}

/** `<example.com>` is a name that stands for itself: no tag of HTML, and nothing ends it. */
function isHost(body: string, name: string): boolean {
  return /^[a-z\d.-]+$/.test(name) && !body.includes(`</${name}`);
}

export const COMPONENT: TagSyntax = {
  what: 'component',
  shown: ({ name }) => `<${name}>`,
  meaning: () => undefined,
};

/** Tags in comments of HTML are text. */
export function outsideComments(
  body: string,
  isTaken: (offset: number) => boolean,
): (offset: number) => boolean {
  if (!body.includes('<!--')) return isTaken;
  const comments: Range[] = [];
  for (let start = body.indexOf('<!--'), isOpen = false; start >= 0;) {
    const close: number = isOpen ? -1 : body.indexOf('-->', start + 4);
    isOpen = close < 0;
    const end = isOpen ? start + 4 : close + 3;
    if (!isTaken(start)) comments.push([start, end]);
    start = body.indexOf('<!--', end);
  }
  const inComment = inRanges(comments);
  return (offset) => isTaken(offset) || inComment(offset);
}
