import { posix } from 'node:path';
import { contentsPage } from './contents-page.ts';
import type { ContentsPage } from './contents-page.ts';
import type { PresetName } from '../../content/presets/names.ts';
import { NO_PAGE, PAGE, pagesIn, pathsBelow } from './pages-in.ts';
import type { Recognised, Wishes } from './recognised.ts';
import { hostedAt, isPublicAddress, siteFacts } from './site-facts.ts';
import type { SiteFacts } from './site-facts.ts';
import { repositoryTree } from './tree.ts';
import { plainPages, unmarked } from './unmarked.ts';
import { spokenLanguage } from './spoken-language.ts';
import type { Folders, RepositoryTree } from './tree.ts';
import { HEXO_CONFIG, OTHER_CONFIG, WITHOUT_LAYOUT, ZOLA, factsWithoutLayout } from './without-layout.ts';
import type { WithoutLayout } from './without-layout.ts';
import { otherFormats, readsAlso } from '../../content/reading/other-formats.ts';
import type { OtherFormat } from '../../content/reading/other-formats.ts';

/** What `init` found. */
export interface Recognition {
  readonly found: Recognised | undefined;
  /** Other generators' settings here, most pages first. */
  readonly others: readonly Recognised[];
  /** Pages that are not part of the content, by folder. */
  readonly leftAside: readonly { readonly folder: string; readonly pages: number }[];
  /** Files of documentation that is no Markdown, most first. */
  readonly otherFormats: readonly OtherFormat[];
  /** A README that lists the pages and is none. */
  readonly contentsPage?: ContentsPage | undefined;
}

interface Marker {
  readonly preset: PresetName;
  /** Names in the folder that is looked at; a `/` ends a folder's. */
  readonly name: RegExp;
  /** Where the content lies then, from that folder, unless the settings say otherwise. */
  readonly content: string;
  /** Where else it may lie. */
  readonly elsewhere?: readonly string[];
  /** Files below a folder that is the marker, which hold the settings. */
  readonly settings?: RegExp;
  /** Of several names the one that counts; undefined: the shortest. */
  readonly first?: RegExp;
  /** What the marker's text says, where its name alone says too little. */
  readonly says?: RegExp;
  /** Files below the folder that say the same. */
  readonly orHas?: RegExp;
  /** What it does not say: another generator's settings of that name do. */
  readonly saysNot?: RegExp;
  readonly withoutLayout?: WithoutLayout;
}

