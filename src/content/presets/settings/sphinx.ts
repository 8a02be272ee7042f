import { posix } from 'node:path';
import { once } from '../../../model/once.ts';
import { frontMatter } from '../../front-matter/read.ts';
import type { NavigationItem } from '../pages/navigation.ts';
import type { PageSystem, PresetInput } from '../pages/page-preset.ts';
import type { Foreign } from '../preset.ts';
import { globs } from './patterns.ts';
import { scalar, sideFile, textsOf, valueAt } from '../pages/side-file.ts';
import { settingAt } from './site-settings.ts';

const FOLDERS = ['', '../'];

interface NamedText {
  readonly path: string;
  readonly text: string;
}

/** What Sphinx, Jupyter Book and mystmd are told, beside the pages or above them. */
export interface SphinxSettings {
  /** Why the settings leave a file out; undefined: they do not. */
  readonly exclusion: (file: string) => string | undefined;
  /** Folders whose files the site has in `_static`. */
  readonly staticFolders: readonly string[];
  readonly items: readonly NavigationItem[];
  /** mystmd builds what its table of contents lists and no more; Jupyter Book where `only_build_toc_files` says so. */
  readonly isListed: boolean;
  /** mystmd, which has its own ids of headings. */
  readonly isMystmd: boolean;
  /** `$…$` is a formula. */
  readonly hasFormulas: boolean;
  readonly hasDefinitionLists: boolean;
  readonly text: string;
  readonly problems: Foreign['problems'];
  readonly value: NonNullable<PageSystem['value']>;
}

