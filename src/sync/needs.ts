import type { Key } from '../model/key.ts';
import { familyOf, keyIn } from '../model/key.ts';
import { referencesOf } from '../plan/compare.ts';
import type { Change } from '../plan/plan.ts';
import type { DesiredState } from '../model/record.ts';

/**
 * What must be done before a change: the original of a translation, the categories and tags it names, the parent of a
 * category, and the record that gives up the slug it takes.
 */
export function needsOf(
  changes: readonly Change[],
  desired: DesiredState,
): (change: Change) => readonly Key[] {
  const givenUp = new Map<string, Key>();
  for (const change of changes) {
    const slug = change.fields.find(({ field }) => field === 'slug');
    if (change.action === 'update' && typeof slug?.before === 'string') {
      givenUp.set(slugKey(change, slug.before), change.key);
    }
  }
  return (change) => {
    const record = desired.records.get(change.key);
    if (record === undefined) return [];
    const original = record.isOriginal ? [] : [keyIn(familyOf(change.key), desired.defaultLanguage)];
    const references = referencesOf(record).map((family) => keyIn(family, desired.defaultLanguage));
    const holder = givenUp.get(slugKey(change, change.slug));
    return [...original, ...references, ...(holder === undefined ? [] : [holder])];
  };
}

function slugKey({ kind, lang }: Change, slug: string): string {
  return `${kind} ${lang} ${slug}`;
}
