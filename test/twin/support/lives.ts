import { createRepository } from './repository.ts';
import type { Repository } from './repository.ts';
import type { Machine } from './machine.ts';
import type { Stage } from './stage.ts';
import type { Row } from './service/row.ts';

export type Life = (stage: Stage) => Promise<void>;

const RICH = `
A list of what is needed, with a [guide](https://example.com/guide) and **bold** words:

- one & two
- \`kbsync --help\`

| name | value |
|---|---|
| a | 1 |

\`\`\`sh
npm install
\`\`\`

It's "ready" – 100 % 🚀.
`;

/** Two languages, categories in two levels, tags, a page of every kind of text, and what editors had there before. */
export function usualFiles(name = 'A', settings = ''): Repository {
  const files = createRepository(name, settings);
  files.add('en/categories/start', `Start ${name}`, { description: 'How to begin' });
  files.add('en/categories/guides', `Guides ${name}`, { categoryParent: 'start', priority: 2 });
  files.add('fr/categories/start', `Début ${name}`);
  files.add('en/tags/cli', `Cli ${name}`, { description: 'In a terminal' });
  files.add('fr/tags/cli', `Cli fr ${name}`);
  files.add(
    'en/articles/install',
    `Install ${name}`,
    { categories: ['start'], tags: ['cli'], excerpt: 'How it gets there.' },
    RICH,
  );
  files.add('fr/articles/install', `Installer ${name}`, { categories: ['start'], tags: ['cli'] });
  files.add('en/articles/quotes', `It's "quoted" & more ${name}`, { categories: ['start'], ordering: 3 });
  files.add(
    'en/articles/update',
    `Update ${name}`,
    { categories: ['guides'] },
    'See [install](install.md).\n',
  );
  files.add('fr/articles/update', `Mettre à jour ${name}`, { categories: ['guides'] });
  files.add('en/articles/plain', `Plain ${name}`);
  return files;
}

function bystanders({ editor }: Stage): void {
  editor.create('category', 'News', 'news');
  editor.create('tag', 'Misc', 'misc');
  editor.create('article', 'Overview', 'overview');
  editor.create('article', 'Old news', 'old-news');
}

interface Begun {
  readonly files: Repository;
  readonly laptop: Machine;
}

/** The first sync, and nothing to do afterwards. */
async function begin(stage: Stage, files = usualFiles()): Promise<Begun> {
  bystanders(stage);
  const laptop = stage.machine('laptop', files);
  await stage.settle(laptop);
  return { files, laptop };
}

/** Does something with the record of a file, where there is one. */
function at(stage: Stage, files: Repository, place: string, act: (row: Row) => void): void {
  const row = stage.row(files, place);
  if (row !== undefined) act(row);
}

const author: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  stage.step('text');
  files.edit('en/articles/install');
  await stage.settle(laptop);
  stage.step('text again');
  files.edit('en/articles/install');
  files.edit('en/articles/quotes');
  await stage.settle(laptop);
  stage.step('titles');
  files.retitle('en/articles/quotes', { title: `It's "quoted" & <new>` });
  files.retitle('en/categories/guides', { title: 'Handbooks', fields: { description: 'All & sundry' } });
  files.retitle('en/tags/cli', { title: 'Terminal', fields: { description: "It's a terminal" } });
  await stage.settle(laptop);
  stage.step('relations');
  files.retitle('en/articles/plain', { fields: { categories: ['start'], tags: ['cli'], ordering: 9 } });
  files.retitle('en/articles/install', { fields: { tags: [], excerpt: 'Another "excerpt" & more' } });
  await stage.settle(laptop);
  stage.step('translations');
  files.edit('fr/articles/install');
  files.edit('fr/categories/start');
  files.retitle('fr/articles/update', { title: 'À jour' });
  await stage.settle(laptop);
  stage.step('text a third time');
  files.edit('en/articles/install');
  files.edit('fr/articles/install');
  await stage.settle(laptop);
};

