import { describe, expect, test } from 'vitest';
import { withTitle } from '../../../src/content/navigations/new-title.ts';

const named = (navigation: string, text: string, to = 'New name'): string | undefined =>
  withTitle(text, { navigation, page: 'guide/a.md', from: 'A: b', to });

describe('a navigation calls a page by its new title', () => {
  test('in a link of Markdown', () => {
    const text = '# Summary\r\n\r\n- [A: b](guide/a.md)\r\n- [A: b](guide/b.md)\r\n';
    expect(named('SUMMARY.md', text)).toBe(text.replace('A: b', 'New name'));
    expect(named('guide/_sidebar.md', '* [A: b](<a.md>)', 'a [b]')).toBe(String.raw`* [a \[b\]](<a.md>)`);
  });

  test('with the marks of the words that stay', () => {
    const from = 'With JavaScript: wasm_bindgen and fast types';
    const titled = (to: string): string | undefined =>
      withTitle('- [With JavaScript: `wasm_bindgen` and **fast** types](js.md)\n', {
        navigation: 'SUMMARY.md',
        page: 'js.md',
        from,
        to,
      });
    expect(titled('With Rust: wasm_bindgen and fast types')).toBe(
      '- [With Rust: `wasm_bindgen` and **fast** types](js.md)\n',
    );
    expect(titled('Types')).toBe('- [Types](js.md)\n');
  });

  test('in the key of an entry in YAML', () => {
    const text = 'nav:\n  - Guide: # ours\n      - "A: b": guide/a.md # first\n      - B: guide/b.md\n';
    expect(named('mkdocs.yml', text)).toBe(text.replace('A: b', 'New name'));
    expect(named('mkdocs.yml', text, 'C: "d"')).toBe(text.replace('A: b', String.raw`C: \"d\"`));
  });

  test('in the key beside that of its path, and not in one of a page below it', () => {
    const text =
      "- name: 'A: b'\n  href: a.md\n  items:\n  - name: 'A: b'\n    href: b.md\n- name: C\n  href: c.md\n";
    expect(named('guide/toc.yml', text)).toBe(text.replace("'A: b'", '"New name"'));
    const after = "- path: ./guide/a.md\n  page: 'A: b'\n";
    expect(named('docs.yml', after)).toBe('- path: ./guide/a.md\n  page: "New name"\n');
  });

  test('not where it stands twice, under another title, or in another form', () => {
    expect(named('SUMMARY.md', '- [A: b](guide/a.md)\n- [Again](guide/a.md)\n')).toBeUndefined();
    expect(named('SUMMARY.md', '- [A](guide/a.md)\n')).toBeUndefined();
    expect(named('mkdocs.yml', 'nav: [{ "A: b": guide/a.md }]\n')).toBeUndefined();
    expect(named('toc.yml', "- name: 'A: b'\n  items:\n  - name: X\n    href: guide/a.md\n")).toBeUndefined();
    expect(named('docs.json', '[{ "title": "A: b", "path": "guide/a.md" }]')).toBeUndefined();
  });
});
