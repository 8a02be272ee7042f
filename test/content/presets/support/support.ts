import type { ContentOptions } from '../../../../src/content/options.ts';
import type { PresetName } from '../../../../src/content/presets/names.ts';
import { load } from '../../support/support.ts';
import type { Files, Loaded } from '../../support/support.ts';

/** Loads files by a preset, from the content folder. */
export function loader(preset: PresetName) {
  return (files: Files, options: Partial<ContentOptions> = {}): Promise<Loaded> =>
    load(files, { preset, ...options });
}

export function keysOf({ records }: Loaded): readonly string[] {
  return [...records.keys()].sort();
}

/** The rendered body of one article. */
export function bodyOf({ record }: Loaded, path: string, lang = 'en'): string {
  return record('article', path, lang).body?.render() ?? '';
}

export function linksOf(html: string): readonly string[] {
  return [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url = '']) => url);
}

export const NOTE = (text: string, title = 'Note', kind = 'note'): string =>
  `<div class="admonition ${kind}">\n<p class="admonition-title">${title}</p>\n${text}\n</div>`;