const editor: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  stage.step('an editor writes');
  at(stage, files, 'en/articles/install', (row) => stage.editor.rewrite(row));
  await stage.settle(laptop);
  stage.step('the author another page');
  files.edit('en/articles/plain');
  await stage.settle(laptop);
  stage.step('both, other fields');
  at(stage, files, 'en/articles/quotes', (row) => stage.editor.rewrite(row));
  files.retitle('en/articles/quotes', { fields: { ordering: 8 } });
  await stage.settle(laptop);
  stage.step('what no file says');
  at(stage, files, 'en/articles/plain', (row) =>
    stage.editor.set(row, { seoBannerUrl: 'https://cdn.example.com/a.png', hideFromSearch: true }),
  );
  files.edit('en/articles/plain');
  await stage.settle(laptop);
  stage.step('an excerpt of theirs');
  at(stage, files, 'en/articles/plain', (row) =>
    stage.editor.set(row, { excerpt: `Editor's own & "quoted"` }),
  );
  files.edit('en/articles/plain');
  await stage.settle(laptop);
  stage.step('and once more');
  files.edit('en/articles/plain');
  await stage.settle(laptop);
};

const conflict: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  stage.step('both write');
  at(stage, files, 'en/articles/plain', (row) => stage.editor.rewrite(row));
  files.edit('en/articles/plain');
  await stage.settleConflict(laptop, 'en/articles/plain', 'local');
  stage.step('both write, theirs stands');
  at(stage, files, 'en/articles/plain', (row) => stage.editor.rewrite(row));
  files.edit('en/articles/plain');
  await stage.settleConflict(laptop, 'en/articles/plain', 'remote');
  stage.step('the author goes on');
  files.edit('en/articles/plain');
  await stage.settle(laptop);
  stage.step('a translation, both');
  at(stage, files, 'fr/articles/install', (row) => stage.editor.rewrite(row));
  files.edit('fr/articles/install');
  await stage.settleConflict(laptop, 'fr/articles/install', 'local');
};

const rename: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  stage.step('a file moves');
  files.move('en/articles/plain', 'en/articles/guides/simple');
  await stage.settle(laptop);
  stage.step('with its translation');
  files.move('en/articles/install', 'en/articles/setup');
  files.move('fr/articles/install', 'fr/articles/setup');
  files.retitle('en/articles/update', { fields: {} });
  files.edit('en/articles/update', { more: 'See [setup](setup.md).\n' });
  await stage.settle(laptop);
  stage.step('a slug');
  files.retitle('en/articles/quotes', { fields: { slug: 'quotations' } });
  await stage.settle(laptop);
  stage.step('a category’s slug');
  files.retitle('en/categories/guides', { fields: { slug: 'handbooks' } });
  await stage.settle(laptop);
};

const translate: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  stage.step('new ones');
  files.add('fr/articles/plain', 'Simple');
  files.add('de/articles/plain', 'Einfach', { slug: 'einfach' });
  files.add('de/categories/start', 'Anfang');
  files.add('de/tags/cli', 'Konsole');
  await stage.settle(laptop);
  stage.step('edited');
  files.edit('de/articles/plain');
  files.edit('en/articles/plain');
  await stage.settle(laptop);
  stage.step('one more page');
  files.add('en/articles/later', 'Later', { categories: ['start'] });
  files.add('fr/articles/later', 'Plus tard', { categories: ['start'] });
  await stage.settle(laptop);
  stage.step('a draft with a slug of its own');
  files.add('fr/articles/quotes', 'Citations', { slug: 'citations', status: 'draft', ordering: 5 });
  await stage.settle(laptop);
};

