import { computedSource, watchAddress } from '../parts/media.ts';
import { innerHtml } from '../parts/inner-html.ts';
import { argument } from '../parts/part-rule.ts';
import type { Meaning, Part, TagSyntax } from '../tag.ts';

/** HTML tags in JSX: self-closing where HTML's are not, `className`, values in braces, Markdown between them. */
export const HTML: TagSyntax = {
  what: 'component',
  shown: ({ name, args }) =>
    `<${name}${Object.entries(args.computed ?? {})
      .map(([key, value]) => ` ${key}={${value}}`)
      .join('')}>`,
  meaning,
};

export const VOID = words('area base br col embed hr img input link meta param source track wbr');
/** Tags of a line of text. */
const INLINE = words(
  'a abbr b bdi bdo br cite code data del dfn em font i img input ins kbd label mark q ruby s samp small span strike strong sub sup time tt u var wbr button',
);
/** Blocks that take a line of text as well; Markdown is not read in the line of such a tag. */
const TEXT_BLOCKS = words('p h1 h2 h3 h4 h5 h6 td th summary dt dd li figcaption caption legend div center');
const GONE = words('style script head noscript template link meta base svg math');

function meaning(part: Part): Meaning | undefined {
  const { tag, closer } = part;
  const { name } = tag;
  if (tag.form === 'close') return { as: 'text', text: '', isInline: true };
  // A fragment.
  if (name === '') return { as: 'keep' };
  if (GONE.has(name)) return { as: 'drop' };
  if (name === 'iframe' || name === 'embed' || name === 'object') return frame(part);
  const source = name === 'img' ? (argument(part, 'src') ?? computedSource(part)) : undefined;
  if (name === 'img' && source === undefined) return undefined;
  const open = openTag(part, source);
  const html = innerHtml(part);
  if (html !== undefined) return { as: 'text', text: `${open}${html}</${name}>`, isInline: INLINE.has(name) };
  if (VOID.has(name) || closer === undefined) {
    const text = VOID.has(name) ? open : tag.form === 'self' ? `${open}</${name}>` : open;
    return { as: 'text', text, isInline: INLINE.has(name) };
  }
  const close = `</${name}>`;
  if (INLINE.has(name)) return { as: 'around', open, close, isInline: true, run: 'markdown' };
  return TEXT_BLOCKS.has(name) ? { as: 'around', open, close, run: 'html' } : { as: 'around', open, close };
}

function frame(part: Part): Meaning | undefined {
  const address = argument(part, 'src', 'data') ?? computedSource(part);
  if (address === undefined) return undefined;
  const title = argument(part, 'title');
  const url = watchAddress(address).replaceAll(/[\s<>()]/g, encodeURIComponent);
  return {
    as: 'text',
    text: title === undefined ? `<${url}>` : `[${title.replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${url})`,
  };
}

/** The tag as HTML has it; what is computed goes. */
function openTag({ tag }: Part, source: string | undefined): string {
  const named = source === undefined ? tag.args.named : { ...tag.args.named, src: source };
  const attributes = Object.entries(named).map(([name, value]) => {
    if (name.startsWith('set:')) return '';
    const spelled = name === 'className' ? 'class' : name === 'htmlFor' ? 'for' : name.toLowerCase();
    return value === ''
      ? ` ${spelled}`
      : ` ${spelled}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  });
  return `<${tag.name}${attributes.join('')}>`;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
