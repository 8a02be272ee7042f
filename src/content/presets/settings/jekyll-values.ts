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
 * Values of Liquid as the repository gives them: `site.x` of _config.yml, `site.docs` of a collection that is published, `site.data.file.x` of the folder of data, `page.x` of the page's front
 * matter. `UNKNOWN` is what Jekyll makes while it builds.
 */
export function jekyllValues(
  { paths, readText }: Pick<PresetInput, 'paths' | 'readText'>,
  settings: unknown,
): (file: string, name: string, keys: readonly string[]) => unknown {
  const said = settingAt(settings, 'data_dir');
  const folder = `${typeof said === 'string' ? said.replaceAll(/^\.?\/|\/$/g, '') : '_data'}/`;
  const defaults = JSON.stringify(settingAt(settings, 'defaults') ?? '');
  const collections = shownCollections(settingAt(settings, 'collections'));
  const documents = new Map<string, unknown>();
  const documentsOf = (collection: string): unknown => {
    const known = documents.get(collection) ?? documentsIn(collection, { paths, readText, settings });
    documents.set(collection, known);
    return known;
  };
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
    if (collections.has(first)) return below(documentsOf(first), keys.slice(1));
    if (first === 'data') return below((data ??= dataIn(folder, { paths, readText })), keys.slice(1));
    if (first === 'baseurl' || first === 'url') return '';
    return below(settings, keys.slice(0, 1)) === undefined ? UNKNOWN : below(settings, keys);
  };
}

/** Collections whose documents are pages: https://jekyllrb.com/docs/collections/. */
function shownCollections(said: unknown): ReadonlySet<string> {
  const names = isJsonObject(said) ? Object.keys(said) : [];
  return new Set(names.filter((name) => settingAt(said, name, 'output') === true && !MADE_SITE.test(name)));
}

/** What a document has that only a build makes. */
const MADE_DOCUMENT = 'id date content output excerpt next previous slug ext draft'.split(' ');

/** The pages of a collection in the order of their paths, with their front matter and what `defaults` give them. Their `url` is the file: links say where it leads. */
function documentsIn(
  collection: string,
  { paths, readText, settings }: Pick<PresetInput, 'paths' | 'readText'> & { readonly settings: unknown },
): unknown {
  const inFolder = paths.filter((path) => path.startsWith(`_${collection}/`));
  // Documents of HTML are in the list too, and no pages here.
  if (inFolder.some((path) => /\.html?$/i.test(path))) return UNKNOWN;
  const at = inFolder.filter((path) => /\.(?:md|markdown|mkdown|mkdn?)$/i.test(path)).sort();
  return at.flatMap((path) => {
    const values = Object.fromEntries(frontMatter(readText(path) ?? '', 'jekyll').values);
    if (values['published'] === false) return [];
    return [
      withUnknown(MADE_DOCUMENT, {
        title: titleInWords(path),
        collection,
        path,
        relative_path: path,
        ...defaultsFor(path, collection, settingAt(settings, 'defaults')),
        ...values,
        url: `/${path}`,
      }),
    ];
  });
}

/** A mapping with keys whose values nobody knows; they are not counted among its values. */
function withUnknown(keys: readonly string[], known: Readonly<Record<string, unknown>>): unknown {
  const made = mapping(known);
  for (const key of keys)
    if (!Object.hasOwn(made, key)) Object.defineProperty(made, key, { value: UNKNOWN, enumerable: false });
  return made;
}

/** `defaults` of _config.yml, of which a later one goes before (https://jekyllrb.com/docs/configuration/front-matter-defaults/). */
function defaultsFor(path: string, collection: string, said: unknown): Readonly<Record<string, unknown>> {
  const all: readonly unknown[] = Array.isArray(said) ? said : [];
  const meant = all.filter((entry) => {
    const [type, place] = [settingAt(entry, 'scope', 'type'), settingAt(entry, 'scope', 'path')];
    const isOfType = type === undefined || type === collection;
    return isOfType && (typeof place !== 'string' || path.startsWith(place.replace(/^\.?\//, '')));
  });
  return Object.assign(
    {},
    ...meant.map((entry) => settingAt(entry, 'values')).filter(isJsonObject),
  ) as Record<string, unknown>;
}

/** As Jekyll names a document without a title. */
function titleInWords(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return name.replaceAll(/[-_]+/g, ' ').replaceAll(/(?:^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase());
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
