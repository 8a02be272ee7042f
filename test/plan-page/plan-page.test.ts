import { createHash } from 'node:crypto';
import { array, assert, constantFrom, oneof, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/model/fields.ts';
import { keyOf } from '../../src/model/key.ts';
import type { Change, Plan } from '../../src/plan/plan.ts';
import { markedHtml } from '../../src/plan-page/marked-html.ts';
import { planMarkdown } from '../../src/plan-page/comment.ts';
import { planPage } from '../../src/plan-page/page.ts';
import { EVERYTHING, NOTHING } from '../cli/support/sample-plan.ts';

const unmarked = (html: string): string => html.replaceAll(/<\/?(?:ins|del)>/g, '');

describe('marks', () => {
  test('are on the words that changed, and tags stay outside', () => {
    const marked = markedHtml(
      '<p>Paid within <b>10 days</b>.</p><ul><li>one</li><li>two</li></ul>',
      '<p>Paid within <b>5 days</b>, always.</p><ul><li>one</li><li>2</li></ul>',
    );
    expect(marked.before).toBe(
      '<p>Paid within <b><del>10</del> days</b>.</p><ul><li>one</li><li><del>two</del></li></ul>',
    );
    expect(marked.after).toBe(
      '<p>Paid within <b><ins>5</ins> days</b><ins>, always</ins>.</p><ul><li>one</li><li><ins>2</ins></li></ul>',
    );
    expect([marked.removed, marked.added]).toEqual([2, 3]);
  });

  test('are on the whole of a block that is new, and on nothing beside it', () => {
    const marked = markedHtml('<h2>A</h2><p>a</p>', '<h2>A</h2><pre><code>x</code></pre><p>a</p>');
    expect(marked.before).toBe('<h2>A</h2><p>a</p>');
    expect(marked.after).toBe('<h2>A</h2><pre><code><ins>x</ins></code></pre><p>a</p>');
  });

  test('are on words of a script that writes no spaces', () => {
    expect(markedHtml('<p>私は猫が好きです</p>', '<p>私は犬が好きです</p>').after).toContain('<ins>犬</ins>');
  });

  test('take nothing from either side: without them each text is what it was', () => {
    const word = constantFrom(
      'one',
      'two',
      '&amp;',
      '日本',
      '<b>bold</b>',
      '<br>',
      ', ',
      ' ',
      '<a href="#x">y</a>',
    );
    const block = tuple(constantFrom('p', 'h2', 'pre', 'blockquote'), array(word, { maxLength: 8 })).map(
      ([tag, words]) => `<${tag}>${words.join('')}</${tag}>`,
    );
    const text = array(oneof(block, constantFrom('\n', 'loose ')), { maxLength: 8 }).map((all) =>
      all.join(''),
    );
    assert(
      property(text, text, (before, after) => {
        const marked = markedHtml(before, after);
        expect(unmarked(marked.before)).toBe(before);
        expect(unmarked(marked.after)).toBe(after);
      }),
      { numRuns: 500 },
    );
  });
});

function pageOf(
  plan: Plan,
  texts: Readonly<Record<string, { before?: Fields; after?: Fields }>> = {},
): string {
  return planPage({
    plan,
    textsOf: (key) => texts[key] ?? {},
    labelOf: (id) => plan.labels[id] ?? id,
    pageOf: (kind, lang, slug) => `https://help.acme.test/${lang}/${kind}s/${slug}`,
    resolving: ({ key }) => `kbsync resolve ${key} --local`,
    problems: [{ severity: 'warning', text: 'a.md:1:1: warning' }],
    baseUrl: 'https://help.acme.test',
    facts: ['commit 3f9c2ab'],
    sum: '1 create',
  });
}

function update(path: string, lang = 'en'): Change {
  const digest = createHash('sha256').update(path).digest('hex') as never;
  const fields = [
    { field: 'content', before: { digest }, after: { digest }, words: { added: 1, removed: 1 } },
  ];
  return {
    action: 'update',
    kind: 'article',
    key: keyOf('article', path, lang),
    lang,
    slug: path,
    name: path,
    fields,
  };
}

describe('the page', () => {
  test('asks nobody for anything: its style and script are allowed by their digests and nothing else is', () => {
    const page = pageOf(EVERYTHING);
    const csp = /http-equiv="Content-Security-Policy" content="([^"]*)"/
      .exec(page)?.[1]
      ?.replaceAll('&#39;', "'");
    const digest = (tag: string): string => {
      const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';
      return createHash('sha256').update(text).digest('base64');
    };
    expect(csp).toBe(
      `default-src 'none'; style-src 'sha256-${digest('style')}'; script-src 'sha256-${digest('script')}'; base-uri 'none'; form-action 'none'`,
    );
    expect(page).not.toMatch(/<(?:link|img|iframe|object)\b|\ssrc=|\sstyle=/);
  });

  test('shows conflicts first and open, then the rest closed', () => {
    const page = pageOf(EVERYTHING);
    const order = ['Conflicts', 'Problems', 'Edited on the site', 'Articles, en'].map((head) =>
      page.indexOf(`<h2>${head}`),
    );
    expect(order.every((at, index) => at > (order[index - 1] ?? 0))).toBe(true);
    const open = [...page.matchAll(/<details\s+class="card (\w+)"[^>]*?\sopen\s/g)].map(
      ([, action]) => action,
    );
    expect(open).toEqual(EVERYTHING.conflicts.map(() => 'conflict'));
  });

  test('up to five changes are shown unfolded, each with its title', () => {
    const few = { ...EVERYTHING, drift: [], changes: EVERYTHING.changes.slice(0, 2) };
    const page = pageOf(few);
    const cards = [...page.matchAll(/<details\s+class="card (?:create|update|delete)"[^>]*>/g)];
    expect(cards).toHaveLength(2);
    expect(cards.every(([tag]) => /\sopen\s/.test(tag))).toBe(true);
    for (const { name } of few.changes) expect(page).toContain(`<bdi class="name">${name}</bdi>`);
  });

  test('shows both sides of a text with its words marked, pictures as boxes, and no harm from either side', () => {
    const texts = {
      'article/a@en': {
        before: {
          content:
            '<p>Within 10 days.</p><script>alert(1)</script><img src="https://x.test/a.png" alt="A" onerror="alert(1)">',
        },
        after: { content: '<p>Within 5 days.</p><img src="https://x.test/a.png" alt="A">' },
      },
    };
    const page = pageOf({ ...NOTHING, changes: [update('a')] }, texts);
    expect(page).toContain('<p>Within <del>10</del> days.</p>');
    expect(page).toContain('<p>Within <ins>5</ins> days.</p>');
    expect(page).toContain('<span class="picture">picture A https://x.test/a.png</span>');
    expect(page).not.toMatch(/alert\(1\)|onerror/);
  });

  test('says it when only a link target differs', () => {
    const texts = {
      'article/a@en': {
        before: { content: '<p><a href="/x">go</a></p>' },
        after: { content: '<p><a href="/y">go</a></p>' },
      },
    };
    const page = pageOf({ ...NOTHING, changes: [update('a')] }, texts);
    expect(page).toContain('The words are the same; tags, link targets or spaces differ. Links: /x → /y.');
  });

  test('takes a name that is HTML for text', () => {
    const name = '<img src=x onerror=alert(1)>';
    const change: Change = {
      ...update('a'),
      fields: [{ field: 'title', before: name, after: '"><script>' }],
    };
    const page = pageOf({ ...NOTHING, changes: [change] });
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page.match(/<script/g)).toHaveLength(1);
  });

  test('leaves texts out after 20 MB, and says so', () => {
    const body = `<p>${'w'.repeat(3_000_000)}</p>`;
    const changes = Array.from({ length: 8 }, (_, at) => update(`a${at}`));
    const texts = Object.fromEntries(
      changes.map(({ key }) => [key, { before: { content: '<p>x</p>' }, after: { content: body } }]),
    );
    const page = pageOf({ ...NOTHING, changes }, texts);
    expect(page.match(/The text is left out/g)?.length).toBeGreaterThan(0);
    expect(page.length).toBeLessThan(25_000_000);
  });
});

