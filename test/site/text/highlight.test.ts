import { afterAll, expect, test } from 'vitest';
import { createBodies } from '../../../src/site/text/body.ts';
import { createHighlighter } from '../../../src/site/text/highlight.ts';
import { markupOf } from '../../../src/site/html.ts';
import { en } from '../../../src/site/words/en.ts';

const highlighter = createHighlighter({ deadlineMs: 20_000 });
const hasty = createHighlighter({ deadlineMs: 1 });
afterAll(() => Promise.all([highlighter.stop(), hasty.stop()]));

test.each([
  ['ts', 'const a = 1;', 'keyword'],
  ['py', 'def f(): pass', 'keyword'],
  ['sh', 'if true; then echo "a"; fi', 'keyword'],
  ['yml', 'a: "b" # c', 'comment'],
  ['console', '$ npm install', 'punctuation'],
  ['Dockerfile', 'FROM node:20', 'keyword'],
  ['c++', 'int main() { return 0; }', 'keyword'],
  ['tf', 'resource "a" "b" {}', 'function'],
])('%s is known under the name that writers use', async (language, code, kind) => {
  expect(await highlighter.highlight(code, language)).toMatchObject({
    html: expect.stringContaining(`tk-${kind}`),
  });
});

test('the colours of a text do not depend on what was coloured before it', async () => {
  const texts = [
    ['md', '# Start\n\n```java\nclass A { int b = 1; }\n```\n\n```css\na { color: red }\n```\n'],
    ['html', '<p v-if="a">{{ b + 1 }}</p>\n'],
    ['rb', 'x = <<~CSS\n  a { color: red }\nCSS\n'],
  ] as const;
  const shown = async (before: readonly (readonly [string, string])[]) => {
    const own = createHighlighter({ deadlineMs: 20_000 });
    try {
      for (const [language, code] of before) await own.highlight(code, language);
      const all = [];
      for (const [language, code] of texts) all.push(await own.highlight(code, language));
      return all;
    } finally {
      await own.stop();
    }
  };
  const others = [
    ['java', 'class A {}'],
    ['css', 'a { color: red }'],
    ['vue', '<template><p>{{ a }}</p></template>'],
  ] as const;
  expect(await shown(others)).toEqual(await shown([]));
});

test.each(['v', 'coq', 'typst', 'nonsense', '__proto__', ''])('%s is no language here', async (language) => {
  expect(await highlighter.highlight('a', language)).toBe('plain');
});

test('a long line is shown plain, its neighbours are coloured', async () => {
  const long = 'x'.repeat(500);
  const shown = await highlighter.highlight(`const a = 1;\n${long}\nconst b = 2;`, 'js');
  expect(shown).toMatchObject({ html: expect.stringMatching(new RegExp(`\\n(?:<span[^>]*>)?${long}`)) });
});

test('code that is too long for a reader is plain', async () => {
  expect(await highlighter.highlight('const a = 1;\n'.repeat(4000), 'js')).toBe('plain');
});

test('code that does not end in time is plain, and is not tried again after the second time', async () => {
  const code = 'const a = `${b}`;\n'.repeat(2000);
  expect(await hasty.highlight(code, 'ts')).toBe('failed');
  const startMs = process.cpuUsage().user;
  expect(await hasty.highlight(code, 'ts')).toBe('failed');
  expect(process.cpuUsage().user - startMs).toBeLessThan(50_000);
});

test('after three blocks that did not end, the rest of a text is plain', async () => {
  const asked: string[] = [];
  const bodies = createBodies({
    patienceMs: 60_000,
    highlighter: {
      highlight: async (code) => {
        asked.push(code);
        return 'failed';
      },
      stop: async () => undefined,
    },
  });
  const block = (n: number) => `<pre><code class="language-js">b${n}</code></pre>`;
  const { html } = await bodies.bodyOf([1, 2, 3, 4, 5].map(block).join('<p>p</p>'), en);
  expect(asked).toEqual(['b1', 'b2', 'b3']);
  expect(markupOf(html).match(/b\d/g)).toEqual(['b1', 'b2', 'b3', 'b4', 'b5']);
  await bodies.stop();
});

test('a reader does not wait for colours that take long; the next reader has them', async () => {
  let finish = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const bodies = createBodies({
    patienceMs: 1,
    highlighter: {
      highlight: async () => {
        await late;
        return { html: '<span class="tk-keyword">coloured</span>' };
      },
      stop: async () => undefined,
    },
  });
  const text = '<p>a</p><pre><code class="language-js">b</code></pre><p>c</p>';
  expect(markupOf((await bodies.bodyOf(text, en)).html)).toContain('<code class="language-js">b</code>');
  finish();
  await late;
  await new Promise((resolve) => void setImmediate(resolve));
  expect(markupOf((await bodies.bodyOf(text, en)).html)).toContain('<code><span class="tk-keyword">coloured');
  await bodies.stop();
});
