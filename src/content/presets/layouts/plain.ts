import { SYNTAX } from '../syntax/syntaxes.ts';
import { languageFinder } from '../pages/page-languages.ts';
import type { InLanguage } from '../pages/page-languages.ts';
import { OWN_FIELDS, pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import type { Dialect, FrontMatterKeys, Preset, Publication } from '../preset.ts';
import { pelicanRules } from './tools/pelican.ts';
import { zolaRules } from './tools/zola.ts';

/**
 * Markdown as GitHub shows it, without a generator: `page.fr.md`, `page-fr.md` or `fr/page.md`, README as the page of its folder, `/docs/page.md` from the root of the repository. `@/page.md` is Zola's address of a file
 * from the content folder (https://www.getzola.org/documentation/content/linking/). Files that a help desk wrote
 * have its number of the article in front of a name in each language. Where pelicanconf.py lies, Pelican's rules hold instead.
 */
export function plainPreset(given: PresetInput): Preset {
  const alias: PresetInput['alias'] = (path) =>
    given.alias(path) ?? (path.startsWith('@/') ? path.slice('@/'.length) : undefined);
  const input = { ...given, alias };
  const pelican = pelicanRules(given);
  const zola = zolaRules(given);
  const twins = new Map<string, number>();
  for (const path of input.paths.map(withoutGroups)) twins.set(path, (twins.get(path) ?? 0) + 1);
  // Two pages of one name keep their groups; the other pages are named as before.
  const plainPath = (path: string): string => {
    const plain = withoutGroups(path);
    return twins.get(plain) === 1 ? plain : path;
  };
  const find = languageFinder(input.paths.map(plainPath), input, {
    hasFolders: true,
    hasSuffixes: true,
    hasDashes: true,
  });
  const originalOf = byNumber(input.paths.map(plainPath).map(find), input.defaultLanguage);
  // A README that is translated, with hardly another page, is the documentation itself.
  const bareName = (path: string): string => (path.includes('/') ? path : find(path).rest);
  const texts = input.paths.filter((path) => REPOSITORY_TEXT.test(bareName(path)));
  const readmes = texts.filter((path) => README.test(bareName(path)));
  const others = input.paths.filter((path) => DOCUMENT.test(path)).length - texts.length;
  const isWhole = readmes.length > 1 && readmes.length > others;
  const isPage = (path: string): boolean =>
    !REPOSITORY_TEXT.test(bareName(path)) || (isWhole && README.test(bareName(path)));
  return pagePreset(
    {
      name: 'plain',
      tree: {
        documents: DOCUMENT,
        isMdx: (path) => /\.mdx$/i.test(path),
        inLanguage: (path) => (isPage(path) ? originalOf(find(plainPath(path))) : undefined),
        leftOut: ({ file }) => pelican?.leftOut(file),
        index: /^(?:_?index|readme|\+page)$/i,
        meta: ({ file }) => {
          const [, number] = /(?:^|\/)\((\d+)\)[^/]*$/.exec(file) ?? [];
          return {
            ...(number === undefined ? {} : { ordering: Number(number) }),
            ...(zola?.isDraft(file) === true ? { isDraft: true } : {}),
          };
        },
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [],
        // Of a site whose pages are a part of it: `/docs/page`.
        foldersAround: ['docs', 'doc', 'documentation'],
        publicFolders: [],
        permalinks: (_, { path }) => routed(path),
        isFromRepository: pelican === undefined,
        // Nobody knows which program shows the pages.
        hasNamesElsewhere: true,
      },
      fileFor: (_, path, lang) => `${path === '' ? 'index' : path}.${lang}.md`,
      sideFiles: zola === undefined ? '' : JSON.stringify(zola.drafts),
      dialect: {
        ...(pelican?.rules ?? (zola === undefined ? PLAIN : zolaDialect(zola))),
        fields: {
          ...OWN_FIELDS,
          title: ['title'],
          name: ['title', 'name'],
          slug: ['slug'],
          excerpt: ['excerpt', 'description'],
          description: ['description'],
          ordering: ['ordering', 'order', 'weight'],
          priority: ['priority', 'order', 'weight'],
          status: ['status', 'draft'],
          categories: ['categories', 'category'],
          tags: ['tags'],
          ...pelican?.fields,
        },
        addressKeys: [],
        hasCaselessKeys: false,
      },
    },
    input,
  );
}

type Rules = Omit<Dialect, 'fields' | 'addressKeys' | 'hasCaselessKeys'>;

const PLAIN: Rules = {
  version: 'plain 10',
  // Of other generators: TOML too.
  form: 'hugo',
  hasHeadingTitles: true,
  publication,
  translate: SYNTAX.plain,
  extensions: { hasEmojiCodes: true },
};

function publication({ get }: FrontMatterKeys): Publication {
  return HIDING.some((key) => get(key) === true) || SHOWING.some((key) => get(key) === false)
    ? { isDraft: true }
    : {};
}

function zolaDialect({
  hasDefinitionLists,
  hasEmojiCodes,
  publication: own,
}: NonNullable<ReturnType<typeof zolaRules>>): Rules {
  return {
    ...PLAIN,
    version: `plain zola 2 ${hasDefinitionLists} ${hasEmojiCodes}`,
    extensions: { hasDefinitionLists, hasEmojiCodes },
    publication: (page) => own(page) ?? publication(page),
  };
}

/** Keys that sites of one's own making have for drafts; `debug` is a page that Dumi shows its developers (https://d.umijs.org/config/markdown). */
const HIDING = ['isDraft', 'unlisted', 'unpublished', 'debug'];
const SHOWING = ['published', 'publish', 'isPublished'];

const DOCUMENT = /\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown)$/i;
const README = /^readme\.(?:md|markdown)$/i;
/** Texts at the root for people who read the repository, not the help centre. */
const REPOSITORY_TEXT =
  /^(?:readme|contributing|changelog|license|code_of_conduct|security)(?:\.[a-z-]+)?\.(?:md|markdown)$/i;

