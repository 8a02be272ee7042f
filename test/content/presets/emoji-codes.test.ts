import { expect, test } from 'vitest';
import { withEmoji } from '../../../src/content/markdown/emoji-codes.ts';
import type { PresetName } from '../../../src/content/presets/names.ts';
import type { Files } from '../support/support.ts';
import { bodyOf, loader } from './support/support.ts';

const WRITTEN =
  ':rocket: **:white_check_mark:** `:x:`\n\n```\n:x:\n```\n\n[:+1:](https://a.test/#:x:) :unknown_code: 10:30:45\n';
const SHOWN = `<p>🚀 <strong>✅</strong> <code>:x:</code></p>
<pre><code>:x:
</code></pre>`;

async function shown(preset: PresetName, settings: Files): Promise<string> {
  const text = `---\ntitle: A\n---\n\n${WRITTEN}`;
  return bodyOf(await loader(preset)({ ...settings, 'a.md': text }), 'a');
}

const HAS: readonly (readonly [PresetName, Files])[] = [
  ['hugo', { 'hugo.toml': 'enableEmoji = true\n' }],
  ['mkdocs', { 'mkdocs.yml': 'markdown_extensions:\n  - pymdownx.emoji:\n      emoji_index: x\n' }],
  ['jekyll', { '_config.yml': 'plugins: [jemoji]\n' }],
  ['vitepress', {}],
  ['vuepress', {}],
  ['gitbook', {}],
  ['docsify', {}],
  ['retype', {}],
  ['readme', {}],
  ['nuxt', {}],
  ['plain', {}],
  ['plain', { 'config.toml': 'base_url = "/"\n[markdown]\nrender_emoji = true\n' }],
  [
    'eleventy',
    { 'eleventy.config.js': "import { full } from 'markdown-it-emoji'\nexport default () => {}\n" },
  ],
  ['wiki', { 'Home.md': 'Home\n' }],
];

test.each(HAS)(
  'a code is the sign, and never in code, addresses and times: %s, %j',
  async (preset, files) => {
    const html = await shown(preset, files);
    expect(html).toContain(SHOWN);
    expect(html).toMatch(/<p><a href="[^"]*:x:">👍<\/a> :unknown_code: 10:30:45<\/p>$/);
  },
);

const HAS_NONE: readonly (readonly [PresetName, Files])[] = [
  ['hugo', {}],
  ['mkdocs', { 'mkdocs.yml': '' }],
  ['jekyll', {}],
  ['mdbook', { 'SUMMARY.md': '- [A](a.md)\n' }],
  ['starlight', {}],
  ['myst', {}],
  ['eleventy', {}],
  ['wiki', {}],
  ['plain', { 'config.toml': 'base_url = "/"\n' }],
];

test.each(HAS_NONE)('it is text where the layout has none: %s, %j', async (preset, files) => {
  expect(await shown(preset, files)).toContain('<p>:rocket: <strong>:white_check_mark:</strong>');
});

test('Docusaurus shows them unless `markdown.emoji` is off', async () => {
  const bodies = await Promise.all(
    ['{}', '{ emoji: false }'].map(async (markdown) => {
      const files = {
        'docusaurus.config.js': `export default { markdown: ${markdown} }\n`,
        'docs/a.md': '# :tada: A\n\n## :rocket: Go\n\n[up](#rocket-go)\n',
      };
      const loaded = await loader('docusaurus')(files);
      expect(loaded.messages).toEqual([]);
      const { fields } = loaded.record('article', 'a', 'en');
      return [fields['title'], bodyOf(loaded, 'a')];
    }),
  );
  expect(bodies).toEqual([
    ['🎉 A', '<h2 id="rocket-go">🚀 Go</h2>\n<p><a href="#rocket-go">up</a></p>'],
    [':tada: A', '<h2 id="rocket-go">:rocket: Go</h2>\n<p><a href="#rocket-go">up</a></p>'],
  ]);
});

test('ids of VitePress leave the signs out', async () => {
  const loaded = await loader('vitepress')({ 'a.md': '# A\n\n## :rocket: Go\n\n[up](#go)\n' });
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toContain('<h2 id="go">🚀 Go</h2>');
});

test.each([
  [':dog::+1:', '🐶👍'],
  ['完成:tada:', '完成🎉'],
  ['(:x:)', '(❌)'],
  [':x:/:tada:', '❌/🎉'],
  ['https://a.test/:x:/b :x:', 'https://a.test/:x:/b ❌'],
  ['see www.a.test/:x:/ :x:', 'see www.a.test/:x:/ ❌'],
  ['a:x:b 1:100:2 std::x::y :x:x: ::x::', 'a:x:b 1:100:2 std::x::y :x:x: ::x::'],
  [':constructor: :toString: :no_such:', ':constructor: :toString: :no_such:'],
])('%s is %s', (written, wanted) => {
  expect(withEmoji(written)).toBe(wanted);
});

test('a text of nothing but colons is read in a moment', () => {
  const started = performance.now();
  for (const part of [':', ':a', ':a:', ':a:b', '::a', ' :a:', '://', 'www.'])
    expect(withEmoji(part.repeat(200_000)).length).toBeGreaterThan(0);
  expect(performance.now() - started).toBeLessThan(3000);
});
