import { afterEach, expect, test } from 'vitest';
import { fakeWorld } from '../../support/fake-world.ts';
import type { FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const page = (title: string): string => `---\ntitle: ${title}\n---\n\nText.\n`;

interface Case {
  readonly rule: string;
  /** Names of files; each is a page. */
  readonly pages: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly answer: string;
  readonly lines: readonly string[];
  readonly never?: string;
}

const CASES: readonly Case[] = [
  {
    rule: 'a README that is translated, with hardly another page, is the documentation',
    pages: ['README.md', 'README-fr.md', 'README_zh-Hant.md', 'CONTRIBUTING.md', 'AUTHORS.md'],
    answer: 'for . (plain): 3 languages (en, fr, zh-Hant)',
    lines: ['languages: { en: en, fr: fr, zh-Hant: zh-Hant }'],
  },
  {
    rule: 'the end of a name after a dash is a language where several pages stand in another one too',
    pages: [
      'docs/a.md',
      'docs/b.md',
      'docs/a-de.md',
      'docs/b_de.md',
      'docs/how-to-do-it.md',
      'docs/log-in.md',
    ],
    answer: 'for docs (plain): 2 languages (en, de)',
    lines: ['languages: { en: en, de: de }'],
  },
  {
    rule: 'one page that ends like a language, or in a language of programs, is a page',
    pages: ['docs/a.md', 'docs/b.md', 'docs/a-it.md', 'docs/a-ts.md', 'docs/b-ts.md', 'docs/c-no.md'],
    answer: 'for docs (plain): 1 language (en)',
    lines: ['# languages:'],
  },
  {
    rule: 'in a row of names none is a translation: `rm` and `am` are languages, and commands',
    pages:
      'git git-add git-am git-bisect git-rm docker docker-ps docker-rm docker-run docker-start volume volume_create volume_rm log log-in opt opt-in'
        .split(' ')
        .map((name) => `docs/${name}.md`),
    answer: 'for docs (plain): 1 language (en)',
    lines: ['# languages:'],
  },
  {
    rule: 'the end of a folder’s name is its language',
    pages: ['docs/a.md', 'docs/b.md', 'docs-zh/a.md', 'docs-pt_BR/a.md', 'examples/x.md', 'ROADMAP.md'],
    answer: 'for . (plain): 3 languages (docs, docs-pt_BR, docs-zh)',
    lines: [
      'defaultLanguage: "en"',
      'languages: { docs: en, docs-pt_BR: pt-BR, docs-zh: zh }',
      'exclude: ["*.{md,mdx,markdown}", "examples/**"]',
    ],
  },
  {
    rule: 'all folders may say their language, also as a country',
    pages: ['doc_cn/a.md', 'doc_cn/b.md', 'doc_en/a.md', 'doc_en/b.md', 'doc_en/c.md'],
    answer: 'for . (plain): 2 languages (doc_en, doc_cn)',
    lines: ['languages: { doc_en: en, doc_cn: zh-CN }'],
  },
  {
    rule: 'a folder of other pages is no language, whatever its name ends in',
    pages: ['docs/a.md', 'docs/b.md', 'docs/c.md', 'docs-it/x.md', 'docs-it/y.md', 'docs-ts/a.md'],
    answer: 'for docs (plain): 1 language (en)',
    lines: [],
    never: 'languages: { docs',
  },
  {
    rule: 'words for languages are languages',
    pages: ['docs/a.md', 'docs/a.french.md', 'docs/b.md', 'docs/b.french.md', 'docs/c.german.md'],
    answer: 'for docs (plain): 2 languages (en, french)',
    lines: ['languages: { en: en, french: fr }'],
  },
  {
    rule: 'every language has its English name, also that of a region',
    pages: [
      'docs/a.md',
      'docs/a.basque.md',
      'docs/a.brazilian-portuguese.md',
      'docs/a.hebrew.md',
      'docs/b.md',
      'docs/b.basque.md',
      'docs/b.chinese-simplified.md',
      'docs/b.hebrew.md',
    ],
    answer: 'for docs (plain): 5 languages (en, basque, brazilian-portuguese, chinese-simplified, hebrew)',
    lines: [
      'languages: { en: en, basque: eu, brazilian-portuguese: pt-BR, chinese-simplified: zh-CN, hebrew: he }',
    ],
  },
  {
    rule: 'one page named like a rare language is a page',
    pages: ['docs/cats.md', 'docs/cats.burmese.md', 'docs/index.md', 'docs/nauru/index.md'],
    answer: 'for docs (plain): 1 language (en)',
    lines: [],
    never: 'burmese',
  },
  {
    rule: 'folders may be called by words for languages',
    pages: ['docs/english/a.md', 'docs/chinese/a.md', 'docs/chinese/b.md'],
    answer: 'for docs (plain): 2 languages (english, chinese)',
    lines: ['defaultLanguage: "en"', 'languages: { english: en, chinese: zh }'],
  },
  {
    rule: 'names of countries, and regions without a hyphen, are languages beside others',
    pages: [
      'posts/en/a.md',
      'posts/en/b.md',
      'posts/fr/a.md',
      'posts/kr/a.md',
      'posts/zhTW/a.md',
      'posts/vn/x.md',
    ],
    answer: 'for posts (plain): 4 languages (en, fr, kr, zhTW)',
    lines: ['languages: { en: en, fr: fr, kr: ko, zhTW: zh-TW }'],
  },
  {
    rule: 'Astro without Starlight has no layout',
    pages: ['src/content/blog/a.md', 'src/content/guides/b.md'],
    settings: { 'astro.config.mjs': 'export default {};\n' },
    answer: 'for src/content (plain): 1 language (en)',
    lines: ['# kbsync has no layout for Astro yet'],
  },
  {
    rule: 'Starlight is taken, also beside a bigger blog',
    pages: ['src/content/docs/a.md', 'src/content/blog/a.md', 'src/content/blog/b.md'],
    settings: { 'astro.config.mjs': 'export default { integrations: [starlight({})] };\n' },
    answer: 'for src/content/docs (starlight): 1 language (en)',
    lines: [],
  },
  {
    rule: 'names that end as a language does are none where most of them have no twin',
    pages: [
      'docs/mkfs.md',
      'docs/mkfs.fat.md',
      'docs/trunk.io.md',
      'docs/draw.io.md',
      'docs/draw.md',
      'docs/x.io.md',
    ],
    answer: 'for docs (plain): 1 language (en)',
    lines: [],
    never: 'io: io',
  },
  {
    rule: 'what has no language in its name is in the variant of nearly all others',
    pages: [
      'docs/index.md',
      ...['a', 'b', 'c', 'd', 'e'].flatMap((name) => [`docs/${name}.en-US.md`, `docs/${name}.zh-CN.md`]),
      'docs/index.zh-CN.md',
    ],
    settings: { '.umirc.ts': "export default { mode: 'site' };\n" },
    answer: 'for docs (plain): 2 languages (en-US, zh-CN)',
    lines: ['defaultLanguage: "en-US"', '# kbsync has no layout for Dumi yet'],
  },
  {
    rule: 'a site of Gatsby has its pages where most of them are',
    pages: ['docs/about.md', 'content/a.mdx', 'content/b.mdx', 'content/c/d.mdx'],
    settings: { 'gatsby-config.js': 'module.exports = { plugins: [] };\n' },
    answer: 'for content (plain): 1 language (en)',
    lines: ['# kbsync has no layout for Gatsby yet'],
  },
  {
    rule: 'a site of Dumi has its pages where its settings say',
    pages: ['docs/about.md', 'docs/b.md', 'site/a.md'],
    settings: { '.dumirc.ts': "export default { resolve: { docDirs: ['site'] } };\n" },
    answer: 'for site (plain): 1 language (en)',
    lines: ['# kbsync has no layout for Dumi yet'],
  },
  {
    rule: 'the first locale of Dumi is the default language',
    pages: ['docs/a.md', 'docs/a.en-US.md'],
    settings: {
      '.dumirc.ts':
        "export default { locales: [{ id: 'zh-CN', name: '中文' }, { id: 'en-US', name: 'EN' }] };\n",
    },
    answer: 'for docs (plain): 2 languages (zh-CN, en-US)',
    lines: ['defaultLanguage: "zh-CN"'],
  },
  ...[
    ['SvelteKit', 'svelte.config.js', "import { mdsvex } from 'mdsvex';\n", '(guide)/install/+page.md'],
    [
      'SolidStart',
      'vite.config.ts',
      "import { solidStart } from '@solidjs/start/config';\n",
      '(0)guide/install.mdx',
    ],
    ['Qwik', 'vite.config.mts', 'export default { plugins: [qwikCity()] };\n', 'guide/install/index.mdx'],
  ].map(([generator = '', settings = '', text = '', name = '']) => ({
    rule: `a site of ${generator} has its pages in its routes`,
    pages: [`src/routes/${name}`, 'src/lib/notes.md'],
    settings: { [settings]: text },
    answer: 'for src/routes (plain): 1 language (en)',
    lines: [`# kbsync has no layout for ${generator} yet`],
  })),
  {
    rule: 'a section’s page makes it Hugo’s content, without settings',
    pages: ['_index.md', 'guide/_index.md', 'guide/install.md', 'README.md'],
    answer: 'for . (hugo): 1 language (en)',
    lines: ['exclude: ["{README,CHANGELOG,CONTRIBUTING,CODE_OF_CONDUCT,SECURITY,LICENSE}.md"]'],
  },
  {
    rule: 'docs is a part of the documentation where another folder holds most of it',
    pages: ['docs/a.md', ...['b', 'c', 'd', 'e', 'f'].map((name) => `spec/core/${name}.md`)],
    answer: 'for . (plain): 1 language (en)',
    lines: [],
  },
  {
    rule: 'pages of the app folder of Next.js are read as those of Nextra',
    pages: ['docs/src/app/(docs)/guide/install/page.mdx', 'docs/src/app/page.mdx'],
    settings: { 'docs/next.config.mjs': 'export default withMdx({});\n' },
    answer: 'for docs/src/app (nextra): 1 language (en)',
    lines: ['# kbsync has no layout for Next.js yet'],
  },
  {
    rule: 'names of countries are languages of any layout whose settings are silent',
    pages: [
      'content/docs/a.en.mdx',
      'content/docs/a.cn.mdx',
      'content/docs/b.en.mdx',
      'content/docs/b.cn.mdx',
    ],
    settings: { 'source.config.ts': "import { defineDocs } from 'fumadocs-mdx/config';\n" },
    answer: 'for content/docs (fumadocs): 2 languages (en, cn)',
    lines: ['languages: { en: en, cn: zh-CN }'],
  },
  {
    rule: 'a topic whose name is a code, with an index as the whole site has, is no language',
    pages: ['docs/index.md', 'docs/io/index.md', 'docs/io/read.md', 'docs/ml/index.md', 'docs/ml/train.md'],
    settings: { 'mkdocs.yml': 'site_name: Acme\n' },
    answer: 'for docs (mkdocs): 1 language (en)',
    lines: ['# languages:'],
  },
  {
    rule: 'topics in folders of two letters, and nothing else, are no languages',
    pages: ['it/laptops.md', 'it/index.md', 'hr/holidays.md', 'hr/index.md', 'is/audits.md'],
    answer: 'for . (plain): 1 language (en)',
    lines: ['# languages:'],
  },
  {
    rule: 'two letters that are no code are no language, also where all folders have two',
    pages: ['docs/ai/agents.md', 'docs/go/start.md', 'docs/ml/train.md'],
    answer: 'for docs (plain): 1 language (en)',
    lines: ['# languages:'],
  },
  {
    rule: 'what may be a topic is a language if half of its pages are pages of the originals',
    pages: ['docs/index.md', 'docs/a.md', 'docs/hr/index.md', 'docs/hr/a.md', 'docs/hr/own.md'],
    settings: { 'mkdocs.yml': 'site_name: Acme\n' },
    answer: 'for docs (mkdocs): 2 languages (en, hr)',
    lines: ['languages: { en: en, hr: hr }'],
  },
  {
    rule: 'beside two languages, what may be a topic is one if it has a page of the originals that is no index',
    pages: 'a b fr/a de/b it/a it/own it/more it/most index io/index io/read'
      .split(' ')
      .map((page) => `docs/${page}.md`),
    settings: { 'mkdocs.yml': 'site_name: Acme\n' },
    answer: 'for docs (mkdocs): 4 languages (en, de, fr, it)',
    lines: ['languages: { en: en, de: de, fr: fr, it: it }'],
  },
  {
    rule: 'folders that may be topics are languages where they have the same pages',
    pages: ['hr/a.md', 'hr/b.md', 'it/a.md', 'it/b.md'],
    answer: 'for . (plain): 2 languages (hr, it)',
    lines: ['languages: { hr: hr, it: it }'],
  },
  {
    rule: 'a folder that is the only one is the language that its name says',
    pages: ['docs/hr/a.md', 'docs/hr/b.md'],
    answer: 'for docs (plain): 1 language (hr)',
    lines: [],
  },
  {
    rule: 'of books of several versions the newest is taken, not the one with most pages',
    pages: [
      'books/0.9/src/a.md',
      'books/0.9/src/b.md',
      'books/0.10/src/a.md',
      'books/0.8/src/a.md',
      'books/blog/src/a.md',
    ],
    settings: Object.fromEntries(
      ['0.9', '0.10', '0.8', 'blog'].flatMap((name) => [
        [`books/${name}/book.toml`, '[book]\n'],
        [`books/${name}/src/SUMMARY.md`, `- [A](a.md)\n${name === '0.9' ? '- [B](b.md)\n' : ''}`],
      ]),
    ),
    answer: 'for books/0.10 (mdbook): 1 language (en)',
    lines: [],
  },
  {
    rule: 'a version that somebody has only begun to write is not the one that readers see',
    pages: ['v1/docs/a.md', 'v1/docs/b.md', 'v1/docs/c.md', 'v1/docs/d.md', 'v1/docs/e.md', 'v2/docs/a.md'],
    settings: { 'v1/mkdocs.yml': 'site_name: Acme\n', 'v2/mkdocs.yml': 'site_name: Acme\n' },
    answer: 'for v1/docs (mkdocs): 1 language (en)',
    lines: [],
  },
  {
    rule: 'pages of Markdoc are plain Markdown with its tags',
    pages: ['pages/docs/a.md', 'pages/index.md', 'README.md'],
    settings: { 'next.config.js': "const withMarkdoc = require('@markdoc/next.js');\n" },
    answer: 'for pages (plain): 1 language (en)',
    lines: ['# kbsync has no layout for Markdoc yet'],
  },
  {
    rule: 'scripts and regions are written as BCP 47 does',
    pages: ['content/a.md', 'content/a.zh-hant.md', 'content/a.pt-br.md'],
    settings: { 'hugo.toml': '[languages.en]\n[languages.zh-hant]\n[languages.pt-br]\n' },
    answer: 'for content (hugo): 3 languages (en, pt-br, zh-hant)',
    lines: ['languages: { en: en, pt-br: pt-BR, zh-hant: zh-Hant }'],
  },
];

test.each(CASES)('init: $rule', async ({ pages, settings = {}, answer, lines, never }) => {
  const files = Object.fromEntries(pages.map((path, index) => [path, page(`Page ${index}`)]));
  world = await fakeWorld({ ...files, ...settings });
  expect((await world.run('init')).stdout).toBe(`wrote kbsync.yaml ${answer}\n`);
  const config = await world.read('kbsync.yaml');
  for (const line of lines) expect(config).toContain(line);
  expect(config).not.toContain(never ?? 'nothing is never there');
  expect((await world.run('check')).exit).toBe(0);
});

test('folders of a language with its region are languages where none of them is the plain default', async () => {
  world = await fakeWorld({
    'README.md': '# R\n',
    'en_US/a.md': page('A'),
    'en_US/g/b.md': page('B'),
    'zh_CN/a.md': page('A zh'),
    'zh_CN/g/b.md': page('B zh'),
    'notes/c.md': page('C'),
  });
  expect((await world.run('init')).stdout).toBe(
    'wrote kbsync.yaml for . (plain): 2 languages (en_US, zh_CN)\n',
  );
  expect(await world.read('kbsync.yaml')).toContain('languages: { en_US: en, zh_CN: zh-CN }');
  await world.remove('kbsync.yaml');
  // Without a page that stands in both, they are no languages.
  await world.remove('zh_CN/a.md');
  await world.remove('zh_CN/g/b.md');
  await world.write('my-ui/x.md', page('X'));
  expect((await world.run('init')).stdout).toContain('1 language (en)');
});

/** Sentences of which each language has such in its documentation. */
const SENTENCES: Readonly<Record<string, string>> = {
  fr: 'Pour installer le logiciel, ouvrez la page des paramètres et choisissez une version. Vous pouvez ensuite configurer les comptes dans le menu.',
  de: 'Die Anwendung wird auf dem Server installiert. Danach kann sie mit einem Browser geöffnet werden, und die Daten sind nicht mehr im Speicher.',
  es: 'Para instalar la aplicación se puede usar el gestor de paquetes. Los datos de la cuenta no se envían a un servidor, y es más rápido como está.',
  pt: 'Para instalar o aplicativo você pode usar o gerenciador de pacotes. Os dados da conta não são enviados, e a página é mais rápida do que uma lista.',
  it: 'Per installare il programma si può usare la riga di comando. I dati della pagina non sono nel server, e anche gli utenti che non hanno una chiave.',
  nl: 'De toepassing wordt met het pakket op de server geplaatst. Je kan deze pagina ook voor een ander project openen, en de gegevens zijn niet van het systeem.',
  pl: 'Aby zainstalować program, należy otworzyć stronę w przeglądarce. Dane nie są na serwerze, jest to szybsze oraz można je przenieść do pliku z listą i do konta.',
  en: 'To install the application you can open the page of the settings. It is not on the server, and the data of your account are in the list that you see.',
};

test.each(Object.entries(SENTENCES))(
  'init: pages in `%s` say so by their small words',
  async (language, sentence) => {
    const text = `${sentence}\n\n${sentence}\n`;
    world = await fakeWorld({
      'docs/a.md': `# A\n\n${text}`,
      'docs/b.md': `# B\n\n${text}`,
      'docs/c.md': '# the and of\n',
    });
    expect((await world.run('init')).stdout).toBe(
      `wrote kbsync.yaml for docs (plain): 1 language (${language})\n`,
    );
  },
);

test('init: a list of names is in no language, and settings that name one are right', async () => {
  world = await fakeWorld({
    'docs/a.md': `# A\n\n${'- de la Cruz\n- Van der Berg\n- Los Angeles npm install\n'.repeat(20)}`,
  });
  expect((await world.run('init')).stdout).toContain('1 language (en)');
  world = await fakeWorld({
    'mkdocs.yml': 'site_name: A\ntheme:\n  name: material\n  language: de\n',
    'docs/a.md': `# A\n\n${(SENTENCES['fr'] ?? '').repeat(3)}\n`,
  });
  expect((await world.run('init')).stdout).toContain('1 language (de)');
});
