import { posix } from 'node:path';
import { navigation, recordPath } from '../pages/navigation.ts';
import type { NavigationItem } from '../pages/navigation.ts';
import { languageFinder } from '../pages/page-languages.ts';
import { pageDialect } from '../pages/page-dialect.ts';
import { humanName, pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { redirectsOf, withRedirects } from '../pages/redirected.ts';
import { sideFile, textsOf, valueAt } from '../pages/side-file.ts';
import { sourceList } from '../pages/site-redirects.ts';
import type { Foreign, Preset } from '../preset.ts';
import { pathOfAddress } from '../settings/site-settings.ts';
import { SYNTAX } from '../syntax/syntaxes.ts';

const INDEX = /^index$/;
const DOCUMENT = /\.mdx?$/i;

/**
 * Fern, `content: fern`: docs.yml and the files of products and versions that it names give titles, order and tree; what they do not
 * list, or list as `hidden: true`, is not published. Of several versions the first counts. Reference pages that Fern makes from an API definition are
 * no files.
 */
export function fernPreset(input: PresetInput): Preset {
  const { paths, readText } = input;
  const texts: string[] = [];
  const problems: Foreign['problems'][number][] = [];
  const read = (path: string): unknown => {
    const text = readText(path);
    if (text === undefined) return undefined;
    texts.push(text);
    const { value, problems: found } = sideFile(text);
    problems.push(...found.map((problem) => ({ path, problem })));
    return value;
  };
  const addresses = new Map<string, string[]>();
  const locked = new Set<string>();
  // With roles, what names no viewers is for those who are logged in.
  const settings = sideFile(readText('docs.yml') ?? '').value;
  const access = valueAt(settings, 'roles') === undefined ? 'public' : 'login';
  const items = site('docs.yml', { paths, read, depth: 0, addresses, above: [[]], access, locked });
  const find = languageFinder(paths, input, { hasFolders: false, hasSuffixes: false });
  const tree = navigation(items, {
    pathOf: (file) => recordPath({ rest: file }, INDEX),
    original: ({ file }) => file,
    hasTitles: true,
  });
  const preset = pagePreset(
    {
      name: 'fern',
      tree: {
        documents: DOCUMENT,
        sideFiles: /\.ya?ml$/,
        inLanguage: find,
        index: INDEX,
        isMdx: () => true,
        meta: tree.meta,
        leftOut: ({ file }) =>
          items.length + locked.size === 0 || tree.has(file) || locked.has(file)
            ? undefined
            : 'docs.yml does not list it, so Fern does not publish it',
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [],
        publicFolders: [],
        basePath: basePath(valueAt(settings, 'instances')),
        permalinks: (file) => addresses.get(file) ?? [],
      },
      fileFor: (_, path) => `${path === '' ? 'index' : path}.mdx`,
      folder: tree.folder,
      moved: sourceList(valueAt(read('docs.yml'), 'redirects'), {
        file: 'docs.yml',
        text: readText('docs.yml') ?? '',
      }),
      sideFiles: texts.join('\n'),
      problems,
      dialect: pageDialect('fern 4', SYNTAX.mintlify, {
        fields: {
          excerpt: ['description', 'subtitle'],
          hideFromSearch: ['noindex', 'hidden', 'hideFromSearch'],
        },
        addressKeys: ['slug'],
        publication: ({ place }) =>
          place.file !== undefined && locked.has(place.file) ? { lockedBy: '`viewers` of docs.yml' } : {},
      }),
    },
    input,
  );
  return withRedirects(preset, redirectsOf(valueAt(settings, 'redirects'), 'source', 'destination'));
}

interface FernSite {
  readonly paths: readonly string[];
  readonly read: (path: string) => unknown;
  readonly depth: number;
  /** File → its addresses on the site. */
  readonly addresses: Map<string, string[]>;
  /** Parts of addresses above these pages; a default version is shown with and without its own. */
  readonly above: readonly (readonly string[])[];
  /** Who may see what names no viewers of its own. */
  readonly access: Access;
  /** Files that not everybody may see. */
  readonly locked: Set<string>;
}

type Access = 'public' | 'login' | 'roles';

/**
 * `viewers` of an entry: what is public names `everyone`, and nothing below an entry for other roles is
 * (https://buildwithfern.com/learn/docs/authentication/features/rbac).
 */
function accessTo(entry: unknown, above: Access): Access {
  const viewers = valueAt(entry, 'viewers');
  if (above === 'roles' || viewers === undefined) return above;
  return textsOf(viewers).includes('everyone') ? 'public' : 'roles';
}

/** A settings file names further ones; three levels are products, their versions and no more. */
const DEPTH_MAX = 3;

function site(path: string, input: FernSite): readonly NavigationItem[] {
  if (input.depth > DEPTH_MAX) return [];
  const value = input.read(path);
  const other = (
    entry: unknown,
    isVersion: boolean,
    { above, access }: Pick<FernSite, 'above' | 'access'> = input,
  ): readonly NavigationItem[] => {
    const its = valueAt(entry, 'path');
    const below = withPart(above, entry, valueAt(entry, 'display-name'));
    const deeper = {
      ...input,
      depth: input.depth + 1,
      above: isVersion ? [...above, ...below] : below,
      access: accessTo(entry, access),
    };
    return typeof its === 'string' ? site(beside(path, its), deeper) : [];
  };
  const products = valueAt(value, 'products');
  const versions = valueAt(value, 'versions');
  if (Array.isArray(products))
    return products.flatMap((entry) => {
      const title = valueAt(entry, 'display-name');
      const its = valueAt(entry, 'versions');
      const items = Array.isArray(its)
        ? other(its[0], true, {
            above: withPart(input.above, entry, title),
            access: accessTo(entry, input.access),
          })
        : other(entry, false);
      return items.length === 0 ? [] : [{ title: typeof title === 'string' ? title : undefined, items }];
    });
  if (Array.isArray(versions)) return other(versions[0], true);
  return entries(valueAt(value, 'navigation'), { ...input, path, tabs: valueAt(value, 'tabs') });
}

interface NavigationPlace extends Pick<FernSite, 'paths' | 'addresses' | 'above' | 'access' | 'locked'> {
  readonly path: string;
  readonly tabs: unknown;
}

function entries(value: unknown, place: NavigationPlace): readonly NavigationItem[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown): readonly NavigationItem[] => {
    if (valueAt(entry, 'hidden') === true) return [];
    const text = (key: string): string | undefined => {
      const found = valueAt(entry, key);
      return typeof found === 'string' ? found : undefined;
    };
    const said = text('path');
    const file = said === undefined ? undefined : listed(beside(place.path, said), place.paths);
    const section = text('section');
    const page = text('page');
    const above = withPart(place.above, entry, page ?? section);
    if (file !== undefined)
      place.addresses.set(file, [
        ...(place.addresses.get(file) ?? []),
        ...above.map((parts) => `/${parts.join('/')}`),
      ]);
    const access = accessTo(entry, place.access);
    const open = access === 'public' ? file : undefined;
    if (file !== undefined && open === undefined) place.locked.add(file);
    if (page !== undefined) return open === undefined ? [] : [{ title: page, file: open }];
    if (section !== undefined) {
      const items = entries(valueAt(entry, 'contents'), { ...place, above, access });
      return isEmpty(access, open, items) ? [] : [{ title: section, file: open, items }];
    }
    const tab = text('tab');
    if (tab !== undefined) {
      const said = valueAt(place.tabs, tab);
      const name = valueAt(said, 'display-name');
      const title = typeof name === 'string' ? name : tab;
      const below = { ...place, above: withPart(place.above, said, title), access: accessTo(said, access) };
      const items = entries(valueAt(entry, 'layout'), below);
      return isEmpty(below.access, undefined, items) ? [] : [{ title, items }];
    }
    const folder = text('folder');
    if (folder !== undefined) {
      const below = beside(place.path, folder);
      if (access !== 'public') {
        for (const path of place.paths) if (path.startsWith(`${below}/`)) place.locked.add(path);
        return [];
      }
      return [{ title: text('title') ?? humanName(below), items: folderItems(below, place.paths) }];
    }
    return [];
  });
}

