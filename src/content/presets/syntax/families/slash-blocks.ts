import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { titleWithFormulas } from '../formulas.ts';
import { boxKind } from '../parts/boxes.ts';
import { boldLine, markdownText } from '../parts/part-rule.ts';
import { NO_ARGUMENTS } from '../tag.ts';
import type { Meaning, Part, Tag, TagSyntax } from '../tag.ts';

const LINE =
  /^([ \t>]*)(\/{3,})(?:[ \t]*([A-Za-z][\w-]*)(?![\w-])(?:[ \t]*\|(.*))?)?[ \t]*$((?:\n[ \t]{4}[\w-]+:[^\n]*)*)/gm;

/**
 * Blocks of pymdownx: `/// note | Title`, options below it by four blanks, then the text, then `///`. `details` folds, `tab` is a tab, `caption`
 * stands below what it belongs to, `html` and the rest keep their text.
 */
export function slashBlocks(source: Source): Found {
  const { body, inCode } = source;
  if (!body.includes('///')) return NOTHING;
  const tags: Tag[] = [];
  const open: { readonly name: string; readonly slashes: number; readonly options: string }[] = [];
  for (const {
    0: whole,
    1: lead = '',
    2: mark = '',
    3: name,
    4: written = '',
    5: options = '',
    index,
  } of body.matchAll(LINE)) {
    const start = index + lead.length;
    if (inCode(start)) continue;
    if (name !== undefined) {
      open.push({ name, slashes: mark.length, options });
      const title = titleWithFormulas(written.trim(), source);
      const type = /^[ \t]+type:[ \t]*(\S+)/m.exec(options)?.[1];
      const named = {
        ...(title === '' ? {} : { title }),
        ...(type === undefined ? {} : { type }),
        ...(/open:[ \t]*true/i.test(options) ? { open: '' } : {}),
      };
      tags.push({
        syntax: SLASHES,
        name,
        form: 'open',
        start,
        end: index + whole.length,
        args: { named, positional: [] },
      });
      continue;
    }
    const at = open.findLastIndex(({ slashes }) => slashes === mark.length);
    const opener = open[at];
    if (opener === undefined) continue;
    open.length = at;
    tags.push({
      syntax: SLASHES,
      name: opener.name,
      form: 'close',
      start,
      end: index + whole.length,
      args: NO_ARGUMENTS,
    });
  }
  return { tags };
}

const SLASHES: TagSyntax = { what: 'container', shown: ({ name }) => `/// ${name}`, meaning };

function meaning({ tag, inside }: Part): Meaning | undefined {
  const { name } = tag;
  const { title, type } = tag.args.named;
  const kind = boxKind(name === 'admonition' ? (type ?? 'note') : name);
  if (name === 'admonition' || kind !== undefined) return { as: 'box', kind: kind ?? 'note', title };
  switch (name) {
    case 'details':
      return {
        as: 'fold',
        summary: title ?? markdownText(type ?? 'Details'),
        isOpen: tag.args.named['open'] === '',
      };
    case 'tab':
      return { as: 'labelled', label: boldLine(title ?? '') };
    case 'caption':
    case 'figure-caption':
      return { as: 'text', text: inside.trim() === '' ? '' : `*${inside.trim()}*` };
    case 'html':
    case 'define':
      return { as: 'keep' };
    default:
      return undefined;
  }
}
