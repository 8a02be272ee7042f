import { posix } from 'node:path';
import { languageFinder } from '../pages/page-languages.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import type { Preset } from '../preset.ts';
import { siteSettings } from '../settings/site-settings.ts';
import type { SiteSettings } from '../settings/site-settings.ts';
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
  return pagePreset(
    {
      name: 'vuepress',
      variable: (name) => (name === 'importCode.path' ? importPaths(settings) : undefined),
      sideFiles: settings.text,
      tree: { documents: /\.md$/i, inLanguage: find, index: /^(?:readme|index)$/i },
      target: { hasPrettyUrls: false, addressPrefixes: [], publicFolders: ['.vuepress/public', 'public'] },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'README' : path}.md`,
      dialect: pageDialect('vuepress 3', SYNTAX.vitepress, {
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

/**
 * `markdown.importCode.handleImportPath` in the form that the documentation gives: `str.replace(/^@src/,
 * path.resolve(__dirname, '../src'))`, from the folder of the settings. One alias and its folder in a line.
 */
function importPaths({ text, path = '' }: SiteSettings): string {
  const folder = posix.dirname(path);
  return [
    ...text.matchAll(
      /\.replace\(\s*\/\^([@~\w-]+)\/\s*,\s*path\.resolve\(\s*__dirname\s*,\s*['"]([^'"]+)['"]\s*\)/g,
    ),
  ]
    .map(([, alias = '', its = '']) => `${alias} ${posix.join(folder, its)}`)
    .join('\n');
}
