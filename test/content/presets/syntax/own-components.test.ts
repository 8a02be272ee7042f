import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderOf, load, loadFrom, page } from '../../support/support.ts';
import { bodyOf } from '../support/support.ts';

/** The page's text with `<X />` in it, where `X` is what the file gives; its messages if there are any. */
async function shown(source: string, written = 'A <X /> b.', file = 'src/x.js'): Promise<string> {
  const loaded = await load(
    {
      'docusaurus.config.js': 'export default {};\n',
      'docs/a.mdx': page('title: A', `import X from '../${file}';\n\n${written}\n`),
      [file]: source,
    },
    { preset: 'docusaurus' },
  );
  const [message] = loaded.messages;
  return message?.split(';')[0] ?? bodyOf(loaded, 'a').replace(/\n?<!-- kbsync[\s\S]*$/, '');
}

const UNKNOWN = 'a knowledge base cannot render the component `<X>`';

describe('values are those of JavaScript', () => {
  test.each([
    [
      'keys that are numbers come first, by size',
      'Object.keys({ b: 1, 404: 1, 200: 1 }).join()',
      '200,404,b',
    ],
    ['a letter behind the end is none', "'abc'[5] ?? 'none'", 'none'],
    ['a place of a list without a value', "[, 'second'][1]", 'second'],
    ['a method in an object', '({ say() { return "said"; } }).say()', 'said'],
    ['zero before && is shown', '0 && "x"', '0'],
    ['a list is sorted in a copy', "[...['b', 'a']].sort((a, b) => a.localeCompare(b)).join()", 'a,b'],
  ])('%s', async (_, expression, expected) => {
    expect(await shown(`export default () => <b>{${expression}}</b>;\n`)).toContain(`<b>${expected}</b>`);
  });

  test.each([
    ['a getter', '({ get a() { return 1; } }).a ? "x" : "y"'],
    ['what an object inherits', '({ __proto__: { a: "b" } }).a ?? "x"'],
    ['a list with items that nobody knows', "['a'].concat(window.more).length"],
    ['a sign that means something in a replacement', "'ab'.replace('a', '$&$&')"],
    ['half a letter in an address', "encodeURIComponent('\\ud800')"],
  ])('%s is unknown', async (_, expression) => {
    expect(await shown(`export default () => <b>{${expression}}</b>;\n`)).toBe(UNKNOWN);
  });
});

test('names of styles that a package puts together hide nothing of a part of the layout', async () => {
  const source =
    "import cx from 'classnames';\nimport Image from 'next/image';\nexport default ({ full }) => <div><Image src=\"https://example.com/a.png\" alt=\"A\" className={cx('w', full ? '' : 'm')} /></div>;\n";
  expect(await shown(source)).toContain('<img src="https://example.com/a.png" alt="A"');
});

test.each(['ImageZoom', 'ZoomableImage', 'Image'])('`<%s>` in a block of HTML is a picture', async (name) => {
  const source = `import { ${name} } from 'somewhere/else';\nexport default () => <ul><li><a href="https://example.com/"><${name} src="https://example.com/a.png" alt="A" /></a></li><li>b</li></ul>;\n`;
  const html = await shown(source, '<X />');
  expect(html).toContain('<img src="https://example.com/a.png" alt="A"');
  expect(html).not.toContain('![');
});

test('a link of the layout in a block of HTML is a link', async () => {
  const source =
    'import Link from \'@docusaurus/Link\';\nimport cx from \'clsx\';\nconst Button = ({ children, ...props }) => <Link className={cx(\'b\')} {...props}>{children}</Link>;\nexport default () => <div><p className="m"><Button href="https://example.com/">Read more</Button></p><p><Link to="https://example.com/b">B</Link></p></div>;\n';
  const html = await shown(source, '<X />');
  expect(html).toContain('<a href="https://example.com/">Read more</a>');
  expect(html).toContain('<a href="https://example.com/b">B</a>');
  expect(html).not.toContain('](');
});

test('a picture of the layout in a block of HTML is a picture, and a list is put together', async () => {
  const source =
    "import Image from 'next/image';\nexport default () => <ul><li><a href=\"https://example.com/\"><Image src=\"https://example.com/a.png\" alt=\"A\" /></a></li><li>{['a', 'b'].reduce((all, each) => all + each + ';', '')}</li></ul>;\n";
  const html = await shown(source, '<X />');
  expect(html).toContain('<img src="https://example.com/a.png" alt="A"');
  expect(html).toContain('<li>a;b;</li>');
});

