import { expect, test } from 'vitest';
import { HABITS } from './support/habits/habits.ts';
import { createRepository } from './support/repository.ts';
import type { Habit } from './support/service/habit.ts';
import { createStage } from './support/stage.ts';

/** Nobody but an editor publishes a page. */
const KEEPS_DRAFTS: Habit = {
  stores: (value, field, kind) => (field === 'status' && kind === 'article' ? 'draft' : value),
};

test('a page that the service makes as a draft is published in the same run', async () => {
  const stage = await createStage([HABITS.saves['creates-are-drafts']], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install');
    files.add('en/articles/later', 'Later', { status: 'draft' });
    files.add('en/articles/plain', 'Plain', { status: 'published' });
    files.add('fr/articles/plain', 'Simple');
    const laptop = stage.machine('laptop', files);
    const first = await stage.run(laptop);
    expect([first.exit, ...['install', 'later', 'plain'].map((page) => statusOf(page))]).toEqual([
      0,
      'published',
      'draft',
      'published',
    ]);
    const second = await stage.run(laptop);
    expect([second.exit, second.writes, /drift|lost/.test(second.said)]).toEqual([0, 0, false]);
    expect([...stage.faults, ...stage.stops]).toEqual([]);

    function statusOf(page: string): unknown {
      return stage.row(files, `en/articles/${page}`)?.stored['status'];
    }
  } finally {
    await stage.close();
  }
});

test('a draft that a first run had not sent when it died is made by the next run', async () => {
  const stage = await createStage([], 1);
  try {
    const files = createRepository('A');
    for (let n = 10; n < 40; n++) files.add(`en/articles/a${n}`, `Page ${n}`);
    files.add('en/articles/later', 'Later', { status: 'draft' });
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop, ['sync', '--yes'], { dies: { atWrite: 1, when: 'after' } });
    expect(stage.row(files, 'en/articles/later')?.stored['status']).toBe('draft');
    expect([...stage.faults, ...stage.stops]).toEqual([]);
  } finally {
    await stage.close();
  }
});

test('a page that stays a draft is told, though its file has no status', async () => {
  const stage = await createStage([KEEPS_DRAFTS], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install');
    const laptop = stage.machine('laptop', files);
    const first = await stage.run(laptop);
    expect(first.said).toContain(
      'lost article/install@en: the service keeps as a draft what kbsync sent as a published page; publish it on the site',
    );
    expect(first.said).toContain('1 created');
    const second = await stage.run(laptop);
    expect([second.exit, second.writes]).toEqual([0, 0]);
    expect([...stage.faults, ...stage.stops]).toEqual([]);
  } finally {
    await stage.close();
  }
});

/** No page is a draft there. */
const PUBLISHES: Habit = {
  stores: (value, field, kind) => (field === 'status' && kind === 'article' ? 'published' : value),
};

test('a draft that the service publishes is taken back in the same run', async () => {
  const stage = await createStage([{ rules: { createSets: { status: 'published' } } }], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install');
    files.add('en/articles/later', 'Later', { status: 'draft' });
    const laptop = stage.machine('laptop', files);
    const first = await stage.run(laptop);
    expect([first.exit, stage.row(files, 'en/articles/later')?.stored['status']]).toEqual([0, 'draft']);
    const second = await stage.run(laptop);
    expect([second.exit, second.writes, /drift|lost/.test(second.said)]).toEqual([0, 0, false]);
    expect([...stage.faults, ...stage.stops]).toEqual([]);
  } finally {
    await stage.close();
  }
});

test('a page that readers see, and that was sent as a draft, is told as failed', async () => {
  const stage = await createStage([PUBLISHES], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install');
    files.add('en/articles/later', 'Later', { status: 'draft' });
    const laptop = stage.machine('laptop', files);
    const first = await stage.run(laptop);
    const words =
      'it was sent as a draft, and the service shows it as published: readers may see it; take it off on the site';
    expect([first.exit, first.said.replaceAll(/\s+/g, ' ')]).toEqual([
      5,
      expect.stringContaining(`failed create article/later@en ${words}`),
    ]);
    files.edit('en/articles/install', { fields: { status: 'draft' } });
    const next = await stage.run(laptop);
    expect([next.exit, next.said.replaceAll(/\s+/g, ' ')]).toEqual([
      5,
      expect.stringContaining(`failed update article/install@en ${words}`),
    ]);
    expect(stage.faults).toEqual([]);
  } finally {
    await stage.close();
  }
});

test.each([
  [40, 0],
  [150, 20],
])(
  'of %i pages that are made as drafts, with %i ms an answer, each is published in the same run',
  async (pages, answerMs) => {
    let answer = (): void => undefined;
    const slow: Habit = { shapes: () => (body) => (answer(), body) };
    const stage = await createStage([HABITS.saves['creates-are-drafts'], slow], 1);
    answer = () => stage.advance(answerMs);
    try {
      const files = createRepository('A');
      for (let n = 0; n < pages; n += 1)
        files.add(`en/articles/page-${n}`, `Page ${n}`, {}, `\nText ${n} of it.\n`);
      const laptop = stage.machine('laptop', files);
      const first = await stage.run(laptop);
      const drafts = stage.site.rows.filter(
        ({ kind, stored }) => kind === 'article' && stored['status'] === 'draft',
      );
      expect(drafts.map(({ stored }) => stored['title'])).toEqual([]);
      expect([first.exit, stage.site.rows.filter(({ kind }) => kind === 'article').length]).toEqual([
        0,
        pages,
      ]);
      const second = await stage.run(laptop);
      expect([second.exit, second.writes]).toEqual([0, 0]);
      expect([...stage.faults, ...stage.stops]).toEqual([]);
    } finally {
      await stage.close();
    }
  },
);
