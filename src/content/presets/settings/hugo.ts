import { frontMatter } from '../../front-matter/read.ts';
import type { InLanguage } from '../pages/page-languages.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { scalar, textsOf } from '../pages/side-file.ts';
import { languagesOf } from './hugo-mounts.ts';
import { settingAt, settingsFrom, siteSettings } from './site-settings.ts';
import type { SiteSettings } from './site-settings.ts';

const FORMS = ['toml', 'yaml', 'yml', 'json'];
const named = (folder: string, name: string): readonly string[] =>
  FORMS.map((form) => `${folder}${name}.${form}`);

/** Where Hugo looks for its settings, best first. */
const HUGO_SETTINGS: readonly string[] = [
  ...named('', 'hugo'),
  ...named('', 'config'),
  ...named('config/_default/', 'hugo'),
  ...named('config/_default/', 'config'),
];

/** Parts that have a file of their own in `config/_default`. */
const PARTS = ['languages', 'params', 'permalinks', 'frontmatter', 'module', 'markup'];

/** Hugo's settings, with the parts of its folder of settings put in. `codes`: languages that may have a file of their own. */
export function hugoSettings(
  input: Pick<PresetInput, 'readText'>,
  codes: readonly string[] = [],
): SiteSettings {
  const main = siteSettings(input, HUGO_SETTINGS);
  if (main.path === undefined) return main;
  const folder = main.path.includes('config/_default/')
    ? main.path.slice(0, main.path.lastIndexOf('/') + 1)
    : `${main.path.slice(0, main.path.lastIndexOf('/') + 1)}config/_default/`;
  let text = main.text;
  const problems: SiteSettings['problems'][number][] = [...main.problems];
  const valueIn = (path: string, found: string): unknown => {
    const said = settingsFrom(path, found);
    problems.push(...said.problems.map((problem) => ({ path, problem })));
    return said.value;
  };
  const parts: Record<string, unknown> = {};
  for (const part of PARTS) {
    for (const path of named(folder, part)) {
      const found = input.readText(path);
      if (found === undefined) continue;
      text += found;
      parts[part] = valueIn(path, found);
      break;
    }
  }
  const value = typeof main.value === 'object' && main.value !== null ? main.value : {};
  const whole: Record<string, unknown> = { ...value, ...parts };
  // `languages.fr.toml` is what `languages.toml` says below `fr`.
  const languages: Record<string, unknown> = {};
  for (const code of codes) {
    for (const path of named(folder, `languages.${code}`)) {
      const found = input.readText(path);
      if (found === undefined) continue;
      text += found;
      languages[code] = valueIn(path, found);
      break;
    }
  }
  if (Object.keys(languages).length > 0) whole['languages'] = { ...languagesOf(whole), ...languages };
  return { ...main, value: whole, text, problems };
}

/** Values that `_index.md` files hand down to the pages below them. */
export interface Cascade {
  /** Changes when any of them does. */
  readonly text: string;
  readonly get: (page: { readonly lang: string; readonly path: string }, key: string) => unknown;
}

/** `cascade:` of the sections; a nearer section wins, and a page's own front matter wins over all of them. */
export function cascadeOf(
  { paths, readText }: Pick<PresetInput, 'paths' | 'readText'>,
  find: (path: string) => InLanguage,
): Cascade {
  const sections: { readonly lang: string; readonly folder: string; readonly values: unknown }[] = [];
  for (const path of paths) {
    if (!/(?:^|\/)_index\.(?:[\w-]+\.)?md$/.test(path)) continue;
    const text = readText(path);
    if (text === undefined || !/cascade/i.test(text.slice(0, HEAD_CHARS))) continue;
    const values = settingAt(Object.fromEntries(frontMatter(text, 'hugo').values), 'cascade');
    const { lang, rest } = find(path);
    const folder = rest.slice(0, rest.lastIndexOf('/') + 1);
    const items: readonly unknown[] = Array.isArray(values) ? values : [values];
    // What is meant for some pages only is not known here.
    for (const item of items) {
      const isForAll = settingAt(item, '_target') === undefined && settingAt(item, 'target') === undefined;
      if (item !== undefined && isForAll) sections.push({ lang, folder, values: item });
    }
  }
  sections.sort((a, b) => b.folder.length - a.folder.length);
  return {
    text: sections.length === 0 ? '' : JSON.stringify(sections),
    get: (page, key) => {
      for (const { lang, folder, values } of sections) {
        if (lang !== page.lang || !`${page.path}/`.startsWith(folder)) continue;
        const value = settingAt(values, ...key.split('.'));
        if (value !== undefined) return value;
      }
      return undefined;
    },
  };
}

const HEAD_CHARS = 5000;

/** A parameter of the site, `params.a.b`; undefined if a language has parameters of its own, which nobody chooses here. */
export function siteParameter(settings: unknown, name: string): string | undefined {
  const languages = settingAt(settings, 'languages');
  const isByLanguage =
    typeof languages === 'object' &&
    languages !== null &&
    Object.values(languages).some((its) => settingAt(its, ...name.split('.')) !== undefined);
  return isByLanguage ? undefined : scalar(settingAt(settings, ...name.split('.')));
}

/** Languages that the settings turn off. */
export function disabledLanguages(settings: unknown): readonly string[] {
  const languages = settingAt(settings, 'languages');
  const own =
    typeof languages === 'object' && languages !== null
      ? Object.entries(languages).flatMap(([code, its]) =>
          settingAt(its, 'disabled') === true ? [code] : [],
        )
      : [];
  return [...own, ...textsOf(settingAt(settings, 'disableLanguages'))];
}

/** Keys whose dates count, in order. */
export function dateKeys(settings: unknown, field: string, standard: readonly string[]): readonly string[] {
  const said = textsOf(settingAt(settings, 'frontmatter', field));
  if (said.length === 0) return standard;
  return said.flatMap((key) => (key === ':default' ? standard : key.startsWith(':') ? [] : [key]));
}
