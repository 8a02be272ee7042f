import type { Family, RemoteId } from '../../model/key.ts';
import { keyIn, kindOf } from '../../model/key.ts';
import type { BaseValue, DesiredRecord } from '../../model/record.ts';
import type { Blocked } from '../plan.ts';
import type { PlanInput } from '../plan-input.ts';
import { shownBy } from '../field-standing.ts';
import type { Collected } from './collected.ts';

/**
 * Why a category cannot move now, if so: on the site its new parent is below it, and what would change that is not done in this run.
 * Parents are decided before their children, so all that matters is known.
 */
export function circleFor(
  { key, family, fields, at }: DesiredRecord,
  input: PlanInput,
  { categories, moving }: Collected,
): Blocked | undefined {
  const { categoryParent: parent } = fields;
  if (typeof parent !== 'string') return undefined;
  const seen = new Set<RemoteId>();
  for (let id = input.ids.get(parent); id !== undefined && !seen.has(id);) {
    if (id === input.ids.get(family))
      return { key, reason: 'reference-blocked', message: circleWords(parent), at };
    seen.add(id);
    const above = categories().get(id);
    id =
      above === undefined
        ? undefined
        : idIn(moving.has(above) ? moving.get(above) : shownParent(above, input));
  }
  return undefined;
}

/** Whose ids are those of categories. */
export function categoriesById({ ids }: PlanInput): ReadonlyMap<RemoteId, Family> {
  return new Map(
    [...ids].flatMap(([family, id]) => (kindOf(family) === 'category' ? [[id, family] as const] : [])),
  );
}

function shownParent(family: Family, { base, desired, remote }: PlanInput): BaseValue | undefined {
  const key = keyIn(family, desired.defaultLanguage);
  const shown = shownBy(remote.get(key) ?? { state: 'absent' }, 'categoryParent');
  return shown === undefined ? base.records.get(key)?.sent['categoryParent'] : shown;
}

function idIn(value: BaseValue | undefined): RemoteId | undefined {
  return typeof value === 'string' ? value : undefined;
}

function circleWords(parent: string): string {
  return `it would be below ${parent}, which is below it on the site and cannot be moved now; resolve what is named of the categories between them first`;
}