test.each([
  ['with a query', '../src/x.js?raw'],
  ['with a loader', '!!raw-loader!../src/x.js'],
])('the text of a file %s is code of the page', async (_, address) => {
  const loaded = await load(
    {
      'docusaurus.config.js': 'export default {};\n',
      'docs/a.mdx': page(
        'title: A',
        `import CodeBlock from '@theme/CodeBlock';\nimport Source from '${address}';\n\n<CodeBlock language="js">{Source}</CodeBlock>\n\nText.\n`,
      ),
      'src/x.js': 'const a = `*b*`;\nif (a < 2) {\n  go("x");\n}\n',
    },
    { preset: 'docusaurus' },
  );
  expect(loaded.messages).toEqual([]);
  expect(bodyOf(loaded, 'a')).toContain(
    '<code class="language-js">const a = `*b*`;\nif (a &lt; 2) {\n  go("x");\n}\n</code>',
  );
});

test('what a page makes of a list of its own is shown, with and without modules', async () => {
  const list = `<div style={{ gap: "6px" }}>
  {[
    { icon: "1", title: "One", desc: "Uno." },
    { icon: "2", title: "Two", desc: "Due." },
  ].map(({ icon, title, desc }) => (
    <p key={title} style={{ display: "flex" }}>
      {icon} <strong style={{ fontWeight: 600 }}>{title}</strong>: {desc}
    </p>
  ))}
</div>

\`{[1].map(String)}\` is code, {[1, 2].map((n) => <b key={n}>no {n}.</b>)} is not.
`;
  for (const modules of ['', "export const name = 'x';\n\n"]) {
    const loaded = await load(
      { 'docusaurus.config.js': 'export default {};\n', 'docs/a.mdx': page('title: A', `${modules}${list}`) },
      { preset: 'docusaurus' },
    );
    expect(loaded.messages).toEqual([]);
    const html = bodyOf(loaded, 'a');
    expect(html.replaceAll(/\s+/g, ' ')).toContain(
      '<p>1 <strong>One</strong>: Uno.</p><p>2 <strong>Two</strong>: Due.</p>',
    );
    expect(html).toContain('<code>{[1].map(String)}</code> is code, <b>no 1.</b><b>no 2.</b> is not.');
  }
});

test('a list that needs a browser is named, not shown half', async () => {
  const text = '{[1, 2].map((n) => <b key={n}>{window.size}</b>)}\n\n{["a", "b"]}\n';
  const loaded = await load(
    { 'docusaurus.config.js': 'export default {};\n', 'docs/a.mdx': page('title: A', text) },
    { preset: 'docusaurus' },
  );
  expect(loaded.messages.map((message) => message.includes('window.size'))).toEqual([true]);
});

test('code that an expression puts together is shown', async () => {
  const written = "export const name = 'b';\n\n<CodeBlock language=\"js\" code={'a(' + name + ')'} />\n";
  expect(await shown('export default () => <b>x</b>;\n', written)).toContain('a(b)');
});

describe('what changes is not what was declared', () => {
  test.each([
    [
      'a variable that a function sets',
      "export default () => { let n = 'old'; function set() { n = 'new'; } set(); return <b>{n}</b>; };\n",
    ],
    [
      'a list that a function fills',
      "export default () => { const rows = []; const add = (x) => { rows.push(x); }; add('1'); return <b>a{rows}</b>; };\n",
    ],
    [
      'a list by its other name',
      'export default () => { const a = []; const b = a; b.push("x"); return <b>a{a}</b>; };\n',
    ],
    [
      'a list that an expression shortens',
      "export default () => { const a = ['x', 'y']; const first = a.shift(); return <b>{a}</b>; };\n",
    ],
    [
      'a list that is turned round in place',
      "export default () => { const a = ['x', 'y']; const b = a.reverse(); return <b>{a}</b>; };\n",
    ],
    [
      'a list that statements of the file fill',
      "const rows = [];\nrows.push('a');\nexport default () => <b>a{rows}</b>;\n",
    ],
    [
      'a component whose properties have defaults elsewhere',
      "const X = ({ text }) => <b>a{text}</b>;\nX.defaultProps = { text: 'New' };\nexport default X;\n",
    ],
    [
      'a variable of the file that a function counts up',
      'let n = 0;\nconst next = () => { n += 1; return n; };\nexport default () => <b>{next()} {n}</b>;\n',
    ],
    [
      'a component that waits until a browser shows it',
      'export default () => { const [ready, setReady] = useState(false); useEffect(() => { setReady(true); }, []); if (!ready) return null; return <b>x</b>; };\n',
    ],
    [
      'a state without entries, which a browser fills',
      'export default () => { const [d] = useState({}); return <b>a{d.name}</b>; };\n',
    ],
  ])('%s', async (_, source) => {
    expect(await shown(source)).toBe(UNKNOWN);
  });

  test('a name for tools changes nothing', async () => {
    expect(await shown("const X = () => <b>x</b>;\nX.displayName = 'X';\nexport default X;\n")).toContain(
      '<b>x</b>',
    );
  });
});

