import { posix } from 'node:path';
import { SYNTAX } from '../syntax/syntaxes.ts';
import { DOLLARS, formulaSigns } from '../syntax/formulas.ts';
import { recordPath } from '../pages/navigation.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput, SaidOfFolder } from '../pages/page-preset.ts';
import { withRedirects } from '../pages/redirected.ts';
import type { InLanguage } from '../pages/page-languages.ts';
import type { Foreign, Preset } from '../preset.ts';
import { docusaurusSettings } from '../settings/docusaurus.ts';
import type { Docs } from '../settings/docusaurus.ts';
import { docusaurusSidebars, plainPath } from '../settings/docusaurus-sidebars.ts';
import type { DocFile } from '../settings/docusaurus-sidebars.ts';
import { globs } from '../settings/patterns.ts';
import type { PathMatch } from '../settings/patterns.ts';
import { sideFile, textsOf, valueAt } from '../pages/side-file.ts';
import { headingSlug } from '../../markdown/heading-id.ts';
import { literalPattern } from '../../../text/literal-pattern.ts';
import { pageDialect } from '../pages/page-dialect.ts';

const CATEGORY = /(?:^|\/)_category_\.(?:json|ya?ml)$/;
const INDEX = /^(?:index|readme)$/i;

/**
 * Docusaurus 2 and 3, from the repository's root: the docs of the settings in the version that readers see first and their translations in `i18n/`,
 * sidebars, `_category_.json`, number prefixes, MDX as `markdown.format` says, `:::note`. Blog, other versions and pages are not read. Drafts and unlisted pages are
 * drafts: of the latter only who has the address may know, and a knowledge base has no such pages.
 */