/** `(group)/(2)page.md` of Next.js, SvelteKit and SolidStart is `page.md`: what stands in front of a name in brackets is no part of the address. */
function withoutGroups(path: string): string {
  if (!path.includes('(')) return path;
  const parts = path.split('/').map((part) => part.replace(/^\([^()]+\)(?!\s)/, ''));
  return parts
    .filter((part, at) => part !== '' || at === parts.length - 1)
    .join('/')
    .replace(/(^|\/)(?=\.\w+$)/, '$1index');
}

/**
 * `nb/4670264-opprette-et-team.md` is `en/4670264-creating-a-team.md`: addresses of Intercom and Zendesk have the number of the article, the same in
 * all languages, in front of its title. Only if one page of the originals, and one of the language, has the number.
 */
function byNumber(pages: readonly InLanguage[], defaultLanguage: string): (page: InLanguage) => InLanguage {
  const all = new Map<string, InLanguage[]>();
  for (const page of pages) {
    const number = articleNumber(page.rest);
    if (number === undefined) continue;
    const at = `${page.lang} ${number}`;
    all.set(at, [...(all.get(at) ?? []), page]);
  }
  const only = (lang: string, number: string): InLanguage | undefined => {
    const its = all.get(`${lang} ${number}`) ?? [];
    return its.length === 1 ? its[0] : undefined;
  };
  return (page) => {
    const number = page.lang === defaultLanguage ? undefined : articleNumber(page.rest);
    if (number === undefined || only(page.lang, number) === undefined) return page;
    const original = only(defaultLanguage, number);
    return original === undefined || original.rest === page.rest
      ? page
      : { ...page, rest: original.rest, ownRest: page.rest };
  };
}

/** Six digits or more, and no day (`20260102-news.md`). */
function articleNumber(path: string): string | undefined {
  if (!DOCUMENT.test(path)) return undefined;
  return /(?:^|\/)(?!(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?!\d))(\d{6,})-[^/]*$/.exec(path)?.[1];
}

/** The address without numbers that keep an order (`02-install.md`), which sites of one's own making leave out; none where the path says the same. */
function routed(path: string): readonly string[] {
  const address = path.replaceAll(/(^|\/)\d{1,4}[-_.]+(?=\D)/g, '$1');
  return address === path ? [] : [address];
}
