import { digestOf } from '../http/reply.ts';
import { createThreads, ThreadError, waitAtMost } from '../../service/thread.ts';
import { type Html, trusted } from '../html.ts';
import { TEXT_THREAD } from '../threads.ts';
import type { Words } from '../words/words.ts';
import { bodyDraft, type BodyDraft, safeHtml } from './body-draft.ts';
import { createHighlighter, type Highlighter } from './highlight.ts';
import type { MarkdownArticle } from './to-markdown.ts';
import { createMemory } from './memory.ts';
import { type BodyWords, type Heading, inWords } from './write-tree.ts';

/** What the thread is asked. */
export type TextTask =
  | { readonly type: 'body'; readonly html: string }
  | { readonly type: 'markdown'; readonly article: MarkdownArticle };

/** A text as its page shows it. */
export interface Body {
  readonly html: Html;
  readonly headings: readonly Heading[];
  /** False: the colours of its code come later. */
  readonly isWhole: boolean;
}

/** A body without the words of a language. */
interface WrittenBody {
  readonly text: string;
  readonly headings: readonly Heading[];
  readonly isWhole: boolean;
}

export interface Bodies {
  /**
   * Sanitised, with ids at headings and coloured code; the same text is made once while it is remembered. Colours that take
   * longer than a reader waits are there for the next reader.
   * @throws ThreadError when the text cannot be made into a page
   */
  readonly bodyOf: (html: string, words: Words) => Promise<Body>;
  /** @throws MarkdownError, or ThreadError `busy` */
  readonly markdownOf: (article: MarkdownArticle) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface BodiesOptions {
  readonly highlighter?: Highlighter;
  /** How long a page waits for the colours of its code. Default 300 ms. */
  readonly patienceMs?: number;
  /** Of Markdown that was made, so many characters are remembered. Default 4 million. */
  readonly markdownCharsMax?: number;
  /** Processor time for one text as Markdown. Default 5 s. */
  readonly markdownMs?: number;
  /** Processor time for the colours of one block. Default 1 s. */
  readonly blockMs?: number;
  /** So many long texts, and texts as Markdown, are made at a time. Default 1. */
  readonly threads?: number;
  /** Of the threads: see `ThreadOptions`. */
  readonly youngMb?: number | undefined;
  readonly aheadMax?: number | undefined;
}

const REMEMBERED_CHARS_MAX = 12_000_000;
/** A longer text is made in a thread: it would keep everybody else waiting. */
const INLINE_CHARS_MAX = 16_000;
/** Of one text, so much code is coloured. */
const COLOURED_CHARS_MAX = 400_000;
/** A text in which so many blocks do not end in time has the rest of them plain. */
const FAILED_BLOCKS_MAX = 3;
/** Texts that wait to be made into pages, together: more is refused before it fills the memory. */
const WAITING_CHARS_MAX = 8_000_000;

/** `too-long` Markdown of a text takes too much time or memory, each time · `failed` it could not be made; the cause says why. */
export class MarkdownError extends Error {
  override readonly name = 'MarkdownError';
  readonly code: 'too-long' | 'failed';

