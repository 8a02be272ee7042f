import { describe, expect, test } from 'vitest';
import type { PresetName } from '../../../../src/content/presets/names.ts';
import { load, page } from '../../support/support.ts';
import type { Files } from '../../support/support.ts';
import { bodyOf } from '../support/support.ts';

async function loadedWith(body: string, files: Files = {}, preset: PresetName = 'docusaurus') {
  const isDocusaurus = preset === 'docusaurus';
  const path = isDocusaurus ? 'docs/a.mdx' : 'a.mdx';
  return load({ ...(isDocusaurus ? SITE : {}), [path]: page('title: A', body), ...files }, { preset });
}

const SITE: Files = { 'docusaurus.config.js': 'export default {};\n' };

async function html(body: string, files: Files = {}, preset: PresetName = 'docusaurus'): Promise<string> {
  const loaded = await loadedWith(body, files, preset);
  expect(loaded.messages).toEqual([]);
  return bodyOf(loaded, 'a').replace(/\n?<!-- kbsync[\s\S]*$/, '');
}

async function messages(body: string, files: Files = {}): Promise<readonly string[]> {
  const loaded = await loadedWith(body, files);
  return loaded.messages.map((message) => message.split(';')[0] ?? '');
}

describe('a component of the repository is what it writes', () => {
  test('a badge in a line, from a module in TypeScript', async () => {
    const shown = await html(
      "import { Required } from '../src/helpers';\n\nThe `name` <Required /> is *yours*.\n",
      {
        'src/helpers.tsx':
          "import React from 'react';\ninterface P { a: string }\nexport const Required = () => (\n  <span style={{ color: '#ED8936' }}>\n    REQUIRED *now*\n  </span>\n);\n",
      },
    );
    expect(shown).toContain('<p>The <code>name</code> <span>REQUIRED *now*</span> is <em>yours</em>.</p>');
  });

  test('values of the call, constants, conditions and lists', async () => {
    const shown = await html(
      'import PlanNote from "@site/src/Note";\n\n<PlanNote plan="business" items={[{ name: "One", url: "https://x.test/" }, { name: "Two" }]} isOpen />\n',
      {
        'src/Note/index.jsx': `
          const NAMES = { business: 'Business', other: 'Enterprise' };
          export default function Note({ plan, items = [], isOpen, label = 'It' }) {
            const name = NAMES[plan] ?? 'None';
            const [count, setCount] = useState(2);
            useEffect(() => { setCount(3); }, []);
            if (!isOpen) return null;
            return (
              <div className={styles.note} onClick={() => setCount(1)}>
                <p>{label} is {name === 'Business' ? 'a' : 'an'} {name} feature, {count} times.</p>
                <ul>{items.map((item) => <li key={item.name}>{item.url ? <a href={item.url}>{item.name}</a> : item.name}</li>)}</ul>
              </div>
            );
          }`,
      },
    );
    expect(shown).toContain('It is a Business feature, 2 times.');
    expect(shown).toMatch(/<li><a href="https:\/\/x.test\/">One<\/a><\/li>\s*<li>Two<\/li>/);
  });

  test('what stands between the tags stays Markdown', async () => {
    const shown = await html(
      'import Wide from \'./_Frame\';\n\n<Wide title="T & U">\n\n- **one**\n- two\n\n</Wide>\n\nA <Wide title="x">*short*</Wide> one.\n',
      {
        'docs/_Frame.js':
          'export default ({ title, children }) => <section><strong>{title}</strong><div>{children}</div></section>;\n',
      },
    );
    expect(shown).toMatch(/<strong>T &amp; U<\/strong>[\s\S]*<li><strong>one<\/strong><\/li>/);
    expect(shown).toContain('<em>short</em>');
  });

  test('a component of the page itself, and values of a module in a text', async () => {
    const shown = await html(
      "import { VERSION, install } from '../src/values.js';\nimport data from './data.json';\n\nexport const Red = ({ children }) => <b>{children}</b>;\n\nUse {VERSION} and <Red>this</Red>: {data.limits.max}, {install('npm')}, {data.list.map((x) => x + 1).join(' ')}.\n",
      {
        'src/values.js': "export const VERSION = '1.2_3';\nexport const install = (tool) => `${tool} i x`;\n",
        'docs/data.json': '{"limits":{"max":5},"list":[1,2]}',
      },
    );
    expect(shown).toContain('Use 1.2_3 and <b>this</b>: 5, npm i x, 2 3.');
  });

  test('components of all pages, and parts that the layout explains inside one', async () => {
    const shown = await html('<Beta feature="Sync" />\n', {
      'src/theme/MDXComponents.js':
        "import MDXComponents from '@theme-original/MDXComponents';\nimport Beta from '@site/src/Beta';\nexport default { ...MDXComponents, Beta };\n",
      'src/Beta.js':
        'import Admonition from \'@theme/Admonition\';\nexport default function Beta({ feature }) {\n  return <Admonition type="tip" title="Beta">{feature} is new.</Admonition>;\n}\n',
    });
    expect(shown).toMatch(/admonition tip[\s\S]*Beta[\s\S]*Sync is new\./);
  });

  test('Astro: constants above, a template below', async () => {
    const loaded = await load(
      {
        'a.mdx': page(
          'title: A',
          'import Since from \'../components/Since.astro\';\n\n<Since v="2.0">More *here*.</Since>\n',
        ),
        '../components/Since.astro':
          '---\ninterface Props { v: string }\nconst { v } = Astro.props;\n---\n<!-- a note -->\n<p class="since"><b>Added in:</b> v{v}<br></p>\n<slot />\n<style>p { color: red }</style>\n',
      },
      { preset: 'starlight' },
    );
    expect(loaded.messages).toEqual([]);
    const shown = bodyOf(loaded, 'a');
    expect(shown).toContain('<b>Added in:</b> v2.0');
    expect(shown).toContain('<em>here</em>');
  });

  test('in MDX without a generator too, with its parts', async () => {
    const shown = await html(
      "import Part from './_part.mdx';\nimport { Red } from './red';\n\n<Part who=\"you\" />\n\nAn <Red>x</Red>.\n",
      {
        '_part.mdx': 'Hello {props.who}.\n',
        'red.tsx': 'export const Red = ({ children }) => <strong>{children}</strong>;\n',
      },
      'plain',
    );
    expect(shown).toContain('<p>Hello you.</p>');
    expect(shown).toContain('An <strong>x</strong>.');
  });

  test('a name of tsconfig.json leads to its folder', async () => {
    const shown = await html("import { Old } from '@ui/old';\n\n<Old />\n", {
      'tsconfig.json':
        '{\n  // with a note\n  "compilerOptions": { "baseUrl": ".", "paths": { "@ui/*": ["./src/ui/*"] } },\n}\n',
      'src/ui/old.tsx': 'export function Old() { return <em>old</em>; }\n',
    });
    expect(shown).toContain('<p><em>old</em></p>');
  });
});

