import { literalTexts } from '../javascript.ts';
import type { Meaning, Part } from '../tag.ts';
import { argument, boldLine, placeAmongSame, wrapper } from './part-rule.ts';
import type { PartRules } from './part-rule.ts';

/**
 * One tab below the other, each with its name in bold. Names: Docusaurus and Starlight `label`, else `value`; Mintlify, GitBook
 * and Fern `title`; Nextra and Fumadocs the list `items` of all tabs; Docsy `header`; Hextra and Hugo Book `name` or the first word.
 */
export const TABS: PartRules = {
  tabs: wrapper,
  tabgroup: wrapper,
  tabbed: wrapper,
  tabpane: wrapper,
  tabpanels: wrapper,
  tabset: wrapper,
  codetabs: wrapper,
  tab: tabOf,
  tabitem: tabOf,
  tabstab: tabOf,
  tabpanel: tabOf,
  tabcontent: tabOf,
  tabtitle: tabOf,
};

function tabOf(part: Part): Meaning | undefined {
  const name =
    argument(part, 'label', 'title', 'header', 'name', 'tabName', 'tabTitle', '0') ??
    listed(part) ??
    argument(part, 'value', 'id');
  if (part.closer === undefined && name === undefined) return undefined;
  const language = argument(part, 'lang');
  // Docsy: what is inside a tab with a language is code, fence or not.
  const isCode =
    language !== undefined && part.tag.syntax.what === 'shortcode' && !/^\s*(?:`{3}|~{3})/.test(part.inside);
  if (isCode) return { as: 'code', language, ...(name === undefined ? {} : { label: boldLine(name) }) };
  return name === undefined ? { as: 'keep' } : { as: 'labelled', label: boldLine(name) };
}

/** `<Tabs items={['npm', 'pnpm']}>`: the names of all tabs, in order. */
function listed(part: Part): string | undefined {
  if (part.parent === undefined) return undefined;
  const names = NAMES.get(part.parent) ?? namesIn(part.parent);
  NAMES.set(part.parent, names);
  return names[placeAmongSame(part)];
}

const NAMES = new WeakMap<Part, readonly string[]>();

function namesIn({ tag: { args } }: Part): readonly string[] {
  const items = args.computed?.['items'] ?? args.named['items'];
  if (items === undefined) return [];
  return literalTexts(items) ?? items.split(',').map((name) => name.trim());
}
