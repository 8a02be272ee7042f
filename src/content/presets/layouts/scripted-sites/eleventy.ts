import { posix } from 'node:path';
import { ERROR_PAGE, isErrorPage } from '../../pages/error-page.ts';
import { languageFinder } from '../../pages/page-languages.ts';
import { pageDialect } from '../../pages/page-dialect.ts';
import { pagePreset } from '../../pages/page-preset.ts';
import type { PresetInput } from '../../pages/page-preset.ts';
import { sideFile, textsOf } from '../../pages/side-file.ts';
import type { Foreign, FrontMatterKeys, Preset, Publication } from '../../preset.ts';
import { gitignore, globs } from '../../settings/patterns.ts';
import type { PathMatch } from '../../settings/patterns.ts';
import { folderPrefix, importsFrom, scriptFile, settingAt } from '../../settings/site-settings.ts';
import { SYNTAX } from '../../syntax/syntaxes.ts';
import { literalPattern } from '../../../../text/literal-pattern.ts';
import { isJsonObject } from '../../../../text/json-value.ts';

/** In Eleventy's own order (https://www.11ty.dev/docs/config/#default-filenames). */
const NAMES = [
  '.eleventy.js',
  'eleventy.config.js',
  'eleventy.config.mjs',
  'eleventy.config.cjs',
  'eleventy.config.ts',
];
const INDEX = /^index$/;

/**
 * Eleventy, from its input folder: every `.md` is a page at `/path/`, or where `permalink` of its front matter or of a data file says. No page is what
 * `.eleventyignore`, `.gitignore` and `ignores.add('…')` name, what lies in the folders of includes, layouts and data, `permalink: false`, and a template
 * that `pagination` makes pages with. Data files count as far as they are JSON or literal JavaScript.
 */
