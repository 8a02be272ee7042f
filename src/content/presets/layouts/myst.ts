import { posix } from 'node:path';
import { languageFinder } from '../pages/page-languages.ts';
import { navigation, recordPath } from '../pages/navigation.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import type { Preset } from '../preset.ts';
import { sphinxSettings } from '../settings/sphinx.ts';
import { DOLLARS, formulaSigns } from '../syntax/formulas.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';

const INDEX = /^index$/i;

/**
 * MyST, from the folder of conf.py (Sphinx with myst-parser), of `_toc.yml` (Jupyter Book) or of myst.yml (mystmd): every `.md` is a page but those that
 * `exclude_patterns` or `exclude` leave out; mystmd with a `toc` builds what it lists. The toctrees of the pages, or `_toc.yml`, give order and tree, the
 * first heading the title.
 */
export function mystPreset(input: PresetInput): Preset {
  const find = languageFinder(input.paths, input, { hasFolders: true, hasSuffixes: false });
  const {
    exclusion,
    items,
    staticFolders,
    isListed,
    isMystmd,
    hasFormulas,
    hasDefinitionLists,
    text,
    problems,
    value,
  } = sphinxSettings(input);
  const nav = navigation(items, {
    pathOf: (file) => recordPath(find(file), INDEX),
    original: ({ file, rest }) => (input.paths.includes(rest) ? rest : file),
    hasTitles: false,
  });
  return pagePreset(
    {
      name: 'myst',
      tree: {
        documents: /\.md$/i,
        inLanguage: find,
        index: INDEX,
        meta: nav.meta,
        leftOut: ({ file }) => {
          const excluded = exclusion(file);
          if (excluded !== undefined) return excluded;
          return !isListed || nav.has(file)
            ? undefined
            : 'the table of contents does not list it, so the settings leave it out';
        },
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [],
        publicFolders: [],
        // Targets that Python or an extension of Sphinx makes.
        hasNamesElsewhere: true,
      },
      fileAddress: isMystmd ? () => undefined : sphinxFileAddress(input.paths, staticFolders),
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'index' : path}.md`,
      folder: nav.folder,
      variable: (name) => {
        if (name === 'formulas' && hasFormulas) return formulaSigns(DOLLARS);
        // https://myst-parser.readthedocs.io/en/latest/syntax/optional.html#inline-attributes
        if (name === 'inlineAttributes')
          return /["']attrs_(?:inline|image)["']/.test(text) ? 'on' : undefined;
        // Of sphinx-exercise, in conf.py or _config.yml.
        if (name === 'solutions') return /\bhide_solutions\s*[:=]\s*true/i.test(text) ? 'hidden' : undefined;
        return name === 'mystmd' && isMystmd ? 'on' : undefined;
      },
      value,
      problems,
      sideFiles: text,
      dialect: pageDialect(`myst 9 ${isMystmd}`, SYNTAX.myst, {
        extensions: { hasDefinitionLists },
        ...(isMystmd ? { headingIds: 'mystmd' as const } : {}),
        fields: { tags: ['tags', 'keywords'], excerpt: ['description', 'myst.html_meta.description'] },
      }),
    },
    input,
  );
}

const PICTURE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i;

/**
 * Where Sphinx puts files: what lies in `html_static_path` in `_static`
 * (https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_static_path), pictures that pages show in `_images` by their names alone. Of
 * several pictures of one name nobody knows which keeps it.
 */
function sphinxFileAddress(
  paths: readonly string[],
  staticFolders: readonly string[],
): (path: string) => string | undefined {
  /** Undefined: several have the name. */
  const byName = new Map<string, string | undefined>();
  for (const path of paths.filter((each) => PICTURE.test(each))) {
    const name = posix.basename(path);
    byName.set(name, byName.has(name) ? undefined : path);
  }
  return (path) => {
    const folder = staticFolders.find((each) => path.startsWith(`${each}/`));
    if (folder !== undefined) return `/_static${path.slice(folder.length)}`;
    const name = posix.basename(path);
    // One beside the content may have the name too.
    return byName.get(name) === path ? `/_images/${name}` : undefined;
  };
}