const MARKERS: readonly Marker[] = [
  { preset: 'docusaurus', name: /^docusaurus\.config\.[cm]?[jt]s$/, content: '.' },
  { preset: 'starlight', name: /^astro\.config\.[cm]?[jt]s$/, content: 'src/content/docs' },
  {
    preset: 'vitepress',
    name: /^\.vitepress\/$/,
    content: '.',
    settings: /^config(?:\/index)?\.[cm]?[jt]s$/,
  },
  {
    preset: 'mkdocs',
    name: /^(?:(?:mkdocs(?:[-.][\w-]+)?|properdocs)\.ya?ml|zensical\.toml)$/,
    content: 'docs',
    first: /^(?:zensical|properdocs)/,
  },
  {
    preset: 'hugo',
    name: /^(?:hugo\.(?:toml|ya?ml|json)|config\.toml)$/,
    content: 'content',
    saysNot: ZOLA,
  },
  {
    preset: 'hugo',
    name: /^config\.(?:ya?ml|json)$/,
    content: 'content',
    says: /^[ \t]*"?(?:baseURL|theme|languageCode|defaultContentLanguage|markup)"?\s*[:=]/im,
  },
  {
    preset: 'hugo',
    name: /^config\/$/,
    content: 'content',
    settings: /^_default\/(?:hugo|config)\.(?:toml|ya?ml|json)$/,
  },
  { preset: 'mdbook', name: /^book\.toml$/, content: '.' },
  { preset: 'gitbook', name: /^(?:\.gitbook\.ya?ml|SUMMARY\.md)$/, content: '.' },
  { preset: 'mintlify', name: /^(?:docs|mint)\.json$/, content: '.', says: /"navigation"\s*:/ },
  { preset: 'docfx', name: /^docfx\.json$/, content: '.' },
  { preset: 'fern', name: /^fern\.config\.json$/, content: '.' },
  { preset: 'fumadocs', name: /^source\.config\.[cm]?[jt]s$/, content: 'content/docs', says: /fumadocs-mdx/ },
  {
    preset: 'nextra',
    name: /^next\.config\.[cm]?[jt]s$/,
    content: 'content',
    elsewhere: ['src/content', 'pages', 'src/pages', 'app', 'src/app'],
    // Also in names: `nextraConfig`, `withNextra`.
    says: /nextra/i,
    // Behind a wrapper of another name.
    orHas: /^(?:src\/)?(?:content|pages|app)\/(?:.+\/)?_meta\.(?:[jt]sx?|json)$/,
  },
  { preset: 'vuepress', name: /^\.vuepress\/$/, content: '.', settings: /^config(?:\/index)?\.[cm]?[jt]s$/ },
  { preset: 'docsify', name: /^_sidebar\.md$/, content: '.' },
  { preset: 'docsify', name: /^index\.html$/, content: '.', says: /\$docsify\b/ },
  { preset: 'readme', name: /^_order\.ya?ml$/, content: '.' },
  { preset: 'wiki', name: /^(?:\.obsidian\/|_Sidebar\.md)$/, content: '.' },
  { preset: 'wiki', name: /^logseq\/$/, content: '.', settings: /^config\.edn$/ },
  // What Wiki.js writes into every page that it stores.
  { preset: 'wiki', name: /^home\.md$/, content: '.', says: /^dateCreated:/m },
  { preset: 'myst', name: /^myst\.ya?ml$/, content: '.' },
  {
    preset: 'myst',
    name: /^_toc\.ya?ml$/,
    content: '.',
    says: /^[ \t]*(?:format[ \t]*:[ \t]*jb-|root[ \t]*:|-[ \t]*(?:file|url)\s*:)/m,
  },
  {
    preset: 'myst',
    name: /^conf\.py$/,
    content: '.',
    says: /^[ \t]*(?:extensions[ \t]*\+?|html_theme[ \t]*)=/m,
  },
  {
    preset: 'vocs',
    name: /^vocs\.config\.[cm]?[jt]sx?$/,
    content: 'docs/pages',
    elsewhere: ['src/pages', 'pages'],
  },
  { preset: 'rspress', name: /^rspress\.config\.[cm]?[jt]s$/, content: 'docs', elsewhere: ['pages', 'src'] },
  // Rstack keeps the settings of all its tools in one file.
  {
    preset: 'rspress',
    name: /^rstack\.config\.[cm]?[jt]s$/,
    content: 'docs',
    elsewhere: ['pages', 'src'],
    says: /^define\.doc\(/m,
  },
  { preset: 'hexo', name: /^_config\.ya?ml$/, content: 'source', says: HEXO_CONFIG },
  { preset: 'nuxt', name: /^content\.config\.[cm]?[jt]s$/, content: 'content', says: /@nuxt\/content/ },
  {
    preset: 'nuxt',
    name: /^nuxt\.config\.[cm]?[jt]s$/,
    content: 'content',
    says: /@nuxt\/content|docus|undocs|shadcn-docs-nuxt/i,
  },
  // undocs is Nuxt Content with settings of its own (https://github.com/unjs/undocs).
  {
    preset: 'nuxt',
    name: /^\.config\/$/,
    content: '.',
    settings: /^docs\.(?:ya?ml|jsonc?|[cm]?[jt]s)$/,
    says: /undocs|^[ \t]*"?(?:shortDescription|themeColor|automd|github)"?[ \t]*:/m,
  },
  { preset: 'quarto', name: /^_quarto\.ya?ml$/, content: '.' },
  { preset: 'bookdown', name: /^_bookdown\.ya?ml$/, content: '.' },
  { preset: 'writerside', name: /^(?:writerside\.cfg|project\.ihp)$/, content: '.', first: /^writerside/ },
  { preset: 'retype', name: /^retype\.ya?ml$/, content: '.' },
  { preset: 'eleventy', name: /^(?:\.eleventy|eleventy\.config)\.[cm]?[jt]s$/, content: '.' },
  { preset: 'jekyll', name: /^_config\.ya?ml$/, content: '.', saysNot: OTHER_CONFIG },
  ...WITHOUT_LAYOUT.map((each): Marker => ({ ...each, withoutLayout: each })),
];

/** How deep a generator's settings are looked for: `packages/site/src/docs/.vitepress`. */
const LEVELS_MAX = 4;
/** Small files that layouts read besides the pages. */
const SIDE_FILE =
  /(?:^|\/)(?:CNAME|index\.[Rr]md|mkdocs[\w.-]*\.ya?ml|properdocs\.ya?ml|zensical\.toml|_config\.ya?ml|(?:hugo|config|languages(?:\.[\w-]+)?|module|permalinks)\.(?:toml|ya?ml|json)|docusaurus\.config\.\w+|astro\.config\.\w+|(?:source|content|next|nuxt|vocs|eleventy|rspress|rstack)\.config\.\w+|\.eleventy\.[cm]?js|\.config\/docs\.\w+|[\w.-]+\.11tydata\.(?:json|[cm]?js)|\.eleventyignore|index\.html|home\.md|config\.[cm]?[jt]s|SUMMARY\.md|LANGS\.md|(?:docs|mint|fern\.config|docfx|meta)\.json|(?:toc|docs)\.yml|book\.toml|\.gitbook\.yaml|_sidebar\.md|_meta\.\w+|_(?:quarto|bookdown)\.ya?ml|conf\.py|(?:_toc|myst|retype)\.ya?ml|writerside\.cfg|project\.ihp|buildprofiles\.xml|config\.edn|\.openpublishing\.publish\.config\.json)$|(?:^|\/)\.(?:vitepress|vuepress)\/[^/]*(?:config|locale)|(?:^|\/)\.obsidian\/templates\.json$/;

/** The pages here and the system that publishes them: of several the one with most pages. */
export async function recognise(wishes: Wishes, world: Folders): Promise<Recognition> {
  const tree = await repositoryTree(world);
  const roots = new Set(
    tree.paths.flatMap((path) =>
      /(?:astro|docusaurus)\.config\.\w+$/.test(path) ? [posix.dirname(path)] : [],
    ),
  );
  const ferns = tree.paths.flatMap((path) =>
    /(?:^|\/)fern\.config\.json$/.test(path) ? [posix.dirname(path)] : [],
  );
  await tree.load(
    tree.paths.filter(
      (path) =>
        // What docs.yml of Fern names; not the definitions of an API.
        (/\.ya?ml$/.test(path) &&
          !/openapi|asyncapi|overrides|definition|generators/.test(path) &&
          ferns.some((folder) => isBelow(path, folder))) ||
        (SIDE_FILE.test(path) && path.split('/').length <= LEVELS_MAX + 3) ||
        (path.split('/').length <= LEVELS_MAX + 1 &&
          WITHOUT_LAYOUT.some(({ name }) => name.test(posix.basename(path)))) ||
        // What the settings of a site import.
        (roots.has(posix.dirname(path)) && /\.(?:json|[cm]?[jt]s)$/.test(path)),
    ),
  );
  const marked = markedPlaces(tree)
    .filter((place, _, all) => !isOtherNavigation(tree, place, all) && !isThemeOfBook(tree, place, all))
    // Docs of Starlight are more than the blog beside them.
    .filter(
      ({ root, marker }, _, all) =>
        marker.withoutLayout?.generator !== 'Astro' ||
        !all.some((other) => other.root === root && other.marker.preset === 'starlight'),
    )
    .filter(({ marker: { preset } }) => wishes.preset === undefined || preset === wishes.preset)
    .filter(({ content }) => wishes.content === undefined || isNear(wishes.content, content));
  const places = new Map<Recognised, MarkedPlace>();
  const candidates = combined(marked).map((each): Recognised => {
    const place = { ...each, content: wishes.content ?? each.content };
    const candidate = recognised(tree, place);
    places.set(candidate, place);
    return candidate;
  });
  /** Its pages without those that another system here publishes. */
  const own = (outer: Recognised): number => {
    const inner = candidates.filter(
      ({ content, pages }) => pages > 0 && content !== outer.content && isBelow(content, outer.content),
    );
    const files = outer.files.map((file) => posix.join(outer.content, file));
    return files.filter((file) => !inner.some(({ content }) => isBelow(file, content))).length;
  };
  const ranked = candidates
    .filter(({ pages }) => pages > 0)
    .map((candidate) => ({ candidate, own: own(candidate) }))
    .sort(
      (a, b) =>
        Number(isTrial(a.candidate)) - Number(isTrial(b.candidate)) ||
        b.own - a.own ||
        a.candidate.content.length - b.candidate.content.length,
    )
    .map(({ candidate }) => candidate);
  const isOpen = wishes.content === undefined && wishes.preset === undefined;
  const isTried = isOpen && ranked[0] !== undefined && isTrial(ranked[0]);
  const looked =
    ranked[0] === undefined || isTried || wishes.preset === 'plain'
      ? await unmarked(isTried ? withoutTrials(tree) : tree, wishes)
      : undefined;
  const isLooked = !isTried || (looked !== undefined && hasDocs(looked));
  const plain = isLooked ? looked : undefined;
  const [first, ...others] = plain === undefined ? ranked : [plain, ...(isTried ? ranked : [])];
  const formats = (found?: Recognised) => {
    const also = found === undefined ? undefined : readsAlso(found.preset);
    return otherFormats(
      tree.paths,
      (path) => found !== undefined && also?.(path) === true && isBelow(path, found.content),
    );
  };
  if (first === undefined) return { found: undefined, others: [], leftAside: [], otherFormats: formats() };
  const unique = others.filter(({ content }) => content !== first.content);
  const place = places.get(first);
  const found = await inItsLanguage(tree, first, (defaultLanguage) =>
    place === undefined
      ? plainPages(tree, { ...wishes, preset: first.preset }, { defaultLanguage })
      : recognised(tree, { ...place, facts: { ...place.facts, defaultLanguage } }),
  );
  return {
    found,
    others: unique,
    leftAside: asideOf(tree, first),
    otherFormats: formats(found),
    contentsPage: found.preset === 'plain' ? await contentsPage(tree, found) : undefined,
  };
}

/**
 * English is what settings and templates say where nobody thought of it: pages in the script of another language are in that language. `again`
 * reads the pages with another default language.
 */
async function inItsLanguage(
  tree: RepositoryTree,
  found: Recognised,
  again: (defaultLanguage: string) => Recognised | undefined,
): Promise<Recognised> {
  if (!/^en\b/.test(found.defaultLanguage)) return found;
  const isInFolder = found.files.some((path) => path.startsWith(`${found.defaultLanguage}/`));
  if (isInFolder && found.languages.length > 1) return found;
  const spoken = await spokenLanguage(tree, found.content, found.ownFiles);
  const read = spoken === undefined ? undefined : again(spoken);
  return read === undefined ? found : { ...read, because: found.because };
}

/**
 * Sites that a program is tried or shown with, or that people begin with: `tests/`, `ci/test_vault/`, `examples/blog/`, `packages/template/`. The
 * repository documents itself elsewhere.
 */
const TRIAL =
  /(?:^|\/)(?:(?:[^/]+[-_])?tests?(?:[-_][^/]+)?|e2e(?:[-_][^/]+)?|fixtures|__tests__|spec|playgrounds?|templates?|starters?|(?:examples?|samples?|demo)(?:[-_][^/]+)?)\//;

function withoutTrials(tree: RepositoryTree): RepositoryTree {
  return { ...tree, paths: tree.paths.filter((path) => !TRIAL.test(path)) };
}

function isTrial({ because }: Pick<Recognised, 'because'>): boolean {
  return TRIAL.test(because);
}

/** A folder of documentation, not pages here and there. */
function hasDocs({ content, ownFiles }: Recognised): boolean {
  return content !== '.' && ownFiles.some((file) => !TRIAL.test(posix.join(content, file)));
}

interface MarkedPlace {
  readonly marker: Pick<Marker, 'preset' | 'withoutLayout'>;
  /** The folder of the marker, `''`: here. */
  readonly root: string;
  readonly because: string;
  readonly content: string;
  readonly facts: SiteFacts;
}

function markedPlaces(tree: RepositoryTree): readonly MarkedPlace[] {
  const files = new Set(tree.paths);
  const names = new Map<string, string[]>();
  const add = (path: string, suffix: string): void => {
    const slash = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(0, slash));
    const inside = names.get(folder) ?? [];
    inside.push(path.slice(slash + 1) + suffix);
    names.set(folder, inside);
  };
  for (const path of files) if (path.split('/').length <= LEVELS_MAX + 1) add(path, '');
  for (const path of tree.folders) if (path.split('/').length <= LEVELS_MAX + 1) add(path, '/');
  return [...names].flatMap(([root, inside]): readonly MarkedPlace[] => {
    if (root.split('/').some((part) => part.startsWith('.'))) return [];
    return MARKERS.flatMap((marker): readonly MarkedPlace[] => {
      // The shortest name is the main one: mkdocs.yml beside mkdocs.insiders.yml.
      const [name] = inside
        .filter((entry) => marker.name.test(entry))
        .sort(
          (a, b) =>
            Number(marker.first?.test(b) === true) - Number(marker.first?.test(a) === true) ||
            a.length - b.length ||
            (a < b ? -1 : 1),
        );
      if (name === undefined) return [];
      const because = posix.join(root, name);
      const file = settingsFile(tree, because, marker);
      const text = file === undefined ? '' : (tree.readText(file) ?? '');
      const isSaid =
        marker.says?.test(text) !== false ||
        (marker.orHas !== undefined &&
          pathsBelow(tree, root || '.').some((path) => marker.orHas?.test(path)));
      if (!isSaid || marker.saysNot?.test(text) === true) return [];
      if (/^(?:config|logseq)\/$/.test(name) && file === undefined) return [];
      const facts =
        marker.withoutLayout !== undefined
          ? factsWithoutLayout(marker.withoutLayout, text)
          : file === undefined
            ? {}
            : siteFacts(
                marker.preset,
                posix.relative(root, file),
                (path) => tree.readText(posix.normalize(posix.join(root, path))),
                tree.paths.filter((path) => posix.dirname(path) === posix.dirname(file)),
              );
      const base = marker.preset === 'readme' ? readmeRoot(root, files) : root;
      const places = [facts.content ?? marker.content, ...(marker.elsewhere ?? [])]
        .map((folder) => posix.normalize(posix.join(base, folder)).replace(/\/$/, ''))
        .filter((folder) => folder === '.' || tree.folders.has(folder));
      const isSaidWhere = facts.content !== undefined && places.length > 0;
      const content =
        marker.withoutLayout?.hasAnyFolder === true && !isSaidWhere ? fullest(places, tree) : places[0];
      if (content === undefined) return [];
      const siteUrl = isPublicAddress(facts.siteUrl) ? facts.siteUrl : namedHost(tree, root, content, facts);
      return [
        {
          marker,
          root,
          because: file ?? because.replace(/\/$/, ''),
          content,
          facts: { ...facts, siteUrl },
        },
      ];
    });
  });
}

