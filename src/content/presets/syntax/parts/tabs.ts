import { literalTexts } from '../javascript.ts';
import type { Meaning, Part } from '../tag.ts';
import { argument, boldLine, placeAmongSame, plainName, wrapper } from './part-rule.ts';
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
  const language = docsyLanguage(part, name);
  if (language !== undefined)
    return { as: 'code', language, ...(name === undefined ? {} : { label: boldLine(name) }) };
  return name === undefined ? { as: 'keep' } : { as: 'labelled', label: boldLine(name) };
}

/**
 * Docsy: what is inside a tab is code, unless the tab or its pane has `text=true`
 * (https://www.docsy.dev/docs/content/shortcodes/#tabbed-panes). Undefined: no code, or a fence, which is code by itself.
 */
function docsyLanguage(part: Part, header: string | undefined): string | undefined {
  const { tag, parent, inside } = part;
  if (tag.syntax.what !== 'shortcode' || /^\s*(?:`{3}|~{3})/.test(inside)) return undefined;
  const pane = parent !== undefined && plainName(parent.tag.name) === 'tabpane' ? parent : undefined;
  if (argument(part, 'text') === 'true') return undefined;
  if (pane !== undefined && argument(pane, 'text') === 'true') return undefined;
  const own = argument(part, 'lang');
  // `{{% tab %}}` has Markdown inside that Hugo has turned into HTML.
  if (pane === undefined || tag.syntax.shown(tag).startsWith('{{%')) return own;
  return own ?? (argument(pane, 'langEqualsHeader') === 'true' ? header : argument(pane, 'lang')) ?? '';
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