const region: Life = async (stage) => {
  const files = usualFiles();
  files.add('pt-BR/articles/install', 'Instalar');
  files.add('pt-BR/categories/start', 'Começo');
  const { laptop } = await begin(stage, files);
  stage.step('an editor translates');
  at(
    stage,
    files,
    'en/articles/plain',
    (row) => void stage.editor.translate(row, 'pt-BR', { status: 'draft' }),
  );
  at(stage, files, 'en/articles/quotes', (row) => void stage.editor.translate(row, 'pt-BR'));
  await stage.settle(laptop);
  stage.step('the author too');
  files.add('pt-BR/articles/plain', 'Simples');
  files.add('pt-BR/articles/quotes', 'Aspas');
  await stage.run(laptop);
  await stage.run(laptop);
  stage.step('in CI');
  const ci = stage.machine('ci', files);
  files.edit('pt-BR/articles/install');
  await stage.run(ci);
};

const prune: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  const before = files.pages();
  stage.step('a page goes');
  files.remove('en/articles/plain');
  await stage.settle(laptop);
  stage.step('with prune');
  await stage.settle(laptop, ['sync', '--yes', '--prune']);
  isGone(stage, 'Plain A', 'article');
  stage.step('more');
  files.remove('fr/articles/install');
  files.remove('en/articles/install');
  files.edit('en/articles/update', { more: 'No link.\n' });
  files.retitle('en/articles/update', { fields: { categories: ['start'] } });
  files.retitle('fr/articles/update', { fields: { categories: ['start'] } });
  await stage.settle(laptop);
  stage.step('prune more');
  files.remove('en/categories/guides');
  files.remove('fr/tags/cli');
  files.remove('en/tags/cli');
  await stage.settle(laptop, ['sync', '--yes', '--prune']);
  isGone(stage, 'Install A', 'article');
  isGone(stage, 'Guides A', 'category');
  isGone(stage, 'Cli A', 'tag');
  stage.step('new ones');
  files.add('en/articles/later', 'Later', { categories: ['start'] });
  await stage.settle(laptop);
  stage.step('all back');
  files.restore(new Map([...before, ...files.pages()]));
  await stage.settle(laptop);
};

/** After a prune that ended in sync. */
function isGone(stage: Stage, name: string, kind: Row['kind']): void {
  if (stage.stops.length > 0) return;
  const left = stage.site
    .living(kind)
    .filter((row) => row.raw[kind === 'article' ? 'title' : 'name'] === name)
    .filter((row) => stage.site.rules.deletes !== 'unpublishes' || row.stored['status'] !== 'draft');
  if (left.length > 0) stage.fault(`exit 0 with --prune, and ${kind} "${name}" is there`);
}

const clone: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  stage.step('a fresh clone');
  await laptop.forget();
  await stage.settle(laptop);
  stage.step('a new page');
  await laptop.forget();
  files.add('en/articles/later', 'Later', { categories: ['start'] });
  await stage.settle(laptop);
  stage.step('edits, and a fresh clone');
  await laptop.forget();
  files.edit('en/articles/install');
  files.edit('fr/articles/install');
  files.retitle('en/articles/quotes', { title: 'Quoted anew' });
  await stage.settle(laptop);
};

const cloneAfterEditor: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  stage.step('an editor writes, and a fresh clone');
  at(stage, files, 'en/articles/plain', (row) => stage.editor.rewrite(row));
  at(stage, files, 'fr/articles/install', (row) => stage.editor.rewrite(row));
  await laptop.forget();
  await stage.run(laptop);
  await stage.run(laptop);
  stage.step('the author too');
  await laptop.forget();
  files.edit('en/articles/plain');
  files.edit('fr/articles/install');
  await stage.run(laptop);
  await stage.run(laptop);
};

const deathFirst: Life = async (stage) => {
  bystanders(stage);
  const files = usualFiles();
  const laptop = stage.machine('laptop', files);
  for (const [index, atWrite] of [2, 5, 3].entries()) {
    stage.step(`dies at write ${atWrite}`);
    await stage.run(laptop, undefined, { dies: { atWrite, when: index % 2 === 0 ? 'after' : 'before' } });
  }
  stage.step('lives');
  await stage.settle(laptop);
};

