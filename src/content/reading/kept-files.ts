import { createHash } from 'node:crypto';
import { join, relative, sep } from 'node:path';
import { digestOfBytes } from '../../model/digest.ts';
import { fileAddress, fileName } from '../../model/address/file-address.ts';
import type { LocalFile } from '../../model/record.ts';
import type { Uploaded } from '../options.ts';
import { fileSystemNowMs, readBytes, readPieces, realPath, stampOf } from '../files/disk.ts';
import { memoryCache, openCache, type Cache, type ReadingMemory } from './readings.ts';

/** The images and files that records show, for a service that keeps files. */
export interface KeptFiles {
  /** Where the service shows a file, by its path from the content folder; undefined: it is none that may be published. */
  readonly urlOf: (path: string) => string | undefined;
  /** By digest. */
  readonly files: ReadonlyMap<string, LocalFile>;
  /** What was looked at, for who keeps the outcome. */
  readonly seen: () => readonly SeenFile[];
  /** True when nothing that was looked at can have changed without a trace. */
  readonly save: () => boolean;
}

/** `file` undefined: nothing was there. */
export interface SeenFile {
  /** From the content folder: the next run may have it elsewhere. */
  readonly path: string;
  readonly file?: { readonly stamp: string; readonly digest: string; readonly bytes: number };
}

/** Larger files are not read: no service takes them. */
const BYTES_MAX = 200_000_000;

type Sized = readonly [digest: string, bytes: number];

/** `exists`: whether a path from `root` is in the repository. A file's bytes are read again only if its stamp is another one. */
export function keptFiles(
  {
    root,
    exists,
    uploaded,
  }: {
    readonly root: string;
    readonly exists: (path: string) => boolean;
    readonly uploaded?: Uploaded | undefined;
  },
  cacheFile: string | undefined,
  memory: ReadingMemory | undefined,
): KeptFiles {
  const cache = cacheFile === undefined ? undefined : cacheOf(cacheFile, memory);
  const known = new Map<string, string | undefined>();
  const files = new Map<string, LocalFile>();
  const seen = new Map<string, SeenFile>();
  const found = (path: string): string | undefined => {
    if (isHidden(path)) return undefined;
    const diskPath = join(root, path);
    const file = exists(path) && !leadsToHidden(diskPath, root) ? sizedFile(diskPath, cache) : undefined;
    seen.set(diskPath, { path, ...(file === undefined ? {} : { file }) });
    if (file === undefined) return undefined;
    const { digest, bytes } = file;
    const url = uploaded?.urls[digest];
    if (url !== undefined) return url;
    if (!files.has(digest)) files.set(digest, localFile({ path, diskPath }, { digest, bytes }, uploaded));
    return fileAddress(digest, path);
  };
  return {
    urlOf: (path) => {
      if (!known.has(path)) known.set(path, found(path));
      return known.get(path);
    },
    files,
    seen: () => [...seen.values()],
    save: () =>
      cache?.save(new Set([...seen].flatMap(([diskPath, { file }]) => (file ? [diskPath] : [])))) ?? false,
  };
}

/** The files of an earlier outcome; undefined: one of them is another by now. A file of another stamp is looked into. */
export function filesSeen(
  seen: readonly SeenFile[],
  root: string,
  uploaded: Uploaded | undefined,
): ReadonlyMap<string, LocalFile> | undefined {
  const files = new Map<string, LocalFile>();
  for (const { path, file } of seen) {
    const place = { path, diskPath: join(root, path) };
    const now = stampOf(place.diskPath)?.text;
    if (now !== file?.stamp && (now === undefined || file === undefined)) return undefined;
    if (now !== file?.stamp && sizedFile(place.diskPath, undefined)?.digest !== file?.digest)
      return undefined;
    if (file === undefined || files.has(file.digest) || uploaded?.urls[file.digest] !== undefined) continue;
    files.set(file.digest, localFile(place, file, uploaded));
  }
  return files;
}

const PICTURE = /\.(?:png|apng|jpe?g|gif|webp|avif|bmp|ico|svg)$/i;

/** `.env` and `.git/config` are in nobody's article on purpose; `.gitbook/assets/a.png` is. */
function isHidden(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '..' && part !== '.');
  if (parts.at(-1)?.startsWith('.') === true || parts.includes('.git')) return true;
  return parts.some((part) => part.startsWith('.')) && !PICTURE.test(path);
}

/** A link to a folder may lead to a hidden one. */
function leadsToHidden(diskPath: string, root: string): boolean {
  const real = realPath(diskPath);
  return (
    real === undefined ||
    isHidden(
      relative(realPath(root) ?? root, real)
        .split(sep)
        .join('/'),
    )
  );
}

function cacheOf(cacheFile: string, memory: ReadingMemory | undefined): Cache<Sized> {
  const nowMs = (): number | undefined => fileSystemNowMs(cacheFile);
  if (memory === undefined) return openCache(`${cacheFile}.files`, 'digests 2', nowMs);
  memory.files ??= { entries: new Map() };
  return memoryCache(memory.files, nowMs);
}

function sizedFile(diskPath: string, cache: Cache<Sized> | undefined): SeenFile['file'] {
  const stamp = stampOf(diskPath);
  const entry = stamp === undefined ? undefined : cache?.get(diskPath, stamp, '');
  if (entry !== undefined && stamp !== undefined) {
    const [digest, bytes] = entry;
    return { stamp: stamp.text, digest, bytes };
  }
  const hash = createHash('sha256');
  let bytes = 0;
  const read = readPieces(diskPath, BYTES_MAX, (piece) => {
    hash.update(piece);
    bytes += piece.length;
  });
  if (read === undefined) return undefined;
  const digest = hash.digest('hex');
  cache?.put(diskPath, { stamp: read, placeKey: '' }, [digest, bytes]);
  return { stamp: read.text, digest, bytes };
}

function localFile(
  { path, diskPath }: { readonly path: string; readonly diskPath: string },
  { digest, bytes }: { readonly digest: string; readonly bytes: number },
  uploaded: Uploaded | undefined,
): LocalFile {
  const waits =
    uploaded === undefined ? undefined : (uploaded.failures[digest] ?? 'it is not uploaded yet; run again');
  return {
    path,
    name: fileName(path),
    bytes,
    ...(waits === undefined ? {} : { withoutAddress: waits }),
    read: () => {
      const read = readBytes(diskPath, BYTES_MAX);
      const isSame = read !== undefined && digestOfBytes(read) === digest;
      return isSame ? read : undefined;
    },
  };
}