export function docusaurusPreset(input: PresetInput): Preset {
  const { languages, defaultLanguage } = input;
  const settings = docusaurusSettings(input);
  const { site, docs, text, baseUrl, publicFolders, redirects, moved, locales } = settings;
  const [main] = docs;
  const root = main?.folder ?? '';
  const files = new Set(input.paths);
  const places = docs.map((each) => docsPlace(each, site));
  const placeOf = (path: string): DocsPlace | undefined =>
    places.find(
      ({ docs: { folder }, translated }) =>
        translated.test(path) || (folder !== '' && path.startsWith(folder)),
    );
  const inLanguage = (path: string): InLanguage | undefined => {
    const home = { lang: defaultLanguage, languageFolder: defaultLanguage };
    if (path.startsWith(`${site}static/`)) return DOCUMENTS.test(path) ? undefined : { ...home, rest: path };
    for (const { translated, before } of places) {
      const [, folder = '', rest] = translated.exec(path) ?? [];
      if (rest === undefined) continue;
      const lang = (Object.hasOwn(languages, folder) ? languages[folder] : undefined) ?? folder;
      return { lang, languageFolder: folder, rest: before + rest };
    }
    const place = places.find(({ docs: { folder } }) => folder !== '' && path.startsWith(folder));
    if (place !== undefined) return { ...home, rest: place.before + path.slice(place.docs.folder.length) };
    if (root === '') return { ...home, rest: path };
    return main?.unreleased !== undefined && path.startsWith(main.unreleased)
      ? { ...home, rest: path }
      : undefined;
  };
  const { folders, addresses, problems, sideFiles } = categories(
    input,
    inLanguage,
    (path) => placeOf(path)?.before ?? (root === '' ? '' : undefined),
  );
  const sidebars = docusaurusSidebars(input, docs, docFiles(input, places));
  const preset = pagePreset(
    {
      name: 'docusaurus',
      tree: {
        documents: DOCUMENTS,
        sideFiles: CATEGORY,
        inLanguage,
        leftOut: ({ file, rest }) => {
          const isUnreleased = main?.unreleased !== undefined && file.startsWith(main.unreleased);
          if (isUnreleased)
            return `Docusaurus shows readers version ${main.version} first, from ${main.folder}`;
          // Each plugin leaves out pages of its own alone.
          const own = placeOf(file) ?? places[0];
          const inDocs = rest.slice(own?.before.length);
          if (own?.isExcluded(inDocs) === true) return '`exclude` of Docusaurus';
          if (own?.isIncluded(inDocs) === false) return '`include` of Docusaurus';
          const [, locale = '', inside = ''] = own?.translated.exec(file) ?? [];
          const isBuilt = locale === '' || locales.length === 0 || locales.includes(locale);
          if (!isBuilt) return '`i18n.locales` of Docusaurus does not name its language';
          const original = inside === '' ? '' : `${own?.docs.folder ?? ''}${inside}`;
          return hasBetterTwin(file, original, files) ? OTHER_ENDING : undefined;
        },
        index: INDEX,
        hasNumberPrefixes: true,
        isMdx: settings.isMdx,
        meta: (page) => ({
          ...(page.isIndex ? folders.get(page.path) : undefined),
          ...sidebars.meta(page),
        }),
      },
      target: {
        hasPrettyUrls: false,
        endsInSlash: slashRule(text),
        addressPrefixes: [main?.route ?? 'docs'],
        publicFolders,
        basePath: baseUrl,
        isBasePrepended: true,
        hasFilesFromRoot: true,
        hasOwnPrefix: (page) => places.some(({ before }) => before !== '' && page.startsWith(before)),
      },
      fileFor: (_, path, lang) =>
        lang === defaultLanguage
          ? `${root}${path}.md`
          : `${site}i18n/${lang}/docusaurus-plugin-content-docs/${versionFolder(main)}/${path}.md`,
      folderAddresses: addresses,
      folder: (path) => {
        const meta = folders.get(path);
        return { name: meta?.title, priority: meta?.ordering, ...defined(sidebars.folder(path)) };
      },
      moved,
      variable: (name) =>
        name === 'formulas' && text.includes('remark-math') ? formulaSigns(DOLLARS) : undefined,
      sideFiles: text + sideFiles + sidebars.text,
      problems: [...settings.problems, ...problems, ...sidebars.problems],
      dialect: pageDialect('docusaurus 9', SYNTAX.docusaurus, {
        showsOwnHeading: true,
        // https://docusaurus.io/docs/api/docusaurus-config#markdown
        extensions: { hasEmojiCodes: !/\bemoji\s*:\s*false\b/.test(text) },
        fields: {
          ordering: ['sidebar_position'],
          priority: ['sidebar_position'],
          status: ['draft'],
          hideFromSearch: ['unlisted', 'hideFromSearch'],
        },
        addressKeys: ['./slug', './id'],
        publication: ({ get }) =>
          get('unlisted') === true || get('draft') === true ? { isDraft: true } : {},
      }),
    },
    input,
  );
  return withRedirects(preset, redirects);
}

const OTHER_ENDING = 'another translation has the ending of the original';

/** Docusaurus looks for a translation by the name of the original, with its ending: of `a.md` and `a.mdx`, it takes one. */
function hasBetterTwin(file: string, original: string, files: ReadonlySet<string>): boolean {
  if (original === '' || files.has(original)) return false;
  return ['.md', '.mdx'].some(
    (ending) => files.has(original.replace(DOCUMENTS, ending)) && files.has(file.replace(DOCUMENTS, ending)),
  );
}

interface DocsPlace {
  readonly docs: Docs;
  /** `i18n/fr/docusaurus-plugin-content-docs/current/page.md`: the language and the rest. */
  readonly translated: RegExp;
  /** In front of the paths of further docs: they have the main docs' folders beside them. */
  readonly before: string;
  readonly isIncluded: PathMatch;
  readonly isExcluded: PathMatch;
}

function docsPlace(docs: Docs, site: string): DocsPlace {
  const plugin = `docusaurus-plugin-content-docs${docs.id === undefined ? '' : `-${docs.id}`}`;
  const end = literalPattern(`${plugin}/${versionFolder(docs)}/`);
  return {
    docs,
    translated: new RegExp(`^${literalPattern(site)}i18n/([^/]+)/${end}(.+)$`),
    before: docs.id === undefined || docs.route === '' ? '' : `${docs.route}/`,
    isIncluded: docs.include.length === 0 ? () => true : globs(docs.include),
    isExcluded: globs(docs.exclude),
  };
}

