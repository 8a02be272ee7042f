import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ODD_SERVICES, oddService } from '../../../support/odd-services/odd-services.ts';
import { langUnreadable } from '../../../support/odd-services/languages.ts';
import { translationRows, translationsUnnamed } from '../../../support/odd-services/lists.ts';
import { askedOf } from '../../../support/odd-services/seam.ts';
import type { Oddity } from '../../../support/odd-services/seam.ts';
import { fill } from '../../support/migrate-content.ts';
import { migrateWorld, writes, type MigrateWorld } from '../../support/migrate-world.ts';

const { headers, lists, languages, stored, answers } = ODD_SERVICES;
let world: MigrateWorld;

beforeEach(async () => {
  world = await migrateWorld();
  await fill(world.from);
});

afterEach(() => world.close());

function standIn(side: 'from' | 'to', oddities: readonly Oddity[]): void {
  world[side].wrap = oddService(oddities, { now: () => world.now(), harm: [] });
}

const articleRows: Oddity = (world) => (send) => {
  const rows = translationRows(world)(send);
  return (request) => (askedOf(request).kind === 'article' ? rows(request) : send(request));
};

/** Exit code and writes of one run after the other. */
async function runs(count: number): Promise<string> {
  const ends: string[] = [];
  for (let run = 0; run < count; run += 1) {
    const before = writes(world.to).length;
    const { exit } = await world.migrate('--settle', '0');
    ends.push(`${exit}:${writes(world.to).length - before}`);
  }
  return ends.join(' ');
}

describe('a source that fills the gaps of the API otherwise', () => {
  test.each([
    ['all-at-once', headers['all-at-once']],
    ['ids-encoded', headers['ids-encoded']],
    ['translation-rows', lists['translation-rows']],
    ['rows+unreadable', languages['rows+unreadable']],
    ['not-found-as-500', answers['not-found-as-500']],
    ['lists that name no translations', [...headers.plain, translationsUnnamed]],
  ])('comes whole, and once: %s', async (_, oddities) => {
    standIn('from', oddities);
    expect(await runs(2)).toBe('0:9 0:0');
    const [from, to] = await world.both();
    expect(to).toEqual(from);
    expect(writes(world.from)).toEqual([]);
  });

  test('shows no draft in its list: the run says what it cannot copy, and a list with a draft leaves no doubt', async () => {
    const words = 'the list of articles of the source shows no draft: drafts that it hides are not copied';
    const isDraft = ({ status }: { readonly status?: string }): boolean => status === 'draft';
    const listing =
      (keepsDrafts: boolean) =>
      (send: (request: Request) => Promise<Response>) =>
      async (request: Request): Promise<Response> => {
        const response = await send(request);
        if (!request.url.endsWith('/api/v2/articles')) return response;
        const body = (await response.json()) as { readonly data: readonly { readonly status?: string }[] };
        return Response.json({ ...body, data: body.data.filter((row) => keepsDrafts || !isDraft(row)) });
      };
    const plainly = oddService(headers.plain, { now: () => world.now(), harm: [] });
    world.from.wrap = (send) => listing(true)(plainly(send));
    expect((await world.migrate('--dry-run')).stdout).not.toContain(words);
    world.from.wrap = (send) => listing(false)(plainly(send));
    expect((await world.migrate('--dry-run')).stdout).toContain(words);
    world.from.wrap = (send) => send;
    expect((await world.migrate('--dry-run')).stdout).not.toContain(words);
  });

  test.each([
    ['lang-unreadable', languages['lang-unreadable'], 'asked for fr, the service shows the original'],
    [
      'rows of articles alone',
      [...headers.plain, langUnreadable, translationsUnnamed, articleRows],
      'translations in fr that no list names',
    ],
  ])('is not begun where translations cannot be read: %s', async (_, oddities, why) => {
    standIn('from', oddities);
    const ran = await world.migrate();
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain(why);
    expect(world.to.sent).toEqual([]);
  });

  test.each([
    ['cut-oldest', lists['cut-oldest']],
    ['cut-pages', lists['cut-pages']],
  ])('is not begun where lists are cut or paged: %s', async (_, oddities) => {
    for (let n = 0; n < 30; n += 1) {
      const article = { title: `A ${n}`, slug: `a-${n}`, categories: [], excerpt: '', ordering: n };
      await world.from.put('articles', { ...article, status: 'draft', content: '' });
    }
    standIn('from', oddities);
    const ran = await world.migrate();
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain(
      'the article list shows 25 records, exactly a number at which services truncate lists',
    );
    expect(world.to.sent).toEqual([]);
  });
});

