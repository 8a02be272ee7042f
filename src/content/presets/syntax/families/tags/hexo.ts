import { fenceAround } from '../../../../markdown/fence.ts';
import type { LocalProblem } from '../../../../source-text.ts';
import { inRanges } from '../../code-ranges.ts';
import type { Range } from '../../code-ranges.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { boxKind } from '../../parts/boxes.ts';
import { boldLine, link, markdownText, target } from '../../parts/part-rule.ts';
import { NO_ARGUMENTS, tagArguments } from '../../tag.ts';
import type { Meaning, Part, Tag, TagSyntax } from '../../tag.ts';

const TAG = /\{%-?[ \t]*(\w+)([^%{}\n]{0,500}|[^\n]{0,500}?)-?%\}/g;
/** A value of Nunjucks, which is looked up when the site is built. */
const OUTPUT = /\{\{-?([^{}]{0,1000}?)-?\}\}/g;
/** Tabs of NexT and Butterfly, inside `{% tabs name %}`. */
const TAB = /<!--[ \t]{0,9}(?:tab[ \t]{1,9}([^\n]{0,100}?)|(endtab))[ \t]{0,9}-->/g;
const BLOCKS = new Set(
  'raw codeblock code blockquote quote pullquote note tabs subtabs subsubtabs cq centerquote'.split(' '),
);

