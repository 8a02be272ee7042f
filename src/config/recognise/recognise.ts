import { posix } from 'node:path';
import { isBookLeftBehind, isBookWithoutSummary, namedSummaries } from './book-summary.ts';
import { contentsPage } from './contents-page.ts';
import type { ContentsPage } from './contents-page.ts';
import {
  combined,
  isLanguageOfOther,
  isOtherNavigation,
  isThemeOfBook,
  LEVELS_MAX,
  markedPlaces,
} from './marked-places.ts';
import type { MarkedPlace } from './marked-places.ts';
import { isBelow, NO_PAGE, PAGE, pagesIn, pathsBelow } from './pages-in.ts';
import type { Recognised, Wishes } from './recognised.ts';
import { isPublicAddress } from './site-facts.ts';
import { repositoryTree } from './tree.ts';
import { plainPages, unmarked } from './unmarked.ts';
import { spokenLanguage } from './spoken-language.ts';
import type { Folders, RepositoryTree } from './tree.ts';
import { newestFirst } from './versions.ts';
import { WITHOUT_LAYOUT } from './without-layout.ts';
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

/** Small files that layouts read besides the pages. */
const SIDE_FILE =
  /(?:^|\/)(?:CNAME|robots\.txt|package\.json|app\/(?:(?:\[[^/]+\]|\([^/]+\))\/)*layout\.[jt]sx?|index\.[Rr]md|mkdocs[\w.-]*\.ya?ml|properdocs\.ya?ml|zensical\.toml|_config\.ya?ml|(?:hugo|config|languages(?:\.[\w-]+)?|module|permalinks)\.(?:toml|ya?ml|json)|docusaurus\.config\.\w+|astro\.config\.\w+|(?:source|content|next|nuxt|vocs|eleventy|rspress|rstack)\.config\.\w+|\.eleventy\.[cm]?js|\.config\/docs\.\w+|[\w.-]+\.11tydata\.(?:json|[cm]?js)|\.eleventyignore|index\.html|home\.md|config\.[cm]?[jt]s|SUMMARY\.md|LANGS\.md|(?:book|docs|mint|fern\.config|docfx|meta)\.json|(?:toc|docs)\.yml|book\.toml|\.gitbook\.yaml|_sidebar\.md|_meta\.\w+|_(?:quarto|bookdown)\.ya?ml|conf\.py|(?:_toc|myst|retype)\.ya?ml|writerside\.cfg|project\.ihp|buildprofiles\.xml|config\.edn|\.openpublishing\.publish\.config\.json)$|(?:^|\/)\.(?:vitepress|vuepress)\/[^/]*(?:config|locale)|(?:^|\/)\.obsidian\/templates\.json$/;

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
  await tree.load(namedSummaries(tree));
  const leftBehind: MarkedPlace[] = [];
  const anywhere = markedPlaces(tree);
  for (const place of wishes.preset === undefined ? anywhere : [])
    if (await isBookLeftBehind(tree, place)) leftBehind.push(place);
  const marked = anywhere
    .filter((place) => !leftBehind.includes(place))
    .filter((place, _, all) => !isOtherNavigation(tree, place, all) && !isThemeOfBook(tree, place, all))
    .filter((place) => !isBookWithoutSummary(tree, place))
    // Docs of Starlight are more than the blog beside them.
    .filter(
      ({ root, marker }, _, all) =>
        marker.withoutLayout?.generator !== 'Astro' ||
        !all.some((other) => other.root === root && other.marker.preset === 'starlight'),
    )
    .filter(({ marker: { preset } }) => wishes.preset === undefined || preset === wishes.preset)
    .filter(({ content }) => wishes.content === undefined || isNear(wishes.content, content));
  const places = new Map<Recognised, MarkedPlace>();
  const sites = combined(marked).filter((place, _, all) => !isLanguageOfOther(place, all));
  const candidates: Recognised[] = [];
  for (const each of sites) {
    const place = { ...each, content: wishes.content ?? each.content };
    const candidate = await recognised(tree, place);
    places.set(candidate, place);
    candidates.push(candidate);
  }
  /** Its pages without those that another system here publishes. */
  const own = (outer: Recognised): number => {
    const inner = candidates.filter(
      ({ content, pages }) => pages > 0 && content !== outer.content && isBelow(content, outer.content),
    );
    const files = outer.files.map((file) => posix.join(outer.content, file));
    return files.filter((file) => !inner.some(({ content }) => isBelow(file, content))).length;
  };
  const byPages = candidates
    .filter(({ pages }) => pages > 0)
    .map((candidate) => ({ candidate, own: own(candidate) }))
    .sort(
      (a, b) =>
        Number(isTrial(a.candidate)) - Number(isTrial(b.candidate)) ||
        b.own - a.own ||
        a.candidate.content.length - b.candidate.content.length,
    )
    .map(({ candidate }) => candidate);
  const ranked = newestFirst(byPages);
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
  again: (defaultLanguage: string) => Promise<Recognised | undefined>,
): Promise<Recognised> {
  if (!/^en\b/.test(found.defaultLanguage)) return found;
  const isInFolder = found.files.some((path) => path.startsWith(`${found.defaultLanguage}/`));
  if (isInFolder && found.languages.length > 1) return found;
  const spoken = await spokenLanguage(tree, found.content, found.ownFiles);
  const read = spoken === undefined ? undefined : await again(spoken);
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

/** A content folder that somebody names belongs to the settings in it, above it, or whose content it is. */
function isNear(wanted: string, content: string): boolean {
  const plain = posix.normalize(wanted).replace(/\/$/, '');
  return plain === content || isBelow(plain, content);
}

async function recognised(
  tree: RepositoryTree,
  { marker: { preset, withoutLayout }, content, because, facts }: MarkedPlace,
): Promise<Recognised> {
  const paths = pathsBelow(tree, content);
  const readText = (path: string): string | undefined =>
    tree.readText(posix.normalize(posix.join(content, path)));
  const found = await pagesIn(preset, { paths, readText }, facts);
  const site = isPublicAddress(facts.siteUrl) ? facts.siteUrl : undefined;
  return {
    preset,
    content,
    because,
    ...found,
    ...(facts.name === undefined ? {} : { siteName: facts.name }),
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
