import { expect, test } from 'vitest';
import { createRepository } from './support/repository.ts';
import { createStage } from './support/stage.ts';

/** One request of the stage takes 40 ms: the time at which a lost create may be sent again comes at each point of the run. */
const EARLIER_MS = Array.from({ length: 9 }, (_, index) => 960 + index * 40);

test.each(EARLIER_MS)(
  'a run that waits is done with a lost create, also if its time comes while the run writes (%i ms before)',
  async (earlierMs) => {
    const stage = await createStage([], 1);
    try {
      const files = createRepository('A');
      for (const name of ['one', 'two', 'three']) files.add(`en/articles/${name}`, name);
      const laptop = stage.machine('laptop', files);
      await stage.settle(laptop);
      files.add('en/articles/later', 'Later');
      await stage.run(laptop, undefined, { dies: { atWrite: 1, when: 'before' } });
      for (const name of ['one', 'two', 'three']) files.edit(`en/articles/${name}`);
      stage.advance(2000 - earlierMs);
      const ran = await stage.run(laptop, ['sync', '--yes', '--wait', '--settle', '2']);
      expect([ran.exit, ran.said.includes('with --wait'), stage.faults]).toEqual([0, false, []]);
      expect(stage.judge.differences(files)).toEqual([]);
    } finally {
      await stage.close();
    }
  },
);