describe('what nobody can know stays unknown, and is named', () => {
  test.each([
    ['a package', "import { X } from 'some-package';\n", {}],
    [
      'a request',
      "import X from '../src/x';\n",
      {
        'src/x.js': 'export default function X() { const [a, setA] = useState(null); return <p>{a}</p>; }\n',
      },
    ],
    [
      'a control',
      "import X from '../src/x';\n",
      { 'src/x.js': 'export default () => <p>Name <input /></p>;\n' },
    ],
    [
      'a hook',
      "import X from '../src/x';\n",
      { 'src/x.js': 'export default () => { const { c } = useColorMode(); return <p>{c}</p>; };\n' },
    ],
    [
      'a circle',
      "import X from '../src/x';\n",
      {
        'src/x.js': "import Y from './y';\nexport default () => <Y />;\n",
        'src/y.js': "import X from './x';\nexport default () => <X />;\n",
      },
    ],
    [
      'a text that doubles',
      "import X from '../src/x';\n",
      {
        'src/x.js': `const a0 = 'xxxxxxxxxx';\n${Array.from({ length: 40 }, (_, at) => `const a${at + 1} = a${at} + a${at};`).join('\n')}\nexport default () => <p>{a40}</p>;\n`,
      },
    ],
    [
      'a call that calls itself',
      "import X from '../src/x';\n",
      { 'src/x.js': 'export default function X() { const f = (n) => f(n + 1); return <p>{f(0)}</p>; }\n' },
    ],
    ['a file that is no JavaScript', "import X from '../src/x';\n", { 'src/x.js': 'export default <<<<\n' }],
    ['a file outside', "import X from '../../../../../../etc/x';\n", {}],
    [
      'a loop',
      "import X from '../src/x';\n",
      { 'src/x.js': 'export default () => { let a = ""; for (;;) a += "x"; return <p>{a}</p>; };\n' },
    ],
  ])('%s', async (_, statement, files) => {
    expect(await messages(`${statement}\nA <X /> b.\n`, files)).toEqual([
      'a knowledge base cannot render the component `<X>`',
    ]);
  });

  test('words between the tags are not dropped because the component waits for a click', async () => {
    expect(
      await messages("import X from '../src/x';\n\n<X>These words.</X>\n", {
        'src/x.js':
          'export default ({ children }) => { const [open] = useState(false); return <div>{open && children}</div>; };\n',
      }),
    ).toEqual(['a knowledge base cannot render the component `<X>`']);
  });

  test('a rule of the user goes first', async () => {
    const loaded = await load(
      {
        ...SITE,
        'docs/a.mdx': page('title: A', "import X from '../src/x';\n\nA <X /> b.\n"),
        'src/x.js': 'export default () => <b>x</b>;\n',
      },
      { preset: 'docusaurus', components: { X: { replace: '**mine**' } } },
    );
    expect(bodyOf(loaded, 'a')).toContain('<strong>mine</strong>');
  });
});

