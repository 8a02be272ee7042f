import { digestOfText } from '../model/digest.ts';
import { keyOf } from '../model/key.ts';
import { memoryCache, openCache } from './cache.ts';
import type { ContentCache, FileReading } from './cache.ts';
import type { Report } from './checks.ts';
import { FILE_BYTES_MAX, fileSystemNowMs, readStable } from './disk.ts';
import type { FileStamp, TreeFile } from './disk.ts';
import { sourceDocument } from './document.ts';
import { RENDERER } from './markdown.ts';
import type { DocumentOptions } from './read-fields.ts';
import type { ContentOptions } from './options.ts';
import type { Placement } from './presets/preset.ts';
import { SANITISER } from './sanitize.ts';
import type { SourceFile } from './source-file.ts';
import { START, sourceText } from './source-text.ts';

/** Changes whenever the reading of one file may give another result. */
export const READER_VERSION = 3;

export type ReadOptions = ContentOptions & Pick<DocumentOptions, 'dialect'>;

/** A file of the tree with its role. */
export interface PlacedFile {
  readonly file: TreeFile;
  readonly place: Placement;
  /** Only of documents, and only where a cache is kept. */
  readonly stamp: FileStamp | undefined;
}

/** Reads every document, from the cache where its stamp is unchanged; problems go to `report`. */
export function readFiles(
  placed: readonly PlacedFile[],
  options: ReadOptions,
  shown: string,
  report: Report,
): { readonly files: readonly SourceFile[]; readonly isSettled: boolean } {
  const cache = cacheOf(options);
  const files: SourceFile[] = [];
  const paths = new Set<string>();
  for (const { file, place, stamp } of placed) {
    if (place.role !== 'document') continue;
    paths.add(file.path);
    const { document, problems } = readingOf(file, place, options, { cache, stamp });
    const shownPath = `${shown}${file.path}`;
    for (const { spot, ...problem } of problems) report({ file: shownPath, ...spot }, problem);
    if (document === undefined) continue;
    const key = keyOf(place.kind, document.translationKey ?? place.path, place.lang);
    files.push({ path: file.path, diskPath: file.diskPath, shown: shownPath, place, document, key });
  }
  return { files, isSettled: cache?.save(paths) ?? false };
}

/** What the stamp of a preset's file says besides the file's own state. */
function placeOf(stamp: FileStamp | undefined): string {
  const space = stamp?.text.indexOf(' ') ?? -1;
  return space < 0 ? '' : (stamp?.text.slice(space) ?? '');
}

interface Cached {
  readonly cache: ContentCache | undefined;
  readonly stamp: FileStamp | undefined;
}

function readingOf(
  file: TreeFile,
  place: SourceFile['place'],
  options: ReadOptions,
  { cache, stamp }: Cached,
): FileReading {
  const known = stamp === undefined ? undefined : cache?.get(file.path, stamp);
  if (known !== undefined) return known;
  const { reading, stamp: readStamp } = freshReading(file, place, options);
  if (readStamp !== undefined)
    cache?.put(file.path, { ...readStamp, text: `${readStamp.text}${placeOf(stamp)}` }, reading);
  return reading;
}

function freshReading(
  file: TreeFile,
  place: SourceFile['place'],
  options: ReadOptions,
): { readonly reading: FileReading; readonly stamp?: FileStamp } {
  const read = readStable(file.diskPath);
  switch (read.state) {
    case 'unreadable':
      return { reading: { problems: [{ code: 'unreadable-file', reason: read.reason, spot: START }] } };
    case 'too-large': {
      const sizes = { unit: 'bytes', size: read.bytes, sizeMax: FILE_BYTES_MAX } as const;
      return { reading: { problems: [{ code: 'too-large', ...sizes, spot: START }] } };
    }
    case 'read': {
      const { text, problems } = sourceText(read.bytes);
      if (text === undefined) return { reading: { problems }, stamp: read.stamp };
      const reading = sourceDocument(text, place, options);
      return {
        reading: { ...reading, problems: [...problems, ...reading.problems] },
        stamp: read.stamp,
      };
    }
  }
}

function cacheOf(options: ReadOptions): ContentCache | undefined {
  const { cacheFile, memory, fields, defaults, ignoreKeys, html, preset, languages } = options;
  const { components, dialect } = options;
  if (cacheFile === undefined) return undefined;
  const nowMs = (): number | undefined => fileSystemNowMs(cacheFile);
  if (memory !== undefined) return memoryCache(memory, nowMs);
  const binding = digestOfText(
    JSON.stringify([
      READER_VERSION,
      RENDERER,
      SANITISER,
      { fields, defaults, ignoreKeys, html, preset, languages, components, dialect: dialect?.version },
    ]),
  );
  return openCache(cacheFile, binding, nowMs);
}
