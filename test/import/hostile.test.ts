import { mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SystemName } from '../../src/import/system-names.ts';
import { classicHtml } from '../../src/import/text/classic-html.ts';
import { picturesAtRisk } from '../../src/import/text/expiring-pictures.ts';
import { withoutShortcodes } from '../../src/import/text/shortcodes.ts';
import { imported } from './support/support.ts';
import type { Imported } from './support/support.ts';

let folder = '';
let runs: Imported[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kbsync-hostile-'));
});
afterEach(() => {
  for (const run of runs) run.close();
  runs = [];
  rmSync(folder, { recursive: true, force: true });
});

function put(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}
function from(system: SystemName, ...given: readonly string[]): Imported {
  const run = imported(system, given);
  runs.push(run);
  return run;
}
const article = (id: unknown, more: object = {}): object => ({
  id,
  title: 'T',
  body: '<p>x</p>',
  locale: 'en',
  ...more,
});
const whys = ({ report }: Imported): readonly string[] => report.skipped.map(({ why }) => why);

test('names that lead out of the folder, and names that no disk takes, become harmless ones', () => {
  const names = [
    '../../etc/passwd',
    '/etc/passwd',
    'con',
    '..',
    '.git',
    'a\u0000b',
    'C:\\x',
    'x'.repeat(4000),
    '💥',
    'index',
  ];
  const articles = names.map((title, at) => article(at + 1, { title }));
  const run = from('zendesk', put('a.json', { articles }));
  expect(run.report.records.map(({ action }) => action)).toEqual(names.map(() => 'created'));
  expect(run.files.every((file) => /^en\/articles\/[^/.][^/]{0,130}\.md$/.test(file))).toBe(true);
  expect(readdirSync(join(folder, '..')).filter((name) => name === 'etc')).toEqual([]);
});

