import type { Key } from '../../../model/key.ts';
import { familyOf, idKey, isOriginal, keyIn, kindOf, langOf } from '../../../model/key.ts';
import { hasLanguage, sameLanguage } from '../../../model/language.ts';
import type { BaseRecord } from '../../../model/record.ts';
import { readMany } from '../../../remote/read-many.ts';
import type { ReadOutcome } from '../../../remote/read-many.ts';
import type { PullOptions } from '../context.ts';
import { isWantedLanguage } from './read-records.ts';
import type { Reading } from './read-records.ts';
import type { PulledRecord } from '../report.ts';

export interface DeletedThereInput {
  readonly options: Pick<PullOptions, 'remote' | 'content' | 'wanted' | 'pathOf' | 'atOnce'>;
  /** As the last run left them, under the names that their files have now. */
  readonly known: ReadonlyMap<Key, BaseRecord>;
  readonly reading: Pick<Reading, 'listed' | 'cut'>;
  /** This pull has read it, by whatever id. */
  readonly isShown: (key: Key) => boolean;
}

interface Missing {
  readonly key: Key;
  readonly id: string;
  readonly file: string;
}

/**
 * Records that the last run knew and that an editor has deleted since, while their files are there. No list shows them, so each is
 * asked for by its id; a list that may be cut proves nothing, so its records are not asked for. A draft that the service shows nowhere
 * looks the same (known limit 12). Files are never deleted: the pull names them.
 */
export async function deletedThere(input: DeletedThereInput): Promise<readonly PulledRecord[]> {
  const { remote, content, atOnce } = input.options;
  const missing = missingOf(input);
  const isOwn = ({ key }: Missing): boolean => isOriginal(key, content.state);
  const originalOf = ({ key }: Missing): Key => keyIn(familyOf(key), content.state.defaultLanguage);
  const originals = new Set(missing.filter(isOwn).map(({ key }) => key));
  const toRead = missing.filter((one) => isOwn(one) || !originals.has(originalOf(one)));
  const reads = await readMany(
    remote,
    toRead.map((one) => ({
      name: one.key,
      kind: kindOf(one.key),
      id: one.id,
      lang: isOwn(one) ? undefined : langOf(one.key),
    })),
    atOnce,
  );
  return missing.flatMap((one) => {
    const key = reads.has(one.key) ? one.key : originalOf(one);
    return isAbsent(reads.get(key), langOf(key)) ? [told(one)] : [];
  });
}

function missingOf({ options, known, reading, isShown }: DeletedThereInput): readonly Missing[] {
  const { content, wanted } = options;
  // A list of drafts alone, or of published pages alone, is what the reader asked for, and no sign of anything.
  if (wanted.status !== undefined) return [];
  const listed = new Map(reading.listed.map((item) => [idKey(item.kind, item.id), item.languages]));
  return [...known].flatMap(([key, { id }]) => {
    if (reading.cut.has(kindOf(key)) || isShown(key)) return [];
    const languages = listed.get(idKey(kindOf(key), id));
    const isListed =
      languages !== undefined && (isOriginal(key, content.state) || hasLanguage(languages, langOf(key)));
    const file = isListed ? undefined : fileOf(key, options);
    return file === undefined ? [] : [{ key, id, file }];
  });
}

/** The record's own file, if it is asked for. */
function fileOf(
  key: Key,
  { content, wanted, pathOf }: Pick<PullOptions, 'content' | 'wanted' | 'pathOf'>,
): string | undefined {
  const desired = content.state.records.get(key);
  if (desired === undefined || !isWantedLanguage(langOf(key), wanted)) return undefined;
  // What only a page or a folder names has no file that anybody could delete.
  if (content.editing !== undefined && content.editing().fileOf(key) === undefined) return undefined;
  const file = pathOf(desired);
  return wanted.isAskedFor(file) ? file : undefined;
}

/** Proved: see `Remote.read`. Some services answer with the original where a translation is gone. */
function isAbsent(read: ReadOutcome | undefined, lang: string): boolean {
  if (read?.state === 'found') return !sameLanguage(read.record.lang, lang);
  return read?.state === 'absent';
}

function told({ key, id, file }: Missing): PulledRecord {
  const why = `deleted on the site; delete the file too, or kbsync resolve ${key} --local makes the page again`;
  return { kind: kindOf(key), id, lang: langOf(key), key, file, action: 'deleted', fields: [], why };
}
