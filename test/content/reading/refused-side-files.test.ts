import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { PresetName } from '../../../src/content/presets/names.ts';
import { folderOf, loadFrom, page } from '../support/support.ts';

/** A folder with one page, and a file of settings of any bytes. */
function withSettings(file: string, bytes: Uint8Array | string): string {
  const folder = folderOf({ 'a.md': page('title: A') });
  const path = join(folder, 'content', file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return folder;
}

const utf16 = (text: string, hasMark = true): Buffer =>
  Buffer.from(`${hasMark ? '\uFEFF' : ''}${text}`, 'utf16le');
const utf32 = (text: string): Buffer =>
  Buffer.from(new Uint32Array(Array.from(`\uFEFF${text}`, (sign) => sign.codePointAt(0) ?? 0)).buffer);

test.each<[PresetName, string]>([
  ['mkdocs', '../mkdocs.yml'],
  ['hugo', '../hugo.toml'],
  ['hugo', '../hugo.yaml'],
  ['jekyll', '_config.yml'],
  ['quarto', '_quarto.yml'],
  ['mdbook', 'SUMMARY.md'],
  ['mintlify', 'docs.json'],
  ['docfx', 'toc.yml'],
  ['vitepress', '.vitepress/config.ts'],
  ['docusaurus', '../docusaurus.config.js'],
])('settings that are not read are named: %s %s', async (preset, file) => {
  const name = join('content', file);
  const wide = await loadFrom(withSettings(file, utf16('title: A\n')), { preset });
  expect(wide.places).toContain(`${name}:1:1 bad-encoding`);
  expect(wide.messages).toContain('the file is UTF-16; save it as UTF-8');
  const large = await loadFrom(withSettings(file, ' '.repeat(6_000_000)), { preset });
  expect(large.places).toContain(`${name}:1:1 too-large`);
});

test.each<[string, Buffer, string]>([
  ['UTF-16', utf16('# Title\n\nWords.\n'), 'the file is UTF-16; save it as UTF-8'],
  [
    'UTF-16, the other way around',
    utf16('# Title\n\nWords.\n').swap16(),
    'the file is UTF-16; save it as UTF-8',
  ],
  ['UTF-16 without a mark', utf16('# Title\n\nWords.\n', false), 'the file is UTF-16; save it as UTF-8'],
  ['UTF-32', utf32('# Title\n'), 'the file is UTF-32; save it as UTF-8'],
  ['a NUL', Buffer.from('# Title\n\na\0b\n'), 'a NUL byte; is this a text file?'],
  ['Latin-1', Buffer.from('# Caf\u00e9\n', 'latin1'), 'this byte is not UTF-8; save the file as UTF-8'],
])('a page in %s says what to do', async (_, bytes, message) => {
  const folder = folderOf({});
  writeFileSync(join(folder, 'content/a.md'), bytes);
  expect((await loadFrom(folder, { preset: 'plain' })).messages).toContain(message);
});

test('a page that settings name and that is not text has one problem', async () => {
  const folder = folderOf({ 'SUMMARY.md': '# Summary\n\n- [A](a.md)\n' });
  writeFileSync(join(folder, 'content/a.md'), utf16('# A\n'));
  const { places } = await loadFrom(folder, { preset: 'mdbook' });
  expect(places.filter((place) => place.endsWith('bad-encoding'))).toEqual(['content/a.md:1:1 bad-encoding']);
});

test.each<[PresetName, string, string]>([
  ['mkdocs', '../mkdocs.yml', 'a: [\n'],
  ['hugo', '../hugo.toml', 'a = [\n'],
  ['hugo', '../config/_default/hugo.yaml', 'a: [\n'],
  ['jekyll', '_config.yml', 'a: [\n'],
  ['quarto', '_quarto.yml', 'a: [\n'],
  ['bookdown', '_bookdown.yml', 'a: [\n'],
  ['mdbook', '../book.toml', 'a = [\n'],
  ['mintlify', 'docs.json', '{"a": [\n'],
  ['docfx', 'toc.yml', 'a: [\n'],
  ['docfx', 'docfx.json', '{"a": [\n'],
  ['gitbook', '.gitbook.yaml', 'a: [\n'],
  ['fumadocs', 'meta.json', '{"a": [\n'],
  ['nextra', '_meta.json', '{"a": [\n'],
  ['docusaurus', 'guides/_category_.json', '{"a": [\n'],
  ['docusaurus', 'guides/_category_.yml', 'a: [\n'],
  ['myst', 'myst.yml', 'a: [\n'],
  ['myst', '_toc.yml', 'a: [\n'],
  ['hexo', '../_config.yml', 'a: [\n'],
  ['fern', 'docs.yml', 'a: [\n'],
  ['nuxt', 'guides/.navigation.yml', 'a: [\n'],
  ['rspress', 'guides/_meta.json', '[{\n'],
  ['readme', 'guides/_order.yaml', 'a: [\n'],
])('settings that cannot be read are named: %s %s', async (preset, file, text) => {
  const folder = folderOf({
    'a.md': page('title: A'),
    'guides/b.md': page('title: B'),
    [file]: text,
    ...(preset === 'mdbook' ? { 'SUMMARY.md': '- [A](a.md)\n' } : {}),
  });
  const { places } = await loadFrom(folder, { preset });
  expect(places.map((place) => place.replace(/:\d+:\d+/, ''))).toContain(
    `${join('content', file)} unreadable-settings`,
  );
});
