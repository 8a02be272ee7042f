import { digestOfBytes, digestOfText } from '../../model/digest.ts';
import { keyOf } from '../../model/key.ts';
import { READER_VERSION, memoryCache, openCache } from './readings.ts';
import type { Cache, FileReading, ReadingMemory } from './readings.ts';
import type { FileTrace } from './traces.ts';
import type { PlacedFile } from './listing.ts';
import type { Looks } from './looks.ts';
import type { Report } from '../corpus/checks.ts';
import { FILE_BYTES_MAX, fileSystemNowMs, readStable } from '../files/disk.ts';
import type { FileStamp } from '../files/disk.ts';
import type { TreeFile } from '../files/tree.ts';
import { sourceDocument } from '../document/document.ts';
import { RENDERER } from '../markdown/markdown.ts';
import type { DocumentOptions } from '../document/fields.ts';
import type { ContentOptions, LeftOut } from '../options.ts';
import { SANITISER } from '../markdown/sanitise.ts';
import type { SourceFile, UnreadFile } from '../corpus/corpus.ts';
import { START, sourceText } from '../source-text.ts';

export type ReadOptions = ContentOptions & Pick<DocumentOptions, 'dialect'>;

interface ReadContent {
  readonly files: readonly SourceFile[];
  /** Files that make no record because of an error. */
  readonly unread: readonly UnreadFile[];
  /** Pages that their own generator would not publish either, as their front matter says. */
  readonly leftOut: readonly LeftOut[];
  /** By path; undefined if some file left none, or no cache is kept. */
  readonly traces: ReadonlyMap<string, FileTrace> | undefined;
}

/** Reads every document, from the cache where its stamp is unchanged; problems go to `report`. */
export function readFiles(
  placed: readonly PlacedFile[],
  options: ReadOptions & { readonly memory: ReadingMemory | undefined; readonly looks: Looks | undefined },
  shown: string,
  report: Report,
): ReadContent {
  const cache = cacheOf(options, options.memory);
  const files: SourceFile[] = [];
  const unread: UnreadFile[] = [];
  const leftOut: LeftOut[] = [];
  const paths = new Set<string>();
  const traces = new Map<string, FileTrace>();
  if (cache?.knowsFiles !== true) options.onColdRead?.();
  for (const { file, place, stamp, placeKey } of placed) {
    if (place.role !== 'document') continue;
    paths.add(file.path);
    const reading = readingOf(file, place, options, { cache, stamp, placeKey, looks: options.looks });
    const trace = cache?.trace(file.path);
    if (trace !== undefined) traces.set(file.path, trace);
    const { document, problems } = reading;
    const shownPath = `${shown}${file.path}`;
    for (const { spot, ...problem } of problems) report({ file: shownPath, ...spot }, problem);
    if (reading.leftOut !== undefined) leftOut.push({ file: shownPath, reason: reading.leftOut });
    if (document === undefined && reading.leftOut === undefined) {
      const key = keyOf(place.kind, place.path, place.lang);
      unread.push({ path: file.path, shown: shownPath, place, key, slug: reading.slug ?? place.defaultSlug });
    }
    if (document === undefined) continue;
    const key = keyOf(place.kind, document.translationKey ?? place.path, place.lang);
    files.push({ path: file.path, diskPath: file.diskPath, shown: shownPath, place, document, key });
  }
  cache?.save(paths);
  return { files, unread, leftOut, traces: traces.size === paths.size && cache ? traces : undefined };
}

interface Cached {
  readonly cache: Cache<FileReading> | undefined;
  readonly stamp: FileStamp | undefined;
  readonly placeKey: string;
  readonly looks: Looks | undefined;
}

