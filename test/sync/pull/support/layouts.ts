import type { PresetName } from '../../../../src/content/presets/names.ts';

/** A small repository of a layout, written as its own users write it. */
export interface Site {
  readonly settings: string;
  readonly files: Readonly<Record<string, string>>;
}

interface Shape {
  /** The folder that `content:` names. */
  readonly content?: string;
  /** Where the pages lie below it. */
  readonly root?: string;
  readonly ending?: string;
  /** The page of a folder. */
  readonly index?: string;
  /** What only this layout says: a box, a shortcode, a component. */
  readonly own: string;
  readonly tags?: boolean;
  readonly head?: (title: string, tags: readonly string[]) => string;
  readonly beside?: (paths: readonly string[]) => Readonly<Record<string, string>>;
}

const NAMES = ['install', 'update', 'remove', 'backup', 'restore', 'share'] as const;

function titleOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:mdx?|qmd|Rmd)$/, '');
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const yaml = (title: string, tags: readonly string[]): string =>
  `---\n# for the docs team\ntitle: '${title}'   # keep\n${tags.length === 0 ? '' : `tags:\n${tags.map((tag) => `  - ${tag} # own\n`).join('')}`}---\n\n`;
const toml = (title: string, tags: readonly string[]): string =>
  `+++\n# for the docs team\ntitle = '${title}'\n${tags.length === 0 ? '' : `tags = [${tags.map((tag) => `"${tag}"`).join(', ')}]\n`}+++\n\n`;
const heading = (title: string): string => `# ${title}\n\n`;
const list = (name: string, tags: readonly string[]): string =>
  `---\n${name}:   # own\n${tags.map((tag) => `- ${tag}\n`).join('')}---\n\n`;

/** Tags of one page after the other: an editor has some to add and some to take away. */
const MARKS = [['cli'], ['cli', 'web'], ['web', 'mac'], ['cli', 'mac', 'old']];

const SHAPES: Readonly<Record<PresetName, Shape>> = {
  kbsync: { root: 'en/articles', own: '> [!NOTE]\n> Keep the key.', tags: true },
  hugo: {
    own: '{{< note >}}\nKeep the key.\n{{< /note >}}',
    index: '_index.md',
    tags: true,
    head: (title, tags) => (title < 'R' ? toml(title, tags) : yaml(title, tags)),
  },
  docusaurus: { root: 'docs', own: ':::note\n\nKeep the key.\n\n:::', tags: true },
  starlight: { content: 'src/content/docs', own: ':::note\nKeep the key.\n:::', tags: true },
  mkdocs: {
    content: 'docs',
    own: '!!! note\n    Keep the key.',
    tags: true,
    head: (title, tags) => `${list('tags', tags)}${heading(title)}`,
    beside: () => ({ '../mkdocs.yml': 'site_name: x\n' }),
  },
  vitepress: { own: '::: tip\nKeep the key.\n:::', head: heading },
  jekyll: { own: '{: .note }\n> Keep the key.', tags: true },
  mdbook: {
    content: 'src',
    own: '> Keep the key.',
    head: heading,
    beside: (paths) => ({
      'SUMMARY.md': `# Summary\n\n${paths.map((path) => `- [${titleOf(path)}](${path})\n`).join('')}`,
    }),
  },
  gitbook: {
    own: '{% hint style="info" %}\nKeep the key.\n{% endhint %}',
    head: heading,
    beside: (paths) => ({
      'SUMMARY.md': `# Summary\n\n${paths.map((path) => `* [${titleOf(path)}](${path})\n`).join('')}`,
    }),
  },
  mintlify: {
    ending: '.mdx',
    own: '<Note>Keep the key.</Note>',
    beside: (paths) => ({
      'docs.json': JSON.stringify({
        navigation: { groups: [{ group: 'Guide', pages: paths.map((path) => path.replace('.mdx', '')) }] },
      }),
    }),
  },
  docsify: { own: '!> Keep the key.', head: heading },
  vuepress: { own: '::: tip\nKeep the key.\n:::', tags: true },
  docfx: {
    own: '> [!NOTE]\n> Keep the key.',
    tags: true,
    beside: (paths) => ({
      'guide/toc.yml': paths
        .map((path) => `- name: ${titleOf(path)}\n  href: ${path.replace('guide/', '')}\n`)
        .join(''),
    }),
  },
  fern: {
    ending: '.mdx',
    own: '<Note>Keep the key.</Note>',
    beside: (paths) => ({
      'docs.yml': `navigation:\n  - section: Guide\n    contents:\n${paths.map((path) => `      - page: ${titleOf(path)}\n        path: ./${path}\n`).join('')}`,
    }),
  },
  wiki: { own: '> [!note]\n> Keep the key.', head: () => '' },
  nextra: { ending: '.mdx', own: '<Callout>\nKeep the key.\n</Callout>', root: 'content' },
  fumadocs: { content: 'content/docs', ending: '.mdx', own: '<Callout>Keep the key.</Callout>' },
  readme: { root: 'docs', tags: true, own: '> 📘 Note\n>\n> Keep the key.' },
  myst: {
    own: ':::{note}\nKeep the key.\n:::',
    tags: true,
    head: (title, tags) => `${list('tags', tags)}${heading(title)}`,
  },
  vocs: { content: 'docs/pages', ending: '.mdx', own: ':::note\nKeep the key.\n:::', head: heading },
  rspress: { content: 'docs', ending: '.mdx', own: ':::note\nKeep the key.\n:::', head: heading },
  nuxt: { own: '::note\nKeep the key.\n::', head: heading },
  hexo: { own: '{% note %}\nKeep the key.\n{% endnote %}', tags: true },
  eleventy: { own: '> Keep the key.' },
  quarto: {
    ending: '.qmd',
    own: '::: {.callout-note}\nKeep the key.\n:::',
    tags: true,
    head: (title, tags) => `---\ntitle: ${title}\ncategories: [${tags.join(', ')}]  # own\n---\n\n`,
    beside: () => ({ '_quarto.yml': 'project:\n  type: website\n' }),
  },
  bookdown: {
    ending: '.Rmd',
    own: '::: {.rmdnote}\nKeep the key.\n:::',
    head: heading,
    beside: (paths) => ({
      '_bookdown.yml': `rmd_files:\n${paths.map((path) => `  - ${path}\n`).join('')}`,
    }),
  },
  writerside: {
    root: 'topics',
    own: '<note>\nKeep the key.\n</note>',
    head: heading,
  },
  retype: {
    own: '!!!tip\nKeep the key.\n!!!',
    tags: true,
    head: (title, tags) => `${list('tags', tags)}${heading(title)}`,
  },
  plain: { own: '> [!NOTE]\n> Keep the key.', head: heading },
};

