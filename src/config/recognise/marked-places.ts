import { posix } from 'node:path';
import { isBelow, NO_PAGE, PAGE, pathsBelow } from './pages-in.ts';
import { MARKERS } from './markers.ts';
import type { Marker } from './markers.ts';
import { addressBeside } from './site-address.ts';
import { isPublicAddress, siteFacts } from './site-facts.ts';
import type { SiteFacts } from './site-facts.ts';
import type { RepositoryTree } from './tree.ts';
import { factsWithoutLayout } from './without-layout.ts';

/** How deep a generator's settings are looked for: `packages/site/src/docs/.vitepress`. */
export const LEVELS_MAX = 4;
/** A generator's settings, and where its content lies. */
export interface MarkedPlace {
  readonly marker: Pick<Marker, 'preset' | 'withoutLayout'>;
  /** The folder of the marker, `''`: here. */
  readonly root: string;
  readonly because: string;
  readonly content: string;
  readonly facts: SiteFacts;
}

/** Each place of the repository that a generator's settings mark. */
export function markedPlaces(tree: RepositoryTree): readonly MarkedPlace[] {
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
      const siteUrl = isPublicAddress(facts.siteUrl)
        ? facts.siteUrl
        : addressBeside(tree, { preset: marker.preset, root, content, facts });
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
export function isOtherNavigation(
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
export function isThemeOfBook(
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

/**
 * `ru/home.md` below `home.md`: each language of a site has the same mark, and those in folders belong to the site around them (Wiki.js:
 * https://docs.requarks.io/locales).
 */
export function isLanguageOfOther({ marker, content }: MarkedPlace, all: readonly MarkedPlace[]): boolean {
  if (!isCode(posix.basename(content))) return false;
  const around = posix.dirname(content);
  return all.some((other) => other.marker.preset === marker.preset && other.content === around);
}

/** `docs/en/mkdocs.yml` beside `docs/fr/mkdocs.yml` is one site in two languages; so is `config/en/mkdocs.yml` with `docs/en`. */
export function combined(places: readonly MarkedPlace[]): readonly MarkedPlace[] {
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
