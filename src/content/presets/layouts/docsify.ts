import { posix } from 'node:path';
import { navigation, recordPath } from '../pages/navigation.ts';
import type { NavigationItem } from '../pages/navigation.ts';
import { languageFinder } from '../pages/page-languages.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { withRedirects } from '../pages/redirected.ts';
import type { SiteRedirect } from '../pages/redirected.ts';
import { summaryItems } from '../pages/summary.ts';
import type { Foreign, Preset } from '../preset.ts';
import { DOLLARS, formulaSigns } from '../syntax/formulas.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';

const INDEX = /^readme$/i;
const PARTS = /(?:^|\/)_[^/]*\.md$/i;

/**
 * Docsify, from the folder of index.html. Every page in it has an address, listed or not; `_sidebar.md`, or what `loadSidebar` names, gives order and
 * tree, the first heading the title. Links count from the root unless index.html says `relativePath: true`; `#/page?id=part` is a route. `?>` and `!>` are boxes. Files that begin with
 * `_` are parts of the site. Folders are languages.
 */
export function docsifyPreset(input: PresetInput): Preset {
  const { paths, readText } = input;
  const files = new Set(paths);
  const page = readText('index.html') ?? '';
  const isRelative = /relativePath\s*:\s*true/.test(page);
  const find = languageFinder(paths, input, { hasFolders: true, hasSuffixes: false });
  // docsify-katex, docsify-mathjax and docsify-latex: plugins that index.html loads (https://docsify.js.org/#/awesome?id=plugins).
  const hasFormulas = /<script\b[^>]*\bsrc\s*=\s*["']?[^"'\s>]*docsify[-\w@./]*(?:katex|mathjax|latex)/i.test(
    page,
  );
  const texts = [
    String(isRelative),
    String(hasFormulas),
    ...aliasesIn(page).flatMap(({ from, to }) => [from, to]),
  ];
  const loaded = (key: string): string =>
    new RegExp(`${key}\\s*:\\s*['"]([^'"]+)['"]`).exec(page)?.[1]?.replace(/^\.?\//, '') ?? '';
  const sidebar = loaded('loadSidebar') || '_sidebar.md';
  // A README is the page of its folder too, also if it is the sidebar.
  const parts = new Set(
    [sidebar, loaded('loadNavbar'), loaded('coverpage')].filter((name) => !/^readme\.md$/i.test(name)),
  );
  const isPart = (path: string): boolean => parts.has(path.slice(path.lastIndexOf('/') + 1));
  const sidebars = paths.filter((path) => path === sidebar || path.endsWith(`/${sidebar}`));
  const inOrder = [...sidebars].sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
  const items = inOrder.flatMap((path): readonly NavigationItem[] => {
    const text = readText(path) ?? '';
    texts.push(text);
    return summaryItems(text, (address) => pageAt(path, address, { files, isRelative }));
  });
  const tree = navigation(items, {
    pathOf: (file) => recordPath(find(file), INDEX),
    original: ({ rest, file }) => (files.has(rest) ? rest : file),
    hasTitles: false,
  });
  const preset = pagePreset(
    {
      name: 'docsify',
      tree: {
        documents: /\.md$/i,
        sideFiles: PARTS,
        inLanguage: (path) => (isPart(path) ? undefined : find(path)),
        index: INDEX,
        meta: tree.meta,
      },
      target: { hasPrettyUrls: false, addressPrefixes: [], publicFolders: [] },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'README' : path}.md`,
      folder: tree.folder,
      variable: (name) => (name === 'formulas' && hasFormulas ? formulaSigns(DOLLARS) : undefined),
      sideFiles: texts.join('\n'),
      dialect: pageDialect('docsify 3', SYNTAX.docsify, {
        // https://docsify.js.org/#/configuration?id=noemoji
        extensions: { hasEmojiCodes: true },
      }),
    },
    input,
  );
  return withRedirects(isRelative ? preset : fromRoot(preset), aliasesIn(page));
}

/** `alias: { '/zh-cn/(.*)': '/$1' }`: routes that are other pages. Of patterns the groups that take anything are known. */
function aliasesIn(page: string): readonly SiteRedirect[] {
  const list = /\balias\s*:\s*\{([^{}]{0,20000})\}/.exec(page)?.[1] ?? '';
  return [...list.matchAll(/(['"])([^'"\n]+)\1\s*:\s*(['"])([^'"\n]*)\3/g)].flatMap(
    ([, , pattern = '', , to = '']): readonly SiteRedirect[] => {
      const from = pattern
        .replaceAll(/\((?:\.[*+]|\[\^\/\][*+])\)|\.[*+]/g, '*')
        .split('*')
        .reduce((left, right, index) => `${left}:part${index}*${right}`);
      const isKnown = !/[()[\]{}?+\\|^$]/.test(from);
      return isKnown ? [{ from, to: to.replaceAll(/\$(\d)/g, ':part$1*') }] : [];
    },
  );
}

/** A link counts from the root; where nothing is there, as GitHub shows it, from the page. */
function fromRoot(preset: Preset): Preset {
  const { foreign } = preset;
  if (foreign === undefined) return preset;
  const target: Foreign['target'] = (from, written) =>
    (/^\.{0,2}\//.test(written) ? undefined : foreign.target(from, `/${written}`)) ??
    foreign.target(from, written) ??
    foreign.target(from, posix.normalize(`/${written}`));
  return { ...preset, foreign: { ...foreign, target } };
}

function pageAt(
  sidebar: string,
  address: string,
  { files, isRelative }: { readonly files: ReadonlySet<string>; readonly isRelative: boolean },
): string | undefined {
  const bare = address.replace(/^#(?=\/)/, '').replace(/[?#].*$/s, '');
  if (bare === '' && address !== '/') return undefined;
  const folder = posix.dirname(sidebar);
  const bases = bare.startsWith('/') ? ['.'] : isRelative ? [folder] : ['.', folder];
  return bases
    .flatMap((base) => {
      const path = posix.join(base, `./${bare}`);
      return path.endsWith('/') || path === '.' ? [posix.join(path, 'README.md')] : [path, `${path}.md`];
    })
    .find((path) => files.has(path));
}
