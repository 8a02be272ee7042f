import { once } from '../../model/once.ts';
import { fileSystemNowMs } from '../files/disk.ts';
import type { FileStamp } from '../files/disk.ts';
import type { ContentOptions } from '../options.ts';
import type { PresetName } from '../presets/names.ts';
import type { PresetInput } from '../presets/pages/page-preset.ts';
import { READER_VERSION, memoryCache, openCache } from './readings.ts';
import type { Cache, ReadingMemory } from './readings.ts';

interface Pages {
  /** undefined: the file is gone, or a draft stands for it. */
  readonly stampOf: (path: string) => FileStamp | undefined;
  readonly read: (path: string) => PageText;
}

interface PageText {
  readonly text: string | undefined;
  /** Of the file as it was read; undefined: no file was. */
  readonly told?: { readonly stamp: FileStamp };
}

interface PageFacts {
  readonly factOf: PresetInput['factOf'];
  /** When all pages were asked for. */
  readonly save: () => void;
}

/**
 * What a layout reads in all pages before it can say what they are, by the stamp of each file: a run in which nothing changed opens none.
 * Kept beside the readings and known as long as they are.
 */
export function pageFacts(
  { cacheFile, preset }: Pick<ContentOptions, 'cacheFile' | 'preset'>,
  memory: ReadingMemory | undefined,
  { stampOf, read }: Pages,
): PageFacts {
  const asked = new Set<string>();
  // Most layouts ask for nothing.
  const opened = once(() => (cacheFile === undefined ? undefined : factCache(cacheFile, preset, memory)));
  return {
    factOf: <Fact>(path: string, find: (text: string) => Fact): Fact | undefined => {
      const cache = opened();
      const stamp = cache === undefined ? undefined : stampOf(path);
      // The same layout of the same version found it: the cache is bound to both.
      const known = stamp === undefined ? undefined : (cache?.get(path, stamp, '') as Fact | undefined);
      if (stamp !== undefined) asked.add(path);
      if (known !== undefined) return known;
      const { text, told } = read(path);
      if (text === undefined) return undefined;
      const fact = find(text);
      if (stamp !== undefined && told !== undefined)
        cache?.put(path, { stamp: told.stamp, placeKey: '' }, fact);
      return fact;
    },
    save: () => {
      if (asked.size > 0) opened()?.save(asked);
    },
  };
}

function factCache(cacheFile: string, preset: PresetName, memory: ReadingMemory | undefined): Cache<unknown> {
  const nowMs = (): number | undefined => fileSystemNowMs(cacheFile);
  if (memory === undefined)
    return openCache(`${cacheFile}.pages`, `pages ${preset} ${READER_VERSION}`, nowMs);
  memory.pages ??= { entries: new Map() };
  return memoryCache(memory.pages, nowMs);
}
