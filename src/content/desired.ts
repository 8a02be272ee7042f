import { isAbsolute, join, relative, sep } from 'node:path';
import { assemble } from './assemble.ts';
import type { Listing } from './assemble.ts';
import { listTree, stampOf } from './disk.ts';
import type { ContentOptions, LoadedContent } from './options.ts';
import { kbsyncPreset } from './presets/kbsync.ts';
import type { Preset } from './presets/preset.ts';
import { resultCache } from './result-cache.ts';

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
  if (cacheFile === undefined || memory !== undefined) return assemble(listing, options);
  const results = resultCache(listing, options, cacheFile);
  let full: LoadedContent | undefined;
  const known = results.load(() => (full ??= assemble(listing, options)));
  const { digest } = results;
  if (known !== undefined) return { ...known, digest };
  const { isSettled, ...loaded } = assemble(listing, options);
  if (!isSettled) return loaded;
  results.save(loaded);
  return { ...loaded, digest };
}

function listingOf(options: ContentOptions): Listing {
  const root = isAbsolute(options.contentDir) ? options.contentDir : join(options.cwd, options.contentDir);
  const preset = presetOf(options);
  const tree = listTree(root);
  const isCached = options.cacheFile !== undefined;
  const placed = tree.files.map((file) => {
    const place = preset.place(file.path);
    return { file, place, stamp: isCached && place.role === 'document' ? stampOf(file.diskPath) : undefined };
  });
  const path = relative(options.cwd, root).split(sep).join('/');
  return { tree, placed, preset, shown: path === '' ? '' : `${path}/` };
}

function presetOf(options: ContentOptions): Preset {
  switch (options.preset) {
    case 'kbsync':
      return kbsyncPreset(options.languages);
  }
}
