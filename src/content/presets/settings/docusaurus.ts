import type { PresetInput } from '../pages/page-preset.ts';
import { settingAt, siteSettings, textsOf } from './site-settings.ts';

/** What `docusaurus.config` says about the docs. */
export interface DocusaurusSettings {
  readonly text: string;
  /** Where the docs lie, from the site's folder. */
  readonly folder: string;
  /** Globs from there. */
  readonly exclude: readonly string[];
  /** The first part of the docs' addresses; empty: they are the whole site. */
  readonly routeBasePath: string;
  /** The path below which the site is served. */
  readonly baseUrl: string | undefined;
  readonly value: unknown;
}

export const DOCUSAURUS_SETTINGS: readonly string[] = ['js', 'ts', 'mjs', 'mts', 'cjs', 'cts'].flatMap(
  // Docs beside the site's folder, which is called so in Docusaurus' own guide: `path: '../docs'`.
  (form) => [`docusaurus.config.${form}`, `website/docusaurus.config.${form}`],
);

const DOCS = /(?:^|\/)plugin-content-docs$/;
const PRESET = /^(?:@docusaurus\/preset-)?classic$/;

export function docusaurusSettings(input: Pick<PresetInput, 'readText'>): DocusaurusSettings {
  const { value, text } = siteSettings(input, DOCUSAURUS_SETTINGS);
  const options = docsOptions(value);
  const [folder = 'docs'] = textsOf(settingAt(options, 'path'));
  const [route = 'docs'] = textsOf(settingAt(options, 'routeBasePath'));
  return {
    text,
    routeBasePath: route.replaceAll(/^\/+|\/+$/g, ''),
    baseUrl: textsOf(settingAt(value, 'baseUrl'))[0],
    folder: folder.replace(/^\.\//, '').replace(/\/+$/, ''),
    exclude: textsOf(settingAt(options, 'exclude')),
    value,
  };
}

/** The options of the docs: of the classic preset, else of the first docs plugin. */
export function docsOptions(settings: unknown): unknown {
  for (const item of listAt(settings, 'presets')) {
    const [name, options]: readonly unknown[] = Array.isArray(item) ? item : [item];
    if (typeof name === 'string' && PRESET.test(name)) {
      const docs = settingAt(options, 'docs');
      if (docs !== false) return docs;
    }
  }
  for (const item of listAt(settings, 'plugins')) {
    const [name, options]: readonly unknown[] = Array.isArray(item) ? item : [item];
    if (typeof name === 'string' && DOCS.test(name)) return options;
  }
  return undefined;
}

function listAt(settings: unknown, key: string): readonly unknown[] {
  const found = settingAt(settings, key);
  return Array.isArray(found) ? found : [];
}
