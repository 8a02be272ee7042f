import { posix } from 'node:path';

/**
 * The path from a folder to a file, both from one place that is not named and that may lie above neither. Node's own `relative` counts from the working directory: in one near
 * the root of the disk, paths that lead up end at the root, so the answer would depend on where the program runs.
 */
export function pathBetween(folder: string, file: string): string {
  return posix.relative(posix.join(DEEP, folder), posix.join(DEEP, file));
}

/** More folders than a path leads up. */
const DEEP = `/${'-/'.repeat(100)}`;
