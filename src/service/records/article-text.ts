import { DEPTH_MAX, readHtml } from '../html.ts';
import { Refusal } from '../refusal.ts';
import { type IndexedText, indexedText } from '../search/index-articles.ts';
import type { Dialect } from '../store/store.ts';
import { createThread } from '../thread.ts';
import { ARTICLE_TEXT_THREAD } from '../threads.ts';

/** What lists, link manager and search show of an article's content. */
export interface ArticleText {
  readonly links: readonly string[];
  readonly summary: string;
  readonly indexed: IndexedText;
  readonly isTooDeep: boolean;
}

export interface ArticleTextTask {
  readonly title: string;
  readonly content: string;
  readonly dialect: Dialect;
}

const LINKS_MAX = 5000;
/** A longer text is read in a thread: it would keep everybody else waiting. */
const INLINE_CHARS_MAX = 50_000;
const thread = createThread<ArticleTextTask, ArticleText>(ARTICLE_TEXT_THREAD);

/** Any text is HTML; takes time in proportion to it. */
export function readArticleText({ title, content, dialect }: ArticleTextTask): ArticleText {
  const { links, summary, text, isTooDeep } = readHtml(content);
  return { links, summary, indexed: indexedText(dialect, title, text), isTooDeep };
}

/**
 * Reads the content before the store is asked for a transaction.
 * @throws Refusal 400 for content that no reader could be shown; ThreadError
 */
export async function articleText(task: ArticleTextTask): Promise<ArticleText> {
  const read = task.content.length <= INLINE_CHARS_MAX ? readArticleText(task) : await thread.run(task);
  if (read.isTooDeep) throw tooDeep('content');
  if (read.links.length > LINKS_MAX) {
    throw new Refusal(400, `content: links to ${read.links.length} addresses; at most ${LINKS_MAX}`);
  }
  return read;
}

/** @throws Refusal 400 for a text that no reader could be shown */
export async function checkLongText(field: string, html: string | null | undefined): Promise<void> {
  if (html === null || html === undefined) return;
  const task = { title: '', content: html, dialect: 'sqlite' } as const;
  const read = html.length <= INLINE_CHARS_MAX ? readHtml(html) : await thread.run(task);
  if (read.isTooDeep) throw tooDeep(field);
}

function tooDeep(field: string): Refusal {
  return new Refusal(400, `${field}: its elements are nested more than ${DEPTH_MAX} deep`);
}