/** Only for some readers, with nothing in it for all. */
function isEmpty(access: Access, file: string | undefined, items: readonly NavigationItem[]): boolean {
  return access !== 'public' && file === undefined && items.length === 0;
}

/** One part more: `slug`, else the title in small letters, none with `skip-slug`. */
function withPart(above: FernSite['above'], entry: unknown, title: unknown): FernSite['above'] {
  if (valueAt(entry, 'skip-slug') === true) return above;
  const said = valueAt(entry, 'slug');
  const slug =
    typeof said === 'string'
      ? said.replaceAll(/^\/+|(?<!\/)\/+$/g, '')
      : kebab(typeof title === 'string' ? title : '');
  return above.map((parts) => (slug === '' ? parts : [...parts, ...slug.split('/')]));
}

/** `Swap with 0xAPI` → `swap-with-0-x-api`: words end where letters become digits or capitals. */
function kebab(title: string): string {
  const words = title.replaceAll(/['’]/g, '').match(WORDS) ?? [];
  return words.join('-').toLowerCase();
}

const WORDS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[\p{Lo}\p{Lm}\p{M}]+/gu;

/** The path of the address that the site has: `example.com/docs`. */
function basePath(instances: unknown): string | undefined {
  const [first]: readonly unknown[] = Array.isArray(instances) ? instances : [];
  const address = valueAt(first, 'custom-domain') ?? valueAt(first, 'url');
  return typeof address === 'string'
    ? pathOfAddress(`https://${address.replace(/^https?:\/\//, '')}`)
    : undefined;
}

/** The pages of a folder, by name, its folders as sections. */
function folderItems(folder: string, paths: readonly string[]): readonly NavigationItem[] {
  const inside = paths.filter((path) => path.startsWith(`${folder}/`) && DOCUMENT.test(path));
  const names = [...new Set(inside.map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))].sort();
  return names.map((name) =>
    DOCUMENT.test(name)
      ? { file: `${folder}/${name}` }
      : { title: humanName(name), items: folderItems(`${folder}/${name}`, paths) },
  );
}

function beside(path: string, written: string): string {
  return posix.join(posix.dirname(path), written).replace(/\/$/, '');
}

function listed(path: string, paths: readonly string[]): string | undefined {
  return paths.includes(path) ? path : undefined;
}
