// Pages that no writer would write and every reader of files must survive: brackets without end, tags without end, a heading a
// thousand times. Reads each in each layout at one size and at four times that size, and compares the CPU time of both: what is
// read in one pass takes four times as long. The exit code is 1 if a page takes more than ten times as long.
// node bench/hostile-pages.mjs [LAYOUT,… [PATTERN,…]]
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { loadContent } from 'kbsync';

const SMALL_CHARS = 20_000;
const GROWTH = 4;
const GROWTH_MAX = 10;
/** Shorter than this, a measurement says nothing. */
const NOTICED_MS = 400;

const MDX = ['docusaurus', 'starlight', 'mintlify', 'fern', 'fumadocs', 'nextra'];
const LAYOUTS = [
  'kbsync',
  'hugo',
  'docusaurus',
  'mkdocs',
  'jekyll',
  'vitepress',
  'wiki',
  'docfx',
  'docsify',
  'mintlify',
  'quarto',
];

/** What each page repeats. */
const PATTERNS = {
  brackets: '[',
  links: '[a](',
  references: '[a][',
  definitions: '[a]: /x\n',
  'wiki links': '[[',
  pictures: '![',
  emphasis: '*a ',
  strong: '**a *b ',
  'open tags': '<div ',
  'tags without an end': '<a><b>',
  paragraphs: '<p>',
  tables: '<table><tr><td>',
  formats: '<b><i><p>',
  fragments: '<>',
  comments: '<!-- ',
  instructions: '<?',
  anchors: '<a name=a></a>',
  'parts of Markdown': '<div markdown="1">\n',
  components: '<A>\n',
  'open components': '<A b={',
  braces: '{',
  'open expressions': '{{ a ',
  shortcodes: '{{< a ',
  blocks: '{% a ',
  attributes: '{: .a ',
  boxes: ':::note\n',
  divs: '::: {.callout-note title="',
  'hidden divs': '::: {.content-hidden}\n## a\n',
  spans: '[a]{.b ',
  'pictures with attributes': '![a](b){c="',
  notes: '^[a ',
  citations: '[@a; ',
  cells: '```{r}\n#| a: b\n',
  'grid tables': '+--+--+\n| a | b\n',
  terms: 'a\n:   b\n',
  commands: '\\a{b}[',
  raised: 'a^b ~c ',
  admonitions: '!!! note\n',
  alerts: '> [!NOTE]\n',
  quotes: '> ',
  headings: '# a\n',
  'underlined headings': 'a\n=\n',
  'headings with ids': '# a {#',
  rows: '| a | b |\n',
  bars: '|a',
  'lists of one line': '1. a\n',
  fences: '```\n',
  'fences with attributes': '```js title="',
  ticks: '`a``b',
  imports: "import a from 'x'\n",
  tabs: '=== "a"\n',
  snippets: '--8<-- "',
  includes: '<!--@include: ',
  entities: '&#',
  blanks: ' ',
  lines: '\n',
  letters: 'a',
  addresses: 'http://a.b/ ',
  emoji: ':a',
  footnotes: '[^a]: x\n\n',
  'wrong anchors': '## some heading\n[x](#some-hidding)\n',
};

const [layouts = LAYOUTS.join(','), patterns] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'kbsync-pages-'));
const slow = [];
try {
  for (const layout of layouts.split(',')) {
    // What is loaded and compiled on first use is not the page's.
    await msOf(layout, 'a');
    let most = { ms: 0, name: '' };
    for (const [name, text] of Object.entries(PATTERNS)) {
      if (patterns !== undefined && !patterns.split(',').includes(name)) continue;
      const small = await msOf(layout, repeated(text, SMALL_CHARS));
      const large = await msOf(layout, repeated(text, SMALL_CHARS * GROWTH));
      if (large > most.ms) most = { ms: large, name };
      if (large > NOTICED_MS && large > small * GROWTH_MAX)
        slow.push(`${layout}: ${name}: ${small} ms, then ${large} ms`);
    }
    process.stdout.write(
      `${layout.padEnd(12)} slowest: ${most.name}, ${most.ms} ms for ${SMALL_CHARS * GROWTH} characters\n`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
for (const line of slow) process.stdout.write(`grows faster than its page: ${line}\n`);
process.exitCode = slow.length === 0 ? 0 : 1;

function repeated(text, chars) {
  return text.repeat(Math.ceil(chars / text.length)).slice(0, chars);
}

/** CPU time of reading and rendering a folder with this page alone. */
async function msOf(layout, text) {
  const contentDir = join(folder, layout);
  const file = join(
    contentDir,
    layout === 'kbsync' ? 'en/articles' : '.',
    `a.${MDX.includes(layout) ? 'mdx' : 'md'}`,
  );
  await rm(contentDir, { recursive: true, force: true });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `---\ntitle: A\n---\n\n${text}\n`);
  const before = process.cpuUsage();
  const { state } = await loadContent({ contentDir, preset: layout, cwd: contentDir });
  for (const { body } of state.records.values()) body?.render();
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1000);
}
