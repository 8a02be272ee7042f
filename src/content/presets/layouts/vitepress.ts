import type { NavigationItem } from '../pages/navigation.ts';
import { textsOf, valueAt } from '../pages/side-file.ts';
import { sidebarPages } from '../pages/sidebar.ts';
import type { PageAt } from '../pages/sidebar.ts';
import { isCall } from '../settings/literals.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';
import { DOLLARS, formulaSigns } from '../syntax/formulas.ts';
import { languageFinder } from '../pages/page-languages.ts';
import { frontMatterValues } from '../pages/front-matter-values.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import type { Preset } from '../preset.ts';
import { globs } from '../settings/patterns.ts';
import { rewriter } from '../settings/rewrites.ts';
import { settingAt, siteSettings } from '../settings/site-settings.ts';
import { pageDialect } from '../pages/page-dialect.ts';

const INDEX = /^index$/;
const SETTINGS = ['.vitepress/config', '.vitepress/config/index'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs'].map((form) => `${name}.${form}`),
);

/**
 * VitePress: a folder per locale beside the root locale, `::: tip`, Vue components and expressions, includes. `srcExclude` of
 * its settings leaves pages out.
 */
export function vitepressPreset(input: PresetInput): Preset {
  const settings = siteSettings(input, SETTINGS);
  const rewritten = rewriter(settingAt(settings.value, 'rewrites'));
  const inLanguage = languageFinder(input.paths.map(rewritten), input, {
    hasFolders: true,
    hasSuffixes: false,
  });
  const find: typeof inLanguage = (path) => inLanguage(rewritten(path));
  const excluded = textsOf(settingAt(settings.value, 'srcExclude'));
  const isExcluded = exclusion(excluded);
  // Who names one of them has thought of the others.
  const hasChosen = excluded.some((pattern) => OF_REPOSITORY.test(pattern));
  const hasVersions = settings.text.includes('vitepress-versioning-plugin');
  const pages = sidebarPages(input, find, INDEX);
  const sidebars = [
    settingAt(settings.value, 'themeConfig', 'sidebar'),
    ...['root', input.defaultLanguage].map((name) =>
      settingAt(settings.value, 'locales', name, 'themeConfig', 'sidebar'),
    ),
  ];
  const nav = pages.navigation(sidebars.flatMap((sidebar) => sidebarItems(sidebar, '', pages.pageAt)));
  return pagePreset(
    {
      name: 'vitepress',
      tree: {
        documents: /\.md$/i,
        inLanguage: (path) => (!hasChosen && OF_REPOSITORY.test(path) ? undefined : find(path)),
        leftOut: ({ file }) => {
          if (isExcluded(file)) return '`srcExclude` of VitePress';
          return hasVersions && file.startsWith('versions/') ? 'an older version of the site' : undefined;
        },
        index: INDEX,
        hasIndexBesidePage: true,
        meta: nav.meta,
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [],
        publicFolders: ['public'],
        basePath: textsOf(settingAt(settings.value, 'base'))[0],
        isBasePrepended: true,
      },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'index' : path}.md`,
      folder: nav.folder,
      sideFiles: settings.text,
      problems: settings.problems,
      value: frontMatterValues(input),
      variable: (name) => {
        if (name === 'attrs') return attributeSigns(settings.value);
        const hasFormulas =
          settingAt(settings.value, 'markdown', 'math') === true ||
          /['"][^'"\n]*(?:katex|mathjax)[^'"\n]*['"]/.test(settings.text);
        return name === 'formulas' && hasFormulas ? formulaSigns(DOLLARS) : undefined;
      },
      dialect: pageDialect('vitepress 9', SYNTAX.vitepress, {
        fields: {
          ordering: ['order'],
          priority: ['order'],
          status: ['draft'],
          hideFromSearch: ['!search', 'hideFromSearch'],
        },
        headingIds: 'vue',
        extensions: {
          hasEmojiCodes: true,
          hasDefinitionLists: /['"]markdown-it-deflist['"]/.test(settings.text),
        },
        showsOwnHeading: true,
      }),
    },
    input,
  );
}

const OF_REPOSITORY = /^(?:readme|changelog|contributing|license)\.md$/i;

/** A pattern that names a folder leaves out all of it. Empty ones, and those that begin with `!`, mean nothing to VitePress. */
function exclusion(patterns: readonly string[]): (path: string) => boolean {
  const meant = patterns
    .map((pattern) => pattern.replace(/(?<!\/)\/+$/, ''))
    .filter((pattern) => pattern !== '' && !/^!(?!\()/.test(pattern));
  return globs(meant.flatMap((pattern) => [pattern, `${pattern}/**`]));
}

/** A list, `{ base, items }`, or one of them for each part of the site; entries are `{ text, link, items, base }`. */
export function sidebarItems(value: unknown, base: string, pageAt: PageAt): readonly NavigationItem[] {
  if (!Array.isArray(value)) {
    if (typeof value !== 'object' || value === null || isCall(value)) return [];
    const [its = base] = textsOf(valueAt(value, 'base'));
    const items = valueAt(value, 'items');
    if (items !== undefined) return sidebarItems(items, its, pageAt);
    return Object.values(value).flatMap((part) => sidebarItems(part, base, pageAt));
  }
  return value.flatMap((entry: unknown): readonly NavigationItem[] => {
    const [its = base] = textsOf(valueAt(entry, 'base'));
    const [title] = textsOf(valueAt(entry, 'text'));
    const [link] = textsOf(valueAt(entry, 'link'));
    const file = link === undefined || /^[a-z]+:/i.test(link) ? undefined : pageAt(its + link);
    const items = sidebarItems(valueAt(entry, 'items'), its, pageAt);
    if (file === undefined) return title === undefined || items.length === 0 ? items : [{ title, items }];
    return [{ title, file, items }];
  });
}

/** The signs around lists of attributes where `markdown.attrs` names others than braces: `left` and `right`, in older versions `leftDelimiter`. */
function attributeSigns(settings: unknown): string | undefined {
  const attrs = settingAt(settings, 'markdown', 'attrs');
  const [left] = textsOf(settingAt(attrs, 'left') ?? settingAt(attrs, 'leftDelimiter'));
  const [right] = textsOf(settingAt(attrs, 'right') ?? settingAt(attrs, 'rightDelimiter'));
  return left === undefined || right === undefined ? undefined : `${left} ${right}`;
}
