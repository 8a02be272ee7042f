import { languageFinder } from '../../pages/page-languages.ts';
import { navigation, recordPath } from '../../pages/navigation.ts';
import type { NavigationItem } from '../../pages/navigation.ts';
import { pageDialect } from '../../pages/page-dialect.ts';
import { pagePreset } from '../../pages/page-preset.ts';
import type { PresetInput } from '../../pages/page-preset.ts';
import type { Preset } from '../../preset.ts';
import { bookdownSettings } from '../../settings/bookdown.ts';
import { PANDOC, formulaSigns } from '../../syntax/formulas.ts';
import { SYNTAX } from '../../syntax/syntaxes.ts';

const INDEX = /^index$/i;

/**
 * bookdown, from the folder of `_bookdown.yml`: `index.Rmd` and then every `.Rmd` and `.md` of `rmd_files`, else every `.Rmd` of the folder (with `rmd_subdir` those below it) but for names with `_` in
 * front, by their names, each a chapter. `# (PART) Name` begins a part (https://bookdown.org/yihui/bookdown/usage.html).
 */
export function bookdownPreset(input: PresetInput): Preset {
  const find = languageFinder(input.paths, input, { hasFolders: false, hasSuffixes: false });
  const { chapters, parts, text, problems, valueOf } = bookdownSettings(input);
  const items: NavigationItem[] = [];
  let inside: NavigationItem[] = items;
  for (const file of chapters) {
    const part = parts.get(file);
    if (part !== undefined) {
      inside = [];
      items.push({ title: part, items: inside });
    }
    inside.push({ file });
  }
  const nav = navigation(items, {
    pathOf: (file) => recordPath(find(file), INDEX),
    original: ({ file }) => file,
    hasTitles: false,
  });
  return pagePreset(
    {
      name: 'bookdown',
      tree: {
        documents: /\.(?:rmd|md)$/i,
        inLanguage: find,
        index: INDEX,
        meta: nav.meta,
        leftOut: ({ file }) =>
          nav.has(file) ? undefined : 'the book does not list it, so bookdown does not build it',
      },
      target: { hasPrettyUrls: false, addressPrefixes: [], publicFolders: ['.'] },
      fileFor: (_, path) => `${path === '' ? 'index' : path}.Rmd`,
      folder: nav.folder,
      variable: (name) => (name === 'formulas' ? formulaSigns(PANDOC) : undefined),
      value: valueOf,
      sideFiles: text,
      problems,
      dialect: pageDialect('bookdown 1', SYNTAX.bookdown, { headingIds: 'pandoc' }),
    },
    input,
  );
}
