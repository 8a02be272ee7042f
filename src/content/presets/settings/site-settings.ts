import { posix } from 'node:path';
import type { PresetInput } from '../pages/page-preset.ts';
import { spotAt } from '../../source-text.ts';
import { moduleFault } from '../estree.ts';
import { sideFile, tomlFile, valueAt } from '../pages/side-file.ts';
import type { Foreign } from '../preset.ts';
import { exportedLiterals } from './literals.ts';
import type { Imports } from './literals.ts';
import { urlOf } from '../../../text/url.ts';

/** What a site generator's own settings say, as plain values: YAML, TOML, JSON, or the literal parts of JavaScript. */
export interface SiteSettings {
  readonly value: unknown;
  /** From the content folder: `../hugo.toml`; undefined: there are none. */
  readonly path: string | undefined;
  readonly text: string;
  readonly problems: Foreign['problems'];
}

const NO_SETTINGS: SiteSettings = { value: undefined, path: undefined, text: '', problems: [] };

/** How far above the content folder settings are looked for (`site/content/en`). */
const LEVELS = ['', '../', '../../', '../../../'];

/** The nearest file of these names in the content folder or above it. */
export function siteSettings(
  { readText }: Pick<PresetInput, 'readText'>,
  names: readonly string[],
): SiteSettings {
  for (const level of LEVELS) {
    for (const name of names) {
      const path = `${level}${name}`;
      const text = readText(path);
      if (text === undefined) continue;
      const folder = folderPrefix(path);
      const { value, problems } = settingsFrom(name, text, importsFrom(folder, readText));
      return { value, path, text, problems: problems.map((problem) => ({ path, problem })) };
    }
  }
  return NO_SETTINGS;
}

/** `../` of `../hugo.toml`; empty of a name alone. */
export function folderPrefix(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Reads what settings in `folder` (`''` or with a slash at its end) import. */
export function importsFrom(folder: string, readText: PresetInput['readText']): Imports {
  return (address) => {
    const path = posix.normalize(`${folder}${address}`);
    for (const candidate of [path, ...FORMS.map((form) => `${path}${form}`)]) {
      const text = /\.(?:json|[cm]?[jt]sx?)$/.test(candidate) ? readText(candidate) : undefined;
      if (text !== undefined) return text;
    }
    return undefined;
  };
}

const FORMS = ['.ts', '.mts', '.js', '.mjs', '.json', '/index.ts', '/index.js'];

/** The values of one file of settings, by the form that its name says. */
export function settingsFrom(name: string, text: string, imports?: Imports): ReturnType<typeof sideFile> {
  if (/\.[cm]?[jt]sx?$/.test(name)) {
    // Rstack keeps the settings of all its tools in one file; those of Rspress are what `define.doc` is given.
    const module = /(?:^|\/)rstack\.config\./.test(name)
      ? text.replace(/^define\.doc\(/m, 'export default defineConfig(')
      : text;
    return scriptFile(module, imports);
  }
  return name.endsWith('.toml') ? tomlFile(text) : sideFile(text);
}

/** The literal parts of JavaScript. What cannot be parsed says nothing. It is no error, for the tool itself may be able to read it. */
export function scriptFile(source: string, imports?: Imports): ReturnType<typeof sideFile> {
  const value = exportedLiterals(source, imports);
  const fault = value === undefined ? moduleFault(source) : undefined;
  if (fault === undefined) return { value, problems: [] };
  const reason = `kbsync cannot read this JavaScript (${fault.reason}) and goes on as if the file said nothing`;
  return { value, problems: [{ code: 'unexpected-file', reason, spot: spotAt(source, fault.at) }] };
}

/** A value below keys, however they are written in upper and lower case. */
export function settingAt(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    const exact = valueAt(found, key);
    found = exact === undefined ? valueAt(found, spelling(found, key)) : exact;
  }
  return found;
}

function spelling(value: unknown, key: string): string {
  if (typeof value !== 'object' || value === null) return key;
  return Object.keys(value).find((each) => each.toLowerCase() === key.toLowerCase()) ?? key;
}

/** `https://example.com/help/` → `/help/`; undefined for what is no address. */
export function pathOfAddress(value: unknown): string | undefined {
  return typeof value === 'string' ? urlOf(value)?.pathname : undefined;
}
