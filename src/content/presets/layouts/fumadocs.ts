import { folderOrders, foldersOf } from '../pages/folder-order.ts';
import type { FolderOrder } from '../pages/folder-order.ts';
import { languageFinder } from '../pages/page-languages.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { sideFile, valueAt } from '../pages/side-file.ts';
import type { Foreign, Preset } from '../preset.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';
import { folderOf } from '../../../text/path.ts';

const META = /(?:^|\/)meta(?:\.[a-z]{2}(?:-[A-Za-z]+)?)?\.json$/;
const INDEX = /^index$/;

/**
 * Fumadocs, `content: content/docs`. `meta.json` of a folder gives its name and the order of what is in it (`"..."` is the rest); every page is public, listed or not.
 * `(group)` is no part of an address. Languages are suffixes (`page.fr.mdx`, `meta.fr.json`) or folders. The title is the front matter's.
 */
export function fumadocsPreset(input: PresetInput): Preset {
  const { paths, readText, defaultLanguage } = input;
  const plain = new Map(paths.map((path) => [path, path.replaceAll(/\([^/()]+\)\//g, '')]));
  const find = languageFinder([...plain.values()], input, { hasFolders: true, hasSuffixes: true });
  const orders = new Map<string, FolderOrder>();
  const problems: Foreign['problems'][number][] = [];
  let texts = '';
  for (const path of paths) {
    if (!META.test(path) || /\.[a-z]{2}(?:-[A-Za-z]+)?\.json$/.test(path)) continue;
    const { lang, rest } = find(plain.get(path) ?? path);
    const text = lang === defaultLanguage ? readText(path) : undefined;
    if (text === undefined) continue;
    texts += `${path}\n${text}\n`;
    const { value, problems: faults } = sideFile(text);
    problems.push(...faults.map((problem) => ({ path, problem })));
    const folder = folderOf(rest);
    orders.set(folder, orderOf(value, orders.get(folder)));
  }
  const pages = paths
    .filter((path) => /\.mdx?$/i.test(path))
    .map((path) => find(plain.get(path) ?? path).rest);
  const said = folderOrders(orders, foldersOf(pages));
  return pagePreset(
    {
      name: 'fumadocs',
      tree: {
        documents: /\.mdx?$/i,
        sideFiles: META,
        inLanguage: (path) => find(plain.get(path) ?? path),
        index: INDEX,
        isMdx: () => true,
        meta: said.meta,
      },
      target: { hasPrettyUrls: false, addressPrefixes: ['docs'], publicFolders: ['../../public'] },
      fileFor: (_, path, lang) =>
        `${path === '' ? 'index' : path}${lang === defaultLanguage ? '' : `.${lang}`}.mdx`,
      folder: said.folder,
      sideFiles: texts,
      problems,
      dialect: pageDialect('fumadocs 3', SYNTAX.nextra),
    },
    input,
  );
}

/** `{ "title": "Guide", "pages": ["index", "---More---", "b", "...", "[Site](https://…)"] }` */
function orderOf(value: unknown, before: FolderOrder | undefined): FolderOrder {
  const pages = valueAt(value, 'pages');
  const title = valueAt(value, 'title');
  const names = (Array.isArray(pages) ? pages : [])
    .filter((name: unknown) => typeof name === 'string')
    .filter((name) => !/^(?:---|\.\.\.$|z\.\.\.$|!|\[|external:)/.test(name))
    .map((name) => ({ name: name.replace(/^(?:\.\.\.|\.\/)/, '').replace(/^\([^()]+\)\//, '') }));
  return {
    title: typeof title === 'string' ? title : before?.title,
    names: [...(before?.names ?? []), ...names],
  };
}
