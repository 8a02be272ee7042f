import { SYNTAX } from '../syntax/syntaxes.ts';
import { languageFinder } from '../pages/page-languages.ts';
import { OWN_FIELDS, pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import type { Preset } from '../preset.ts';

/** Astro's Starlight, `content: src/content/docs`: a folder per locale or a root locale, MDX, asides. */
export function starlightPreset(input: PresetInput): Preset {
  const find = languageFinder(input.paths, input, { hasFolders: true, hasSuffixes: false });
  return pagePreset(
    {
      name: 'starlight',
      tree: {
        documents: /\.(?:md|mdx)$/i,
        inLanguage: (path) => (/(?:^|\/)404\.mdx?$/.test(path) ? undefined : find(path)),
        index: /^index$/,
        isMdx: (path) => /\.mdx$/i.test(path),
      },
      target: { hasPrettyUrls: true, addressPrefixes: [], publicFolders: [] },
      fileFor: (_, path, lang) => `${lang}/${path === '' ? 'index' : path}.md`,
      dialect: {
        version: 'starlight 1',
        form: 'strict',
        fields: {
          ...OWN_FIELDS,
          title: ['title'],
          name: ['title'],
          excerpt: ['description'],
          description: ['description'],
          ordering: ['sidebar.order'],
          priority: ['sidebar.order'],
          status: ['draft'],
          hideFromSearch: ['!pagefind', 'hideFromSearch'],
          tags: ['tags'],
        },
        addressKeys: ['slug'],
        hasCaselessKeys: false,
        hasHeadingTitles: false,
        translate: SYNTAX.starlight,
      },
    },
    input,
  );
}
