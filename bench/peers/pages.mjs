/**
 * The same Markdown files for every tool: pages of real documentation, 7 KB on average, flat in one folder, each with two
 * relative links. `category` is what ReadMe asks for; kbsync is told to leave it to others, the rest do not look at it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bodyOf, numbers } from '../corpus.mjs';

const PAGES = 'content/en/articles';

/** Writes `count` pages below the folder and answers where they are; equal counts give equal files. */
export function writePages(folder, count, paragraphs) {
  const pages = join(folder, PAGES);
  mkdirSync(pages, { recursive: true });
  const random = numbers(20_260_101);
  for (let n = 0; n < count; n++) {
    const links = [1, 2].map((step) => {
      const other = (n + step * 37) % count;
      return `See also [article ${other}](${slugOf(other)}.md).`;
    });
    const body = [`This is article ${n} of ${count}.`, ...bodyOf(paragraphs, random), ...links];
    const head = `---\ntitle: ${titleOf(n)}\ncategory:\n  uri: guides\n---\n`;
    writeFileSync(fileOf(pages, n), `${head}\n${body.join('\n\n')}\n`);
  }
  return pages;
}

/** What a writer does: one more sentence in one page. The text is new at every call. */
export function changePage(pages, n, sentence) {
  const file = fileOf(pages, n);
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n${sentence}\n`);
}

/** Title and Markdown body of each page, for a tool that does not read Markdown files. */
export function readPages(pages, count) {
  return Array.from({ length: count }, (_, n) => {
    const [, , body] = /^---\n([\s\S]*?)\n---\n\n?([\s\S]*)$/.exec(readFileSync(fileOf(pages, n), 'utf8'));
    return { slug: slugOf(n), title: titleOf(n), body };
  });
}

function fileOf(pages, n) {
  return join(pages, `${slugOf(n)}.md`);
}

function titleOf(n) {
  return `Article ${n}`;
}

function slugOf(n) {
  return `article-${String(n).padStart(5, '0')}`;
}
