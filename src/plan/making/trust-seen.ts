import type { Family, Key } from '../../model/key.ts';
import { familyOf, keyIn } from '../../model/key.ts';
import { seenAs } from '../../model/record.ts';
import { isOutOfTheWay, isTextUnknown, shownBy } from '../field-standing.ts';
import { isSelected, partlySelected } from '../selection.ts';
import type { DeletePlan } from '../deletes.ts';
import type { PlanInput } from '../plan-input.ts';
import { baseOf } from '../plan-input.ts';
import type { Collected } from './collected.ts';

/** Writes the list fingerprints that may be trusted next time, and takes back those that may not. */
export function trustSeen(
  input: PlanInput,
  collected: Collected,
  { unsettled, forgotten }: Pick<DeletePlan, 'unsettled' | 'forgotten'>,
): void {
  const gone = new Set(forgotten);
  const { defaultLanguage } = input.desired;
  const partly = partlySelected(input);
  const hidden = familiesWithUnknownText(input);
  const aside = new Set(recordsOutOfTheWay(input).map(familyOf));
  for (const [family, seen] of input.seen) {
    const key = keyIn(family, defaultLanguage);
    const learnt = collected.records.get(key);
    const base = learnt?.record ?? baseOf(key, input);
    if (base === undefined || gone.has(key) || !isSelected(key, input)) continue;
    // What was left out or not read may have been edited: the family's entry is trusted no further than before.
    const isDoubtful = partly.has(family) || unsettled.has(family) || hidden.has(family);
    const shown = isDoubtful ? base.seen : seen;
    const trusted = collected.unsteady.has(family) || aside.has(family) ? undefined : shown;
    const isStateRecord = input.base.records.has(key);
    if (learnt === undefined && isStateRecord && base.seen === trusted) continue;
    if (learnt === undefined && !isStateRecord) continue; // rebuilt from a stamp and about to be written anyway
    collected.records.set(key, { how: learnt?.how ?? 'adopted', record: seenAs(base, trusted) });
  }
  for (const [key, { how, record }] of collected.records) {
    const isKnown = input.base.records.has(key);
    collected.learnt.push({ how: how === 'adopted' && isKnown ? 'refreshed' : how, record });
  }
}

/** Their date in the list is all that tells of an editor's text. */
function familiesWithUnknownText(input: PlanInput): ReadonlySet<Family> {
  return new Set(
    [...input.remote].flatMap(([key, side]) => {
      const base = baseOf(key, input);
      const isUnknown = base !== undefined && side.state === 'known' && isTextUnknown(base, side);
      return isUnknown ? [familyOf(key)] : [];
    }),
  );
}

/** A run that died has left a slug out of the way of another. No list shows that, and the file may come back. */
export function recordsOutOfTheWay({ remote }: Pick<PlanInput, 'remote'>): readonly Key[] {
  return [...remote].flatMap(([key, side]) => (isOutOfTheWay('slug', shownBy(side, 'slug')) ? [key] : []));
}
