import { translateShortcodes } from './hugo-shortcodes.ts';
import { languageFinder } from './page-languages.ts';
import { OWN_FIELDS, pagePreset } from './page-preset.ts';
import type { PresetInput } from './page-preset.ts';
import type { Preset } from './preset.ts';

const DOCUMENTS = /\.(?:md|markdown)$/i;

/**
 * Hugo (0.14x): `content/<lang>/…` or `page.<lang>.md`, YAML or TOML front matter with keys in any case, `_index.md` for
 * sections, leaf bundles, shortcodes, `ref` and pretty addresses.
 */
export function hugoPreset(input: PresetInput): Preset {
  const find = languageFinder(input.paths, input, { hasFolders: true, hasSuffixes: true });
  return pagePreset(
    {
      name: 'hugo',
      tree: {
        documents: DOCUMENTS,
        inLanguage: find,
        index: /^_?index$/,
        bundle: /^index$/,
        terms: new Map([
          ['tags', 'tag'],
          ['categories', 'category'],
        ]),
      },
      target: { hasPrettyUrls: true, addressPrefixes: [], publicFolders: [] },
      fileFor: (kind, path, lang) => {
        const folder = kind === 'tag' ? `tags/${path}` : path;
        return kind === 'article' && folder !== ''
          ? `${lang}/${folder}.md`
          : `${lang}/${folder}/_index.md`.replace('//', '/');
      },
      dialect: {
        version: 'hugo 1',
        form: 'hugo',
        fields: {
          ...OWN_FIELDS,
          title: ['title'],
          name: ['title'],
          slug: ['slug'],
          excerpt: ['description', 'summary'],
          description: ['description', 'summary'],
          ordering: ['weight'],
          priority: ['weight'],
          status: ['draft'],
          categories: ['categories'],
          tags: ['tags'],
        },
        addressKeys: ['url', 'aliases'],
        hasCaselessKeys: true,
        hasHeadingTitles: false,
        translate: translateShortcodes,
      },
    },
    input,
  );
}