function readingOf(
  file: TreeFile,
  place: SourceFile['place'],
  options: ReadOptions,
  { cache, stamp, placeKey, looks }: Cached,
): FileReading {
  const known = stamp === undefined ? undefined : cache?.get(file.path, stamp, placeKey);
  if (known !== undefined) return known;
  const fresh = freshReading(
    file,
    place,
    options,
    looks,
    cache && ((digest) => cache.ofContent(file.path, digest, placeKey)),
  );
  const { reading, digest } = fresh;
  if (fresh.stamp !== undefined) cache?.put(file.path, { stamp: fresh.stamp, placeKey, digest }, reading);
  else if (fresh.passing !== undefined && digest !== undefined) cache?.pass(file.path, fresh.passing, digest);
  return reading;
}

interface FreshReading {
  readonly reading: FileReading;
  /** Undefined: the reading is good for this run only. */
  readonly stamp?: FileStamp;
  readonly digest?: string;
  /** Of a file that takes texts from others: its own stamp says too little. */
  readonly passing?: FileStamp;
}

/** Reads a file, whatever its stamp is. `known`: what is known of the same bytes. */
export function freshReading(
  file: TreeFile,
  place: SourceFile['place'],
  options: ReadOptions,
  looks: Looks | undefined,
  known?: (digest: string) => FileReading | undefined,
): FreshReading {
  const draft = options.drafts?.get(file.path);
  const read = readStable(file.diskPath, draft);
  switch (read.state) {
    case 'unreadable':
      return { reading: { problems: [{ code: 'unreadable-file', reason: read.reason, spot: START }] } };
    case 'too-large': {
      const sizes = { unit: 'bytes', size: read.bytes, sizeMax: FILE_BYTES_MAX } as const;
      return { reading: { problems: [{ code: 'too-large', ...sizes, spot: START }] } };
    }
    case 'read': {
      const digest = known === undefined || draft !== undefined ? undefined : digestOfBytes(read.bytes);
      const same = digest === undefined ? undefined : known?.(digest);
      const of = { stamp: read.stamp, ...(digest === undefined ? {} : { digest }) };
      if (same !== undefined) return { reading: same, ...of };
      const { text, problems } = sourceText(read.bytes);
      if (text === undefined) return { reading: { problems }, ...(draft === undefined ? of : {}) };
      const readBefore = looks?.readBeside(file.path);
      const reading = sourceDocument(text, place, options);
      const standsOnOthers =
        reading.document?.hasIncludes === true || looks?.readBeside(file.path) !== readBefore;
      const slug = reading.document === undefined ? slugInText(text) : undefined;
      const whole = {
        reading: {
          ...reading,
          problems: [...problems, ...reading.problems],
          ...(slug === undefined ? {} : { slug }),
        },
      };
      if (draft !== undefined) return whole;
      const { stamp, ...told } = of;
      return { ...whole, ...told, ...(standsOnOthers ? { passing: stamp } : { stamp }) };
    }
  }
}

/** What a front matter says that cannot be read as a whole. */
function slugInText(text: string): string | undefined {
  const head = /^(?:---|\+\+\+)\n([\s\S]*?)\n(?:---|\+\+\+)/.exec(text)?.[1];
  return /^slug\s*[:=]\s*["']?([^\s"'#/?]+)/m.exec(head ?? '')?.[1];
}

function cacheOf(options: ReadOptions, memory: ReadingMemory | undefined): Cache<FileReading> | undefined {
  const { cacheFile, fields, values, defaults, ignoreKeys, html, preset, languages } = options;
  const { components, dialect, timezone } = options;
  if (cacheFile === undefined) return undefined;
  const nowMs = (): number | undefined => fileSystemNowMs(cacheFile);
  if (memory !== undefined) return memoryCache(memory, nowMs);
  const binding = digestOfText(
    JSON.stringify([
      READER_VERSION,
      RENDERER,
      SANITISER,
      {
        fields,
        values,
        defaults,
        ignoreKeys,
        html,
        preset,
        languages,
        components,
        timezone,
        dialect: dialect?.version,
        headingIds: dialect?.headingIds,
        extensions: dialect?.extensions,
      },
    ]),
  );
  return openCache(cacheFile, binding, nowMs);
}
