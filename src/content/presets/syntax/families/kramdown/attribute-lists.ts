import type { Edit } from '../../../preset.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { boxKind } from '../../parts/boxes.ts';
import { NO_ARGUMENTS } from '../../tag.ts';
import type { Meaning, Part, Tag, TagSyntax } from '../../tag.ts';

/**
 * kramdown's attribute lists. `{: .note }` above a paragraph or a quote makes it a box, `{: #id }` behind or below a heading is its id; others say
 * how something looks.
 */
export function attributeLists({ body, inCode }: Source): Found {
  if (!body.includes('{:')) return NOTHING;
  const tags: Tag[] = [];
  const edits: Edit[] = [];
  for (const { 0: whole, 1: lead = '', 2: inside = '', index } of body.matchAll(
    /^([ \t>]*)\{:(?![:/])([^}\n]*)\}[ \t]*$/gm,
  )) {
    const start = index + lead.length;
    const end = index + whole.length;
    if (inCode(start)) continue;
    const id = /(?:^|\s)#([\w:.-]+)/.exec(inside)?.[1];
    const above = lineAbove(body, index);
    const isHeading =
      id !== undefined && /^[ \t>]{0,3}#{1,6}[ \t]/.test(above.text) && !/\{#[^}]*\}\s*$/.test(above.text);
    if (isHeading) {
      edits.push({ start: above.end, end: above.end, text: ` {#${id}}` }, { start, end, text: '' });
      continue;
    }
    const name = [...inside.matchAll(/\.([\w-]+)/g)]
      .map(([, its = '']) => its.replace(/-title$/, ''))
      .find((its) => boxKind(its) !== undefined);
    if (name === undefined || above.text.trim() !== '') {
      // The id of another block: the one above, or the one below where nothing stands above.
      const target = id === undefined ? '' : `<a id="${id}"></a>`;
      const isApart = target !== '' && (/^[ \t>]*\|/.test(above.text) || above.text.trim() === '');
      edits.push({
        start,
        end,
        text: isApart ? `${above.text.trim() === '' ? '' : '\n'}${target}\n` : target,
      });
      continue;
    }
    const quote = /^\n[ \t]*> ?/.exec(body.slice(end, end + 50))?.[0];
    if (quote !== undefined) {
      const at = end + quote.length;
      const mark = `[!${boxKind(name)?.toUpperCase() ?? ''}]\n`;
      edits.push({ start, end, text: '' }, { start: at, end: at, text: mark });
      continue;
    }
    const behind = paragraphEnd(body, end);
    const tag = { syntax: BOX, name, args: NO_ARGUMENTS };
    tags.push({ ...tag, form: 'open', start, end }, { ...tag, form: 'close', start: behind, end: behind });
  }
  const starts = new Set(tags.map(({ start }) => start));
  for (const { 0: whole, 1: inside = '', index } of body.matchAll(
    /(?<=[^\s{])[ \t]?\{:(?![:/])([^}\n]{0,200})\}/g,
  )) {
    if (inCode(index) || starts.has(index)) continue;
    const id = /#([\w:.-]+)/.exec(inside)?.[1];
    const lineStart = body.lastIndexOf('\n', index - 1) + 1;
    const isHeading = id !== undefined && /^ {0,3}#{1,6}[ \t]/.test(body.slice(lineStart, index));
    edits.push({ start: index, end: index + whole.length, text: isHeading ? ` {#${id}}` : '' });
  }
  return { tags, edits };
}

/**
 * Attributes below a block, `{#id .class}`, where settings of Hugo turn them on (`markup.goldmark.parser.attribute.block`): the id becomes a target of links, the rest
 * says how something looks.
 */
export function blockAttributes({ body, context, isTaken }: Source): Found {
  if (!/^[ \t>]*\{[ \t]*[.#a-z]/m.test(body) || context.page?.variable('hugo.blockAttributes') !== 'on')
    return NOTHING;
  const edits: Edit[] = [];
  for (const { 0: whole, 1: lead = '', 2: inside = '', index } of body.matchAll(
    /^([ \t>]*)\{[ \t]*((?:[.#][\w:.-]+|[\w-]+=(?:"[^"\n]*"|[^\s",{}]+))(?:[ \t,]+(?:[.#][\w:.-]+|[\w-]+=(?:"[^"\n]*"|[^\s",{}]+)))*)[ \t]*\}[ \t]*$/gm,
  )) {
    const start = index + lead.length;
    if (isTaken(start) || lineAbove(body, index).text.trim() === '') continue;
    const id = /(?:^|[ \t,])(?:#|id=)"?([\w:.-]+)/.exec(inside)?.[1];
    edits.push({
      start,
      end: index + whole.length,
      text: id === undefined ? '' : `\n${lead}<a id="${id}"></a>`,
    });
  }
  return { edits };
}

const BOX: TagSyntax = {
  what: 'container',
  shown: ({ name }) => `{: .${name} }`,
  meaning: ({ tag }: Part): Meaning | undefined => {
    const kind = boxKind(tag.name);
    return kind === undefined ? undefined : { as: 'box', kind };
  },
};

function lineAbove(body: string, start: number): { readonly text: string; readonly end: number } {
  const end = Math.max(0, start - 1);
  return { text: body.slice(body.lastIndexOf('\n', end - 1) + 1, end), end };
}

/** The end of the last line of the paragraph below. */
function paragraphEnd(body: string, from: number): number {
  const blank = /\n[ \t]*(?=\n|$)/.exec(body.slice(from + 1));
  return blank === null ? body.length : from + 1 + blank.index;
}
