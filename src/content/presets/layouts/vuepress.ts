import { posix } from 'node:path';
import { languageFinder } from '../pages/page-languages.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { isSaid } from '../pages/locked-pages.ts';
import { allTextsOf, textsOf } from '../pages/side-file.ts';
import { globs } from '../settings/patterns.ts';
import { frontMatterValues } from '../pages/front-matter-values.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import type { FrontMatterKeys, Preset, Publication } from '../preset.ts';
import { exportedLiterals, isCall } from '../settings/literals.ts';
import { expression } from '../settings/expressions.ts';
import { settingAt, siteSettings } from '../settings/site-settings.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';

const SETTINGS = ['.vuepress/config', '.vuepress/config/index'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs'].map((form) => `${name}.${form}`),
);

/**
 * VuePress 1 and 2, from the folder of `.vuepress`: every `.md` is a page, README.md or index.md its folder's, a folder per locale beside the root
 * locale. The title is the front matter's, else the first heading; `permalink` is an address; `.vuepress/public` is served from the root.
 */
export function vuepressPreset(input: PresetInput): Preset {
  const find = languageFinder(input.paths, input, { hasFolders: true, hasSuffixes: false });
  const settings = siteSettings(input, SETTINGS);
  const folder = posix.dirname(settings.path ?? '.vuepress/config.ts');
  const theme = THEMES.map((name) => input.readText(posix.join(folder, name)) ?? '').join('\n');
  const patterns = settingAt(settings.value, 'pagePatterns') ?? settingAt(settings.value, 'patterns');
  const named = allTextsOf(patterns).filter((pattern) => !pattern.startsWith('!'));
  const isNamed = globs(named);
  const isUnnamed = globs(
    textsOf(patterns).flatMap((pattern) =>
      pattern.startsWith('!') ? [pattern.slice(1), `${pattern.slice(1)}/**`] : [],
    ),
  );
  const paths = importPaths(settings.text + theme, folder);
  const locked = lockedPages([
    settings.value,
    ...THEMES.map((name) => exportedLiterals(input.readText(posix.join(folder, name)) ?? '')),
  ]);
  return pagePreset(
    {
      name: 'vuepress',
      value: frontMatterValues(input),
      variable: (name) => (name === 'import.path' ? paths : undefined),
      sideFiles: settings.text + theme,
      problems: settings.problems,
      tree: {
        documents: /\.md$/i,
        inLanguage: find,
        leftOut: ({ file }) =>
          (named.length === 0 || isNamed(file)) && !isUnnamed(file)
            ? undefined
            : '`pagePatterns` of VuePress',
        index: /^(?:readme|index)$/i,
        hasIndexBesidePage: true,
      },
      target: { hasPrettyUrls: false, addressPrefixes: [], publicFolders: ['.vuepress/public', 'public'] },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'README' : path}.md`,
      dialect: pageDialect('vuepress 9', SYNTAX.vuepress, {
        fields: {
          ordering: ['order'],
          priority: ['order'],
          status: ['draft'],
          hideFromSearch: ['!search', 'hideFromSearch'],
          tags: ['tags', 'tag'],
          categories: ['categories', 'category'],
        },
        addressKeys: ['permalink'],
        headingIds: 'vue',
        extensions: {
          hasEmojiCodes: settingAt(settings.value, 'markdown', 'emoji') !== false,
          hasDefinitionLists: /['"]markdown-it-deflist['"]/.test(settings.text),
        },
        showsOwnHeading: isDefaultTheme(settings.text),
        publication: (page) => locked(page),
      }),
    },
    input,
  );
}

/**
 * The default theme shows the text of a page alone, with its heading (https://vuepress.vuejs.org/reference/frontmatter.html#title). Other themes,
 * as Hope and Plume, write the title above it.
 */
function isDefaultTheme(settings: string): boolean {
  return (
    !/\btheme\s*[:,]/.test(settings) ||
    /\btheme\s*:\s*(?:defaultTheme\s*\(|['"]@vuepress\/(?:theme-)?default['"])/.test(settings)
  );
}

/** Settings of the theme beside those of the site. */
const THEMES = [
  'theme.ts',
  'theme.js',
  'plume.config.ts',
  'plume.config.mts',
  'plume.config.js',
  'plume.config.mjs',
];

/**
 * Pages that the themes Hope and Plume show to those who have a password: `password` of the front matter, `encrypt.global`, and the places that
 * `encrypt.config` (Hope) and `encrypt.rules` (Plume) name.
 */
function lockedPages(settings: readonly unknown[]): (page: FrontMatterKeys) => Publication {
  const options = settings.flatMap(encryptOptions);
  const isGlobal = options.some(
    (its) => isSaid(settingAt(its, 'global')) || settingAt(its, 'status') === 'global',
  );
  const keys = options.flatMap((its) =>
    ['config', 'rules'].flatMap((name) => {
      const places = settingAt(its, name);
      return typeof places === 'object' && places !== null ? Object.keys(places) : [];
    }),
  );
  const rules = keys.map((key) => ({ key, isAt: placeRule(key) }));
  return ({ get, place }) => {
    if (isGlobal) return { lockedBy: '`encrypt.global`' };
    const permalink = get('permalink');
    const names = [place.file ?? place.path, ...(typeof permalink === 'string' ? [permalink] : [])];
    const key = rules.find(({ isAt }) => names.some(isAt))?.key;
    return key === undefined ? {} : { lockedBy: `\`${key}\` in \`encrypt\` of the theme` };
  };
}

