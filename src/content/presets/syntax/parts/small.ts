import type { Meaning, Part } from '../tag.ts';
import { innerHtml } from './inner-html.ts';
import { KEEP, argument, boldLine, link, markdownText, wrapper } from './part-rule.ts';
import type { PartRules } from './part-rule.ts';

/** Parts of a line: badges, tips, icons, keys. */
export const SMALL: PartRules = {
  badge: badgeOf,
  label: badgeOf,
  pill: badgeOf,
  tag: badgeOf,
  tooltip: tooltipOf,
  icon: dropEmpty,
  term: termOf,
  fa: dropEmpty,
  vpicon: dropEmpty,
  fonticon: dropEmpty,
  npmbadge: packageOf,
  kbd: (part) => around(part, '<kbd>', '</kbd>'),
  highlight: keepInside,
  br: (part) => (part.closer === undefined ? { as: 'text', text: '<br>', isInline: true } : undefined),
};

/** Parts that only arrange or style, and lists that a site makes by itself. */
export const ARRANGING: PartRules = {
  ...Object.fromEntries(
    `frames panel grid gridcontainer row col container section split clientonly browseronly bleed center
    requestexample responseexample apiexample tree view layout fullwidth responsive wrap block page
    collapsiblegroup lead conditionaltext timeline blocks translate suspense content nosearch`
      .trim()
      .split(/\s+/)
      .map((name) => [name, wrapper] as const),
  ),
  fragment: fragmentOf,
  head: () => ({ as: 'drop' }),
  doccardlist: dropEmpty,
  overview: dropEmpty,
  tocinline: dropEmpty,
  toc: dropEmpty,
  tableofcontents: dropEmpty,
  // Hugo: lists of pages that the theme makes, and an arrow to the next section.
  children: dropEmpty,
  blockslinkdown: dropEmpty,
};

/** `<Fragment set:html={"<p>…</p>"} />` of Astro. HTML that begins with no block gets one, else it would be read as Markdown. */
function fragmentOf(part: Part): Meaning | undefined {
  const html = innerHtml(part);
  if (html === undefined)
    return Object.hasOwn(part.tag.args.computed ?? {}, 'set:html') ? undefined : wrapper(part);
  return {
    as: 'text',
    text: /^\s*<(?:pre|p|div|ul|ol|table|h[1-6]|blockquote|figure)\b/i.test(html)
      ? html
      : `<div>${html}</div>`,
  };
}

function badgeOf(part: Part): Meaning | undefined {
  if (part.closer !== undefined) return around(part, '**', '**');
  const text = argument(part, 'text', 'label', 'content', 'name', '0');
  return text === undefined ? undefined : { as: 'text', text: boldLine(text), isInline: true };
}

function tooltipOf(part: Part): Meaning | undefined {
  const tip = argument(part, 'tip', 'text', 'content', 'title', 'label', 'headline');
  if (part.closer === undefined) return undefined;
  return tip === undefined ? KEEP : around(part, '', ` (${markdownText(tip)})`);
}

/** Hextra's `term`: a word of the glossary, shown as it is written. */
function termOf(part: Part): Meaning | undefined {
  const word = argument(part, 'entry', '0');
  return word === undefined || part.closer !== undefined
    ? undefined
    : { as: 'text', text: markdownText(word), isInline: true };
}

/** VuePress: a badge with the version of a package, which leads to it. */
function packageOf(part: Part): Meaning | undefined {
  const name = argument(part, 'package', 'name');
  return name === undefined
    ? undefined
    : { as: 'text', text: link(name, `https://www.npmjs.com/package/${name}`), isInline: true };
}

function keepInside(part: Part): Meaning | undefined {
  return part.closer === undefined ? undefined : KEEP;
}

/** Nothing that can be read. */
function dropEmpty(part: Part): Meaning {
  return part.inside.trim() === '' ? { as: 'text', text: '', isInline: true } : KEEP;
}

function around(part: Part, open: string, close: string): Meaning | undefined {
  return part.closer === undefined
    ? undefined
    : { as: 'around', open, close, isInline: true, run: 'markdown' };
}