const deathEdit: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  for (const [index, atWrite] of [1, 3, 2].entries()) {
    stage.step(`dies at write ${atWrite}`);
    files.edit('en/articles/install');
    files.edit('fr/articles/install');
    files.retitle('en/categories/guides', { fields: { description: `Version ${index}` } });
    await stage.run(laptop, undefined, { dies: { atWrite, when: 'after' } });
  }
  stage.step('goes on');
  files.edit('en/articles/install');
  files.edit('fr/articles/install');
  files.retitle('en/categories/guides', { fields: { description: 'The last' } });
  await stage.settle(laptop);
};

const lostAnswers: Life = async (stage) => {
  bystanders(stage);
  const files = usualFiles();
  const laptop = stage.machine('laptop', files);
  await stage.run(laptop, undefined, { loses: 9 });
  await stage.settle(laptop);
  stage.step('an edit’s answer');
  files.edit('en/articles/install');
  await stage.run(laptop, undefined, { outage: { from: 5, count: 3, how: 'cut' } });
  files.edit('en/articles/install');
  await stage.settle(laptop);
  stage.step('a new page’s');
  files.add('en/articles/later', 'Later', { categories: ['start'] });
  await stage.run(laptop, undefined, { loses: 4 });
  await stage.settle(laptop);
};

const outage: Life = async (stage) => {
  bystanders(stage);
  const files = usualFiles();
  const laptop = stage.machine('laptop', files);
  await stage.settle(laptop, undefined, { outage: { from: 10, count: 6, how: 'refused' } });
  stage.step('again, later in the run');
  files.add('en/articles/later', 'Later', { categories: ['start'] });
  files.add('en/articles/latest', 'Latest', { categories: ['start'] });
  await stage.settle(laptop, undefined, { outage: { from: 5, count: 6, how: '502' } });
};

const twoRepositories: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  stage.step('another repository');
  const others = createRepository('B');
  others.add('en/categories/start', 'Start B');
  others.add('en/tags/cli', 'Cli B', { slug: 'cli-b' });
  others.add('en/articles/install', 'Install B', { slug: 'install-b', categories: ['start'] });
  others.add('en/articles/plain', 'Plain B');
  others.add('fr/articles/plain', 'Simple B');
  const desk = stage.machine('desk', others);
  await stage.run(desk);
  await stage.run(desk);
  stage.step('both go on');
  files.edit('en/articles/install');
  await stage.run(laptop);
  others.edit('en/articles/plain');
  await stage.run(desk, ['sync', '--yes', '--prune']);
  stage.step('both without memory');
  await laptop.forget();
  await desk.forget();
  await stage.run(laptop, ['sync', '--yes', '--prune']);
  await stage.run(desk, ['sync', '--yes', '--prune']);
  await stage.run(laptop, ['sync', '--yes', '--prune']);
  stage.step('the first');
  files.edit('en/articles/quotes');
  await stage.run(laptop);
};

const secondMachine: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  const ci = stage.machine('ci', files);
  stage.step('ci');
  await stage.settle(ci);
  for (const [machine, place] of [
    [ci, 'en/articles/install'],
    [laptop, 'en/articles/quotes'],
    [ci, 'fr/articles/install'],
    [laptop, 'en/articles/install'],
  ] as const) {
    stage.step(machine.name);
    files.edit(place);
    if (machine === ci) await ci.forget();
    await stage.settle(machine);
  }
  stage.step('ci makes a page');
  files.add('en/articles/later', 'Later', { categories: ['start'] });
  await ci.forget();
  await stage.settle(ci);
  stage.step('laptop');
  await stage.settle(laptop);
};