/** Tag plugins of Hexo (https://hexo.io/docs/tag-plugins), and boxes and tabs of its themes. */
export function hexoTags({ body, context, isTaken, spotAt }: Source): Found {
  if (!/\{[%{]/.test(body)) return NOTHING;
  const closed = new Set([...body.matchAll(/\{%-?[ \t]*end(\w+)/g)].map(([, name]) => name));
  const file = context.page?.file ?? '';
  const syntax = syntaxOf(file, (path) => context.page?.readText(path));
  const tags: Tag[] = [];
  const raw: Range[] = [];
  let rawStart: number | undefined;
  for (const { 0: whole, 1: word = '', 2: rest = '', index } of body.matchAll(TAG)) {
    if (isTaken(index) || (rawStart !== undefined && word !== 'endraw')) continue;
    if (rawStart !== undefined) raw.push([rawStart, index]);
    rawStart = word === 'raw' && closed.has('raw') ? index + whole.length : undefined;
    const name = word.replace(/^end(?=\w)/, '');
    const isBlock = BLOCKS.has(name) ? closed.has(name) : closed.has(word);
    const form = word !== name ? 'close' : isBlock ? 'open' : 'self';
    tags.push({ syntax, name, form, start: index, end: index + whole.length, args: tagArguments(rest) });
  }
  if (tags.some(({ name }) => name.endsWith('tabs'))) {
    for (const { 0: whole, 1: title, index } of body.matchAll(TAB)) {
      if (isTaken(index)) continue;
      const label = title?.replace(/\s*@[\w\s-]*$/, '') ?? '';
      const args = label === '' ? NO_ARGUMENTS : { named: { title: label }, positional: [] };
      const form = title === undefined ? 'close' : 'open';
      tags.push({ syntax, name: 'tab', form, start: index, end: index + whole.length, args });
    }
    tags.sort((a, b) => a.start - b.start);
  }
  const inTag = inRanges(
    [...raw, ...tags.map(({ start, end }): Range => [start, end])].sort(([a], [b]) => a - b),
  );
  const problems = [...body.matchAll(OUTPUT)].flatMap(
    ({ 0: shown, 1: name = '', index }): readonly LocalProblem[] =>
      isTaken(index) || inTag(index)
        ? []
        : [{ code: 'unknown-component', what: 'expression', name: name.trim(), shown, spot: spotAt(index) }],
  );
  return { tags, problems };
}

function syntaxOf(file: string, readText: (path: string) => string | undefined): TagSyntax {
  return {
    what: 'liquid tag',
    shown: ({ name, form }) => `{% ${form === 'close' ? 'end' : ''}${name} %}`,
    meaning: (part) => meaning(part, file, readText),
  };
}

/** Styles of boxes that are no titles. */
const STYLE = /^(?:flat|modern|simple|disabled|no-icon|icon|left|right)$|^(?:fa[bsr]? )?fa-/;

function meaning(
  part: Part,
  file: string,
  readText: (path: string) => string | undefined,
): Meaning | undefined {
  const { tag, closer } = part;
  const { positional } = tag.args;
  switch (tag.name) {
    case 'raw':
      return { as: 'keep', isInline: true };
    case 'codeblock':
    case 'code': {
      if (closer === undefined) return undefined;
      const language = positional.find((word) => word.startsWith('lang:'))?.slice('lang:'.length) ?? '';
      const title = positional.filter((word) => !/^(?:https?:|\w+:\w)/.test(word)).join(' ');
      return { as: 'code', language, ...(title === '' ? {} : { label: boldLine(title) }) };
    }
    case 'blockquote':
    case 'quote':
    case 'pullquote':
    case 'cq':
    case 'centerquote': {
      if (closer === undefined) return undefined;
      const words = positional.filter((word) => !/^https?:/.test(word)).join(' ');
      const address = positional.find((word) => /^https?:/.test(word));
      const source = words === '' && address !== undefined ? address : words;
      const by = address === undefined ? markdownText(source) : link(source, address);
      const end =
        source === '' || !tag.name.endsWith('quote') || tag.name === 'pullquote' ? '' : `— ${by}\n\n`;
      return { as: 'around', open: '<blockquote>', close: `${end}</blockquote>` };
    }
    case 'note': {
      if (closer === undefined) return undefined;
      const kind = positional.map(boxKind).find((found) => found !== undefined) ?? 'note';
      const title = positional.filter((word) => boxKind(word) === undefined && !STYLE.test(word)).join(' ');
      return { as: 'box', kind, ...(title === '' ? {} : { title }) };
    }
    case 'post_link': {
      const [name = '', title] = positional;
      return { as: 'text', text: link(plain(title ?? name), postOf(name)), isInline: true };
    }
    case 'post_path':
      return { as: 'text', text: postOf(positional[0] ?? ''), isInline: true };
    case 'asset_img':
    case 'img':
      return picture(positional, tag.name === 'img' ? '' : assetsOf(file));
    case 'asset_link': {
      const [name = '', title] = positional;
      return { as: 'text', text: link(plain(title ?? name), assetsOf(file) + name), isInline: true };
    }
    case 'asset_path':
      return { as: 'text', text: assetsOf(file) + (positional[0] ?? ''), isInline: true };
    case 'link': {
      const at = positional.findIndex((word) => /^(?:https?:|\/)/.test(word));
      return at < 1
        ? undefined
        : { as: 'text', text: link(positional.slice(0, at).join(' '), positional[at] ?? ''), isInline: true };
    }
    case 'include_code': {
      const path = positional.find((word) => /\.\w+$/.test(word) && !word.includes(':'));
      const code = path === undefined ? undefined : readText(`downloads/code/${path}`);
      if (path === undefined || code === undefined) return undefined;
      const language = positional.find((word) => word.startsWith('lang:'))?.slice('lang:'.length);
      const fence = fenceAround(code);
      return {
        as: 'text',
        text: `${fence}${language ?? path.replace(/^.*\./, '')}\n${code.trimEnd()}\n${fence}`,
      };
    }
    case 'jsfiddle':
      return { as: 'text', text: `<https://jsfiddle.net/${encodeURI(positional[0] ?? '')}/>` };
    default:
      return undefined;
  }
}

/** Titles may hold HTML. */
function plain(title: string): string {
  return title.replaceAll(/<[^<>]*>/g, '');
}

function postOf(name: string): string {
  return `/posts/${name}`;
}

/** The folder of a post's pictures has the post's name; pictures of a page lie beside it. */
function assetsOf(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return name === 'index' ? '' : `${name}/`;
}

/** `[class names] slug [width] [height] "title" "alt"` */
function picture(words: readonly string[], folder: string): Meaning | undefined {
  const at = words.findIndex((word) => /\.\w{2,5}(?:\?.*)?$|^(?:https?:)?\/\//.test(word));
  const address = words[at];
  if (address === undefined) return undefined;
  const texts = words.slice(at + 1).filter((word) => !/^\d+(?:px|%)?$/.test(word));
  const [title = '', alt = title] = texts.length > 2 ? [texts.join(' ')] : texts;
  return { as: 'text', text: `![${markdownText(plain(alt))}](${target(folder + address)})`, isInline: true };
}
