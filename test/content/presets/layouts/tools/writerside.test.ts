import { expect, test } from 'vitest';
import { bodyOf, keysOf, linksOf, loader } from '../../support/support.ts';

const writerside = loader('writerside');

const CFG =
  '<ihp version="2.0"><topics dir="topics"/><images dir="images" web-path="images/"/><vars src="v.list"/><snippets src="code"/><instance src="hi.tree"/></ihp>';
const tree = (inside: string): string =>
  `<!DOCTYPE instance-profile><instance-profile id="hi" name="Hi" start-page="start.md">${inside}</instance-profile>`;
const listed = (...names: readonly string[]): string =>
  tree(names.map((name) => `<toc-element topic="${name}"/>`).join('\n'));

test('the tree files say which topics are built, in which order and below what', async () => {
  const loaded = await writerside({
    'writerside.cfg': CFG,
    'hi.tree': tree(`
      <!-- <toc-element topic="old.md"/> -->
      <toc-element toc-title="Guide"><toc-element topic="b.md"/><toc-element topic="a.md" toc-title="Short"/></toc-element>
      <toc-element topic="soon.md" wip="true"/>`),
    'README.md': '# Repository\n',
    'topics/start.md': '# Start\n\nText.\n',
    'topics/deep/a.md': '# Page A\n\nText.\n',
    'topics/b.md': '[//]: # (title: Page B)\n\n## First part {id="first"}\n\nText.\n',
    'topics/soon.md': '# Soon\n\nText.\n',
    'topics/old.md': '# Old\n\nText.\n',
  });
  expect(loaded.places).toEqual([]);
  expect(keysOf(loaded)).toEqual([
    'article/a@en',
    'article/b@en',
    'article/soon@en',
    'article/start@en',
    'category/guide@en',
  ]);
  expect(loaded.record('article', 'b').fields).toMatchObject({ title: 'Page B' });
  expect(loaded.record('article', 'a').fields).toMatchObject({ title: 'Page A' });
  expect(loaded.record('article', 'soon').fields).toMatchObject({ status: 'draft' });
  expect(bodyOf(loaded, 'b')).toContain('<h2 id="first">First part</h2>');
});

test('topics and pictures are named without their folders; a topic in XML is a page of the site', async () => {
  const loaded = await writerside(
    {
      'writerside.cfg': CFG,
      'hi.tree': listed('a.md', 'b.md', 'c.topic'),
      'topics/a.md':
        '# A\n\n[B](b.md#x) [](b.md) [](b.md#x) [C](My_c.topic#part)\n\n![P](p.png){ width="300" }\n\n<p><a href="b.md" anchor="x">there</a> <a href="b.md"/></p>\n',
      'topics/sub/b.md': '# Page *B*\n\n## Part X {id="x"}\n\nText.\n',
      'topics/My_c.topic': '<topic title="C"/>',
      'images/shots/p.png': '',
    },
    { assetsRootUrl: 'https://docs.acme.dev/hi/', siteUrl: 'https://docs.acme.dev/hi/' },
  );
  expect(loaded.places).toEqual([]);
  const body = bodyOf(loaded, 'a');
  expect(linksOf(body)).toEqual([
    '/en/articles/b#x',
    '/en/articles/b',
    '/en/articles/b#x',
    'https://docs.acme.dev/hi/my-c.html#part',
    'https://docs.acme.dev/hi/images/shots/p.png',
    '/en/articles/b#x',
    '/en/articles/b',
  ]);
  expect(body).toContain('>Part X</a>');
  expect(body).toContain('src="https://docs.acme.dev/hi/images/shots/p.png"');
  expect(body).not.toContain('width=');
});

test('code of files, elements of other topics and variables are put in', async () => {
  const loaded = await writerside({
    'writerside.cfg': CFG,
    'v.list': '<vars><var name="version" value="3.1"/></vars>',
    'hi.tree': listed('a.md', 'b.md'),
    'code/App.kt': 'package a\n\nfun main() {\n    run()\n}\n\nfun run() = 1\n',
    'topics/lib.topic':
      '<topic id="lib" title="Library">\n  <snippet id="add">\n    <p>Add <code>%name%</code> %version%:</p>\n\n    <tabs>\n      <tab title="Gradle">\n        <code-block lang="kotlin">\n          use("%name%&lt;T&gt;")\n\n          end\n        </code-block>\n      </tab>\n    </tabs>\n    <include from="lib.topic" element-id="more"/>\n  </snippet>\n  <snippet id="more"><p>More.</p></snippet>\n</topic>',
    'topics/b.md':
      '# B\n\n## Shared {id="shared"}\n\nShared text.\n\n## Own\n\n> Boxed\n{style="note" id="box"}\n',
    'topics/a.md': [
      '# A',
      '',
      '<var name="name" value="core"/>',
      '<show-structure for="chapter"/>',
      '<link-summary>Unseen words.</link-summary>',
      '',
      '<include from="lib.topic" element-id="add"/>',
      '',
      '```kotlin',
      '```',
      '{src="App.kt" include-lines="3-5"}',
      '',
      '```kotlin',
      '```',
      '{src="App.kt" include-symbol="run"}',
      '',
      '<include from="b.md" element-id="shared"/>',
      '<include from="b.md" element-id="box"/>',
      '',
      '> Careful',
      'with it.',
      '>',
      '{style="warning"}',
      '',
      'Press <control>OK</control> in <path>a.txt</path>. `%version%` %unknown%',
      '',
    ].join('\n'),
  });
  expect(loaded.places).toEqual([]);
  const body = bodyOf(loaded, 'a');
  expect(body).toContain('<p>Add <code>core</code> 3.1:</p>');
  expect(body).toContain('<strong>Gradle</strong>');
  expect(body).toContain('use("core&lt;T&gt;")\n\nend');
  expect(body).toContain('<p>More.</p>');
  expect(body).toContain('fun main() {\n    run()\n}\n</code>');
  expect(body).toContain('<code class="language-kotlin">fun run() = 1\n</code>');
  expect(body).toContain('<h2 id="shared">Shared</h2>\n<p>Shared text.</p>');
  expect(body).toMatch(/admonition note[^]*Boxed/);
  expect(body).toMatch(/admonition warning[^]*Careful\s+with it\./);
  expect(body).toContain('<strong>OK</strong> in <code>a.txt</code>. <code>3.1</code> %unknown%');
  expect(body).not.toMatch(/Unseen|\{style|show-structure|<var/);
});

test('what a topic includes and is not there is named, and nothing ends up in a circle', async () => {
  const loaded = await writerside({
    'writerside.cfg': CFG,
    'hi.tree': listed('a.md'),
    'topics/lib.topic': '<topic><snippet id="x"><include from="lib.topic" element-id="x"/></snippet></topic>',
    'topics/a.md':
      '# A\n\n<include from="lib.topic" element-id="no"/>\n\n<include from="gone.topic" element-id="x"/>\n\n<include from="lib.topic" element-id="x"/>\n\n```\n```\n{src="https://a.example/b.kt"}\n',
  });
  expect(loaded.problems.map((problem) => ('reason' in problem ? problem.reason : problem.code))).toEqual([
    'it has no element `no` (topics/lib.topic)',
    'the repository has no file `gone.topic`',
  ]);
  expect(bodyOf(loaded, 'a')).toContain('href="https://a.example/b.kt"');
});
