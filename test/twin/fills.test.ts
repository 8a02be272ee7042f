import { expect, test } from 'vitest';
import { createRepository } from './support/repository.ts';
import type { Habit } from './support/service/habit.ts';
import { createStage } from './support/stage.ts';

/** Writes the beginning of the page where an empty excerpt comes in, as WordPress and Zendesk's themes do. */
const FILLS: Habit = {
  stores: (value, field, _kind, { sent }) =>
    field === 'excerpt' && value === ''
      ? String(sent['content'])
          .replaceAll(/<!--[\s\S]*?-->|<[^>]*>/g, '')
          .trim()
          .slice(0, 40)
      : value,
};

test('an empty excerpt that the service fills is no edit: not after a sync, not after an edit, not before a delete', async () => {
  const stage = await createStage([FILLS], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install', { excerpt: '' }, '\nSome words of the page.\n');
    files.add('en/articles/plain', 'Plain');
    const laptop = stage.machine('laptop', files);
    const first = await stage.run(laptop);
    expect(first.said).toContain(
      'lost article/install@en: the service fills excerpt by itself if the file leaves it empty',
    );
    expect((await stage.run(laptop)).said).not.toMatch(/drift|lost/);
    stage.step('edit');
    files.edit('en/articles/install');
    await stage.settle(laptop);
    expect((await stage.run(laptop)).said).not.toMatch(/drift|lost/);
    stage.step('prune');
    files.remove('en/articles/install');
    await stage.settle(laptop, ['sync', '--yes', '--prune']);
    expect([...stage.faults, ...stage.stops]).toEqual([]);
    expect(
      stage.site.rows.filter(({ kind, deleted }) => kind === 'article' && deleted === undefined),
    ).toHaveLength(1);
  } finally {
    await stage.close();
  }
});

test('an excerpt that an editor writes where the service had filled it is told, and is in the way of a delete', async () => {
  const stage = await createStage([FILLS], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install', { excerpt: '' }, '\nSome words of the page.\n');
    files.add('en/articles/plain', 'Plain');
    const laptop = stage.machine('laptop', files);
    await stage.run(laptop);
    const row = stage.row(files, 'en/articles/install');
    if (row === undefined) throw new Error('test: no record');
    stage.step('an editor');
    stage.editor.set(row, { excerpt: 'Better words.' });
    expect((await stage.run(laptop)).said).toContain('excerpt "" → "Better words." on the site');
    files.remove('en/articles/install');
    const pruned = await stage.run(laptop, ['sync', '--yes', '--prune']);
    expect(pruned.said).toContain('file deleted, record edited on the site');
    expect(stage.faults).toEqual([]);
  } finally {
    await stage.close();
  }
});

test('an excerpt that the service makes of the text, whatever it is sent, is no edit either', async () => {
  const derives: Habit = {
    stores: (value, field, kind, around) =>
      field === 'excerpt' ? (FILLS.stores?.('', field, kind, around) ?? value) : value,
  };
  const stage = await createStage([derives], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install', { excerpt: 'In short.' }, '\nSome words of the page.\n');
    files.add('en/articles/plain', 'Plain');
    const laptop = stage.machine('laptop', files);
    const first = await stage.run(laptop);
    expect(first.said).toContain(
      'lost article/install@en: the service makes excerpt from the beginning of the text, and does not keep what it is sent',
    );
    files.edit('en/articles/install', { more: '\nOther words of the page.\n' });
    expect((await stage.run(laptop)).said).not.toMatch(/drift|lost/);
    files.remove('en/articles/install');
    const pruned = await stage.run(laptop, ['sync', '--yes', '--prune']);
    expect([pruned.exit, pruned.said]).toEqual([0, expect.stringContaining('1 deleted')]);
    expect(stage.faults).toEqual([]);
  } finally {
    await stage.close();
  }
});

const DOTTED: Habit = {
  stores: (value, field) =>
    (field === 'excerpt' || field === 'description') && typeof value === 'string' && /[a-z]$/.test(value)
      ? `${value}…`
      : value,
};

test.each([
  ['articles', 'excerpt'],
  ['categories', 'description'],
  ['tags', 'description'],
])('%s: a text that the service ends with an ellipsis is no edit of the site', async (folder, field) => {
  const stage = await createStage([DOTTED], 1);
  try {
    const files = createRepository('A');
    files.add(`en/${folder}/cli`, 'Cli', { [field]: 'In a terminal' });
    files.add('en/articles/plain', 'Plain');
    const laptop = stage.machine('laptop', files);
    expect((await stage.run(laptop)).said).toContain(
      `the service keeps the words of ${field} with other punctuation`,
    );
    expect((await stage.run(laptop)).said).toMatch(/in sync/);
    files.retitle(`en/${folder}/cli`, { title: 'Terminal', fields: { [field]: 'In any terminal' } });
    expect((await stage.run(laptop)).said).toContain('1 updated');
    expect([...stage.faults, ...stage.stops]).toEqual([]);
  } finally {
    await stage.close();
  }
});

test('an edit of a text that the service ends with an ellipsis is told', async () => {
  const stage = await createStage([DOTTED], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/cli', 'Cli', { excerpt: 'In a terminal' });
    const laptop = stage.machine('laptop', files);
    await stage.run(laptop);
    const row = stage.row(files, 'en/articles/cli');
    if (row === undefined) throw new Error('test: no record');
    stage.step('an editor');
    stage.editor.set(row, { excerpt: 'In a terminal!' });
    expect((await stage.run(laptop)).said).toContain(
      'excerpt "In a terminal" → "In a terminal!" on the site',
    );
    expect([...stage.faults, ...stage.stops]).toEqual([]);
  } finally {
    await stage.close();
  }
});