/** How the pages of a layout end. */
export function endingOf(preset: PresetName): string {
  return SHAPES[preset].ending ?? '.md';
}

/** Words, a list, a table, a quote, code: in spellings that no conversion would choose. */
function body(name: string, own: string): string {
  return `How to ${name} *everything* on a machine, with __one__ command
that you may repeat.

## Before you ${name}

* First of three steps
* Second, with \`code\` inside
* Third and last

| Name     |  Meaning of it    |
|:---------|-------------------|
| alpha    |  the first letter |
| omega    |  the last letter  |

> Somebody said this
> about ${name}.

1. number one
2. number two

${own}

~~~sh
run ${name} --now
~~~

The last words of this page,
wrapped over two lines.
`;
}

/** A page: its file's name without an ending, its title, its text without the title. */
export interface Page {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

export function siteOf(preset: PresetName): Site {
  const { own } = SHAPES[preset];
  return siteWith(
    preset,
    NAMES.map((name) => ({ name, title: titleOf(name), text: body(name, own) })),
  );
}

/** Any pages in a folder of a layout. */
export function siteWith(preset: PresetName, pages: readonly Page[]): Site {
  const { content = '', root = '', ending = '.md', index, tags, head = yaml, beside } = SHAPES[preset];
  const at = (path: string): string => [content, root, path].filter((part) => part !== '').join('/');
  const paths = pages.map(({ name }) => `guide/${name}${ending}`);
  const files = Object.fromEntries(
    pages.map(({ name, title, text }, place) => {
      const marks = tags === true ? (MARKS[place % MARKS.length] ?? []) : [];
      return [at(`guide/${name}${ending}`), `${head(title, marks)}${text}`];
    }),
  );
  const more = Object.entries(beside?.(paths) ?? {}).map(([path, text]) => [
    path.startsWith('../') ? path.slice(3) : [content, path].filter((part) => part !== '').join('/'),
    text,
  ]);
  const kbsync =
    preset === 'kbsync'
      ? {
          'en/categories/guide.md': '---\nname: Guide\n---\n',
          'en/tags/cli.md': '---\nname: CLI\n---\n',
          'en/tags/web.md': '---\nname: Web\n---\n',
          'en/tags/mac.md': '---\nname: Mac\n---\n',
          'en/tags/old.md': '---\nname: Old\n---\n',
        }
      : {};
  const folder = 'repo';
  const all = { ...files, ...kbsync, ...Object.fromEntries(more) };
  if (index !== undefined) Object.assign(all, { [at(`guide/${index}`)]: '---\ntitle: Guide\n---\n' });
  return {
    settings: `preset: ${preset}\ncontent: ${[folder, content].filter((part) => part !== '').join('/')}\n`,
    files: Object.fromEntries(Object.entries(all).map(([path, text]) => [`${folder}/${path}`, String(text)])),
  };
}