/** In settings of a theme, or in those of the site that call it. */
function encryptOptions(settings: unknown): readonly unknown[] {
  const theme = settingAt(settings, 'theme');
  const given = isCall(theme) ? theme.given : [theme];
  return [settings, settingAt(settings, 'themeConfig'), ...given].map((its) => settingAt(its, 'encrypt'));
}

/** `/guide/` is all below it, `/a.html` and `a.md` are one page, `^/a` is an expression. */
function placeRule(key: string): (name: string) => boolean {
  if (!key.startsWith('^')) {
    const place = bare(key);
    return /\.(?:html|md)$/.test(key)
      ? (name) => bare(name) === place
      : (name) => bare(name).startsWith(place);
  }
  const pattern = expression(key);
  // Nobody knows which pages an unreadable one locks, so none may be shown.
  if (!('test' in pattern)) return () => true;
  return (name) => pattern.test(`/${bare(name)}`) || pattern.test(bare(name));
}

function bare(name: string): string {
  return name.replace(/^\/+/, '').replace(/\.(?:html|md)$/, '');
}

/**
 * Aliases of files that pages take in, as the documentations of `importCode.handleImportPath` and `include.resolvePath` write them:
 * `str.replace(/^@src/, path.resolve(__dirname, '../src'))`, `file.startsWith('@') … path.resolve(__dirname, '../parts', …)`, from the folder
 * of the settings. One alias and its folder in a line, the longest first.
 */
function importPaths(text: string, folder: string): string {
  const found = [...text.matchAll(REPLACED), ...text.matchAll(RESOLVED)];
  return found
    .map(([, alias = '', its = '']) => `${alias.replace(/\/$/, '')} ${posix.join(folder, its)}`)
    .sort((a, b) => b.indexOf(' ') - a.indexOf(' '))
    .join('\n');
}

const REPLACED =
  /\.replace\(\s*(?:\/\^|['"])([@~\w-]+\/?)(?:\/|['"])\s*,\s*path\.resolve\(\s*__dirname\s*,\s*['"]([^'"]+)['"]/g;
const RESOLVED =
  /startsWith\(\s*['"]([@~][\w/-]*)['"]\s*\)\)?[\s{]*return\s+path\.resolve\(\s*__dirname\s*,\s*['"]([^'"]+)['"]\s*,/g;
