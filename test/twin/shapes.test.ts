import { expect, test } from 'vitest';
import { HABITS } from './support/habits/habits.ts';
import { testHabits } from './support/play.ts';
import { createRepository } from './support/repository.ts';
import { createStage } from './support/stage.ts';

testHabits('shapes', ['author', 'prune', 'clone']);

test('a create whose record cannot be read says why, and not that a slug is wrong', async () => {
  const stage = await createStage([HABITS.shapes['ids-in-capitals-in-reads']], 1);
  try {
    const files = createRepository('A');
    files.add('en/tags/cli', 'CLI');
    const laptop = stage.machine('laptop', files);
    await stage.run(laptop);
    stage.advance(120_000);
    const { exit, said } = await stage.run(laptop);
    expect(exit).toBe(5);
    expect(said).toContain('its name is "CLI", and kbsync cannot read it (');
    expect(said).toContain('must not mistake another one for it');
    expect(stage.site.rows).toHaveLength(1);
  } finally {
    await stage.close();
  }
});