test('ids of any shape stay apart', () => {
  const ids = [1, '1 ', 9007199254740993n.toString(), '__proto__', 'constructor', '../x', 'é', null];
  const run = from(
    'zendesk',
    put('a.json', { articles: ids.map((id, at) => article(id, { title: `T${at}` })) }),
  );
  const arrived = run.report.records.filter(({ kind }) => kind === 'article');
  // `1` and `'1 '` are one id: the broken export gave it to two records.
  expect(arrived.map(({ title }) => title).sort()).toEqual(['T0', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7']);
  expect(whys(run)).toHaveLength(1);
});

test('what is nested without end is reported and stops nothing', () => {
  const deep = '<div class="a">'.repeat(6_000);
  const lists = '['.repeat(200_000) + ']'.repeat(200_000);
  const paths = [
    put('a.json', { articles: [article(1, { body: `${deep}x` }), article(2)] }),
    put('b.json', lists),
    put('c.json', `{"categories":${lists}}`),
  ];
  const run = from('zendesk', ...paths);
  expect(run.files).toContain('en/articles/t-2.md');
  expect(run.report.records.find(({ id }) => id === '1')).toMatchObject({
    action: 'left',
    why: 'its elements are nested too deeply for kbsync to read',
  });
  for (const system of ['intercom', 'ghost', 'confluence', 'freshdesk'] as const) from(system, ...paths);
  from(
    'wordpress',
    put('f.json', { title: { rendered: '' }, content: { rendered: deep }, id: 1, status: 'publish' }),
  );
  from(
    'wordpress',
    put(
      'g.xml',
      `<rss><channel><item><wp:post_id>1</wp:post_id><content:encoded><![CDATA[${deep}]]></content:encoded></item></channel></rss>`,
    ),
  );
  from('confluence', put('h.html', `<div id="main-content">${deep}</div>`));
  const box = '<div class="intercom-interblocks-callout">'.repeat(6_000);
  from('intercom', put('i.json', { type: 'article', id: 1, title: 'T', state: 'published', body: box }));
  const cut = from('wordpress', put('j.xml', `<rss><channel>${'<a>'.repeat(2_000)}`));
  expect(whys(cut)).toEqual(['its elements are nested too deeply, so kbsync does not read the rest']);
  const storage = from('confluence', put('e.xhtml', `${'<ac:layout>'.repeat(50_000)}<p>x</p>`));
  expect(storage.report.records).toHaveLength(1);
});

test('files that are too large, archives, pipes and links are named', () => {
  const large = put('large.json', '{');
  truncateSync(large, 101_000_000);
  const zip = put('export.zip', 'PK\u0003\u0004');
  symlinkSync('/etc', join(folder, 'link'));
  put('fine.json', { articles: [article(1)] });
  const run = from('zendesk', folder, zip, join(folder, 'none.json'), '/dev/null');
  expect(run.files).toEqual(['en/articles/t.md']);
  expect(whys(run)).toEqual([
    'there is no such file',
    'it has 101 MB; kbsync reads at most 100 MB: export fewer records at once',
    'it is an archive: unpack it (unzip export.zip -d export) and give the folder',
    'it is not a regular file',
  ]);
});

test('a text that is no article is left out', () => {
  const run = from(
    'zendesk',
    put('a.json', { articles: [article(1, { body: 'x'.repeat(1_000_001) }), article(2)] }),
  );
  expect(run.report.records.map(({ action }) => action)).toEqual(['left', 'created']);
});

test('scripts and addresses that run them do not reach what a sync sends', () => {
  const body =
    '<p onclick="x()">a <a href="javascript:alert(1)">b</a><img src=x onerror=y()></p><script>z()</script>';
  const run = from('zendesk', put('a.json', { articles: [article(1, { body })] }));
  expect(run.report.records[0]?.text?.dropped).toEqual(expect.arrayContaining(['<script>']));
});

test('the order of records and files plays no part', () => {
  const articles = [3, 1, 2].map((id) => article(id, { title: 'Same', section_id: 9, position: 0 }));
  const section = {
    sections: [{ id: 9, category_id: 8, name: 'S', locale: 'en' }],
    categories: [{ id: 8, name: 'C', locale: 'en' }],
  };
  const one = from('zendesk', put('a.json', { articles }), put('b.json', section));
  const other = from('zendesk', put('b.json', section), put('c.json', { articles: articles.toReversed() }));
  expect(other.files).toEqual(one.files);
  for (const file of one.files) expect(other.file(file)).toBe(one.file(file));
});

test('categories in a circle lose one link', async () => {
  const circle = [
    { id: 1, name: 'A', parent_section_id: 2, locale: 'en' },
    { id: 2, name: 'B', parent_section_id: 1, locale: 'en' },
    { id: 3, name: 'C', parent_section_id: 2, locale: 'en' },
  ];
  const run = from('zendesk', put('a.json', { sections: circle, articles: [article(4, { section_id: 3 })] }));
  expect((await run.problems()).filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(run.files).toContain('en/articles/a/b/c/t.md');
});

const wxr = (encoding: string, title: string): string =>
  `<?xml version="1.0" encoding="${encoding}"?><rss><channel><item><title>${title}</title><wp:post_id>1</wp:post_id><wp:status>publish</wp:status><wp:post_type>post</wp:post_type><content:encoded><![CDATA[<p>${title}</p>]]></content:encoded></item></channel></rss>`;

test('a text is read in the encoding that it names, and what is not in it is told with its place', () => {
  const bytes = (name: string, text: string, encoding: BufferEncoding): string => {
    const path = join(folder, name);
    writeFileSync(path, Buffer.from(text, encoding));
    return path;
  };
  const title = (run: Imported): readonly string[] => run.report.records.map((record) => record.title);
  const latin = from('wordpress', bytes('a.xml', wxr('ISO-8859-1', 'Café'), 'latin1'));
  expect([title(latin), whys(latin)]).toEqual([['Café'], []]);
  const wide = from('wordpress', bytes('b.xml', wxr('UTF-16', 'Café'), 'utf16le'));
  expect([title(wide), whys(wide)]).toEqual([['Café'], []]);
  const untrue = from('wordpress', bytes('c.xml', wxr('UTF-16', 'Café'), 'utf8'));
  expect([title(untrue), whys(untrue)]).toEqual([['Café'], []]);
  const unknown = from('wordpress', bytes('d.xml', wxr('x-none', 'Café'), 'utf8'));
  expect([title(unknown), whys(unknown)]).toEqual([['Café'], []]);
  const page =
    '<html><head><meta charset="windows-1252"></head><body><div id="main-content">Café</div></body></html>';
  const html = from('confluence', bytes('Page_1.html', page, 'latin1'));
  expect(html.file(html.files[0] ?? '')).toContain('Café');
  const wrong = from('wordpress', bytes('e.xml', wxr('UTF-8', 'Café'), 'latin1'));
  expect(title(wrong)).toEqual(['Caf�']);
  expect(whys(wrong)).toEqual([
    '2 characters of it are not utf-8 and became �, the first at line 1, column 69',
  ]);
});

// The first one took twice the time for each attribute, the others minutes.
test.each([
  ['many attributes before one without a value', `[et_pb_row${' a="x"'.repeat(2000)} fullwidth]`],
  ['shortcodes without an end', '[a b='.repeat(200_000)],
  ['captions and code without an end', '[caption][code a]'.repeat(60_000)],
  ['openings without an end', '[caption [code [embed '.repeat(50_000)],
])('shortcodes are read in one walk: %s', (_, html) => {
  expect(withoutShortcodes(html)).toEqual({ html, left: [] });
});

test('blanks and line ends of the old editor, and pictures without an end, take no longer than their length', () => {
  const [lines, blanks] = ['\n'.repeat(1_000_000), ' '.repeat(1_000_000)];
  expect(classicHtml(`<ul><li>a${lines}</li></ul>`)).toMatch(/^<ul>\s*<li><p>a<\/p><\/li>\s*<\/ul>$/);
  expect(classicHtml(`<ul><li>a${blanks}b \nc</li></ul>`)).toMatch(/b<br>\s*c<\/li>/);
  expect(picturesAtRisk('<img '.repeat(40_000))).toEqual([]);
});
