import { dirname } from 'node:path';
import { BaseError } from '../../base/base.ts';
import { replaceFile } from '../../base/disk/disk.ts';
import type { Disk } from '../../base/disk/disk.ts';
import { realDisk } from '../../base/disk/real-disk.ts';
import { damaged, jsonOf } from '../../base/state/state-text.ts';
import { show } from '../../base/state/record-text.ts';
import { familyFrom, parseKey } from '../../model/key.ts';
import type { Family } from '../../model/key.ts';
import type { Names } from './name-records.ts';
import { isJsonObject } from '../../text/json-value.ts';

/** Which record of the source has which name, beside the state: a slug that is changed there must not make a new record. */
export interface NamesFile {
  /**
   * None where there is no file, which is right before the first run only.
   * @throws BaseError `damaged`, also where they are `needed` and missing; `other-origin` for the names of another source
   */
  load(options: { readonly needed: boolean }): Promise<Names>;
  /** Durable when it resolves. Nothing is written where the file says the same. */
  save(names: Names): Promise<void>;
}

const FORMAT = 1;

export function namesFile(file: string, source: string, disk: Disk = realDisk): NamesFile {
  let known: string | undefined;
  return {
    load: async ({ needed }) => {
      const bytes = await disk.read(file);
      if (bytes === undefined && needed)
        throw damaged(
          file,
          'it is missing beside the state; restore it, or delete the state and its journal too: kbsync then finds the records by stamps and slugs',
        );
      if (bytes === undefined) return new Map();
      known = Buffer.from(bytes).toString();
      return namesIn(known, file, source);
    },
    save: async (names) => {
      const text = textOf(names, source);
      if (text === known) return;
      await disk.makeDirectory(dirname(file));
      await replaceFile(disk, file, text, dirname(file));
      known = text;
    },
  };
}

function textOf(names: Names, source: string): string {
  const sorted = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ format: FORMAT, source, names: Object.fromEntries(sorted) }, undefined, 1)}\n`;
}

function namesIn(text: string, file: string, source: string): Names {
  const json = jsonOf(text);
  if (json === undefined || json['format'] !== FORMAT || !isJsonObject(json['names']))
    throw damaged(file, 'it does not hold the names of a migration');
  if (json['source'] !== source)
    throw new BaseError('other-origin', `${file} belongs to a migration from ${show(json['source'])}.`);
  return new Map(Object.entries(json['names']).map(([name, family]) => [name, familyIn(family, file)]));
}

function familyIn(value: unknown, file: string): Family {
  const parts = typeof value === 'string' ? parseKey(`${value}@en`) : undefined;
  if (parts === undefined) throw damaged(file, `${show(value)} is not the name of a record`);
  return familyFrom(parts.kind, parts.path);
}
