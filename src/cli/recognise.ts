import { join, resolve } from 'node:path';
import type { PresetName } from '../content/options.ts';
import { presetFor } from '../content/presets/preset-for.ts';
import type { World } from './world.ts';

/** A repository of a site generator, as its files show it. */
export interface Recognised {
  readonly preset: PresetName;
  /** Relative to the working directory. */
  readonly content: string;
  /** The file or folder that says so. */
  readonly because: string;
  readonly defaultLanguage: string;
  /** Folders or suffixes, the default language first. */
  readonly languages: readonly string[];
}

interface Marker {
  readonly preset: PresetName;
  /** Names in the folder that is looked at; a `/` ends a folder's. */
  readonly name: RegExp;
  /** Where the content lies then, in order of preference; the first that exists. */
  readonly contents: readonly string[];
  /** The default language in the marker's text. */
  readonly language?: RegExp;
}

const MARKERS: readonly Marker[] = [
  {
    preset: 'docusaurus',
    name: /^docusaurus\.config\.[cm]?[jt]s$/,
    contents: ['docs', '.'],
    language: /defaultLocale:\s*['"]([\w-]+)['"]/,
  },
  {
    preset: 'astro',
    name: /^astro\.config\.[cm]?[jt]s$/,
    contents: ['src/content/docs'],
    language: /defaultLocale:\s*['"](?!root)([\w-]+)['"]/,
  },
  { preset: 'vitepress', name: /^\.vitepress\/$/, contents: ['.'] },
  {
    preset: 'mkdocs',
    name: /^mkdocs\.ya?ml$/,
    contents: ['docs'],
    language: /^\s+language:\s*['"]?([\w-]+)/m,
  },
  {
    preset: 'hugo',
    name: /^(?:hugo\.(?:toml|ya?ml|json)|config\.toml)$/,
    contents: ['content'],
    language: /defaultContentLanguage['"]?\s*[=:]\s*['"]?([\w-]+)/i,
  },
  { preset: 'jekyll', name: /^_config\.ya?ml$/, contents: ['.'], language: /^lang:\s*['"]?([\w-]+)/m },
];

/** Folders in which the generator of a bigger repository is looked for. */
const ROOTS = ['.', 'docs', 'website', 'site'];

/** Enough to see which languages there are. */
const PATHS_MAX = 5000;
const DEPTH_MAX = 8;

/** The generator whose settings lie here; undefined when none is known. `content`: where the flag says the content is. */
export async function recognise(content: string | undefined, world: World): Promise<Recognised | undefined> {
  for (const root of ROOTS) {
    const names = await world.files.list(resolve(world.cwd, root));
    for (const marker of names === undefined ? [] : MARKERS) {
      const name = names?.find((entry) => marker.name.test(entry));
      if (name === undefined) continue;
      const folder = content ?? (await firstFolder(root, marker, world));
      if (folder === undefined) continue;
      const text = name.endsWith('/')
        ? ''
        : ((await world.files.readText(resolve(world.cwd, root, name))) ?? '');
      const said = marker.language?.exec(text)?.[1];
      return { ...(await languagesIn(marker.preset, folder, said, world)), because: join(root, name) };
    }
  }
  return undefined;
}

/** Markdown without a generator, with or without languages; undefined where there is none. */
export async function recognisePlain(
  folders: readonly string[],
  world: World,
): Promise<Recognised | undefined> {
  for (const content of folders) {
    const paths = await pathsIn(resolve(world.cwd, content), world);
    const pages = paths.filter((path) => /\.(?:md|markdown)$/i.test(path));
    if (pages.length === 0) continue;
    const found = await languagesIn('plain', content, undefined, world);
    if (found.hasDocuments) return { ...found, because: join(content, pages[0] ?? '') };
  }
  return undefined;
}

/** What repositories of any kind have beside their documentation. */
const NO_PAGE =
  /(?:^|\/)(?:readme|changelog|contributing|code_of_conduct|security|license|index)\.(?:md|markdown)$/i;

/** Folders here that hold pages, those with most first; a few words beside code are none. */
export async function foldersWithPages(
  world: World,
): Promise<readonly { readonly name: string; readonly pages: number }[]> {
  const names = (await world.files.list(world.cwd)) ?? [];
  const found: { readonly name: string; readonly pages: number }[] = [];
  for (const entry of names) {
    const isOthers = entry.startsWith('.') || entry === 'node_modules/' || entry === 'vendor/';
    if (!entry.endsWith('/') || isOthers) continue;
    const name = entry.slice(0, -1);
    const paths = await pathsIn(resolve(world.cwd, name), world);
    const pages = paths.filter((path) => /\.(?:md|markdown)$/i.test(path) && !NO_PAGE.test(path)).length;
    if (pages >= PAGES_MIN) found.push({ name, pages });
  }
  return found.sort((a, b) => b.pages - a.pages);
}

const PAGES_MIN = 2;

async function firstFolder(
  root: string,
  { contents, preset }: Marker,
  world: World,
): Promise<string | undefined> {
  for (const name of contents) {
    const names = await world.files.list(resolve(world.cwd, root, name));
    // Docusaurus keeps its translations beside `docs`: the content is the folder of both.
    if (names !== undefined) return join(root, preset === 'docusaurus' ? '.' : name);
  }
  return undefined;
}

async function languagesIn(preset: PresetName, content: string, said: string | undefined, world: World) {
  const paths = await pathsIn(resolve(world.cwd, content), world);
  const languagesFor = (defaultLanguage: string): readonly string[] => {
    const layout = presetFor(
      { preset, defaultLanguage, languages: {} },
      { paths, readText: () => undefined },
    );
    const found = new Set<string>();
    for (const path of paths) {
      const place = layout.place(path);
      if (place.role === 'document') found.add(place.languageFolder);
    }
    return [...found].sort();
  };
  let defaultLanguage = said ?? 'en';
  let languages = languagesFor(defaultLanguage);
  if (said === undefined && languages.length === 1 && languages[0] === 'en') {
    // A repository all of whose pages are in folders or suffixes of other languages has one of them for its default.
    const other = paths
      .map((path) => /^([a-z]{2})\/|\.([a-z]{2})\.md$/.exec(path))
      .map((match) => match?.[1] ?? match?.[2]);
    const [only] = new Set(other.filter((code) => code !== undefined));
    if (only !== undefined && other.every((code) => code !== undefined)) {
      const others = languagesFor(only);
      if (others.length > 0 && !others.includes('en')) [defaultLanguage, languages] = [only, others];
    }
  }
  const first = (name: string): number => Number(name === defaultLanguage);
  return {
    preset,
    content,
    defaultLanguage,
    hasDocuments: languages.length > 0,
    languages:
      languages.length === 0 ? [defaultLanguage] : [...languages].sort((a, b) => first(b) - first(a)),
  };
}

/** Files below a folder, as far as it takes to know it; hidden names and other people's packages left out. */
async function pathsIn(folder: string, world: World): Promise<readonly string[]> {
  const paths: string[] = [];
  const walk = async (below: string, depth: number): Promise<void> => {
    for (const name of (await world.files.list(join(folder, below))) ?? []) {
      if (paths.length >= PATHS_MAX) return;
      if (name.startsWith('.') || name === 'node_modules/') continue;
      const path = below === '' ? name : `${below}/${name}`;
      if (!name.endsWith('/')) paths.push(path);
      else if (depth < DEPTH_MAX) await walk(path.slice(0, -1), depth + 1);
    }
  };
  await walk('', 0);
  return paths;
}
