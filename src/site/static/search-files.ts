import { isListed } from '../../service/listed.ts';
import type { Sql } from '../../service/store/store.ts';
import { pageOf, searchOf, suggestionsOf } from '../addresses.ts';
import type { Asset } from '../assets.ts';
import { allArticles, filing } from '../data/articles.ts';
import { readCategories } from '../data/categories.ts';
import type { Edition } from '../data/edition.ts';
import { topicName } from '../data/topics.ts';
import { escaped } from '../html.ts';
import { wordsFor } from '../words/words-for.ts';
import { pageFile, type SiteFile } from './site-files.ts';

/** One article as the browser looks through it. */
interface Entry {
  readonly title: string;
  readonly path: string;
  /** `Docs › Install`, or empty. */
  readonly topic: string;
  /** The beginning of its text. */
  readonly about: string;
  /** Each word of its text once. */
  readonly words: string;
}

const WORDS_CHARS_MAX = 8000;
const ABOUT_CHARS_MAX = 200;

/** What search knows of the text of each article, by its id: one article is shown in many languages. */
export type SearchTexts = ReadonlyMap<string, { readonly beginning: string; readonly words: string }>;

/** The titles that the search field suggests and what the page of results looks through; the browser does both. */
export async function searchFiles(
  edition: Edition,
  texts: SearchTexts,
  page: string,
  script: Asset,
): Promise<readonly SiteFile[]> {
  const { language } = edition;
  const articles = (await allArticles(edition)).filter((article) => isListed(article, edition.drafts));
  const topics = await topicsOf(edition);
  const entries = articles.map(({ id, name, slug, excerpt }): Entry => {
    const { beginning = '', words = '' } = texts.get(id) ?? {};
    return {
      title: name,
      path: pageOf('article', language, slug),
      topic: topics.get(id) ?? '',
      about: excerpt === '' ? beginning : excerpt,
      words,
    };
  });
  const titles = entries.map(({ title, path, topic }) => ({ title, path, topic }));
  return [
    json(suggestionsOf(language), { index: titles }),
    json(indexOf(language), { index: entries }),
    pageFile(searchOf(language), withScript(page, language, script)),
  ];
}

/** Article's id → the name of the place where it stands. */
async function topicsOf(edition: Edition): Promise<ReadonlyMap<string, string>> {
  const { byId } = await readCategories(edition);
  return new Map(
    [...(await filing(edition))].map(([id, [first = '']]) => {
      const category = byId.get(first);
      return [id, category === undefined ? '' : topicName([...category.path, category])];
    }),
  );
}

/** Beside the page of results, because few readers need it. */
function indexOf(language: string): string {
  return `/${language}/search-index.json`;
}

export async function searchTexts(sql: Sql): Promise<SearchTexts> {
  const rows = await sql.all<{ readonly id: string; readonly excerpt: string; readonly plain: string }>(
    `select a.id as id, a.excerpt as excerpt, s.plain as plain
     from article_search s join articles a on a.id = s.article_id`,
  );
  return new Map(
    rows.map(({ id, excerpt, plain }) => [
      id,
      { beginning: beginningOf(plain), words: wordsOf(`${excerpt} ${plain}`) },
    ]),
  );
}

/** Split as the script splits a query. */
function wordsOf(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    // Turkish has two: its capital of this one is the capital of the other elsewhere.
    .replaceAll('ı', 'i')
    .split(/[^\p{L}\p{N}]+/u);
  return [...new Set(words)].join(' ').trim().slice(0, WORDS_CHARS_MAX);
}

function beginningOf(text: string): string {
  if (text.length <= ABOUT_CHARS_MAX) return text;
  return `${text.slice(0, ABOUT_CHARS_MAX).replace(/\s+\S*$/, '')} …`;
}

/** What the service's page says once it has searched, the browser says in the same words. */
function withScript(page: string, language: string, script: Asset): string {
  const { results, nothingFound, otherWords, showingFor, alsoFor, failed, failedText } = wordsFor(language);
  const said = Object.entries({
    index: indexOf(language),
    results,
    nothing: nothingFound,
    other: otherWords,
    failed,
    again: failedText,
    instead: showingFor,
    also: alsoFor,
  })
    .map(([name, text]) => ` data-${name}="${escaped(text)}"`)
    .join('');
  return page.replace('</head>', () => `<script src="${script.path}" defer${said}></script></head>`);
}

function json(path: string, content: unknown): SiteFile {
  return { file: path.slice(1), bytes: new TextEncoder().encode(JSON.stringify(content)), isPage: false };
}
