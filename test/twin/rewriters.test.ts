import { expect, test } from 'vitest';
import { createRepository } from './support/repository.ts';
import type { Habit } from './support/service/habit.ts';
import { createStage } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

type Rewrite = (html: string) => string;

/** What becomes of a page; comments stay, unless the rewriting takes them. */
function pages(...rewrites: readonly Rewrite[]): Habit {
  return {
    stores: (value, field) => {
      if (typeof value !== 'string' || (field !== 'content' && field !== 'longDescription')) return value;
      return rewrites.reduce((html, rewrite) => rewrite(html), value);
    },
  };
}

/** Changes what stands between tags, outside of code and comments. */
const texts =
  (change: Rewrite): Rewrite =>
  (html) =>
    html.replaceAll(
      /(<!--[\s\S]*?-->|<(pre|code|a)\b[\s\S]*?<\/\2>|<[^>]*>)|([^<]+)/g,
      (whole, markup: string | undefined) => (markup === undefined ? change(whole) : whole),
    );

const without =
  (pattern: RegExp): Rewrite =>
  (html) =>
    html.replaceAll(pattern, '');
const replaced =
  (pattern: RegExp, by: string): Rewrite =>
  (html) =>
    html.replaceAll(pattern, by);

const noComments = without(/<!--[\s\S]*?-->/g);
const noMarks = without(/ (?:id|class|style)="[^"]*"/g);

