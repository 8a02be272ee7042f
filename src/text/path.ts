/** The folder that a path is in: `a/b/c` → `a/b`; `` for a path without a folder. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** All folders that a path is in, the outermost first: `a/b/c` → `a`, `a/b`. */
export function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