/** The pages of the default language. */
function docFiles({ paths }: PresetInput, places: readonly DocsPlace[]): readonly DocFile[] {
  return paths.flatMap((file) => {
    const place = DOCUMENTS.test(file) ? places.find(({ docs }) => file.startsWith(docs.folder)) : undefined;
    if (place === undefined) return [];
    const id = plainPath(file.slice(place.docs.folder.length).replace(DOCUMENTS, ''));
    const rest = place.before + id;
    return [
      {
        file,
        docs: place.docs,
        id,
        path: recordPath({ rest }, INDEX),
        isIndex: INDEX.test(posix.basename(id)),
      },
    ];
  });
}

function versionFolder(docs: Docs | undefined): string {
  return docs === undefined || docs.version === 'current' ? 'current' : `version-${docs.version}`;
}

function defined(said: SaidOfFolder | undefined): SaidOfFolder {
  return Object.fromEntries(Object.entries(said ?? {}).filter(([, value]) => value !== undefined));
}

const DOCUMENTS = /\.(?:md|mdx)$/i;

interface FolderMeta {
  readonly title?: string;
  readonly ordering?: number;
}

function categories(
  input: PresetInput,
  inLanguage: (path: string) => InLanguage | undefined,
  routeOf: (path: string) => string | undefined,
) {
  const folders = new Map<string, FolderMeta>();
  const addresses = new Map<string, string>();
  const twice = new Set<string>();
  const problems: Foreign['problems'][number][] = [];
  let sideFiles = '';
  for (const path of input.paths) {
    const place = CATEGORY.test(path) ? inLanguage(path) : undefined;
    const text = place?.lang === input.defaultLanguage ? input.readText(path) : undefined;
    if (place === undefined || text === undefined) continue;
    sideFiles += `${path}\n${text}\n`;
    const { value, problems: found } = sideFile(text);
    problems.push(...found.map((problem) => ({ path, problem })));
    const label = valueAt(value, 'label');
    const position = valueAt(value, 'position');
    const folder = plainPath(place.rest.split('/').slice(0, -1).join('/'));
    folders.set(folder, {
      ...(typeof label === 'string' && label !== '' ? { title: label } : {}),
      ...(typeof position === 'number' ? { ordering: position } : {}),
    });
    const page = generatedIndex(value, folder);
    // A version that readers do not see first has pages of the same names.
    const route = routeOf(path);
    if (page === undefined || route === undefined) continue;
    const address = route + page;
    if (addresses.has(address)) twice.add(address);
    addresses.set(address, folder);
  }
  // Docusaurus numbers them in the order of its sidebars.
  for (const address of twice) addresses.delete(address);
  return { folders, addresses, problems, sideFiles };
}

/** The address of the page that Docusaurus makes of a category (`link: { type: generated-index }`), from the route of the docs. */
function generatedIndex(value: unknown, folder: string): string | undefined {
  const link = valueAt(value, 'link');
  if (valueAt(link, 'type') !== 'generated-index') return undefined;
  const [slug] = textsOf(valueAt(link, 'slug'));
  const [label = posix.basename(folder)] = textsOf(valueAt(value, 'label'));
  return slug === undefined ? `category/${headingSlug(label)}` : slug.replaceAll(/^\/+|(?<!\/)\/+$/g, '');
}

/** Without `trailingSlash`, the page of a folder alone ends in `/` (https://docusaurus.io/docs/api/docusaurus-config#trailingSlash). */
function slashRule(settings: string): (page: { readonly isFolder: boolean }) => boolean {
  const [, said] = /\btrailingSlash\s*:\s*(true|false)\b/.exec(settings) ?? [];
  return ({ isFolder }) => (said === undefined ? isFolder : said === 'true');
}