describe('a target that fills the gaps of the API otherwise', () => {
  test.each([
    ['plain: no Location, no ETag', headers.plain],
    ['all-at-once', headers['all-at-once']],
    ['comments-stripped', stored['comments-stripped']],
    ['slug-refused', stored['slug-refused']],
    ['rate-503', answers['rate-503']],
  ])('gets everything once: %s', async (_, oddities) => {
    standIn('to', oddities);
    expect(await runs(2)).toBe('0:9 0:0');
    const [from, to] = await world.both();
    expect(to).toEqual(from);
  });

  test('gets everything once although its lists lag', async () => {
    standIn('to', lists['lagging-lists']);
    expect(await runs(4)).toBe('0:9 0:0 0:0 0:0');
    const [from, to] = await world.both();
    expect(to).toEqual(from);
  });

  test('rewrites HTML: the words are compared, and that it is written otherwise is told', async () => {
    standIn('to', stored['html-normalised']);
    const ran = await world.migrate();
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toMatch(/the target changed the HTML of \d records; words/);
    expect(await runs(1)).toBe('0:0');
  });

  test('does not show translations: they are sent once, and what cannot be compared is a difference', async () => {
    standIn('to', languages['lang-unreadable']);
    expect(await runs(2)).toBe('5:9 5:0');
    const [from, to] = await world.both();
    expect(to).toEqual(from);
  });

  test('ignores the language of a write: no original is lost, and the rest arrives', async () => {
    standIn('to', languages['lang-ignored']);
    const ran = await world.migrate();
    expect(ran.exit).toBe(5);
    expect(ran.stdout).toContain('the service ignores `lang`');
    const plain = await world.migrate('--lang', 'en');
    expect(plain.stdout).toContain('both sides equal: 6 records compared');
  });

  test('leaves out of its reads what is empty: empty on both sides is equal', async () => {
    world.to.wrap = (send) => async (request) => {
      const response = await send(request);
      if (request.method !== 'GET') return response;
      const body = (await response.json()) as { readonly data?: unknown };
      const told = (value: unknown) => value !== '' && value !== null;
      const data = Array.isArray(body.data)
        ? body.data
        : Object.fromEntries(Object.entries(body.data ?? {}).filter(([, value]) => told(value)));
      return Response.json({ ...body, data }, { status: response.status });
    };
    const ran = await world.migrate();
    expect(ran.stdout).not.toContain('differs');
    expect(ran.exit).toBe(0);
  });

  test('loses the answers to creates: what is blocked is named, and --wait waits for the end', async () => {
    let left = 2;
    world.to.wrap = (send) => (request) => {
      if (request.method !== 'PUT' || left === 0) return send(request);
      left -= 1;
      return Promise.resolve(new Response('', { status: 502 }));
    };
    const first = await world.migrate();
    expect(first.exit).toBe(5);
    const second = await world.migrate();
    expect(second.stdout).toMatch(
      /blocked {3}.* an earlier run sent it, and it is not clear whether it arrived/,
    );
    const third = await world.migrate('--wait');
    expect(third.exit).toBe(0);
    expect(third.stdout).toContain('both sides equal');
  });
});
