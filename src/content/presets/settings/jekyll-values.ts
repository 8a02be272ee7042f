import { frontMatter } from '../../front-matter/read.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { sideFile } from '../pages/side-file.ts';
import { UNKNOWN, below } from '../liquid/values.ts';
import { settingAt } from './site-settings.ts';
import { isJsonObject } from '../../../text/json-value.ts';

/** What Jekyll makes of other pages, of the clock and of where it runs. */
const MADE_SITE =
  /^(?:time|pages|html_pages|html_files|posts|related_posts|static_files|collections|documents|categories|tags|github)$/;
const MADE_PAGE =
  /^(?:url|path|relative_path|dir|name|date|id|content|output|excerpt|collection|next|previous|slug|ext|title|layout|categories|tags|draft)$/;

/**
 * Values of Liquid as the repository gives them: `site.x` of _config.yml, `site.data.file.x` of the folder of data, `page.x` of the page's front
 * matter. `UNKNOWN` is what Jekyll makes while it builds.
 */
export function jekyllValues(
  { paths, readText }: Pick<PresetInput, 'paths' | 'readText'>,
  settings: unknown,
): (file: string, name: string, keys: readonly string[]) => unknown {
  const said = settingAt(settings, 'data_dir');
  const folder = `${typeof said === 'string' ? said.replaceAll(/^\.?\/|\/$/g, '') : '_data'}/`;
  const defaults = JSON.stringify(settingAt(settings, 'defaults') ?? '');
  let data: unknown;
  const pages = new Map<string, unknown>();
  const pageOf = (file: string): unknown => {
    if (!pages.has(file)) {
      const text = readText(file);
      pages.clear();
      pages.set(
        file,
        text === undefined ? undefined : Object.fromEntries(frontMatter(text, 'jekyll').values),
      );
    }
    return pages.get(file);
  };
  return (file, name, keys) => {
    const [first = ''] = keys;
    if (name === 'page') {
      const value = below(pageOf(file), keys);
      if (value !== undefined) return value;
      return MADE_PAGE.test(first) || defaults.includes(`"${first}":`) ? UNKNOWN : undefined;
    }
    if (name !== 'site' || MADE_SITE.test(first)) return UNKNOWN;
    if (first === 'data') return below((data ??= dataIn(folder, { paths, readText })), keys.slice(1));
    if (first === 'baseurl' || first === 'url') return '';
    return below(settings, keys.slice(0, 1)) === undefined ? UNKNOWN : below(settings, keys);
  };
}

/** Files of the folder of data by their names, folders as mappings. */
function dataIn(folder: string, { paths, readText }: Pick<PresetInput, 'paths' | 'readText'>): unknown {
  const data = mapping();
  for (const path of paths) {
    if (!path.startsWith(folder)) continue;
    const keys = path
      .slice(folder.length)
      .replace(/\.\w+$/, '')
      .split('/');
    const name = keys.pop() ?? '';
    let place = data;
    for (const key of keys) {
      const known = place[key];
      const inner = mapping(isJsonObject(known) ? known : {});
      place[key] = inner;
      place = inner;
    }
    place[name] = valueIn(path, readText);
  }
  return data;
}

/** Without what JavaScript's own mappings have: files and folders may have any name (`__proto__`). */
function mapping(known: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { ...known, __proto__: null };
}

function valueIn(path: string, readText: PresetInput['readText']): unknown {
  const text = /\.(?:ya?ml|json)$/.test(path) ? readText(path) : undefined;
  const read = text === undefined ? undefined : sideFile(text);
  return read === undefined || read.problems.length > 0 ? UNKNOWN : read.value;
}