const company: Life = async (stage) => {
  stage.editor.create('category', 'Start A', 'start-of-theirs');
  stage.editor.create('tag', 'Cli A', 'cli-of-theirs');
  stage.editor.create('article', 'Install A', 'install-of-theirs');
  stage.editor.create('article', 'Theirs', 'plain');
  const files = usualFiles();
  const laptop = stage.machine('laptop', files);
  await stage.run(laptop);
  await stage.run(laptop);
  stage.step('prune');
  files.remove('en/articles/quotes');
  await stage.run(laptop, ['sync', '--yes', '--prune']);
  stage.step('a fresh clone');
  await laptop.forget();
  await stage.run(laptop, ['sync', '--yes', '--prune']);
  files.edit('en/articles/install');
  await stage.run(laptop, ['sync', '--yes', '--prune']);
};

const meanwhile: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  stage.step('somebody renames');
  files.edit('en/articles/install');
  files.add('en/articles/later', 'Later', { categories: ['guides'] });
  await stage.run(laptop, undefined, {
    meanwhile: {
      at: 4,
      act: () =>
        at(stage, files, 'en/articles/quotes', (row) =>
          stage.editor.set(row, { slug: 'cited', title: 'Cited' }),
        ),
    },
  });
  await stage.run(laptop);
  stage.step('somebody deletes');
  files.edit('en/articles/install');
  await stage.run(laptop, undefined, {
    meanwhile: {
      at: 3,
      act: () =>
        at(stage, files, 'fr/articles/install', (row) => {
          if (stage.site.rules.deletes === 'gone') stage.editor.remove(row);
        }),
    },
  });
  await stage.run(laptop);
  stage.step('somebody writes the page that is sent');
  files.edit('en/articles/plain');
  await stage.run(laptop, undefined, {
    meanwhile: {
      at: 2,
      act: () => at(stage, files, 'en/articles/plain', (row) => stage.editor.rewrite(row)),
    },
  });
  await stage.run(laptop);
};

const hidden: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  stage.step('an editor takes a page off and drafts a translation');
  at(stage, files, 'en/articles/plain', (row) => stage.editor.set(row, { status: 'draft' }));
  at(
    stage,
    files,
    'en/articles/quotes',
    (row) => void stage.editor.translate(row, 'fr', { status: 'draft' }),
  );
  await stage.settle(laptop);
  stage.step('the author makes pages');
  files.add('en/articles/later', 'Later', { status: 'draft', categories: ['start'] });
  files.add('en/articles/latest', 'Latest', { categories: ['start'] });
  await stage.settle(laptop);
  stage.step('and translates');
  files.add('fr/articles/quotes', 'Citations');
  await stage.run(laptop);
  await stage.run(laptop);
  stage.step('a fresh clone');
  await laptop.forget();
  await stage.run(laptop);
  stage.step('the original goes');
  files.remove('en/articles/quotes');
  files.remove('fr/articles/quotes');
  await stage.run(laptop, ['sync', '--yes', '--prune']);
};

const nightly: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  stage.step('the first night');
  const night = ['sync', '--yes', '--on-drift', 'overwrite'] as const;
  await stage.run(laptop, night);
  stage.step('the second night');
  const second = await stage.run(laptop, night);
  if (second.exit === 0 && second.writes > 0)
    stage.fault(`${second.writes} writes, and nobody had changed anything`);
  stage.step('an edit');
  files.edit('en/articles/install');
  await stage.settle(laptop, night);
};

const many: Life = async (stage) => {
  const files = usualFiles();
  for (let number = 1; number <= 24; number++)
    files.add(`en/articles/page-${number}`, `Page ${number}`, { categories: ['start'] });
  for (let number = 1; number <= 12; number++) files.add(`en/tags/tag-${number}`, `Tag ${number}`);
  for (let number = 1; number <= 12; number++) files.add(`en/categories/part-${number}`, `Part ${number}`);
  const { laptop } = await begin(stage, files);
  stage.step('one more');
  files.add('en/articles/later', 'Later', { categories: ['start'] });
  files.edit('en/articles/page-3');
  await stage.settle(laptop);
  stage.step('one less');
  files.remove('en/articles/page-7');
  await stage.settle(laptop, ['sync', '--yes', '--prune']);
  stage.step('a fresh clone');
  await laptop.forget();
  files.edit('en/articles/page-4');
  await stage.settle(laptop);
};

