import { expect, test } from 'vitest';
import { onSite, PLACE } from './support/on-site.ts';

const EDITED = '<p>An editor wrote this.</p>';

test.each(['seconds', 'minutes', 'epoch'] as const)(
  'an edit of the site in the moment of our own write is seen by the next run, with dates in the form %s',
  async (dates) => {
    await onSite([{ rules: { dates } }], ['one'], async ({ stage, files, laptop, row }) => {
      files.edit(PLACE);
      expect((await stage.run(laptop)).exit).toBe(0);
      stage.editor.set(row, { content: EDITED });
      stage.advance(120_000);
      expect((await stage.run(laptop)).said).toContain('edited on the site');
      expect((await stage.run(laptop, ['pull', '--yes'])).exit).toBe(0);
      expect(row.stored['content']).toBe(EDITED);
    });
  },
);

test('a record is read once more after its second is over, and then no more', async () => {
  await onSite([{ rules: { dates: 'seconds' } }], ['one'], async ({ stage, files, laptop }) => {
    files.edit(PLACE);
    await stage.run(laptop);
    stage.advance(120_000);
    const second = await stage.run(laptop);
    stage.advance(120_000);
    const third = await stage.run(laptop);
    expect([second.requests - third.requests, third.requests]).toEqual([1, 3]);
  });
});