/** Each like a help centre of the field, in its own mix. */
const REWRITERS: Readonly<Record<string, Habit>> = {
  'a ticket system: links open elsewhere, tables get a wrapper, pictures are lazy': pages(
    replaced(/<a (?![^>]*\brel=)(?=[^>]*href="http)/g, '<a rel="noopener noreferrer" target="_blank" '),
    (html) =>
      html.includes('table-wrap')
        ? html
        : html.replaceAll(/<table>[\s\S]*?<\/table>/g, '<div class="table-wrap">$&</div>'),
    replaced(/<img (?!loading)/g, '<img loading="lazy" '),
  ),
  'an editor of blocks: no ids and classes, strong and em, paragraphs in lists, no comments': pages(
    noComments,
    noMarks,
    replaced(/<(\/?)b>/g, '<$1strong>'),
    replaced(/<(\/?)i>/g, '<$1em>'),
    replaced(/<li>((?:(?!<p|<\/li>)[\s\S])*)<\/li>/g, '<li><p>$1</p></li>'),
  ),
  'a wiki: whole addresses, ids on headings': pages(
    replaced(/(href|src)="\/(?!\/)/g, '$1="https://help.acme.test/'),
    replaced(/<h(\d)>([^<]*)</g, '<h$1 id="section">$2<'),
  ),
  'a typographer: smart quotes, dashes, numeric entities': pages(
    texts((text) => text.replaceAll(/(\w)'(\w)/g, '$1’$2').replaceAll(/"([^"]*)"/g, '“$1”')),
    texts((text) => text.replaceAll(/[\u0080-\uffff]/g, (sign) => `&#${sign.charCodeAt(0)};`)),
  ),
  'a strict sanitiser: no tables, no frames, no styles': pages(
    without(/<table\b[\s\S]*?<\/table>/g),
    without(/<iframe\b[\s\S]*?<\/iframe>/g),
    noMarks,
  ),
  'an autolinker: addresses in the text become links': pages(
    texts((text) => text.replaceAll(/https?:\/\/[^\s<]+/g, '<a href="$&" rel="nofollow">$&</a>')),
  ),
  'an XML store: closed tags, single quotes, CRLF, other entities': pages(
    replaced(/<(br|hr|img)([^>]*?)\s*\/?>/g, '<$1$2 />'),
    (html) => html.replaceAll(/<[a-z][^>]*>/g, (tag) => tag.replaceAll(/="([^"']*)"/g, "='$1'")),
    replaced(/&quot;/g, '&#34;'),
    replaced(/\r?\n/g, '\r\n'),
  ),
  'a minifier: no space between blocks, no end tags that may be left out': pages(
    replaced(/>\s*\n\s*<(?!code)/g, '><'),
    without(/<\/(?:p|li|td|th|tr|thead|tbody)>(?=<)/g),
  ),
  'a page builder: a wrapper, inline styles, spans': pages(
    replaced(/<p>([^<]*)<\/p>/g, '<p style="margin: 0"><span data-block="1">$1</span></p>'),
    (html) =>
      html.includes('class="page-body"') || html === ''
        ? html
        : html.replace(/^([\s\S]*?)(\s*<!--[\s\S]*)?$/, '<div class="page-body">$1</div>$2'),
  ),
  'a widget: a question below each page, a proxy for links': pages(
    replaced(/href="(https:\/\/example[^"]*)"/g, 'href="https://help.acme.test/go?to=$1"'),
    (html) =>
      html.includes('class="vote"') || html === ''
        ? html
        : html.replace(/^([\s\S]*?)(\s*<!--[\s\S]*)?$/, '$1<div class="vote">Did this help?</div>$2'),
  ),
};

/** What these take away or add shows in no other way. */
const LOSSY = new Set(
  ['a strict sanitiser', 'a widget'].flatMap((start) =>
    Object.keys(REWRITERS).filter((name) => name.startsWith(start)),
  ),
);

const RICH = `
## What is needed

Some **bold** and *soft* words, a [guide](https://example.com/guide) and https://example.com/plain as text.

- one & two
- \`kbsync --help\`

| name | value |
|---|---|
| a | 1 |

![A picture](https://cdn.example.com/a.png)

\`\`\`sh
npm install
\`\`\`

It's "ready" – 100 %.
`;

/** First sync, edits, a checkout without memory, and a death between a write and its answer. */
async function life(stage: Stage, isLossy: boolean): Promise<void> {
  const files = createRepository('A');
  files.add('en/categories/start', 'Start', { description: 'How to begin' });
  files.add('en/articles/install', 'Install', { categories: ['start'], excerpt: 'How it gets there.' }, RICH);
  files.add('fr/articles/install', 'Installer', { categories: ['start'] }, RICH);
  files.add('en/articles/plain', 'Plain');
  const laptop = stage.machine('laptop', files);
  await stage.settle(laptop);
  for (const name of ['an edit', 'one more edit']) {
    stage.step(name);
    files.edit('en/articles/install');
    files.edit('fr/articles/install');
    await stage.settle(laptop);
  }
  stage.step('a fresh clone');
  const ci = stage.machine('ci', files);
  await stage.settle(ci);
  // Without a memory nobody can tell a table that the service dropped from one that an editor took out.
  if (!isLossy) {
    stage.step('an edit after it');
    files.edit('en/articles/install');
    await stage.settle(ci);
    await stage.settle(laptop);
  }
  stage.step('a death');
  files.edit('en/articles/install');
  files.edit('fr/articles/install');
  await stage.run(laptop, undefined, { dies: { atWrite: 1, when: 'after' } });
  await stage.settle(laptop);
  stage.step('every night');
  const night = await stage.run(laptop, ['sync', '--yes', '--on-drift', 'overwrite']);
  if (night.writes > 0) stage.fault(`${night.writes} writes at night, and nobody had changed anything`);
}

for (const [name, habit] of Object.entries(REWRITERS))
  test(`${name}: edits, a fresh clone and a death end in sync`, async () => {
    const stage = await createStage([habit], 1);
    try {
      await life(stage, LOSSY.has(name));
      expect([...stage.faults, ...stage.stops.map(({ step, said }) => `${step}: ${said}`)]).toEqual([]);
    } finally {
      await stage.close();
    }
  });

test('what a service does not keep is told once for each record, and then no more', async () => {
  const stage = await createStage(
    [REWRITERS['a strict sanitiser: no tables, no frames, no styles'] ?? {}],
    1,
  );
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install', {}, RICH);
    const laptop = stage.machine('laptop', files);
    const first = await stage.run(laptop, ['sync', '--yes', '--json']);
    expect(first.said).toContain(
      '"lost": [ { "kind": "article", "key": "article/install@en", "lang": "en", "field": "content", "what": "table" } ]',
    );
    files.edit('en/articles/install');
    expect((await stage.run(laptop)).said).not.toContain('lost');
    files.add('en/articles/other', 'Other', {}, RICH);
    expect((await stage.run(laptop)).said).toContain(
      'lost article/other@en: the service does not keep <table> in content',
    );
    expect(stage.faults).toEqual([]);
  } finally {
    await stage.close();
  }
});

test.each<[string, number, (order: number) => number]>([
  ['rounds its order', 1.5, (order) => Math.round(order)],
  ['limits its order', 250, (order) => Math.min(order, 100)],
  ['puts it last', 3, () => 7],
])('a service that files a page under one category, and %s, is no editor', async (_, ordering, kept) => {
  const one: Habit = {
    stores: (value, field) =>
      field === 'categories' && Array.isArray(value)
        ? value.slice(0, 1)
        : field === 'ordering'
          ? kept(Number(value))
          : value,
  };
  const stage = await createStage([one], 1);
  try {
    const files = createRepository('A');
    files.add('en/categories/guides', 'Guides');
    files.add('en/categories/news', 'News');
    files.add('en/articles/install', 'Install', { categories: ['guides', 'news'], ordering });
    const laptop = stage.machine('laptop', files);
    const { said } = await stage.run(laptop);
    expect(said).toContain('lost article/install@en: the service keeps only some of the categories');
    expect(said).toContain('lost article/install@en: the service keeps another number as ordering');
    files.edit('en/articles/install');
    const second = await stage.run(laptop);
    expect(second.said).not.toMatch(/drift|lost/);
    files.remove('en/articles/install');
    const pruned = await stage.run(laptop, ['sync', '--yes', '--prune']);
    expect(pruned.said).not.toContain('conflict');
    expect(stage.faults).toEqual([]);
  } finally {
    await stage.close();
  }
});

/** Makes each slug of the title, as many help desks do. */
const NAMES_SLUGS: Habit = {
  stores: (value, field, _kind, { sent }) =>
    field === 'slug' ? `page-${String(sent['title'] ?? sent['name']).toLowerCase()}` : value,
};

test('a pull brings the slugs home that the service made, so a clone without a state is in sync', async () => {
  const stage = await createStage([NAMES_SLUGS], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'First', { slug: 'install' });
    files.add('en/articles/plain', 'Second');
    files.add('fr/articles/plain', 'Deuxieme');
    const laptop = stage.machine('laptop', files);
    expect((await stage.run(laptop)).exit).toBe(5);
    expect((await stage.run(laptop)).said).toContain('slug install → page-first on the site');
    const pulled = await stage.run(laptop, ['pull']);
    expect([pulled.exit, pulled.said]).toEqual([0, expect.stringContaining('3 updated')]);
    await laptop.forget();
    const cloned = await stage.run(laptop);
    expect([cloned.exit, cloned.writes, /drift|blocked/.test(cloned.said)]).toEqual([0, 0, false]);
    expect(stage.faults).toEqual([]);
  } finally {
    await stage.close();
  }
});
