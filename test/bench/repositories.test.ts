import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const TOOL = join(import.meta.dirname, '../../bench/repositories.mjs');

type Faulty = readonly { readonly file: string; readonly faults: readonly string[] }[];

interface Report {
  readonly repositories: readonly {
    readonly init: { readonly preset?: string; readonly linesByHand: number };
    readonly check?: { readonly seconds: number; readonly megabytes: number; readonly failed?: string };
    readonly articles?: {
      readonly found: number;
      readonly planned: number;
      readonly leftOut: Readonly<Record<string, Readonly<Record<string, number>>>>;
    };
    readonly faulty?: Faulty;
    readonly withFiles?: { readonly faulty: Faulty };
  }[];
}

function repositoryOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-repositories-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function measured(folder: string, ...flags: readonly string[]): Report['repositories'][number] {
  const answer = execFileSync(process.execPath, [TOOL, '--json', ...flags, folder], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const { repositories } = JSON.parse(answer) as Report;
  const [report] = repositories;
  if (report === undefined) throw new Error('no report');
  return report;
}

const WORDS = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda omicron';

test('says which files become articles, which do not, and what a reader of each page misses', () => {
  const folder = repositoryOf({
    'README.md': '# For people who read the repository\n',
    'content/en/articles/good.md': '---\ntitle: Good\n---\n\n## One\n\nText with `{% code %}` in it.\n',
    'content/en/articles/raw.md': '---\ntitle: Raw\n---\n\n{% hint %}\n\nText.\n\n{% endhint %}\n',
    'content/en/articles/lost.md': `---\ntitle: Lost\n---\n\n<iframe src="https://example.com/v/42">\n\n${WORDS}\n`,
    'content/en/articles/twice.md': '---\ntitle: Twice told\n---\n\n# Twice Told\n\n[a](/nowhere)\n',
  });
  const before = readdirSync(folder, { recursive: true });
  const { init, check, articles, faulty } = measured(folder);
  expect(init).toMatchObject({ preset: 'kbsync', linesByHand: 0 });
  expect(check?.seconds).toBeGreaterThan(0);
  expect(check?.megabytes).toBeGreaterThan(0);
  expect(articles).toMatchObject({
    found: 5,
    planned: 4,
    leftOut: { 'outside the content folder': { '.': 1 } },
  });
  expect(Object.fromEntries((faulty ?? []).map(({ file, faults }) => [file, faults]))).toEqual({
    'content/en/articles/raw.md': ['raw syntax'],
    'content/en/articles/lost.md': ['a third of the words lost', 'videos and frames lost', 'empty'],
    'content/en/articles/twice.md': ['title twice', 'root links to nowhere'],
  });
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});

test('a repository without a page has no articles, and the reason of check stands in their place', () => {
  const { check, articles } = measured(repositoryOf({ 'notes.txt': 'No page is here.\n' }));
  expect(check?.failed).toContain('does not exist');
  expect(articles).toBeUndefined();
});

test('with --files, a picture in the repository is no fault of a service that keeps files; a missing one is', () => {
  const folder = repositoryOf({
    'content/en/articles/shown.md': '---\ntitle: Shown\n---\n\nText.\n\n![A](./a.png)\n',
    'content/en/articles/a.png': 'a picture',
    'content/en/articles/gone.md': '---\ntitle: Gone\n---\n\nText.\n\n![B](./b.png)\n',
  });
  const { faulty, withFiles } = measured(folder, '--files');
  const files = (pages: Faulty = []): readonly string[] => pages.map(({ file }) => file).toSorted();
  expect(files(faulty)).toEqual(['content/en/articles/gone.md', 'content/en/articles/shown.md']);
  expect(files(withFiles?.faulty)).toEqual(['content/en/articles/gone.md']);
});

test('what an author wants to be read is no fault: a sign of headings in a heading, one with a backslash, a comment with code in it, marks that no generator takes', () => {
  const folder = repositoryOf({
    'content/en/articles/good.md': `---
title: Good
---

### # Columns

\\# of records

<!-- Not yet:

\`\`\`bash
a
\`\`\`

![A](a.png)

-->

**!!! Not yet ready, so wait. !!!**
`,
    'content/en/articles/raw.md': '---\ntitle: Raw\n---\n\n!!! note "Mind"\n\nText.\n',
  });
  expect(measured(folder).faulty?.map(({ file, faults }) => [file, faults])).toEqual([
    ['content/en/articles/raw.md', ['raw syntax']],
  ]);
});
