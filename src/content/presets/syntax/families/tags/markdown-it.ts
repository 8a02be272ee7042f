import type { Edit } from '../../../preset.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { KEEP } from '../../parts/part-rule.ts';
import type { TagSyntax } from '../../tag.ts';
import { CONTAINER, directives } from '../directives.ts';

/**
 * What plugins of markdown-it add, where the settings name them (https://www.11ty.dev/docs/languages/markdown/#add-your-own-plugins): the names of
 * `markdown-it-container`, and `markdown-it-attrs`.
 */
export function markdownItPlugins(source: Source): Found {
  const names = source.context.page?.variable('markdown-it-container')?.split(' ');
  const found = names === undefined ? NOTHING : containers(source, names);
  const hasAttributes = source.context.page?.variable('markdown-it-attrs') !== undefined;
  return hasAttributes ? { ...found, edits: [...(found.edits ?? []), ...attributeLists(source)] } : found;
}

/** `*`: a registration has a test of its own for names. Other names are text there. */
function containers(source: Source, names: readonly string[]): Found {
  const found = directives(source);
  const isNamed = (name: string): boolean => names.includes('*') || names.includes(name);
  // What closes nothing is text as well where not all names are known.
  return {
    tags: (found.tags ?? []).flatMap((tag) => (isNamed(tag.name) ? [{ ...tag, syntax: PLUGIN }] : [])),
    edits: names.includes('*') ? (found.edits ?? []) : [],
  };
}

/** The plugin by itself writes `<div class="name">`: what is no box is what stands inside. */
const PLUGIN: TagSyntax = { ...CONTAINER, meaning: (part) => CONTAINER.meaning?.(part) ?? KEEP };

/** `#id .class name=value` */
const ATTRIBUTES =
  /^\s*(?:[.#][^\s{}"<>]+|[\w-]+=(?:"[^"\n]*"|\S+))(?:\s+(?:[.#][^\s{}"<>]+|[\w-]+=(?:"[^"\n]*"|\S+)))*\s*$/;

/**
 * `markdown-it-attrs`, between braces or the signs of the settings: behind a part of a line, at the end of a block, or below it. Only an id says anything
 * to a reader: it becomes a target of links.
 */
export function attributeLists({
  body,
  context,
  isTaken,
}: Pick<Source, 'body' | 'context' | 'isTaken'>): readonly Edit[] {
  const [left = '{', right = '}'] = context.page?.variable('attrs')?.split(' ') ?? [];
  const edits: Edit[] = [];
  for (let start = body.indexOf(left); start >= 0; start = body.indexOf(left, start + left.length)) {
    const close = body.indexOf(right, start + left.length);
    const inside = close < 0 ? '' : body.slice(start + left.length, close);
    const end = close + right.length;
    if (!ATTRIBUTES.test(inside) || (left === '{' && !isPlaced(body, start, end)) || isTaken(start)) continue;
    const id = /(?:^|\s)#([^\s#]+)/.exec(inside)?.[1];
    const line = body.slice(body.lastIndexOf('\n', start - 1) + 1, start);
    const isHeading = /^ {0,3}#{1,6}[ \t]/.test(line);
    const text = id === undefined ? '' : isHeading ? `{#${id}}` : `<a id="${id}"></a>`;
    edits.push({ start, end, text });
  }
  return edits;
}

/** Of these, what stands directly behind a link or a picture, or alone in its line: nobody wants readers to see it, whichever program shows the page. */
export function linkAttributes(source: Source): Found {
  const { body, context } = source;
  if (context.isMdx || !/\)\{|^[ \t]*\{/m.test(body)) return NOTHING;
  const edits = attributeLists(source).filter(({ start, end }) => {
    const before = body.slice(Math.max(0, start - LINK_CHARS_MAX), start);
    const isAlone = /(?:^|\n)[ \t]*$/.test(before) && /^\{[ \t]*[.#]/.test(body.slice(start, end));
    return (
      LINK_BEFORE.test(before) || (isAlone && /^[ \t]*(?:\n|$)/.test(body.slice(end, end + LINK_CHARS_MAX)))
    );
  });
  return edits.length === 0 ? NOTHING : { edits };
}

const LINK_BEFORE = /\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)$/;
const LINK_CHARS_MAX = 1000;

/** Braces mean something else elsewhere. */
function isPlaced(body: string, start: number, end: number): boolean {
  const inside = body.slice(start + 1, end - 1).trimStart();
  const isAtEnd = /^[ \t]*(?:\n|$|\|)/.test(body.slice(end, end + 20));
  const isBehindPart = /[`)*_\]~>=]/.test(body[start - 1] ?? '');
  if (body[start - 1] === '{') return false;
  return /^[.#]/.test(inside) ? isAtEnd || isBehindPart : isBehindPart && /^[\w-]+="/.test(inside);
}
