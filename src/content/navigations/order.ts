import { OF_ORDER } from '../../model/fields.ts';
import type { DesiredState } from '../../model/record.ts';

/** Whether a field says a place, before and then: see `areInOrder`. */
export function isPlace(name: string, before: unknown, after: unknown): boolean {
  return OF_ORDER.has(name) && typeof before === 'number' && typeof after === 'number';
}

/** Whether any two records of a kind that stood in an order in their category stand in it still. */
export function areInOrder(before: DesiredState['records'], after: DesiredState['records']): boolean {
  const orders = new Map<string, { readonly old: number; readonly now: number }[]>();
  for (const [key, { kind, lang, fields }] of before) {
    for (const name of OF_ORDER) {
      const [old, now] = [fields[name], after.get(key)?.fields[name]];
      if (typeof old !== 'number' || typeof now !== 'number') continue;
      const group = JSON.stringify([kind, lang, fields['categories'] ?? fields['categoryParent'] ?? null]);
      const order = orders.get(group) ?? [];
      order.push({ old, now });
      orders.set(group, order);
    }
  }
  return [...orders.values()].every((order) => {
    const sorted = order.toSorted((a, b) => a.old - b.old);
    return sorted.every(({ old, now }, index) => {
      const last = sorted[index - 1];
      return last === undefined || (last.old === old ? last.now === now : last.now < now);
    });
  });
}
