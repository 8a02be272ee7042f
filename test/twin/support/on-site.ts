import { expect } from 'vitest';
import type { Machine } from './machine.ts';
import { createRepository } from './repository.ts';
import type { Repository } from './repository.ts';
import type { Habit } from './service/habit.ts';
import type { Row } from './service/row.ts';
import { createStage } from './stage.ts';
import type { Stage } from './stage.ts';

/** The page that `onSite` is about. */
export const PLACE = 'en/articles/plain';

export interface Begun {
  readonly stage: Stage;
  readonly files: Repository;
  readonly laptop: Machine;
  /** The record of `PLACE`. */
  readonly row: Row;
}

/** Syncs `PLACE` and pages of these names to a service with these habits, plays `act`, and finds no fault and no stop. */
export async function onSite(
  habits: readonly Habit[],
  names: readonly string[],
  act: (begun: Begun) => Promise<void>,
): Promise<void> {
  const stage = await createStage(habits, 1);
  try {
    const files = createRepository('A');
    files.add(PLACE, 'Plain');
    for (const name of names) files.add(`en/articles/${name}`, `Page ${name}`);
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    const row = stage.row(files, PLACE);
    if (row === undefined) throw new Error('test: no record');
    stage.step('edits');
    await act({ stage, files, laptop, row });
    expect([...stage.faults, ...stage.stops]).toEqual([]);
  } finally {
    await stage.close();
  }
}
