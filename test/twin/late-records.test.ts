import { expect, test } from 'vitest';
import { createRepository } from './support/repository.ts';
import { createStage } from './support/stage.ts';

/** Such services answer from a copy of their database, which is some seconds behind. */
const LATE = { rules: { createTells: 'data-id', createVisibleMs: 4000, createListedMs: 4000 } } as const;

test('records that a run has just made are not called deleted, though the service shows them some seconds later', async () => {
  const stage = await createStage([LATE], 1);
  try {
    const files = createRepository('A');
    for (let page = 0; page < 8; page += 1) files.add(`en/articles/page-${page}`, `Page ${page}`);
    const laptop = stage.machine('laptop', files);
    expect((await stage.run(laptop)).exit).toBe(0);
    const { exit, said } = await stage.run(laptop);
    expect([exit, said.includes('deleted on the site'), stage.faults]).toEqual([0, false, []]);
  } finally {
    await stage.close();
  }
});
