import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { accentStyle } from './accent.ts';

export interface Asset {
  /** With a digest of the text in it, so it may be kept for ever. */
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

export interface Assets {
  readonly style: Asset;
  readonly script: Asset;
  readonly icon: Asset;
  readonly byPath: ReadonlyMap<string, Asset>;
}

/** Where everything lies that is not a page. */
export const ASSET_FOLDER = '/_site/';

/** The one style sheet, the one script and the icon: from beside this file, also where it is part of the bundled command. */
export function loadAssets(accent: string): Assets {
  const read = (file: string): string =>
    readFileSync(new URL(`../site/assets/${file}`, import.meta.url), 'utf8');
  const style = asset('site', 'css', 'text/css', accentStyle(accent) + read('site.css'));
  const script = asset('site', 'js', 'text/javascript', read('site.js'));
  const icon = asset('icon', 'svg', 'image/svg+xml', read('icon.svg').replace('currentColor', accent));
  return { style, script, icon, byPath: new Map([style, script, icon].map((one) => [one.path, one])) };
}

function asset(name: string, extension: string, type: string, text: string): Asset {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { path: `${ASSET_FOLDER}${name}.${digest}.${extension}`, type: `${type}; charset=utf-8`, text };
}
