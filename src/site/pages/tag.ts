import type { Bodies } from '../article-body.ts';
import { pageOf, tagsOf } from '../addresses.ts';
import { html } from '../html.ts';
import type { Page, SiteFrame } from '../layout.ts';
import {
  alternatesOf,
  articleList,
  breadcrumbs,
  fallbackNotice,
  inLanguage,
  tagLinks,
  versionIn,
} from '../parts.ts';
import { articlesWithTag } from '../read-articles.ts';
import { recordText } from '../read-categories.ts';
import { readTags, type Tag } from '../read-tags.ts';
import type { Reader } from '../reader.ts';
import type { Reading } from '../reading.ts';

/** What a tag's page is made of; read in one transaction, so that its parts fit. */
export async function readTagPage(reading: Reading, family: string) {
  const tag = (await readTags(reading)).find(({ id }) => id === family);
  if (tag === undefined) return undefined;
  const text = await recordText(reading, 'tags', { id: tag.rowId, family });
  const articles = await articlesWithTag(reading, family);
  return { tag, text, articles };
}

type TagRead = NonNullable<Awaited<ReturnType<typeof readTagPage>>>;

/** A tag: its text and the articles that carry it. */
export async function tagPage(
  { tag, text, articles }: TagRead,
  reader: Reader,
  bodies: Bodies,
): Promise<Page> {
  const { words, spoken } = reader;
  const body = await bodies.bodyOf(text.text, words);
  return {
    status: 200,
    title: tag.name,
    ...(tag.description === '' ? {} : { description: tag.description }),
    canonical: pageOf('tag', tag.language, tag.slug),
    alternates: alternatesOf('tag', text.versions),
    inLanguage: versionIn('tag', text.versions),
    shape: 'plain',
    self: pageOf('tag', reader.language, tag.slug),
    before: breadcrumbs(reader, [], html`<a href="${tagsOf(reader.language)}">${words.tags}</a>`),
    textLanguage: spoken,
    main: html`${fallbackNotice(reader, tag.language)}
<div${inLanguage(tag.language, spoken)}><h1>${tag.name}</h1>
${tag.description !== '' && html`<p class="lead">${tag.description}</p>`}
<div class="text">${body.html}</div></div>
${
  articles.length > 0
    ? html`<section>
        <h2>${words.articles}</h2>
        ${articleList(reader, articles)}
      </section>`
    : html`<p class="empty">${words.empty}</p>`
}`,
  };
}

/** All tags. */
export function tagsPage(tags: readonly Tag[], reader: Reader, site: SiteFrame): Page {
  const { words, language } = reader;
  return {
    status: 200,
    title: words.tags,
    canonical: tagsOf(language),
    alternates: new Map(site.languages.map((other) => [other, tagsOf(other)])),
    inLanguage: (other) => ({ path: tagsOf(other), isMissing: false }),
    shape: 'plain',
    self: tagsOf(language),
    textLanguage: reader.spoken,
    before: breadcrumbs(reader, [], words.tags),
    main: html`<h1>${words.tags}</h1>
      ${tags.length > 0 ? tagLinks(reader, tags) : html`<p class="empty">${words.empty}</p>`}`,
  };
}
