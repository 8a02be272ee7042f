import { languageFinder } from '../../pages/page-languages.ts';
import { navigation, recordPath } from '../../pages/navigation.ts';
import { pageDialect } from '../../pages/page-dialect.ts';
import { pagePreset } from '../../pages/page-preset.ts';
import type { PresetInput } from '../../pages/page-preset.ts';
import type { Preset } from '../../preset.ts';
import { SOURCES, quartoSettings } from '../../settings/quarto.ts';
import { pathOfAddress, settingAt } from '../../settings/site-settings.ts';
import { PANDOC, formulaSigns } from '../../syntax/formulas.ts';
import { SYNTAX } from '../../syntax/syntaxes.ts';

const INDEX = /^index$/i;

/**
 * Quarto, from the folder of `_quarto.yml`: `.qmd`, `.md` and `.Rmd` are pages but for names with `_` in front, README and what `project.render` leaves out; of a book what `book.chapters` lists.
 * The sidebars give order and tree (https://quarto.org/docs/websites, https://quarto.org/docs/books).
 */
export function quartoPreset(input: PresetInput): Preset {
  const find = languageFinder(input.paths, input, { hasFolders: true, hasSuffixes: true });
  const { value, isBook, items, leftOut, isDraft, text, problems, valueOf } = quartoSettings(input);
  const nav = navigation(items, {
    pathOf: (file) => recordPath(find(file), INDEX),
    original: ({ file, rest }) => (input.paths.includes(rest) ? rest : file),
    hasTitles: false,
  });
  const site = settingAt(value, isBook ? 'book' : 'website', 'site-url');
  return pagePreset(
    {
      name: 'quarto',
      tree: {
        documents: SOURCES,
        inLanguage: find,
        index: INDEX,
        meta: (page) => {
          const said = nav.meta(page);
          return isDraft(page.file) ? { ...said, isDraft: true } : said;
        },
        leftOut: ({ file }) => leftOut(file),
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [],
        publicFolders: ['.'],
        basePath: pathOfAddress(site),
        isBasePrepended: true,
        // Pages of a notebook.
        hasPagesElsewhere: input.paths.some((path) => path.endsWith('.ipynb')),
      },
      fileFor: (_, path, lang) =>
        `${path === '' ? 'index' : path}${lang === input.defaultLanguage ? '' : `.${lang}`}.qmd`,
      folder: nav.folder,
      variable: (name) => (name === 'formulas' ? formulaSigns(PANDOC) : undefined),
      value: valueOf,
      sideFiles: text,
      problems,
      dialect: pageDialect('quarto 1', SYNTAX.quarto, {
        headingIds: 'pandoc',
        addressKeys: ['aliases'],
        fields: {
          excerpt: ['description', 'subtitle'],
          tags: ['categories', 'keywords'],
          ordering: ['order'],
          priority: ['order'],
        },
      }),
    },
    input,
  );
}
