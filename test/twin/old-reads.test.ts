import { expect, test } from 'vitest';
import type { Habit, Handler } from './support/service/habit.ts';
import { onSite, PLACE } from './support/on-site.ts';

/** Pages beside it. */
const OTHERS = ['one', 'two', 'three', 'four'];
const EDITED = '<p>An editor wrote this.</p>';

interface Cache {
  readonly habit: Habit;
  /** From now on single reads show what they show now. */
  readonly freeze: () => void;
  readonly thaw: () => void;
}

/** In front of single reads, for as long as it is frozen. */
function createCache(isKept: (url: URL) => boolean = () => true): Cache {
  let kept: Map<string, string> | undefined;
  const known = new Map<string, string>();
  const behind: (next: Handler) => Handler = (next) => async (request) => {
    const url = new URL(request.url);
    const isSingle = /\/articles\/./.test(url.pathname) && request.method === 'GET' && isKept(url);
    const found = isSingle ? kept?.get(url.href) : undefined;
    if (found !== undefined) return new Response(found, { headers: { 'content-type': 'application/json' } });
    const response = await next(request);
    if (isSingle && response.ok) known.set(url.href, await response.clone().text());
    return response;
  };
  return {
    habit: { gateway: () => behind },
    freeze: () => void (kept = new Map(known)),
    thaw: () => void (kept = undefined),
  };
}

test('where a cache shows what was there before an editor wrote, nothing is written over it, and the next run shows the conflict', async () => {
  const cache = createCache();
  await onSite([cache.habit], OTHERS, async ({ stage, files, laptop, row }) => {
    files.edit(PLACE);
    cache.freeze();
    stage.editor.set(row, { content: EDITED });
    const { exit, said } = await stage.run(laptop);
    expect({ exit, text: row.stored['content'] }).toEqual({ exit: 5, text: EDITED });
    expect(said).toContain('a cache shows what was there before');
    cache.thaw();
    await stage.settleConflict(laptop, PLACE, 'remote');
    expect(row.stored['content']).toBe(EDITED);
  });
});

test('where an editor wrote in many articles, and a cache shows all of them as they were, an untouched one tells it', async () => {
  const cache = createCache();
  await onSite([cache.habit], OTHERS, async ({ stage, files, laptop, row }) => {
    const others = ['one', 'two', 'three'].map((name) => `en/articles/${name}`);
    for (const place of [PLACE, ...others]) files.edit(place);
    await stage.settle(laptop);
    stage.step('edits of all');
    cache.freeze();
    for (const each of [row, ...others.flatMap((place) => stage.row(files, place) ?? [])])
      stage.editor.set(each, { content: EDITED });
    files.edit(PLACE);
    expect((await stage.run(laptop)).exit).toBe(5);
    expect(row.stored['content']).toBe(EDITED);
    cache.thaw();
  });
});

test('where a cache shows every article as it was at the last sync, the dates of that sync tell it', async () => {
  const cache = createCache();
  await onSite([cache.habit], OTHERS, async ({ stage, files, laptop, row }) => {
    const others = ['one', 'two', 'three', 'four'].map((name) => `en/articles/${name}`);
    for (const place of [PLACE, ...others]) files.edit(place);
    await stage.settle(laptop);
    stage.step('edits of all');
    cache.freeze();
    for (const each of [row, ...others.flatMap((place) => stage.row(files, place) ?? [])])
      stage.editor.set(each, { content: EDITED });
    files.edit(PLACE);
    expect((await stage.run(laptop)).exit).toBe(5);
    expect(row.stored['content']).toBe(EDITED);
    cache.thaw();
  });
});

test('a clone without a state, an article without a file and a title are safe from a cache in the same way', async () => {
  const cache = createCache();
  await onSite([cache.habit], OTHERS, async ({ stage, files, laptop, row }) => {
    await laptop.forget();
    files.edit(PLACE);
    cache.freeze();
    stage.editor.set(row, { title: 'An editor’s' });
    await stage.run(laptop);
    expect(row.stored['title']).toBe('An editor’s');
    files.remove(PLACE);
    await stage.run(laptop, ['sync', '--yes', '--prune']);
    expect(row.deleted).toBeUndefined();
    cache.thaw();
  });
});

