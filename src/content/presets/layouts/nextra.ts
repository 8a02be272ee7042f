import { folderOrders, foldersOf } from '../pages/folder-order.ts';
import type { FolderOrder } from '../pages/folder-order.ts';
import { languageFinder } from '../pages/page-languages.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { sideFile, valueAt } from '../pages/side-file.ts';
import type { Foreign, Preset } from '../preset.ts';
import { scriptFile } from '../settings/site-settings.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';

const META = /(?:^|\/)_meta(?:\.([a-z]{2}(?:-[A-Za-z]+)?))?\.(?:jsx?|tsx?|mjs|json)$/;
const INDEX = /^index$/;

/**
 * Nextra 2 to 4, `content: content` or `pages` (`src/…` too), or `app` with `page.mdx`. `_meta` of a folder gives order and names of folders; every page is public,
 * listed or not. Languages are folders (`content/fr/`), in Nextra 2 suffixes (`page.fr.mdx`). The title is the front matter's, else the first heading. A page beside a folder of its name
 * is the folder's page.
 */
export function nextraPreset(input: PresetInput): Preset {
  const { paths, readText, defaultLanguage } = input;
  const isApp = paths.some((path) => /(?:^|\/)page\.mdx?$/.test(path));
  const routed = new Map(paths.map((path) => [path, route(path, isApp)]));
  const documents = paths.filter((path) => isPage(path, isApp));
  const find = languageFinder([...routed.values()], input, { hasFolders: true, hasSuffixes: true });
  const orders = new Map<string, FolderOrder>();
  const problems: Foreign['problems'][number][] = [];
  let texts = '';
  for (const path of paths) {
    const found = META.exec(path);
    if (found === null) continue;
    const { lang, rest } = find(routed.get(path) ?? path);
    const text = (found[1] ?? lang) === defaultLanguage ? readText(path) : undefined;
    if (text === undefined) continue;
    texts += `${path}\n${text}\n`;
    const { value, problems: faults } = path.endsWith('.json') ? sideFile(text) : scriptFile(text);
    problems.push(...faults.map((problem) => ({ path, problem })));
    const slash = rest.lastIndexOf('/');
    orders.set(rest.slice(0, Math.max(0, slash)), orderOf(value));
  }
  const folders = foldersOf(documents.map((path) => find(routed.get(path) ?? path).rest));
  const said = folderOrders(orders, folders);
  return pagePreset(
    {
      name: 'nextra',
      tree: {
        documents: /\.mdx?$/i,
        sideFiles: META,
        inLanguage: (path) => find(routed.get(path) ?? path),
        index: INDEX,
        isMdx: () => true,
        meta: said.meta,
        leftOut: ({ file }) =>
          isPage(file, isApp) ? undefined : 'Nextra makes no page of it: it is a template or a part',
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [],
        publicFolders: ['public', '../public', '../../public'],
      },
      fileFor: (_, path, lang) =>
        `${lang === defaultLanguage ? '' : `${lang}/`}${path === '' ? 'index' : path}.mdx`,
      folder: said.folder,
      sideFiles: texts,
      problems,
      dialect: pageDialect('nextra 5', SYNTAX.nextra, {
        fields: { title: ['title', 'sidebarTitle'] },
        showsOwnHeading: true,
      }),
    },
    input,
  );
}

/** `(group)/guide/page.mdx` of the app folder is `guide/index.mdx`. */
function route(path: string, isApp: boolean): string {
  if (!isApp) return path;
  return path
    .replaceAll(/\([^/()]+\)\//g, '')
    .replace(/(?:^|\/)page(\.mdx?)$/, (whole, extension: string) =>
      whole.startsWith('/') ? `/index${extension}` : `index${extension}`,
    );
}

function isPage(path: string, isApp: boolean): boolean {
  if (/\[[^\]]+\]/.test(path) || !/\.mdx?$/i.test(path)) return false;
  // Next.js shows these where something is missing or fails, or around every page: https://nextjs.org/docs/pages/building-your-application/routing/custom-error
  if (!isApp && /^(?:404|500|_error|_app|_document)\.mdx?$/.test(path)) return false;
  return !isApp || /(?:^|\/)page\.mdx?$/.test(path);
}

/** `{ index: 'Home', guide: { title: 'Guide' }, '---': { type: 'separator' } }` */
function orderOf(value: unknown): FolderOrder {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { names: [] };
  return {
    names: Object.entries(value).map(([name, entry]: readonly [string, unknown]) => {
      const title = typeof entry === 'string' ? entry : valueAt(entry, 'title');
      return { name, ...(typeof title === 'string' && title !== '' ? { title } : {}) };
    }),
  };
}
