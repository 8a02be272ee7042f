import { SYNTAX } from '../syntax/syntaxes.ts';
import { languageFinder } from '../pages/page-languages.ts';
import { OWN_FIELDS, pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import type { Preset } from '../preset.ts';

/** Astro's Starlight, `content: src/content/docs`: a folder per locale or a root locale, MDX, asides. */
export function starlightPreset(input: PresetInput): Preset {
  const { paths, defaultLanguage } = input;
  const find = languageFinder(paths, input, { hasFolders: true, hasSuffixes: false });
  const isRoot = paths.some(
    (path) => /\.mdx?$/i.test(path) && !path.startsWith(`${find(path).languageFolder}/`),
  );
  const ending = paths.filter((path) => path.endsWith('.mdx')).length * 2 > paths.length ? '.mdx' : '.md';
  return pagePreset(
    {
      name: 'starlight',
      tree: {
        documents: /\.(?:md|mdx)$/i,
        inLanguage: (path) => (/(?:^|\/)404\.mdx?$/.test(path) ? undefined : find(path)),
        index: /^index$/,
        isMdx: (path) => /\.mdx$/i.test(path),
      },
      target: { hasPrettyUrls: true, addressPrefixes: [], publicFolders: [], hasSluggedAddresses: true },
      fileFor: (_, path, lang) =>
        `${lang === defaultLanguage && isRoot ? '' : `${lang}/`}${path === '' ? 'index' : path}${ending}`,
      dialect: {
        version: 'starlight 4',
        // Astro reads TOML between `+++` too, and empty lines above either.
        form: 'hugo',
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
        headingIds: 'astro',
        translate: SYNTAX.starlight,
      },
    },
    input,
  );
}
