import { posix } from 'node:path';
import { frontMatter } from '../../front-matter/read.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';
import { formulaSigns } from '../syntax/formulas.ts';
import type { FormulaSigns } from '../syntax/formulas.ts';
import { isSaid } from '../pages/locked-pages.ts';
import { languageFinder } from '../pages/page-languages.ts';
import type { InLanguage } from '../pages/page-languages.ts';
import { numberedBy } from '../pages/navigation.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import type { TreeRules } from '../pages/page-tree.ts';
import type { Dialect, Preset } from '../preset.ts';
import { expressions } from '../settings/expressions.ts';
import { fnmatch, gitignore } from '../settings/patterns.ts';
import type { PathMatch } from '../settings/patterns.ts';
import {
  hasExtension,
  hasPlugin,
  mkdocsSettings,
  mkdocsValue,
  namedOptions,
  namesExtension,
  pluginOptions,
} from '../settings/mkdocs.ts';
import { folderPrefix, pathOfAddress, settingsFrom } from '../settings/site-settings.ts';
import type { SiteSettings } from '../settings/site-settings.ts';
import { fileMap } from '../pages/site-redirects.ts';
import { scalar, textsOf, valueAt } from '../pages/side-file.ts';
import { isJsonObject } from '../../../text/json-value.ts';
import { folderOf } from '../../../text/path.ts';
import { pageDialect } from '../pages/page-dialect.ts';

/**
 * MkDocs, ProperDocs and Zensical, `content: docs`: titles and order from `nav` of mkdocs.yml or zensical.toml above, `page.fr.md` or `fr/page.md`,
 * `!!! note`. Pages of `exclude_docs` are none, those of `draft_docs` are drafts.
 */
