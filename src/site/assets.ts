import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { accentStyle } from './accent.ts';
import type { Logo } from './look.ts';

export interface Asset {
  /** With a digest of the text in it, so it may be kept for ever. */
  readonly path: string;
  readonly type: string;
  readonly text: string | Uint8Array;
}

export interface Assets {
  readonly style: Asset;
  readonly script: Asset;
  /** The site's logo, else ours. */
  readonly icon: Asset;
  /** Ours, which is square; a logo has the sides that it has. */
  readonly isOwnIcon: boolean;
  readonly byPath: ReadonlyMap<string, Asset>;
}

/** Where everything lies that is not a page. */
const ASSET_FOLDER = '/_site/';

/** The layers of the style sheet, each with its files: what stands later wins, whatever its selectors. */
const STYLES: Readonly<Record<string, readonly string[]>> = {
  base: ['tokens', 'elements'],
  frame: ['header', 'search', 'page', 'tree', 'footer'],
  pages: ['home', 'lists', 'article'],
  text: ['text', 'code'],
  room: ['narrow', 'media', 'print'],
};
const SCRIPTS: readonly string[] = [
  'root',
  'keys',
  'menus',
  'theme',
  'copy',
  'contents',
  'tree',
  'suggestions',
];

/** The one style sheet, the one script and the icon: from beside this file, also where it is part of the bundled command. */
export function loadAssets(accent: string, logo?: Logo): Assets {
  const read = (file: string): string =>
    readFileSync(new URL(`../site/assets/${file}`, import.meta.url), 'utf8');
  const layers = Object.entries(STYLES).map(
    ([layer, files]) => `@layer ${layer}{${files.map((file) => small(read(`style/${file}.css`))).join('')}}`,
  );
  const style = asset('site', 'css', 'text/css; charset=utf-8', accentStyle(accent) + layers.join('\n'));
  const [root = '', ...parts] = SCRIPTS.map((file) => read(`script/${file}.js`));
  // Each part is a block, so its names are its own.
  const text = root + parts.map((part) => `{\n${part}}\n`).join('');
  const script = asset('site', 'js', 'text/javascript; charset=utf-8', text);
  const icon =
    logo === undefined
      ? asset('icon', 'svg', SVG, read('icon.svg').replace('currentColor', accent))
      : asset('logo', logo.extension, logo.type === 'image/svg+xml' ? SVG : logo.type, logo.bytes);
  return {
    style,
    script,
    icon,
    isOwnIcon: logo === undefined,
    byPath: new Map([style, script, icon].map((one) => [one.path, one])),
  };
}

/** What the page of results of a site of files loads besides. */
export function staticSearchScript(): Asset {
  const text = readFileSync(new URL('../site/assets/script/static-search.js', import.meta.url), 'utf8');
  return asset('search', 'js', 'text/javascript; charset=utf-8', `{\n${text}}\n`);
}

const SVG = 'image/svg+xml; charset=utf-8';

/** Without comments, indentation and blanks beside punctuation, which are for who reads the source. */
function small(css: string): string {
  return (
    css
      .replaceAll(/\/\*[^]*?\*\//g, '')
      .replaceAll(/\s*\n\s*/g, '\n')
      .replaceAll(/([{};,])\n|\n(?=\})/g, '$1')
      // After a name: a blank before a colon would be part of a selector.
      .replaceAll(/(?<=[{;(][\w-]+:) /g, '')
      .replaceAll(/ (?=\{)|;(?=\})/g, '')
  );
}

function asset(name: string, extension: string, type: string, text: string | Uint8Array): Asset {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { path: `${ASSET_FOLDER}${name}.${digest}.${extension}`, type, text };
}

/** Undefined: there is no such file, or it cannot be read. */
export function readLogo(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
