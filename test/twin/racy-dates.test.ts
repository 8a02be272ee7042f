import { expect, test } from 'vitest';
import { onSite, PLACE } from './support/on-site.ts';
import type { Habit } from './support/service/habit.ts';

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

/** A copy that is behind answers one read of a translation, once it is told to, with the text of before. */
function oldTranslation(): { readonly habit: Habit; readonly next: () => void } {
  const texts: string[] = [];
  let isNext = false;
  const habit: Habit = {
    gateway: () => (next) => async (request) => {
      const isRead = request.method === 'GET' && request.url.includes('lang=fr');
      if (!isRead) return next(request);
      const [old] = texts;
      if (isNext && old !== undefined) {
        isNext = false;
        return new Response(old, { headers: { 'content-type': 'application/json' } });
      }
      const response = await next(request);
      const text = await response.clone().text();
      if (response.ok && text.includes('Uni')) texts.push(text);
      return response;
    },
  };
  return { habit, next: () => void (isNext = true) };
}

test('an old read of a translation is no edit of the site, though the date cannot tell', async () => {
  const { habit, next } = oldTranslation();
  await onSite([habit, { rules: { dates: 'seconds' } }], ['one'], async ({ stage, files, laptop }) => {
    files.add('fr/articles/plain', 'Uni');
    await stage.settle(laptop);
    files.edit('fr/articles/plain');
    await stage.run(laptop);
    next();
    stage.advance(120_000);
    const { exit, said } = await stage.run(laptop);
    expect([exit, said]).toEqual([0, expect.not.stringContaining('edited on the site')]);
  });
});
