import { expect, test } from 'vitest';
import { usualFiles } from './support/lives.ts';
import type { Habit } from './support/service/habit.ts';
import { createStage } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

const PRUNE = ['sync', '--yes', '--prune'] as const;

/** A service that deletes all languages of a record with one of them. */
function withStage(life: (stage: Stage) => Promise<void>): Promise<void> {
  return withStageOf([{ rules: { deleteTranslation: 'takes-all' } }], life);
}

async function withStageOf(habits: readonly Habit[], life: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await createStage(habits, 1);
  try {
    await life(stage);
  } finally {
    await stage.close();
  }
}

/** Answers reads of originals for so long as it did before, whoever asks. */
function cachedOriginals(ms: number): Habit {
  return {
    gateway: ({ now }) => {
      const kept = new Map<string, { readonly untilMs: number; readonly text: string }>();
      return (next) => async (request) => {
        const { pathname, search } = new URL(request.url);
        if (request.method !== 'GET' || search !== '' || !/\/articles\/./.test(pathname))
          return next(request);
        const found = kept.get(pathname);
        if (found !== undefined && found.untilMs > now())
          return new Response(found.text, { headers: { 'content-type': 'application/json' } });
        const response = await next(request);
        if (response.ok) kept.set(pathname, { untilMs: now() + ms, text: await response.clone().text() });
        return response;
      };
    },
  };
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
  withStageOf([], async (stage) => {
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

test('where a cache still shows the original that went along, no other translation is deleted', () =>
  withStageOf([{ rules: { deleteTranslation: 'takes-all' } }, cachedOriginals(60_000)], async (stage) => {
    const files = usualFiles();
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    const before = titles(stage);
    files.remove('fr/articles/install');
    files.remove('fr/articles/update');
    const { exit, said } = await stage.run(laptop, PRUNE);
    expect(exit).toBe(5);
    expect(said).toContain('the list does not confirm that the original of that one is still there');
    expect(titles(stage)).toHaveLength(before.length - 1);
    stage.step('the way out');
    await stage.settleConflict(laptop, 'en/articles/install', 'local');
    expect(titles(stage)).toEqual(before);
    expect(stage.stops).toEqual([]);
  }));

test('the other translations of a page that went along are told as deleted', () =>
  withStage(async (stage) => {
    const files = usualFiles();
    files.add('de/articles/install', 'Installieren');
    files.add('de/articles/quotes', 'Zitate');
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    for (const language of ['fr', 'de']) files.remove(`${language}/articles/install`);
    const { said } = await stage.run(laptop, PRUNE);
    expect(said).toContain('and all its languages with this translation: run kbsync sync');
    expect(said).not.toContain('kept:');
  }));

test('a page is deleted with its translations in one run', () =>
  withStage(async (stage) => {
    const files = usualFiles();
    for (const language of ['fr', 'de']) files.add(`${language}/articles/plain`, `Plain ${language}`);
    files.add('de/articles/quotes', 'Zitate');
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    for (const language of ['en', 'fr', 'de']) files.remove(`${language}/articles/plain`);
    expect((await stage.run(laptop, PRUNE)).exit).toBe(0);
    expect(titles(stage).filter((title) => title.startsWith('Plain'))).toEqual([]);
  }));
