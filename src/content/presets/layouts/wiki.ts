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
import { wikiTranslator } from '../syntax/syntaxes.ts';

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
  const folder = valueAt(sideFile(settings).value, 'folder');
  const templates = typeof folder === 'string' ? folder.replaceAll(/^\/+|(?<!\/)\/+$/g, '') : '';
  const names = filesByName(paths);
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
          if (templates !== '' && file.startsWith(`${templates}/`)) return 'a template of Obsidian';
          return quartz.isIgnored(file) ? '`ignorePatterns` of Quartz' : undefined;
        },
        meta: (page) => {
          const said = tree.meta(page);
          const isFolder = !page.isIndex && folders.has(page.path);
          return {
            title: humanName(page.isIndex && page.path !== 'home' ? page.path : nameOf(page.file)),
            ...(said?.ordering === undefined ? {} : { ordering: said.ordering }),
            ...(isFolder ? { kind: 'category' as const } : {}),
          };
        },
      },
      target: { hasPrettyUrls: false, addressPrefixes: ['wiki'], publicFolders: [] },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'Home' : path}.md`,
      sideFiles: `${text}${settings}${quartz.text}`,
      dialect: pageDialect(
        `wiki 3 ${quartz.isExplicit}`,
        wikiTranslator((name) => names.find(name) !== undefined),
        {
          fields: {
            status: ['published', 'publish', 'draft'],
            ordering: ['order', 'weight'],
            priority: ['order', 'weight'],
          },
          addressKeys: ['permalink'],
          hasHeadingTitles: false,
          ...(quartz.isExplicit
            ? {
                publication: ({ get }) =>
                  /^true$/i.test(String(get('publish')))
                    ? {}
                    : { leftOut: 'without `publish: true` Quartz does not publish it (`ExplicitPublish`)' },
              }
            : {}),
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

function nameOf(file: string): string {
  return file.replace(/\.[^./]+$/, '');
}
