import type { LocalProblem } from '../../../source-text.ts';
import type { Edit } from '../../preset.ts';
import { scalar } from '../../pages/side-file.ts';
import { inRanges } from '../code-ranges.ts';
import type { Range } from '../code-ranges.ts';
import { NOTHING, explained } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { tagArguments } from '../tag.ts';
import type { Meaning, Part, Tag, TagSyntax } from '../tag.ts';

const TAG = /\{%-?\s*(\w+)\b([\s\S]{0,4000}?)-?%\}/g;
const OUTPUT = /\{\{-?([^{}]{0,1000}?)-?\}\}/g;

/** Tags with an end, of Liquid and of the themes for help centres. */
const BLOCKS = new Set(
  'raw comment highlight if for unless case capture tablerow callout note tip info warning danger tabs tab details figure'.split(
    ' ',
  ),
);

/** Jekyll's Liquid, in code too. An `include` goes by its file's name. */
export function liquid(source: Source): Found {
  return liquidOutside(source, () => false);
}

function liquidOutside(source: Source, isCode: (offset: number) => boolean): Found {
  const { body } = source;
  if (!/\{[{%]/.test(body)) return NOTHING;
  const tags: Tag[] = [];
  const raw: Range[] = [];
  let rawStart: number | undefined;
  const closed = new Set([...body.matchAll(/\{%-?\s*end(\w+)/g)].map(([, name]) => name));
  for (const { 0: whole, 1: word = '', 2: rest = '', index } of body.matchAll(TAG)) {
    if (isCode(index)) continue;
    const end = index + whole.length;
    if (rawStart !== undefined && word !== 'endraw') continue;
    if (word === 'raw') rawStart = end;
    if (word === 'endraw' && rawStart !== undefined) {
      raw.push([rawStart, index]);
      rawStart = undefined;
    }
    const args = tagArguments(rest);
    const isInclude = word === 'include' || word === 'include_relative';
    const name = isInclude ? (args.positional[0] ?? word) : word.replace(/^end(?=\w)/, '');
    const isBlock = BLOCKS.has(word) || closed.has(word);
    const form = /^end\w/.test(word) ? 'close' : isBlock ? 'open' : 'self';
    const written = whole.replaceAll(/\s+/g, ' ').slice(0, SHOWN_MAX);
    tags.push({ syntax: LIQUID, name, form, start: index, end, args, written });
  }
  const inRaw = inRanges(raw);
  const isTag = inRanges(tags.map(({ start, end }) => [start, end]));
  return { tags, ...outputs(source, (offset) => isCode(offset) || inRaw(offset) || isTag(offset)) };
}

/**
 * GitBook's blocks. `{{ … }}` is a text of the page, but in HonKit and old GitBook, where a book.json is. Code is text: GitBook puts `{% raw %}`
 * around it (https://github.com/honkit/honkit, packages/@honkit/gitbook-markdown/lib/page.js).
 */
export function gitbook(source: Source): Found {
  const found = liquidOutside(source, source.inCode);
  if (source.context.page?.variable('templates') !== undefined) return found;
  return found.tags === undefined ? NOTHING : { tags: found.tags };
}

/** What a message shows of a tag. */
const SHOWN_MAX = 100;

const LIQUID: TagSyntax = {
  what: 'liquid tag',
  shown: ({ written = '' }) => written,
  meaning,
};

function meaning({ tag: { name, args } }: Part): Meaning | undefined {
  const [first = ''] = args.positional;
  switch (name) {
    case 'link':
      return { as: 'text', text: `/${first.replace(/^\//, '')}`, isInline: true };
    case 'post_url':
      return { as: 'text', text: `/_posts/${first.replace(/^\//, '')}.md`, isInline: true };
    case 'raw':
      return { as: 'keep', isInline: true };
    case 'comment':
      return { as: 'drop' };
    case 'highlight':
      return { as: 'code', language: first };
    default:
      return undefined;
  }
}

/** `book.name` of HonKit and old GitBook, by `variables` of book.json. */
function bookValue({ page }: Source['context'], expression: string): string | undefined {
  const keys = /^book((?:\.\w+)+)$/.exec(expression)?.[1]?.slice(1).split('.');
  return keys === undefined ? undefined : scalar(page?.value?.(page.file, 'book', keys));
}

/** Addresses that only need the site's own root; `url` is Eleventy's filter (https://www.11ty.dev/docs/filters/url/). */
const ADDRESS = /^(?:site\.(?:baseurl|url)|["']([^"']*)["']\s*\|\s*(?:relative_url|absolute_url|url))$/;

/** `{{ … }}`: addresses and texts in quotes; the rest needs a rule with its very words. */
function outputs(
  { body, context, spotAt }: Source,
  isText: (offset: number) => boolean,
): { readonly edits: readonly Edit[]; readonly problems: readonly LocalProblem[] } {
  const edits: Edit[] = [];
  const problems: LocalProblem[] = [];
  for (const { 0: whole, 1: inside = '', index } of body.matchAll(OUTPUT)) {
    if (isText(index)) continue;
    const name = inside.trim();
    const address = ADDRESS.exec(name);
    const literal = /^(?:"([^"]*)"|'([^']*)')$/.exec(name);
    const value =
      bookValue(context, name) ??
      (address === null ? undefined : (address[1] ?? '')) ??
      (literal === null ? undefined : (literal[1] ?? literal[2]));
    const found = explained({ start: index, whole, name, value }, { context, spotAt });
    edits.push(...found.edits);
    problems.push(...found.problems);
  }
  return { edits, problems };
}
