import { join } from 'node:path';
import { digestOfText } from '../model/digest.ts';
import type { Fields } from '../model/fields.ts';
import { isKind, parseKey } from '../model/key.ts';
import type { Key, Kind } from '../model/key.ts';
import { BaseError } from './base.ts';
import { explainedDisk } from './disk/explained-disk.ts';
import { replaceFile } from './disk/disk.ts';
import type { Disk } from './disk/disk.ts';
import { realDisk } from './disk/real-disk.ts';
import { damaged, jsonOf } from './state/state-text.ts';
import { show } from './state/record-text.ts';
import { isJsonObject, type JsonObject } from '../text/json-value.ts';

/** A record as it was just before it was deleted or overwritten. */
export interface PreImage {
  readonly key: Key;
  readonly kind: Kind;
  readonly id: string;
  readonly lang: string;
  readonly action: 'delete' | 'update';
  readonly fields: Fields;
  /** Names behind the ids in fields: ids change when a record is made again, names help to find them. */
  readonly labels: Readonly<Record<string, string>>;
  /** Wall clock, milliseconds. */
  readonly atMs: number;
}

export interface Trash {
  /** Durable when it resolves. A later image of the same key in the same run replaces the earlier one. */
  keep(run: string, image: PreImage): Promise<void>;
  /** Names of runs that kept something, sorted. */
  runs(): Promise<readonly string[]>;
  /** Images of a run by key, sorted; none for a run that is not there. Throws a BaseError `damaged` for one that is not as written. */
  images(run: string): Promise<readonly PreImage[]>;
}

/** The trash in a folder: `<folder>/<run>/<key>.json`. */
export function openTrash(folder: string, realOrOther: Disk = realDisk): Trash {
  const disk = explainedDisk(realOrOther);
  return {
    keep: async (run, image) => {
      if (!isRun(run)) throw new Error(`bug: ${show(run)} cannot name a run`);
      const directory = join(folder, run);
      await disk.makeDirectory(directory);
      await replaceFile(disk, join(directory, fileNameOf(image.key)), imageText(image), directory);
    },
    runs: async () => (await disk.list(folder)).filter(isRun),
    images: async (run) => {
      if (!isRun(run)) return [];
      const directory = join(folder, run);
      const names = (await disk.list(directory)).filter((name) => name.endsWith('.json'));
      const images: PreImage[] = [];
      for (const name of names) {
        const bytes = await disk.read(join(directory, name));
        if (bytes !== undefined) images.push(imageFrom(bytes, join(directory, name)));
      }
      return images.sort((a, b) => (a.key < b.key ? -1 : 1));
    },
  };
}

/** What may name a run: one path segment that is not hidden. */
export function isRun(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name);
}

/** One safe path segment: readable from the key's own letters, unique by its digest also where case is lost. */
export function fileNameOf(key: Key): string {
  const readable = key.replaceAll(/[^A-Za-z0-9@_-]+/g, '_').slice(0, 80);
  return `${readable}.${digestOfText(key)}.json`;
}

function imageText(image: PreImage): string {
  const text = JSON.stringify(image);
  return `${JSON.stringify({ kbsync: 'pre-image', format: 1, sum: digestOfText(text), image }, undefined, 2)}\n`;
}

function imageFrom(bytes: Uint8Array, file: string): PreImage {
  const json = jsonOf(new TextDecoder().decode(bytes));
  if (json === undefined || json['kbsync'] !== 'pre-image')
    throw damaged(file, 'it is not a pre-image of kbsync');
  const { format, sum, image } = json;
  if (format !== 1) {
    throw new BaseError('newer-format', `${file} has format ${show(format)}; this kbsync reads format 1.`);
  }
  if (!isJsonObject(image) || sum !== digestOfText(JSON.stringify(image))) {
    throw damaged(file, 'its content does not fit its checksum');
  }
  if (!isPreImage(image)) throw damaged(file, 'it lacks what a pre-image has');
  return image;
}

function isPreImage(json: JsonObject & Partial<PreImage>): json is JsonObject & PreImage {
  const { key, kind, id, lang, action, fields, labels, atMs } = json as JsonObject;
  return (
    typeof key === 'string' &&
    parseKey(key) !== undefined &&
    typeof kind === 'string' &&
    isKind(kind) &&
    typeof id === 'string' &&
    typeof lang === 'string' &&
    (action === 'delete' || action === 'update') &&
    isJsonObject(fields) &&
    isJsonObject(labels) &&
    typeof atMs === 'number'
  );
}
