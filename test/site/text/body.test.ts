import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createBodies } from '../../../src/site/text/body.ts';
import { markupOf, trusted } from '../../../src/site/html.ts';
import { en } from '../../../src/site/words/en.ts';
import { es } from '../../../src/site/words/es.ts';
import { fr } from '../../../src/site/words/fr.ts';
import { pt } from '../../../src/site/words/pt.ts';
import { disguiseIn, harmIn } from '../support/harm.ts';
import { HOSTILE } from '../support/hostile.ts';

const bodies = createBodies({ patienceMs: 60_000 });
afterAll(() => bodies.stop());
const shown = async (html: string) => markupOf((await bodies.bodyOf(html, en)).html);

describe('a hostile text', () => {
  test.each(HOSTILE)('loses what could do harm: %s', async (html) => {
    const page = await shown(html);
    expect([harmIn(page), disguiseIn(page)]).toEqual([[], []]);
    expect(page).not.toMatch(/<input/i);
  });

  test('stays harmless in any mixture', async () => {
    const pieces = fc.array(
      fc.oneof(fc.constantFrom(...HOSTILE), fc.string(), fc.constantFrom('<', '">', '<!--', '</p>')),
    );
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        const page = await shown(parts.join(''));
        expect([harmIn(page), disguiseIn(page)]).toEqual([[], []]);
      }),
      { numRuns: 150 },
    );
  });

  test('cannot close what stands around it', async () => {
    expect(await shown('</div></main></body><p>a</p></section>')).toBe('<p>a</p>');
  });
});

test('a text that is made safe once speaks each language that it is shown in', async () => {
  const html = '<h2>A</h2><script>x</script><ul><li><input type="checkbox" checked> b</li></ul>';
  const [english, french] = await Promise.all(
    [en, fr].map(async (words) => (await bodies.bodyOf(html, words)).html),
  );
  expect(markupOf(english ?? trusted(''))).toContain(en.done);
  expect(markupOf(french ?? trusted(''))).toContain(fr.done);
  expect(markupOf(french ?? trusted(''))).not.toContain('script');
});

test('Spanish and Portuguese, which have words in common, each say their own', async () => {
  const html = '<h2>A</h2><table><tr><td>b</td></tr></table>';
  for (const words of [es, pt]) {
    const page = markupOf((await bodies.bodyOf(html, words)).html);
    expect(page).toContain(words.linkToHeading);
    expect(page).toContain(`aria-label="${words.table}"`);
  }
});

test('no text of an author is taken for a word of the site', async () => {
  const mark = '<!--word toDo-->';
  const page = await shown(
    `<p title="${mark}">a${mark} &lt;!--word toDo--&gt;</p><h2 id="${mark}">b</h2><pre><code class="language-html">&lt;!--word toDo--&gt;</code></pre>`,
  );
  expect(page).not.toContain(en.toDo);
  expect(page).toContain('&lt;!--word toDo--&gt;');
});

test('who asks while the colours of a text are under way waits for them too', async () => {
  const html = '<pre><code class="language-yaml">a: 1</code></pre>';
  let begun = (): void => undefined;
  let end = (): void => undefined;
  const isBegun = new Promise<void>((resolve) => (begun = resolve));
  const isEnded = new Promise<void>((resolve) => (end = resolve));
  const slow = createBodies({
    patienceMs: 60_000,
    highlighter: {
      highlight: async () => {
        begun();
        await isEnded;
        return { html: '<b>a</b>' };
      },
      stop: async () => undefined,
    },
  });
  const first = slow.bodyOf(html, en);
  await isBegun;
  const second = slow.bodyOf(html, en);
  end();
  expect([(await first).isWhole, (await second).isWhole]).toEqual([true, true]);
  await slow.stop();
});

