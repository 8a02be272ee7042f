import { SYNTAX } from '../syntax/syntaxes.ts';
import { OWN_FIELDS, pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import type { InLanguage } from '../pages/page-languages.ts';
import type { Foreign, Preset } from '../preset.ts';
import { docusaurusSettings } from '../settings/docusaurus.ts';
import { globs } from '../settings/patterns.ts';
import { sideFile, valueAt } from '../pages/side-file.ts';

const TRANSLATED = /^i18n\/([^/]+)\/docusaurus-plugin-content-docs\/current\/(.+)$/;
const CATEGORY = /(?:^|\/)_category_\.(?:json|ya?ml)$/;

/**
 * Docusaurus 2 and 3, from the repository's root: `docs/` and `i18n/<lang>/docusaurus-plugin-content-docs/current/`,
 * `_category_.json`, number prefixes, MDX everywhere, `:::note`. Blog, versions and pages are not read. Drafts and unlisted pages are
 * drafts: of the latter only who has the address may know, and a knowledge base has no such pages.
 */
export function docusaurusPreset(input: PresetInput): Preset {
  const { paths, languages, defaultLanguage } = input;
  // With `content: docs` the documents lie at the top.
  const settings = docusaurusSettings(input);
  const root = paths.some((path) => path.startsWith(`${settings.folder}/`)) ? `${settings.folder}/` : '';
  const isExcluded = globs(settings.exclude);
  const inLanguage = (path: string): InLanguage | undefined => {
    const [, folder = '', rest] = TRANSLATED.exec(path) ?? [];
    if (rest !== undefined) {
      const lang = (Object.hasOwn(languages, folder) ? languages[folder] : undefined) ?? folder;
      return { lang, languageFolder: folder, rest };
    }
    const home = { lang: defaultLanguage, languageFolder: defaultLanguage };
    if (path.startsWith('static/')) return DOCUMENTS.test(path) ? undefined : { ...home, rest: path };
    if (/^(?:i18n|versioned_docs|blog|src)\//.test(path) && root !== '') return undefined;
    return path.startsWith(root) ? { ...home, rest: path.slice(root.length) } : undefined;
  };
  const { folders, problems, sideFiles } = categories(input, inLanguage);
  return pagePreset(
    {
      name: 'docusaurus',
      tree: {
        documents: DOCUMENTS,
        sideFiles: CATEGORY,
        inLanguage,
        leftOut: ({ rest }) => (isExcluded(rest) ? '`exclude` of Docusaurus' : undefined),
        index: /^(?:index|readme)$/i,
        hasNumberPrefixes: true,
        isMdx: () => true,
        meta: ({ path, isIndex }) => (isIndex ? folders.get(path) : undefined),
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [settings.routeBasePath],
        publicFolders: ['static'],
        basePath: settings.baseUrl,
        isBasePrepended: true,
      },
      fileFor: (_, path, lang) =>
        lang === defaultLanguage
          ? `${root}${path}.md`
          : `i18n/${lang}/docusaurus-plugin-content-docs/current/${path}.md`,
      folder: (path) => {
        const meta = folders.get(path);
        return meta === undefined ? undefined : { name: meta.title, priority: meta.ordering };
      },
      sideFiles: settings.text + sideFiles,
      problems,
      dialect: {
        version: 'docusaurus 3',
        form: 'strict',
        fields: {
          ...OWN_FIELDS,
          title: ['title'],
          name: ['title'],
          excerpt: ['description'],
          description: ['description'],
          ordering: ['sidebar_position'],
          priority: ['sidebar_position'],
          status: ['draft'],
          hideFromSearch: ['unlisted', 'hideFromSearch'],
          tags: ['tags'],
        },
        addressKeys: ['./slug', './id'],
        hasCaselessKeys: false,
        hasHeadingTitles: true,
        publication: ({ get }) =>
          get('unlisted') === true || get('draft') === true ? { isDraft: true } : {},
        translate: SYNTAX.docusaurus,
      },
    },
    input,
  );
}

const DOCUMENTS = /\.(?:md|mdx)$/i;

interface FolderMeta {
  readonly title?: string;
  readonly ordering?: number;
}

function categories(input: PresetInput, inLanguage: (path: string) => InLanguage | undefined) {
  const folders = new Map<string, FolderMeta>();
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
    const names = place.rest.split('/').slice(0, -1);
    const folder = names.map((name) => name.replace(/^\d{1,3}\s*[-_.]+\s*(?=\D)/, '')).join('/');
    folders.set(folder, {
      ...(typeof label === 'string' && label !== '' ? { title: label } : {}),
      ...(typeof position === 'number' ? { ordering: position } : {}),
    });
  }
  return { folders, problems, sideFiles };
}
