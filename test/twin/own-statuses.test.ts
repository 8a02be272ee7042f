import { expect, test } from 'vitest';
import { HABITS } from './support/habits/habits.ts';
import { createRepository } from './support/repository.ts';
import { createStage } from './support/stage.ts';

const OWN_WORDS = HABITS.shapes['status-in-words-of-its-own'];

test('a status that the file says is sent, whatever word the service shows for it', async () => {
  const stage = await createStage([OWN_WORDS], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install', { status: 'published' });
    files.add('en/articles/later', 'Later', { status: 'draft' });
    const laptop = stage.machine('laptop', files);
    const first = await stage.run(laptop);
    expect(first.said).toContain('the service shows its own word as status');
    await stage.settle(laptop);
    stage.step('edits');
    files.edit('en/articles/install');
    files.edit('en/articles/later', { fields: { status: 'published' } });
    await stage.settle(laptop);
    stage.step('an editor takes it off');
    const row = stage.row(files, 'en/articles/install');
    if (row !== undefined) stage.editor.set(row, { status: 'draft' });
    const ran = await stage.run(laptop);
    expect(ran.said).toContain('drift article/install@en status');
    expect(row?.stored['status']).toBe('draft');
    expect([stage.faults, stage.stops]).toEqual([[], []]);
  } finally {
    await stage.close();
  }
});

test('the way out that the message names works', async () => {
  const stage = await createStage([OWN_WORDS], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install');
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    stage.step('edits');
    files.edit('en/articles/install');
    const ran = await stage.run(laptop);
    expect(ran.said).toContain('it must be "draft" or "published"; write `status:` into the file');
    files.edit('en/articles/install', { fields: { status: 'published' } });
    await stage.settle(laptop);
    files.edit('en/articles/install');
    await stage.settle(laptop);
    expect([stage.faults, stage.stops]).toEqual([[], []]);
  } finally {
    await stage.close();
  }
});

const SHARED_ORDER = HABITS.languages['languages-share-the-order'];

test('a first translation changes nothing of an original that could not be put back', async () => {
  const stage = await createStage([OWN_WORDS, SHARED_ORDER], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install', { ordering: 3 });
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    stage.step('a translation');
    files.add('fr/articles/install', 'Installer', { ordering: 7 });
    const row = stage.row(files, 'en/articles/install');
    const before = row?.stored['ordering'];
    const ran = await stage.run(laptop);
    expect(ran.said).toContain('write `status:` into the file of its original');
    expect(row?.stored['ordering']).toBe(before);
    files.edit('en/articles/install', { fields: { status: 'published' } });
    const next = await stage.run(laptop);
    expect(next.said).toContain('the service keeps one value of ordering for all languages');
    expect(row?.stored['ordering']).toBe(before);
    files.edit('fr/articles/install', { fields: { ordering: 3, status: 'published' } });
    await stage.settle(laptop);
    expect([stage.faults, stage.stops]).toEqual([[], []]);
  } finally {
    await stage.close();
  }
});
