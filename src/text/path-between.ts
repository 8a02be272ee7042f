import { posix } from 'node:path';

/**
 * The path from a folder to a file. Both start at one place, and may lead up from it. Node's `relative` starts at the working
 * directory: if that is near the root of the disk, paths that lead up end at the root, and the answer is another one.
 */
export function pathBetween(folder: string, file: string): string {
  return posix.relative(posix.join(DEEP, folder), posix.join(DEEP, file));
}

/** More folders than a path leads up. */
const DEEP = `/${'-/'.repeat(100)}`;
