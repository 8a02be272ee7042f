import { posix } from 'node:path';
import { languageFinder } from '../pages/page-languages.ts';
import { navigation, recordPath } from '../pages/navigation.ts';
import { OWN_FIELDS, pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { tomlFile, valueAt } from '../pages/side-file.ts';
import { addressMap } from '../pages/site-redirects.ts';
import { summaryItems } from '../pages/summary.ts';
import type { Preset } from '../preset.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';
import { DOLLARS, formulaSigns } from '../syntax/formulas.ts';

const INDEX = /^(?:index|readme)$/i;

/**
 * mdBook, `content: src` or the folder of book.toml. SUMMARY.md is the book: it gives order, titles and tree, and what it
 * does not list is not built. A chapter with chapters below it is a category, a part title is one too; a chapter without a file is none.
 */
export function mdbookPreset(input: PresetInput): Preset {
  const { readText, defaultLanguage } = input;
  const ownBook = readText('book.toml');
  const book = ownBook ?? readText('../book.toml') ?? '';
  const settings = tomlFile(book);
  const said = valueAt(valueAt(settings.value, 'book'), 'src');
  const html = valueAt(valueAt(settings.value, 'output'), 'html');
  const root =
    ownBook === undefined
      ? ''
      : `${posix.normalize(typeof said === 'string' ? said : 'src')}/`.replace(/^\.\//, '');
  const find = languageFinder(input.paths, input, { hasFolders: false, hasSuffixes: false });
  const inBook = (path: string) => (path.startsWith(root) ? find(path.slice(root.length)) : undefined);
  const summary = readText(`${root}SUMMARY.md`);
  const files = new Set(input.paths);
  const items = summaryItems(summary ?? '', (address) => {
    const path = posix.normalize(`${root}${address.replace(/[?#].*$/s, '')}`);
    return files.has(path) ? path : undefined;
  });
  const nav = navigation(items, {
    pathOf: (file) => recordPath({ rest: file.slice(root.length) }, INDEX),
    original: ({ file }) => file,
    hasTitles: true,
  });
  return pagePreset(
    {
      name: 'mdbook',
      tree: {
        documents: /\.(?:md|markdown)$/i,
        sideFiles: /(?:^|\/)(?:SUMMARY\.md|book\.toml)$/,
        inLanguage: inBook,
        index: INDEX,
        meta: nav.meta,
        leftOut: ({ file }) =>
          summary === undefined || nav.has(file)
            ? undefined
            : 'SUMMARY.md does not list it, so mdBook does not build it',
      },
      target: { hasPrettyUrls: false, addressPrefixes: [], publicFolders: [] },
      // What lies beside the chapters is copied beside their pages.
      fileAddress: (path) => (path.startsWith(root) ? `/${path.slice(root.length)}` : undefined),
      fileFor: (_, path) => `${root}${path === '' ? 'README' : path}.md`,
      folder: nav.folder,
      moved: addressMap(valueAt(html, 'redirect'), {
        file: ownBook === undefined ? '../book.toml' : 'book.toml',
        text: book,
        base: siteUrl(valueAt(html, 'site-url')),
      }),
      variable: (name) =>
        name === 'formulas' && valueAt(valueAt(settings.value, 'preprocessor'), 'katex') !== undefined
          ? formulaSigns(DOLLARS)
          : undefined,
      sideFiles: `${book}\n${summary ?? ''}`,
      problems: settings.problems.map((problem) => ({
        path: ownBook === undefined ? '../book.toml' : 'book.toml',
        problem,
      })),
      dialect: {
        version: 'mdbook 4',
        form: 'strict',
        fields: {
          ...OWN_FIELDS,
          title: ['title'],
          name: ['title'],
          excerpt: ['description'],
          description: ['description'],
        },
        addressKeys: [],
        hasCaselessKeys: false,
        hasHeadingTitles: true,
        // https://rust-lang.github.io/mdBook/format/markdown.html#definition-lists
        extensions: { hasDefinitionLists: valueAt(html, 'definition-lists') !== false },
        translate: SYNTAX.mdbook,
      },
    },
    { ...input, defaultLanguage },
  );
}

function siteUrl(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith('/') ? value : undefined;
}
