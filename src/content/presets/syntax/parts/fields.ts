import type { Meaning, Part } from '../tag.ts';
import { argument, boldLine, markdownText, wrapper } from './part-rule.ts';
import type { PartRules } from './part-rule.ts';

/** Descriptions of parameters and answers of an API (Mintlify, Fern): name, type, whether it is needed, then the text. */
export const FIELDS: PartRules = {
  paramfield: fieldOf,
  responsefield: fieldOf,
  param: fieldOf,
  parameter: fieldOf,
  property: fieldOf,
  properties: wrapper,
  update: updateOf,
};

const PLACES = ['path', 'query', 'body', 'header', 'name', 'param'] as const;

function fieldOf(part: Part): Meaning | undefined {
  const name = argument(part, ...PLACES);
  if (name === undefined) return undefined;
  const type = argument(part, 'type');
  const fallback = argument(part, 'default');
  const isRequired = (part.tag.args.named['required'] ?? 'false') !== 'false';
  const facts = [
    `**\`${name}\`**`,
    ...(type === undefined ? [] : [markdownText(type)]),
    ...(isRequired ? ['required'] : []),
    ...(fallback === undefined ? [] : [`default: \`${fallback}\``]),
  ];
  // Mintlify's address of a parameter.
  const id = `param-${name.replaceAll(/[^\w.-]+/g, '-')}`;
  return { as: 'labelled', label: `<a id="${id}"></a>${facts.join(' · ')}` };
}

/** An entry of a list of changes. */
function updateOf(part: Part): Meaning | undefined {
  const label = argument(part, 'label', 'title', 'date');
  if (label === undefined) return undefined;
  const description = argument(part, 'description');
  return { as: 'labelled', label: boldLine(description === undefined ? label : `${label}: ${description}`) };
}
