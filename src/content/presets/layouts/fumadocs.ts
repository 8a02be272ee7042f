import { posix } from 'node:path';
import { folderOrders, foldersOf } from '../pages/folder-order.ts';
import type { FolderOrder } from '../pages/folder-order.ts';
import { languageFinder } from '../pages/page-languages.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { allTextsOf, sideFile, textsOf, valueAt } from '../pages/side-file.ts';
import type { Foreign, Preset } from '../preset.ts';
import { exportsOf, isCall } from '../settings/literals.ts';
import { globs } from '../settings/patterns.ts';
import type { PathMatch } from '../settings/patterns.ts';
import { folderPrefix, settingAt, siteSettings } from '../settings/site-settings.ts';
import type { SiteSettings } from '../settings/site-settings.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';
import { folderOf } from '../../../text/path.ts';

const META = /(?:^|\/)meta(?:\.[a-z]{2}(?:-[A-Za-z]+)?)?\.json$/;
const INDEX = /^index$/;
const SETTINGS = ['ts', 'mts', 'js', 'mjs'].map((form) => `source.config.${form}`);

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
  const settings = siteSettings(input, SETTINGS);
  const isNamed = collections(settings);
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
        leftOut: ({ file }) => (isNamed(file) ? undefined : '`files` of the collection of Fumadocs'),
      },
      target: { hasPrettyUrls: false, addressPrefixes: ['docs'], publicFolders: ['../../public'] },
      fileFor: (_, path, lang) =>
        `${path === '' ? 'index' : path}${lang === defaultLanguage ? '' : `.${lang}`}.mdx`,
      folder: said.folder,
      sideFiles: settings.text + texts,
      problems,
      dialect: pageDialect('fumadocs 3', SYNTAX.nextra),
    },
    input,
  );
}

/** `defineDocs({ dir, docs: { files: ['*.mdx', '!plan.mdx'] } })`: the files of all collections of the content folder; without `files` every one. */
function collections({ text, path = '' }: Pick<SiteSettings, 'text' | 'path'>): PathMatch {
  const levels = folderPrefix(path).split('/').length - 1;
  const matches = [...exportsOf(text).values()].filter(isCall).flatMap(({ call, given }) => {
    const [options] = given;
    if (!/^define(?:Docs|Collections)$/.test(call) || valueAt(options, 'type') === 'meta') return [];
    const files = settingAt(options, 'docs', 'files') ?? valueAt(options, 'files');
    const isUsual = !Object.hasOwn(options ?? {}, 'dir');
    const folders = textsOf(isUsual ? 'content/docs' : valueAt(options, 'dir'));
    if (folders.length === 0) return [() => true];
    return folders.flatMap((folder): readonly PathMatch[] => {
      const parts = posix.normalize(folder).replace(/\/$/, '').split('/');
      if (parts.length < levels) return [];
      const inContent = (glob: string): string => posix.join(...parts.slice(levels), glob);
      const meant = allTextsOf(files).filter((glob) => !glob.startsWith('!'));
      const isMeant = globs(meant.map(inContent));
      const isNot = globs(
        textsOf(files).flatMap((glob) => (glob.startsWith('!') ? inContent(glob.slice(1)) : [])),
      );
      return [(file) => (meant.length === 0 || isMeant(file)) && !isNot(file)];
    });
  });
  return (file) => matches.length === 0 || matches.some((isMeant) => isMeant(file));
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