export function mkdocsPreset(input: PresetInput): Preset {
  const find = languageFinder(input.paths, input, { hasFolders: true, hasSuffixes: true });
  const nested = input.paths.some((path) => path.startsWith(`${input.defaultLanguage}/docs/`));
  const { settings, maps } = inherited(
    mkdocsSettings(input, nested ? [input.defaultLanguage] : [], [
      // A project for each language, `config/en/mkdocs.yml` with `docs/en`.
      `config/${input.defaultLanguage}`,
    ]),
    input,
  );
  // One site for each language, `en/mkdocs.yml` with `en/docs/…`: what lies beside `docs` is no content.
  const isSite = (folder: string): boolean =>
    nested && input.paths.some((path) => path.startsWith(`${folder}/docs/`));
  const inLanguage = (path: string): InLanguage | undefined => {
    const place = find(path);
    if (!isSite(path.slice(0, Math.max(0, path.indexOf('/'))))) return place;
    return place.rest.startsWith('docs/') ? { ...place, rest: place.rest.slice('docs/'.length) } : undefined;
  };
  const files = new Set(input.paths);
  /** `setup.en.md` and `setup.de.md` are the pages `setup` and `de/setup` (https://ultrabug.github.io/mkdocs-static-i18n/). */
  const publicPath = (written: string): string => {
    const path = written.replace(/^\.?\//, '');
    const place = files.has(path) ? find(path) : undefined;
    if (place === undefined || place.rest === path || path.startsWith(`${place.languageFolder}/`))
      return written;
    return place.lang === input.defaultLanguage ? place.rest : `${place.languageFolder}/${place.rest}`;
  };
  const { pages, folders } = navigation(valueAt(settings.value, 'nav'));
  const passwords: string[] = [];
  const levelsIn = (file: string): unknown => {
    const text = input.readText(posix.join(folderPrefix(settings.path ?? '../'), file));
    if (text !== undefined) passwords.push(text);
    return text === undefined ? undefined : settingsFrom(file, text).value;
  };
  // Python's `re.match`: at the start.
  const excluded = expressions(textsOf(pluginOptions(settings.value, 'exclude', 'regex')), settings, true);
  const isDraft = gitignore(textsOf(valueAt(settings.value, 'draft_docs')).join('\n'));
  return pagePreset(
    {
      name: 'mkdocs',
      tree: {
        documents: /\.(?:md|markdown|mdown|mkdn?)$/i,
        sideFiles: /^(?:[\w-]+\/)?(?:(?:mkdocs|properdocs)\.ya?ml|zensical\.toml)$/,
        inLanguage,
        leftOut: leftOutRule(settings.value, new Set(input.paths), excluded.match),
        index: /^(?:index|readme)$/i,
        meta: ({ file, rest, lang }) => {
          const { title, ordering } = pages.get(rest) ?? {};
          return {
            ...(title === undefined || lang !== input.defaultLanguage ? {} : { title }),
            ...(ordering === undefined ? {} : { ordering }),
            ...(isDraft(file) ? { isDraft: true } : {}),
          };
        },
      },
      target: {
        hasPrettyUrls: valueAt(settings.value, 'use_directory_urls') !== false,
        addressPrefixes: [],
        publicFolders: [],
        basePath: pathOfAddress(valueAt(settings.value, 'site_url')),
      },
      fileFor: (_, path, lang) =>
        `${path === '' ? 'index' : path}${lang === input.defaultLanguage ? '' : `.${lang}`}.md`,
      folder: (path) => folders.get(path),
      moved: fileMap(
        pluginOptions(settings.value, 'redirects', 'redirect_maps'),
        { ...maps, base: pathOfAddress(valueAt(settings.value, 'site_url')) },
        (path) => addressOf(valueAt(settings.value, 'use_directory_urls') !== false)(publicPath(path)),
      ),
      sideFiles: [settings.text, ...passwords].join('\n'),
      variable: (name) =>
        name === 'formulas'
          ? arithmatex(settings.value)
          : name === 'snippets.base_path'
            ? snippetFolders(settings.value)
            : name === 'tabs'
              ? tabbed(settings.value)
              : pluginValue(settings, name),
      value: pageValues(input.readText),
      problems: [...settings.problems, ...excluded.problems],
      dialect: pageDialect('mkdocs 12', SYNTAX.mkdocs, {
        form: 'mkdocs',
        fields: {
          status: ['draft'],
          hideFromSearch: ['search.exclude', 'hideFromSearch'],
        },
        headingIds: /pymdownx\.slugs/.test(settings.text) ? 'python-unicode' : 'python',
        showsOwnHeading: true,
        extensions: {
          hasEmojiCodes: hasExtension(settings, ['pymdownx.emoji']),
          hasDefinitionLists: hasExtension(settings, DEFINITION_LISTS),
        },
        publication: lockedRule(settings.value, levelsIn),
      }),
    },
    input,
  );
}

/** With the settings that `INHERIT` names below them, mapping by mapping. `maps`: the file that has the redirects. */
function inherited(
  own: SiteSettings,
  { readText }: Pick<PresetInput, 'readText'>,
): { readonly settings: SiteSettings; readonly maps: { readonly file: string; readonly text: string } } {
  const { path = '', text } = own;
  const maps = { file: path, text };
  const [named] = textsOf(valueAt(own.value, 'INHERIT'));
  const file = named === undefined ? undefined : posix.normalize(`${folderPrefix(path)}${named}`);
  const above = file === undefined ? undefined : readText(file);
  if (file === undefined || above === undefined) return { settings: own, maps };
  const { value: whole, problems } = settingsFrom(file, above);
  const value = mkdocsValue(file, whole);
  const settings = {
    ...own,
    value: merged(value, own.value),
    text: `${text}\n${above}`,
    problems: [...own.problems, ...problems.map((problem) => ({ path: file, problem }))],
  };
  const isOwn = pluginOptions(own.value, 'redirects', 'redirect_maps') !== undefined;
  return { settings, maps: isOwn ? maps : { file, text: above } };
}

function merged(above: unknown, own: unknown): unknown {
  if (!isJsonObject(above) || !isJsonObject(own)) return own ?? above;
  const names = [...new Set([...Object.keys(above), ...Object.keys(own)])];
  return Object.fromEntries(names.map((name) => [name, merged(valueAt(above, name), valueAt(own, name))]));
}

/** `exclude_docs` after what MkDocs excludes itself, the plugin `exclude`, and README.md beside index.md. */
function leftOutRule(
  settings: unknown,
  paths: ReadonlySet<string>,
  byExpression: PathMatch,
): NonNullable<TreeRules['leftOut']> {
  const isExcluded = gitignore(['/templates/', ...textsOf(valueAt(settings, 'exclude_docs'))].join('\n'));
  const byPlugin = [...textsOf(pluginOptions(settings, 'exclude', 'glob')).map(fnmatch), byExpression];
  return ({ file: path }) => {
    if (isExcluded(path)) return '`exclude_docs` of mkdocs.yml';
    if (byPlugin.some((isMeant) => isMeant(path))) return 'the plugin `exclude` of mkdocs.yml';
    const folder = /^((?:.*\/)?)README\.md$/.exec(path)?.[1];
    return folder !== undefined && paths.has(`${folder}index.md`) ? 'index.md stands beside it' : undefined;
  };
}

/**
 * The plugin `encryptcontent` shows pages with `password` or `level` to those who have it. A global password, or the level `_global`, is for all pages but those with an
 * empty one of their own (https://pypi.org/project/mkdocs-encryptcontent-plugin/). Levels in a file that is not here may name `_global`.
 */
function lockedRule(
  settings: unknown,
  levelsIn: (file: string) => unknown,
): NonNullable<Dialect['publication']> {
  if (!hasPlugin(settings, 'encryptcontent')) return () => ({});
  const option = (name: string): unknown => pluginOptions(settings, 'encryptcontent', name);
  const [file] = textsOf(option('password_file'));
  const levels = file === undefined ? option('password_inventory') : levelsIn(file);
  const isUnknown = file !== undefined && levels === undefined;
  const password = isSaid(option('global_password'));
  const level = isSaid(valueAt(levels, '_global'));
  return ({ get }) => {
    if (isSaid(get('password') ?? password) || isSaid(get('level') ?? level))
      return { lockedBy: '`encryptcontent`' };
    return isUnknown && get('level') === undefined
      ? { lockedBy: `\`encryptcontent\`, whose ${file} is not here and may have a password for all pages` }
      : {};
  };
}

/** How `pymdownx.tabbed` makes the ids of tabs; behind the heading's own, nobody knows them. */
function tabbed(settings: unknown): string | undefined {
  const extensions = valueAt(settings, 'markdown_extensions');
  const options = namedOptions(extensions, 'pymdownx.tabbed');
  const isOn = options !== undefined || (Array.isArray(extensions) && extensions.includes('pymdownx.tabbed'));
  if (!isOn || valueAt(options, 'combine_header_slug') === true) return undefined;
  return valueAt(options, 'slugify') === undefined ? 'numbers' : 'slugs';
}

/** Of the plugin `include-markdown` that it is on, or of `macros`. */
function pluginValue(settings: SiteSettings, name: string): string | undefined {
  if (name === 'include-markdown') return hasPlugin(settings.value, name) ? 'on' : undefined;
  return macroValue(settings, name);
}

/** Of the plugin `macros`: `macros` says that it is on, `macros a.b` is a value of `extra` or of the settings. */
function macroValue({ value: settings, path }: SiteSettings, name: string): string | undefined {
  if (!/^macros(?:[ .]|$)/.test(name) || !hasPlugin(settings, 'macros')) return undefined;
  if (name === 'macros') return 'on';
  if (name.startsWith('macros.')) {
    const [option] = textsOf(pluginOptions(settings, 'macros', name.slice('macros.'.length)));
    return option !== undefined && name === 'macros.include_dir'
      ? `${folderPrefix(path ?? '../')}${option}`
      : option;
  }
  const keys = name.slice('macros '.length).split('.');
  const [first = '', ...rest] = keys;
  const within = first === 'config' ? settings : valueAt(valueAt(settings, 'extra'), first);
  let value = within;
  for (const key of rest) value = valueAt(value, key);
  return scalar(value);
}

/** What the front matter of a page says. */
function pageValues(readText: PresetInput['readText']) {
  let last: { readonly file: string; readonly values: unknown } | undefined;
  return (file: string, _: string, keys: readonly string[]): unknown => {
    if (last?.file !== file)
      last = { file, values: Object.fromEntries(frontMatter(readText(file) ?? '', 'mkdocs').values) };
    return keys.reduce(valueAt, last.values);
  };
}

/** `old/page.md` → `old/page/`, without directory addresses `old/page.html`. */
function addressOf(isPretty: boolean): (path: string) => string {
  return (path) => {
    const bare = path.replace(/^\.?\//, '').replace(/\.(?:md|markdown)$/i, '');
    if (bare === path.replace(/^\.?\//, '')) return bare;
    const folder = /^(?:(.*\/)|)(?:index|readme)$/i.exec(bare);
    if (folder !== null) return isPretty ? (folder[1] ?? '') : `${folder[1] ?? ''}index.html`;
    return isPretty ? `${bare}/` : `${bare}.html`;
  };
}

interface Entry {
  readonly title?: string;
  readonly ordering: number;
}

/** Pages by file, and folders whose pages are all of one section's, in the order of the navigation; each folder has numbers of its own. */
function navigation(nav: unknown) {
  const pages = new Map<string, Entry>();
  const folders = new Map<string, { readonly name: string; readonly priority: number }>();
  const orderingIn = numberedBy();
  const walk = (items: unknown): readonly string[] => {
    const files: string[] = [];
    for (const item of Array.isArray(items) ? items : []) {
      const [title, value]: readonly [string | undefined, unknown] =
        typeof item === 'object' && item !== null
          ? (Object.entries(item)[0] ?? [undefined, undefined])
          : [undefined, item];
      if (typeof value === 'string') {
        const file = value.replace(/^\.?\//, '');
        // The page of a folder stands beside that folder.
        const place = /(?:^|\/)(?:index|readme)\.[^/]*$/i.test(file)
          ? folderOf(folderOf(file))
          : folderOf(file);
        const ordering = orderingIn(place);
        pages.set(file, title === undefined ? { ordering } : { title, ordering });
        files.push(file);
      } else {
        const inside = walk(value);
        const folder = sharedFolder(inside);
        if (folder !== '' && title !== undefined && !folders.has(folder))
          folders.set(folder, { name: title, priority: orderingIn(folderOf(folder)) });
        files.push(...inside);
      }
    }
    return files;
  };
  walk(nav);
  return { pages, folders };
}

function sharedFolder(files: readonly string[]): string {
  const [first = '', ...others] = files.map((file) => folderOf(file));
  return others.every((folder) => folder === first || folder.startsWith(`${first}/`)) ? first : '';
}

/** `base_path` of pymdownx.snippets, from the content folder, one in a line. */
function snippetFolders(settings: unknown): string | undefined {
  const said = namedOptions(valueAt(settings, 'markdown_extensions'), 'pymdownx.snippets');
  const folders = textsOf(valueAt(said, 'base_path'));
  return folders.length === 0 ? undefined : folders.map((folder) => `../${folder}`).join('\n');
}

/** The signs that pymdownx.arithmatex reads; each kind can be turned off. */
function arithmatex(settings: unknown): string | undefined {
  const extensions = valueAt(settings, 'markdown_extensions');
  if (!namesExtension(extensions, [ARITHMATEX])) return undefined;
  const options = namedOptions(extensions, ARITHMATEX);
  const signs = (['inline', 'block'] as const).flatMap((kind) => {
    const said = valueAt(options, `${kind}_syntax`);
    const names = Array.isArray(said) ? textsOf(said) : Object.keys(ARITHMATEX_SIGNS[kind]);
    return names.flatMap((name) => {
      const pair = Object.hasOwn(ARITHMATEX_SIGNS[kind], name) ? ARITHMATEX_SIGNS[kind][name] : undefined;
      return pair === undefined ? [] : [{ kind, open: pair[0], close: pair[1] } satisfies FormulaSigns];
    });
  });
  return signs.length === 0 ? undefined : formulaSigns(signs);
}

const ARITHMATEX = 'pymdownx.arithmatex';
/** https://python-markdown.github.io/extensions/definition_lists/; `extra` has them too. */
const DEFINITION_LISTS = ['def_list', 'extra', 'pymdownx.extra'];

const ARITHMATEX_SIGNS: Readonly<
  Record<'inline' | 'block', Readonly<Record<string, readonly [string, string]>>>
> = {
  inline: { dollar: ['$', '$'], round: [String.raw`\(`, String.raw`\)`] },
  block: {
    dollar: ['$$', '$$'],
    square: [String.raw`\[`, String.raw`\]`],
    begin: [String.raw`\begin{`, String.raw`\end{`],
  },
};