describe('outside MDX, tags of HTML in capitals are HTML', () => {
  const BODY =
    'One<BR>two <B>bold</B>.\n\n<TABLE>\n<TR><TD>x</TD></TR>\n</TABLE>\n\n<A HREF="https://a.test/">a</A>\n';

  test.each<PresetName>(['plain', 'mdbook', 'wiki', 'hexo', 'vitepress'])('%s', async (preset) => {
    const loaded = await load({ 'a.md': page('title: A', BODY) }, { preset });
    expect(loaded.messages).toEqual([]);
    const shown = [...loaded.records.values()].map((record) => record.body?.render() ?? '').join('');
    expect(shown).toContain('One<br');
    expect(shown).toContain('two <b>bold</b>.');
    expect(shown).toMatch(/<table>\s*<tbody>?[\s\S]*<td>x<\/td>|<table>\s*<tr><td>x<\/td><\/tr>/);
    expect(shown).toContain('<a href="https://a.test/">a</a>');
  });

  test('a frame in capitals is a link, as others are', async () => {
    const frame = (capital: (name: string) => string): string =>
      `<${capital('iframe')} ${capital('src')}="https://video.test/1" ${capital('title')}="A video"></${capital('iframe')}>\n`;
    const files = (capital: (name: string) => string) => ({ 'a.md': page('title: A', frame(capital)) });
    const loaded = await load(
      files((name) => name.toUpperCase()),
      { preset: 'plain' },
    );
    const lower = await load(
      files((name) => name),
      { preset: 'plain' },
    );
    expect(loaded.messages).toEqual([]);
    expect(loaded.record('article', 'a').body?.render()).toContain(
      '<a href="https://video.test/1">A video</a>',
    );
    expect(loaded.record('article', 'a').body?.render()).toBe(lower.record('article', 'a').body?.render());
  });

  test('a name with small letters stays a component', async () => {
    const loaded = await load({ 'a.md': page('title: A', '<Table/>\n') }, { preset: 'plain' });
    expect(loaded.messages.join()).toContain('component `<Table>`');
  });
});