export function sphinxSettings(input: Pick<PresetInput, 'paths' | 'readText'>): SphinxSettings {
  const { readText } = input;
  const read = (name: string): NamedText => {
    const files = FOLDERS.map((folder) => ({ path: `${folder}${name}`, text: readText(`${folder}${name}`) }));
    const { path, text } = files.find((file) => file.text !== undefined) ?? { path: name };
    return { path, text: text ?? '' };
  };
  const problems: Foreign['problems'][number][] = [];
  const valueIn = ({ path, text }: NamedText): unknown => {
    const said = sideFile(text);
    problems.push(...said.problems.map((problem) => ({ path, problem })));
    return said.value;
  };
  const files = {
    conf: read('conf.py'),
    book: read('_config.yml'),
    toc: read('_toc.yml'),
    myst: read('myst.yml'),
  };
  const [conf, book, toc, myst] = [files.conf.text, files.book.text, files.toc.text, files.myst.text];
  const [bookValue, tocValue, mystValue] = [valueIn(files.book), valueIn(files.toc), valueIn(files.myst)];
  const project = valueAt(mystValue, 'project');
  const pages = pagesOf(input);
  const tree = valueAt(project, 'toc') ?? tocValue;
  const root = /^(?:root_doc|master_doc)\s*=\s*["']([\w./-]+)["']/m.exec(conf)?.[1] ?? 'index';
  const lists = substitutionLists(conf, (name) =>
    FOLDERS.map((folder) => readText(`${folder}${name}`)).find((text) => text !== undefined),
  );
  const items =
    tree === undefined || tree === null ? toctrees(`${root}.md`, pages, new Set()) : tocItems(tree, pages);
  const exclusion = exclusionBy(
    [
      ...['exclude_patterns', 'templates_path', 'html_static_path', 'html_extra_path'].flatMap((key) =>
        pythonTexts(conf, key),
      ),
      ...textsOf(settingAt(bookValue, 'exclude_patterns')),
      ...textsOf(valueAt(project, 'exclude')),
      '_build',
    ],
    pythonTexts(conf, 'include_patterns'),
  );
  const isListed =
    Array.isArray(valueAt(project, 'toc')) ||
    (toc !== '' && settingAt(bookValue, 'only_build_toc_files') === true);
  const listed = once(() => new Set(filesIn(items)));
  return {
    exclusion,
    staticFolders: pythonTexts(conf, 'html_static_path').map((folder) =>
      posix.normalize(folder).replace(/\/$/, ''),
    ),
    isMystmd: myst !== '' && conf === '',
    // On in mystmd and Jupyter Book, an extension of its own with Sphinx.
    hasDefinitionLists: (myst !== '' && conf === '') || /\bdeflist\b/.test(`${conf}\n${book}`),
    hasFormulas: conf === '' || /\bdollarmath\b/.test(conf),
    items,
    isListed,
    problems,
    text: [conf, book, toc, myst, pages.text, ...lists.map(({ text }) => text)].join('\n'),
    value: valuesOf(
      pages,
      tocLinks(pages, items, (file) => exclusion(file) === undefined && (!isListed || listed().has(file))),
      (name) => lists.map(({ value }) => settingAt(value, name)).find((found) => found !== undefined),
      conf,
      readText,
    ),
  };
}

/** By the globs of what is no page, and those of `include_patterns`; without any, all files are pages. */
function exclusionBy(exclude: readonly string[], include: readonly string[]): SphinxSettings['exclusion'] {
  const isExcluded = globs(
    exclude.flatMap((pattern) => {
      const plain = pattern.replaceAll(/^\.?\/|\/$/g, '');
      return plain === '' ? [] : [plain, `${plain}/**`];
    }),
  );
  const isIncluded = globs(include);
  return (file) => {
    if (isExcluded(file)) return 'the settings of Sphinx or MyST exclude it';
    return include.length > 0 && !isIncluded(file)
      ? '`include_patterns` of conf.py does not name it'
      : undefined;
  };
}

/** The texts of the lists that a Python file gives a name; brackets inside a text are its own (`page[12].md`). */
export function pythonTexts(source: string, name: string): readonly string[] {
  const lists = source.matchAll(
    new RegExp(
      String.raw`^${name}(?:[ \t]*:[^=\n]*)?(?:[ \t]*\+?=[ \t]*|\.extend\()\[((?:[^\]"'#]|"[^"\n]*"|'[^'\n]*'|#[^\n]*)*)\]`,
      'gm',
    ),
  );
  const single = source.matchAll(
    new RegExp(
      String.raw`^${name}\.(?:append\(|insert\([ \t]*\d+[ \t]*,)[ \t]*((?:"[^"\n]*"|'[^'\n]*'))[ \t]*\)`,
      'gm',
    ),
  );
  return [...lists, ...single].flatMap(([, list = '']) =>
    [...list.matchAll(/#[^\n]*|"([^"\n]*)"|'([^'\n]*)'/g)]
      .map(([, double, single]) => double ?? single ?? '')
      .filter((text) => text !== ''),
  );
}

interface Label {
  readonly file: string;
  readonly id: string;
  readonly title: string;
}

interface Pages {
  readonly has: (file: string) => boolean;
  readonly paths: readonly string[];
  readonly textOf: (file: string) => string;
  readonly labels: ReadonlyMap<string, Label>;
  /** Changes whenever a label does. */
  readonly text: string;
}

const LABEL =
  /^[ \t]*\(([^\s()]+)\)=[ \t]*(?:\n\s*(?:#{1,6}[ \t]+([^\n]+))?|$)|^[ \t>]*:(?:name|label):[ \t]*(\S+)[ \t]*$|^\+\+\+[ \t]*\{[^\n]*"label"\s*:\s*"([^"\s]+)"/gm;

function pagesOf({ paths, readText }: Pick<PresetInput, 'paths' | 'readText'>): Pages {
  const documents = paths.filter((path) => /\.md$/i.test(path));
  const files = new Set(documents);
  const labels = new Map<string, Label>();
  for (const file of documents) {
    const text = readText(file) ?? '';
    for (const [, target, heading = '', name, block] of text.matchAll(LABEL)) {
      const label = target ?? name ?? block ?? '';
      const at = label.toLowerCase();
      if (!labels.has(at))
        labels.set(at, { file, id: at.replaceAll(/[^\w:.-]/g, ''), title: plainHeading(heading) });
    }
  }
  return {
    has: (file) => files.has(file),
    paths: documents,
    textOf: (file) => readText(file) ?? '',
    labels,
    text: [...labels].map(([label, { file, title }]) => `${label} ${file} ${title}`).join('\n'),
  };
}

function plainHeading(text: string): string {
  return text
    .replace(/\s*\{[#.][^{}]*\}\s*$/, '')
    .replaceAll(/\{[\w:-]+\}(?=`)|[`*]/g, '')
    .trim();
}

/** What pages ask for: `ref` and `title` by label, `doc` and `doctitle` by path, `toctree` by its lines, `substitution` by name. */
function valuesOf(
  pages: Pages,
  linksOf: (file: string, body: string) => readonly TocLink[],
  listed: (name: string) => unknown,
  conf: string,
  readText: PresetInput['readText'],
): SphinxSettings['value'] {
  const { has, textOf, labels } = pages;
  const substitutions = once(() => pythonMapping(conf, 'myst_substitutions'));
  const fileOf = (from: string, written: string): string | undefined => {
    const path = written.startsWith('/') ? written.slice(1) : posix.join(posix.dirname(from), written);
    return [path, `${path}.md`].map((each) => posix.normalize(each)).find(has);
  };
  return (file, name, [key = '']) => {
    const label = labels.get(key.toLowerCase());
    switch (name) {
      case 'ref':
        return label === undefined ? undefined : `${label.file === file ? '' : `/${label.file}`}#${label.id}`;
      case 'title':
        return label?.title;
      case 'doc': {
        const path = fileOf(file, key);
        return path === undefined ? undefined : `/${path}`;
      }
      case 'doctitle': {
        const path = fileOf(file, key);
        return path === undefined ? undefined : titleOf(textOf(path));
      }
      case 'toctree':
        return linksOf(file, key);
      case 'substitution': {
        const own: unknown = Object.fromEntries(frontMatter(readText(file) ?? '', 'strict').values);
        return scalar(
          settingAt(own, 'myst', 'substitutions', key) ??
            settingAt(own, 'substitutions', key) ??
            substitutions().get(key) ??
            listed(key),
        );
      }
      default:
        return undefined;
    }
  };
}

function titleOf(text: string): string | undefined {
  const said = frontMatter(text, 'strict').values.get('title');
  return typeof said === 'string' ? said : plainHeading(/^#[ \t]+([^\n]+)$/m.exec(text)?.[1] ?? '');
}

/**
 * The entries of a toctree as Sphinx shows them on the page: what has a title or an address, in order. A page that is a category with pages below has none: the
 * category shows them.
 */
function tocLinks(pages: Pages, items: readonly NavigationItem[], isBuilt: (file: string) => boolean) {
  const categories = once(() => new Set(parents(items)));
  return (file: string, body: string): readonly TocLink[] => {
    if (categories().has(file)) return [];
    const isGlob = /^[ \t]*:?glob:/m.test(body);
    return tocEntries(body).flatMap(({ title, target }): readonly TocLink[] => {
      if (/^https?:\/\//.test(target)) return [{ title: title ?? target, address: target }];
      const files = filesAt(file, target, pages, isGlob).filter(isBuilt);
      return files.map((path) => {
        const named = title ?? titleOf(pages.textOf(path)) ?? '';
        return { title: named === '' ? target : named, address: `/${path}` };
      });
    });
  };
}

function filesIn(items: readonly NavigationItem[]): readonly string[] {
  return items.flatMap(({ file, items: below = [] }) => [
    ...(file === undefined ? [] : [file]),
    ...filesIn(below),
  ]);
}

function parents(items: readonly NavigationItem[]): readonly string[] {
  return items.flatMap(({ file, items: below = [] }) => [
    ...(file === undefined || below.length === 0 ? [] : [file]),
    ...parents(below),
  ]);
}

export interface TocLink {
  readonly title: string;
  readonly address: string;
}

const LOADED =
  /\bopen\(\s*["'](?:\.\/)?([\w./-]+\.ya?ml)["'][^\n]*\n[^\n]*\bmyst_substitutions(?:\.update\(|[ \t]*=)/g;

/** Files of YAML that conf.py loads into `myst_substitutions`, as the starter of Canonical's docs has it. */
function substitutionLists(
  conf: string,
  read: (name: string) => string | undefined,
): readonly { readonly text: string; readonly value: unknown }[] {
  return [...conf.matchAll(LOADED)].flatMap(([, name = '']) => {
    const text = read(name);
    return text === undefined ? [] : [{ text, value: sideFile(text).value }];
  });
}

/** The texts of a mapping that a Python file gives a name. */
function pythonMapping(source: string, name: string): ReadonlyMap<string, string> {
  const inside = new RegExp(String.raw`^${name}[ \t]*=[ \t]*\{([^{}]*)\}`, 'm').exec(source)?.[1] ?? '';
  const pairs = inside.matchAll(
    /(["'])([^"'\n]+)\1[ \t]*:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)')[ \t]*(?=[,\n]|$)/g,
  );
  return new Map([...pairs].map(([, , key = '', double, single]) => [key, double ?? single ?? '']));
}

const TOCTREE = /^[ \t]*(`{3,}|:{3,})\{toctree\}[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm;

/** The trees of a page, those of its pages below. */
function toctrees(file: string, pages: Pages, seen: Set<string>): readonly NavigationItem[] {
  if (seen.has(file) || !pages.has(file)) return [];
  seen.add(file);
  return [...pages.textOf(file).matchAll(TOCTREE)].flatMap(([, , body = '']): readonly NavigationItem[] => {
    const caption = /^[ \t]*:?caption:[ \t]*(\S[^\n]*)$/m.exec(body)?.[1]?.trim();
    const isGlob = /^[ \t]*:?glob:/m.test(body);
    const items = tocEntries(body).flatMap(({ title, target }) =>
      filesAt(file, target, pages, isGlob).map((path): NavigationItem => ({
        title,
        file: path,
        items: toctrees(path, pages, seen),
      })),
    );
    return caption === undefined ? items : [{ title: caption, items }];
  });
}

/** `path` and `Title <path>`, a line each, behind the options. */
function tocEntries(
  body: string,
): readonly { readonly title: string | undefined; readonly target: string }[] {
  return body
    .replace(/^---\n[\s\S]*?\n---$/m, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith(':'))
    .map((line) => {
      const [, title, named] = /^(.+?)\s*<([^<>]+)>$/.exec(line) ?? [];
      return { title, target: named ?? line };
    });
}

function filesAt(from: string, entry: string, { has, paths }: Pages, isGlob: boolean): readonly string[] {
  const path = posix.normalize(
    entry.startsWith('/') ? entry.slice(1) : posix.join(posix.dirname(from), entry),
  );
  if (isGlob && path.includes('*')) {
    const [before = '', after = ''] = path.split(/\*+/);
    return paths.filter((each) => {
      const name = each.replace(/\.md$/i, '');
      const rest = name.slice(before.length, name.length - after.length);
      return each !== from && name.startsWith(before) && name.endsWith(after) && !rest.includes('/');
    });
  }
  const file = [path, `${path}.md`].find(has);
  return file === undefined ? [] : [file];
}

/** `_toc.yml` of Jupyter Book and `project.toc` of mystmd. */
function tocItems(value: unknown, pages: Pages): readonly NavigationItem[] {
  if (Array.isArray(value)) return value.flatMap((entry) => tocItems(entry, pages));
  if (typeof value !== 'object' || value === null) return [];
  const said = valueAt(value, 'file') ?? valueAt(value, 'root');
  const [file] = typeof said === 'string' ? filesAt('', said, pages, false) : [];
  const title = [valueAt(value, 'title'), valueAt(value, 'caption')].find((each) => typeof each === 'string');
  const items = ['parts', 'chapters', 'sections', 'children', 'entries', 'subtrees'].flatMap((key) =>
    tocItems(valueAt(value, key), pages),
  );
  const isRoot = valueAt(value, 'root') !== undefined;
  if (file === undefined) return title === undefined ? items : [{ title, items }];
  return isRoot ? [{ file }, ...items] : [{ title, file, items }];
}
