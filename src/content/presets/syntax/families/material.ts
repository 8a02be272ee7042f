import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { ICON } from './python-markdown.ts';
import { boxKind } from '../parts/boxes.ts';
import { markdownText } from '../parts/part-rule.ts';
import { NO_ARGUMENTS } from '../tag.ts';
import type { Meaning, Part, Tag, TagSyntax } from '../tag.ts';

const BLOCK =
  /^( *)(!!!|\?\?\?\+?|===[!+]?)[ \t]+(?:"(.*?)"|([A-Za-z][\w-]*)((?:[ \t]+[\w-]+)*)(?:[ \t]+"(.*?)")?)[ \t]*$/;

/** A longer line is text. */
const LINE_CHARS_MAX = 500;
const INDENT = 4;

/**
 * Blocks of MkDocs and its Material theme, with what is indented below them: `!!! note "Title"` is a box, `??? note` folds,
 * `=== "Tab"` is a tab.
 */
export function materialBlocks({ body, inCode }: Source): Found {
  if (!/^ *(?:!!!|\?\?\?|===)/m.test(body)) return NOTHING;
  const tags: Tag[] = [];
  const open: { readonly tag: Tag; readonly indent: number }[] = [];
  let behind = 0;
  const closeTo = (indent: number): void => {
    while ((open.at(-1)?.indent ?? -INDENT) + INDENT > indent) {
      const closed = open.pop();
      if (closed === undefined) return;
      tags.push({ ...closed.tag, form: 'close', start: behind, end: behind, args: NO_ARGUMENTS });
    }
  };
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf('\n', start);
    const end = newline < 0 ? body.length : newline;
    const line = body.slice(start, end);
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    if (indent < line.length) {
      closeTo(indent);
      const found =
        line.length < indent + LINE_CHARS_MAX && !inCode(start + indent) ? BLOCK.exec(line) : null;
      const tag = found === null ? undefined : tagOf(found, start + indent, end);
      if (tag !== undefined) {
        tags.push(tag);
        open.push({ tag, indent });
      }
      behind = end;
    }
    start = end + 1;
  }
  closeTo(-1);
  return { tags };
}

function tagOf(found: RegExpExecArray, start: number, end: number): Tag | undefined {
  const [, lead = '', mark = '', quoted, type = '', , titled] = found;
  const title = (titled ?? quoted)?.replaceAll(ICON, '').trim();
  const isTab = mark.startsWith('===');
  if (isTab && quoted === undefined) return undefined;
  return {
    syntax: isTab ? TAB : mark.startsWith('???') ? FOLD : BOX,
    name: isTab ? '===' : type === '' ? 'note' : type,
    form: 'open',
    start,
    end,
    insideIndent: lead.length + INDENT,
    args: {
      named: { ...(title === undefined ? {} : { title }), ...(mark === '???+' ? { open: '' } : {}) },
      positional: [],
    },
  };
}

const TAB: TagSyntax = {
  what: 'container',
  shown: ({ args }) => `=== "${args.named['title'] ?? ''}"`,
  meaning: ({ tag }: Part): Meaning => ({
    as: 'labelled',
    label: `**${(tag.args.named['title'] ?? '').replaceAll('*', '')}**`,
  }),
};

/** Any word is allowed here, and shown as a note that has the word for its title. */
const BOX: TagSyntax = {
  what: 'container',
  shown: ({ name }) => `!!! ${name}`,
  meaning: ({ tag }: Part): Meaning => {
    const kind = boxKind(tag.name);
    return {
      as: 'box',
      kind: kind ?? 'note',
      title: tag.args.named['title'] ?? (kind === undefined ? tag.name : undefined),
    };
  },
};

const FOLD: TagSyntax = {
  what: 'container',
  shown: ({ name }) => `??? ${name}`,
  meaning: ({ tag }: Part): Meaning => {
    const { title } = tag.args.named;
    const name = tag.name.charAt(0).toUpperCase() + tag.name.slice(1);
    return {
      as: 'fold',
      summary: title === undefined || title === '' ? markdownText(name) : title,
      isOpen: tag.args.named['open'] === '',
    };
  },
};
