import { isAbsolute, join, relative, sep } from 'node:path';
import { assemble } from './assemble.ts';
import type { Listing } from './assemble.ts';
import { listTree, readStable, stampOf } from './disk.ts';
import type { FileStamp } from './disk.ts';
import type { ContentOptions, LoadedContent } from './options.ts';
import { presetFor } from './presets/preset-for.ts';
import type { Placement } from './presets/preset.ts';
import { resultCache } from './result-cache.ts';
import { sourceText } from './source-text.ts';

/**
 * All files of the content folder as the records they want, and everything that is wrong with them, in one pass. Bodies
 * are rendered on demand: a run that finds nothing changed reads no unchanged file and renders nothing.
 *
 * Throws ContentError `no-content` when the folder is missing. A record's `render` throws ContentError `changed` when
 * its file is no longer what was read.
 */
export async function loadDesired(options: ContentOptions): Promise<LoadedContent> {
  const { cacheFile, memory } = options;
  const listing = listingOf(options);
  if (cacheFile === undefined || memory !== undefined) {
    const { state, problems } = assemble(listing, options);
    return { state, problems };
  }
  const results = resultCache(listing, options, cacheFile);
  let full: LoadedContent | undefined;
  const known = results.load(() => (full ??= assemble(listing, options)));
  const { digest } = results;
  if (known !== undefined) return { ...known, digest };
  const { isSettled, state, problems } = assemble(listing, options);
  const loaded: LoadedContent = { state, problems };
  if (!isSettled) return loaded;
  results.save(loaded);
  return { ...loaded, digest };
}

/** The content folder's files with their roles; nothing is read yet. @throws ContentError `no-content` */
export function listingOf(options: ContentOptions): Listing {
  const root = isAbsolute(options.contentDir) ? options.contentDir : join(options.cwd, options.contentDir);
  const tree = listTree(root);
  const preset = presetFor(options, {
    paths: tree.files.map((file) => file.path),
    readText: (file) => sideFile(join(root, file)),
  });
  const isCached = options.cacheFile !== undefined;
  const placed = tree.files.map((file) => {
    const place = preset.place(file.path);
    const stamp = isCached && place.role === 'document' ? stampOf(file.diskPath) : undefined;
    return { file, place, stamp: preset.foreign === undefined ? stamp : placedStamp(stamp, place) };
  });
  const path = relative(options.cwd, root).split(sep).join('/');
  return { tree, placed, preset, shown: path === '' ? '' : `${path}/` };
}

/** What other files are there may change what a file is; then what was read of it does not hold any more. */
function placedStamp(stamp: FileStamp | undefined, place: Placement): FileStamp | undefined {
  return stamp === undefined ? undefined : { ...stamp, text: `${stamp.text} ${JSON.stringify(place)}` };
}

/** Larger files beside the documents (navigations, settings) are a mistake. */
const SIDE_FILE_BYTES_MAX = 1_000_000;

function sideFile(file: string): string | undefined {
  const read = readStable(file);
  if (read.state !== 'read' || read.bytes.length > SIDE_FILE_BYTES_MAX) return undefined;
  return sourceText(read.bytes).text;
}
