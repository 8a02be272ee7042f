import type { Bodies } from '../article-body.ts';
import { pageOf } from '../addresses.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import {
  alternatesOf,
  articleList,
  breadcrumbs,
  categoryLink,
  fallbackNotice,
  inLanguage,
  versionIn,
} from '../parts.ts';
import { articlesInCategory } from '../read-articles.ts';
import { categoryText, readCategories } from '../read-categories.ts';
import type { Reader } from '../reader.ts';
import type { Reading } from '../reading.ts';

/** What a category's page is made of; read in one transaction, so that its parts fit. */
export async function readCategoryPage(reading: Reading, family: string) {
  const tree = await readCategories(reading);
  const category = tree.byId.get(family);
  if (category === undefined) return undefined;
  const text = await categoryText(reading, category);
  const articles = await articlesInCategory(reading, family);
  return { category, text, articles };
}

type CategoryRead = NonNullable<Awaited<ReturnType<typeof readCategoryPage>>>;

/** A topic: its text, the topics below it, its articles by ordering. */
export async function categoryPage(
  { category, text, articles }: CategoryRead,
  reader: Reader,
  bodies: Bodies,
): Promise<Page> {
  const { words, spoken } = reader;
  const body = await bodies.bodyOf(text.text, words);
  const alternates = alternatesOf('category', text.versions);
  const canonical = pageOf('category', category.language, category.slug);
  return {
    status: 200,
    title: category.name,
    ...(category.description === '' ? {} : { description: category.description }),
    canonical,
    alternates,
    inLanguage: versionIn('category', text.versions),
    shape: 'plain',
    self: pageOf('category', reader.language, category.slug),
    before: breadcrumbs(
      reader,
      category.path,
      html`<span${inLanguage(category.language, spoken)}>${category.name}</span>`,
    ),
    textLanguage: reader.spoken,
    main: html`${fallbackNotice(reader, category.language)}
<div${inLanguage(category.language, spoken)}><h1>${category.name}</h1>
${category.description !== '' && html`<p class="lead">${category.description}</p>`}
<div class="text">${body.html}</div></div>
${
  category.children.length > 0 &&
  html`<section>
    <h2 class="sr-only">${words.categories}</h2>
    <ul class="cards small">
      ${category.children.map(
        (child) =>
          html`<li class="card">
            <h3>${categoryLink(reader, child)}</h3>
            ${
              child.description !== '' &&
              html`<p${inLanguage(child.language, spoken)}>${child.description}</p>`
            }
          </li>`,
      )}
    </ul>
  </section>`
}
${
  articles.length > 0
    ? html`<section>
        <h2>${words.articles}</h2>
        ${articleList(reader, articles)}
      </section>`
    : category.children.length === 0 && html`<p class="empty">${words.empty}</p>`
}`,
  };
}
