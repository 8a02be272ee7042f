import { homeOf, pageOf, releasesOf, tagsOf } from '../addresses.ts';
import type { Edition } from '../data/edition.ts';
import { readTags } from '../data/tags.ts';
import { shelvesOf } from './shelves.ts';
import { wordsFor } from '../words/words-for.ts';

/** Programs cut what is longer (agent-docs-spec 0.4); a part stays below by its longest line and its head. */
const LLMS_CHARS_MAX = 45_000;

interface LlmsSite {
  readonly name: string;
  readonly origin: string;
  readonly intro: string | undefined;
  readonly languages: readonly string[];
  readonly defaultLanguage: string;
  readonly hasReleases: boolean;
}

/** `/fr/llms-full.txt`: the pages themselves. */
function llmsFullOf(language: string): string {
  return `/${language}/llms-full.txt`;
}

/** `/llms.txt` for the default language, `/fr/llms.txt`; from the first part on `/fr/llms-1.txt`. */
export function llmsOf(language: string, part?: number): string {
  return part === undefined ? `/${language}/llms.txt` : `/${language}/llms-${part}.txt`;
}

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * llmstxt.org: the site in one language for programs, each page as Markdown. Where that is long, the first file names
 * parts; each part and each file is shorter than what programs read at once.
 * @returns undefined for a part that there is not
 */
export async function llms(edition: Edition, site: LlmsSite, part?: number): Promise<string | undefined> {
  const sections = await sectionsOf(edition, site);
  const parts = partsOf(sections);
  if (part !== undefined) {
    const wanted = parts[part - 1];
    return wanted && written(site, edition, wanted);
  }
  const full = `The pages in one file: [llms-full.txt](${site.origin}${llmsFullOf(edition.language)})`;
  const others = site.languages
    .filter((language) => language !== edition.language)
    .map((language) => `- [${language}](${site.origin}${llmsOf(language)})`);
  const more: Section[] = others.length === 0 ? [] : [{ title: 'Other languages', lines: others }];
  if (parts.length <= 1) return written(site, edition, [...sections, ...more], full);
  const index = parts.map((each, at) => {
    const [first, last] = [each[0]?.title ?? '', each.at(-1)?.title ?? ''];
    const titles = first === last ? first : `${first} … ${last}`;
    return `- [${titles}](${site.origin}${llmsOf(edition.language, at + 1)})`;
  });
  return written(site, edition, [{ title: 'Parts', lines: index }, ...more], full);
}

async function sectionsOf(edition: Edition, { origin, hasReleases }: LlmsSite): Promise<readonly Section[]> {
  const { language } = edition;
  const words = wordsFor(language);
  const entry = (name: string, path: string, about: string): string =>
    `- [${line(name)}](${origin}${path})${about === '' ? '' : `: ${line(about)}`}`;
  const shelves = (await shelvesOf(edition)).map(({ category, articles }): Section => {
    const lines = articles.map(({ name, slug, excerpt }) =>
      entry(name, `${pageOf('article', language, slug)}.md`, excerpt),
    );
    if (category === undefined) return { title: line(words.more), lines };
    const { path, name, slug, description } = category;
    const title = line([...path, category].map((each) => each.name).join(' / '));
    return { title, lines: [entry(name, `${pageOf('category', language, slug)}.md`, description), ...lines] };
  });
  const tags = (await readTags(edition)).map(({ name, slug, description }) =>
    entry(name, `${pageOf('tag', language, slug)}.md`, description),
  );
  return [
    { title: line(words.home), lines: [entry(words.home, `${homeOf(language)}index.md`, '')] },
    ...shelves,
    {
      title: line(words.tags),
      lines: tags.length === 0 ? [] : [entry(words.tags, `${tagsOf(language)}index.md`, ''), ...tags],
    },
    {
      title: line(words.releases),
      lines: hasReleases ? [entry(words.releases, `${releasesOf(language)}.md`, '')] : [],
    },
  ].filter(({ lines }) => lines.length > 0);
}

/** Sections in order, cut where a part would become too long; the end of a cut section is under its title again. */
function partsOf(sections: readonly Section[]): readonly (readonly Section[])[] {
  const parts: Section[][] = [];
  let left = 0;
  for (const { title, lines } of sections) {
    let open: { readonly title: string; readonly lines: string[] } | undefined;
    for (const text of lines) {
      const cost = text.length + 1 + (open === undefined ? title.length + 6 : 0);
      if (parts.length === 0 || cost > left) {
        parts.push([]);
        left = LLMS_CHARS_MAX;
        open = undefined;
      }
      if (open === undefined) {
        open = { title, lines: [] };
        parts.at(-1)?.push(open);
        left -= title.length + 6;
      }
      open.lines.push(text);
      left -= text.length + 1;
    }
  }
  return parts;
}

function written(
  { name, intro }: LlmsSite,
  { language }: Edition,
  sections: readonly Section[],
  full?: string,
): string {
  const head = [`# ${line(name)}`, '', `> ${line(intro ?? wordsFor(language).intro)}`, ''];
  if (full !== undefined) head.push(full, '');
  const body = sections.flatMap(({ title, lines }) => [`## ${title}`, '', ...lines, '']);
  return [...head, ...body].join('\n');
}

function line(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[[\]]/g, (char) => `\\${char}`);
}
