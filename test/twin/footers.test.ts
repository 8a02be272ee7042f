import { expect, test } from 'vitest';
import { createRepository } from './support/repository.ts';
import type { Habit } from './support/service/habit.ts';
import { createStage } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

const FOOTER = '<p class="vote">Did this help?</p>';

/** Puts a question below each page that it saves, whatever is there already. */
const ASKS: Habit = {
  stores: (value, field) => (field === 'content' && typeof value === 'string' ? value + FOOTER : value),
};

function footersOf(stage: Stage, title: string): readonly number[] {
  return stage.site.rows
    .filter(({ stored, deleted }) => stored['title'] === title && deleted === undefined)
    .map(({ stored }) => String(stored['content']).split(FOOTER).length - 1);
}

test('a page that is restored, or taken back by undo, has the footer of the service once', async () => {
  const stage = await createStage([ASKS], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install');
    files.add('en/articles/plain', 'Plain');
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    expect(footersOf(stage, 'Install')).toEqual([1]);
    stage.step('undo');
    files.edit('en/articles/install');
    await stage.settle(laptop);
    const undone = await stage.run(laptop, ['undo', '--yes']);
    expect([undone.exit, footersOf(stage, 'Install')]).toEqual([0, [1]]);
    stage.step('prune and restore');
    await stage.run(laptop, ['undo', 'last', '--yes']);
    files.remove('en/articles/plain');
    await stage.settle(laptop, ['sync', '--yes', '--prune']);
    const restored = await stage.run(laptop, ['restore', 'last', '--yes']);
    expect([restored.exit, footersOf(stage, 'Plain')]).toEqual([0, [1]]);
    expect(stage.faults).toEqual([]);
  } finally {
    await stage.close();
  }
});
