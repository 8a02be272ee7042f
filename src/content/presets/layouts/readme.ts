import { filesByName, withNames } from '../pages/by-name.ts';
import { folderOrders, foldersOf } from '../pages/folder-order.ts';
import type { FolderOrder } from '../pages/folder-order.ts';
import { isSaid } from '../pages/locked-pages.ts';
import { languageFinder } from '../pages/page-languages.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { sideFile } from '../pages/side-file.ts';
import type { Foreign, Preset } from '../preset.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';
import { folderOf } from '../../../text/path.ts';

const ORDER = /(?:^|\/)_order\.ya?ml$/;
const INDEX = /^index$/;
const OTHER = /^(?:custom_pages|custom_blocks|recipes|changelogs)\//;

/**
 * ReadMe (readme.com), from the repository that it syncs both ways or from its `docs`: a folder is a category, `index.md` the page of a folder, `_order.yaml`
 * the order in it. `hidden: true` and `privacy.view: anyone_with_link` are drafts; `doc:slug` is a link to a page by its file's name; `> 📘` is a box. Custom pages, blocks, recipes and changelogs are no articles.
 */
export function readmePreset(input: PresetInput): Preset {
  const { paths, readText } = input;
  const root = paths.some((path) => path.startsWith('docs/')) ? 'docs/' : '';
  const find = languageFinder(paths, input, { hasFolders: false, hasSuffixes: false });
  const inside = (path: string) => find(path.startsWith(root) ? path.slice(root.length) : path);
  const orders = new Map<string, FolderOrder>();
  const problems: Foreign['problems'][number][] = [];
  let texts = '';
  for (const path of paths.filter((name) => ORDER.test(name))) {
    const text = readText(path) ?? '';
    texts += `${path}\n${text}\n`;
    const { value, problems: faults } = sideFile(text);
    problems.push(...faults.map((problem) => ({ path, problem })));
    const { rest } = inside(path);
    const names = (Array.isArray(value) ? value : []).filter((name: unknown) => typeof name === 'string');
    orders.set(folderOf(rest), { names: names.map((name) => ({ name })) });
  }
  const documents = paths.filter((path) => /\.mdx?$/i.test(path) && !OTHER.test(path));
  const said = folderOrders(orders, foldersOf(documents.map((path) => inside(path).rest)));
  const preset = pagePreset(
    {
      name: 'readme',
      tree: {
        documents: /\.mdx?$/i,
        sideFiles: ORDER,
        inLanguage: inside,
        index: INDEX,
        isMdx: () => true,
        meta: said.meta,
        leftOut: ({ file }) => {
          if (OTHER.test(file))
            return 'ReadMe keeps its custom pages, blocks, recipes and changelogs beside the docs';
          return root !== '' && !file.includes('/') ? 'it lies beside the folders of ReadMe' : undefined;
        },
      },
      target: { hasPrettyUrls: false, addressPrefixes: ['docs'], publicFolders: [] },
      fileFor: (_, path) => `${root}${path === '' ? 'index' : path}.md`,
      folder: said.folder,
      sideFiles: texts,
      problems,
      dialect: pageDialect('readme 2', SYNTAX.readme, {
        extensions: { hasEmojiCodes: true },
        fields: {
          excerpt: ['excerpt', 'metadata.description'],
          description: ['excerpt', 'metadata.description'],
          status: ['hidden'],
          hideFromSearch: ['hideFromSearch'],
        },
        addressKeys: ['slug'],
        // What `hidden: true` is called since the sync with git.
        publication: ({ get }) => {
          const view = get('privacy.view');
          return isSaid(view) && view !== 'public' ? { isDraft: true } : {};
        },
      }),
    },
    input,
  );
  return withNames(preset, filesByName(documents));
}
