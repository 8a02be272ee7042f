import type { Meaning, Part } from '../tag.ts';
import { KEEP, argument, boldLine, link, markdownText, wrapper } from './part-rule.ts';
import type { PartRules } from './part-rule.ts';

/** A card is its title in bold, as a link where it is one, with its description below. */
export const CARDS: PartRules = {
  cards: wrapper,
  cardgroup: wrapper,
  cardgrid: wrapper,
  cardpane: wrapper,
  linkcardgrid: wrapper,
  columns: wrapper,
  column: wrapper,
  card: cardOf,
  cardscard: cardOf,
  linkcard: cardOf,
  linkbutton: buttonOf,
  button: buttonOf,
  tile: cardOf,
  doccard: cardOf,
  link: linkOf,
  readmore: readMoreOf,
  // Hugo: Docsy's blocks and Hextra's front page.
  blocksfeature: cardOf,
  blockscover: cardOf,
  blockssection: wrapper,
  blockslead: wrapper,
  hextrafeaturecard: cardOf,
  hextrafeaturegrid: wrapper,
  hextraherobadge: buttonOf,
  hextraherobutton: buttonOf,
  hextraheroheadline: wrapper,
  hextraherosubtitle: wrapper,
  hextraherosection: wrapper,
  hextraherocontainer: wrapper,
};

function cardOf(part: Part): Meaning | undefined {
  const title = argument(part, 'title', 'header', 'label', 'name', 'heading');
  const address = argument(part, 'href', 'link', 'to', 'url');
  const description = argument(part, 'description', 'subtitle', 'footer', 'arrow');
  const text =
    description === undefined || description === 'true' || description === 'false' ? undefined : description;
  if (title === undefined) {
    if (address === undefined || part.closer === undefined)
      return part.closer === undefined ? undefined : KEEP;
    return { as: 'labelled', label: '', below: link(address, address) };
  }
  const name = address === undefined ? boldLine(title) : `**${link(title, address)}**`;
  return { as: 'labelled', label: text === undefined ? name : `${name}\n\n${markdownText(text)}` };
}

function buttonOf(part: Part): Meaning | undefined {
  const address = argument(part, 'href', 'to', 'url', 'link', 'relref');
  if (address === undefined) return part.closer === undefined ? undefined : KEEP;
  const title = argument(part, 'text', 'title', 'label');
  if (part.closer === undefined) return { as: 'text', text: link(title ?? address, address) };
  return {
    as: 'around',
    open: '[',
    close: `](${address.replaceAll(/[\s()]/g, encodeURIComponent)})`,
    isInline: true,
    run: 'markdown',
  };
}

/** undocs and the documentation of Nuxt: `:read-more{to="/guide" title="The guide"}`. */
function readMoreOf(part: Part): Meaning | undefined {
  const address = argument(part, 'to', 'href');
  if (address === undefined || part.inside.trim() !== '') return undefined;
  return { as: 'text', text: link(argument(part, 'title') ?? address, address) };
}

export function linkOf(part: Part): Meaning | undefined {
  return argument(part, 'href', 'to', 'url') === undefined ? undefined : buttonOf(part);
}
