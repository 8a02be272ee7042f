import { languageFinder } from '../pages/page-languages.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import type { Preset } from '../preset.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';

/**
 * VuePress 1 and 2, from the folder of `.vuepress`: every `.md` is a page, README.md or index.md its folder's, a folder per locale beside the root
 * locale. The title is the front matter's, else the first heading; `permalink` is an address; `.vuepress/public` is served from the root.
 */
export function vuepressPreset(input: PresetInput): Preset {
  const find = languageFinder(input.paths, input, { hasFolders: true, hasSuffixes: false });
  return pagePreset(
    {
      name: 'vuepress',
      tree: { documents: /\.md$/i, inLanguage: find, index: /^(?:readme|index)$/i },
      target: { hasPrettyUrls: false, addressPrefixes: [], publicFolders: ['.vuepress/public', 'public'] },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'README' : path}.md`,
      dialect: pageDialect('vuepress 2', SYNTAX.vitepress, {
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
