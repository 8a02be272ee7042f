import { join } from 'node:path';
import type { Files } from '../../machine/machine.ts';

/** Where `init` looks. */
export interface Folders {
  /** Absolute. */
  readonly cwd: string;
  readonly files: Pick<Files, 'list' | 'readText'>;
}

/** A repository as `init` sees it. Paths are relative to the working directory. */
export interface RepositoryTree {
  /** Files, in the order of the disk. */
  readonly paths: readonly string[];
  readonly folders: ReadonlySet<string>;
  /** The text of a small file that `load` has read before. */
  readonly readText: (path: string) => string | undefined;
  readonly load: (paths: readonly string[]) => Promise<void>;
}

const DEPTH_MAX = 12;
/** Other people's packages, and what builds leave behind. */
const OTHERS = /^(?:node_modules|bower_components|vendor|venv|__pycache__|_site|dist|build|target)\/$/;
/** Hidden names that show which generator a repository uses. */
const MARKED =
  /^\.(?:vitepress\/|vuepress\/|obsidian\/|gitbook\.ya?ml|eleventy\.[cm]?js|(?:dumi|umi)rc\.[jt]s|openpublishing\.publish\.config\.json)$/;

/** All files here, hidden names and other people's packages left out. */
export async function repositoryTree(world: Folders): Promise<RepositoryTree> {
  const paths: string[] = [];
  const folders = new Set<string>();
  const walk = async (folder: string, depth: number): Promise<void> => {
    for (const name of (await world.files.list(join(world.cwd, folder))) ?? []) {
      if ((name.startsWith('.') && !MARKED.test(name)) || OTHERS.test(name)) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
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
    readText: (path) => texts.get(path),
    load: async (wanted) => {
      for (const path of wanted) {
        if (texts.has(path)) continue;
        const text = await world.files.readText(join(world.cwd, path));
        if (text !== undefined) texts.set(path, text);
      }
    },
  };
}
