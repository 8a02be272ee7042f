import pLimit from 'p-limit';
import { ThreadError } from '../../service/thread.ts';
import type { Store } from '../../service/store/store.ts';
import { pageOf } from '../addresses.ts';
import { type Edition } from '../data/edition.ts';
import { readAnew } from '../data/recall.ts';
import { type Bodies, MarkdownError } from '../text/body.ts';
import { createMemory } from '../text/memory.ts';
import type { MarkdownArticle } from '../text/to-markdown.ts';
import { llmsOf } from './llms.ts';
import { shelvesOf } from './shelves.ts';

/** Of the file. Programs that read more of a site at once ask for its pages. */
const FULL_CHARS_MAX = 500_000;
/** HTML that is read for it: Markdown is shorter, seldom by more than half. */
const READ_CHARS_MAX = 2 * FULL_CHARS_MAX;
const REMEMBERED_CHARS_MAX = 2_000_000;
/** Files that wait for their turn. Without `--site-url` each host that a request names has files of its own, and each wait holds one of the site's pages. */
const WAITING_MAX = 16;

/** What names one file: a state of the store, a site and a language. */
export interface FullAsked {
  readonly name: string;
  readonly origin: string;
  /** Its `sql` is not used: the file is read when it is its turn. */
  readonly edition: Edition;
  /** Of the store. */
  readonly mark: string;
}

/**
 * `/llms-full.txt`, `/fr/llms-full.txt`: the articles of a language one after the other, each as its Markdown form says it, under
 * its address. What does not fit is counted at the end, with the way to it. One file is made at a time, and who asks for the same
 * waits for the same.
 * @throws ThreadError `busy`
 */
export function createFullTexts(store: Store, bodies: Bodies): (asked: FullAsked) => Promise<string> {
  const made = createMemory<Promise<string>>(REMEMBERED_CHARS_MAX);
  const turn = pLimit(1);
  return ({ name, origin, edition, mark }) => {
    const key = JSON.stringify([mark, origin, edition.language]);
    const known = made.get(key);
    if (known !== undefined) return known;
    if (turn.pendingCount >= WAITING_MAX) {
      return Promise.reject(new ThreadError('busy', 'many files of all pages are being written already'));
    }
    const making = turn(async () => {
      const read = await store.read((sql) => readFullText({ ...edition, sql, recall: readAnew }, origin));
      return written(read, { name, list: origin + llmsOf(edition.language), bodies });
    });
    made.set(key, making, FULL_CHARS_MAX);
    // The next one who asks may have more luck.
    making.catch(() => made.drop(key));
    return making;
  };
}

/** Articles with their texts, and how many more there are. */
interface FullText {
  readonly pages: readonly MarkdownArticle[];
  readonly more: number;
}

interface Row {
  readonly title: string;
  readonly excerpt: string;
  readonly html: string;
}

/** The public articles that are really in the language, in the order of the site, as far as one file holds them. */
async function readFullText(edition: Edition, origin: string): Promise<FullText> {
  const articles = (await shelvesOf(edition)).flatMap((shelf) => shelf.articles);
  const pages: MarkdownArticle[] = [];
  let chars = 0;
  for (const { id, language, slug } of articles) {
    const row = await edition.sql.get<Row>(
      'select name as title, excerpt, content as html from articles where id = ?',
      id,
    );
    chars += row?.html.length ?? 0;
    if (row === undefined || chars > READ_CHARS_MAX) break;
    pages.push({ ...row, language, address: origin + pageOf('article', language, slug) });
  }
  return { pages, more: articles.length - pages.length };
}

async function written(
  { pages, more }: FullText,
  { name, list, bodies }: { readonly name: string; readonly list: string; readonly bodies: Bodies },
): Promise<string> {
  const parts = [`# ${name.replaceAll(/\s+/g, ' ')}\n\n> Every page on its own: ${list}\n`];
  let chars = parts[0]?.length ?? 0;
  let left = more;
  for (const [at, page] of pages.entries()) {
    const text = await textOf(page, bodies);
    const part = `\n---\n\nSource: ${page.address}\n\n${text.trimEnd()}\n`;
    if (chars + part.length > FULL_CHARS_MAX) {
      left += pages.length - at;
      break;
    }
    chars += part.length;
    parts.push(part);
  }
  if (left > 0) parts.push(`\n---\n\n${left} more pages are not in this file: ${list}\n`);
  return parts.join('');
}

/** One text that cannot be made into Markdown must not keep the others from being read. */
async function textOf(page: MarkdownArticle, bodies: Bodies): Promise<string> {
  try {
    return await bodies.markdownOf(page);
  } catch (error) {
    if (!(error instanceof MarkdownError)) throw error;
    return `# ${page.title.replaceAll(/\s+/g, ' ')}\n\n(This page is too long for this file.)`;
  }
}
