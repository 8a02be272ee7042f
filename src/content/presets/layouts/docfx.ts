import { posix } from 'node:path';
import micromatch from 'micromatch';
import { navigation, recordPath } from '../pages/navigation.ts';
import type { NavigationItem } from '../pages/navigation.ts';
import { languageFinder } from '../pages/page-languages.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { sideFile, valueAt } from '../pages/side-file.ts';
import { plainTitle } from '../../plain-title.ts';
import type { Foreign, Preset } from '../preset.ts';
import { headingTitle } from '../syntax/heading-title.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';

const INDEX = /^index$/i;
const TOC = /(?:^|\/)toc\.(?:yml|yaml|md)$/i;

/**
 * DocFX and Microsoft Learn, from the folder of docfx.json: `build.content` says which files are pages, toc.yml or TOC.md (which may name each other) give
 * order and tree. A page that no TOC lists is built all the same. The title is the front matter's, else the first heading; `~/` is the folder of
 * docfx.json; `> [!NOTE]` is a box, `[!INCLUDE]` takes in a file.
 */
export function docfxPreset(input: PresetInput): Preset {
  const { paths, readText } = input;
  const settingsText = readText('docfx.json') ?? '';
  const settings = sideFile(settingsText);
  const isContent = contentOf(settings.value);
  const tocs = paths.filter((path) => TOC.test(path) && isContent(path));
  const texts: string[] = [settingsText];
  const problems: Foreign['problems'][number][] = settings.problems.map((problem) => ({
    path: 'docfx.json',
    problem,
  }));
  const files = new Set(paths);
  const named = new Set<string>();
  const seen = new Set<string>();
  const itemsOf = (path: string): readonly NavigationItem[] => {
    if (seen.has(path)) return [];
    seen.add(path);
    const text = readText(path);
    if (text === undefined) return [];
    texts.push(text);
    if (/\.md$/i.test(path)) return headingItems(text, (address) => pageAt(path, address, files));
    const { value, problems: found } = sideFile(text.replace(/^### YamlMime:.*$/m, ''));
    problems.push(...found.map((problem) => ({ path, problem })));
    const list = Array.isArray(value) ? value : valueAt(value, 'items');
    return tocItems(list, (address) => {
      const toc = tocAt(path, address, files);
      if (toc !== undefined) {
        named.add(toc);
        return { items: itemsOf(toc) };
      }
      return { file: pageAt(path, address, files), items: [] };
    });
  };
  // The TOC of a folder that another one names is part of that one.
  const byDepth = [...tocs].sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
  const items = byDepth.flatMap((path) => (named.has(path) ? [] : itemsOf(path)));
  const find = languageFinder(paths, input, { hasFolders: true, hasSuffixes: false });
  const tree = navigation(items, {
    pathOf: (file) => recordPath(find(file), INDEX),
    original: ({ file }) => file,
    hasTitles: false,
  });
  const pages = paths.filter((path) => /\.md$/i.test(path) && isContent(path) && find(path) !== undefined);
  const uids = titlesByUid(pages.map((path) => input.factOf(path, uidIn)));
  const preset = pagePreset(
    {
      name: 'docfx',
      tree: {
        documents: /\.md$/i,
        sideFiles: /(?:^|\/)(?:toc\.(?:ya?ml|md)|docfx\.json)$/i,
        inLanguage: find,
        index: INDEX,
        meta: tree.meta,
        leftOut: ({ file }) =>
          isContent(file) && !/(?:^|\/)includes\//.test(file)
            ? undefined
            : 'build.content of docfx.json leaves it out',
      },
      target: { hasPrettyUrls: false, addressPrefixes: [], publicFolders: [] },
      fileAddress: resourceAddress(settings.value),
      fileFor: (_, path) => `${path === '' ? 'index' : path}.md`,
      folder: tree.folder,
      variable: (name) => (name === 'containers' && hasContainers(settings.value) ? 'any' : undefined),
      value: (_, name, keys) => (name === 'uid' ? uids.get(keys[0] ?? '') : undefined),
      sideFiles: [...texts, ...[...uids].map(([uid, title]) => `${uid} ${title}`)].join('\n'),
      problems,
      dialect: pageDialect('docfx 6', SYNTAX.docfx, {
        showsOwnHeading: true,
        fields: { tags: ['tags', 'keywords'], hideFromSearch: ['hideFromSearch'] },
        addressKeys: ['xref:uid'],
      }),
    },
    input,
  );
  return rooted(preset);
}

/** The `uid` of a page's front matter and the title that the page shows: its first heading, else `title`, else the uid itself. */
interface NamedPage {
  readonly uid: string;
  readonly title: string;
}

function uidIn(text: string): NamedPage | null {
  const matter = FRONT_MATTER.exec(text)?.[0] ?? '';
  const [, uid] = /^uid:[ \t]*["']?([^\s"']+)/m.exec(matter) ?? [];
  if (uid === undefined) return null;
  const [, said] = /^title:[ \t]*["']?([^\n]*?)["']?[ \t]*$/m.exec(matter) ?? [];
  return { uid, title: headingTitle(text.slice(matter.length))?.title ?? said ?? uid };
}

/** The first page of a uid has it. */
function titlesByUid(pages: readonly (NamedPage | null | undefined)[]): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const page of pages) {
    if (page === null || page === undefined || titles.has(page.uid)) continue;
    titles.set(page.uid, page.title);
  }
  return titles;
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:(?!---[ \t]*\r?\n).*\r?\n)*---[ \t]*(?:\r?\n|$)/;

/** `~/articles/a.md` starts at the folder of docfx.json. */
function rooted(preset: Preset): Preset {
  const { foreign } = preset;
  if (foreign === undefined) return preset;
  const target: Foreign['target'] = (from, written) => foreign.target(from, written.replace(/^~(?=\/)/, ''));
  return { ...preset, foreign: { ...foreign, target, pageSource: /\.ya?ml$/i } };
}

/**
 * `markdigExtensions` with `CustomContainers`: each `:::name` is a `<div>` with that class
 * (https://dotnet.github.io/docfx/reference/docfx-json-reference.html#markdownengineproperties).
 */
function hasContainers(settings: unknown): boolean {
  const extensions = valueAt(
    valueAt(valueAt(settings, 'build'), 'markdownEngineProperties'),
    'markdigExtensions',
  );
  return (
    Array.isArray(extensions) &&
    extensions.some((each) => /^(?:custom-?containers|advanced)$/i.test(String(each)))
  );
}

/** Globs of docfx.json; without settings every file. */
function contentOf(settings: unknown): (path: string) => boolean {
  const content = valueAt(valueAt(settings, 'build'), 'content');
  if (!Array.isArray(content) || content.length === 0) return () => true;
  const parts = content.map(insideOf);
  return (path) => parts.some((inside) => inside(path) !== undefined);
}

/** One entry of `content` or `resource`: the path of a file from its `src`; undefined: the entry does not name the file. */
function insideOf(entry: unknown): (path: string) => string | undefined {
  const src = valueAt(entry, 'src');
  const folder = typeof src === 'string' ? posix.normalize(`${src}/`).replace(/^\.\//, '') : '';
  const include = globs(typeof entry === 'string' ? entry : valueAt(entry, 'files'));
  const isIn = matcherOf(include);
  const isOut = matcherOf(globs(valueAt(entry, 'exclude')));
  return (path) => {
    const inside = path.startsWith(folder) ? path.slice(folder.length) : undefined;
    return inside !== undefined && isIn(inside) && !isOut(inside) ? inside : undefined;
  };
}

/** `build.resource`: a file is published below `dest` with its path from `src`. */
function resourceAddress(settings: unknown): (path: string) => string | undefined {
  const resource = valueAt(valueAt(settings, 'build'), 'resource');
  const parts = (Array.isArray(resource) ? (resource as readonly unknown[]) : []).map((entry) => {
    const dest = valueAt(entry, 'dest');
    return { inside: insideOf(entry), dest: typeof dest === 'string' ? dest : '' };
  });
  return (path) => {
    for (const { inside, dest } of parts) {
      const rest = inside(path);
      if (rest !== undefined) return posix.join('/', dest, rest);
    }
    return undefined;
  };
}

function globs(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((glob) => typeof glob === 'string').map((glob) => glob.replace(/^\.?\//, ''));
}

/** As DocFX reads globs: `**.md` is short for `**\/*.md`, and case does not count. */
function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const matchers = patterns.flatMap((pattern) =>
    pattern === ''
      ? []
      : micromatch.matcher(pattern.replaceAll(/(?<=^|\/)\*{2,}(?=[^/*])/g, '**/*'), { nocase: true }),
  );
  return (path) => matchers.some((matches) => matches(path));
}

interface Led {
  readonly file?: string | undefined;
  readonly items: readonly NavigationItem[];
}

function tocItems(value: unknown, lead: (address: string) => Led): readonly NavigationItem[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown): NavigationItem => {
    const title = valueAt(entry, 'name');
    const address = [valueAt(entry, 'href'), valueAt(entry, 'topicHref')].find(
      (one) => typeof one === 'string',
    );
    const own = tocItems(valueAt(entry, 'items'), lead);
    const home = valueAt(entry, 'homepage') ?? valueAt(entry, 'topicHref');
    const led = typeof address === 'string' ? lead(address) : { items: [] };
    const file = led.file ?? (typeof home === 'string' ? lead(home).file : undefined);
    return { title: typeof title === 'string' ? title : undefined, file, items: [...own, ...led.items] };
  });
}

/** TOC.md: headings with links, one level for each `#`. */
function headingItems(
  text: string,
  fileOf: (address: string) => string | undefined,
): readonly NavigationItem[] {
  interface Draft extends NavigationItem {
    readonly items: Draft[];
  }
  const top: Draft[] = [];
  const open: { readonly level: number; readonly items: Draft[] }[] = [];
  for (const [, marks = '', written = ''] of text.matchAll(/^(#{1,6})[ \t]+(.+?)[ \t]*$/gm)) {
    const [, title = written, address] = /^\[(.*?)\]\((.*?)\)/.exec(written) ?? [];
    const item: Draft = {
      title: plainTitle(title),
      file: address === undefined ? undefined : fileOf(address),
      items: [],
    };
    while ((open.at(-1)?.level ?? 0) >= marks.length) open.pop();
    (open.at(-1)?.items ?? top).push(item);
    open.push({ level: marks.length, items: item.items });
  }
  return top;
}

function pageAt(from: string, address: string, files: ReadonlySet<string>): string | undefined {
  const path = resolved(from, address);
  return path !== undefined && files.has(path) ? path : undefined;
}

function tocAt(from: string, address: string, files: ReadonlySet<string>): string | undefined {
  const path = resolved(from, address);
  if (path === undefined) return undefined;
  if (TOC.test(path)) return files.has(path) ? path : undefined;
  if (!address.endsWith('/')) return undefined;
  return ['toc.yml', 'TOC.yml', 'toc.md', 'TOC.md']
    .map((name) => `${path}${name}`)
    .find((toc) => files.has(toc));
}

function resolved(from: string, address: string): string | undefined {
  const bare = address.replace(/[?#].*$/s, '');
  if (bare === '' || /^(?:[a-z]+:|\/)/i.test(bare)) return undefined;
  return bare.startsWith('~/')
    ? posix.normalize(bare.slice(2))
    : posix.normalize(posix.join(posix.dirname(from), bare));
}
