import { pageOf, tagsOf } from '../addresses.ts';
import { countsOf } from '../data/articles.ts';
import type { Edition } from '../data/edition.ts';
import { readTags, type Tag } from '../data/tags.ts';
import { html } from '../html.ts';
import type { Reader } from '../reader.ts';
import type { Page, SiteFrame } from './layout.ts';
import { plainList, plainPage } from './plain.ts';
import { breadcrumbs, tagLinks } from './parts.ts';

/** All tags that lead to something in the language. */
export async function tagsPage(edition: Edition, reader: Reader, site: SiteFrame): Promise<() => Page> {
  const all = await readTags(edition);
  const counts = await countsOf(edition, 'article_tags', new Map(all.map(({ id }) => [id, [id]])));
  // One that only articles of other languages carry would lead to an empty page.
  return () =>
    written(
      all.filter(({ id }) => counts.get(id) !== 0),
      counts,
      reader,
      site,
    );
}

function written(
  tags: readonly Tag[],
  counts: ReadonlyMap<string, number>,
  reader: Reader,
  site: SiteFrame,
): Page {
  const { words, language } = reader;
  return {
    status: 200,
    title: words.tags,
    canonical: tagsOf(language),
    alternates: new Map(site.languages.map((other) => [other, tagsOf(other)])),
    inLanguage: (other) => ({ path: tagsOf(other), isMissing: false }),
    markdown: `${tagsOf(language)}index.md`,
    plain: plainPage({ title: words.tags, excerpt: '', language: reader.spoken }, [
      plainList(
        words.tags,
        tags.map(({ name, slug, description }) => ({
          name,
          path: `${pageOf('tag', language, slug)}.md`,
          more: description,
        })),
      ),
    ]),
    shape: 'plain',
    self: tagsOf(language),
    textLanguage: reader.spoken,
    before: breadcrumbs(reader, [], words.tags),
    main: html`<h1>${words.tags}</h1>
      ${tags.length > 0 ? tagLinks(reader, tags, counts) : html`<p class="empty">${words.empty}</p>`}`,
  };
}
