import type { Key, RemoteId } from '../../model/key.ts';
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
  { changes }: Collected,
): Blocked | undefined {
  const { categoryParent: parent } = fields;
  if (typeof parent !== 'string') return undefined;
  const families = new Map(
    [...input.ids].flatMap(([of, id]) => (kindOf(of) === 'category' ? [[id, of] as const] : [])),
  );
  const moving = new Map(changes.map((change) => [change.key, change]));
  const seen = new Set<RemoteId>();
  for (let id = input.ids.get(parent); id !== undefined && !seen.has(id);) {
    if (id === input.ids.get(family))
      return { key, reason: 'reference-blocked', message: circleWords(parent), at };
    seen.add(id);
    const above = families.get(id);
    id =
      above === undefined
        ? undefined
        : parentAfter(keyIn(above, input.desired.defaultLanguage), input, moving);
  }
  return undefined;
}

/** What a category is below once the plan is carried out. */
function parentAfter(
  key: Key,
  input: PlanInput,
  moving: ReadonlyMap<Key, Collected['changes'][number]>,
): RemoteId | undefined {
  const change = moving.get(key)?.fields.find(({ field }) => field === 'categoryParent');
  if (change !== undefined) return idIn(change.after);
  const shown = shownBy(input.remote.get(key) ?? { state: 'absent' }, 'categoryParent');
  return idIn(shown === undefined ? input.base.records.get(key)?.sent['categoryParent'] : shown);
}

function idIn(value: BaseValue | undefined): RemoteId | undefined {
  return typeof value === 'string' ? value : undefined;
}

function circleWords(parent: string): string {
  return `it would be below ${parent}, which is below it on the site and cannot be moved now; resolve what is named of the categories between them first`;
}
