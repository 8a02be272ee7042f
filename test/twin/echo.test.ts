import { expect, test } from 'vitest';
import { createRepository } from './support/repository.ts';
import type { Habit } from './support/service/habit.ts';
import { createStage } from './support/stage.ts';

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const ESCAPING: Habit = {
  stores: (value, field) => (field === 'excerpt' && typeof value === 'string' ? escaped(value) : value),
};

/** What the site shows of an editor's excerpt, edit after edit of a file that says nothing of it. */
async function shownAfterEdits(habits: readonly Habit[], excerpt: string): Promise<readonly unknown[]> {
  const stage = await createStage(habits, 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/plain', 'Plain');
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    const row = stage.row(files, 'en/articles/plain');
    if (row === undefined) throw new Error('test: no record');
    stage.editor.set(row, { excerpt });
    const shown: unknown[] = [row.stored['excerpt']];
    for (let edit = 0; edit < 3; edit += 1) {
      stage.step(`edit ${edit}`);
      files.edit('en/articles/plain');
      await stage.settle(laptop);
      shown.push(row.stored['excerpt']);
    }
    expect(stage.stops).toEqual([]);
    return shown;
  } finally {
    await stage.close();
  }
}

test('an excerpt that an editor wrote stays as it is where the service escapes what it saves', async () => {
  expect(new Set(await shownAfterEdits([ESCAPING], 'A "good" & short one'))).toEqual(
    new Set(['A &quot;good&quot; &amp; short one']),
  );
});

test('entities that an editor wrote stay where the service escapes nothing', async () => {
  expect(new Set(await shownAfterEdits([], 'Write &amp; for an ampersand'))).toEqual(
    new Set(['Write &amp; for an ampersand']),
  );
});

test('a title with entities in it stays as its file has it when two pages swap their slugs', async () => {
  const stage = await createStage([], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/a', 'Write &amp; first', { slug: 'one' });
    files.add('en/articles/b', 'Write &lt; second', { slug: 'two' });
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    stage.step('swap');
    files.retitle('en/articles/a', { fields: { slug: 'two' } });
    files.retitle('en/articles/b', { fields: { slug: 'one' } });
    await stage.settle(laptop);
    expect([...stage.faults, ...stage.stops]).toEqual([]);
    const sent = stage.site.ledger.flatMap(({ row, sent: { title } }) =>
      row.kind === 'article' ? [String(title)] : [],
    );
    expect(new Set(sent)).toEqual(new Set(['Write &amp; first', 'Write &lt; second']));
  } finally {
    await stage.close();
  }
});

/** What the site holds of a title after an edit of it was taken back. */
async function titleAfterUndo(habits: readonly Habit[], title: string): Promise<unknown> {
  const stage = await createStage(habits, 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/plain', title);
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    files.retitle('en/articles/plain', { title: 'Anew' });
    stage.step('edit');
    await stage.settle(laptop);
    const { exit } = await stage.run(laptop, ['undo', '--yes']);
    expect({ exit, stops: stage.stops }).toEqual({ exit: 0, stops: [] });
    return stage.row(files, 'en/articles/plain')?.stored['title'];
  } finally {
    await stage.close();
  }
}

test('undo puts a title back as it was sent, where the service escapes what it saves', async () => {
  const escapes: Habit = {
    stores: (value, field) => (field === 'title' && typeof value === 'string' ? escaped(value) : value),
  };
  expect(await titleAfterUndo([escapes], 'A "good" & short one')).toBe('A &quot;good&quot; &amp; short one');
});

test('undo puts a title with entities back as it was, where the service escapes nothing', async () => {
  expect(await titleAfterUndo([], 'Write &amp; for an ampersand')).toBe('Write &amp; for an ampersand');
});
