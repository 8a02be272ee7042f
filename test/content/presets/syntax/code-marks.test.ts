import { expect, test } from 'vitest';
import { load } from '../../support/support.ts';
import { bodyOf } from '../support/support.ts';

/** The first block of code of a page of VitePress. */
async function shown(code: string, info = 'js'): Promise<string> {
  const loaded = await load({ 'a.md': `# A\n\n\`\`\`${info}\n${code}\n\`\`\`\n` }, { preset: 'vitepress' });
  expect(loaded.messages).toEqual([]);
  return /<pre><code[^>]*>[^]*?<\/code>/.exec(bodyOf(loaded, 'a'))?.[0] ?? '';
}

const block = (code: string, language = 'js'): string =>
  `<pre><code class="language-${language}">${code}\n</code>`;

test('orders to the highlighter are not shown', async () => {
  expect(
    await shown('const a = 1; // [!code focus]\nb(); /* [!code highlight:2] */\n// [!code word:b:1]\nc();'),
  ).toBe(block('const a = 1;\nb();\nc();'));
  expect(
    await shown('a\n// highlight-next-line\nb\n  # highlight-start\nc\n  {/* highlight-end */}\nd'),
  ).toBe(block('a\nb\nc\nd'));
});

test('lines that are added and taken away are those of a diff', async () => {
  expect(
    await shown('a();\nold(); // [!code --]\nnew1(); // [!code ++:2]\nnew2();', 'js [vite.config.js]'),
  ).toContain(block('  a();\n- old();\n+ new1();\n+ new2();', 'diff'));
  expect(await shown('// [!code ++:2]\na();\nb();\nc();')).toContain(block('+ a();\n+ b();\n  c();', 'diff'));
});

test('lines that Twoslash only compiles are not shown', async () => {
  expect(await shown('import { a } from "a"\n// ---cut---\na()\n// ---cut-after---\nb()')).toBe(block('a()'));
  expect(await shown('a()\n// ---cut-start---\nb()\n// ---cut-end---\nc()')).toBe(block('a()\nc()'));
  const asked = '// @errors: 2322\na()\n// ^?';
  expect(await shown(asked, 'ts twoslash')).toBe(block('a()', 'ts'));
  expect(await shown(asked, 'ts')).toBe(block(asked, 'ts'));
});

test('what only looks like an order is text', async () => {
  const code = 'say("[!code]") // [!NOTE] highlight-next-line\n// see highlight-start';
  expect(await shown(code)).toBe(block(code));
});
