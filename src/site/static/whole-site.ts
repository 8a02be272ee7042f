import type { Store } from '../../service/store/store.ts';
import { homeOf, releasesOf, searchOf, tagsOf } from '../addresses.ts';
import { staticSearchScript } from '../assets.ts';
import { type Edition, readLanguages } from '../data/edition.ts';
import { readAnew } from '../data/recall.ts';
import { searchFiles, searchTexts } from './search-files.ts';
import { type Answer, type FileName, type Keep, siteFiles } from './site-files.ts';

export interface WholeSite {
  readonly store: Store;
  /** The site, as a reader without cookies sees it. */
  readonly answer: Answer;
  readonly origin: string;
  /** Drafts belong to the site too, and their languages; undefined: they do not. */
  readonly drafts: { readonly languages: readonly string[] } | undefined;
  /** Is given each file as soon as it is made. */
  readonly keep: Keep;
}

/** Makes every file of the site; all that a service would have to do for a reader is search, and the browser does that. */
export async function wholeSite({
  store,
  answer,
  origin,
  drafts,
  keep,
}: WholeSite): Promise<readonly FileName[]> {
  const { id: siteId, defaultLanguage } = store.knowledgeBase;
  const languages = drafts?.languages ?? (await store.read((sql) => readLanguages(sql, defaultLanguage)));
  const seeds = ['/', '/robots.txt', '/sitemap.xml', '/llms.txt', '/favicon.ico'];
  for (const language of languages) {
    seeds.push(homeOf(language), tagsOf(language), releasesOf(language), `/${language}/llms.txt`);
  }
  const pages = await siteFiles(answer, origin, seeds, async (file) => {
    // The page of a search is another one where no service searches.
    if (!isSearch(file.file, languages)) await keep(file);
  });
  const names = pages.filter(({ file }) => !isSearch(file, languages));
  const script = staticSearchScript();
  const add = async (file: string, bytes: Uint8Array, isPage: boolean): Promise<void> => {
    names.push({ file, isPage });
    await keep({ file, bytes, isPage });
  };
  await add(script.path.slice(1), Buffer.from(script.text), false);
  const texts = await store.read(searchTexts);
  for (const language of languages) {
    const page = await textAt(answer, origin + searchOf(language));
    const files = await store.read((sql) => {
      const edition: Edition = {
        sql,
        siteId,
        defaultLanguage,
        language,
        drafts: drafts !== undefined,
        recall: readAnew,
      };
      return searchFiles(edition, texts, page, script);
    });
    for (const { file, bytes, isPage } of files) await add(file, bytes, isPage);
  }
  await add('404.html', Buffer.from(await textAt(answer, `${origin}/404`)), true);
  return names;
}

function isSearch(file: string, languages: readonly string[]): boolean {
  return languages.some((language) => file === `${language}/search/index.html`);
}

async function textAt(answer: Answer, address: string): Promise<string> {
  const response = await answer(new Request(address, { headers: { accept: 'text/html' } }));
  return response.text();
}
