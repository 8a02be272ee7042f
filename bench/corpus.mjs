/**
 * Generated articles: distinct bodies made of paragraphs of real documentation, about 7 KB each, below 40 categories in
 * two levels and with 60 tags. Equal counts give equal files.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TOP_CATEGORIES = 8;
const SUB_CATEGORIES = 4;
const TAGS = 60;
const BYTES_MIN = 2_000;
const BYTES_SPREAD = 9_300;
const ARCHIVE = new URL('../../shared/corpora/dev-neutral.tar.xz', import.meta.url).pathname;
const EXAMPLE = new URL('../content-example', import.meta.url).pathname;

/** Writes the content folder; answers how many files and bytes it has. */
export function writeCorpus(folder, articles, paragraphs) {
  const random = numbers(20_260_101);
  const write = writer(join(folder, 'en'));
  const categories = writeCategories(write);
  for (let n = 0; n < TAGS; n++) write(`tags/tag-${pad(n, 2)}.md`, { name: `Tag ${n}` }, '');
  const pathOf = (n) => `${categories[n % categories.length]}/article-${pad(n, 5)}`;
  for (let n = 0; n < articles; n++) {
    const tags = [0, 1, 2].map((nth) => `tag-${pad((n * 7 + nth * 19) % TAGS, 2)}`);
    const links = [1, 2].map((step) => {
      const other = (n + step * 37) % articles;
      return `See also [article ${other}](${'../'.repeat(pathOf(n).split('/').length - 1)}${pathOf(other)}.md).`;
    });
    const body = [`This is article ${n} of ${articles}.`, ...bodyOf(paragraphs, random), ...links];
    write(
      `articles/${pathOf(n)}.md`,
      { title: `Article ${n}`, tags: `[${tags.join(', ')}]` },
      body.join('\n\n'),
    );
  }
  return { files: articles + categories.length + TAGS, bytes: write.bytes() };
}

function writeCategories(write) {
  const names = [];
  for (let top = 0; top < TOP_CATEGORIES; top++) {
    const parent = `topic-${top}`;
    write(`categories/${parent}.md`, { name: `Topic ${top}`, priority: top }, '');
    names.push(parent);
    for (let sub = 0; sub < SUB_CATEGORIES; sub++) {
      write(`categories/${parent}/part-${top}-${sub}.md`, { name: `Topic ${top}, part ${sub}` }, '');
      names.push(`${parent}/part-${top}-${sub}`);
    }
  }
  return names;
}

export function bodyOf(paragraphs, random) {
  const wanted = BYTES_MIN + random() * BYTES_SPREAD;
  const body = [];
  for (let size = 0; size < wanted;) {
    const paragraph = paragraphs[Math.floor(random() * paragraphs.length)];
    body.push(paragraph);
    size += paragraph.length + 2;
  }
  return body;
}

function writer(root) {
  let bytes = 0;
  const write = (path, frontMatter, body) => {
    const head = Object.entries(frontMatter).map(([name, value]) => `${name}: ${value}\n`);
    const text = `---\n${head.join('')}---\n${body === '' ? '' : `\n${body}\n`}`;
    const file = join(root, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    bytes += Buffer.byteLength(text);
  };
  return Object.assign(write, { bytes: () => bytes });
}

/** Paragraphs, lists, tables and code of the real corpora, or of content-example when those are not here. */
export function realParagraphs() {
  if (!existsSync(ARCHIVE)) return { from: 'content-example', paragraphs: paragraphsBelow(EXAMPLE) };
  const unpacked = mkdtempSync(join(tmpdir(), 'kbsync-bench-texts-'));
  try {
    execFileSync('tar', ['-xJf', ARCHIVE, '-C', unpacked]);
    return { from: 'the development corpora', paragraphs: paragraphsBelow(unpacked) };
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

function paragraphsBelow(folder) {
  const files = readdirSync(folder, { recursive: true })
    .filter((path) => /(?:^|\/)en\/articles\/.*\.md$/.test(path))
    .sort((a, b) => (a < b ? -1 : 1));
  const found = files.flatMap((path) => blocks(readFileSync(join(folder, path), 'utf8')));
  return [...new Set(found)];
}

/** Blocks between blank lines, code fences whole; without links, images and raw HTML, which lead out of the text. */
function blocks(text) {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '');
  const whole = body.match(/^```[^\n]*\n[\s\S]*?\n```$|^\S(?:[^\n]|\n(?!\n|```))*$/gm) ?? [];
  return whole.filter(
    (block) =>
      block.length >= 40 &&
      block.length <= 2_000 &&
      (/^```[^\n]*\n[\s\S]*\n```$/.test(block) || !/[<>{}]|\]\(|\]\[|^\[|!\[|```|~~~|^---|^===/m.test(block)),
  );
}

/** mulberry32: small, fast and the same everywhere. */
export function numbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pad(n, width) {
  return String(n).padStart(width, '0');
}
