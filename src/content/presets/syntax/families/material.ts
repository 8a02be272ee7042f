import { withCapital } from '../../../../text/capital.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { headingIds, headingSlug } from '../../../markdown/heading-id.ts';
import { columnsOf } from '../indents.ts';
import type { Range } from '../code-ranges.ts';
import { titleWithFormulas } from '../formulas.ts';
import { ICON } from './python-markdown.ts';
import { boxKind } from '../parts/boxes.ts';
import { markdownText } from '../parts/part-rule.ts';
import { NO_ARGUMENTS } from '../tag.ts';
import type { Meaning, Part, Tag, TagSyntax } from '../tag.ts';

/** The blank behind `!!!` and `???` may be missing, as Python-Markdown and its extension for details have it; that behind `===` may not. */
const BLOCK =
  /^([ \t]*)(!!!|\?\?\?\+?|===[!+]?(?=[ \t]))[ \t]*(?:"(.*?)"|([\p{L}\p{N}_-]+)((?:[ \t]+[\p{L}\p{N}_-]+)*)(?:[ \t]+"(.*?)")?)[ \t]*$/u;

/** A longer line is text. */
const LINE_CHARS_MAX = 500;
const INDENT = 4;

/**
 * Blocks of MkDocs and its Material theme, with what is indented below them: `!!! note "Title"` is a box, `??? note` folds,
 * `=== "Tab"` is a tab.
 */
export function materialBlocks(source: Source): Found {
  const { body, inCode, context } = source;
  if (!/^[ \t]*(?:!!!|\?\?\?|===)/m.test(body)) return NOTHING;
  const tabId = tabIds(context.page?.variable('tabs') ?? '', body);
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
    const blanks = /^[ \t]*/.exec(line)?.[0] ?? '';
    const indent = columnsOf(blanks);
    const at = start + blanks.length;
    if (blanks.length < line.length) {
      closeTo(indent);
      const found = end - at < LINE_CHARS_MAX && !inCode(at) ? BLOCK.exec(line) : null;
      const tag = found === null ? undefined : tagOf(found, [at, end], source);
      if (tag !== undefined) {
        const above = tags.at(-1);
        // Tabs with nothing between them are one set; `===!` begins another one.
        const isNext =
          above?.form === 'close' &&
          above.syntax === TAB &&
          above.insideIndent === tag.insideIndent &&
          found?.[2] !== '===!' &&
          body.slice(above.end, tag.start).trim() === '';
        const id = tag.syntax === TAB ? tabId(tag.args.named['title'] ?? '', indent, isNext) : undefined;
        const its = id === undefined ? tag : { ...tag, args: withId(tag.args, id) };
        tags.push(its);
        open.push({ tag: its, indent });
      }
      behind = end;
    }
    start = end + 1;
  }
  closeTo(-1);
  return { tags };
}

/** `[text](address){:target="_blank"}` in a title: attributes are no words of it, as `{id}` is. */
const ATTRIBUTES = /(?<=[)\]`*_])\{:?[ \t]*(?:[.#]|[\w-]+=)[^{}\n]*\}/g;

function tagOf(found: RegExpExecArray, [start, end]: Range, source: Source): Tag | undefined {
  const [, lead = '', mark = '', quoted, type = '', , titled] = found;
  const written = (titled ?? quoted)?.replaceAll(ICON, '').replaceAll(ATTRIBUTES, '').trim();
  const title = written === undefined ? undefined : titleWithFormulas(written, source);
  const isTab = mark.startsWith('===');
  if (isTab && quoted === undefined) return undefined;
  return {
    syntax: isTab ? TAB : mark.startsWith('???') ? FOLD : BOX,
    name: isTab ? '===' : type === '' ? 'note' : type,
    form: 'open',
    start,
    end,
    insideIndent: columnsOf(lead) + INDENT,
    args: {
      named: { ...(title === undefined ? {} : { title }), ...(mark === '???+' ? { open: '' } : {}) },
      positional: [],
    },
  };
}

const TAB: TagSyntax = {
  what: 'container',
  shown: ({ args }) => `=== "${args.named['title'] ?? ''}"`,
  meaning: ({ tag }: Part): Meaning => {
    const { title = '', id } = tag.args.named;
    const target = id === undefined ? '' : `<a id="${id}"></a>`;
    return { as: 'labelled', label: `${target}**${title.replaceAll('*', '')}**` };
  },
};

function withId(args: Tag['args'], id: string): Tag['args'] {
  return { ...args, named: { ...args.named, id } };
}

/**
 * Ids of tabs as `pymdownx.tabbed` makes them (https://facelessuser.github.io/pymdown-extensions/extensions/tabbed/): `__tabbed_2_1` is the first tab of the second set; with `slugify`
 * its title. `kind` is `numbers`, `slugs` or empty: then they are not known.
 */
function tabIds(
  kind: string,
  body: string,
): (title: string, indent: number, isNext: boolean) => string | undefined {
  let sets = 0;
  /** By indent: the set that is open there, and how many tabs it has. */
  const open = new Map<number, { readonly set: number; tabs: number }>();
  // An id of a heading is taken already.
  const headings = kind === 'slugs' ? [...body.matchAll(/^ {0,3}#{1,6}[ \t]+(.+)$/gm)] : [];
  const slugs = headingIds(
    'python-unicode',
    headings.map(([, text = '']) => headingSlug(text.trim())),
  );
  return (title, indent, isNext) => {
    if (kind === 'slugs') return slugs(title);
    if (kind !== 'numbers') return undefined;
    let its = isNext ? open.get(indent) : undefined;
    if (its === undefined) {
      sets += 1;
      its = { set: sets, tabs: 0 };
      open.set(indent, its);
    }
    its.tabs += 1;
    return `__tabbed_${its.set}_${its.tabs}`;
  };
}

/**
 * Any word is allowed here. Without a title of its own, a box has its word for one, with a capital (Python-Markdown, "Admonition");
 * `note`, `tip` and the like have it in the language of the page.
 */
const BOX: TagSyntax = {
  what: 'container',
  shown: ({ name }) => `!!! ${name}`,
  meaning: ({ tag }: Part): Meaning => {
    const kind = boxKind(tag.name);
    const own = kind === tag.name.toLowerCase() ? undefined : withCapital(tag.name.toLowerCase());
    return { as: 'box', kind: kind ?? 'note', title: tag.args.named['title'] ?? own };
  },
};

const FOLD: TagSyntax = {
  what: 'container',
  shown: ({ name }) => `??? ${name}`,
  meaning: ({ tag }: Part): Meaning => {
    const { title } = tag.args.named;
    return {
      as: 'fold',
      summary:
        title === undefined || title === '' ? markdownText(withCapital(tag.name.toLowerCase())) : title,
      isOpen: tag.args.named['open'] === '',
    };
  },
};
