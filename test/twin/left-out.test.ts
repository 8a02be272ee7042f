import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HABITS } from './support/habits/habits.ts';
import { createRepository } from './support/repository.ts';
import type { Habit } from './support/service/habit.ts';
import { createStage } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

const LEAVES_OUT = HABITS.shapes['empty-values-are-left-out'];

/** Shows these fields of no record. */
function hides(...names: readonly string[]): Habit {
  return {
    shapes: () => (body, about) => {
      if (about.reply !== 'read') return body;
      const shown = Object.entries(body['data'] as object).filter(([name]) => !names.includes(name));
      return { ...body, data: Object.fromEntries(shown) };
    },
  };
}

const HIDES = hides('excerpt');

async function withStage(habits: readonly Habit[], life: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await createStage(habits, 1);
  try {
    await life(stage);
    expect(stage.faults).toEqual([]);
  } finally {
    await stage.close();
  }
}

test('pages without an excerpt can be edited where a read leaves out what is empty', () =>
  withStage([LEAVES_OUT], async (stage) => {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install', { excerpt: '' });
    files.add('en/articles/plain', 'Plain', { excerpt: 'In short.', ordering: 2 });
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    stage.step('edit');
    files.edit('en/articles/install');
    await stage.settle(laptop);
    stage.step('an excerpt');
    files.edit('en/articles/install', { fields: { excerpt: 'How to begin.' } });
    await stage.settle(laptop);
    expect(stage.stops).toEqual([]);
    expect(stage.row(files, 'en/articles/install')?.stored['excerpt']).toBe('How to begin.');
    stage.step('and none');
    files.edit('en/articles/install', { fields: { excerpt: '' } });
    await stage.settle(laptop);
    stage.step('an edit in a fresh clone');
    files.edit('en/articles/install');
    // A first run that asks a person would ask in each job of a CI that keeps no state.
    for (const name of ['ci', 'ci-2']) expect((await stage.run(stage.machine(name, files))).exit).toBe(0);
    expect(stage.stops).toEqual([]);
  }));

test('the way out of a conflict about one hidden field sends the other hidden ones too', () =>
  withStage([hides('excerpt', 'order_by')], async (stage) => {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install', { excerpt: 'In short.', ordering: 3 });
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    files.retitle('en/articles/install', { fields: { excerpt: 'In other words.' } });
    expect((await stage.run(laptop)).exit).toBe(3);
    stage.step('the way out');
    await stage.settleConflict(laptop, 'en/articles/install', 'local');
    expect((await stage.run(laptop)).exit).toBe(0);
    expect(stage.row(files, 'en/articles/install')?.stored['excerpt']).toBe('In other words.');
    expect(stage.stops).toEqual([]);
  }));

test('an editor who empties an excerpt is seen where a read leaves out what is empty', () =>
  withStage([LEAVES_OUT], async (stage) => {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install', { excerpt: '' });
    files.add('en/articles/plain', 'Plain', { excerpt: 'In short.' });
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    const row = stage.row(files, 'en/articles/plain');
    if (row === undefined) throw new Error('test: no record');
    stage.step('an editor');
    stage.editor.set(row, { excerpt: '' });
    expect((await stage.run(laptop)).said).toContain('drift article/plain@en excerpt "In short." → ""');
    files.edit('en/articles/plain');
    await stage.run(laptop);
    expect(row.stored['excerpt']).toBe('');
  }));

test('a service that shows no excerpt at all is not taken for one that leaves out empty ones', () =>
  withStage([HIDES], async (stage) => {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install', { excerpt: '' });
    files.add('en/articles/plain', 'Plain', { excerpt: 'In short.' });
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    const row = stage.row(files, 'en/articles/install');
    if (row === undefined) throw new Error('test: no record');
    stage.step('an editor, then the file');
    stage.editor.set(row, { excerpt: 'Of an editor.' });
    files.edit('en/articles/install');
    const told = await stage.run(laptop);
    expect(told.said).toContain(
      'an edit of the page must send it too; the service does not show it, so somebody may have changed it there',
    );
    expect(row.stored['excerpt']).toBe('Of an editor.');
    stage.step('the way out');
    await stage.settleConflict(laptop, 'en/articles/install', 'local');
    expect([row.stored['excerpt'], ...stage.stops]).toEqual(['']);
  }));

test('a pull leaves a field that the service does not show as the file says it', () =>
  withStage([hides('order_by')], async (stage) => {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install', { excerpt: 'In short.', ordering: 3 });
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    const row = stage.row(files, 'en/articles/install');
    if (row === undefined) throw new Error('test: no record');
    stage.editor.set(row, { excerpt: 'Of an editor.' });
    stage.advance(60_000);
    await stage.run(laptop, ['pull']);
    const text = readFileSync(join(laptop.folder, 'content/en/articles/install.md'), 'utf8');
    expect(text).toContain('ordering: 3');
    expect(text).toContain('Of an editor.');
  }));

test('a conflict about a hidden field that the file did not change says so', () =>
  withStage([hides('order_by')], async (stage) => {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install', { ordering: 3 });
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    files.edit('en/articles/install');
    expect((await stage.run(laptop)).said).toContain('an edit of the page must send it too');
    stage.step('the way out');
    await stage.settleConflict(laptop, 'en/articles/install', 'local');
    expect((await stage.run(laptop)).exit).toBe(0);
  }));

test.each(['laptop', 'clone'])(
  'a pull does not take what a file says anew of a hidden field for sent: %s',
  (name) =>
    withStage([hides('order_by')], async (stage) => {
      const files = createRepository('A');
      files.add('en/articles/install', 'Install', { excerpt: 'In short.', ordering: 3 });
      await stage.settle(stage.machine('laptop', files));
      const row = stage.row(files, 'en/articles/install');
      if (row === undefined) throw new Error('test: no record');
      files.retitle('en/articles/install', { fields: { ordering: 5 } });
      stage.editor.set(row, { excerpt: 'Of an editor.' });
      stage.advance(60_000);
      const machine = stage.machine(name, files);
      await stage.run(machine, ['pull']);
      const ran = await stage.run(machine);
      expect([ran.exit, ran.said]).toEqual([3, expect.stringContaining('ordering changed in the file')]);
      expect(row.stored['ordering']).toBe(3);
    }),
);