describe('headings', () => {
  test('keep their ids, get one from their words where they have none, each once', async () => {
    const { headings } = await bodies.bodyOf(
      '<h2 id="a">A</h2><h2 id="a">B</h2><h2>Ça va&nbsp;?</h2><h3>B</h3>',
      en,
    );
    expect(headings.map(({ id }) => id)).toEqual(['a', 'b', 'ça-va-', 'b-1']);
  });

  test.each([
    ['h3 h4 h3', 'h2 h3 h2'],
    ['h2 h4 h4 h3 h2', 'h2 h3 h3 h3 h2'],
    ['h3 h2 h3', 'h2 h2 h3'],
    ['h1 h2 h3 h4 h5 h6', 'h2 h3 h4 h5 h6 h6'],
  ])('%s become %s: no level is left out, whichever the author began with', async (given, wanted) => {
    const html = await shown(
      given
        .split(' ')
        .map((tag) => `<${tag}>A</${tag}>`)
        .join(''),
    );
    expect([...html.matchAll(/<(h\d)/g)].map(([, tag]) => tag).join(' ')).toBe(wanted);
  });

  test('a link without a name is a place in the text, and leads nowhere', async () => {
    const html = await shown(
      '<h2 id="b">B<a href="#b" id="old"></a></h2><p><a href="/c"><img src="https://x.test/a.png" alt="C"></a></p>',
    );
    expect(html).toContain('B<a id="old"></a>');
    expect(html).toContain('<a href="/c"><img');
  });

  test('move down when the text has an h1, because the title is the page’s', async () => {
    expect(await shown('<h1 id="a">A</h1><h2 id="b">B</h2>')).toMatch(/^<h2 id="a">.*<h3 id="b">/);
  });
});

describe('what a page adds', () => {
  test('the alignment of a cell is a class, because HTML has no such attribute any more', async () => {
    const html = await shown(
      '<table><tbody><tr><td align="RIGHT">1</td><th align="center" class="note x">2</th><td align="justify">3</td></tr></tbody></table>',
    );
    expect(html).toContain('<td class="align-right">1</td><th class="note align-center">2</th><td>3</td>');
  });

  test('a cell with a sentence is marked, so a wide table does not squeeze it', async () => {
    const html = await shown(
      '<table><tbody><tr><td>short</td><td align="right"><b>With shared folders</b> and guests</td></tr></tbody></table>',
    );
    expect(html).toContain('<td>short</td><td class="align-right" data-long><b>');
  });

  test('code in a language is coloured, the same text is in it', async () => {
    const html = await shown(
      '<pre><code class="language-ts">const a: string = "&lt;b&gt;"; // c\n</code></pre>',
    );
    expect(html).toContain('<span class="tk-keyword">const</span>');
    expect(html).toContain('tk-comment');
    expect(html.replaceAll(/<[^>]*>/g, '')).toBe('const a: string = &quot;&lt;b&gt;&quot;; // c\n');
  });

  test.each(['nonsense', '__proto__', 'constructor', 'text'])('code in %j stays plain', async (language) => {
    expect(await shown(`<pre><code class="language-${language}">a &lt; b</code></pre>`)).toContain(
      'a &lt; b</code></pre>',
    );
  });

  test('code with tags inside keeps them', async () => {
    expect(await shown('<pre><code class="language-sh">rm <b>x</b></code></pre>')).toContain('rm <b>x</b>');
  });

  test('tables and code can be scrolled by keyboard, pictures load late and have a text', async () => {
    expect(await shown('<table><caption>Sizes</caption><tr><td>1</td></tr></table>')).toMatch(
      /^<div class="table" role="group" tabindex="0" aria-label="Sizes"><table>/,
    );
    expect(await shown('<pre>a</pre>')).toContain('<pre tabindex="0">');
    expect(await shown('<img src="https://a.test/b.png">')).toContain('alt="" loading="lazy"');
  });

  test('boxes of task lists are marks with words', async () => {
    expect(
      await shown('<ul class="contains-task-list"><li><input type="checkbox" checked disabled> a</li></ul>'),
    ).toContain('<span class="task done" role="img" aria-label="done"></span>');
  });

  test('the stamp of the sync and other comments are not on the page', async () => {
    expect(await shown('<p>a</p>\n<!-- kbsync 1 article/a@en title:0123456789 -->')).toBe('<p>a</p>\n');
  });

  test('an empty text and a very deep one are shown', async () => {
    expect(await shown('')).toBe('');
    expect(await shown(`${'<div>'.repeat(5000)}deep${'</div>'.repeat(5000)}`)).toContain('deep');
  });
});
