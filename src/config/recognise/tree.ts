import { join } from 'node:path';
import { FILE_BYTES_MAX } from '../../content/files/disk.ts';
import type { Files } from '../../machine/machine.ts';

/** Where `init` looks. */
export interface Folders {
  /** Absolute. */
  readonly cwd: string;
  readonly files: Pick<Files, 'list' | 'readMet'>;
}

/** A repository as `init` sees it. Paths are relative to the working directory. */
export interface RepositoryTree {
  /** Files, in the order of the disk. */
  readonly paths: readonly string[];
  readonly folders: ReadonlySet<string>;
  /** Folders of packages and builds that hold pages; nothing in them is among the files. */
  readonly others: readonly string[];
  /** The text of a small file that `load` has read before. */
  readonly readText: (path: string) => string | undefined;
  readonly load: (paths: readonly string[]) => Promise<void>;
}

const DEPTH_MAX = 64;
/** Other people's packages, and what builds leave behind. */
const OTHERS =
  /^(?:node_modules|bower_components|venv|__pycache__|site-packages|_site|[\w.-]+\.(?:egg|dist)-info)\/$/;
/** The same beside code; elsewhere a folder of pages may have such a name (`docs/build`). */
const OTHERS_BESIDE_CODE = /^(?:vendor|dist|build|target)\/$/;
/** Files that show that a folder holds code. */
const MANIFEST =
  /^(?:package\.json|composer\.json|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|pyproject\.toml|setup\.(?:py|cfg)|Gemfile|Makefile|CMakeLists\.txt)$/;
/** How many entries of such a folder are looked at for a page. */
const LOOKED_AT_MAX = 2000;
const PAGE = /\.(?:md(?:x|oc)?|markdown)$/i;
/** Hidden names that show which generator a repository uses. */
const MARKED =
  /^\.(?:vitepress\/|vuepress\/|config\/|obsidian\/|gitbook\.ya?ml|eleventy\.[cm]?js|(?:dumi|umi)rc\.[jt]s|openpublishing\.publish\.config\.json)$/;

/** All files here, hidden names and other people's packages left out. */
export async function repositoryTree(world: Folders): Promise<RepositoryTree> {
  const paths: string[] = [];
  const folders = new Set<string>();
  const others: string[] = [];
  const walk = async (folder: string, depth: number): Promise<void> => {
    const names = (await world.files.list(join(world.cwd, folder))) ?? [];
    const isCode = folder === '' || names.some((name) => MANIFEST.test(name));
    for (const name of names) {
      if (name.startsWith('.') && !MARKED.test(name)) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (OTHERS.test(name) || (isCode && OTHERS_BESIDE_CODE.test(name))) {
        // The reader of the content passes these by itself.
        if (name !== 'node_modules/' && (await holdsPage(path.slice(0, -1), world)))
          others.push(path.slice(0, -1));
        continue;
      }
      if (!name.endsWith('/')) {
        paths.push(path);
        continue;
      }
      const inner = path.slice(0, -1);
      folders.add(inner);
      if (depth < DEPTH_MAX) await walk(inner, depth + 1);
    }
  };
  await walk('', 0);
  const texts = new Map<string, string>();
  return {
    paths,
    folders,
    others,
    readText: (path) => texts.get(path),
    load: async (wanted) => {
      for (const path of wanted) {
        if (texts.has(path)) continue;
        const text = await world.files.readMet(join(world.cwd, path), FILE_BYTES_MAX);
        if (text !== undefined) texts.set(path, text);
      }
    },
  };
}

async function holdsPage(folder: string, world: Folders): Promise<boolean> {
  const open = [folder];
  let looked = 0;
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    for (const name of (await world.files.list(join(world.cwd, next))) ?? []) {
      looked += 1;
      if (PAGE.test(name)) return true;
      if (name.endsWith('/') && !name.startsWith('.') && name !== 'node_modules/')
        open.push(`${next}/${name.slice(0, -1)}`);
    }
    if (looked > LOOKED_AT_MAX) return true;
  }
  return false;
}
