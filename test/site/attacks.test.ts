import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ARTICLES, articleBody, CATEGORIES, categoryBody } from '../service/support/rig.ts';
import { longestAllowedPauseMs, longestPause } from '../support/loop-pause.ts';
import { siteRig, type SiteRig } from './support/site-rig.ts';

// Each of these kept everybody waiting once, some of them for ever.

let rig: SiteRig;
beforeAll(async () => {
  rig = await siteRig({ colourPatienceMs: 300 });
});
afterAll(() => rig.close());

const PAUSE_MS_MAX = longestAllowedPauseMs();

/** Does something and expects that others could have been answered all the time. */
async function quick<T>(work: () => Promise<T>): Promise<T> {
  const { value, pauseMs } = await longestPause(work);
  expect(pauseMs).toBeLessThan(PAUSE_MS_MAX);
  return value;
}

/** A page as `rig.visit` gives it. What the reader does with the bytes is no work of the site, so it is not measured. */
async function page(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const { status, pieces } = await quick(async () => {
    const response = await rig.site.fetch(
      new Request(`http://kb.test${path}`, { headers: { accept: 'text/html' } }),
    );
    const received: Uint8Array[] = [];
    for await (const piece of response.body ?? []) received.push(piece);
    return { status: response.status, pieces: received };
  });
  return { status, text: Buffer.concat(pieces).toString() };
}

let count = 0;
const article = (content: string, values: object = {}) => {
  count += 1;
  return rig.ask(
    'PUT',
    ARTICLES,
    articleBody({ title: `Attack ${count}`, slug: `attack-${count}`, content, ...values }),
  );
};

describe('code that no regular expression ends with', () => {
  const line = (text: string, times: number) => text.repeat(times);
  test.each([
    ['v', line('1', 60)],
    ['v', `assign x = 64'b${line('0', 60)}1;`],
    ['coq', `Definition x := ${line('7', 40)}.`],
    ['terraform', line('a1b2', 450)],
    ['terraform', `key = "${line('A', 1600)}"`],
    ['kdl', line('node ', 400)],
    ['bash', line('<', 1999)],
    ['shellscript', line('<', 1999)],
    ['mdc', line('*', 1999)],
    ['reg', line('\\', 1999)],
    ['typst', line('#', 1999)],
    ['cpp', line('(', 1999)],
    ['svelte', line('{', 1999)],
    ['racket', line('(', 1999)],
    ['fortran', line(' ', 1999)],
  ])('in %s is shown, and keeps nobody waiting', async (language, code) => {
    const many = Array.from({ length: 20 }, () => code)
      .join('\n')
      .replaceAll('<', '&lt;');
    await article(`<pre><code class="language-${language}">${many}</code></pre>`);
    const { status, text } = await page(`/en/articles/attack-${count}`);
    expect(status).toBe(200);
    expect(text.replaceAll(/<[^>]*>/g, '')).toContain(
      code.slice(0, 20).replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    );
  });

  test('a page of 1.9 MB of code is shown, and keeps nobody waiting', async () => {
    const code = 'export const value = compute(`${a}`, { b: [1, 2, 3] }); // comment\n'.repeat(600);
    await article(
      Array.from({ length: 47 }, () => `<pre><code class="language-js">${code}</code></pre>`).join(''),
    );
    expect((await page(`/en/articles/attack-${count}`)).status).toBe(200);
  });
});

describe('a text of the largest size', () => {
  const MB2 = 2_000_000;
  const filled = (text: string) => text.repeat(Math.floor(MB2 / Buffer.byteLength(text)));
  test.each([
    ['of words', filled('word '), 201],
    ['of one word', 'z'.repeat(MB2), 201],
    ['of different words', Array.from({ length: 150_000 }, (_, n) => `w${n.toString(36)}`).join(' '), 201],
    ['of Han', filled('同步设置'), 201],
    ['of letters that become eighteen', filled('ﷺ'), 201],
    ['of bare signs', filled('<'), 201],
    ['of references', filled('&amp;'), 201],
    ['of paragraphs that end nowhere', filled('<p>'), 201],
    ['of lists that end nowhere', filled('<li>'), 201],
    ['of line breaks', filled('<br>'), 201],
    ['of pictures', filled('<img src=x>'), 201],
    ['of equal headings', filled('<h2>a</h2>'), 201],
    ['of attributes', `<p ${Array.from({ length: 200_000 }, (_, n) => `a${n}`).join(' ')}>x</p>`, 201],
    ['of comments', filled('<!-- a -->'), 201],
    ['of headings with one id', filled('<h2 id=a>a</h2>'), 201],
    ['of elements inside of each other', filled('<b>'), 400],
    ['of boxes inside of each other', filled('<div>'), 400],
    [
      'of links',
      Array.from({ length: 55_000 }, (_, n) => `<a href="https://a.test/${n}">a</a>`).join(''),
      400,
    ],
    [
      'of 4,900 links',
      Array.from({ length: 4900 }, (_, n) => `<a href="https://a.test/${n}">a</a>`).join(''),
      201,
    ],
  ])('%s is answered, read and found while others are', async (_what, content, status) => {
    const reply = await quick(() => article(content));
    expect(reply.status).toBe(status);
    if (status !== 201) return;
    expect((await page(`/en/articles/attack-${count}`)).status).toBe(200);
    expect((await page(`/en/search?q=attack+${count}`)).text).toContain(`attack-${count}`);
  });
});

describe('search', () => {
  test.each(['zz', 'z', 't', 'the', 'word', 'w', 'attack', 'a b c d e f g h i j k l m n'])(
    'for %j among such texts keeps nobody waiting',
    async (query) => {
      expect((await page(`/en/search?q=${encodeURIComponent(query)}`)).status).toBe(200);
    },
  );
});

describe('JSON', () => {
  test('of 150,000 unknown fields is refused', async () => {
    const body = Object.fromEntries(Array.from({ length: 150_000 }, (_, n) => [`k${n}`, 1]));
    expect((await quick(() => rig.ask('PUT', ARTICLES, body))).status).toBe(400);
  });

  test('that is nested a million deep is refused', async () => {
    const text = `{"a":${'['.repeat(1_000_000)}`;
    const request = () =>
      rig.send(
        new Request(`http://kb.test${ARTICLES}`, {
          method: 'PUT',
          body: text,
          headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
        }),
      );
    expect((await quick(request)).status).toBe(400);
  });
});

test('categories a hundred deep are shown', async () => {
  let parent: string | undefined;
  for (let level = 0; level < 60; level += 1) {
    const body = categoryBody({
      name: `L${level}`,
      slug: `l${level}`,
      ...(parent === undefined ? {} : { categoryParent: parent }),
    });
    parent = await rig.make(CATEGORIES, body);
  }
  await article('<p>deep</p>', { categories: [{ value: parent }] });
  expect((await page(`/en/articles/attack-${count}`)).status).toBe(200);
});
