import { textsOf, valueAt } from '../../pages/side-file.ts';
import { exportedLiterals } from '../../settings/literals.ts';
import type { Meaning, Part } from '../tag.ts';
import { argument, boldLine, markdownText, wrapper } from './part-rule.ts';
import type { PartRules } from './part-rule.ts';

/** Descriptions of parameters and answers of an API (Mintlify, Fern): name, type, whether it is needed, then the text. */
export const FIELDS: PartRules = {
  paramfield: (part) => fieldOf(part),
  responsefield: (part) => fieldOf(part),
  param: (part) => fieldOf(part),
  parameter: (part) => fieldOf(part),
  // Plume: `::: field name="size" type="number" required`.
  field: (part) => fieldOf(part, argument(part, 'title')),
  fieldgroup: wrapper,
  property: (part) => fieldOf(part),
  properties: wrapper,
  update: updateOf,
  typetable: typeTableOf,
};

const PLACES = ['path', 'query', 'body', 'header', 'name', 'param'] as const;

function fieldOf(part: Part, otherName?: string): Meaning | undefined {
  const name = argument(part, ...PLACES) ?? otherName;
  const type = argument(part, 'type');
  // An answer without a name is one value.
  if (name === undefined && type === undefined) return undefined;
  const fallback = argument(part, 'default');
  const isRequired = (part.tag.args.named['required'] ?? 'false') !== 'false';
  const facts = [
    ...(name === undefined ? [] : [`**\`${name}\`**`]),
    ...(type === undefined ? [] : [markdownText(type)]),
    ...(isRequired ? ['required'] : []),
    ...(fallback === undefined ? [] : [`default: \`${fallback}\``]),
  ];
  // Mintlify's address of a parameter.
  const anchor = name === undefined ? '' : `<a id="param-${name.replaceAll(/[^\w.-]+/g, '-')}"></a>`;
  return { as: 'labelled', label: anchor + facts.join(' · ') };
}

/** Fumadocs: `type={{ name: { type, description, default, required } }}`, a line for each. */
function typeTableOf({ tag }: Part): Meaning | undefined {
  const written = tag.args.computed?.['type'];
  const types = written === undefined ? undefined : exportedLiterals(`export default (${written});`);
  if (typeof types !== 'object' || types === null || Array.isArray(types)) return undefined;
  const lines = Object.entries(types).map(([name, said]: readonly [string, unknown]) => {
    const [type] = textsOf(valueAt(said, 'type'));
    const fallback = valueAt(said, 'default');
    const [description] = textsOf(valueAt(said, 'description'));
    const facts = [
      `**\`${name}\`**`,
      ...(type === undefined ? [] : [markdownText(type)]),
      ...(valueAt(said, 'required') === true ? ['required'] : []),
      ...(['string', 'number', 'boolean'].includes(typeof fallback)
        ? [`default: \`${String(fallback)}\``]
        : []),
    ];
    return `- ${facts.join(' · ')}${description === undefined || description === '' ? '' : `: ${markdownText(description)}`}`;
  });
  return lines.length === 0 ? undefined : { as: 'text', text: lines.join('\n') };
}

/** An entry of a list of changes. */
function updateOf(part: Part): Meaning | undefined {
  const label = argument(part, 'label', 'title', 'date');
  if (label === undefined) return undefined;
  const description = argument(part, 'description');
  return { as: 'labelled', label: boldLine(description === undefined ? label : `${label}: ${description}`) };
}
