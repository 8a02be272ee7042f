import type { Edit } from '../../../preset.ts';
import { headingSlug } from '../../../../markdown/heading-id.ts';
import { inRanges } from '../../code-ranges.ts';
import { humanName } from '../../../pages/page-preset.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { boxKind } from '../../parts/boxes.ts';
import { boldLine, link, markdownText } from '../../parts/part-rule.ts';
import { NO_ARGUMENTS, tagArguments } from '../../tag.ts';
import type { Meaning, Part, Tag, TagSyntax } from '../../tag.ts';

const LINE = /^([ \t]*)(!{3,}|\+{3}|\|{3}|==[=-]|>{3})([a-z]*)(?:[ \t]+(\S[^\n]*))?[ \t]*$/gm;
const KIND: Readonly<Record<string, string>> = {
  '!': 'callout',
  '+': 'tab',
  '|': 'column',
  '=': 'panel',
  '>': 'step',
};
const INLINE =
  /\[!(badge|button|ref|file|embed|youtube|card|icon)\b([^[\]\n]*)\](?:\(<?([^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*)>?\))?/gi;
const ICON = /:icon-[\w-]+:[ \t]?/g;
/** Also at the end of titles of tabs and steps. */
const ATTRIBUTES = /(?<![ \t])[ \t]*\{([.#][\w-]+(?:[ \t]+[.#][\w-]+)*)\}[ \t]*$/;

/**
 * Retype: `!!!danger Title` … `!!!` is a box, `+++ Title` a tab, `=== Title` a panel (`==-`: folded), `||| Title` a column, `>>> Title` a step; the next one of a kind
 * ends the one before. In a line: `[!badge text]`, `[!ref text](page)`, `[!button …]`, `:icon-name:`.
 */
export function retype({ body, inCode }: Source): Found {
  const tags = blocks(body, inCode);
  const edits: Edit[] = [];
  const inTag = inRanges(tags.map(({ start, end }) => [start, end]));
  for (const { 0: whole, 1: name = '', 2: said = '', 3: address, index } of body.matchAll(INLINE)) {
    if (inCode(index) || inTag(index)) continue;
    edits.push({ start: index, end: index + whole.length, text: inline(name.toLowerCase(), said, address) });
  }
  const isEdited = inRanges(edits.map(({ start, end }) => [start, end]));
  for (const { 0: whole, index } of body.matchAll(ICON)) {
    if (inCode(index) || inTag(index) || isEdited(index)) continue;
    edits.push({ start: index, end: index + whole.length, text: '' });
  }
  return tags.length + edits.length === 0 ? NOTHING : { tags, edits };
}

function blocks(body: string, inCode: Source['inCode']): readonly Tag[] {
  const tags: Tag[] = [];
  const open: { readonly name: string; readonly mark: string }[] = [];
  for (const { 0: whole, 1: lead = '', 2: mark = '', 3: variant = '', 4: title, index } of body.matchAll(
    LINE,
  )) {
    const start = index + lead.length;
    const name = KIND[mark.charAt(0)];
    // Only callouts have a word directly behind their mark.
    if (name === undefined || inCode(start) || (variant !== '' && name !== 'callout')) continue;
    const end = index + whole.length;
    const at = open.findLastIndex((each) => (name === 'callout' ? each.mark === mark : each.name === name));
    const isBare = title === undefined && variant === '';
    if (at >= 0) {
      const isStacked = !isBare && name !== 'callout';
      if (isBare || isStacked) {
        open.length = at;
        tags.push({
          syntax: BLOCK,
          name,
          form: 'close',
          start,
          end: isBare ? end : start,
          args: NO_ARGUMENTS,
        });
      }
      if (isBare) continue;
    }
    // A line of `===` below a text makes a heading of it.
    if (isBare && name !== 'callout') continue;
    open.push({ name, mark });
    const written = (title ?? '').trimEnd();
    const text = written.replace(ATTRIBUTES, '').replaceAll(ICON, '').trim();
    const id = /#([\w-]+)/.exec(ATTRIBUTES.exec(written)?.[1] ?? '')?.[1] ?? headingSlug(text);
    tags.push({
      syntax: BLOCK,
      name,
      form: 'open',
      start,
      end,
      args: {
        named: { title: text, variant, id, ...(mark === '==-' ? { folded: '' } : {}) },
        positional: [],
      },
    });
  }
  return tags;
}

const BLOCK: TagSyntax = {
  what: 'container',
  shown: ({ name }) => name,
  meaning: ({ tag }: Part): Meaning | undefined => {
    const { title = '', variant = '', id = '', folded } = tag.args.named;
    // Each of them has an address.
    const target = id === '' ? '' : `<a id="${id}"></a>`;
    switch (tag.name) {
      case 'callout':
        return { as: 'box', kind: boxKind(variant) ?? 'note', title: title === '' ? undefined : title };
      case 'panel':
        return { as: 'fold', summary: `${target}${title}`, isOpen: folded === undefined };
      default:
        // A title may hold a link or code, and no second emphasis.
        return {
          as: 'labelled',
          label: `${target}${/[*_<\\]/.test(title) ? boldLine(title) : `**${title}**`}`,
        };
    }
  },
};

function inline(name: string, said: string, address: string | undefined): string {
  const { named } = tagArguments(said);
  const isNamed = /\b(?:text|title|label|variant|icon|size|target|corners|type)\s*=/.test(said);
  const text = (named['text'] ?? named['title'] ?? named['label'] ?? (isNamed ? '' : said))
    .replaceAll(ICON, '')
    .trim();
  if (name === 'icon') return '';
  if (address === undefined || address === '') return text === '' ? '' : `**${markdownText(text)}**`;
  const isLink = /^[a-z][a-z\d+.-]*:/i.test(address);
  const file = address.replace(/[?#].*$/s, '').replace(/\/$/, '');
  const shown = text !== '' ? text : isLink || name === 'file' ? file : humanName(file.replace(/\.\w+$/, ''));
  return link(shown, address);
}