describe('no words are lost and none are shown that a reader does not see', () => {
  test('what stands between the tags comes with all other properties', async () => {
    const source =
      'const Box = (props) => <em {...props} />;\nexport default () => <b>a <Box className="c">word</Box></b>;\n';
    expect(await shown(source)).toContain('<b>a <em class="c">word</em></b>');
  });

  test('a property of a component may begin with on, data- or aria-', async () => {
    const source =
      'const P = ({ onSale, ...rest }) => <i>{onSale ? "Sale" : "no"} {rest["data-x"]}</i>;\nexport default () => <b><P onSale data-x="1" /></b>;\n';
    expect(await shown(source)).toContain('<i>Sale 1</i>');
  });

  test('texts that Astro puts into elements and fragments', async () => {
    const source =
      "---\nconst html = '<em>a*b*</em> {c}';\n---\n<b set:text={'1 < 2'} /> <Fragment set:html={html} />\n";
    const text = await shown(source, 'A <X /> b.', 'src/x.astro');
    expect(text).toContain('<b>1 &lt; 2</b> <em>a*b*</em> {c}');
  });

  test.each([
    ['hidden', '<b>a<i hidden>x</i></b>'],
    ['not displayed', "<b>a<i style={{ display: 'none' }}>x</i></b>"],
    ['an element that a script fills', '<b>a<lite-video videoid="1" /></b>'],
    ['HTML with a script', "<b dangerouslySetInnerHTML={{ __html: 'a<script>b</script>' }} />"],
    ['HTML whose lines count', "<b dangerouslySetInnerHTML={{ __html: '<pre>a\\nb</pre>' }} />"],
    ['a text with gaps', "<b><Translate values={{ n: 1 }}>{'{n} files'}</Translate></b>"],
  ])('%s is unknown', async (_, element) => {
    expect(await shown(`export default () => ${element};\n`)).toBe(UNKNOWN);
  });
});

test('tabs of code in a component stand in lines of their own', async () => {
  const source = [
    "import { CodeBlock, Tabs, TabItem } from '@theme/all';",
    'const code = `{\\n  "a": 1\\n}`;',
    'export default () => (',
    '  <Tabs>',
    '    <TabItem label="One">',
    '      <CodeBlock lang="json" code={code} />',
    '    </TabItem>',
    '    <TabItem label="Two">',
    '      Use <code>b</code>',
    '    </TabItem>',
    '  </Tabs>',
    ');',
    '',
  ].join('\n');
  expect(await shown(source, '<X />\n\nBelow.')).toBe(
    '<p><strong>One</strong></p>\n<pre><code class="language-json">{\n  "a": 1\n}\n</code></pre>\n<p><strong>Two</strong></p>\n<p>Use <code>b</code></p>\n<p>Below.</p>',
  );
});

