import type { Habit } from '../service/habit.ts';

/** Ids, and what a create tells of them. */
export const IDS = {
  plain: {},
  'location-header': { rules: { createTells: 'location', createStatus: 201 } },
  'location-relative': { rules: { createTells: 'location-relative', createStatus: 201 } },
  'id-in-body': { rules: { createTells: 'data-id', createStatus: 201 } },
  'record-in-body': { rules: { createTells: 'data', createStatus: 201 } },
  'numeric-ids': { rules: { ids: 'number' } },
  'ids-count-in-each-kind': { rules: { ids: 'per-kind', createTells: 'id' } },
  'ids-are-used-again': { rules: { ids: 'lowest-free' } },
  'ids-are-used-again-and-told': { rules: { ids: 'lowest-free', createTells: 'id' } },
  'ids-need-encoding': { rules: { ids: 'slashed' } },
  'ids-outside-ascii': { rules: { ids: 'unicode' } },
  'long-ids': { rules: { ids: 'long', createTells: 'location' } },
  'translations-share-the-id': { rules: { translationId: 'originals' } },
  'an-edit-gives-a-new-id': { rules: { versionsHaveIds: true } },
  'location-names-the-slug': { rules: { createTells: 'location-of-slug', createStatus: 201 } },
  'location-names-another-record': { rules: { createTells: 'location-of-first', createStatus: 201 } },
  'accepted-202': { rules: { createStatus: 202 } },
} as const satisfies Readonly<Record<string, Habit>>;
