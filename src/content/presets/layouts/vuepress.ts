import { posix } from 'node:path';
import { languageFinder } from '../pages/page-languages.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { frontMatterValues } from '../pages/front-matter-values.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import type { Preset } from '../preset.ts';
import { siteSettings } from '../settings/site-settings.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';

const SETTINGS = ['.vuepress/config', '.vuepress/config/index'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs'].map((form) => `${name}.${form}`),
);

/**
 * VuePress 1 and 2, from the folder of `.vuepress`: every `.md` is a page, README.md or index.md its folder's, a folder per locale beside the root
 * locale. The title is the front matter's, else the first heading; `permalink` is an address; `.vuepress/public` is served from the root.
 */
export function vuepressPreset(input: PresetInput): Preset {
  const find = languageFinder(input.paths, input, { hasFolders: true, hasSuffixes: false });
  const settings = siteSettings(input, SETTINGS);
  const folder = posix.dirname(settings.path ?? '.vuepress/config.ts');
  const theme = THEMES.map((name) => input.readText(posix.join(folder, name)) ?? '').join('\n');
  const paths = importPaths(settings.text + theme, folder);
  return pagePreset(
    {
      name: 'vuepress',
      value: frontMatterValues(input),
      variable: (name) => (name === 'import.path' ? paths : undefined),
      sideFiles: settings.text + theme,
      tree: { documents: /\.md$/i, inLanguage: find, index: /^(?:readme|index)$/i },
      target: { hasPrettyUrls: false, addressPrefixes: [], publicFolders: ['.vuepress/public', 'public'] },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'README' : path}.md`,
      dialect: pageDialect('vuepress 4', SYNTAX.vuepress, {
        fields: {
          ordering: ['order'],
          priority: ['order'],
          status: ['draft'],
          hideFromSearch: ['!search', 'hideFromSearch'],
          tags: ['tags', 'tag'],
          categories: ['categories', 'category'],
        },
        addressKeys: ['permalink'],
        headingIds: 'vue',
      }),
    },
    input,
  );
}

/** Settings of the theme beside those of the site. */
const THEMES = ['theme.ts', 'theme.js'];

/**
 * Aliases of files that pages take in, as the documentations of `importCode.handleImportPath` and `include.resolvePath` write them:
 * `str.replace(/^@src/, path.resolve(__dirname, '../src'))`, `file.startsWith('@') … path.resolve(__dirname, '../parts', …)`, from the folder
 * of the settings. One alias and its folder in a line, the longest first.
 */
function importPaths(text: string, folder: string): string {
  const found = [...text.matchAll(REPLACED), ...text.matchAll(RESOLVED)];
  return found
    .map(([, alias = '', its = '']) => `${alias.replace(/\/$/, '')} ${posix.join(folder, its)}`)
    .sort((a, b) => b.indexOf(' ') - a.indexOf(' '))
    .join('\n');
}

const REPLACED =
  /\.replace\(\s*(?:\/\^|['"])([@~\w-]+\/?)(?:\/|['"])\s*,\s*path\.resolve\(\s*__dirname\s*,\s*['"]([^'"]+)['"]/g;
const RESOLVED =
  /startsWith\(\s*['"]([@~][\w/-]*)['"]\s*\)\)?[\s{]*return\s+path\.resolve\(\s*__dirname\s*,\s*['"]([^'"]+)['"]\s*,/g;