/** Folders whose files a generator puts beside its pages. */
const BESIDE_PAGES = ['', 'static', 'public', 'src', 'source', 'docs'];

/** The address that the file of a host names: of the settings' folder, the content's, or one of those that are copied as they are. */
function namedHost(
  tree: RepositoryTree,
  root: string,
  content: string,
  { sitePath }: SiteFacts,
): string | undefined {
  const text = [content, ...BESIDE_PAGES.map((folder) => posix.join(root, folder))]
    .map((folder) => tree.readText(posix.normalize(posix.join(folder, 'CNAME'))))
    .find((found) => found !== undefined);
  return text === undefined ? undefined : hostedAt(text, sitePath);
}

/** The folder with most pages, the first of several. */
function fullest(folders: readonly string[], { paths }: RepositoryTree): string | undefined {
  const pages = (folder: string): number =>
    paths.filter((path) => PAGE.test(path) && !NO_PAGE.test(path) && isBelow(path, folder)).length;
  return folders.map((folder) => ({ folder, its: pages(folder) })).sort((a, b) => b.its - a.its)[0]?.folder;
}

/** ReadMe keeps an order in every folder: the highest of them counts, and `docs` beside `reference` is one site. */
function readmeRoot(folder: string, files: ReadonlySet<string>): string {
  const isOrdered = (path: string): boolean =>
    ['_order.yaml', '_order.yml'].some((name) => files.has(posix.join(path, name)));
  const parts = folder.split('/');
  const top = parts.map((_, index) => parts.slice(0, index + 1).join('/')).find(isOrdered) ?? folder;
  const above = posix.dirname(top) === '.' ? '' : posix.dirname(top);
  return ['docs', 'reference'].every((name) => isOrdered(posix.join(above, name))) ? above : top;
}