describe('a file that is written to take long, or much room, stays unknown', () => {
  const doubled = (line: (at: number) => string): string =>
    Array.from({ length: 40 }, (_, at) => line(at)).join('\n');
  const deep = 'a' + '.b'.repeat(60_000);
  test.each([
    [
      'lists that double by concat',
      `const a0 = [1, 2];\n${doubled((at) => `const a${at + 1} = a${at}.concat(a${at});`)}\nexport default () => <b>{a40.length}</b>;\n`,
    ],
    [
      'lists that double by flatMap',
      `const a0 = [1, 2];\n${doubled((at) => `const a${at + 1} = a${at}.flatMap(() => a${at});`)}\nexport default () => <b>{a40.length}</b>;\n`,
    ],
    [
      'lists in lists',
      `const a0 = ['x', 'y'];\n${doubled((at) => `const a${at + 1} = [a${at}, a${at}];`)}\nexport default () => <b>{a40}</b>;\n`,
    ],
    [
      'elements in elements',
      `const a0 = <i>x</i>;\n${doubled((at) => `const a${at + 1} = <i>{[a${at}, a${at}, a${at}]}</i>;`)}\nexport default () => <b>{a40}</b>;\n`,
    ],
    [
      'long texts many times',
      `const t = 'x'.repeat;\nconst s = '${'y'.repeat(90_000)}';\nexport default () => <b>{[${'s,'.repeat(5000)}]}</b>;\n`,
    ],
    [
      'a long chain of names in a branch',
      `export default () => { let y = 'x'; if (window.q) { y = ${deep}; } return <b>{y}</b>; };\n`,
    ],
    ['the name of an element with many dots', `export default () => <b><${deep} /></b>;\n`],
    [
      'blocks in blocks, called again and again',
      `function f(n) { ${'{'.repeat(400)} return f(n + 1); ${'}'.repeat(400)} }\nexport default () => <b>{f(0)}</b>;\n`,
    ],
    [
      'lists that are nested deeply',
      `const a0 = ['x'];\n${Array.from({ length: 5000 }, (_, at) => `const a${at + 1} = [a${at}];`).join('\n')}\nexport default () => <b>{a5000}</b>;\n`,
    ],
  ])('%s', async (_, source) => {
    expect(await shown(source)).toBe(UNKNOWN);
  });

  test.each([
    ['comments without an end', '<!--'.repeat(40_000)],
    ['styles without an end', '<style'.repeat(30_000)],
    ['an element of blanks', `<br${' '.repeat(190_000)}`],
  ])('a template of Astro with %s', async (_, source) => {
    expect(await shown(source, 'A <X /> b.', 'src/x.astro')).toBe(UNKNOWN);
  });
});

test('a component that was unknown is read again on every page when its file has changed, cache or not', async () => {
  const names = ['docs/a.mdx', 'docs/b.mdx', 'src/x.js'];
  const using = (title: string): string =>
    page(`title: ${title}`, "import X from '../src/x.js';\n\nA <X /> b.\n");
  const folder = folderOf({
    'docusaurus.config.js': 'export default {};\n',
    'docs/a.mdx': using('A'),
    'docs/b.mdx': using('B'),
    'src/x.js': 'export default () => <input />;\n',
  });
  const old = new Date(Date.now() - 60_000);
  for (const name of names) utimesSync(join(folder, 'content', name), old, old);
  const options = { preset: 'docusaurus', cacheFile: `${folder}/cache.json` } as const;
  expect((await loadFrom(folder, options)).messages).toHaveLength(2);
  writeFileSync(join(folder, 'content/src/x.js'), 'export default () => <b>here</b>;\n');
  const loaded = await loadFrom(folder, options);
  expect(loaded.messages).toEqual([]);
  for (const name of ['a', 'b']) expect(bodyOf(loaded, name)).toContain('<b>here</b>');
});

describe('what a site gives to all pages', () => {
  /** 60 components, each in its file, and a text of Markdown. */
  const names = Array.from({ length: 60 }, (_, at) => `C${at}`);
  const files = {
    'docusaurus.config.js': 'export default {};\n',
    'docs/a.mdx': page('title: A', 'See <C59 />.\n\n<Timeouts name="click" />\n'),
    ...Object.fromEntries(
      names.map((name) => [`src/${name}.js`, `export default () => <b>${name} is here</b>;\n`]),
    ),
    'docs/parts/_timeouts.mdx':
      '### Timeouts\n\n`{props.name}` waits, as [here](./_other.mdx) and [there](../b.mdx).\n',
    'docs/b.mdx': page('title: B', 'b'),
    'src/theme/MDXComponents.js': [
      "import MDXComponents from '@theme-original/MDXComponents';",
      ...names.map((name) => `import ${name} from '@site/src/${name}';`),
      "import Timeouts from '@site/docs/parts/_timeouts.mdx';",
      `export default { ...MDXComponents, ${names.join(', ')}, Timeouts };`,
      '',
    ].join('\n'),
  };

  test('a component and a text of Markdown, however many there are', async () => {
    const loaded = await load(files, { preset: 'docusaurus' });
    const html = bodyOf(loaded, 'a');
    expect(html).toContain('<b>C59 is here</b>');
    expect(html).toMatch(/<h3[^>]*id="timeouts"[^>]*>Timeouts<\/h3>/);
    expect(html).toContain('<code>click</code> waits');
    expect(html).toMatch(/<a href="[^"]*\/b">there<\/a>/);
  });

  test('a rule of the settings goes first', async () => {
    const loaded = await load(files, {
      preset: 'docusaurus',
      components: { Timeouts: { replace: 'no timeouts' } },
    });
    expect(bodyOf(loaded, 'a')).toContain('no timeouts');
  });
});
