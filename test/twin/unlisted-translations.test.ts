import { expect, test } from 'vitest';
import type { Machine } from './support/machine.ts';
import { createRepository } from './support/repository.ts';
import type { Repository } from './support/repository.ts';
import { createStage } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

/** No read shows a translation, and the list shows two articles. */
const BLIND = {
  rules: { readsLanguage: 'ignored', listCut: { article: 2 }, limitSays: 2, createTells: 'data-id' },
} as const;

const LATE = 'page-4';

interface Desk {
  readonly stage: Stage;
  readonly files: Repository;
  readonly laptop: Machine;
}

async function overBlind(life: (desk: Desk) => Promise<void>): Promise<void> {
  const stage = await createStage([BLIND], 1);
  try {
    const files = createRepository('A');
    for (let page = 0; page < 5; page += 1) {
      files.add(`en/articles/page-${page}`, `Page ${page}`);
      if (page !== 3) files.add(`fr/articles/page-${page}`, `Feuille ${page}`);
    }
    const laptop = stage.machine('laptop', files);
    expect((await stage.run(laptop)).exit).toBe(0);
    await life({ stage, files, laptop });
    expect([...stage.faults, ...stage.stops]).toEqual([]);
  } finally {
    await stage.close();
  }
}

test('a translation that neither a read nor the list shows waits for nobody while its file says what was sent', () =>
  overBlind(async ({ stage, files, laptop }) => {
    stage.step('nothing');
    const { exit, said, writes } = await stage.run(laptop);
    expect([exit, writes, said.includes('blocked')]).toEqual([0, 0, false]);
    stage.step('another page');
    files.edit(`en/articles/${LATE}`);
    await stage.settle(laptop);
  }));

test('an edit of it waits for the word that it may overwrite what nobody sees, and is then sent once', () =>
  overBlind(async ({ stage, files, laptop }) => {
    stage.step('edit');
    files.edit(`fr/articles/${LATE}`);
    const held = await stage.run(laptop);
    expect([held.exit, held.writes]).toEqual([5, 0]);
    expect(held.said).toContain(
      'the list does not show its original, so nobody can tell whether somebody has edited it; --on-conflict local overwrites it without reading it',
    );
    stage.step('local');
    const sent = await stage.run(laptop, ['sync', '--yes', '--on-conflict', 'local']);
    expect([sent.exit, sent.writes]).toEqual([0, 1]);
    await stage.settle(laptop);
  }));

test('a new one of an original that the list does not show waits for the word that it may exist already', () =>
  overBlind(async ({ stage, files, laptop }) => {
    stage.step('new');
    files.add('fr/articles/page-3', 'Feuille 3');
    const held = await stage.run(laptop);
    expect([held.exit, held.writes]).toEqual([5, 0]);
    expect(held.said).toContain(
      'the list does not show its original, so nobody can tell whether it exists already; --adopt local overwrites it without reading it',
    );
    stage.step('adopt');
    const sent = await stage.run(laptop, ['sync', '--yes', '--adopt', 'local']);
    expect([sent.exit, sent.writes]).toEqual([0, 1]);
    await stage.settle(laptop);
  }));

test('it stays where it is when its file goes, for a delete may take an edit along', () =>
  overBlind(async ({ stage, files, laptop }) => {
    stage.step('prune');
    files.remove(`fr/articles/${LATE}`);
    const { writes, said } = await stage.run(laptop, ['sync', '--yes', '--prune']);
    expect(writes).toBe(0);
    expect(said).toContain(`article/${LATE}@fr`);
  }));
