import { valueAt } from '../pages/side-file.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { siteSettings } from './site-settings.ts';
import type { SiteSettings } from './site-settings.ts';
import { isJsonObject } from '../../../text/json-value.ts';

/**
 * Zensical and ProperDocs ask for a file of their own first (https://zensical.org/docs/setup/basics/,
 * https://github.com/ProperDocs/properdocs/pull/27).
 */
const NAMES = ['zensical.toml', 'properdocs.yml', 'properdocs.yaml', 'mkdocs.yml', 'mkdocs.yaml'];

/** The settings of MkDocs, ProperDocs or Zensical that are nearest to the pages; `first` and `last` are folders to look in before and after the usual ones. */
export function mkdocsSettings(
  input: Pick<PresetInput, 'readText'>,
  first: readonly string[] = [],
  last: readonly string[] = [],
): SiteSettings {
  const found = siteSettings(input, [...within(first), ...NAMES, ...within(last)]);
  return { ...found, value: mkdocsValue(found.path ?? '', found.value) };
}

function within(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => NAMES.map((name) => `${folder}/${name}`));
}

/** zensical.toml has the keys of mkdocs.yml in the table `project`. */
export function mkdocsValue(file: string, value: unknown): unknown {
  return /(?:^|\/)zensical\.toml$/.test(file) ? valueAt(value, 'project') : value;
}

export function hasPlugin(settings: unknown, name: string): boolean {
  const plugins = valueAt(settings, 'plugins');
  const listed: readonly unknown[] = Array.isArray(plugins) ? plugins : [plugins];
  return listed.some((each) => each === name || (isJsonObject(each) && Object.hasOwn(each, name)));
}

/** An option of a plugin. */
export function pluginOptions(settings: unknown, name: string, option: string): unknown {
  return valueAt(namedOptions(valueAt(settings, 'plugins'), name), option);
}

/** The options of one in a list or in a mapping of plugins or extensions; in TOML a dot in its name makes tables in tables. */
export function namedOptions(all: unknown, name: string): unknown {
  return (Array.isArray(all) ? all : [all])
    .map((each: unknown) => valueAt(each, name) ?? name.split('.').reduce(valueAt, each))
    .find((options) => options !== undefined);
}

/** Zensical turns on what it has where its own file says nothing of extensions (https://zensical.org/docs/setup/extensions/). */
export function hasExtension({ path = '', value }: SiteSettings, names: readonly string[]): boolean {
  const extensions = valueAt(value, 'markdown_extensions');
  return extensions === undefined ? /(?:^|\/)zensical\.toml$/.test(path) : namesExtension(extensions, names);
}

/** Whether a list or a mapping of extensions has one of these; `markdown.extensions.` in front of a name says no more. */
export function namesExtension(extensions: unknown, names: readonly string[]): boolean {
  const listed: readonly unknown[] = Array.isArray(extensions) ? extensions : [extensions];
  return names.some(
    (name) =>
      namedOptions(extensions, name) !== undefined ||
      [name, `markdown.extensions.${name}`].some((its) =>
        listed.some((each) => each === its || (isJsonObject(each) && Object.hasOwn(each, its))),
      ),
  );
}