/** SUMMARY.md of GitBook is mdBook's too, and Docsify's where index.html loads it. */
function isOtherNavigation(
  tree: RepositoryTree,
  { marker, root, because }: MarkedPlace,
  all: readonly MarkedPlace[],
): boolean {
  if (marker.preset !== 'gitbook' || !because.endsWith('SUMMARY.md')) return false;
  return all.some(
    (other) =>
      (root === other.root || isBelow(root, other.root || '.')) &&
      (other.marker.preset === 'mdbook' ||
        (other.marker.preset === 'docsify' &&
          /loadSidebar\s*:\s*['"]SUMMARY/.test(tree.readText(other.because) ?? ''))),
  );
}

/** `_config.yml` beside the settings of a GitBook is a theme of GitHub for the same pages: the book has their titles, order and choice. */
function isThemeOfBook(
  { paths }: RepositoryTree,
  { marker, root }: MarkedPlace,
  all: readonly MarkedPlace[],
): boolean {
  if (marker.preset !== 'jekyll') return false;
  const settings = new Set(BOOK_SETTINGS.map((name) => posix.join(root, name)));
  return (
    all.some((other) => other.root === root && other.marker.preset === 'gitbook') &&
    paths.some((path) => settings.has(path))
  );
}

/** HonKit and GitBook before 2018 (https://honkit.netlify.app/config), and GitBook since (https://gitbook.com/docs/getting-started/git-sync/content-configuration). */
const BOOK_SETTINGS = ['book.json', 'book.js', '.gitbook.yaml', '.gitbook.yml'];

/** The marker itself, or the file in its folder that holds the settings. */
function settingsFile(tree: RepositoryTree, because: string, { settings }: Marker): string | undefined {
  if (!because.endsWith('/')) return because;
  return tree.paths.find(
    (path) => path.startsWith(because) && settings?.test(path.slice(because.length)) === true,
  );
}

/** `docs/en/mkdocs.yml` beside `docs/fr/mkdocs.yml` is one site in two languages; so is `config/en/mkdocs.yml` with `docs/en`. */
function combined(places: readonly MarkedPlace[]): readonly MarkedPlace[] {
  const groups = new Map<string, MarkedPlace[]>();
  for (const place of places) {
    const name = posix.basename(place.root);
    const at = `${place.marker.preset} ${isCode(name) ? posix.dirname(place.root) : `${place.root}/`}`;
    groups.set(at, [...(groups.get(at) ?? []), place]);
  }
  return [...groups.values()].flatMap((group): readonly MarkedPlace[] => {
    const [first, second] = group;
    if (first === undefined || second === undefined || !isCode(posix.basename(first.root))) return group;
    const main = group.find(({ root }) => posix.basename(root) === 'en') ?? first;
    // Pages lie below their settings, or in folders of the same names elsewhere.
    const isInside = main.content === main.root || isBelow(main.content, main.root);
    if (!isInside && group.some(({ root, content }) => posix.basename(root) !== posix.basename(content)))
      return group;
    return [
      {
        ...main,
        content: posix.dirname(isInside ? main.root : main.content),
        facts: {
          ...main.facts,
          defaultLanguage: posix.basename(main.root),
          languages: undefined,
          // Each language is a site of its own, whose address nobody knows.
          servesContent: false,
        },
      },
    ];
  });
}

function isCode(name: string): boolean {
  return /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i.test(name);
}

/** A content folder that somebody names belongs to the settings in it, above it, or whose content it is. */
function isNear(wanted: string, content: string): boolean {
  const plain = posix.normalize(wanted).replace(/\/$/, '');
  return plain === content || isBelow(plain, content);
}

function isBelow(path: string, folder: string): boolean {
  return folder === '.' ? path !== '.' : path.startsWith(`${folder}/`);
}

function recognised(
  tree: RepositoryTree,
  { marker: { preset, withoutLayout }, content, because, facts }: MarkedPlace,
): Recognised {
  const paths = pathsBelow(tree, content);
  const readText = (path: string): string | undefined =>
    tree.readText(posix.normalize(posix.join(content, path)));
  const found = pagesIn(preset, { paths, readText }, facts);
  const site = isPublicAddress(facts.siteUrl) ? facts.siteUrl : undefined;
  return {
    preset,
    content,
    because,
    ...found,
    ...(site === undefined ? {} : { siteUrl: site }),
    ...(site === undefined || facts.servesContent !== true ? {} : { assetsBaseUrl: site }),
    ...(withoutLayout === undefined ? {} : { generator: withoutLayout.generator }),
    exclude: facts.exclude ?? [],
  };
}

function asideOf(
  tree: RepositoryTree,
  { content }: Recognised,
): readonly { readonly folder: string; readonly pages: number }[] {
  if (content === '.') return [];
  const counts = new Map<string, number>();
  for (const path of tree.paths) {
    if (!PAGE.test(path) || NO_PAGE.test(path) || isBelow(path, content)) continue;
    const folder = path.includes('/') ? path.split('/').slice(0, -1).slice(0, 2).join('/') : '.';
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .map(([folder, pages]) => ({ folder, pages }))
    .sort((a, b) => b.pages - a.pages || (a.folder < b.folder ? -1 : 1));
}