/** Whoever comes from a web editor: pull, commit, and a CI job without a state. */
const pulled: Life = async (stage) => {
  bystanders(stage);
  const [overview] = stage.site.living('article').filter((row) => row.stored['slug'] === 'overview');
  if (overview !== undefined) {
    stage.editor.set(overview, { content: EDITED, excerpt: `Editor's own & "quoted"` });
    stage.editor.translate(overview, 'fr', { content: EDITED.replace('Words', 'Mots') });
  }
  const files = createRepository('A');
  const laptop = stage.machine('laptop', files);
  const first = await stage.run(laptop, ['pull', '--yes']);
  if (first.writes > 0) stage.fault(`a pull wrote ${first.writes} times`);
  if (first.exit !== 0) stage.stop(first);
  stage.step('in CI');
  await laptop.forget();
  await stays(stage, laptop);
  stage.step('on the laptop');
  await stays(stage, laptop);
};

const EDITED = `<h2 id="one">Words byeditor900</h2>
<p>One <b>bold</b>, one <i>slanted</i>, one <a href="https://example.com/a?b=1&amp;c=2" target="_blank">link</a><br>and a line.</p>
<ul><li>one &amp; two</li><li><p>three</p></li></ul>
<table><tbody><tr><td>a</td><td>1</td></tr></tbody></table>
<pre><code class="language-sh">npm install
</code></pre>
<p>It's "ready" – 100&nbsp;% 🚀.</p>`;

/** A sync that has nothing to do. */
async function stays(stage: Stage, machine: Machine): Promise<void> {
  const ran = await stage.run(machine);
  if (ran.writes > 0) stage.fault(`${ran.writes} writes, and nobody had changed anything`);
  if (ran.exit !== 0) stage.stop(ran);
}

/** Two pages change places, in two languages. */
const swap: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  stage.step('slugs change places');
  files.retitle('en/articles/quotes', { fields: { slug: 'plain' } });
  files.retitle('en/articles/plain', { fields: { slug: 'quotes' } });
  files.retitle('fr/articles/install', { fields: { slug: 'update' } });
  files.retitle('fr/articles/update', { fields: { slug: 'install' } });
  await stage.settle(laptop);
  stage.step('and back');
  files.retitle('en/articles/quotes', { fields: { slug: 'quotes' } });
  files.retitle('en/articles/plain', { fields: { slug: 'plain' } });
  await stage.settle(laptop);
};

const undone: Life = async (stage) => {
  const { files, laptop } = await begin(stage);
  stage.step('an edit, and it is taken back');
  const before = files.pages();
  files.edit('en/articles/install');
  files.retitle('en/articles/quotes', { title: 'Quoted anew', fields: { ordering: 5 } });
  files.edit('fr/articles/update');
  await stage.settle(laptop);
  const first = await stage.run(laptop, ['undo', '--yes']);
  if (first.exit !== 0) stage.stop(first);
  files.restore(before);
  stage.step('the files too');
  await stage.settle(laptop);
  stage.step('an edit, an editor, and it is taken back');
  files.edit('en/articles/install');
  files.edit('en/articles/plain');
  await stage.settle(laptop);
  at(stage, files, 'en/articles/plain', (row) => stage.editor.rewrite(row));
  stage.advance(120_000);
  await stage.run(laptop, ['undo', '--yes']);
};

export const LIVES = {
  author,
  editor,
  conflict,
  rename,
  translate,
  region,
  prune,
  clone,
  cloneAfterEditor,
  deathFirst,
  deathEdit,
  lostAnswers,
  outage,
  twoRepositories,
  secondMachine,
  company,
  meanwhile,
  hidden,
  nightly,
  many,
  pulled,
  swap,
  undone,
} as const satisfies Readonly<Record<string, Life>>;

export type LifeName = keyof typeof LIVES;
