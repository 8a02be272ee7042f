import { describe, expect, test } from 'vitest';
import { withEntry } from '../../../src/content/navigations/new-entry.ts';

const NEW = { beside: 'guide/a.md', page: 'guide/new.md', title: 'New page' };

/** The lines that came in, and what was there before must be left as it was. */
function entered(navigation: string, text: string, title = NEW.title): string | undefined {
  const made = withEntry(text, { ...NEW, navigation, title });
  if (made === undefined) return undefined;
  let from = 0;
  while (made[from] === text[from] && from < text.length) from += 1;
  const tail = text.length - from;
  expect(made.slice(made.length - tail)).toBe(text.slice(from));
  return made;
}

describe('a new page is entered as the last one of the list that has the page beside it', () => {
  test('in a SUMMARY.md, after pages below the last one, and before the next part', () => {
    const text =
      '# Summary\n\n- [A](guide/a.md)\n- [B](guide/b.md)\n  - [Below](guide/b/c.md)\n\n# Part\n\n- [X](x.md)\n';
    expect(entered('SUMMARY.md', text)).toBe(text.replace('c.md)\n', 'c.md)\n- [New page](guide/new.md)\n'));
    expect(entered('SUMMARY.md', '* [A](guide/a.md)\r\n')).toBe(
      '* [A](guide/a.md)\r\n* [New page](guide/new.md)\r\n',
    );
    expect(
      withEntry('* [A](my\\_guide/a.md)\n', {
        navigation: 'SUMMARY.md',
        beside: 'my_guide/a.md',
        page: 'my_guide/b_c.md',
        title: 'B',
      }),
    ).toBe('* [A](my\\_guide/a.md)\n* [B](my\\_guide/b\\_c.md)\n');
    expect(entered('SUMMARY.md', '- [A](guide/a.md)', 'a [b]')).toBe(
      '- [A](guide/a.md)\n- [a \\[b\\]](guide/new.md)',
    );
  });

  test('in the lists of mkdocs.yml, with and without titles', () => {
    const text =
      'nav:\n  - Home: index.md\n  - Guide:\n      - A: guide/a.md\n      - guide/b.md # last\n  - X: x.md\nplugins: []\n';
    expect(entered('mkdocs.yml', text)).toBe(
      text.replace('# last\n', '# last\n      - New page: guide/new.md\n'),
    );
    expect(entered('mkdocs.yml', 'nav:\n- guide/a.md\n')).toBe('nav:\n- guide/a.md\n- guide/new.md\n');
    expect(entered('mkdocs.yml', 'nav:\n- "A": "guide/a.md"\n', 'Yes: no')).toBe(
      'nav:\n- "A": "guide/a.md"\n- "Yes: no": "guide/new.md"\n',
    );
  });

  test('in a toc.yml of two lines an item, from its own folder', () => {
    const text = '- name: A\n  href: a.md\n- name: B\n  href: b.md\n  items:\n  - name: C\n    href: c.md\n';
    expect(entered('guide/toc.yml', text)).toBe(`${text}- name: New page\n  href: new.md\n`);
  });

  test('in arrays of docs.json and sidebars, with their commas and comments', () => {
    const json = '{ "groups": [{ "pages": [\n    "guide/a",\n    "guide/b"\n  ] }, { "pages": ["x"] }] }';
    expect(entered('docs.json', json)).toBe(json.replace('"guide/b"', '"guide/b",\n    "guide/new"'));
    expect(entered('docs.json', '{"pages":["guide/a"]}')).toBe('{"pages":["guide/a", "guide/new"]}');
    const js =
      "const s = {\n  docs: [\n    'guide/a', // first\n    { type: 'category', items: ['x/y'] }, // last\n  ],\n};\n";
    expect(entered('sidebars.js', js)).toBe(js.replace('// last\n', "// last\n    'guide/new',\n"));
    const objects = "[\n  { text: 'A', link: '/guide/a' },\n  { text: 'B', link: '/guide/b' },\n]";
    expect(entered('config.mts', objects, "It's")).toBe(
      objects.replace("b' },\n", "b' },\n  { text: 'It\\'s', link: '/guide/new' },\n"),
    );
  });

  test('not where the page beside it is named twice, not at all, or with more than a title', () => {
    expect(entered('SUMMARY.md', '- [A](guide/a.md)\n- [Again](guide/a.md)\n')).toBeUndefined();
    expect(entered('SUMMARY.md', '- [B](guide/b.md)\n')).toBeUndefined();
    expect(entered('SUMMARY.md', 'Read [A](guide/a.md).\n')).toBeUndefined();
    expect(entered('toc.yml', '- name: A\n  href: guide/a.md\n  uid: x\n')).toBeUndefined();
    expect(entered('sidebars.js', "[{ type: 'doc', id: 'guide/a', className: 'x' }]")).toBeUndefined();
    expect(entered('sidebars.js', "[make('guide/a')]")).toBeUndefined();
    expect(entered('sidebars.js', "{ first: 'guide/a' }")).toBeUndefined();
  });
});
