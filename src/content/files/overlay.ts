import type { ContentFolder } from './folder.ts';

/** A folder as it would be: what is written stays in memory, in `written`. */
export function overlayFolder(
  below: ContentFolder,
): ContentFolder & { readonly written: ReadonlyMap<string, string | Uint8Array> } {
  const written = new Map<string, string | Uint8Array>();
  const read = (path: string): string | undefined => {
    const own = written.get(path);
    return typeof own === 'string' ? own : own === undefined ? below.read(path) : undefined;
  };
  const has = (path: string): boolean => written.has(path) || below.has(path);
  return {
    written,
    read,
    has,
    create: (path, content) => {
      if (path.split('/').some((part) => part === '' || part === '.' || part === '..') || path.includes('\\'))
        return 'the path leads out of the content folder';
      if (has(path)) return 'a file or folder of this name exists already';
      written.set(path, content);
      return undefined;
    },
    replace: (path, before, text) => {
      if (read(path) !== before) return 'the file changed while kbsync compared it';
      written.set(path, text);
      return undefined;
    },
  };
}