export function eleventyPreset(input: PresetInput): Preset {
  const { path: settingsPath, text } = settingsOf(input);
  const parts = partsOf(text, settingsPath, input);
  const site = siteOf(text, settingsPath);
  const isSystem: PathMatch = (path) => site.folders.some((folder) => path.startsWith(`${folder}/`));
  const routed = new Map(input.paths.filter((path) => !isSystem(path)).map((path) => [path, route(path)]));
  const find = languageFinder([...routed.values()], input, { hasFolders: true, hasSuffixes: true });
  const ignored = ignoreRule(input, site, text);
  const data = dataFiles(input);
  return pagePreset(
    {
      name: 'eleventy',
      tree: {
        documents: /\.(?:md|markdown)$/i,
        inLanguage: (path) => {
          const place = routed.get(path);
          return place === undefined ? undefined : find(place);
        },
        index: INDEX,
        leftOut: ({ file }) => ignored(file),
      },
      target: {
        hasPrettyUrls: true,
        addressPrefixes: [],
        publicFolders: ['public', '../public', '../static'],
        basePath: /\bpathPrefix\s*:\s*["']([^"'\n]*)["']/.exec(text)?.[1],
        // Templates of other kinds make pages too.
        hasPagesElsewhere: true,
        permalinks: (file, { path }) => permalinksOf(data.get(file, 'permalink'), file, path),
      },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'index' : path}.md`,
      variable: plugins(`${text}\n${parts}`),
      sideFiles: `${text}${parts}${data.text}`,
      problems: data.problems,
      dialect: pageDialect(`eleventy 2 ${data.text}${text}${parts}`, SYNTAX.eleventy, {
        fields: {
          ordering: ['eleventyNavigation.order', 'order', 'weight'],
          priority: ['eleventyNavigation.order', 'order', 'weight'],
          status: ['draft'],
          tags: [],
        },
        addressKeys: ['permalink'],
        extensions: {
          hasDefinitionLists: /['"]markdown-it-deflist['"]/.test(`${text}\n${parts}`),
          hasEmojiCodes: /['"]markdown-it-emoji['"]/.test(`${text}\n${parts}`),
        },
        publication: (page) => publicationOf(page, data.get),
      }),
    },
    input,
  );
}

function settingsOf({ readText }: PresetInput): { readonly path: string; readonly text: string } {
  for (const level of ['', '../', '../../', '../../../']) {
    for (const name of NAMES) {
      const text = readText(`${level}${name}`);
      if (text !== undefined) return { path: `${level}${name}`, text };
    }
  }
  return { path: '', text: '' };
}

/** Files of the project that the settings load: the library for Markdown often has one of its own. */
function partsOf(text: string, settingsPath: string, { readText }: PresetInput): string {
  const load = importsFrom(folderPrefix(settingsPath), readText);
  const addresses = [...text.matchAll(/\b(?:require\(|from)\s*["'](\.{1,2}\/[^"'\n]+)["']/g)].map(
    ([, address = '']) => address,
  );
  return [...new Set(addresses)].map((address) => load(address) ?? '').join('\n');
}

/** Plugins of markdown-it that the settings name. */
function plugins(text: string): (name: string) => string | undefined {
  const containers = containerNames(text).join(' ');
  return (name) => {
    if (name === 'markdown-it-container') return containers === '' ? undefined : containers;
    return name === 'markdown-it-attrs' && /["']markdown-it-attrs["']/.test(text) ? 'on' : undefined;
  };
}

/** `.use(container, 'warning', { render() {} })`; `*` where a variable or options from elsewhere may take any name (https://github.com/markdown-it/markdown-it-container). */
function containerNames(text: string): readonly string[] {
  const local =
    /\b([\w$]+)\s*=\s*require\(\s*["']markdown-it-container["']\s*\)/.exec(text)?.[1] ??
    /\bimport\s+([\w$]+)\s+from\s*["']markdown-it-container["']/.exec(text)?.[1];
  const plugin =
    local === undefined ? String.raw`require\(\s*["']markdown-it-container["']\s*\)` : literalPattern(local);
  const uses = new RegExp(
    String.raw`\.use\(\s*${plugin}\s*,\s*(?:["']([\w-]+)["']|[\w$.]+)\s*(?:,\s*([\w$]+|\{[^{}]{0,200}\bvalidate\b))?`,
    'g',
  );
  return [...text.matchAll(uses)].map(([, name, options]) =>
    name === undefined || options !== undefined ? '*' : name,
  );
}

interface SiteFolders {
  /** The input folder as seen from the project, with a slash at its end unless it is the project. */
  readonly input: string;
  /** Of includes, layouts and data, from the input folder. */
  readonly folders: readonly string[];
}

/** Folders of `dir`, or of `setIncludesDirectory('…')` and its like; what is not written out is what Eleventy takes by itself. */
function siteOf(text: string, settingsPath: string): SiteFolders {
  const dir = /\bdir\s*:\s*\{([^}]*)\}/.exec(text)?.[1] ?? '';
  const said = (name: string, method: string): string | undefined =>
    new RegExp(String.raw`(?:^|[\s,{"'])${name}["']?\s*:\s*["']([^"'\n]*)["']`).exec(dir)?.[1] ??
    new RegExp(String.raw`\.set${method}Directory\(\s*["']([^"'\n]*)["']`).exec(text)?.[1];
  const input = plain(said('input', 'Input') ?? '');
  const levels = folderPrefix(settingsPath).split('../').length - 1;
  const folders = [
    said('includes', 'Includes') ?? '_includes',
    said('layouts', 'Layouts'),
    said('data', 'Data') ?? '_data',
  ].flatMap((folder) => {
    const bare = folder === undefined ? '' : plain(folder);
    return bare === '' || bare.startsWith('..') ? [] : [bare];
  });
  return { input: levels === 0 || input === '' ? '' : `${input}/`, folders };
}

function plain(folder: string): string {
  const path = posix.normalize(folder).replaceAll(/^\/+|(?<!\/)\/+$/g, '');
  return path === '.' ? '' : path;
}

/** What Eleventy ignores, and why. */
function ignoreRule(
  { readText }: PresetInput,
  { input }: SiteFolders,
  settings: string,
): (file: string) => string | undefined {
  const own = gitignore(readText('.eleventyignore') ?? '');
  const up = '../'.repeat(input.split('/').length - 1);
  const ofProject = gitignore(
    input === '' ? '' : [readText(`${up}.eleventyignore`), readText(`${up}.gitignore`)].join('\n'),
  );
  const added = globs(
    [...settings.matchAll(/\.ignores\.add\(\s*["'`]([^"'`\n$]+)["'`]/g)].map(([, pattern = '']) =>
      plain(pattern),
    ),
  );
  return (file) => {
    if (own(file) || ofProject(`${input}${file}`)) return '`.eleventyignore` or `.gitignore` names it';
    return added(`${input}${file}`) ? '`ignores.add` of Eleventy names it' : undefined;
  };
}

/** `guide/guide.md` is the page of `guide`. */
function route(path: string): string {
  return path.replace(/((?:^|\/)([^/]+)\/)\2(\.(?:md|markdown))$/i, '$1index$3');
}

interface DataFiles {
  /** Changes when any of them does. */
  readonly text: string;
  readonly problems: Foreign['problems'];
  readonly get: (file: string, key: string) => unknown;
}

/** Data beside a template and of the folders above it, the nearest first (https://www.11ty.dev/docs/data-template-dir/). */
function dataFiles({ paths, readText }: PresetInput): DataFiles {
  const values = new Map<string, unknown>();
  const problems: Foreign['problems'][number][] = [];
  let whole = '';
  const stems = new Set(
    paths.flatMap((path) => {
      if (!/\.(?:md|markdown)$/i.test(path)) return [];
      const folders = path.split('/').slice(0, -1);
      return [
        path.replace(/\.[^./]+$/, ''),
        ...folders.map((name, index) => [...folders.slice(0, index + 1), name].join('/')),
      ];
    }),
  );
  for (const path of paths) {
    const [, stem = '', form = ''] = /^(.*?)(?:\.11tydata)?\.(json|[cm]?js)$/.exec(path) ?? [];
    if (!stems.has(stem) || (form !== 'json' && !path.includes('.11tydata.'))) continue;
    const text = readText(path);
    if (text === undefined) continue;
    whole += `${path}\n${text}\n`;
    const { value, problems: faults } = form === 'json' ? sideFile(text) : scriptFile(text);
    problems.push(...faults.map((problem) => ({ path, problem })));
    const known = values.get(stem);
    values.set(stem, isJsonObject(known) && isJsonObject(value) ? { ...known, ...value } : value);
  }
  return {
    text: whole,
    problems,
    get: (file, key) => {
      if (values.size === 0) return undefined;
      const folders = file.split('/').slice(0, -1);
      const places = folders
        .map((name, index) => [...folders.slice(0, index + 1), name].join('/'))
        .toReversed();
      for (const stem of [file.replace(/\.[^./]+$/, ''), ...places]) {
        const value = settingAt(values.get(stem), key);
        if (value !== undefined) return value;
      }
      return undefined;
    },
  };
}

function publicationOf({ get: own, place }: FrontMatterKeys, data: DataFiles['get']): Publication {
  const get = (key: string): unknown =>
    own(key) ?? (place.file === undefined ? undefined : data(place.file, key));
  const permalink = get('permalink');
  if (permalink === false || settingAt(permalink, 'build') === false)
    return { leftOut: '`permalink: false`: Eleventy writes no page of it' };
  if (isErrorPage(permalink)) return ERROR_PAGE;
  const isPaged = [get('pagination'), own('pagination.data')].some((value) => value !== undefined);
  if (isPaged) return { leftOut: '`pagination` makes pages of data with it' };
  return get('draft') === true ? { isDraft: true } : {};
}

/** An address of a data file, if the path alone decides it. */
function permalinksOf(value: unknown, file: string, path: string): readonly string[] {
  const [said] = textsOf(value);
  if (said === undefined) return [];
  const stem = `/${route(file).replace(/\.[^./]+$/, '')}`;
  const address = said
    .replaceAll(/\{\{-?\s*page\.filePathStem\s*-?\}\}/g, stem)
    .replaceAll(/\{\{-?\s*page\.fileSlug\s*-?\}\}/g, fileSlug(path));
  return /[{}]/.test(address) ? [] : [address];
}

/** The last part without a date in front (https://www.11ty.dev/docs/data-eleventy-supplied/#fileslug). */
function fileSlug(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/^\d{4}-\d{2}-\d{2}-(?=.)/, '');
}
