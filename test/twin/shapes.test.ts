import { expect, test } from 'vitest';
import { HABITS } from './support/habits/habits.ts';
import { testHabits } from './support/play.ts';
import { createRepository } from './support/repository.ts';
import type { Habit } from './support/service/habit.ts';
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

/** Single reads show an article's slug with a path in front. */
const SHOWS_PATHS: Habit = {
  shapes:
    () =>
    (body, { reply, kind }) => {
      if (reply !== 'read' || kind !== 'article') return body;
      const record = body['data'] as Readonly<Record<string, unknown>>;
      return { ...body, data: { ...record, slug: `docs/${String(record['slug'])}` } };
    },
};

test('edits do not move a page whose slug the service shows with a path in front', async () => {
  const stage = await createStage([SHOWS_PATHS], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install');
    const laptop = stage.machine('laptop', files);
    const first = await stage.run(laptop);
    expect(first.said).toContain('stored the slug "docs/install" instead of "install"');
    // Exit code 1 would say that nothing was written.
    expect(first.exit).toBe(5);
    expect((await stage.run(laptop)).exit).toBe(0);
    const row = stage.row(files, 'en/articles/install');
    for (const title of ['Install it', 'Install all of it']) {
      stage.advance(60_000);
      files.edit('en/articles/install', { title });
      expect((await stage.run(laptop)).exit).toBe(0);
      expect(row?.stored).toMatchObject({ slug: 'install', title });
      const calm = await stage.run(laptop);
      expect([calm.exit, calm.writes]).toEqual([0, 0]);
    }
  } finally {
    await stage.close();
  }
});
