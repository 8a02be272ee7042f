import { headingSlug } from '../../../markdown/heading-id.ts';
import type { Meaning, Part } from '../tag.ts';
import { argument, markdownText, wrapper } from './part-rule.ts';
import type { PartRules } from './part-rule.ts';

/** What opens at a click: `<details>` with its title as the summary. */
export const FOLDS: PartRules = {
  accordiongroup: wrapper,
  accordions: wrapper,
  accordion: foldOf,
  accordionitem: foldOf,
  expandable: foldOf,
  expander: foldOf,
  expand: foldOf,
  collapse: foldOf,
  collapsible: foldOf,
  details: foldOf,
  spoiler: foldOf,
  dropdown: foldOf,
  toggle: foldOf,
};

function foldOf(part: Part): Meaning | undefined {
  if (part.closer === undefined) return undefined;
  const summary = argument(part, 'title', 'summary', 'label', 'header', 'name', 'question', '0');
  const isOpen =
    argument(part, 'defaultOpen', 'open', 'default') === 'true' || part.tag.args.named['open'] === '';
  // Mintlify and Fumadocs open the one that an address names.
  const id = argument(part, 'id') ?? headingSlug(summary ?? '').replaceAll(/^-+|-+$/g, '');
  return { as: 'fold', summary: markdownText(summary ?? '…'), isOpen, id };
}
