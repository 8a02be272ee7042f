import { expect, test } from 'vitest';
import { usualFiles } from './support/lives.ts';
import { createStage } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

const PRUNE = ['sync', '--yes', '--prune'] as const;

/** A service that deletes all languages of a record with one of them. */
async function withStage(life: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await createStage([{ rules: { deleteTranslation: 'takes-all' } }], 1);
  try {
    await life(stage);
  } finally {
    await stage.close();
  }
}

const titles = ({ site }: Stage): readonly string[] =>
  site
    .living('article')
    .filter(({ original }) => original === undefined)
    .map(({ raw }) => String(raw['title']))
    .sort();

test('a delete of a translation that takes the page along is told, and no other translation is deleted', () =>
  withStage(async (stage) => {
    const files = usualFiles();
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    const before = titles(stage);
    files.remove('fr/articles/install');
    files.remove('fr/articles/update');
    const { exit, said } = await stage.run(laptop, PRUNE);
    expect(exit).toBe(5);
    expect(said).toContain('and all its languages with this translation: run kbsync sync');
    expect(said).toContain('the service deletes all languages of a record with one of them');
    expect(titles(stage)).toHaveLength(before.length - 1);
    stage.step('the way out');
    expect((await stage.run(laptop)).exit).toBe(0);
    expect(titles(stage)).toEqual(before);
    stage.step('another prune');
    await stage.run(laptop, PRUNE);
    expect(titles(stage)).toEqual(before);
  }));

test('a service that deletes a translation alone is asked about its original once', () =>
  withStageOf(async (stage) => {
    const files = usualFiles();
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    for (const place of ['fr/articles/install', 'fr/articles/update']) {
      stage.step(place);
      files.remove(place);
      await stage.settle(laptop, PRUNE);
    }
    expect(stage.stops).toEqual([]);
    expect(stage.faults).toEqual([]);
  }));

async function withStageOf(life: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await createStage([], 1);
  try {
    await life(stage);
  } finally {
    await stage.close();
  }
}