test('a copy that is behind now and then costs another request, and no second run', async () => {
  await onSite([{ rules: { oldSinglesEvery: 2 } }], OTHERS, async ({ stage, files, laptop, row }) => {
    files.edit(PLACE);
    stage.editor.set(row, { title: 'An editor’s' });
    await stage.run(laptop);
    expect(row.stored['title']).toBe('An editor’s');
    expect(row.past.length).toBeGreaterThan(1);
  });
});

test.each(['iso', 'seconds', 'minutes', 'offset', 'epoch'] as const)(
  'with dates of lists in the form %s, too',
  async (dates) => {
    const cache = createCache();
    await onSite([cache.habit, { rules: { dates } }], OTHERS, async ({ stage, files, laptop, row }) => {
      files.edit(PLACE);
      cache.freeze();
      stage.editor.set(row, { content: EDITED });
      expect((await stage.run(laptop)).exit).toBe(5);
      expect(row.stored['content']).toBe(EDITED);
      cache.thaw();
      await stage.settleConflict(laptop, PLACE, 'local');
    });
  },
);

test('where the list’s dates are always later than those of single reads, no run is stopped, and four more reads are the cost', async () => {
  const later: Habit = {
    shapes:
      () =>
      (body, { reply, kind }) =>
        reply === 'read' && kind === 'article'
          ? { ...body, data: { ...(body['data'] as object), last_edited_Date: '2026-01-05T08:00:07.000Z' } }
          : body,
  };
  const plain: number[] = [];
  for (const habits of [[], [later]])
    await onSite(habits, OTHERS, async ({ stage, files, laptop }) => {
      files.edit(PLACE);
      const ran = await stage.run(laptop);
      expect(ran.exit).toBe(0);
      plain.push(ran.requests);
    });
  const [before = 0, after = 0] = plain;
  expect(after - before).toBeLessThanOrEqual(4);
});

/** Single reads show the date of an edit at once, and its text `late` reads later. */
function lateTexts(late: number): Habit {
  return {
    gateway: () => {
      const shown = new Map<string, { readonly text: string; readonly old: unknown }>();
      let left = late;
      return (next) => async (request) => {
        const response = await next(request);
        if (request.method !== 'GET' || !/\/articles\/./.test(request.url) || !response.ok) return response;
        const body = (await response.json()) as { readonly data: { readonly content?: unknown } };
        const text = JSON.stringify(body.data.content);
        const before = shown.get(request.url);
        const isLate = text.includes('An editor wrote') && before !== undefined && left > 0;
        if (isLate) left -= 1;
        else shown.set(request.url, { text, old: body.data.content });
        const data = isLate ? { ...body.data, content: before.old } : body.data;
        return new Response(JSON.stringify({ ...body, data }), { headers: response.headers });
      };
    },
  };
}

test('where a read shows the date of an edit before its text, nothing is written over the edit', async () => {
  await onSite([lateTexts(2)], OTHERS, async ({ stage, files, laptop, row }) => {
    files.edit(PLACE);
    stage.editor.set(row, { content: EDITED });
    await stage.settleConflict(laptop, PLACE, 'remote');
    expect(row.stored['content']).toBe(EDITED);
  });
});

test('where the read after that finds nothing, once, the article is not taken for deleted', async () => {
  let reads = 0;
  const oddAnswer: Habit = {
    gateway: () => (next) => (request) => {
      const isRead = request.method === 'GET' && /\/articles\/./.test(request.url);
      if (isRead) reads += 1;
      return isRead && reads === 2
        ? Promise.resolve(Response.json({ success: false, message: 'Not found' }, { status: 404 }))
        : next(request);
    },
  };
  await onSite([oddAnswer, lateTexts(1)], OTHERS, async ({ stage, files, laptop, row }) => {
    files.edit(PLACE);
    stage.editor.set(row, { content: EDITED });
    reads = 0;
    const { exit, said } = await stage.run(laptop);
    expect([exit, said]).toEqual([3, expect.not.stringContaining('deleted')]);
    expect(row.stored['content']).toBe(EDITED);
    await stage.settleConflict(laptop, PLACE, 'remote');
  });
});

test('an article that somebody saved as it was, a minute ago, costs no wait and no other read', async () => {
  await onSite([], OTHERS, async ({ stage, files, laptop, row }) => {
    files.edit(PLACE);
    const plain = (await stage.run(laptop)).requests;
    files.edit(PLACE);
    stage.editor.set(row, { hideFromSearch: true });
    stage.advance(60_000);
    const ran = await stage.run(laptop);
    expect([ran.exit, ran.requests]).toEqual([0, plain]);
  });
});