describe('the comment', () => {
  const input = {
    name: 'docs',
    baseUrl: 'https://help.acme.test',
    sum: '2 create, 5 update',
    resolving: ({ key }: { readonly key: string }) => `kbsync resolve ${key} --local`,
    problems: [],
    outdated: [],
    facts: 'Commit 3f9c2ab, 10:41 UTC.',
  };

  test('says that a merge changes nothing if the plan has nothing to send', () => {
    expect(planMarkdown({ ...input, plan: NOTHING })).toContain('\nMerging changes nothing on ');
    expect(planMarkdown({ ...input, plan: EVERYTHING })).toContain('\nMerging publishes this to ');
  });

  test('begins with the mark by which it is found again, and shows conflicts before the table', () => {
    const text = planMarkdown({ ...input, plan: EVERYTHING });
    expect(text).toMatch(/^<!-- kbsync:plan:docs -->\n### Help centre: 2 create, 5 update\n/);
    expect(text.indexOf('> **Conflict**')).toBeLessThan(text.indexOf('|---|'));
    expect(text).toMatch(
      /<sub>Commit 3f9c2ab, 10:41 UTC\. Replaced at each push\. 205 unchanged\.<\/sub>\n$/,
    );
  });

  test('puts the languages of one record on one row', () => {
    const changes = [update('refunds', 'en'), update('refunds', 'fr')];
    expect(planMarkdown({ ...input, plan: { ...NOTHING, changes } })).toContain(
      '| ~ | `refunds` | en, fr | text +2 −2 words |',
    );
  });

  test('fits into a comment however long the plan is, ends after a whole row, and counts the rest', () => {
    const changes = Array.from({ length: 5000 }, (_, at) => update(`long-name-of-a-page-${at}`));
    const text = planMarkdown({ ...input, plan: { ...NOTHING, changes } });
    expect(text.length).toBeLessThanOrEqual(65_536);
    const rows = text.split('\n').filter((line) => line.startsWith('| ~ |'));
    expect(rows.every((row) => row.endsWith(' |'))).toBe(true);
    const left = Number(/(\d+) more do not fit/.exec(text)?.[1]);
    expect(left + rows.length).toBe(5000);
    expect(text).toContain('</details>');
  });

  test('lets no value of a record become Markdown, a mention or HTML', () => {
    const [conflict] = EVERYTHING.conflicts;
    if (conflict === undefined) throw new Error('test: the sample has no conflict');
    const fields = [{ field: 'excerpt', local: '@everyone <b>|x|</b>\n# head', remote: '[a](javascript:b)' }];
    const text = planMarkdown({ ...input, plan: { ...NOTHING, conflicts: [{ ...conflict, fields }] } });
    expect(text).toContain('@\u200beveryone \\<b\\>\\|x\\|\\</b\\> \\# head');
    expect(text).toContain('\\[a\\](javascript:b)');
  });

  test('hands no control character of a record on to the terminal', () => {
    const [conflict] = EVERYTHING.conflicts;
    if (conflict === undefined) throw new Error('test: the sample has no conflict');
    const evil = 'a\u001b]0;t\u0007\u001b[2J\u009b1m\u202eb';
    const fields = [{ field: 'title', local: evil, remote: evil }];
    const changes = [update(`key-${evil}`)];
    const text = planMarkdown({
      ...input,
      plan: { ...NOTHING, changes, conflicts: [{ ...conflict, fields }] },
      problems: [evil],
    });
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text).toContain('a\\\\x1b\\]0;t');
  });
});
