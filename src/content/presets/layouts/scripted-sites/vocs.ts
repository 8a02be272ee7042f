import { sidebarItems } from '../vitepress.ts';
import { languageFinder } from '../../pages/page-languages.ts';
import { pageDialect } from '../../pages/page-dialect.ts';
import { pagePreset } from '../../pages/page-preset.ts';
import type { PresetInput } from '../../pages/page-preset.ts';
import { sidebarPages } from '../../pages/sidebar.ts';
import type { Preset } from '../../preset.ts';
import { settingAt, siteSettings } from '../../settings/site-settings.ts';
import { SYNTAX } from '../../syntax/syntaxes.ts';
import { textsOf } from '../../pages/side-file.ts';

const INDEX = /^index$/;
const SETTINGS = ['ts', 'tsx', 'mts', 'js', 'jsx', 'mjs'].map((form) => `vocs.config.${form}`);

/**
 * Vocs, `content: docs/pages` or `src/pages`: every `.md` and `.mdx` is MDX and a page, in the sidebar or not. The literal sidebar gives the order, the first
 * heading the title, without the subtitle in brackets behind it (https://vocs.dev/docs).
 */
export function vocsPreset(input: PresetInput): Preset {
  const find = languageFinder(input.paths, input, { hasFolders: true, hasSuffixes: false });
  const settings = siteSettings(input, SETTINGS);
  const pages = sidebarPages(input, find, INDEX);
  const nav = pages.navigation(sidebarItems(settingAt(settings.value, 'sidebar'), '', pages.pageAt));
  return pagePreset(
    {
      name: 'vocs',
      tree: {
        documents: /\.mdx?$/i,
        inLanguage: find,
        index: INDEX,
        isMdx: () => true,
        meta: nav.meta,
        leftOut: ({ file }) => (/\[[^\]]+\]/.test(file) ? 'Vocs makes pages of it by a program' : undefined),
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [],
        publicFolders: ['../public', '../../public'],
        basePath: textsOf(settingAt(settings.value, 'basePath'))[0],
        isBasePrepended: true,
        // A page may be a component of React too.
        hasPagesElsewhere: true,
      },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'index' : path}.mdx`,
      folder: nav.folder,
      sideFiles: settings.text,
      problems: settings.problems,
      dialect: pageDialect('vocs 2', SYNTAX.vocs),
    },
    input,
  );
}
