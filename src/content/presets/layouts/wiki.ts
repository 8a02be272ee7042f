import { decoded } from '../../../model/address/percent.ts';
import { filesByName, withNames } from '../pages/by-name.ts';
import { foldersOf } from '../pages/folder-order.ts';
import { languageFinder } from '../pages/page-languages.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { humanName, pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { navigation, recordPath } from '../pages/navigation.ts';
import { sideFile, valueAt } from '../pages/side-file.ts';
import { summaryItems } from '../pages/summary.ts';
import type { Preset } from '../preset.ts';
import { globs } from '../settings/patterns.ts';
import { siteSettings } from '../settings/site-settings.ts';
import { logseqTranslator, wikiTranslator } from '../syntax/syntaxes.ts';

const INDEX = /^(?:home|index|readme)$/i;
/** In small letters or in capitals only: `Contributing.md` is a page of that name. */
const REPOSITORY_TEXT =
  /^(?:(?:contributing|changelog|license|code_of_conduct|security|agents|claude)|(?:CONTRIBUTING|CHANGELOG|LICENSE|CODE_OF_CONDUCT|SECURITY|AGENTS|CLAUDE))\.(?:md|markdown)$/;

const START = /^(?:home|index)\.(?:md|markdown)$/i;
const README = /^readme\.(?:md|markdown)$/i;

/**
 * Wikis: a checked out GitHub wiki, the storage of Wiki.js, a vault of Obsidian or Foam. Every page is public. The title comes from the front matter, or else
 * from the file name, with blanks for `-`. `[[Page]]` means the page of that name in any folder. A page beside a folder with its name is the page of this folder. `_Sidebar.md`
 * gives the order. `published: false` is a draft, `{.is-info}` below a quote makes it a box.
 */
