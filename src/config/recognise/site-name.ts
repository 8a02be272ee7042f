import type { PresetName } from '../../content/presets/names.ts';
import { textsOf, valueAt } from '../../content/presets/pages/side-file.ts';
import { hugoSettings } from '../../content/presets/settings/hugo.ts';
import { givenTo } from '../../content/presets/settings/literals.ts';
import { mkdocsValue } from '../../content/presets/settings/mkdocs.ts';
import { settingAt } from '../../content/presets/settings/site-settings.ts';

/** Where a generator's settings hold the name of the site. */
const PLACES: Readonly<Partial<Record<PresetName, readonly (readonly string[])[]>>> = {
  docusaurus: [['title']],
  vitepress: [['title']],
  vuepress: [['title']],
  rspress: [['title']],
  vocs: [['title']],
  hexo: [['title']],
  jekyll: [['title']],
  fern: [['title']],
  mintlify: [['name']],
  mdbook: [['book', 'title']],
  retype: [['branding', 'title']],
  quarto: [
    ['website', 'title'],
    ['book', 'title'],
  ],
  myst: [
    ['site', 'title'],
    ['project', 'title'],
  ],
  docfx: [['build', 'globalMetadata', '_appName']],
};

const CHARS_MAX = 80;

/** The name of the site, as its settings say it in so many words; undefined: they name none, or a program makes it. */
export function siteName(preset: PresetName, { name, value, readText }: SettingsFile): string | undefined {
  const said = placesOf(preset, { name, value, readText })
    .find((text) => text !== undefined)
    ?.trim();
  const isName =
    said !== undefined && said !== '' && said.length <= CHARS_MAX && !/\p{Cc}|[<>]|\{\{|\$\{/u.test(said);
  return isName ? said : undefined;
}

interface SettingsFile {
  readonly name: string;
  readonly value: unknown;
  readonly readText: (path: string) => string | undefined;
}

function placesOf(
  preset: PresetName,
  { name, value, readText }: SettingsFile,
): readonly (string | undefined)[] {
  const at = (from: unknown, ...keys: readonly string[]) => textsOf(settingAt(from, ...keys))[0];
  switch (preset) {
    case 'hugo': {
      const settings = hugoSettings({ readText }).value;
      const language = at(settings, 'defaultContentLanguage') ?? 'en';
      // The language's own title wins: https://gohugo.io/configuration/languages/
      return [at(settings, 'languages', language, 'title'), at(settings, 'title')];
    }
    case 'mkdocs':
      return [at(mkdocsValue(name, value), 'site_name')];
    case 'starlight':
      return [at(givenTo(valueAt(value, 'integrations'), 'starlight'), 'title')];
    default:
      return (PLACES[preset] ?? []).map((keys) => at(value, ...keys));
  }
}