  constructor(cause: ThreadError) {
    super(`no Markdown could be made: ${cause.message}`, { cause });
    this.code = isTooLong(cause) ? 'too-long' : 'failed';
  }
}

function isTooLong({ code, cause }: ThreadError): boolean {
  // The code is Node's, of a thread that wants more memory than it may have.
  return code === 'deadline' || (cause as { readonly code?: unknown } | undefined)?.code === OUT_OF_MEMORY;
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

export function createBodies({
  blockMs = 1000,
  youngMb,
  aheadMax,
  highlighter = createHighlighter({ deadlineMs: blockMs, youngMb, aheadMax }),
  patienceMs = 300,
  markdownCharsMax = 4_000_000,
  markdownMs = 5000,
  threads = 1,
}: BodiesOptions = {}): Bodies {
  const thread = createThreads<TextTask, BodyDraft | string>(TEXT_THREAD, threads, { youngMb, aheadMax });
  const bodies = createMemory<WrittenBody>(REMEMBERED_CHARS_MAX);
  const markdowns = createMemory<string | MarkdownError>(markdownCharsMax);
  const bodiesUnderWay = new Map<string, Promise<WrittenBody>>();
  const markdownsUnderWay = new Map<string, Promise<string>>();
  let waitingChars = 0;

  /** Each that waits holds its text, also where several wait for one. */
  const whileRoom = async <T>(chars: number, work: () => Promise<T>): Promise<T> => {
    if (waitingChars > 0 && waitingChars + chars > WAITING_CHARS_MAX) {
      throw new ThreadError('busy', `${waitingChars} characters are waiting already`);
    }
    waitingChars += chars;
    try {
      return await work();
    } finally {
      waitingChars -= chars;
    }
  };
  const draftOf = async (html: string): Promise<BodyDraft> => {
    if (html.length <= INLINE_CHARS_MAX) return bodyDraft(html);
    // A task of this type is answered with a draft.
    return (await thread.run({ type: 'body', html })) as BodyDraft;
  };
  const colour = async (key: string, draft: BodyDraft): Promise<WrittenBody> => {
    const coloured = bodyFrom(draft, await coloursOf(draft, highlighter), true);
    bodies.set(key, coloured, coloured.text.length);
    return coloured;
  };
  const makeBody = async (key: string, html: string): Promise<WrittenBody> => {
    const draft = await draftOf(html);
    const plain = bodyFrom(draft, [], draft.blocks.length === 0);
    bodies.set(key, plain, plain.text.length);
    if (draft.blocks.length === 0) return plain;
    return (await waitAtMost(patienceMs, colour(key, draft))) ?? plain;
  };
  const makeMarkdown = async (key: string, article: MarkdownArticle): Promise<string> => {
    try {
      // A short one is made safe for its page here as well: that is done once.
      const given =
        article.html.length <= INLINE_CHARS_MAX
          ? { ...article, html: safeHtml(article.html), isSafe: true }
          : article;
      // A task of this type is answered with a text.
      const made = (await thread.run({ type: 'markdown', article: given }, markdownMs)) as string;
      markdowns.set(key, made, made.length);
      return made;
    } catch (error) {
      if (!(error instanceof ThreadError) || error.code === 'busy') throw error;
      const failure = new MarkdownError(error);
      // The next one would take as long.
      if (failure.code === 'too-long') markdowns.set(key, failure, 0);
      throw failure;
    }
  };
  return {
    async bodyOf(html, words) {
      if (html === '') return { html: trusted(''), headings: [], isWhole: true };
      // An original stands on the pages of many languages.
      const key = await digestOf(Buffer.from(html));
      // While its colours are under way, one without them is known already.
      const known = bodiesUnderWay.has(key) ? undefined : bodies.get(key);
      const body =
        known ?? (await whileRoom(html.length, () => once(bodiesUnderWay, key, () => makeBody(key, html))));
      return spoken(body, words);
    },
    async markdownOf(article) {
      const key = await digestOf(Buffer.from(JSON.stringify(article)));
      const known = markdowns.get(key);
      if (known instanceof MarkdownError) throw known;
      if (known !== undefined) return known;
      return whileRoom(article.html.length, () =>
        once(markdownsUnderWay, key, () => makeMarkdown(key, article)),
      );
    },
    async stop() {
      await Promise.all([thread.stop(), highlighter.stop()]);
    },
  };
}

/** What is under way already is not begun a second time. */
function once<Value>(
  underWay: Map<string, Promise<Value>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const begun = underWay.get(key) ?? make().finally(() => underWay.delete(key));
  underWay.set(key, begun);
  return begun;
}

/** One block after the other: a text with many of them must not keep the thread from others. */
async function coloursOf(
  { blocks }: BodyDraft,
  highlighter: Highlighter,
): Promise<readonly (string | undefined)[]> {
  const colours: (string | undefined)[] = [];
  let chars = 0;
  let failed = 0;
  for (const { text, language } of blocks) {
    chars += text.length;
    const isWorthIt = chars <= COLOURED_CHARS_MAX && failed < FAILED_BLOCKS_MAX;
    const colour = isWorthIt ? await highlighter.highlight(text, language) : 'plain';
    if (colour === 'failed') failed += 1;
    colours.push(typeof colour === 'string' ? undefined : colour.html);
  }
  return colours;
}

function bodyFrom(
  { pieces, blocks, headings }: BodyDraft,
  colours: readonly (string | undefined)[],
  isWhole: boolean,
): WrittenBody {
  const text = pieces.map((piece, at) => {
    const before = blocks[at - 1];
    if (before === undefined) return piece;
    const colour = colours[at - 1];
    return (colour === undefined ? before.plain : `<code>${colour}</code>`) + piece;
  });
  return { text: text.join(''), headings, isWhole };
}

function spoken({ text, headings, isWhole }: WrittenBody, words: BodyWords): Body {
  return { html: trusted(inWords(text, words)), headings, isWhole };
}
