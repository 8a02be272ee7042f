import type { Edit } from '../../../preset.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { tagArguments } from '../../tag.ts';
import type { Tag, TagSyntax } from '../../tag.ts';

const TAG =
  /\{%[ \t]*(?:(\/)[ \t]*)?([A-Za-z][\w-]*)(?![\w-])((?:[^%{}"\n]|"[^"\n]*"){0,1000}?)(\/?)[ \t]*%\}/g;
/** `{% #id .class %}` behind a heading. */
const ANNOTATION = /(?<![ \t])[ \t]*\{%[ \t]+([#.][^%{}\n]{0,200})%\}[ \t]*$/gm;

/**
 * Tags of Markdoc: `{% callout type="note" %}` … `{% /callout %}` and `{% tag /%}`, ids of headings (https://markdoc.dev/docs/tags). Only in a text that closes a tag in its way: Liquid has the
 * same signs.
 */
export function markdoc({ body, isTaken }: Source): Found {
  if (!/\{%[ \t]*\/|\/[ \t]*%\}|\{%[ \t]+#/.test(body)) return NOTHING;
  const tags: Tag[] = [];
  for (const { 0: whole, 1: slash, 2: name = '', 3: rest = '', 4: self, index } of body.matchAll(TAG)) {
    if (isTaken(index)) continue;
    const form = slash === '/' ? 'close' : self === '/' ? 'self' : 'open';
    const args = tagArguments(rest);
    tags.push({ syntax: MARKDOC, name, form, start: index, end: index + whole.length, args });
  }
  const edits: Edit[] = [];
  for (const { 0: whole, 1: inside = '', index } of body.matchAll(ANNOTATION)) {
    if (isTaken(index)) continue;
    const line = body.slice(body.lastIndexOf('\n', index - 1) + 1, index);
    const id = /^ {0,3}#{1,6}[ \t]/.test(line) ? /#([\w.-]+)/.exec(inside)?.[1] : undefined;
    edits.push({ start: index, end: index + whole.length, text: id === undefined ? '' : ` {#${id}}` });
  }
  return { tags, edits };
}

const MARKDOC: TagSyntax = {
  what: 'liquid tag',
  shown: ({ name, form }) => `{% ${form === 'close' ? '/' : ''}${name} %}`,
  meaning: ({ tag }) => (tag.name === 'comment' ? { as: 'drop' } : undefined),
};
