import { posix } from 'node:path';
import { frontMatter } from '../../front-matter/read.ts';
import type { NavigationItem } from '../pages/navigation.ts';
import type { PageSystem, PresetInput } from '../pages/page-preset.ts';
import { humanName } from '../pages/page-preset.ts';
import { scalar, sideFile, textsOf, valueAt } from '../pages/side-file.ts';
import type { Foreign } from '../preset.ts';
import { citedWorks } from './bibliography.ts';
import { labelsIn } from './numbered-parts.ts';
import { globs } from './patterns.ts';
import { settingAt, siteSettings } from './site-settings.ts';

/** Sources of pages. */
export const SOURCES = /\.(?:qmd|rmd|md|markdown)$/i;

/** What a project of Quarto says, `_quarto.yml` and `_metadata.yml` of folders. */
export interface QuartoSettings {
  readonly value: unknown;
  readonly isBook: boolean;
  readonly items: readonly NavigationItem[];
  /** Why Quarto does not render a file. */
  readonly leftOut: (file: string) => string | undefined;
  readonly isDraft: (file: string) => boolean;
  readonly text: string;
  readonly problems: Foreign['problems'];
  readonly valueOf: NonNullable<PageSystem['value']>;
}

export function quartoSettings(input: Pick<PresetInput, 'paths' | 'readText'>): QuartoSettings {
  const { paths, readText } = input;
  const settings = siteSettings(input, ['_quarto.yml', '_quarto.yaml']);
  const { value } = settings;
  const documents = paths.filter((path) => SOURCES.test(path));
  const files = filesOf(documents);
  const isBook = textsOf(settingAt(value, 'project', 'type'))[0] === 'book';
  const items = isBook
    ? [
        ...chapters(valueAt(valueAt(value, 'book'), 'chapters'), files),
        ...chapters(valueAt(valueAt(value, 'book'), 'appendices'), files),
      ]
    : sidebars(valueAt(valueAt(value, 'website'), 'sidebar'), files);
  const listed = isBook ? new Set(filesIn(items)) : undefined;
  const problems = [...settings.problems];
  const read = (path: string, text: string): unknown => {
    const said = sideFile(text);
    problems.push(...said.problems.map((problem) => ({ path, problem })));
    return said.value;
  };
  const folders = new Map<string, unknown>();
  let text = settings.text;
  for (const path of paths) {
    if (!/(?:^|\/)_metadata\.ya?ml$/.test(path)) continue;
    const said = readText(path) ?? '';
    text += `${path}\n${said}\n`;
    folders.set(posix.dirname(path), read(path, said));
  }
  const variables = read('_variables.yml', readText('_variables.yml') ?? '');
  const metaOf = metaReader({ readText, settings: value, folders });
  const output = textsOf(settingAt(value, 'project', 'output-dir'))[0]?.replaceAll(/^\.?\/|\/$/g, '');
  const isRendered = renderList(textsOf(settingAt(value, 'project', 'render')));
  const drafts = globs(textsOf(settingAt(value, 'website', 'drafts') ?? settingAt(value, 'drafts')));
  const isDraftShown = ['visible', 'unlinked'].includes(
    textsOf(settingAt(value, 'website', 'draft-mode') ?? settingAt(value, 'draft-mode'))[0] ?? '',
  );
  const labels = labelsIn(documents, readText, {
    chapters: isBook ? filesIn(items) : [],
    language: textsOf(valueAt(value, 'lang'))[0] ?? 'en',
  });
  const works = citedWorks({
    readText,
    bibliographyOf: (file) => textsOf(metaOf(file, ['bibliography'])),
    isBook,
  });
  return {
    value,
    isBook,
    items,
    text: `${text}${readText('_variables.yml') ?? ''}${labels.text}`,
    problems,
    isDraft: (file) => !isDraftShown && (drafts(file) || isTrue(metaOf(file, ['draft']))),
    leftOut: (file) => {
      if (output !== undefined && output !== '' && output !== '.' && file.startsWith(`${output}/`))
        return '`output-dir` of Quarto';
      if (/(?:^|\/)readme\.[^/]+$/i.test(file)) return 'Quarto builds no page of a README';
      if (listed !== undefined && !listed.has(file)) return '`book.chapters` of _quarto.yml does not list it';
      return isRendered(file) ? undefined : '`project.render` of _quarto.yml leaves it out';
    },
    valueOf: (file, name, keys) => {
      const [key = ''] = keys;
      switch (name) {
        case 'meta':
          return metaOf(file, keys);
        case 'var':
          return scalar(settingAt(variables, ...keys));
        default:
          return works.valueOf(file, name, key) ?? labels.valueOf(file, name, key);
      }
    },
  };
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

/** Front matter, then `_metadata.yml` of the folders from the page's up, then the settings. */
function metaReader({
  readText,
  settings,
  folders,
}: Pick<PresetInput, 'readText'> & {
  readonly settings: unknown;
  readonly folders: ReadonlyMap<string, unknown>;
}): (file: string, keys: readonly string[]) => unknown {
  const known = new Map<string, unknown>();
  return (file, keys) => {
    if (!known.has(file)) known.set(file, Object.fromEntries(frontMatter(readText(file) ?? '').values));
    const names = file.split('/').slice(0, -1);
    const above = names.map((_, index) => folders.get(names.slice(0, names.length - index).join('/')));
    for (const said of [known.get(file), ...above, folders.get('.'), settings]) {
      const html = settingAt(said, 'format', 'html', ...keys);
      const found = settingAt(said, ...keys) ?? html;
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Globs of what is rendered, `!` in front of what is not; without one, everything. */
function renderList(patterns: readonly string[]): (file: string) => boolean {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const spared = patterns.flatMap((pattern) => (pattern.startsWith('!') ? [pattern.slice(1)] : []));
  const isWanted = globs(wanted.flatMap(asGlobs));
  const isSpared = globs(spared.flatMap(asGlobs));
  return (file) => (wanted.length === 0 || isWanted(file)) && !isSpared(file);
}

/** A folder is all that is in it; `*.qmd` without a folder is meant in every folder. */
function asGlobs(pattern: string): readonly string[] {
  const plain = pattern.replace(/^\.?\//, '').replace(/\/$/, '');
  if (plain === '') return [];
  return plain.includes('/') || pattern.startsWith('/')
    ? [plain, `${plain}/**`]
    : [plain, `${plain}/**`, `**/${plain}`];
}

interface PageFiles {
  readonly at: (written: string) => string | undefined;
  /** Pages of a folder, its own first. */
  readonly below: (folder: string) => readonly string[];
  readonly matching: (glob: string) => readonly string[];
}

function filesOf(documents: readonly string[]): PageFiles {
  const all = new Set(documents);
  const at = (written: string): string | undefined => {
    if (/^[a-z][a-z+.-]*:/i.test(written)) return undefined;
    const path = posix.normalize(written.replace(/[?#].*$/s, '').replace(/^\.?\//, ''));
    const stem = path.replace(/\.html?$|\/$/, '');
    return [
      path,
      `${stem}.qmd`,
      `${stem}.md`,
      `${stem}.Rmd`,
      posix.join(stem, 'index.qmd'),
      posix.join(stem, 'index.md'),
    ].find((each) => all.has(each));
  };
  const isPage = (path: string): boolean => !path.split('/').some((name) => /^[_.]/.test(name));
  const sorted = [...documents].filter(isPage).sort((a, b) => (a < b ? -1 : 1));
  return {
    at,
    below: (folder) => sorted.filter((path) => folder === '' || path.startsWith(`${folder}/`)),
    matching: (glob) => sorted.filter(globs([glob])),
  };
}

const DEPTH_MAX = 20;

/** `website.sidebar`: one, or several with a title each. */
function sidebars(value: unknown, files: PageFiles): readonly NavigationItem[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const many = all.filter((each) => valueAt(each, 'contents') !== undefined).length > 1;
  return all.flatMap((each): readonly NavigationItem[] => {
    const items = entries(valueAt(each, 'contents'), files, 0);
    const [title] = textsOf(valueAt(each, 'title'));
    return many && title !== undefined && items.length > 0 ? [{ title, items }] : items;
  });
}

function entries(value: unknown, files: PageFiles, depth: number): readonly NavigationItem[] {
  if (depth > DEPTH_MAX) return [];
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((each): readonly NavigationItem[] => {
    if (typeof each === 'string') return written(each, files);
    if (typeof each !== 'object' || each === null) return [];
    const [auto] = textsOf(valueAt(each, 'auto'));
    if (auto !== undefined) return written(auto, files);
    if (valueAt(each, 'auto') === true) return folderItems('', files.below(''));
    const said = textsOf(valueAt(each, 'section'))[0];
    const [href] = textsOf(valueAt(each, 'href') ?? valueAt(each, 'file'));
    const file = href === undefined ? (said === undefined ? undefined : files.at(said)) : files.at(href);
    const [text] = textsOf(valueAt(each, 'text'));
    const title = text ?? (said !== undefined && files.at(said) === undefined ? said : undefined);
    const contents = valueAt(each, 'contents');
    const items = contents === undefined ? [] : entries(contents, files, depth + 1);
    return file === undefined && items.length === 0 ? [] : [{ title, file, items }];
  });
}

/** A page, a folder, a glob or `auto`. */
function written(entry: string, files: PageFiles): readonly NavigationItem[] {
  if (/^-{3,}$/.test(entry)) return [];
  if (entry === 'auto') return folderItems('', files.below(''));
  const path = entry.replace(/^\.?\//, '');
  if (path.includes('*')) {
    const [folder = ''] = path.split(/\/?\*/);
    return folderItems(folder, files.matching(path));
  }
  const folder = path.replace(/\/$/, '');
  const below = folder === '' ? [] : files.below(folder);
  if (below.length > 0) return [folderItem(folder, below)];
  const file = files.at(path);
  return file === undefined ? [] : [{ file }];
}

/** The pages of a folder in the order of their names; folders in it are sections. */
function folderItems(folder: string, files: readonly string[]): readonly NavigationItem[] {
  const start = folder === '' ? '' : `${folder}/`;
  const inside = files.filter((path) => path.startsWith(start));
  const folders = new Map<string, string[]>();
  const own: string[] = [];
  for (const path of inside) {
    const slash = path.indexOf('/', start.length);
    if (slash < 0) own.push(path);
    else folders.set(path.slice(0, slash), [...(folders.get(path.slice(0, slash)) ?? []), path]);
  }
  const isIndex = (path: string): boolean => /(?:^|\/)index\.[^/]+$/i.test(path);
  return [
    ...[...own].sort((a, b) => Number(isIndex(b)) - Number(isIndex(a))).map((file) => ({ file })),
    ...[...folders].map(([name, pages]) => folderItem(name, pages)),
  ];
}

function folderItem(folder: string, pages: readonly string[]): NavigationItem {
  const file = pages.find((path) => path.startsWith(`${folder}/index.`));
  const others = pages.filter((path) => path !== file);
  return { title: humanName(folder), file, items: folderItems(folder, others) };
}

/** `book.chapters`: files, and parts with chapters. */
function chapters(value: unknown, files: PageFiles, depth = 0): readonly NavigationItem[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  if (depth > DEPTH_MAX) return [];
  return all.flatMap((each): readonly NavigationItem[] => {
    if (typeof each === 'string') {
      const file = files.at(each);
      return file === undefined ? [] : [{ file }];
    }
    const [part] = textsOf(valueAt(each, 'part'));
    const [href] = textsOf(valueAt(each, 'file') ?? valueAt(each, 'href'));
    const file = part === undefined ? (href === undefined ? undefined : files.at(href)) : files.at(part);
    const items = chapters(valueAt(each, 'chapters'), files, depth + 1);
    const title = textsOf(valueAt(each, 'text'))[0] ?? (file === undefined ? part : undefined);
    return file === undefined && items.length === 0 ? [] : [{ title, file, items }];
  });
}

function filesIn(items: readonly NavigationItem[]): readonly string[] {
  return items.flatMap(({ file, items: inside = [] }) => [
    ...(file === undefined ? [] : [file]),
    ...filesIn(inside),
  ]);
}
