import type { LocalProblem } from '../../../source-text.ts';
import type { Edit } from '../../preset.ts';
import { replacementOf } from '../../../component-rules.ts';
import { NOTHING } from '../family.ts';
import type { Family } from '../family.ts';

interface IncludeForm {
  /** The path is the first group. */
  readonly pattern: RegExp;
  /** What rules call it. */
  readonly name: string;
  /** Whether it stands in code as well. */
  readonly isInCode?: boolean;
}

/** Lines that take in another file. A rule by the form's name drops or replaces all of them. */
export function includes(...forms: readonly IncludeForm[]): Family {
  return ({ body, context, inCode, spotAt }) => {
    const edits: Edit[] = [];
    const problems: LocalProblem[] = [];
    for (const { pattern, name, isInCode = false } of forms) {
      for (const { 0: whole, index } of body.matchAll(pattern)) {
        if (!isInCode && inCode(index)) continue;
        const rule = Object.hasOwn(context.rules, name) ? context.rules[name] : undefined;
        edits.push({
          start: index,
          end: index + whole.length,
          text: replacementOf(rule) ?? '',
        });
        if (rule !== undefined) continue;
        problems.push({
          code: 'unknown-component',
          what: 'include',
          name,
          shown: whole.trim(),
          spot: spotAt(index),
        });
      }
    }
    return edits.length === 0 ? NOTHING : { edits, problems };
  };
}
