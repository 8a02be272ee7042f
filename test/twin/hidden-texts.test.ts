import { expect, test } from 'vitest';
import { onSite, PLACE } from './support/on-site.ts';
import type { Begun } from './support/on-site.ts';
import type { Repository } from './support/repository.ts';
import type { Habit } from './support/service/habit.ts';

/** Single reads show no text of any article; the site does. */
const HIDES: Habit = {
  shapes:
    () =>
    (body, { reply, kind }) =>
      reply === 'read' && kind === 'article'
        ? { ...body, data: { ...(body['data'] as object), content: null } }
        : body,
};

const EDITED = '<p>An editor wrote this.</p>';

function edit({ stage, row }: Begun): void {
  stage.editor.set(row, { content: EDITED });
  stage.advance(60_000);
}

test('texts that reads do not show are updated as long as nobody else has written', async () => {
  await onSite([HIDES], ['other'], async ({ stage, files, laptop, row }) => {
    files.edit(PLACE);
    await stage.settle(laptop);
    files.retitle(PLACE, { title: 'Anew' });
    await stage.settle(laptop);
    expect(row.stored['title']).toBe('Anew');
  });
});

test.each([
  ['text', (files: Repository) => files.edit(PLACE)],
  ['title', (files: Repository) => files.retitle(PLACE, { title: 'Anew' })],
])('a %s of a file does not overwrite what an editor wrote unseen; a choice does', async (_, change) => {
  await onSite([HIDES], ['other'], async (begun) => {
    const { stage, files, laptop, row } = begun;
    edit(begun);
    // A run without changes must not take the editor's date for its own.
    expect((await stage.run(laptop)).exit).toBe(0);
    change(files);
    const { exit, said } = await stage.run(laptop);
    expect({ exit, text: row.stored['content'] }).toEqual({ exit: 3, text: EDITED });
    expect(said).toContain('the service does not show it');
    await stage.settle(laptop, ['resolve', 'article/plain@en', '--local', '--yes']);
    await stage.settle(laptop);
    expect(row.stored['content']).not.toBe(EDITED);
  });
});

test('a choice of the site’s side leaves a text that reads do not show alone, and the edit that would carry it', async () => {
  await onSite([HIDES], ['other'], async (begun) => {
    const { stage, files, laptop, row } = begun;
    edit(begun);
    files.retitle(PLACE, { title: 'Anew' });
    await stage.run(laptop, ['sync', '--yes', '--on-conflict', 'remote']);
    expect(row.stored).toMatchObject({ content: EDITED, title: 'Plain' });
    files.retitle(PLACE, { title: 'Anew again' });
    expect((await stage.run(laptop)).exit).toBe(3);
    expect(row.stored).toMatchObject({ content: EDITED, title: 'Plain' });
  });
});

test('an article is not deleted whose text somebody may have written unseen', async () => {
  await onSite([HIDES], ['other'], async (begun) => {
    const { stage, files, laptop, row } = begun;
    edit(begun);
    files.remove(PLACE);
    const { exit } = await stage.run(laptop, ['sync', '--yes', '--prune']);
    expect({ exit, deleted: row.deleted }).toEqual({ exit: 3, deleted: undefined });
    files.remove('en/articles/other');
  });
});
