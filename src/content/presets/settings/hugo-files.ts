import type { InLanguage } from '../pages/page-languages.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { settingAt } from './site-settings.ts';

export interface HugoFileRules extends Pick<PresetInput, 'paths' | 'readText' | 'defaultLanguage'> {
  readonly settings: unknown;
  readonly inLanguage: (path: string) => InLanguage;
  /** Whether settings give pages of this path an address of their own. */
  readonly hasPermalink: (path: string) => boolean;
}

const LEAF = /(?:^|\/)index(?:\.[\w-]+)?\.(?:md|markdown|html)$/;
/** Keys by which a page has another address than its folder's, or none. */
const MOVES = /^[ \t]*"?(?:url|slug|headless|_?build|draft)"?[ \t]*[:=]|^\[_?build\]/im;
const HEAD_CHARS = 5000;
/** A part that Hugo leaves as it is. */
const PLAIN = /^[a-z0-9][a-z0-9._-]*$/;
const SLUGGED = /^[\p{L}\p{N}._ -]+$/u;

/**
 * Where Hugo publishes a file beside the pages, from the root of the site: below the address of its page bundle, or else of its section
 * (https://gohugo.io/content-management/page-bundles/). Undefined where front matter or settings decide that.
 */
export function hugoFileAddress(rules: HugoFileRules): (path: string) => string | undefined {
  const { paths, settings, inLanguage, defaultLanguage } = rules;
  const languages = settingAt(settings, 'languages');
  const hasHosts =
    typeof languages === 'object' &&
    languages !== null &&
    Object.values(languages).some((its) => settingAt(its, 'baseURL') !== undefined);
  if (hasHosts || settingAt(settings, 'uglyURLs') === true) return () => undefined;
  const leaves = new Map<string, string>();
  for (const path of paths)
    if (LEAF.test(path)) leaves.set(path.slice(0, Math.max(0, path.lastIndexOf('/'))), path);
  const keepsCase = settingAt(settings, 'disablePathToLower') === true;
  const slugged = (name: string): string => {
    const written = name.trim().replaceAll(/ +/g, '-');
    return keepsCase ? written : written.toLowerCase();
  };
  return (path) => {
    if (path.startsWith('../')) return undefined;
    const { lang, languageFolder, rest } = inLanguage(path);
    const isPrefixed =
      lang !== defaultLanguage || settingAt(settings, 'defaultContentLanguageInSubdir') === true;
    const prefix = isPrefixed ? `${languageFolder.toLowerCase()}/` : '';
    const folders = rest.split('/').slice(0, -1);
    const above = path.split('/').length - folders.length - 1;
    const depth = folders.findIndex((_, index) =>
      leaves.has(
        path
          .split('/')
          .slice(0, above + index + 1)
          .join('/'),
      ),
    );
    if (depth < 0) return folders.every((name) => PLAIN.test(name)) ? `/${prefix}${rest}` : undefined;
    const bundle = folders.slice(0, depth + 1);
    const page = leaves.get(
      path
        .split('/')
        .slice(0, above + depth + 1)
        .join('/'),
    );
    const head = (rules.readText(page ?? '') ?? '').slice(0, HEAD_CHARS);
    if (MOVES.test(head) || rules.hasPermalink(bundle.join('/'))) return undefined;
    if (!bundle.every((name) => SLUGGED.test(name))) return undefined;
    const inside = rest.split('/').slice(depth + 1);
    return `/${prefix}${[...bundle.map(slugged), ...inside].join('/')}`;
  };
}
