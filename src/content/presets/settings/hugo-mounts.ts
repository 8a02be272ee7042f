import { posix } from 'node:path';
import type { InLanguage, LanguageOptions } from '../pages/page-languages.ts';
import { globs } from './patterns.ts';
import type { PathMatch } from './patterns.ts';
import { folderPrefix, settingAt } from './site-settings.ts';
import { foldersAbove } from '../../../text/path.ts';
import { textsOf } from '../pages/side-file.ts';

/** A folder whose pages Hugo takes for content. */
interface Mount {
  /** From the folder of the site; also a single file. */
  readonly source: string;
  /** Below the content: empty is its root. */
  readonly target: string;
  /** Undefined: names of files say it. */
  readonly lang: string | undefined;
  readonly isMeant: PathMatch;
}

/**
 * The folders that `languages.NAME.contentDir` or mounts with the target `content` name; empty: there is none of them, and `contentDir` is all
 * of it. A mount of content takes the place of the standard one (https://gohugo.io/configuration/module/#mounts).
 */
function mountsIn(settings: unknown): readonly Mount[] {
  const said = settingAt(settings, 'module', 'mounts');
  const mounts = (Array.isArray(said) ? said : []).flatMap((entry: unknown): readonly Mount[] => {
    const [source, target] = ['source', 'target'].map((key) => textsOf(settingAt(entry, key))[0]);
    const inContent = /^\/?content(?:\/(.*))?$/.exec(target?.replace(/(?<!\/)\/+$/, '') ?? '');
    if (source === undefined || inContent === null) return [];
    const [lang] = [
      ...textsOf(settingAt(entry, 'lang')),
      ...textsOf(settingAt(entry, 'sites', 'matrix', 'languages')),
    ];
    return [{ source: plain(source), target: inContent[1] ?? '', lang, isMeant: fileRule(entry) }];
  });
  if (mounts.length > 0) return mounts;
  const languages = Object.entries(languagesOf(settings)).map(([lang, its]) => ({
    lang,
    folder: textsOf(settingAt(its, 'contentDir'))[0],
  }));
  if (languages.every(({ folder }) => folder === undefined)) return [];
  const [standard = 'content'] = textsOf(settingAt(settings, 'contentDir'));
  return languages.map(({ lang, folder = standard }) => ({
    source: plain(folder),
    target: '',
    lang: languages.some((other) => other.lang !== lang && (other.folder ?? standard) === folder)
      ? undefined
      : lang,
    isMeant: () => true,
  }));
}

/** `includeFiles`, `excludeFiles` and, since Hugo 0.153, `files` with `!` in front of what is left out. */
function fileRule(entry: unknown): PathMatch {
  const files = textsOf(settingAt(entry, 'files')).map((pattern) => pattern.trim());
  const isNot = (pattern: string): boolean => pattern.startsWith('!');
  const included = [
    ...textsOf(settingAt(entry, 'includeFiles')),
    ...files.filter((pattern) => !isNot(pattern)),
  ];
  const excluded = [
    ...textsOf(settingAt(entry, 'excludeFiles')),
    ...files.filter(isNot).map((pattern) => pattern.slice(1).trim()),
  ];
  const isIncluded = globs(included);
  const isExcluded = globs(excluded);
  return (path) => (included.length === 0 || isIncluded(path)) && !isExcluded(path);
}

/** The folder, from that of the settings, that holds all content; undefined: `contentDir` says it alone. */
export function mountedFolder(settings: unknown): string | undefined {
  const sources = mountsIn(settings)
    .map(({ source }) => source)
    .filter((source) => !/^(?:\.\.|node_modules|_vendor)(?:\/|$)/.test(source));
  const [first, ...others] = sources.map((source) => source.split('/'));
  if (first === undefined) return undefined;
  // The folder of one language alone stays that of its language.
  if (others.length === 0) return first.join('/');
  const shared = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  const folder = first.slice(0, shared < 0 ? first.length : shared).join('/');
  return folder === '' ? '.' : folder;
}

/** Where a file of the content folder stands on the site; undefined: Hugo does not read it. */
export type MountFinder = (path: string) => InLanguage | undefined;

export interface MountOptions extends LanguageOptions {
  readonly paths: readonly string[];
  /** The settings as seen from the content folder. */
  readonly settingsPath: string | undefined;
}

/** `find` reads languages in names. Undefined: no mounts. */
export function mountFinder(
  settings: unknown,
  { paths, settingsPath = '', languages, defaultLanguage }: MountOptions,
  find: (path: string) => InLanguage,
): MountFinder | undefined {
  const site = folderPrefix(settingsPath).replace(/config\/_default\/$/, '');
  const levels = site.split('../').length - 1;
  const inside = mountsIn(settings).flatMap((mount) => {
    const parts = mount.source.split('/').filter((part) => part !== '.' && part !== '');
    return parts.length < levels
      ? []
      : [{ ...mount, above: parts.slice(0, levels).join('/'), folder: parts.slice(levels).join('/') }];
  });
  // The content folder has a name that no file in it says: the one whose mounts are there.
  const known = new Set(paths.flatMap(foldersAbove));
  const files = new Set(paths);
  const here = inside.filter(({ folder }) => folder === '' || known.has(folder) || files.has(folder));
  const above = here.find(({ folder }) => folder !== '')?.above ?? here[0]?.above;
  const mounts = here
    .filter((mount) => mount.above === above)
    .sort((a, b) => b.folder.length - a.folder.length);
  if (mounts.length === 0) return undefined;
  const isNamed = Object.keys(languages).length > 0;
  return (path) => {
    const mount = mounts.find(({ folder, isMeant }) =>
      folder === ''
        ? isMeant(path)
        : path === folder || (path.startsWith(`${folder}/`) && isMeant(path.slice(folder.length + 1))),
    );
    if (mount === undefined) return undefined;
    const { folder, lang: said } = mount;
    const below = (file: string): string =>
      path === folder
        ? mount.target
        : posix.join(mount.target, folder === '' ? file : file.slice(folder.length + 1));
    // `README.md` as `content/_index.md`: a single file has the name of its target.
    if (said === undefined && path === folder) return find(mount.target);
    if (said === undefined) {
      const named = find(path);
      // A folder of the mount may look like a language's.
      return folder === '' || !named.rest.startsWith(`${folder}/`)
        ? named
        : { ...named, rest: below(named.rest) };
    }
    const lang = Object.hasOwn(languages, said) ? languages[said] : said;
    if (isNamed && lang === said && said !== defaultLanguage && !Object.hasOwn(languages, said))
      return undefined;
    return { lang: lang ?? said, languageFolder: said, rest: below(path) };
  };
}

export function languagesOf(settings: unknown): Readonly<Record<string, unknown>> {
  const languages = settingAt(settings, 'languages');
  return typeof languages === 'object' && languages !== null && !Array.isArray(languages)
    ? { ...languages }
    : {};
}

function plain(folder: string): string {
  return posix.normalize(folder).replaceAll(/^\/+|(?<!\/)\/+$/g, '');
}