export function wikiPreset(input: PresetInput): Preset {
  const { paths, readText } = input;
  const find = languageFinder(paths, input, { hasFolders: true, hasSuffixes: false });
  const started = new Set(
    paths
      .map(find)
      .filter(({ rest }) => START.test(rest))
      .map(({ lang }) => lang),
  );
  /** README is the page of its folder; at the root it is about the repository where the wiki has a page for its start. */
  const isPage = (path: string): boolean =>
    !REPOSITORY_TEXT.test(path) && !(README.test(path) && started.has(find(path).lang));
  const settings = readText('.obsidian/templates.json') ?? '';
  const quartz = quartzRules(input);
  const hasVitepress = VITEPRESS.some((file) => readText(file) !== undefined);
  const folder = valueAt(sideFile(settings).value, 'folder');
  const templates = typeof folder === 'string' ? folder.replaceAll(/^\/+|(?<!\/)\/+$/g, '') : '';
  const logseq = logseqRules(input);
  const names = logseq === undefined ? filesByName(paths) : inNamespaces(paths);
  const documents = paths.filter((path) => /\.(?:md|markdown)$/i.test(path));
  const folders = foldersOf(documents.map((path) => find(path).rest));
  const sidebar = paths.find((path) => /(?:^|\/)_sidebar\.md$/i.test(path));
  const text = sidebar === undefined ? '' : (readText(sidebar) ?? '');
  const listed = text.replaceAll(/\[\[([^\]|]+)(?:\|([^\]]+))?\]\]/g, (_, first: string, second?: string) => {
    const name = second !== undefined && names.find(first) === undefined ? second : first;
    return `[${first}](<${name}>)`;
  });
  const items = summaryItems(listed, (address) =>
    names.find(address.replace(/[?#].*$/s, '').replace(/^https?:\/\/[^/]+\/[^/]+\/[^/]+\/wiki\//, '')),
  );
  const tree = navigation(items, {
    pathOf: (file) => recordPath(find(file), INDEX),
    original: ({ file }) => file,
    hasTitles: false,
  });
  const preset = pagePreset(
    {
      name: 'wiki',
      tree: {
        documents: /\.(?:md|markdown)$/i,
        sideFiles: /(?:^|\/)_(?:sidebar|footer|header|navbar)\.md$/i,
        inLanguage: (path) => (isPage(path) ? find(path) : undefined),
        index: INDEX,
        leftOut: ({ file }) => {
          if (logseq?.isPage(file) === false) return 'Logseq does not show it';
          if (templates !== '' && file.startsWith(`${templates}/`)) return 'a template of Obsidian';
          return quartz.isIgnored(file) ? '`ignorePatterns` of Quartz' : undefined;
        },
        meta: (page) => {
          const said = tree.meta(page);
          const isFolder = !page.isIndex && folders.has(page.path);
          return {
            title:
              logseq === undefined
                ? humanName(page.isIndex && page.path !== 'home' ? page.path : nameOf(page.file))
                : pageName(page.file).replace(/^.*?pages\//, ''),
            ...(said?.ordering === undefined ? {} : { ordering: said.ordering }),
            ...(isFolder ? { kind: 'category' as const } : {}),
          };
        },
      },
      target: { hasPrettyUrls: false, addressPrefixes: ['wiki'], publicFolders: [] },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'Home' : path}.md`,
      sideFiles: `${text}${settings}${quartz.text}${logseq?.text ?? ''}`,
      dialect: pageDialect(
        `wiki 5 ${quartz.isExplicit} ${hasVitepress} ${logseq?.text}`,
        logseq === undefined
          ? wikiTranslator((name) => names.find(name) !== undefined, hasVitepress)
          : logseqTranslator((name) => names.find(name) !== undefined, logseq.macros),
        {
          fields: {
            status: ['published', 'publish', 'draft'],
            ordering: ['order', 'weight'],
            priority: ['order', 'weight'],
          },
          addressKeys: ['permalink'],
          hasHeadingTitles: false,
          // GitHub's, and none of notes.
          extensions: {
            hasEmojiCodes: input.paths.some((path) => /(?:^|\/)(?:Home|_Sidebar|_Footer)\.md$/i.test(path)),
          },
          ...(quartz.isExplicit
            ? {
                publication: ({ get }) =>
                  /^true$/i.test(String(get('publish')))
                    ? {}
                    : { leftOut: 'without `publish: true` Quartz does not publish it (`ExplicitPublish`)' },
              }
            : {}),
          ...(logseq === undefined
            ? {}
            : {
                publication: ({ body }) => {
                  const said = PUBLIC.exec(body.slice(0, PROPERTIES_CHARS_MAX))?.[1]?.toLowerCase();
                  const isPublic = said === 'true' || (said === undefined && !logseq.isExplicit);
                  return isPublic ? {} : { leftOut: 'without `public:: true` Logseq does not publish it' };
                },
              }),
        },
      ),
    },
    input,
  );
  return withNames(preset, names);
}

/**
 * Quartz leaves out what `ignorePatterns` name and, with the plugin `ExplicitPublish`, every page that does not say `publish: true`
 * (https://quartz.jzhao.xyz/features/private-pages). What is commented out does not count.
 */
function quartzRules(input: PresetInput): {
  readonly text: string;
  readonly isExplicit: boolean;
  readonly isIgnored: (file: string) => boolean;
} {
  const { text } = siteSettings(input, ['quartz.config.ts', 'quartz.config.js']);
  const code = text.replaceAll(/\/\*[^]*?\*\/|^[ \t]*\/\/[^\n]*/gm, '');
  const [, listed = ''] = /\bignorePatterns\s*:\s*\[([^\]]*)\]/.exec(code) ?? [];
  const patterns = [...listed.matchAll(/(["'`])([^"'`\n]+)\1/g)].map(([, , pattern = '']) =>
    pattern.replaceAll(/^\.?\/|\/$/g, ''),
  );
  return {
    text,
    isExplicit: /\bExplicitPublish\(/.test(code),
    isIgnored: globs(patterns.flatMap((pattern) => [pattern, `${pattern}/**`])),
  };
}

/** Properties of a page stand in its first lines. */
const PUBLIC = /^(?:[ \t]*(?:-[ \t]+)?[\w/?.-]+::[^\n]*\n)*?[ \t]*(?:-[ \t]+)?public::[ \t]*(\w+)/i;
const PROPERTIES_CHARS_MAX = 5000;

/**
 * Logseq publishes the pages of `pages` and `journals`, without those that `:hidden` names, and of them only those that say `public:: true`, unless `:publishing/all-pages-public?` is on
 * (https://docs.logseq.com/#/page/publishing).
 */
function logseqRules({ paths, readText }: PresetInput) {
  const text = readText('logseq/config.edn');
  if (text === undefined) return undefined;
  const said = text.replaceAll(/;[^\n]*/g, '');
  const hidden = [...(/:hidden\s*\[([^\]]*)\]/.exec(said)?.[1] ?? '').matchAll(/"([^"\n]+)"/g)].map(
    ([, path = '']) => path.replaceAll(/^\/+|(?<!\/)\/+$/g, ''),
  );
  const folder = (name: string): string =>
    new RegExp(`:${name}-directory\\s+"([^"\n]+)"`).exec(said)?.[1] ?? name;
  const macros = /:macros\s*\{([^]{0,20000}?)\n[ \t]*(?:\}?[ \t]*\n)?[ \t]*:/.exec(said)?.[1] ?? '';
  const folders = [folder('pages'), folder('journals')].filter((name) =>
    paths.some((path) => path.startsWith(`${name}/`)),
  );
  const isBelow = (path: string, name: string): boolean => path === name || path.startsWith(`${name}/`);
  return {
    text,
    macros: new Map(
      [...macros.matchAll(/"([\w-]+)"\s+"((?:[^"\\]|\\.)*)"/g)].map(([, name = '', put = '']) => [
        name,
        put.replaceAll(/\\(.)/g, '$1'),
      ]),
    ),
    isExplicit: !/:(?:publishing\/)?all-pages-public\?\s+true/.test(said),
    isPage: (path: string) =>
      // Without the folders of a graph, its pages lie elsewhere.
      (folders.length === 0 || folders.some((name) => isBelow(path, name))) &&
      !hidden.some((name) => isBelow(path, name)),
  };
}

/** `Guide___Install.md`, in older graphs `Guide%2FInstall.md` or `Guide.Install.md`, is the page `Guide/Install`. */
function pageName(file: string): string {
  return decoded(nameOf(file).replaceAll('___', '/'));
}

function inNamespaces(paths: readonly string[]) {
  const shown = paths.filter((path) => !path.startsWith('logseq/'));
  const files = new Map(shown.map((path) => [/\.md$/i.test(path) ? `${pageName(path)}.md` : path, path]));
  const names = filesByName([...files.keys()]);
  return {
    find: (name: string, from?: string) => files.get(names.find(name, from) ?? ''),
  };
}

function nameOf(file: string): string {
  return file.replace(/\.[^./]+$/, '');
}

/** Settings of VitePress beside the notes. */
const VITEPRESS = ['ts', 'mts', 'js', 'mjs'].flatMap((end) => [
  `.vitepress/config.${end}`,
  `.vitepress/config/index.${end}`,
]);
