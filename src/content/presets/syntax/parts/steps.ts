import type { Meaning, Part } from '../tag.ts';
import { KEEP, argument, boldLine, placeAmongSame, wrapper } from './part-rule.ts';
import type { PartRules } from './part-rule.ts';

/** Steps keep their order and their names: `**2. Install it**`. A list or headings inside are steps by themselves. */
export const STEPS: PartRules = {
  steps: wrapper,
  stepper: wrapper,
  stepsstep: stepOf,
  step: stepOf,
};

function stepOf(part: Part): Meaning {
  const title = argument(part, 'title', 'name', 'label', '0');
  const number = argument(part, 'stepNumber') ?? String(placeAmongSame(part) + 1);
  if (title !== undefined) return { as: 'labelled', label: boldLine(`${number}. ${title}`) };
  // GitBook and Nextra: the text of the step begins with its heading.
  return /^\s*#{1,6} /.test(part.inside) ? KEEP : { as: 'labelled', label: boldLine(`${number}.`) };
}
